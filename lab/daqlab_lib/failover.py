"""Outages of the prototype fabric at failures, repairs and changes, beside what Open vSwitch itself needs to fail over.

Every case is repeated with another DCM, link and switch. Writes failover.json and prints a table; a full run also writes
docs/benchmarks.md.
"""
import argparse
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from . import failover_cases, faults, limit, ovs, processes, state, trace
from .account import Account
from .bench import spread
from .benchmarks import command
from .demo import NAME, running_fabric
from .errors import LabError
from .restconf import Restconf
from .running import CONVERGE

CONTROLLER = Path(__file__).resolve().parent.parent.parent / "scripts" / "controller"
POLICY = {"protection": {"fast-failover": True, "bfd": True, "bfd-interval": 50}}
HELD_BACK = 60  # seconds at most that a link which failed again and again waits before it is used
RULES = re.compile(r"flow_count=(\d+)")


def main(arguments):
    parser = argparse.ArgumentParser(prog="bench-failover", description=__doc__)
    parser.add_argument("--restconf", default="http://127.0.0.1:8181/rests", help="base URL of the controller")
    parser.add_argument("--target", default="target/bench", type=Path, help="folder for the numbers")
    parser.add_argument("--repeat", type=int, default=10, metavar="N", help="repetitions of each case (default 10)")
    parser.add_argument("--only", metavar="NAME", help="the case with this name only")
    options = parser.parse_args(arguments)
    cases = [c for c in failover_cases.CASES if options.only in (None, *c.results)]
    if options.repeat < 1:
        parser.error(f"--repeat {options.repeat}: must be at least 1")
    if not cases:
        parser.error(f"--only {options.only}: the cases are {'; '.join(n for c in failover_cases.CASES for n in c.results)}")
    if os.geteuid() != 0:
        parser.error("namespaces need root: run it as root")
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(143))
    try:
        full = all(getattr(options, name) == parser.get_default(name) for name in ("target", "repeat", "only"))
        return _run(Restconf(options.restconf), options.target, cases, options.repeat) or (command.main(["failover"]) if full else 0)
    except LabError as error:
        print(f"bench-failover: {error}", file=sys.stderr)
        return 1


def _run(controller, target, cases, repeat):
    account = Account()
    with running_fabric(controller, target, account) as document, limit.running(target):
        document["daqfabric:fabric"][0]["policy"] = POLICY
        bench = Bench(controller, document, account)
        bench.recover()
        for case in cases:
            _repeat(bench, case, repeat)
        results = [result for case in cases for result in (bench.results[name] for name in case.results)]
    print("\n" + table(bench.limit, results))
    (target / "failover.json").write_text(json.dumps(numbers(bench.limit, results, repeat), indent=2) + "\n")
    return 1 if any(r.failed for r in results) else 0


def _repeat(bench, case, repeat):
    for name, goal in case.results.items():
        bench.results[name] = Result(name, goal)
    for number in range(repeat):
        bench.account.step(f"{' / '.join(case.results)}: {number + 1} of {repeat}")
        try:
            if case.beside_limit or not bench.limit.samples:
                bench.measure_limit()
            case.repeat(bench, number)
        except (LabError, OSError, subprocess.SubprocessError) as error:
            missing = [n for n in case.results if len(bench.results[n].samples) <= number] or list(case.results)
            bench.results[missing[0]].failed = str(error)
            bench.say(f"FAILED: {missing[0]}: {error}")
            for name in missing[1:]:
                bench.results[name].failed = f"not reached: {missing[0]} failed"
            with contextlib.suppress(LabError):
                bench.recover()
            return


@dataclass
class Result:
    name: str
    target: failover_cases.Target | None = None  # the limit has none
    samples: list = field(default_factory=list)
    modifications: tuple = (0, 0)  # rules, groups
    failed: str | None = None

    @property
    def lost(self):
        return sum(s.lost for s in self.samples)

    def spread(self):
        return spread([s.outage for s in self.samples])


@dataclass(frozen=True)
class PacketPath:
    """What the packets of one pair really pass."""
    source: str
    destination: str
    switches: list
    links: list  # (switch, port) where they leave each switch but the last


class Bench:
    """The fabric, its controller and the results, as the cases need them."""

    def __init__(self, controller, document, account):
        self._controller, self._document, self.account = controller, document, account
        self.name = NAME
        self.state = state.load(NAME)
        self._warned = False  # that the switches share the CPUs
        self.limit, self.results = Result("Open vSwitch's own failover (limit)"), {}
        fabric = self.state.fabric
        self._pod = {item["switch"]: pod["id"] for pod in fabric.raw["pod"] for item in pod["ros"] + pod["hlt-rack"]}

    def measure_limit(self):
        found = limit.measure()
        if found.is_open:
            raise LabError("limit: the bare switch did not fail over")
        self.limit.samples.append(found)

    def record(self, name, found, modifications=(0, 0)):
        result = self.results[name]
        result.samples.append(found)
        result.modifications = tuple(a + b for a, b in zip(result.modifications, modifications))
        self.say(f"{name}: {'at least ' if found.is_open else ''}{found.outage:.1f} ms, {found.lost} lost "
                 f"(limit {self.limit.samples[-1].outage:.1f} ms)" + (f", modifications {modifications}" if any(modifications) else ""))

    def say(self, text):
        print(f"  {text}", flush=True)

    # what is probed

    def path(self, number):
        """From a ROS of one pod to a DCM of the other; each number gives different ones."""
        dcms = self.state.fabric.of_kind("dcm")
        destination = dcms[number * 7 % len(dcms)]
        sources = self._elsewhere("ros", destination)
        found = self._trace(sources[number % len(sources)].name, destination.name)
        if not found:
            raise LabError(f"no path to {destination.name}: see `daqlab trace {sources[number % len(sources)].name} {destination.name}`")
        return found

    def broad_pairs(self):
        """To every DCM and to every ROS from the other pod."""
        found = []
        for kind, other in (("dcm", "ros"), ("ros", "dcm")):
            for number, end in enumerate(self.state.fabric.of_kind(kind)):
                sources = self._elsewhere(other, end)
                found.append((sources[number % len(sources)].name, end.name))
        return found

    def _elsewhere(self, kind, end):
        """Those in other pods."""
        return [e for e in self.state.fabric.of_kind(kind) if self._pod[e.switch] != self._pod[end.switch]]

    def _trace(self, source, destination):
        found = trace.trace(self.state, source, destination)
        if found["result"] != "delivered":
            return None
        out = {hop["switch"]: hop["out-ports"][0] for hop in found["hops"]}  # the last of a switch: after its daqring
        return PacketPath(source, destination, found["path"], [(s, out[s]) for s in found["path"][:-1]])

    # links

    def peer(self, link):
        return self.state.fabric.peers()[link]

    def declared(self, link):
        """The end that names the link in the configuration."""
        ends = (link, self.peer(link))
        return next((li.switch, li.port) for li in self.state.fabric.links if (li.switch, li.port) in ends)

    def links_of(self, switch):
        return {(li.switch, li.port) for li in self.state.fabric.links if switch in (li.switch, li.peer_switch)}

    # the controller

    def admin_state(self, kind, entry, wanted):
        self._controller.patch_fabric(NAME, {kind: [entry | {"admin-state": wanted}]})

    def wait_whole(self):
        """Everything is up, in service and confirmed."""
        self._wait("everything to be up and confirmed", lambda s, links: s["phase"] == "converged" and set(links.values()) == {"up"})

    def wait_whole_at_once(self):
        """The same, without waiting up to a minute for links that are held back after repeated failures."""
        self._wait("all links to be up", lambda s, links: set(links.values()) == {"up"})
        self._controller.rebalance(NAME)
        self.wait_whole()

    def wait_drained(self, wanted):
        self._wait("the drained links to be confirmed", lambda s, links: s["phase"] == "converged"
                   and {end for end, oper in links.items() if oper == "drained"} == wanted)

    def wait_for_link(self, link, oper):
        """The controller has noticed it and has repaired."""
        self._wait(f"{link[0]}:{link[1]} to be {oper}", lambda s, links: s["phase"] == "degraded" and links[self.declared(link)] == oper)

    def _wait_programmed(self, switch):
        """It has rules again; the state of the fabric may not show yet that it lost them."""
        node = self.state.nodes[switch]
        deadline = time.monotonic() + CONVERGE
        while True:
            with contextlib.suppress(LabError):  # while its bridge is made
                if int(RULES.search(ovs.ofctl(node, "dump-aggregate")).group(1)):
                    return
            if time.monotonic() > deadline:
                raise LabError(f"{switch} got no rules within {CONVERGE} s")
            time.sleep(0.05)  # polling interval

    def _wait(self, what, condition):
        def met(found):
            links = {(li["switch"], li["port"]): li["oper-state"] for li in found.get("link", [])}
            return bool(found) and bool(links) and condition(found, links)
        self._controller.wait(NAME, met, CONVERGE + HELD_BACK, f"waiting for {what}")

    @contextlib.contextmanager
    def controller_frozen(self):
        """Its process is stopped; its connections stay."""
        pid = self._controller_pid()
        processes.send(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            processes.send(pid, signal.SIGCONT)

    def stop_controller(self):
        self._call("stop")

    def kill_controller(self):
        pid = self._controller_pid()
        if processes.end([pid], "karaf"):
            raise LabError(f"the controller (process {pid}) is not gone after SIGKILL")

    def start_controller(self):
        self._call("start")

    def _controller_pid(self):
        found = re.search(r"running, pid (\d+)", self._call("status"))
        return int(found.group(1))

    def _call(self, command):
        done = subprocess.run([CONTROLLER, command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            raise LabError(f"scripts/controller {command}: {done.stdout.strip()[-500:]}")
        return done.stdout

    # restoring

    def restart(self, switch):
        """Its daemon runs again, unchanged, and has rules."""
        faults.restart(switch, False, NAME)
        self.run_first(self.state.nodes[switch])
        self._wait_programmed(switch)

    def run_first(self, node):
        """Otherwise the controller's computing on the same CPUs would count as an outage of the switches."""
        try:
            ovs.run_first(node)
        except PermissionError:
            if not self._warned:
                self.say("No right to real-time scheduling: the switches share the CPUs with all else, outages are longer")
            self._warned = True

    def recover(self):
        """Restores the initial state, whatever happened."""
        self.start_controller()
        for switch, node in self.state.nodes.items():
            if ovs.daemon_pid(node):
                faults.freeze(switch, False, NAME)
            else:
                faults.restart(switch, False, NAME)
        for link in self.state.fabric.links:
            faults.set_link(link.switch, link.port, True, NAME)
        self._controller.put_fabric(self._document)
        self.wait_whole()
        for node in (*self.state.nodes.values(), *state.load(limit.NAME).nodes.values()):
            self.run_first(node)


def numbers(bare, results, repetitions):
    """failover.json, from the result of the bare switch and all others; `lost` is the sum over all repetitions."""
    cases = []
    for r in results:
        if r.failed:
            cases.append({"name": r.name, "failed": r.failed})
        else:
            cases.append({"name": r.name, "outage_ms": _rounded(r.spread()), "lost": r.lost, "ratio": round(_ratio(r, bare), 2),
                          "target": r.target.text, "met": _met(r, bare)})
    limit_ms = _rounded(bare.spread()) if bare.samples else None
    return {"repetitions": repetitions, "limit_ms": limit_ms, "limit_lost": bare.lost, "cases": cases}


def table(bare, results):
    """In Markdown."""
    lines = ["| outage, ms | min | median | p99 | max | lost | x limit | target | |", "|---|---|---|---|---|---|---|---|---|"]
    if bare.samples:
        lines.append(_row(bare, "1", "", ""))
    for r in results:
        if r.failed:
            lines.append(f"| {r.name} | | | | | | | {r.target.text} | failed: {' '.join(r.failed.split())} |")
            continue
        open_ones = sum(s.is_open for s in r.samples)
        verdict = "met" if _met(r, bare) else "missed"
        verdict += f" ({open_ones} of {len(r.samples)} not over after {failover_cases.WATCHED:g} s)" if open_ones else ""
        verdict += " ({} rule and {} group messages)".format(*r.modifications) if any(r.modifications) else ""
        lines.append(_row(r, f"{_ratio(r, bare):.2f}", r.target.text, verdict))
    return "\n".join(lines)


def _met(result, bare):
    return not any(s.is_open for s in result.samples) and result.target.met(
        result.spread()["median"], bare.spread()["median"], result.lost, result.modifications)


def _ratio(result, bare):
    return result.spread()["median"] / bare.spread()["median"]


def _row(result, *rest):
    found = result.spread()
    return "| " + " | ".join([result.name, *(f"{found[k]:.1f}" for k in ("min", "median", "p99", "max")), str(result.lost), *rest]) + " |"


def _rounded(found):
    return {key: round(value, 3) for key, value in found.items()}
