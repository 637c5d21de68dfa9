"""Daqrings in a real ovs-vswitchd, with packets that are counted one by one."""
import collections
import contextlib
import json
import multiprocessing
import os
import re
import time
import unittest

from . import switch
from .switch import Switch, frame, netns, receive

CFM = 0x8902  # EtherType
STOPPED = {"max_burst": 1, "polling_interval": 1000000}  # as good as: one packet a second
RANGES = {"ring-size": "1 to 1048576 packets", "max-burst": "1 to 65535 packets",
          "polling-interval": "0 to 1000000 microseconds", "credit": "0 to 1000000 microseconds",
          "ecn-threshold": "0 to 1048576 packets"}


def setUpModule():
    if os.geteuid() != 0:
        raise unittest.SkipTest("needs root")


def eventually(condition, what, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.02)


def _feed(sut, rates, size, stop):
    """Offer packets per second of each number until stopped."""
    os.nice(-10)
    due = dict.fromkeys(rates, time.monotonic())
    sequence = collections.Counter()
    with sut.socket("far-in0") as handle:
        while not stop.is_set():
            now = time.monotonic()
            for number, rate in rates.items():
                due[number] = max(due[number], now - 0.5)
                while due[number] <= now:
                    with contextlib.suppress(OSError):  # as a full queue: sent a little later
                        handle.send(frame(number, sequence[number], size))
                        sequence[number] += 1
                    due[number] += 1 / rate
            time.sleep(0.001)


@contextlib.contextmanager
def traffic(sut, rates, size=60):
    stop = multiprocessing.Event()
    process = multiprocessing.Process(target=_feed, args=(sut, rates, size, stop))
    process.start()
    try:
        yield
    finally:
        stop.set()
        process.join(10)
        process.kill()


def with_sockets(test, **options):
    """A switch, and sockets at the far ends of in0 and out0, until the end of the test."""
    sut = Switch(**options)
    test.addCleanup(sut.close)
    sockets = [sut.socket(end) for end in ("far-in0", "far-out0")]
    for each in sockets:
        test.addCleanup(each.close)
    return sut, *sockets


class Queueing(unittest.TestCase):
    """What goes in comes out, up to the size of the ring."""

    def setUp(self):
        self.sut, self.far_in, self.far_out = with_sockets(self)

    def send(self, number, sequences, size=60):
        for sequence in sequences:
            self.far_in.send(frame(number, sequence, size))

    def ring(self, name="ring1"):
        return self.sut.stats()[name]

    def test_forwards_in_order(self):
        self.sut.rings(1, ring_size=20000)
        self.send(1, range(10000), 1500)
        self.assertEqual([(1, i) for i in range(10000)], receive(self.far_out, 10000))

    def test_keeps_what_fits(self):
        """No packet is lost while there is room, however long it takes them to leave."""
        self.sut.rings(1, ring_size=1000, **STOPPED)
        self.send(1, range(1000))
        eventually(lambda: self.ring()["ring_enqueued"] == 1000, "all queued")
        self.assertEqual(0, self.ring()["ring_dropped"])
        self.sut.set("ring1", polling_interval=100)
        self.assertEqual([(1, i) for i in range(1000)], receive(self.far_out, 1000))

    def test_drops_what_does_not_fit_and_counts_it(self):
        self.sut.rings(1, ring_size=1000, **STOPPED)
        self.send(1, range(1700))
        eventually(lambda: self.ring()["ring_enqueued"] + self.ring()["ring_dropped"] == 1700, "all counted")
        now = self.ring()
        self.assertEqual(1000, now["ring_max_occupancy"])
        self.assertEqual(now["ring_enqueued"] - now["ring_dequeued"], now["ring_occupancy"])
        self.assertLessEqual(now["ring_enqueued"], 1000 + now["ring_dequeued"])
        self.assertGreaterEqual(now["ring_enqueued"], 1000)
        self.sut.set("ring1", polling_interval=0)
        received = receive(self.far_out, 1700)
        self.assertEqual(now["ring_enqueued"], len(received))
        self.assertEqual(sorted(received), received)
        self.assertEqual([(1, i) for i in range(1000)], received[:1000])

    def test_marks_from_the_threshold_on(self):
        """ECN's "congestion", in packets of senders that know ECN, and in no others."""
        self.sut.rings(1, ecn_threshold=10, **STOPPED)
        for i in range(30):
            self.far_in.send(frame(1, i, ecn=i % 3))  # 0: the sender does not know it, 1 and 2: it does
        eventually(lambda: self.ring()["ring_enqueued"] == 30, "all queued")
        before = 30 - self.ring()["ring_occupancy"]  # those that left a daqring that is never quite stopped
        marked = self.ring()["ring_marked"]
        self.sut.set("ring1", polling_interval=0)
        self.far_out.settimeout(3)
        for i in range(30):
            data = self.far_out.recv(2048)
            expected = {i % 3} if i < 10 else {i % 3, 3} if i < 10 + before and i % 3 else {3 if i % 3 else 0}
            self.assertIn(data[15] & 3, expected, i)
            self.assertEqual(0xFFFF, switch.checksum(data[14:34]), "the checksum of the header")
            marked -= data[15] & 3 == 3
        self.assertEqual(0, marked)

    def test_statistics_agree(self):
        """Those of rings, of ports, of OpenFlow and in the database."""
        self.sut.rings(1, ring_size=100, **STOPPED)
        self.send(1, range(150), 1000)
        eventually(lambda: self.ring()["ring_enqueued"] + self.ring()["ring_dropped"] == 150, "all counted")
        self.sut.set("ring1", polling_interval=0)
        eventually(lambda: self.ring()["ring_occupancy"] == 0, "drained")
        now = self.ring()
        self.assertEqual((now["ring_enqueued"], now["ring_dropped"], now["ring_dequeued"]),
                         (now["tx_pkts"], now["tx_drop"], now["rx_pkts"]))
        self.assertEqual((now["tx_pkts"] * 1000, now["tx_bytes"]), (now["tx_bytes"], now["rx_bytes"]))
        self.assertGreater(now["ring_throttled_polls"], 0)
        names = ["ring_enqueued", "ring_dequeued", "ring_dropped", "ring_occupancy", "ring_max_occupancy"]
        eventually(lambda: all(self.sut.vsctl("--if-exists", "get", "Interface", "ring1", f"statistics:{name}").strip()
                               == str(now[name]) for name in names), "in the database", 15)

    def test_a_smaller_ring_keeps_what_it_has(self):
        self.sut.rings(1, ring_size=4096, **STOPPED)
        self.send(1, range(2000))
        eventually(lambda: self.ring()["ring_enqueued"] == 2000, "all queued")
        self.sut.set("ring1", ring_size=100)
        self.send(1, range(2000, 2050))
        eventually(lambda: self.ring()["ring_dropped"] == 50, "new ones dropped")
        self.sut.set("ring1", polling_interval=10)
        self.assertEqual([(1, i) for i in range(2000)], receive(self.far_out, 2050))

    def test_options_change_under_load(self):
        """Each of them, again and again, with packets coming and going: none is lost, none overtakes another."""
        self.sut.rings(1, ring_size=100000)
        changes = [{"max_burst": 1, "polling_interval": 500}, {"ring_size": 200000}, {"credit": 0}, {"max_burst": 65535},
                   {"polling_interval": 0}, {"polling_interval": 20000, "max_burst": 300}, {"ring_size": 50000},
                   {"credit": 1000000}, {"polling_interval": 1, "max_burst": 1}, {"credit": 2000, "polling_interval": 100}]
        with traffic(self.sut, {1: 4000}):
            for change in changes * 5:
                self.sut.set("ring1", **change)
                time.sleep(0.02)
        self.sut.set("ring1", polling_interval=0, max_burst=32)
        sent = self.sut.counter("far-in0", "tx_packets")
        received = receive(self.far_out, sent)
        self.assertGreater(sent, 4000)
        self.assertEqual([(1, i) for i in range(sent)], received)
        self.assertEqual((0, 0), (self.ring()["ring_dropped"], self.ring()["ring_occupancy"]))

    def test_48_rings_share_the_egress(self):
        """Whatever is queued in each: while two have packets, neither gets more than a poll or two ahead."""
        rings = range(1, 49)
        self.sut.rings(*rings, **STOPPED)
        for number in rings:
            self.send(number, range(300 + 20 * number))
        total = sum(300 + 20 * number for number in rings)
        eventually(lambda: sum(s.get("ring_enqueued", 0) for s in self.sut.stats().values()) == total, "all queued")
        already = sum(s.get("ring_dequeued", 0) for s in self.sut.stats().values())
        receive(self.far_out, already)
        self.sut.vsctl(*(word for n in rings for word in ("--", "set", "Interface", f"ring{n}", "options:polling-interval=0",
                                                          "options:max-burst=32")))
        received = receive(self.far_out, total)
        left = {number: 300 + 20 * number for number in rings}
        got = collections.Counter()
        worst = 0
        for number, _ in received:
            got[number] += 1
            busy = [n for n in rings if got[n] + 32 < left[n] - 32]
            if len(busy) > 1:
                counts = [got[n] for n in busy]
                worst = max(worst, max(counts) - min(counts))
        self.assertLessEqual(worst, 64)


class Options(unittest.TestCase):
    """Refused values, and what an operator reads then."""

    @classmethod
    def setUpClass(cls):
        cls.sut = Switch()
        cls.addClassCleanup(cls.sut.close)
        cls.sut.vsctl("add-port", "br", "good", "--", "set", "Interface", "good", "type=daqring")

    def error(self, name, *options):
        self.sut.vsctl("--if-exists", "del-port", name, "--", "add-port", "br", name, "--", "set", "Interface", name,
                       "type=daqring", *(f"options:{option}" for option in options), check=False)
        return self.sut.vsctl("get", "Interface", name, "error").strip()

    def test_bad_values_are_refused_with_the_range(self):
        for option, accepted in RANGES.items():
            low, high = accepted.split()[0], accepted.split()[2]
            for bad in ("-1", str(int(low) - 1), str(int(high) + 1), "many", "12x", "1.5", "0x10", '""', "99999999999999999999"):
                with self.subTest(option=option, value=bad):
                    error = self.error("bad", f"{option}={bad}")
                    self.assertIn(f"{option} must be {accepted}", error)

    def test_limits_are_accepted(self):
        for option, accepted in RANGES.items():
            for value in (accepted.split()[0], accepted.split()[2]):
                with self.subTest(option=option, value=value):
                    self.assertEqual("[]", self.error("limit", f"{option}={value}"))

    def test_unknown_options_are_refused(self):
        error = self.error("bad", "ringsize=4")
        self.assertIn("ringsize", error)
        for option in RANGES:
            self.assertIn(option, error)

    def test_a_refused_port_comes_back_when_it_is_corrected(self):
        """As for every type of port, Open vSwitch takes a port away whose options are bad."""
        self.assertEqual("[]", self.error("fixed", "ring-size=10"))
        self.sut.vsctl("set", "Interface", "fixed", "ofport_request=77", "options:ring-size=0", check=False)
        self.assertIn("ring-size must be", self.sut.vsctl("get", "Interface", "fixed", "error"))
        self.sut.set("fixed", ring_size=20)
        self.assertEqual(["[]", "77"], self.sut.vsctl("get", "Interface", "fixed", "error", "ofport").split())

    def test_defaults(self):
        self.assertIn("daqring: credit=2000, ecn-threshold=0, max-burst=32, polling-interval=0, ring-size=4096",
                      self.sut.appctl("dpif/show"))


class Rates(unittest.TestCase):
    """Rate = max-burst / polling-interval."""

    def test_rates_are_exact(self):
        """Within 2 % over 10 s, while all of them are full."""
        sut = Switch(outs=4, first=True)
        self.addCleanup(sut.close)
        # Mbit/s of 1500 byte frames: max-burst, polling-interval
        wanted = {1: (10, 4, 4800), 2: (50, 8, 1920), 3: (50, 1, 240), 4: (200, 16, 960)}
        for number in wanted:
            sut.rings(number, out=f"out{number - 1}", ring_size=1000000, **STOPPED)
        # All that leaves in the time is queued before: what sends it would take CPU from what is measured.
        needed = {number: int(rate * 1e6 / 12000 * 12) for number, (rate, *_) in wanted.items()}
        with sut.socket("far-in0") as handle:
            for number, count in needed.items():
                self.fill(sut, handle, number, count)

        def read_counters():
            stats = sut.stats()
            for number in wanted:
                self.assertGreater(stats[f"ring{number}"]["ring_occupancy"], 0, "the ring ran empty: nothing to measure")
            return {number: (time.monotonic(), sut.counter(f"far-out{number - 1}")) for number in wanted}

        sut.vsctl(*(word for number, (_, burst, interval) in wanted.items()
                    for word in ("--", "set", "Interface", f"ring{number}", f"options:max-burst={burst}",
                                 f"options:polling-interval={interval}")))
        time.sleep(0.5)
        before = read_counters()
        time.sleep(10)
        after = read_counters()
        for number, (rate, burst, interval) in wanted.items():
            seconds = after[number][0] - before[number][0]
            measured = (after[number][1] - before[number][1]) * 8 / seconds / 1e6
            print(f"\n  {burst} packets per {interval} us: {measured:.2f} Mbit/s, wanted {rate} ({measured / rate - 1:+.2%})",
                  end="", flush=True)
            with self.subTest(rate=rate, burst=burst):
                self.assertAlmostEqual(1, measured / rate, delta=0.02)

    def fill(self, sut, handle, number, count):
        """Send until this many packets are queued; some are lost before when the switch does not get a CPU in time."""
        data, deadline, queued = frame(number, 0, 1500), time.monotonic() + 60, 0
        while queued < count:
            self.assertLess(time.monotonic(), deadline, f"ring{number} has {queued} of {count} packets after 60 s")
            for _ in range(count - queued):
                handle.send(data)
            before = None
            while queued != before:  # packets in flight arrive
                time.sleep(0.05)
                before, queued = queued, sut.stats()[f"ring{number}"]["ring_enqueued"]

    def test_nothing_is_saved_up_while_a_ring_is_empty(self):
        """After a pause the first packets leave as slowly as all others: one burst, then one per interval."""
        sut, far_in, far_out = with_sockets(self, first=True)
        sut.rings(1, max_burst=5, polling_interval=1000000, credit=1000000)
        for _ in range(2):
            for i in range(10):
                far_in.send(frame(1, i))
            self.assertEqual(5, len(receive(far_out, 10, 0.5)), "the first burst")
            self.assertEqual(5, len(receive(far_out, 5, 1.5)), "the second, one interval later")
            time.sleep(2.5)  # both intervals pass, and more


class History(unittest.TestCase):
    """How full a ring was in each millisecond, kept when it drops packets."""

    SLOW = {"max_burst": 1, "polling_interval": 1000, "credit": 0}  # a packet in each millisecond, or less

    def setUp(self):
        self.sut, self.far_in, self.far_out = with_sockets(self)

    def send(self, count):
        """Packets to ring 1; returns when it has counted them."""
        before = self.offered()
        for i in range(count):
            self.far_in.send(frame(1, i))
        eventually(lambda: self.offered() == before + count, "counted")

    def offered(self):
        ring = self.sut.stats()["ring1"]
        return ring["ring_enqueued"] + ring["ring_dropped"]

    def status(self):
        """Without what Open vSwitch 3.5 itself says of every port."""
        row = json.loads(self.sut.vsctl("--format=json", "--columns=status", "list", "Interface", "ring1"))
        return {key: value for key, value in row["data"][0][0][1] if key.startswith("drop_")}

    def occupancy(self):
        """The values of `drop_occupancy`, one for each millisecond."""
        tokens = (token.partition("*") for token in self.status()["drop_occupancy"].split())
        return [int(value) for value, _, times in tokens for _ in range(int(times or 1))]

    def test_the_last_seconds(self):
        self.sut.rings(1, 2, **STOPPED)
        self.assertEqual("ring2: 0 of 4096 packets now, at most 0 so far, 0 dropped in 0 episodes\n",
                         self.sut.appctl("daqring/history", "ring2"))
        self.send(1)
        self.send(79)
        eventually(lambda: re.search(r"(?m)^ +-[1-9]\d+: (80|79|78)\b", self.sut.appctl("daqring/history")), "still so")
        text = self.sut.appctl("daqring/history")
        self.assertRegex(text, r"ring1: (80|79|78) of 4096 packets now, at most (80|79|78) so far, 0 dropped in 0 episodes\n")
        self.assertRegex(text, r"(?m)^ +-\d+: 0\*\d+ .*\b(80|79|78)(\*\d+)?$")  # empty, then filled
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


class Senders(unittest.TestCase):
    """Packets that come another way than from a port the main thread polls."""

    def test_the_main_thread_wakes_when_another_sends(self):
        """Open vSwitch's monitor thread sends CFM messages, which a mirror sends to a ring."""
        sut = Switch()
        self.addCleanup(sut.close)
        sut.rings(1)
        sut.vsctl("set", "Interface", "out0", "cfm_mpid=1", "other_config:cfm_interval=100",
                  "--", "--id=@sent", "get", "Port", "out0", "--", "--id=@ring", "get", "Port", "ring1",
                  "--", "--id=@mirror", "create", "Mirror", "name=m", "select_dst_port=@sent", "output_port=@ring",
                  "--", "set", "Bridge", "br", "mirrors=@mirror")
        with sut.socket("far-out0", ethertype=CFM) as sent:
            sent.settimeout(5)
            for _ in range(30):  # asking the switch for its counters would wake it
                sent.recv(2048)
        ring = sut.stats()["ring1"]
        self.assertGreater(ring["ring_enqueued"], 20)
        self.assertEqual(1, ring["ring_max_occupancy"], "messages that waited together")

    def test_checksums_and_segments_are_made_by_the_last_port(self):
        """With userspace TSO a ring keeps what is still to be done with a packet."""
        sut = Switch(tso=True)
        self.addCleanup(sut.close)
        sut.rings(1)
        with sut.socket("far-in0", offloads=True) as far_in, sut.socket("far-out0") as far_out:
            far_out.settimeout(5)
            for payload in (100, 8000):
                with self.subTest(payload=payload):
                    far_in.send(switch.offloaded(1, payload))
                    received = 0
                    while received < payload:
                        received += len(far_out.recv(65535)) - switch.TCP_HEADERS
                    self.assertEqual(payload, received)


class PmdThreads(unittest.TestCase):
    """With a port that needs PMD threads, those poll the rings too; without, the main thread does again."""

    def test_rings_follow_the_datapath(self):
        sut, far_in, far_out = with_sockets(self, dummy=True)
        sut.rings(*range(1, 9), ring_size=50000)

        def check(pmd):
            eventually(lambda: ("ring1" in sut.appctl("dpif-netdev/pmd-rxq-show")) == pmd, "who polls")
            for i in range(3000):
                far_in.send(frame(1 + i % 8, i // 8))
            received = receive(far_out, 3000)
            for number in range(1, 9):
                self.assertEqual(list(range(375)), [i for n, i in received if n == number])

        check(pmd=False)
        for _ in range(2):
            # what is queued stays while the rings go from one thread to another
            sut.set("ring1", max_burst=1, polling_interval=1000000)
            for i in range(500):
                far_in.send(frame(1, i))
            eventually(lambda: sut.stats()["ring1"]["ring_occupancy"] >= 495, "queued")
            sut.vsctl("add-port", "br", "pmd", "--", "set", "Interface", "pmd", "type=dummy-pmd")
            sut.set("ring1", max_burst=32, polling_interval=100)
            self.assertEqual([(1, i) for i in range(500)], receive(far_out, 500))
            check(pmd=True)
            with traffic(sut, {1: 3000}):
                for i in range(20):
                    sut.set("ring1", polling_interval=i * 50, ring_size=50000 + i, max_burst=1 + i)
            sut.set("ring1", polling_interval=0, max_burst=32)
            received = [i for _, i in receive(far_out, 100000)]
            self.assertEqual(list(range(len(received))), received)
            self.assertGreater(len(received), 100)
            sut.vsctl("del-port", "br", "pmd")
            check(pmd=False)


    def test_rings_are_polled_although_all_threads_are_isolated(self):
        """A thread is isolated when queues are pinned to it; there is no other here."""
        sut, far_in, far_out = with_sockets(self, dummy=True)
        sut.vsctl("set", "Open_vSwitch", ".", "other_config:pmd-cpu-mask=1")
        sut.rings(1)
        sut.vsctl("add-port", "br", "pmd", "--", "set", "Interface", "pmd", "type=dummy-pmd",
                  "other_config:pmd-rxq-affinity=0:0")
        eventually(lambda: "isolated : true" in sut.appctl("dpif-netdev/pmd-rxq-show"), "the thread is isolated")
        for i in range(100):
            far_in.send(frame(1, i))
        self.assertEqual([(1, i) for i in range(100)], receive(far_out, 100))


class DpdkPorts(unittest.TestCase):
    """As in a real deployment: packets come and go by DPDK, whose PMD thread polls the rings too."""

    def setUp(self):
        self.sut = sut = Switch(daemon=switch.vswitchd("-dpdk"), dpdk=True)
        self.addCleanup(sut.close)
        with netns.inside(sut.namespace):
            netns.ip_batch([line for name in ("card0", "card1") for line in (
                f"link add {name} type veth peer name far-{name}", f"link set {name} up", f"link set far-{name} up")])
        for number in (0, 1):
            sut.vsctl("add-port", "br", f"dpdk{number}", "--", "set", "Interface", f"dpdk{number}", "type=dpdk",
                      f"options:dpdk-devargs=net_af_packet{number},iface=card{number}")
            self.assertEqual("[]", sut.vsctl("get", "Interface", f"dpdk{number}", "error").strip())

    def test_a_ring_between_them_and_kernel_ports(self):
        """Packets of both are in one ring, and leave by both, although they are in different memory."""
        sut = self.sut
        sut.vsctl("add-port", "br", "ring1", "--", "set", "Interface", "ring1", "type=daqring")
        sut.flows("ip,in_port=in0,actions=output:ring1", "ip,in_port=dpdk0,actions=output:ring1")
        with (sut.socket("far-in0") as kernel_in, sut.socket("far-card0") as dpdk_in,
              sut.socket("far-out0") as kernel_out, sut.socket("far-card1") as dpdk_out):
            for port, handle in (("out0", kernel_out), ("dpdk1", dpdk_out)):
                sut.flows(f"priority=40000,in_port=ring1,actions=output:{port}")
                sut.set("ring1", **STOPPED)
                before = self.enqueued()
                for i in range(0, 200, 2):
                    kernel_in.send(frame(1, i, 1000))
                    dpdk_in.send(frame(1, i + 1, 1000))
                    eventually(lambda i=i, before=before: self.enqueued() - before >= i, "queued")
                sut.set("ring1", max_burst=32, polling_interval=0)
                self.assertEqual([(1, i) for i in range(200)], sorted(receive(handle, 200)), port)

    def enqueued(self):
        """Not how many it holds: a stopped daqring lets out a packet each second, and the test may take some."""
        return self.sut.stats()["ring1"]["ring_enqueued"]

    def test_rings_between_two_of_them(self):
        sut = self.sut
        sut.rings(*range(1, 9), out="dpdk1", ring_size=1000)
        eventually(lambda: "ring1" in sut.appctl("dpif-netdev/pmd-rxq-show"), "the PMD thread polls rings")
        with sut.socket("far-card0") as far_in, sut.socket("far-card1") as far_out:
            for i in range(4000):
                far_in.send(frame(1 + i % 8, i // 8, 1000))
            received = receive(far_out, 4000)
            for number in range(1, 9):
                self.assertEqual(list(range(500)), [i for n, i in received if n == number])
            sut.set("ring1", max_burst=1, polling_interval=10000)
            started = time.monotonic()
            for i in range(200):
                far_in.send(frame(1, i))
            self.assertEqual([(1, i) for i in range(200)], receive(far_out, 200))
            self.assertAlmostEqual(2.0, time.monotonic() - started, delta=0.2)


class Many(unittest.TestCase):
    """A thousand rings come and go while packets pass."""

    def test_add_and_delete_1000_rings_without_a_leak(self):
        """In a build with AddressSanitizer, which ends the switch at a bad access and reports leaks at exit."""
        daemon = switch.vswitchd("-asan")
        sut = Switch(daemon=daemon, environment={"ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0",
                                                 "UBSAN_OPTIONS": "print_stacktrace=1"})
        self.addCleanup(sut.close)
        numbers = range(1, 1001)
        with traffic(sut, dict.fromkeys(numbers, 2) | {2000: 500}):
            sut.rings(2000)
            for _ in range(2):
                started = time.monotonic()
                sut.rings(*numbers, **STOPPED)  # slower than the traffic, so that they are deleted with packets in them
                added = time.monotonic()
                eventually(lambda: sum(s.get("ring_occupancy", 0) for s in sut.stats().values()) > 100, "packets queued")
                deleting = time.monotonic()
                sut.vsctl(*(word for n in numbers for word in ("--", "del-port", "br", f"ring{n}")))
                print(f"\n  1000 rings (asan): added in {added - started:.1f} s, deleted in {time.monotonic() - deleting:.1f} s",
                      end="", flush=True)
            before = sut.stats()["ring2000"]["ring_dequeued"]
            eventually(lambda: sut.stats()["ring2000"]["ring_dequeued"] > before, "still forwarding")
        code = sut.close()
        self.assertEqual(0, code, sut.last_output)
        self.assertNotIn("Sanitizer", sut.last_output)
        self.assertNotIn("runtime error", sut.last_output)


if __name__ == "__main__":
    unittest.main()
