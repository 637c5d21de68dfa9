"""How full a daqring was, in a real ovs-vswitchd."""
import itertools
import json
import re
import time
import unittest

from .switch import frame
from .traffic import STOPPED, eventually, needs_root, send, traffic, with_sockets

setUpModule = needs_root


def expanded(values):
    """One value for each millisecond: "7*3 1" is 7, 7, 7, 1."""
    tokens = (token.partition("*") for token in values.split())
    return [int(value) for value, _, times in tokens for _ in range(int(times or 1))]


class History(unittest.TestCase):
    """How full a ring was in each millisecond, kept when it drops packets."""

    SLOW = {"max_burst": 1, "polling_interval": 1000, "credit": 0}  # a packet in each millisecond, or less

    def setUp(self):
        self.sut, self.far_in, self.far_out = with_sockets(self)

    def send(self, count):
        """Packets to ring 1."""
        send(self.sut, self.far_in, [frame(1, i) for i in range(count)])

    def status(self):
        """Without what Open vSwitch 3.5 itself says of every port."""
        row = json.loads(self.sut.vsctl("--format=json", "--columns=status", "list", "Interface", "ring1"))
        return {key: value for key, value in row["data"][0][0][1] if key.startswith("drop_")}

    def occupancy(self):
        """The values of `drop_occupancy`, one for each millisecond."""
        return expanded(self.status()["drop_occupancy"])

    def test_the_last_seconds(self):
        self.sut.rings(1, 2, **STOPPED)
        self.assertEqual("ring2: 0 of 4096 packets now, at most 0 so far, 0 dropped in 0 episodes\n",
                         self.sut.appctl("daqring/history", "ring2"))
        self.send(1)
        self.send(79)
        eventually(lambda: re.search(r"(?m)^ +-[1-9]\d+: (80|79|78)\b", self.sut.appctl("daqring/history")), "still so")
        text = self.sut.appctl("daqring/history")
        self.assertRegex(text, r"ring1: (80|79|78) of 4096 packets now, at most (80|79|78) so far, 0 dropped in 0 episodes\n")
        # empty but for the packet that may pass, then filled, in however many of the lines, each of 50 ms
        shown = expanded(" ".join(re.findall(r"(?m)^ +-\d+: (.*)$", text.partition("\nring2:")[0])))
        fill = next(i for i, value in enumerate(shown) if value > 2)
        self.assertEqual([], [value for value in shown[:fill] if value > 1], shown)
        self.assertEqual([], [pair for pair in itertools.pairwise(shown[fill:]) if pair[1] < pair[0] - 2], shown)
        self.assertIn(shown[-1], (80, 79, 78), shown)
        self.assertIn("\nring2:", text)
        self.assertEqual({}, self.status())
        with self.assertRaisesRegex(RuntimeError, "other: no daqring has this name"):
            self.sut.appctl("daqring/history", "other")

    def test_drops_are_held_back(self):
        """The first episode stays as it was while later ones are counted, until it is reset."""
        self.sut.rings(1, ring_size=100, **self.SLOW)
        before = time.time()
        self.send(200)
        after = time.time()
        eventually(lambda: "drop_episode" in self.status(), "told to the database")
        status = self.status()
        self.assertEqual("1", status["drop_episode"])
        self.assertLessEqual(int(before * 1000), int(status["drop_time"]))
        self.assertLessEqual(int(status["drop_time"]), int(after * 1000))
        self.assertEqual(str(self.sut.stats()["ring1"]["ring_dropped"]), status["drop_packets"])
        self.assertEqual(("100", "300"), (status["drop_peak"], status["drop_before"]))
        values = self.occupancy()
        self.assertEqual(601, len(values))
        self.assertEqual(100, values[300], "in the millisecond of the first drop")
        self.assertEqual([0] * 200, values[:200], "long before")
        falling = values[600 - values[::-1].index(100):]
        self.assertEqual(sorted(falling, reverse=True), falling, "it empties")
        self.assertLess(falling[-1], 50)

        self.another_episode()
        self.assertEqual(status, self.status())
        text = self.sut.appctl("daqring/history", "ring1")
        self.assertIn(f"held back: episode 1, {status['drop_packets']} packets dropped", text)
        self.assertRegex(text, r"(?m)^ +\+0: 100")

        self.sut.appctl("daqring/reset", "ring1")
        eventually(lambda: self.status() == {}, "reset")
        self.another_episode()
        self.assertIn("held back: episode 3, ", self.sut.appctl("daqring/history", "ring1"))

    def another_episode(self):
        before = self.sut.stats()["ring1"]["ring_drop_episodes"]
        time.sleep(1)  # less would belong to the last
        self.send(200)
        self.assertEqual(before + 1, self.sut.stats()["ring1"]["ring_drop_episodes"])

    def test_a_long_episode_is_told_when_it_begins_and_when_it_is_over(self):
        self.sut.rings(1, ring_size=100, **self.SLOW)
        with traffic(self.sut, {1: 3000}):
            eventually(lambda: "drop_packets" in self.status(), "told")
            so_far = int(self.status()["drop_packets"])
            eventually(lambda: self.sut.stats()["ring1"]["ring_dropped"] > 2 * so_far, "goes on")
        eventually(lambda: int(self.status()["drop_packets"]) == self.sut.stats()["ring1"]["ring_dropped"], "told again")
        self.assertEqual(1, self.sut.stats()["ring1"]["ring_drop_episodes"])


if __name__ == "__main__":
    unittest.main()
