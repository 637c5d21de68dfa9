"""Figure 6.10: a link between spine and leaf is cut under the event traffic of all DCMs, and returns.

Daqrings are limited to what the fabric carries with one link less, so that nothing is lost then either.
"""
import json
import time
from collections import Counter
from dataclasses import dataclass

from .. import events, faults
from ..events import Load, goodput, paths
from ..generate import Size
from . import scale
from .testbed import NONE, WARM_UP, testbed

REPEATS = 3
BEFORE, CUT, AFTER = 6.0, 6.0, 6.0  # seconds
BIN = 0.1                           # seconds
BACK = 0.9                          # of the goodput before, from which on it is back
SMOOTH = 5                          # bins
SPARED = 96 / 120                   # of the prototype's bandwidth that is left without one link between leaf and spine


@dataclass(frozen=True)
class Run:
    """Seconds count from the start of what is measured."""
    cut: float
    returned: float
    goodput: list        # of each bin, part of the daqrings' limit
    recovery: float      # seconds from the cut until goodput is back for good
    longest: float       # ms of the longest event
    usual: float         # ms, the median before the cut
    events: int
    lost: int            # events that were never complete
    retransmits: int
    timeouts: int


def failover(lab, say):
    """[Run, ...]"""
    runs = []
    with testbed(*lab, Size("p2s2", 2, 2, **scale.PROTOTYPE)) as bed:
        bed.arrange(NONE, scale.LINKS)
        current = bed.current
        limit = SPARED * bed.bandwidth()
        bed.arrange(scale.limited(limit / len(current.fabric.of_kind("dcm"))), scale.LINKS)
        load = Load(size=scale.fragment(2))
        for _ in range(REPEATS):
            link = _busiest(current)
            runs.append(_run(bed, load, link, limit * goodput.efficiency(load.size, current.mtu)))
            bed.wait_whole()
            run = runs[-1]
            say(f"cut of {':'.join(link)}: back after {run.recovery:.1f} s, longest event {run.longest:.0f} ms (usually {run.usual:.0f}), "
                f"{run.events} events, {run.lost} lost, {run.retransmits} segments sent again, {run.timeouts} timeouts")
    return runs


def _busiest(current):
    """The port of a spine by which most pairs go."""
    found = paths.find(current, current.fabric.of_kind("ros"), current.fabric.of_kind("dcm"))
    links = current.fabric.peers()
    ports = Counter(port for path in found.values() for port in path if port in links
                    and current.nodes[port[0]].switch.role == "spine")
    return ports.most_common(1)[0][0]


def _run(bed, load, link, allowed):
    log = bed.folder / "failover-events.jsonl"
    with events.start(bed.name, load, WARM_UP, str(log)) as traffic:
        start = traffic.mark("before")
        time.sleep(BEFORE)
        cut = traffic.mark("cut")
        faults.set_link(*link, False, bed.name)
        try:
            time.sleep(CUT)
        finally:
            faults.set_link(*link, True, bed.name)
        returned = traffic.mark("returned")
        time.sleep(AFTER)
        report = traffic.stop()
    done = [json.loads(line) for line in log.read_text().splitlines()]
    phases = {phase.name: phase for phase in report.phases}
    bins = per_bin(done, start, BEFORE + CUT + AFTER, allowed)
    return Run(round(cut - start, 3), round(returned - start, 3), bins, recovery(bins, cut - start, returned - start),
               max(phases[name].longest for name in ("cut", "returned")), phases["before"].latency.p50,
               sum(phase.events for phase in phases.values()), len(report.unfinished),
               sum(phases[name].retransmits for name in ("cut", "returned")), sum(phases[name].timeouts for name in ("cut", "returned")))


def per_bin(done, start, seconds, allowed):
    """Goodput of each bin as a part of Mbit/s allowed; the bytes of an event count evenly over the time it took."""
    sums = [0.0] * round(seconds / BIN)
    for event in done:
        end, length = event["at"] - start, event["ms"] / 1e3
        begin = end - length
        for index in range(max(0, int(begin / BIN)), min(len(sums), int(end / BIN) + 1)):
            overlap = min(end, (index + 1) * BIN) - max(begin, index * BIN)
            sums[index] += event["bytes"] * max(0.0, overlap) / length
    return [round(total * 8 / 1e6 / BIN / allowed, 4) for total in sums]


def recovery(bins, cut, returned):
    """Seconds from the cut to the end of the last bin that lacks goodput, before the link is back; half a second is averaged."""
    first, last = int(cut / BIN), int(returned / BIN)
    before = sum(bins[:first]) / first
    low = [index for index in range(first, last) if sum(bins[index:index + SMOOTH]) / SMOOTH < BACK * before]
    return round((low[-1] + 1) * BIN - cut, 2) if low else 0.0
