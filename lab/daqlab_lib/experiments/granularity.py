"""`lab/bench-granularity`: event traffic by policy granularity `dcm` and `pod`, where whole DCMs do not fit, whole and with a link cut.

Three DCMs behind two uplinks of their rack: by DCM two of them share one uplink, by pod one of them is split and has a daqring
before each. Ports to edge switches have shallow buffers, which daqrings protect; the others have deep ones, so that what is dropped
is dropped there. Every DCM has a port of its own, where what it receives is counted. Writes target/bench/granularity.json.
"""
import contextlib
import itertools
import json
import statistics
import time
from collections import Counter
from dataclasses import asdict, dataclass

from .. import netns
from ..capacity import ETHERNET, Capacity
from ..demo import WITH_RINGS
from ..events import Load, goodput, paths, start
from ..generate import Size
from ..hosts import HOST_INTERFACE
from . import bench, scale
from .testbed import WARM_UP, repeat, testbed

SIZE = Size("granularity", planes=2, spines=2, pods=4, ros=2, racks=1, dcms=3, capacity=10, dcm_ports=True)
LINKS = Capacity(rate=2.0, buffer=1000, edge_buffer=8)
SEGMENTS = 4  # of a fragment
LOAD = Load(size=scale.fragment(SEGMENTS), rto_min=scale.RTO_MIN)
CUTS = {"whole": (), "one link cut": (("p1l1", "to-p1s1"),)}
SECONDS, REPEATS = 12.0, 3
MOMENT = 0.25  # seconds; "at once" is in one of these, in which an uplink carries 40 packets


@dataclass(frozen=True)
class Case:
    """limit: of a daqring, in uplinks of a rack."""
    name: str
    granularity: str
    limit: float


CASES = (
    Case("dcm", "dcm", 1 / 2),  # two DCMs share an uplink
    Case("pod, by the rule", "pod", 1 / SIZE.dcms),  # all daqrings of the rack together fit each uplink
    Case("pod, limit as by dcm", "pod", 1 / 2),
    Case("pod, limit of a DCM's share", "pod", SIZE.planes / SIZE.dcms))  # of both uplinks: a DCM that is not split can receive it


def main(arguments):
    return bench.run("bench-granularity", __doc__, "target/bench", arguments, _bench)


def _bench(controller, target):
    (target / "granularity.json").write_text(json.dumps(measure(controller, target), indent=2) + "\n")


def measure(controller, target):
    found = {}
    with testbed(controller, target, WITH_RINGS, SIZE) as bed:
        bed.run_first()
        for name, links in CUTS.items():
            found[name] = {}
            for case in CASES:
                found[name][case.name] = _case(bed, links, case)
                print(name, case.name, json.dumps(found[name][case.name]), flush=True)
    ros = SIZE.pods * SIZE.ros
    return {"links": asdict(LINKS), "uplinks": _uplinks(), "pods": SIZE.pods, "ros": ros, "dcms": SIZE.dcms, "packets": ros * SEGMENTS,
            "seconds": SECONDS, "moment": MOMENT, "repeats": REPEATS, "cases": found}


def _uplinks():
    """Mbit/s of all racks' uplinks together, which carry the least here."""
    return SIZE.pods * SIZE.racks * SIZE.planes * LINKS.rate


def _case(bed, links, case):
    """The median of the repeats; what was dropped and the timeouts are those of all."""
    bed.arrange(scale.limited(case.limit * LINKS.rate), LINKS, case.granularity)
    with bed.cut(links):
        bed.rebalance()
        carried, sharing = bed.bandwidth(), _sharing(bed)
        runs = [_run(bed) for _ in range(REPEATS)]
    events = [each for each, _ in runs]
    found = {what: round(statistics.median(getattr(each, what) for each in events), 3)
             for what in ("goodput", "ratio", "p50", "p99", "idle")}
    found |= {what: round(statistics.median(received[what] for _, received in runs), 3) for what in ("least", "most", "at once")}
    found |= {what: sum(getattr(each, what) for each in events) for what in ("ring_drops", "queue_drops", "machine_drops", "timeouts")}
    return found | {"events/s": round(statistics.median(each.events for each in events) / SECONDS, 1), "carried": carried,
                    "sharing": sharing, "limit": round(case.limit * LINKS.rate, 3)}


def _sharing(bed):
    """The most DCMs that one uplink of a rack leads to."""
    ends, peers = bed.current.fabric.of_kind, bed.current.fabric.peers()
    racks = {each.switch for each in ends("dcm")}
    found = {(dcm, port) for (_, dcm), path in paths.find(bed.current, ends("ros"), ends("dcm")).items()
             for port in path if peers.get(port, ("",))[0] in racks}
    return max(Counter(port for _, port in found).values())


def _run(bed):
    allowed = _uplinks() * goodput.efficiency(LOAD.size, bed.current.mtu)
    with contextlib.ExitStack() as stack:
        counters = [stack.enter_context(_counters(bed.current.namespace_of(dcm))) for dcm in bed.current.fabric.of_kind("dcm")]
        traffic = stack.enter_context(start(bed.name, LOAD, WARM_UP))
        received = _received(counters)  # while it is measured
        return repeat(traffic.stop().total, allowed), received


def _counters(namespace):
    """The file stays that of the namespace in which it was opened."""
    with netns.inside(namespace):
        return open("/proc/thread-self/net/dev", encoding="ascii")


def _received(counters):
    """What DCMs receive, Mbit/s on the wire: the one with the least and the one with the most, and the most of one at once."""
    samples = [(time.monotonic(), [_bits(each) for each in counters])]
    while samples[-1][0] < samples[0][0] + SECONDS:
        time.sleep(MOMENT)  # what is counted
        samples.append((time.monotonic(), [_bits(each) for each in counters]))
    means = _rates(samples[0], samples[-1])
    return {"least": min(means), "most": max(means), "at once": max(max(_rates(*pair)) for pair in itertools.pairwise(samples))}


def _rates(first, last):
    return [(now - before) / (last[0] - first[0]) / 1e6 for before, now in zip(first[1], last[1])]


def _bits(counter):
    counter.seek(0)
    received = next(line for line in counter if line.strip().startswith(HOST_INTERFACE)).split(":")[1].split()
    return (int(received[0]) + ETHERNET * int(received[1])) * 8
