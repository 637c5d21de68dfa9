"""What is computed of event traffic."""
import math
import socket
import struct
import unittest

from . import support  # noqa: F401  (makes the library importable)
from daqlab_lib import capacity, events, fabric, generate
from daqlab_lib.errors import LabError
from daqlab_lib.events import bandwidth, goodput, machine, report, rings, statistics, tcp, wire

SIZE = generate.Size("dqevents", planes=2, spines=1, pods=2, ros=2, racks=1, dcms=1, capacity=10, prefix="e-", address_base="10.81")


class RingsTest(unittest.TestCase):

    def test_drops_of_daqrings_only(self):
        shown = """netdev@ovs-netdev:
  port 1: ring-10.2.3.1 (daqring: max-burst=1, ring-size=11)
    RX packets:336 errors:? dropped:? overruns:? frame:?
    TX packets:336 errors:? dropped:217 aborted:? carrier:?
    collisions:?
  port 2: to-p1s1
    RX packets:56 errors:0 dropped:3 overruns:0 frame:0
    TX packets:56 errors:0 dropped:5 aborted:0 carrier:0
  port 3: ring-10.2.1.1 (daqring: max-burst=1, ring-size=11)
    RX packets:297 errors:? dropped:? overruns:? frame:?
    TX packets:297 errors:? dropped:206 aborted:? carrier:?
"""
        self.assertEqual(423, rings.dropped(shown))


class GoodputTest(unittest.TestCase):

    def test_cases_of_the_thesis(self):
        """Recomputed, see (A.12): goodput in Mbit/s, events per second."""
        for ros, size, rate, expected, hertz in ((200, 12 * 1000, 1e3, 943.84, 49.16), (147, 12 * 1100, 1e3, 943.40, 60.77),
                                                 (12, 24000, 10e3, 9471.9, None), (6, 128 * 1024, 10e3, 9490.8, None),
                                                 (6, 128 * 1024, 120e3, 113890, None)):
            found = rate * goodput.efficiency(size)
            self.assertAlmostEqual(expected, found, delta=expected / 1e5)
            if hertz:
                self.assertAlmostEqual(hertz, found * 1e6 / 8 / ros / size, delta=0.01)

    def test_short_last_frame_is_padded(self):
        """With 3 bytes in the last of two frames 3 are added."""
        self.assertEqual(1451 + 12 + 2 * 78 + 3, goodput.wire_bytes(1460 + 3 - 12))
        self.assertEqual(1448 + 12 + 78, goodput.wire_bytes(1448))
        self.assertEqual(1428 + 12 + 98, goodput.wire_bytes(1428, family=socket.AF_INET6))
        self.assertEqual(1429 + 12 + 2 * 98, goodput.wire_bytes(1429, family=socket.AF_INET6))  # the 1 byte needs no padding


class BandwidthTest(unittest.TestCase):

    def test_bottleneck_is_the_link_with_the_smallest_share(self):
        """Two ROS, two DCMs in one rack: both uplinks of the ROS and the rack's carry two flows, the spine's all four."""
        paths = {(r, d): [(r, "up"), ("leaf", "spine"), ("leaf", d)] for r in ("r1", "r2") for d in ("d1", "d2")}
        rates = {("r1", "up"): 10, ("r2", "up"): 10, ("leaf", "spine"): 10, ("leaf", "d1"): 10, ("leaf", "d2"): 10}
        self.assertEqual(bandwidth.Bandwidth(10, "leaf:spine"), bandwidth.of(paths, rates))
        self.assertEqual(bandwidth.Bandwidth(20, "leaf:d1"), bandwidth.of(paths, rates | {("leaf", "spine"): 40}))

    def test_daqring_may_be_the_bottleneck(self):
        paths = {("r", "d"): [("r", "up"), ("leaf", "ring-d"), ("leaf", "d")]}
        self.assertEqual("leaf:ring-d", bandwidth.of(paths, {("r", "up"): 10, ("leaf", "ring-d"): 9}).bottleneck)

    def test_nothing_limited(self):
        self.assertIsNone(bandwidth.of({("r", "d"): [("r", "up")]}, {}))

    def test_rates_follow_the_declared_capacities(self):
        document = generate.generate(SIZE)
        document["daqfabric:fabric"][0]["link"][0]["capacity"] = 40
        link = document["daqfabric:fabric"][0]["link"][0]
        rates = capacity.rates_of(fabric.parse(document)[0], 5)
        self.assertEqual({20.0, 5.0}, set(rates.values()))
        self.assertEqual((20, 20), (rates[link["switch"], link["port"]], rates[link["peer-switch"], link["peer-port"]]))


class StatisticsTest(unittest.TestCase):

    def test_latency(self):
        """Jitter is the standard deviation of all, not of a sample (A.3)."""
        found = statistics.latency([4.0, 2.0, 6.0, 8.0])
        self.assertEqual((5.0, round(math.sqrt(5), 3), 4.0, 8.0, 8.0, 8.0),
                         (found.mean, found.jitter, found.p50, found.p95, found.p99, found.max))
        self.assertIsNone(statistics.latency([]))

    def test_percentile_is_a_value_that_occurred(self):
        ordered = list(range(1, 101))
        self.assertEqual([50, 95, 99], [statistics.percentile(ordered, p) for p in (50, 95, 99)])

    def test_histogram(self):
        """Upper ends belong to their bin; empty bins between others are there."""
        self.assertEqual([[1.0, 2], [1.58, 0], [2.51, 1]], statistics.histogram([1.0, 0.9, 2.0]))
        self.assertEqual([], statistics.histogram([]))


class PhaseTest(unittest.TestCase):

    def test_events_belong_to_the_phase_they_end_in(self):
        """What counters grew by is the phase's; those of a restarted switch begin anew."""
        def moment(name, at, retransmits, timeouts, idle, drops):
            return report.Moment(name, at, retransmits, timeouts, machine.Sample(idle, at * 2, 0.0, 0.0, drops, 0, 0))

        before, cut = moment("before", 10.0, 5, 1, 3.0, {"a:b": 7, "c:d": 9}), moment("cut", 12.0, 9, 2, 5.0, {"a:b": 9, "c:d": 2})
        done = [[9.9, 1.0, 1000, True], [10.5, 20.0, 125000, True], [12.0, 900.0, 1000, True], [11.0, 30.0, 125000, False]]
        found = report.phase("before", before, cut, done, 2.0)
        self.assertEqual((2, 1, 1.0, 0.5, 30.0), (found.events, found.rejected, found.goodput, found.goodput_ratio, found.longest))
        self.assertEqual((4, 1, 2, 0.5), (found.retransmits, found.timeouts, found.queue_drops, found.idle))
        self.assertEqual({"a:b": 2}, report.dropped(before, cut))
        self.assertIn("the network", report.limited_by(found))

    def test_busy_machine_is_reported(self):
        """Unless it reached what the links allow."""
        idle = machine.Sample(0.0, 0.0, 0.0, 0.0, {}, 0, 0), machine.Sample(0.1, 4.0, 0.0, 0.0, {}, 0, 0)
        moments = [report.Moment("run", at, 0, 0, s) for at, s in zip((0.0, 2.0), idle)]
        for size, words in ((0, "the machine"), (230000, "the network, but only")):
            found = report.phase("run", *moments, [[1.0, 5.0, size, True]], 1.0)
            self.assertTrue(report.limited_by(found).startswith(words))


class LoadTest(unittest.TestCase):

    def test_what_cannot_be_is_said_before_anything_starts(self):
        for wrong, words in ((dict(window=1), "--window"), (dict(congestion="vegas"), "cubic, reno, bbr"), (dict(l2=2), "--l2"),
                             (dict(fragments=1000, size=1 << 20), "MiB per event"), (dict(rate=-1), "--rate")):
            with self.subTest(wrong), self.assertRaisesRegex(LabError, words):
                events.Load(**wrong).check()

    def test_unknown_dcm(self):
        with self.assertRaisesRegex(LabError, "no DCM nobody"):
            events.Load(dcms=("nobody",)).of(fabric.parse(generate.generate(SIZE))[0], "dcm")

    def test_header_has_the_bytes_that_are_reckoned_with(self):
        self.assertEqual(goodput.ROS_HEADER, wire.RESPONSE.size)
        self.assertEqual(12 + 3 * 1000, wire.response_size(3, 1000))


class OlderKernelTest(unittest.TestCase):

    def test_timeouts_are_unknown_where_the_kernel_does_not_tell(self):
        """TCP_INFO is shorter there; retransmissions are in it all the same."""
        class Handle:
            def __init__(self, size):
                self.info = bytearray(size)
                struct.pack_into("I", self.info, 100, 3)

            def getsockopt(self, *_):
                return bytes(self.info)

        old, new = Handle(232), Handle(248)
        struct.pack_into("H", new.info, 240, 2)
        self.assertEqual((6, 4), tcp.counters([new, new]))
        self.assertEqual((6, None), tcp.counters([new, old]))


if __name__ == "__main__":
    unittest.main()
