"""The probe in a process of its own, beside what breaks things: sendings stay even while this process is busy."""
import json
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from .errors import LabError

EXECUTABLE = Path(__file__).resolve().parent.parent / "daqlab"
END = 30  # seconds a probe may take to report


@dataclass(frozen=True)
class Sample:
    """What the pairs of one probe saw."""
    outage: float   # ms, of the pair with the longest
    lost: int       # packets, of all pairs
    is_open: bool   # some pair still got nothing at the end: the outage is longer than that


class Probing:
    """Probes the pairs [(source, destination)] of names from `with` until `end`."""

    def __init__(self, fabric, pairs, rate):
        names = [name for pair in pairs for name in pair]
        self._command = [sys.executable, str(EXECUTABLE), "probe", "--json", "--fabric", fabric, "--rate", str(rate), *names]

    def __enter__(self):
        self._process = subprocess.Popen(self._command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        first = self._process.stderr.readline()
        if first != "probing\n":
            self.__exit__()
            raise LabError(f"the probe did not start: {first.strip()}")
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.communicate()

    def end(self, since):
        """Ends it; what it saw after a moment (Unix time), packets lost before that included."""
        self._process.send_signal(signal.SIGTERM)
        out, errors = self._process.communicate(timeout=END)
        if not out:
            raise LabError(f"the probe did not report: {errors.strip()}")
        return sample(json.loads(out), since)


def sample(report, since):
    """Outages that were over before the moment do not count."""
    outages = [o["ms"] for p in report["pairs"] for o in p["outages"] if o["at"] + o["ms"] / 1e3 > since]
    return Sample(max(outages, default=0.0), report["lost"], any(p["open"] for p in report["pairs"]))
