"""The main job end to end: a fabric comes up from its description, a link is cut, the paths are repaired.

Runs the prototype of Fig. 6.7 of the thesis on the lab against a controller that is up, prints what happens and writes
report.json. Then the same event traffic goes through stock ports and through daqrings (demo_traffic.py). Exit code 0 only if
every pair of ROS and DCM answered at every stage, and daqrings did what they are for.
"""
import argparse
import contextlib
import datetime
import json
import os
import signal
import sys
import time
from pathlib import Path

from . import demo_traffic, generate, ping, running, state
from .account import Account
from .errors import LabError
from .faults import set_link
from .restconf import Restconf
from .running import CONVERGE, REPAIR

NAME = "prototype"
SIZE = generate.Size(name=NAME, planes=2, spines=2, pods=2, ros=3, racks=3, dcms=8, capacity=10)
BFD_INTERVAL = 300  # ms
NO_RINGS = "event traffic was not shown, as there are no daqrings"
WITH_RINGS = Path(__file__).resolve().parents[2] / ".cache" / "ovs" / "current" / "ovs-vswitchd"  # of `make ovs`


def main(arguments):
    parser = argparse.ArgumentParser(prog="demo", description=__doc__)
    parser.add_argument("--restconf", default="http://127.0.0.1:8181/rests", help="base URL of the controller")
    parser.add_argument("--target", default="target/demo", type=Path, help="folder for the report")
    parser.add_argument("--stay", action="store_true", help="leave the fabric up until Ctrl-C")
    options = parser.parse_args(arguments)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(143))
    if os.geteuid() != 0:
        print("demo: namespaces need root: run it as root", file=sys.stderr)
        return 2
    controller = Restconf(options.restconf)
    account = Account()
    try:
        vswitchd = WITH_RINGS if os.access(WITH_RINGS, os.X_OK) else None
        if not vswitchd:
            account.note(f"{NO_RINGS}: `make ovs` builds the Open vSwitch that knows them")
        with running_fabric(controller, options.target, account, vswitchd) as document:
            failures = _show(controller, document, options.target, account, bool(vswitchd))
            if options.stay:
                _stay(options.restconf, account)
            return 1 if failures else 0
    except LabError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0 if options.stay else 130


@contextlib.contextmanager
def running_fabric(controller, target, account, vswitchd=None):
    """The prototype's switches, up and unconfigured; all is removed at the end. vswitchd: if not Debian's."""
    target.mkdir(parents=True, exist_ok=True)
    document = generate.generate(SIZE)
    file = target / "fabric.json"
    count = len(document["daqfabric:fabric"][0]["switch"])
    starting = f"Starting {count} Open vSwitch instances{' with daqrings' if vswitchd else ''} ({file})"
    with running.switches(controller, document, file, vswitchd, lambda: account.step(starting), lambda: account.step("Cleaning up")):
        yield document


def _show(controller, document, target, account, with_rings):
    """Returns what did not work, in words."""
    fabric = document["daqfabric:fabric"][0]
    # event traffic takes both CPUs, and a switch that waits for one must not be declared dead
    fabric["policy"] = policy = {"protection": {"bfd-interval": BFD_INTERVAL}}
    account.step("Describing the fabric to the controller (PUT) and waiting until it is converged")
    start = time.monotonic()
    controller.put_fabric(document)
    converged = controller.wait(NAME, lambda s: s.get("phase") == "converged", CONVERGE, "waiting for converged")
    converge_s = round(time.monotonic() - start, 3)
    account.fabric(converged, converge_s)
    pairs = _ping("Every ROS asks every DCM, and back", account)

    link = busiest(fabric, converged)
    name = f"{link['switch']}:{link['port']} - {link['peer-switch']}:{link['peer-port']}"

    account.step(f"Cutting {name}")
    earlier = converged.get("last-repair")
    cut_at = datetime.datetime.now(datetime.UTC)
    set_link(link["switch"], link["port"], False, NAME)
    repaired = controller.wait(
        NAME, lambda s: s.get("last-repair") != earlier and "confirmed" in s.get("last-repair", {})
        and s.get("phase") != "programming", REPAIR, "waiting for the repair")
    repair = repair_times(repaired["last-repair"], cut_at)
    account.repair(converged, repaired, repair)
    pairs_after = _ping("Every pair again, while the link is cut", account)

    account.step("Restoring the link")
    set_link(link["switch"], link["port"], True, NAME)
    restored = controller.wait(NAME, lambda s: s.get("phase") == "converged", CONVERGE, "waiting for converged")
    pairs_restored = _ping("Every pair once more", account)
    account.bandwidth(restored)

    failures = []
    if any(p["forward"] < p["expected"] or p["reverse"] < p["expected"] for p in (pairs, pairs_after, pairs_restored)):
        failures.append("some pairs did not answer (see above)")
    traffic = None
    if with_rings:
        traffic = demo_traffic.compare(controller, target, document, (link["switch"], link["port"]), account)
        failures += traffic.failures()
        fabric["policy"] = policy
        controller.put_fabric(document)
    else:
        failures.append(NO_RINGS)

    report = {
        "switches": len(restored["switch"]), "dcms": len(restored["placement"]),
        "rules": sum(int(s["rules"]) for s in converged["switch"]),
        "pairs": pairs, "converge_s": converge_s,
        "cut": {"link": f"{link['switch']}:{link['port']}", "moved_dcms": int(repaired["last-repair"]["moved-dcms"]),
                "pairs_after": pairs_after, "repair_ms": repair},
        "pairs_restored": pairs_restored,
        "daqrings": sum(int(s["daqrings"]) for s in converged["switch"] if s["daqrings"] != "unsupported"),
        "traffic": traffic and demo_traffic.summary(traffic),
        "bandwidth_gbps": {"nominal": _number(converged["capacity"]["nominal-bandwidth"]),
                           "cut": _number(repaired["capacity"]["bandwidth"]),
                           "now": _number(restored["capacity"]["bandwidth"])},
    }
    (target / "report.json").write_text(json.dumps(report, indent=2) + "\n")
    account.verdict(failures, target / "report.json")
    return failures


def _ping(what, account):
    account.step(what)
    result = ping.run(state.load(NAME), ping.Schedule(1, 1.0, 1.0, ping.PACE), lambda *_: None)
    account.pairs(result)
    return result["pairs"]


def busiest(fabric, running):
    """The leaf-spine link below the spine that carries most DCMs, on the side of the pod with most of them."""
    spine = max(running["spine"], key=lambda s: int(s["dcms"]))
    plane = next(p for p in fabric["plane"] if p["id"] == spine["plane"])
    switch = next(s["switch"] for s in plane["spine"] if s["id"] == spine["spine"])
    leaves = {leaf["switch"] for leaf in plane["leaf"]}
    return next(li for li in fabric["link"]
                if {li["switch"], li["peer-switch"]} & leaves and switch in (li["switch"], li["peer-switch"]))


def repair_times(repair, cut_at):
    """Milliseconds after the cut."""
    detected = (datetime.datetime.fromisoformat(repair["detected"]) - cut_at).total_seconds() * 1e3
    return {"detected": round(detected, 3), "computed": round(detected + float(repair["computed"]), 3),
            "confirmed": round(detected + float(repair["confirmed"]), 3)}


def _number(text):
    value = float(text)
    return int(value) if value == int(value) else value


def _stay(restconf, account):
    account.calls(restconf, NAME)
    with contextlib.suppress(KeyboardInterrupt):
        signal.pause()
