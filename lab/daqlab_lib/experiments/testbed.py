"""A fabric under the controller on which configurations are measured one after the other."""
import contextlib
import time
from dataclasses import dataclass

from .. import capacity, events, faults, ovs, running, state
from ..errors import LabError
from ..events import bandwidth, goodput, paths, rings
from ..generate import generate
from ..running import CONVERGE

PATIENCE = 30       # seconds until daqrings match the policy
BFD_INTERVAL = 300  # ms: event traffic takes both CPUs, and a switch that waits for one must not be declared dead
WARM_UP = 2.5       # seconds
NONE = {"on": "none"}  # policy of a fabric without daqrings


@dataclass(frozen=True)
class Repeat:
    """The results of one run."""
    goodput: float      # Mbit/s of event data
    ratio: float        # of what could arrive, equation (A.12)
    events: int
    mean: float         # ms of latency, and so on to longest
    jitter: float
    p50: float
    p95: float
    p99: float
    longest: float
    retransmits: int
    timeouts: int
    ring_drops: int     # packets, and so on
    queue_drops: int
    machine_drops: int
    idle: float         # part of the machine's CPU time


@contextlib.contextmanager
def testbed(controller, folder, vswitchd, size):
    """Up while its context is open."""
    document = generate(size)
    with running.switches(controller, document, folder / f"{size.name}.json", vswitchd):
        yield testbed_of(controller, folder, document)


def testbed_of(controller, folder, document):
    """A fabric whose switches are up."""
    return Testbed(controller, folder, document, state.load(document["daqfabric:fabric"][0]["name"]))


class Testbed:
    """The operations on it."""

    def __init__(self, controller, folder, document, current):
        self.controller, self._document = controller, document
        self.folder, self.current = folder, current
        self.name = current.name

    def arrange(self, daqring, limit=None, granularity="dcm"):
        """daqring: their policy. limit: capacity.Capacity of the links, or None. granularity: of the placement."""
        wanted = {"protection": {"bfd-interval": BFD_INTERVAL}, "placement": {"granularity": granularity}, "daqring": daqring}
        self.lift()
        self._document["daqfabric:fabric"][0]["policy"] = wanted
        self.controller.put_fabric(self._document)
        self._wait_for_rings(daqring)
        self.wait_whole()
        if limit:
            self.limit(limit)

    def limit(self, links):
        """links: capacity.Capacity."""
        capacity.limit(self.current, links)

    def run_first(self):
        """Switches get the CPUs before ordinary processes, as on machines of their own, where that is allowed."""
        with contextlib.suppress(PermissionError):
            for node in self.current.nodes.values():
                ovs.run_first(node)

    def wait_whole(self):
        self.controller.wait(self.name, lambda s: s.get("phase") == "converged", CONVERGE, "waiting for converged")

    @contextlib.contextmanager
    def cut(self, links):
        """The fabric, repaired, without some links: (switch, port). Whole again and rebalanced afterwards."""
        for link in links:
            faults.set_link(*link, False, self.name)
        try:
            if links:
                self.controller.wait(self.name, lambda s: _is_repaired(s, links), CONVERGE, "waiting for the repair")
            yield
        finally:
            for link in links:
                faults.set_link(*link, True, self.name)
            self.controller.wait(self.name, lambda s: all(each.get("oper-state") == "up" for each in s.get("link", [])), CONVERGE,
                                 "waiting for all links to be up")
            self.controller.rebalance(self.name)  # also takes links into use that are held back, as they failed before
            self.wait_whole()

    def rebalance(self):
        """Returns when all switches have confirmed what moves and no daqring is left that is to go."""
        self.controller.rebalance(self.name)
        self.controller.wait(self.name, lambda s: s.get("phase") in ("converged", "degraded") and _is_confirmed(s), CONVERGE,
                             "waiting for the rebalance")

    def bandwidth(self):
        """Mbit/s on the wire that the links carry of the pattern, the daqrings' own limits aside."""
        current = self.current
        ends = current.fabric.of_kind
        rates = capacity.rates_of(current.fabric, capacity.load(current).rate)
        return bandwidth.of(paths.find(current, ends("ros"), ends("dcm")), rates).total

    def measure(self, load, seconds, repeats, allowed, warm_up=WARM_UP):
        """Each repeat has connections of its own. allowed: Mbit/s that can arrive at all DCMs together, on the wire."""
        allowed *= goodput.efficiency(load.fragments * load.size, self.current.mtu)
        return [self._run(load, seconds, allowed, warm_up) for _ in range(repeats)]

    def _run(self, load, seconds, allowed, warm_up):
        with events.start(self.name, load, warm_up) as traffic:
            time.sleep(seconds)  # what is measured
            return repeat(traffic.stop().total, allowed)

    def lift(self):
        """Links without limits."""
        with state.lock():
            capacity.lift(self.current)

    def _wait_for_rings(self, daqring):
        deadline = time.monotonic() + PATIENCE
        while not _are(self.current, daqring):
            if time.monotonic() > deadline:
                raise LabError(f"{self.name}: daqrings are not {daqring} after {PATIENCE} s; see the controller's log")
            time.sleep(0.1)  # polling interval


def repeat(phase, allowed):
    """allowed: Mbit/s of goodput."""
    if not phase.latency:
        raise LabError(f"no event was complete within {phase.duration} s: use smaller events or quicker links")
    la = phase.latency
    return Repeat(phase.goodput, round(phase.goodput / allowed, 4), phase.events, la.mean, la.jitter, la.p50, la.p95,
                  la.p99, la.max, phase.retransmits, phase.timeouts, phase.ring_drops, phase.queue_drops, phase.machine_drops,
                  phase.idle)


def _is_repaired(state, links):
    down = {(each["switch"], each["port"]) for each in state.get("link", []) if each.get("oper-state") == "down"}
    return set(links) <= down and _is_confirmed(state)


def _is_confirmed(state):
    return all(each.get("generation") == state["generation"] for each in state["switch"])


def _are(current, daqring):
    """Whether the databases of leaves and spines have the daqrings that are wanted, and no others; elsewhere they are of control."""
    rows = [dict(row["options"][1]) for node in current.nodes.values() if node.switch.role in ("leaf", "spine")
            for row in ovs.select(node, "Interface", ["type", "options"]) if row["type"] == rings.TYPE]
    if daqring["on"] == "none":
        return not rows
    wanted = {name: str(value) for name, value in daqring.items() if name != "on"}
    return bool(rows) and all(wanted.items() <= row.items() for row in rows)
