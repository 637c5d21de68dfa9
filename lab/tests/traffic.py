"""
Event traffic on a small fabric with slow links. Run alone (python3 -m unittest lab.tests.traffic): what else the machine
does would be measured too.
"""
import os
import signal
import subprocess
import tempfile
import time
import unittest

from .support import LAB, daqlab, daqlab_json, eventually, needs_root
from .test_root import write
from . import static_controller
from daqlab_lib import events, generate

NAME = "dqevents"
SIZE = generate.Size(NAME, planes=2, spines=1, pods=2, ros=2, racks=1, dcms=1, capacity=10, prefix="e-", address_base="10.81")


@needs_root
class TrafficTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.addClassCleanup(daqlab, "down", NAME)
        daqlab("up", write(folder.name, generate.generate(SIZE)), "--rate", 20, "--buffer", 4000)
        static_controller.program_all(NAME)
        eventually(lambda: daqlab_json("ping", NAME, "--timeout", "0.3", code=None)["pairs"]["reverse"] == 8, "all pairs answer")

    def run_events(self, *arguments):
        return daqlab_json("events", NAME, "--duration", 3, *arguments)

    def test_deep_buffers(self):
        """Nothing is lost, and it is as fast as the links allow. Also: Open vSwitch has not removed the limits."""
        daqlab("capacity", NAME, "--rate", 20, "--buffer", 4000)
        found = self.run_events("--dcms", "e-h1-1d1", "e-h2-1d1", "--ros", "e-r1-1", "e-r2-1")
        self.assertEqual((2, 2, []), (found["ros"], found["dcms"], found["unfinished"]))
        whole = found["total"]
        self.assertLessEqual(whole["goodput-ratio"], 1.05)  # some events began before
        self.assertGreaterEqual(whole["goodput-ratio"], 0.8)
        self.assertEqual((0, 0), (whole["timeouts"], whole["queue-drops"]))
        self.assertEqual(whole["events"], sum(n for _, n in found["histogram"]))

    def test_shallow_buffers(self):
        """Incast: four ROS answer at once, packets are dropped and TCP waits for its timer, Linux's own of 200 ms."""
        daqlab("capacity", NAME, "--rate", 20, "--buffer", 8)
        found = self.run_events("--size", 30000, "--duration", 6)
        self.assertGreater(found["total"]["queue-drops"], 0)
        self.assertGreater(found["total"]["retransmits"], 0)
        self.assertGreater(found["total"]["timeouts"], 0)
        self.assertGreater(found["total"]["latency"]["max"], 200)
        self.assertNotEqual({}, found["drops"])

    def test_window_keeps_within_the_buffer(self):
        """Four connections with two segments each and a request fit into 20 packets; never more than that is under way."""
        daqlab("capacity", NAME, "--rate", 20, "--buffer", 20)
        found = self.run_events("--window", 2)
        self.assertEqual((0, 0), (found["total"]["queue-drops"], found["total"]["timeouts"]))
        self.assertGreater(found["total"]["goodput-ratio"], 0.5)

    def test_supervisor_credits_and_two_stages(self):
        """At a rate far below what the links carry every event is collected; rejected ones have half the data."""
        daqlab("capacity", NAME, "--rate", 20, "--buffer", 1000)
        found = self.run_events("--rate", 30, "--fragments", 4, "--size", 1000, "--credits", 3, "--l2", 0.5, "--accept", 0.5)
        whole = found["total"]
        self.assertAlmostEqual(30, whole["event-rate"], delta=3)
        self.assertEqual((0, []), (found["refused"], found["unfinished"]))
        self.assertTrue(0 < whole["rejected"] < whole["events"])
        size = (whole["events"] - whole["rejected"] / 2) * 4 * 4000
        self.assertAlmostEqual(size * 8 / whole["duration"] / 1e6, whole["goodput"], delta=0.01)

    def test_phases_split_at_marks(self):
        """As others use it, while they break things."""
        daqlab("capacity", NAME, "--rate", 20, "--buffer", 4000)
        with tempfile.NamedTemporaryFile("r") as log, events.start(NAME, events.Load(size=10000), warm_up=0.5, log=log.name) as traffic:
            time.sleep(0.5)
            cut = traffic.mark("after")
            time.sleep(0.5)
            found = traffic.stop()
            logged = log.read().splitlines()
        self.assertEqual(["run", "after"], [p.name for p in found.phases])
        self.assertAlmostEqual(cut, found.phases[1].begin, places=3)
        self.assertEqual(found.total.events, sum(p.events for p in found.phases))
        self.assertGreaterEqual(len(logged), found.total.events)

    def test_interrupted_run_reports(self):
        """Ctrl-C goes to all its processes; nothing of it is left."""
        run = subprocess.Popen([LAB / "daqlab", "events", NAME, "--duration", "60", "--json"], text=True, stdout=subprocess.PIPE,
                               start_new_session=True)

        def emulators():
            return subprocess.run(["pgrep", "-g", str(run.pid)], text=True, capture_output=True).stdout.split()

        eventually(lambda: len(emulators()) == 3, "the emulators run", 10)
        time.sleep(3)  # it has begun to measure
        os.killpg(run.pid, signal.SIGINT)
        out, _ = run.communicate(timeout=20)
        self.assertEqual(0, run.returncode)
        self.assertIn('"total"', out)
        self.assertEqual([], emulators())

    def test_killed_caller_takes_the_emulators_along(self):
        run = subprocess.Popen([LAB / "daqlab", "events", NAME, "--duration", "60"], start_new_session=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def left():
            return subprocess.run(["pgrep", "-g", str(run.pid), "-f", "events-"], text=True, capture_output=True).stdout.split()

        eventually(lambda: len(left()) == 2, "the emulators run", 10)
        run.send_signal(signal.SIGKILL)
        run.wait()
        eventually(lambda: left() == [], "the emulators end")


if __name__ == "__main__":
    unittest.main()
