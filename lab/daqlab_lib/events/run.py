"""Runs the emulators while the caller does other things."""
import contextlib
import itertools
import json
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

from .. import capacity, netns, state
from ..errors import LabError
from . import arrival, bandwidth, child, ecn, goodput, lock, machine, paths, report, rings, statistics, tcp, timers
from .load import Load

EXECUTABLE = Path(__file__).resolve().parents[2] / "daqlab"
WARM_UP = 1.0   # seconds
FOLLOW = 0.2    # seconds between two questions whether the paths have changed
ANSWER = 20.0   # seconds an emulator may take to answer
DRAIN = 2.0     # seconds to wait at the end for incomplete events
DEFAULT = Load()


def start(fabric, load=DEFAULT, warm_up=WARM_UP, log=None, schedule_of=None):
    """Event traffic on a fabric that is up and programmed; returns when it has run for `warm_up` seconds.

    log: a file that gets a line of JSON for each event when it is complete. schedule_of: a Restconf whose rpc schedule the DCMs
    follow. See the package for how to use the result.
    """
    load.check()
    if schedule_of:
        load.check_schedulable()
    traffic = Traffic(state.load_up(fabric)[0], load, log, schedule_of)
    try:
        traffic._start(warm_up)
    except BaseException:
        traffic.close()
        raise
    return traffic


class Traffic:
    """Runs until `stop`; as a context manager it always ends."""

    def __init__(self, current, load, log, schedule_of=None):
        self._current, self._load, self._log = current, load, log
        self._schedule_of, self._generation = schedule_of, None
        self._limits = capacity.load(current)
        self._ros, self._dcms = load.of(current.fabric, "ros"), load.of(current.fabric, "dcm")
        self._children, self._moments = [], []
        self._routes, self._sysctls = [], {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def follow(self, patience):
        """Lets that many seconds pass; DCMs that follow a schedule get a new one when the paths have changed."""
        end = time.monotonic() + patience
        while (left := end - time.monotonic()) > 0:
            if self._schedule_of and self._schedule_of.state(self._current.name).get("generation") != self._generation:
                self._children[1].ask("schedule " + json.dumps(self._schedule()))
            time.sleep(min(left, FOLLOW))  # polling interval

    def _schedule(self):
        """ROS -> the DCM it sends to in each phase."""
        found = self._schedule_of.rpc("daqfabric-operations", "schedule", {"fabric": self._current.name})
        self._generation = found["generation"]
        return {each["name"]: each["dcms"].split() for each in found.get("ros", []) if each["dcms"]}

    def mark(self, name):
        """A phase ends here and one of this name begins; returns the Unix time of it."""
        at = time.time()
        counts = [each.ask("count") for each in self._children]
        timeouts = [c["timeouts"] for c in counts]
        self._timeouts_known = None not in timeouts
        self._moments.append(report.Moment(name, at, sum(c["retransmits"] for c in counts),
                                           sum(timeouts) if self._timeouts_known else self._timeouts_of_namespaces(),
                                           machine.sample(self._current, [each.pid for each in self._children])))
        return at

    def stop(self):
        """Ends the traffic; returns the report."""
        self.mark("end")
        collection = self._children[1]
        deadline = time.monotonic() + DRAIN
        while collection.ask("finish")["incomplete"] and time.monotonic() < deadline:
            time.sleep(0.05)  # polling interval
        found = collection.ask("events")
        self.close()
        return self._report(found, arrival.lost(self._current, self._sent))

    def close(self):
        """Ends the traffic without a report; idempotent."""
        for each in reversed(self._children):
            each.end()
        timers.restore(self._routes)
        if self._load.cwnd:
            lock.forget(self._current, self._ros)
        ecn.restore(self._sysctls)
        self._routes, self._sysctls = [], {}

    def _start(self, warm_up):
        self._bandwidth = self._find_bandwidth()
        self._sent = arrival.counted(self._current)
        slow = self._load.rto_min or self._limits or rings.rates(self._current)
        if slow or self._load.cwnd:
            self._routes = timers.change(self._current, self._load.rto_min if slow else None, self._load.cwnd)
        if self._load.cwnd:
            lock.learn(self._current, self._ros, self._dcms)
        if self._load.ecn:
            self._sysctls = ecn.allow(self._current)
        self._children.append(_Child(child.ROS, self._config()))
        self._children.append(_Child(child.DCMS, self._config() | {
            "log": self._log and str(Path(self._log).absolute()), "schedule": self._schedule() if self._schedule_of else None}))
        self._children[1].ask("go")
        time.sleep(warm_up)
        self.mark("run")

    def _config(self):
        return {"fabric": self._current.name, "load": asdict(self._load)}

    def _find_bandwidth(self):
        if self._limits is None:
            return None
        rates = capacity.rates_of(self._current.fabric, self._limits.rate) | rings.rates(self._current)
        return bandwidth.of(paths.find(self._current, self._ros, self._dcms), rates)

    def _timeouts_of_namespaces(self):
        found = 0
        for namespace in {self._current.namespace_of(end) for end in self._ros + self._dcms}:
            with netns.inside(namespace):
                found += tcp.timeouts_of_namespace()
        return found

    def _report(self, found, lost):
        moments, events, links = self._moments, found["events"], self._bandwidth
        per_ros = self._load.fragments * self._load.size
        theoretical = links and round(links.total * goodput.efficiency(per_ros, self._current.mtu, self._ros[0].family), 3)
        whole = report.phase("total", moments[0], moments[-1], events, theoretical)
        return report.Report(
            self._current.name, len(self._ros), len(self._dcms), asdict(self._load),
            self._limits and self._limits.rate, self._limits and self._limits.buffer, links and links.total, links and links.bottleneck,
            theoretical, whole, [report.phase(a.name, a, b, events, theoretical) for a, b in itertools.pairwise(moments)],
            statistics.histogram([e[1] for e in events if moments[0].at <= e[0] < moments[-1].at]),
            report.dropped(moments[0], moments[-1]),
            "TCP_INFO" if self._timeouts_known else "TcpExt TCPTimeouts of the namespaces, as this kernel's TCP_INFO has no count",
            found["refused"], found["unfinished"], lost, report.limited_by(whole))


class _Child:
    """An emulator process; see child.py."""

    def __init__(self, kind, config):
        self._process = subprocess.Popen([sys.executable, str(EXECUTABLE), kind], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = self._process.pid
        try:
            self._send(json.dumps(config))
            self._receive()
        except BaseException:
            self.end()
            raise

    def ask(self, what):
        self._send(what)
        return self._receive()

    def end(self):
        if self._process.poll() is None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
            try:
                self._process.wait(ANSWER)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process.stdout.close()

    def _send(self, line):
        try:
            print(line, file=self._process.stdin, flush=True)
        except OSError:  # it has ended: it said why
            pass

    def _receive(self):
        line = self._process.stdout.readline()
        answer = json.loads(line) if line else {"error": f"the event traffic ended by itself (process {self.pid}): was its time up?"}
        if "error" in answer:
            raise LabError(answer["error"])
        return answer
