"""`lab/bench-control`: how long requests of a supervisor to all DCMs take, idle and beside all events that the links carry.

The links have their limit by a token bucket with deep buffers, as in servers. Daqrings have the limit that the controller's
bandwidth, which is that of events besides the declared flow, gives each DCM. Writes target/bench/control.json.
"""
import contextlib
import json
import os
import statistics
from dataclasses import asdict, dataclass

from .. import ping, running, state
from ..capacity import Capacity
from ..demo import WITH_RINGS
from ..errors import LabError
from ..events import Load, start
from ..fabric import LOCAL
from ..generate import Size, generate
from . import bench, scale
from .testbed import NONE, WARM_UP, testbed_of

SIZE = Size("control", planes=2, spines=2, pods=2, ros=2, racks=2, dcms=2, capacity=10)
SUPERVISOR, SHARE = "sv", 0.05    # a twentieth of an uplink is declared for its requests
LINKS = Capacity(rate=2.5, buffer=1000, edge_buffer=100)
LOAD = Load(size=scale.fragment(8), rto_min=scale.RTO_MIN)
SECONDS, RATE, REPEATS = 10.0, 10.0, 3  # RATE: requests per second and DCM, and as many back


@dataclass(frozen=True)
class Case:
    """What the fabric carries beside the requests, and of what kind their flow is."""
    name: str
    events: bool = True
    rings: bool = True
    kind: str = "control"


CASES = (Case("idle", events=False), Case("events, no daqrings", rings=False, kind="events"),
         Case("events, daqrings", kind="events"), Case("events, daqrings, as control"))


def main(arguments):
    return bench.run("bench-control", __doc__, "target/bench", arguments, _bench)


def _bench(controller, target):
    (target / "control.json").write_text(json.dumps(measure(controller, target), indent=2) + "\n")


def document():
    """The fabric file, with a supervisor behind a switch of its own."""
    found = generate(SIZE)
    entry = found["daqfabric:fabric"][0]
    entry["switch"].append({"name": SUPERVISOR})
    entry["link"] += [{"switch": SUPERVISOR, "port": f"to-{leaf}", "peer-switch": leaf, "peer-port": f"to-{SUPERVISOR}"}
                      for leaf in ("p1l1", "p2l1")]
    entry["pod"][0]["host"] = [{"name": "supervisor", "address": "10.9.1.1", "switch": SUPERVISOR, "port": LOCAL}]
    entry["flow"] = [{"name": "assign", "from": "supervisor", "to": "all-dcms", "kind": "control",
                      "rate": f"{SIZE.capacity * SHARE:g}"}]
    return found


def measure(controller, target):
    """Repeats all cases in turn, so that the machine's other work meets all of them alike."""
    fabric = document()
    with running.switches(controller, fabric, target / "control-fabric.json", WITH_RINGS):
        bed = testbed_of(controller, target, fabric)
        bed.run_first()
        bed.arrange(NONE)
        gbps = float(controller.state(bed.name)["capacity"]["bandwidth"])
        ring = gbps * LINKS.rate / SIZE.capacity / len(bed.current.fabric.of_kind("dcm"))  # Mbit/s on the wire
        runs = {case.name: [] for case in CASES}
        for _ in range(REPEATS):
            for case in CASES:
                runs[case.name].append(_run(bed, fabric, case, ring))
                print(case.name, json.dumps(runs[case.name][-1]), flush=True)
    return {"links": asdict(LINKS), "dcms": SIZE.pods * SIZE.racks * SIZE.dcms, "repeats": REPEATS,
            "cases": {name: condensed(each) for name, each in runs.items()}}


def condensed(runs):
    """The median of repeats of each number."""
    return {what: round(statistics.median(run[what] for run in runs), 3) for what in runs[0]}


def _run(bed, fabric, case, ring):
    fabric["daqfabric:fabric"][0]["flow"][0]["kind"] = case.kind
    bed.arrange(scale.limited(ring) if case.rings else NONE, LINKS)
    current = state.load(bed.name)
    pairs = ping.control_pairs_of(current.fabric)
    schedule = ping.Schedule(round(SECONDS * RATE), 1 / RATE, timeout=3.0, pace=None)

    def times():
        with _on_its_own():
            return _times(ping.run(current, schedule, pairs=pairs))

    if not case.events:
        return times() | {"goodput": 0.0}
    with start(bed.name, LOAD, WARM_UP) as traffic:
        found = times()
        total = traffic.stop().total
        return found | {"goodput": total.goodput, "idle": total.idle}


@contextlib.contextmanager
def _on_its_own():
    """This process gets a processor before switches and events do, as the supervisor's machine is one of its own."""
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(2))
    try:
        yield
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def _times(report):
    if not report["rtt"]:
        raise LabError(f"no request of {report['sent']} was answered")
    return {name: report["rtt"][name] for name in ("median", "p99", "max")} | {"lost": report["lost"], "sent": report["sent"]}
