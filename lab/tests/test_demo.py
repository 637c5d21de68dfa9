"""What the demo says of event traffic."""
import types
import unittest

from .support import LAB  # noqa: F401  (puts the lab on the path)
from daqlab_lib.demo_traffic import Cut, Result, on_the_link


def phase(goodput_ratio=0.99, timeouts=0, ring_drops=0, queue_drops=0, machine_drops=0):
    return types.SimpleNamespace(**locals())


class ResultTest(unittest.TestCase):
    BAD = phase(0.4, 100, 0, 1000)

    def failures(self, before=None, during=None, after=None, cut=None):
        return Result(self.BAD, before or phase(), during or phase(), after or phase(), cut or Cut(2, 3)).failures()

    def test_stock_ports_may_be_bad_and_a_cut_may_lose_what_was_on_the_link(self):
        self.assertEqual([], self.failures(during=self.BAD))

    def test_packets_on_the_link(self):
        """15.4 ms each at 0.8 Mbit/s, in both directions, and two small ones with each."""
        self.assertEqual([6, 6, 12, 42], [on_the_link(seconds) for seconds in (0, 0.015, 0.016, 0.1)])

    def test_each_failure_is_named(self):
        for failures, said in ((self.failures(before=phase(0.909)), "goodput was 90.9% of the daqrings' limit"),
                               (self.failures(after=phase(timeouts=1)), "after the cut TCP timed out 1 times"),
                               (self.failures(before=phase(ring_drops=1, machine_drops=2)), "3 packets were dropped"),
                               (self.failures(cut=Cut(4, 3)), "the cut lost 4 packets, of which at most 3 were on the link")):
            self.assertEqual(1, len(failures))
            self.assertIn(said, failures[0])


if __name__ == "__main__":
    unittest.main()
