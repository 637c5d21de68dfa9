"""Event traffic on a small fabric with slow links."""
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
from collections import Counter

from . import static_controller
from .support import LAB, daqlab, daqlab_json, eventually, measured, needs_root
from .test_root import write
from daqlab_lib import events, generate, netns
from daqlab_lib.errors import LabError

NAME = "dqevents"
SIZE = generate.Size(NAME, planes=2, spines=1, pods=2, ros=2, racks=1, dcms=1, capacity=10, prefix="e-", address_base="10.81")
SLOW = 4  # Mbit/s, what a busy machine carries, too


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

    @measured
    def test_deep_buffers(self):
        """Nothing is lost, and it is as fast as the links allow. Also: Open vSwitch has not removed the limits."""
        daqlab("capacity", NAME, "--rate", SLOW, "--buffer", 4000)
        found = self.run_events("--dcms", "e-h1-1d1", "e-h2-1d1", "--ros", "e-r1-1", "e-r2-1")
        self.assertEqual((2, 2, []), (found["ros"], found["dcms"], found["unfinished"]))
        whole = found["total"]
        self.assertLessEqual(whole["goodput-ratio"], 1.05)  # some events began before
        self.assertGreaterEqual(whole["goodput-ratio"], 0.6)  # the rest: make test-long and make bench
        self.assertEqual((0, 0), (whole["timeouts"], whole["queue-drops"]))
        self.assertEqual(whole["events"], sum(n for _, n in found["histogram"]))

    @measured
    def test_shallow_buffers(self):
        """Incast: four ROS answer at once, packets are dropped and TCP waits for its timer, Linux's own of 200 ms."""
        daqlab("capacity", NAME, "--rate", 20, "--buffer", 8)
        found = self.run_events("--size", 30000, "--duration", 6)
        self.assertGreater(found["total"]["queue-drops"], 0)
        self.assertGreater(found["total"]["retransmits"], 0)
        self.assertGreater(found["total"]["timeouts"], 0)
        self.assertGreater(found["total"]["latency"]["max"], 200)
        self.assertNotEqual({}, found["drops"])

    @measured
    def test_window_keeps_within_the_buffer(self):
        """Four connections with two segments each and a request fit into 20 packets; never more than that is in flight."""
        daqlab("capacity", NAME, "--rate", SLOW, "--buffer", 20)
        found = self.run_events("--window", 2)
        self.assertEqual((0, 0), (found["total"]["queue-drops"], found["total"]["timeouts"]))
        self.assertGreater(found["total"]["goodput-ratio"], 0.3)

    @measured
    def test_locked_congestion_window_keeps_within_the_buffer(self):
        """As above, by the routes of the ROS; also for the first connections, which Linux by itself would not lock."""
        daqlab("capacity", NAME, "--rate", SLOW, "--buffer", 20)
        found = self.run_events("--cwnd", 2, "--size", 30000)
        self.assertEqual((0, 0), (found["total"]["queue-drops"], found["total"]["timeouts"]))
        self.assertEqual(0, found["lost"])
        self.assertGreater(found["total"]["goodput-ratio"], 0.2)
        with netns.inside("dq-dqevents.e-r1-1"):
            routes = subprocess.run(["ip", "route"], text=True, capture_output=True, check=True).stdout
        self.assertNotIn("cwnd", routes)

    @measured
    def test_shared_window_keeps_within_the_buffer(self):
        """Two DCMs, with twelve segments each: never more than that is in flight, whoever sends, and in the first event too."""
        daqlab("capacity", NAME, "--rate", SLOW, "--buffer", 30)
        for segments in (3, 12):
            found = self.run_events("--gwnd", segments, "--size", 30000)
            self.assertEqual((0, 0, 0), (found["total"]["queue-drops"], found["total"]["timeouts"], found["lost"]), segments)
            self.assertGreater(found["total"]["goodput-ratio"], 0.2, segments)

    def test_farm_far_away(self):
        """Round trips are longer by what was asked, of one rack or all; nothing is lost."""
        self.addCleanup(daqlab, "delay", NAME, "--off")
        self.assertIn("no HLT rack's switch e-r1-1", daqlab("delay", NAME, "--rtt", 20, "--racks", "e-r1-1", code=2))
        self.assertIn("20 ms longer round trips to e-h1-1, e-h2-1", daqlab("delay", NAME, "--rtt", 20))
        found = daqlab_json("ping", NAME, "--count", 5, "--interval", 0.2)
        self.assertEqual({"expected": 8, "forward": 8, "reverse": 8}, found["pairs"])
        self.assertGreaterEqual(found["rtt"]["min"], 20)
        self.assertIn("to e-h1-1\n", daqlab("delay", NAME, "--rtt", 30, "--racks", "e-h1-1"))
        self.assertEqual("dqevents: no rack is far away\n", daqlab("delay", NAME, "--off"))

    @measured
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

    @measured
    def test_dcms_follow_a_schedule(self):
        """In step, so every DCM has as many events; one of another generation is followed from the next round on."""
        asked = []

        class Controller:
            """Answers as rpc schedule: two ROS and two DCMs that take turns."""
            generation = "1"

            def state(self, _name):
                return {"generation": self.generation}

            def rpc(self, *question):
                asked.append(question)
                pairs = ("e-h1-1d1 e-h2-1d1 - -", "e-h2-1d1 e-h1-1d1 - -", "- - e-h1-1d1 e-h2-1d1", "- - e-h2-1d1 e-h1-1d1")
                return {"generation": self.generation, "ros": [{"name": f"e-r{pod}-{number}", "dcms": dcms} for (pod, number), dcms in
                                                               zip(((1, 1), (1, 2), (2, 1), (2, 2)), pairs, strict=True)]}

        controller = Controller()
        with tempfile.NamedTemporaryFile("r") as log, \
                events.start(NAME, events.Load(size=2000), log=log.name, schedule_of=controller) as traffic:
            traffic.follow(0.5)
            controller.generation = "2"
            traffic.follow(1.0)
            found = traffic.stop()
            built = Counter(json.loads(line)["dcm"] for line in log)
        self.assertEqual([("daqfabric-operations", "schedule", {"fabric": NAME})] * 2, asked)
        self.assertGreater(found.total.events, 10)
        self.assertEqual(built["e-h1-1d1"], built["e-h2-1d1"])
        self.assertEqual([], found.unfinished)
        self.assertEqual({}, found.drops)
        with self.assertRaisesRegex(LabError, "--schedule, --rate"):
            events.start(NAME, events.Load(rate=5.0), schedule_of=controller)

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
            return subprocess.run(["pgrep", "-g", str(run.pid)], text=True, capture_output=True, check=False).stdout.split()

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
            return subprocess.run(["pgrep", "-g", str(run.pid), "-f", "events-"],
                                  text=True, capture_output=True, check=False).stdout.split()

        eventually(lambda: len(left()) == 2, "the emulators run", 10)
        run.send_signal(signal.SIGKILL)
        run.wait()
        eventually(lambda: left() == [], "the emulators end")


@needs_root
class NotReadyTest(unittest.TestCase):

    def test_says_what_is_missing(self):
        self.assertIn("not up", daqlab("events", "nothing", code=2))


if __name__ == "__main__":
    unittest.main()
