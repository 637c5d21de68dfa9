"""Times of repairs as the controller takes them: leaf-spine links of the prototype fabric cut one after another.

Every link is restored, and the fabric has converged, before the next is cut. Two rounds are measured: the first meets a
controller that has never repaired if it has just started. Then runs are started, and links cut in them (bench_runs.py). Writes
repair.json and runs.json beside the printed tables, and docs/benchmarks.md after a full run.
"""
import argparse
import datetime
import json
import statistics
import sys
import time
from pathlib import Path

from . import bench_runs, state
from .account import Account
from .benchmarks import command
from .benchmarks.condense import REPAIR_PHASES, REPAIR_ROUNDS
from .demo import NAME, repair_times, running_fabric
from .errors import LabError
from .faults import set_link
from .restconf import Restconf
from .running import CONVERGE, REPAIR


def main(arguments):
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--restconf", default="http://127.0.0.1:8181/rests", help="base URL of the controller")
    parser.add_argument("--target", default="target/bench", type=Path, help="folder for the numbers")
    parser.add_argument("--cuts", type=int, default=20, help="how many in each of two rounds (default 20)")
    parser.add_argument("--runs", type=int, default=10, help="how many (default 10)")
    options = parser.parse_args(arguments)
    controller, account = Restconf(options.restconf), Account()
    try:
        with running_fabric(controller, options.target, account) as document:
            begin = time.monotonic()
            controller.put_fabric(document)
            controller.wait(NAME, lambda s: s.get("phase") == "converged", CONVERGE, "waiting for converged")
            converged = time.monotonic() - begin
            rounds = {}
            for name in REPAIR_ROUNDS:
                account.step(f"Cutting and restoring {options.cuts} leaf-spine links, controller {name}")
                rounds[name] = [_cut(controller, link) for link in _links(document, options.cuts)]
            account.step(f"Starting {options.runs} runs, and cutting a link in each")
            starts, cuts = bench_runs.measure(controller, state.load(NAME), _links(document, options.runs), options.runs)
    except LabError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    print(f"\n  PUT to converged: {converged:.1f} s")
    repairs = {}
    for name, cuts_of_round in rounds.items():
        repairs[name] = {"cuts": cuts_of_round, "ms": {phase: spread([c[phase] for c in cuts_of_round]) for phase in REPAIR_PHASES}}
        print(f"\n  milliseconds after the port event, controller {name}, {len(cuts_of_round)} cuts (min / median / p99 / max)")
        _print(repairs[name]["ms"], 10)
    runs = {"start-run answered": spread([s["ms"] for s in starts])} | {
        f"cut to {kind}": spread([c[kind] for c in cuts]) for kind in bench_runs.KINDS}
    print(f"\n  milliseconds, {len(starts)} runs (min / median / p99 / max); rules and groups sent at start-run: "
          f"{sum(s['modifications'] for s in starts)}")
    _print(runs, 18)
    (options.target / "runs.json").write_text(json.dumps({"starts": starts, "cuts": cuts, "ms": runs}, indent=2) + "\n")
    (options.target / "repair.json").write_text(json.dumps({"converged-s": converged} | repairs, indent=2) + "\n")
    full = all(getattr(options, name) == parser.get_default(name) for name in ("target", "cuts", "runs"))
    return command.main(["repair", "runs"]) if full else 0


def _print(rows, width):
    for name, ms in rows.items():
        print(f"  {name:{width}} {ms['min']:8.1f} {ms['median']:8.1f} {ms['p99']:8.1f} {ms['max']:8.1f}")


def _links(document, count):
    fabric = document["daqfabric:fabric"][0]
    spines = {s["switch"] for plane in fabric["plane"] for s in plane["spine"]}
    links = [li for li in fabric["link"] if {li["switch"], li["peer-switch"]} & spines]
    return [links[i % len(links)] for i in range(count)]


def _cut(controller, link):
    """One cut; detected in ms after the cut, the others in ms after the port event."""
    before = controller.state(NAME).get("last-repair")
    at = datetime.datetime.now(datetime.UTC)
    set_link(link["switch"], link["port"], False, NAME)
    try:
        state = controller.wait(
            NAME, lambda s: s.get("last-repair") != before and "confirmed" in s.get("last-repair", {}), REPAIR,
            "waiting for the repair")
    finally:
        set_link(link["switch"], link["port"], True, NAME)
    controller.wait(NAME, lambda s: s.get("phase") == "converged", CONVERGE, "waiting for converged")
    repair = state["last-repair"]
    return {"link": f"{link['switch']}:{link['port']}", "moved_dcms": int(repair["moved-dcms"]),
            "messages": int(repair["messages"]), "detected": repair_times(repair, at)["detected"],
            "computed": float(repair["computed"]), "confirmed": float(repair["confirmed"])}


def spread(values):
    ordered = sorted(values)
    return {"min": ordered[0], "median": statistics.median(ordered),
            "p99": ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))], "max": ordered[-1]}
