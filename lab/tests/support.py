"""Makes the lab importable and its commands callable from the tests, and cleans up after tests that are interrupted."""
import atexit
import functools
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

LAB = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(LAB))


def _clean_up(case=unittest.TestCase):
    """Runs what is left of class cleanups: unittest does not, after Ctrl-C."""
    for each in case.__subclasses__():
        each.doClassCleanups()
        _clean_up(each)


atexit.register(_clean_up)
signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends the tests as Ctrl-C does

needs_root = unittest.skipUnless(os.geteuid() == 0 and shutil.which("ovs-vswitchd"), "needs root and Open vSwitch")


def daqlab(*arguments, code=0):
    """Run a command of the lab; returns its output."""
    done = subprocess.run([LAB / "daqlab", *map(str, arguments)], text=True, capture_output=True, check=False)
    if code is not None and done.returncode != code:
        raise AssertionError(f"daqlab {' '.join(map(str, arguments))}: exit code {done.returncode}, expected {code}\n"
                             f"{done.stdout}{done.stderr}")
    return done.stdout + (done.stderr if code else "")


def daqlab_json(*arguments, code=0):
    return json.loads(daqlab(*arguments, "--json", code=code))


TRIES = 8


def measured(test):
    """A test of rates and times, or a step of one: right if one of so many tries passes, as others take processors at times.

    What failed is printed, and each try has what setUp makes anew: packets of the last one may still wait in queues.
    Nothing in it may be in a subTest, which would keep failures to itself."""
    @functools.wraps(test)
    def tried(self, *arguments):
        for left in range(TRIES, 0, -1):
            try:
                return test(self, *arguments)
            except AssertionError as failed:
                if left == 1:
                    raise
                print(f"{self.id()}, measured again: {failed}", file=sys.stderr)
            self.doCleanups()
            self.setUp()
        return None
    return tried


def eventually(condition, what, seconds=20):
    """Wait for a condition, by looking again and again."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.02)
