"""The point of the demo: the same event traffic on stock ports and with limited daqrings, whose fabric loses a link.

All DCMs collect events from all ROS, on links slow enough for one CPU, of which something else may have a half; TCP's smallest
timeout is scaled with them, as in the experiments (docs/experiments.md).
"""
import datetime
import math
import time
from dataclasses import asdict, dataclass

from . import capacity, events, netlink
from .experiments import scale
from .experiments.failover import SPARED
from .experiments.testbed import NONE, WARM_UP, testbed_of
from .faults import set_link

LINKS = capacity.Capacity(rate=0.8, buffer=1000, edge_buffer=8)
LOAD = events.Load(size=scale.fragment(1), rto_min=3000)  # eight events at the limit of the links
PHASE = 8.0         # seconds
CUT = 6.0           # seconds that the link is down
ROOM = 0.96         # of links and daqrings; the rest is for the controller's proofs, which at these rates are no small part
GOOD = 0.95 * ROOM  # part of the limit that is reached with daqrings


@dataclass(frozen=True)
class Cut:
    lost: object     # packets that hosts sent and no host received; None if it is not known
    in_flight: int   # packets that at most waited before the link or were on it when it was cut, or were sent until its ends knew


@dataclass(frozen=True)
class Result:
    stock: object    # report.Phase; None if that was not run
    before: object   # with daqrings, and so on
    during: object
    after: object
    cut: Cut

    def failures(self):
        """What is not as it should be with daqrings, in words."""
        found = []
        for name, phase in (("before the cut", self.before), ("after the cut", self.after)):
            dropped = phase.ring_drops + phase.queue_drops + phase.machine_drops
            if phase.goodput_ratio < GOOD:
                found.append(f"{name} goodput was {phase.goodput_ratio:.1%} of the daqrings' limit, less than {GOOD:.0%}")
            if phase.timeouts:
                found.append(f"{name} TCP timed out {phase.timeouts} times")
            if dropped:
                found.append(f"{name} {dropped} packets were dropped ({phase.ring_drops} in daqrings, {phase.queue_drops} at links, "
                             f"{phase.machine_drops} in the machine)")
        if self.cut.lost is None:
            found.append("packets could not be counted: was an edge switch restarted?")
        elif self.cut.lost > self.cut.in_flight:
            found.append(f"the cut lost {self.cut.lost} packets, of which at most {self.cut.in_flight} were on the link")
        return found


def compare(controller, folder, document, link, account):
    """link: (switch, port), cut under traffic with daqrings. Returns the Result."""
    bed = testbed_of(controller, folder, document)
    account.step(f"All DCMs collect events on links of {LINKS.rate:g} Mbit/s, through stock ports")
    bed.arrange(NONE, LINKS)
    with events.start(bed.name, LOAD, WARM_UP) as traffic:
        time.sleep(PHASE)  # the length of a phase
        stock = traffic.stop().total
    account.traffic("stock", stock)

    account.step(f"The same through daqrings, each of which lets out {1e3 * spared(bed):.0f} kbit/s: "
                 "what the fabric carries with one link less")
    before, during, after, cut = cut_with_rings(controller, bed, link)
    result = Result(stock, before, during, after, cut)
    for name, phase in (("before", before), ("cut", during), ("after", after)):
        account.traffic(name, phase)
    account.comparison(result)
    bed.lift()
    return result


def spared(bed):
    """Mbit/s for each DCM, which the fabric carries with one link less; the links must have limits."""
    return SPARED * bed.bandwidth() / len(bed.current.fabric.of_kind("dcm"))


def cut_with_rings(controller, bed, link, load=LOAD):
    """The traffic through daqrings with that limit; link: (switch, port), which is cut meanwhile.

    Returns the phases before, during and after, and the Cut.
    """
    bed.arrange(scale.limited(spared(bed)), LINKS)
    with events.start(bed.name, load, WARM_UP) as traffic:
        time.sleep(PHASE)
        traffic.mark("during")
        in_flight = _cut(bed, link, controller)
        traffic.mark("return")
        set_link(*link, True, bed.name)
        bed.wait_whole()
        traffic.mark("after")
        time.sleep(PHASE)
        report = traffic.stop()
    before, during, _, after = report.phases
    return before, during, after, Cut(report.lost, in_flight)


def _cut(bed, link, controller):
    """Cuts the link for a while; returns how many packets may have been on it."""
    old = controller.state(bed.name).get("last-repair")
    ends = [link, bed.current.fabric.peers()[link]]
    waiting = sum(_waiting(bed.current, *end) for end in ends)
    begun, at = time.monotonic(), datetime.datetime.now(datetime.UTC)
    set_link(*link, False, bed.name)
    repaired = controller.wait(bed.name, lambda s: s.get("last-repair") != old and "confirmed" in s.get("last-repair", {}), CUT,
                               "waiting for the repair")
    time.sleep(max(0.0, CUT - (time.monotonic() - begun)))  # how long it is down
    detected = (datetime.datetime.fromisoformat(repaired["last-repair"]["detected"]) - at).total_seconds()
    return waiting + on_the_link(detected)


def on_the_link(seconds):
    """In both directions the full packets that it carries meanwhile, one that is half sent, and two small ones with each.

    These are an acknowledgement and the request for the next fragment, which here is one packet.
    """
    return 2 * 3 * (1 + math.floor(seconds * LINKS.rate * 1e6 / (scale.WIRE * 8)))


def _waiting(current, switch, port):
    node = current.nodes[switch]
    with netlink.Netlink(node.namespace) as connection:
        return connection.qdisc_waiting(capacity.DATA << 16).get(connection.links()[port].index, 0)


def summary(result):
    phases = {name: _phase(getattr(result, name)) for name in ("stock", "before", "during", "after")}
    return phases | {"cut": asdict(result.cut)}


def _phase(phase):
    latency = phase.latency
    return {"events": phase.events, "goodput_mbps": phase.goodput, "goodput_ratio": phase.goodput_ratio,
            "latency_ms": {"p50": latency.p50, "p99": latency.p99, "max": latency.max} if latency else None,
            "retransmits": phase.retransmits, "timeouts": phase.timeouts, "ring_drops": phase.ring_drops,
            "queue_drops": phase.queue_drops, "machine_drops": phase.machine_drops, "idle": phase.idle}
