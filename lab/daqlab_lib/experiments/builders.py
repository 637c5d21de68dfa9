"""`lab/bench-schedule`: every node reads out and builds events; freely, with daqrings, and in phases, whole and with links cut.

All links have the same rate and ports with shallow buffers, as in ordinary switches, so that what is asked at once is dropped.
Daqrings have the limit that the links give each DCM in the fabric as it is then. Writes target/bench/schedule.json.
"""
import json
import statistics
from dataclasses import asdict

from ..capacity import Capacity
from ..demo import WITH_RINGS
from ..events import Load, goodput, start
from ..generate import Size
from . import bench, scale
from .testbed import NONE, WARM_UP, repeat, testbed

SIZE = Size("builders", planes=2, spines=2, pods=2, ros=4, racks=4, dcms=1, capacity=10, builders=True)
LINKS = Capacity(rate=2.5, buffer=8, edge_buffer=8)
LOAD = Load(size=scale.fragment(2), rto_min=scale.RTO_MIN)
CUTS = {"whole": (), "one link cut": (("p1l1", "to-p1s1"),), "two links cut": (("p1l1", "to-p1s1"), ("p2l2", "to-p2s2"))}
METHODS = ("free", "daqrings", "schedule")
SECONDS, REPEATS = 12.0, 3


def main(arguments):
    return bench.run("bench-schedule", __doc__, "target/bench", arguments, _bench)


def _bench(controller, target):
    (target / "schedule.json").write_text(json.dumps(measure(controller, target), indent=2) + "\n")


def measure(controller, target):
    cases = {}
    with testbed(controller, target, WITH_RINGS, SIZE) as bed:
        for name, links in CUTS.items():
            cases[name] = {}
            for method in METHODS:
                cases[name][method] = _case(bed, links, method)
                print(name, method, json.dumps(cases[name][method]), flush=True)
    return {"links": asdict(LINKS), "nodes": SIZE.pods * SIZE.ros, "seconds": SECONDS, "repeats": REPEATS, "cases": cases}


def _case(bed, links, method):
    """The median of the repeats; what was dropped and the timeouts are those of all."""
    bed.arrange(NONE, LINKS)
    with bed.cut(links):
        limit = bed.bandwidth()
        phases = bed.controller.rpc("daqfabric-operations", "schedule", {"fabric": bed.name})
    policy = scale.limited(limit / len(bed.current.fabric.of_kind("dcm"))) if method == "daqrings" else NONE
    bed.arrange(policy, LINKS)
    with bed.cut(links):
        runs = [_run(bed, method, limit) for _ in range(REPEATS)]
    found = {what: round(statistics.median(getattr(each, what) for each in runs), 3) for what in ("goodput", "ratio", "p50", "p99")}
    found |= {"events/s": round(statistics.median(each.events for each in runs) / SECONDS, 1),
              "dropped": sum(each.ring_drops + each.queue_drops for each in runs), "timeouts": sum(each.timeouts for each in runs)}
    return found | ({name: int(phases[name]) for name in ("phases", "bound")} if method == "schedule" else {})


def _run(bed, method, limit):
    allowed = limit * goodput.efficiency(LOAD.size, bed.current.mtu)
    with start(bed.name, LOAD, WARM_UP, schedule_of=bed.controller if method == "schedule" else None) as traffic:
        traffic.follow(SECONDS)
        return repeat(traffic.stop().total, allowed)
