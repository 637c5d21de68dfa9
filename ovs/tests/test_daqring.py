"""Daqrings in a real ovs-vswitchd, with packets that are counted one by one."""
import collections
import time
import unittest

from . import switch
from .switch import Switch, frame, receive
from .traffic import STOPPED, eventually, needs_root, send, traffic, with_sockets

RANGES = {"ring-size": "1 to 1048576 packets", "max-burst": "1 to 65535 packets",
          "polling-interval": "0 to 1000000 microseconds", "credit": "0 to 1000000 microseconds",
          "ecn-threshold": "0 to 1048576 packets", "max-rate": "0 to 1000000000 kbit/s"}
EXACT = 0.02  # part of a rate by which it may differ
TRIES = 4
setUpModule = needs_root


class Queueing(unittest.TestCase):
    """What goes in comes out, up to the size of the ring."""

    def setUp(self):
        self.sut, self.far_in, self.far_out = with_sockets(self)

    def send(self, number, sequences, size=60):
        send(self.sut, self.far_in, [frame(number, sequence, size) for sequence in sequences])

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
        self.assertEqual(0, self.ring()["ring_dropped"])
        self.sut.set("ring1", polling_interval=100)
        self.assertEqual([(1, i) for i in range(1000)], receive(self.far_out, 1000))

    def test_drops_what_does_not_fit_and_counts_it(self):
        self.sut.rings(1, ring_size=1000, **STOPPED)
        self.send(1, range(1700))
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
        # 0: the sender does not know it, 1 and 2: it does
        send(self.sut, self.far_in, [frame(1, i, ecn=i % 3) for i in range(30)])
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
        self.assertEqual(0, self.ring()["ring_dropped"])
        self.sut.set("ring1", ring_size=100)
        self.send(1, range(2000, 2050))
        self.assertEqual(50, self.ring()["ring_dropped"])
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
        left = {number: 300 + 20 * number for number in range(1, 49)}
        total = sum(left.values())
        self.sut.rings(*left, **STOPPED)
        for number, count in left.items():
            self.send(number, range(count))
        rings = self.sut.stats()
        self.assertEqual(left, {number: rings[f"ring{number}"]["ring_enqueued"] for number in left})
        receive(self.far_out, sum(ring.get("ring_dequeued", 0) for ring in rings.values()))
        self.sut.vsctl(*(word for n in left for word in ("--", "set", "Interface", f"ring{n}", "options:polling-interval=0",
                                                          "options:max-burst=32")))
        received = receive(self.far_out, total)
        got = collections.Counter()
        worst = 0
        for number, _ in received:
            got[number] += 1
            busy = [n for n in left if got[n] + 32 < left[n] - 32]
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
        self.assertIn("daqring: credit=2000, ecn-threshold=0, max-burst=32, max-rate=0, polling-interval=0, ring-size=4096",
                      self.sut.appctl("dpif/show"))


class Rates(unittest.TestCase):
    """Rate = max-burst / polling-interval."""

    def test_rates_are_exact(self):
        """Within 2 % over 10 s, while all of them are full; the best of some tries, as others take processors at times."""
        # Mbit/s of 1500 byte frames: max-burst, polling-interval
        wanted = {1: (10, 4, 4800), 2: (50, 8, 1920), 3: (50, 1, 240), 4: (200, 16, 960)}
        off = dict.fromkeys(wanted, 1.0)
        for _ in range(TRIES):
            for number, now in self.deviations(wanted).items():
                off[number] = min(off[number], now, key=abs)
            if all(abs(each) <= EXACT for each in off.values()):
                break
        for number, (rate, burst, _) in wanted.items():
            with self.subTest(rate=rate, burst=burst):
                self.assertAlmostEqual(0, off[number], delta=EXACT)

    def deviations(self, wanted):
        """By what part each measured rate differs."""
        sut = Switch(outs=len(wanted), first=True)
        try:
            return self.measure(sut, wanted)
        finally:
            sut.close()

    def measure(self, sut, wanted):
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
        found = {}
        for number, (rate, burst, interval) in wanted.items():
            seconds = after[number][0] - before[number][0]
            measured = (after[number][1] - before[number][1]) * 8 / seconds / 1e6
            found[number] = measured / rate - 1
            print(f"\n  {burst} packets per {interval} us: {measured:.2f} Mbit/s, wanted {rate} ({found[number]:+.2%})",
                  end="", flush=True)
        return found

    def test_bytes_are_limited_whatever_the_packets_size(self):
        """Within 2 % over 5 s, of small packets, of large ones and of both, after the burst that a pause allows."""
        sut = Switch(first=True)
        self.addCleanup(sut.close)
        for number, (sizes, kbits) in enumerate({(100,): 800, (1500,): 8000, (100, 1500): 3000}.items(), 1):
            with self.subTest(sizes=sizes):
                sut.rings(number, ring_size=1000000, **STOPPED)
                wanted = kbits * 1000 / 8 * 7 + 65536
                with sut.socket("far-in0") as handle:
                    for size in sizes:
                        already = sut.stats()[f"ring{number}"]["ring_enqueued"]
                        self.fill(sut, handle, number, already + int(wanted / sum(sizes)) + 1, size)
                sut.set(f"ring{number}", max_rate=kbits, polling_interval=0)

                def left(name=f"ring{number}"):
                    found = sut.stats()[name]
                    self.assertGreater(found["ring_occupancy"], 0, "the ring ran empty: nothing to measure")
                    return time.monotonic(), found["rx_bytes"]

                eventually(lambda: left()[1] >= 65536, "the first burst")
                before = left()
                time.sleep(5)
                after = left()
                measured = (after[1] - before[1]) * 8 / (after[0] - before[0]) / 1000
                print(f"\n  packets of {sizes} bytes: {measured:.0f} kbit/s, wanted {kbits} ({measured / kbits - 1:+.2%})", end="",
                      flush=True)
                self.assertAlmostEqual(1, measured / kbits, delta=0.02)
                sut.vsctl("del-port", "br", f"ring{number}")

    def fill(self, sut, handle, number, count, size=1500):
        """Send until this many packets are queued; some are lost before when the switch does not get a CPU in time."""
        data, deadline, queued = frame(number, 0, size), time.monotonic() + 60, sut.stats()[f"ring{number}"]["ring_enqueued"]
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
