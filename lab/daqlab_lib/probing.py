"""The probe in a separate process: it sends evenly while this process, which breaks things, is busy."""
import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from .errors import LabError

EXECUTABLE = Path(__file__).resolve().parent.parent / "daqlab"
END = 30  # seconds a probe may take to report
BEFORE, AFTER = 0.3, 0.5  # seconds of packets before anything happens, and after it is done
BEGINS = 0.01  # seconds after a failure within which a switch notices


@dataclass(frozen=True)
class Sample:
    """What the pairs of one probe saw."""
    outage: float   # ms, of the pair with the longest
    lost: int       # packets, of all pairs
    is_open: bool   # some pair received nothing at the end: its outage lasts longer


class Probing:
    """Probes the pairs [(source, destination)] of names from `with` until `end`."""

    def __init__(self, fabric, pairs, rate):
        names = [name for pair in pairs for name in pair]
        self._command = [sys.executable, str(EXECUTABLE), "probe", "--json", "--fabric", fabric, "--rate", str(rate), *names]

    def __enter__(self):
        self._process = subprocess.Popen(self._command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with contextlib.suppress(PermissionError):
            os.sched_setscheduler(self._process.pid, os.SCHED_FIFO, os.sched_param(2))  # sends evenly: see ovs.run_first
        first = self._process.stderr.readline()
        if first != "probing\n":
            self.__exit__()
            raise LabError(f"the probe did not start: {first.strip()}")
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.communicate()

    def end(self, since, until=math.inf):
        """Ends it; returns what it saw since a moment (Unix time): see `sample`."""
        self._process.send_signal(signal.SIGTERM)
        out, errors = self._process.communicate(timeout=END)
        if not out:
            raise LabError(f"the probe did not report: {errors.strip()}")
        return sample(json.loads(out), since, until)


def sample(report, since, until):
    """The longest outage that was not over before `since`; if it began after `until` only with packets missing.

    All losses count, whenever they were.
    """
    outages = [o["ms"] for p in report["pairs"] for o in p["outages"]
               if o["at"] + o["ms"] / 1e3 > since and (o["missing"] or o["at"] <= until)]
    return Sample(max(outages, default=0.0), report["lost"], any(p["open"] for p in report["pairs"]))


def failure(fabric, pairs, rate, fail, watched):
    """What the pairs see of a failure, seconds watched.

    Delayed packets count only if the delay began with the failure: later the machine may be busy with the repair.
    """
    with Probing(fabric, pairs, rate) as probing:
        time.sleep(BEFORE)
        since = time.time()
        fail()
        until = time.time() + BEGINS
        time.sleep(watched)
        return probing.end(since, until)


def change(fabric, pairs, rate, make):
    """What the pairs see while something is changed or restored; `make` returns when that is complete."""
    with Probing(fabric, pairs, rate) as probing:
        time.sleep(BEFORE)
        since = time.time()
        make()
        time.sleep(AFTER)
        return probing.end(since)
