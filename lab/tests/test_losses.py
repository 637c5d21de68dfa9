"""Where and when requests were lost, without switches: paths are given."""
import datetime
import time
import unittest
from unittest import mock

from . import support  # noqa: F401  (makes the library importable)
from daqlab_lib import fabric, generate, losses, ping, state
from daqlab_lib.errors import LabError

FABRIC = fabric.parse(generate.generate(generate.Size("x", 2, 2, 2, 1, 2, 2, 10)))[0]
STATE = state.plan(FABRIC, dict.fromkeys(FABRIC.switches, "172.31.1.1"), [], 1500, "ovs-vswitchd", True)


def seconds(text):
    return datetime.datetime.fromisoformat(text).timestamp()


class LossesTest(unittest.TestCase):

    def setUp(self):
        self.pairs = ping.pairs_of(FABRIC)
        self.now = time.monotonic_ns()
        for pair in self.pairs:
            pair.sent = pair.received = 1

    def lose(self, source, destination, ago):
        """A request that was sent so many seconds ago."""
        pair = next(each for each in self.pairs if (each.source.name, each.destination.name) == (source, destination))
        pair.received = 0
        pair.waiting = {0: self.now - int(ago * 1e9)}

    def report(self, paths):
        """paths: what a trace finds from the first to the second; where it finds nothing there is no answer."""
        def trace(_, source, destination):
            if (source, destination) not in paths:
                raise LabError("frozen")
            path, _, detail = paths[source, destination].partition("; ")
            return {"path": path.split(), "result": "no-answer" if detail else "delivered", "detail": detail or None}
        with mock.patch.object(losses.trace, "trace", trace):
            return losses.report(STATE, self.pairs, losses.logs.dropped())

    def test_nothing_lost_needs_no_trace(self):
        with mock.patch.object(losses.trace, "trace", side_effect=AssertionError):
            found = losses.report(STATE, self.pairs, losses.logs.dropped())
        self.assertEqual(([], []), (found["lost-by-path"], found["lost-by-switch"]))
        self.assertEqual([], losses.text(found))

    def test_losses_are_grouped_by_path_and_switch_with_their_times(self):
        self.lose("r1-1", "h2-1d1", 5)
        self.lose("r1-1", "h2-1d2", 3)
        self.lose("h1-1d1", "r2-1", 9)
        found = self.report({("r1-1", "h2-1d1"): "r1-1 p1l1 p1s1 p1l2 h2-1", ("r1-1", "h2-1d2"): "r1-1 p1l1 p1s1 p1l2 h2-1"})
        first, second = found["lost-by-path"]
        self.assertEqual((["r1-1", "p1l1", "p1s1", "p1l2", "h2-1"], 2, 2), (first["path"], first["pairs"], first["lost"]))
        self.assertAlmostEqual(2, seconds(first["last-lost"]) - seconds(first["first-lost"]), delta=0.01)
        self.assertEqual((None, 1), (second["path"], second["lost"]))
        switches = {row["switch"]: (row["lost"], row["sent"]) for row in found["lost-by-switch"]}
        # the ROS sends to 8 DCMs, and each of them to it; of a spine it is not known what was sent over it
        self.assertEqual({"r1-1": (2, 16), "h2-1": (2, 8), "p1l1": (2, None), "p1s1": (2, None), "p1l2": (2, None),
                          "h1-1": (1, 8), "r2-1": (1, 16)}, switches)
        text = "\n".join(losses.text(found))
        self.assertIn("r1-1 p1l1 p1s1 p1l2 h2-1: 2 lost in 2 pairs", text)
        self.assertIn("not traced: 1 lost in 1 pairs", text)
        self.assertIn("h2-1: 2 of 8 lost", text)

    def test_a_trace_that_ends_early_says_why(self):
        self.lose("r1-1", "h2-1d1", 1)
        found = self.report({("r1-1", "h2-1d1"): "r1-1 p1l1; p1s1 does not answer"})
        self.assertEqual("no-answer: p1s1 does not answer", found["lost-by-path"][0]["trace"])
        self.assertIn("the trace: no-answer: p1s1 does not answer", "\n".join(losses.text(found)))

    def test_few_pairs_are_traced_and_of_all_destinations_before_second_ones(self):
        for pair in self.pairs:
            self.lose(pair.source.name, pair.destination.name, 1)
        chosen = losses.chosen(self.pairs)
        self.assertEqual(losses.TRACES, len(chosen))
        self.assertEqual({pair.destination.name for pair in self.pairs}, {pair.destination.name for pair in chosen})

    def test_no_trace_is_begun_when_time_is_over(self):
        self.lose("r1-1", "h2-1d1", 1)
        with mock.patch.object(losses, "PATIENCE", -1):
            found = self.report({("r1-1", "h2-1d1"): "r1-1 p1l1"})
        self.assertIsNone(found["lost-by-path"][0]["path"])

    def test_drops_of_the_kernel_are_those_since_the_ping_began(self):
        self.lose("r1-1", "h2-1d1", 1)
        with mock.patch.object(losses.logs, "dropped", side_effect=([5, 1028], [7, 1030])):
            found = self.report({})
        self.assertEqual(4, found["softnet-drops"])
        self.assertIn("dropped 4 packets", "\n".join(losses.text(found)))
        with mock.patch.object(losses.logs, "dropped", side_effect=([5], [])):
            self.assertIsNone(self.report({})["softnet-drops"])


if __name__ == "__main__":
    unittest.main()
