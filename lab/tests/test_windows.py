"""Windows of event traffic, and the routes that carry what TCP of a host is told."""
import unittest
from unittest import mock

from .support import LAB  # noqa: F401  (puts the lab on the path)
from daqlab_lib import netns, profile
from daqlab_lib.errors import LabError
from daqlab_lib.events import Load, timers
from daqlab_lib.events.shared_window import SharedWindow


class SharedWindowTest(unittest.TestCase):

    def test_equal_parts(self):
        """Never more in all than there is."""
        window = SharedWindow(7)
        self.assertTrue(all(window.take(each, 3 - number) for number, each in enumerate("abc")))
        self.assertEqual([2, 2, 3], [window.part(each) for each in "abc"])

    def test_whoever_gets_no_whole_segment_waits_until_another_is_done(self):
        window = SharedWindow(2)
        self.assertEqual([True, True, False], [window.take(each, 3 - number) for number, each in enumerate("abc")])
        self.assertEqual(set(), window.grow())
        window.give_back("a")
        self.assertTrue(window.take("c", 1))

    def test_what_one_does_not_need_the_others_have(self):
        window = SharedWindow(9)
        for number, each in enumerate("abc"):
            window.take(each, 3 - number)
        window.give_back("b")
        self.assertEqual({"a", "c"}, window.grow())
        self.assertEqual([9, 0], [window.part("a") + window.part("c"), window.part("b")])
        self.assertLessEqual(abs(window.part("a") - window.part("c")), 1)

    def test_asked_again_a_connection_keeps_its_part(self):
        window = SharedWindow(4)
        window.take("a", 2)
        self.assertTrue(window.take("a", 1))
        self.assertEqual(2, window.part("a"))


class RoutesTest(unittest.TestCase):
    SHOWN = """default dev br-daq proto static scope link src 10.1.1.0 rto_min lock 20ms quickack 1 congctl cubic
10.2.1.0/31 dev br-daq scope link src 10.1.1.0 cwnd lock 2 congctl cubic
172.31.0.0/16 dev control proto kernel scope link src 172.31.1.3
"""

    def test_are_read_as_ip_takes_them(self):
        """Which does not take a lock of rto_min, though it shows one; the control network is left alone."""
        self.assertEqual(["default dev br-daq proto static scope link src 10.1.1.0 quickack 1 congctl cubic rto_min 20ms",
                          "10.2.1.0/31 dev br-daq scope link src 10.1.1.0 cwnd lock 2 congctl cubic"],
                         [" ".join(words) for words in timers.parsed(self.SHOWN)])

    def test_options(self):
        words = ["default", "dev", "a", "cwnd", "lock", "2", "rto_min", "20ms"]
        self.assertEqual("default dev a rto_min 20ms", " ".join(timers.with_option(words, "cwnd")))
        self.assertEqual("default dev a cwnd lock 2 rto_min 2000ms", " ".join(timers.with_option(words, "rto_min", "2000ms")))
        self.assertEqual("default dev a cwnd lock 2", " ".join(timers.with_option(words, "rto_min")))

    def test_of_a_profile(self):
        script = ["# routes: 1 prefixes", "ip route replace 10.1.1.0/31 dev br-daq src 10.2.1.1 rto_min 20ms congctl cubic cwnd lock 2"]
        self.assertEqual({"rto_min": "20ms", "congctl": "cubic", "cwnd": "2"}, profile.route_options(script))


class LoadTest(unittest.TestCase):

    def test_what_cannot_be_is_said_before_anything_starts(self):
        for wrong, words in ((dict(gwnd=10, window=2), "use one"), (dict(cwnd=-1), "--cwnd"), (dict(gwnd=-1), "--gwnd")):
            with self.subTest(wrong), self.assertRaisesRegex(LabError, words):
                Load(**wrong).check()

    def test_congestion_control_that_this_kernel_has_not(self):
        with mock.patch.object(netns, "read_sysctl", return_value="reno bbr cubic"):
            with self.assertRaisesRegex(LabError, "--congestion dctcp: this kernel has reno, bbr, cubic"):
                Load(congestion="dctcp").check()
            Load(congestion="cubic").check()


if __name__ == "__main__":
    unittest.main()
