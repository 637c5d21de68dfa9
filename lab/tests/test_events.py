"""Event traffic: what is computed, and the real thing on a small fabric with slow links."""
import contextlib
import json
import math
import os
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest
from collections import Counter

from . import static_controller
from .support import LAB, daqlab, daqlab_json, eventually, measured, needs_root
from .test_root import write
from daqlab_lib import capacity, delay, events, fabric, generate, netns
from daqlab_lib.errors import LabError
from daqlab_lib.events import bandwidth, goodput, machine, report, rings, statistics, tcp, wire

NAME = "dqevents"
SIZE = generate.Size(NAME, planes=2, spines=1, pods=2, ros=2, racks=1, dcms=1, capacity=10, prefix="e-", address_base="10.81")
SLOW = 4  # Mbit/s, what a busy machine carries, too
FRAME = bytes(12) + b"\x88\xb5" + bytes(1500)  # of an unused protocol
WIRE = 1538  # bytes that it takes


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


@needs_root
class CapacityTest(unittest.TestCase):

    def setUp(self):
        self.limited = False
        netns.ip_batch(["netns add dq-test-capacity",
                        "link add near netns dq-test-capacity type veth peer name far netns dq-test-capacity"])
        self.addCleanup(netns.ip_batch, ["netns del dq-test-capacity"])
        with netns.inside("dq-test-capacity"):
            netns.quiet()
            netns.ip_batch(["link set near up", "link set far up"])
            netns.offloads_off(["near", "far"])

    def test_link_has_its_rate_and_its_buffer(self):
        """Of a burst, what exceeds buffer and credit is dropped; the rest arrives at the rate."""
        self.of_a_burst(5, 8, 0.98)
        self.of_a_burst(20, 100, 0.98)
        self.of_a_burst(50, 500, 0.8)  # timers of a busy machine are late by more than the credit, so the link is slower

    @measured
    def of_a_burst(self, rate, buffer, least):
        credit = max(capacity.MIN_CREDIT, int(rate * 1e6 / 8 * capacity.CREDIT / WIRE))
        steady = 2 * credit  # after the burst
        arrivals = self.send_at_once(rate, buffer, 2 * buffer + 50)
        self.assertGreaterEqual(len(arrivals), buffer + credit)
        self.assertLessEqual(len(arrivals), 1.5 * (buffer + credit))  # some leave while others are still being sent
        found = (len(arrivals) - 1 - steady) * WIRE * 8 / (arrivals[-1] - arrivals[steady]) / 1e6
        self.assertGreaterEqual(found, least * rate)
        self.assertLessEqual(found, 1.02 * rate)

    def test_control_has_a_queue_of_its_own(self):
        """Marked packets of both kinds of IP, also with bits about congestion; no others. Also after the limit is changed."""
        for limited in (False, True):
            with netns.inside("dq-test-capacity"):
                subprocess.run(["tc", "-batch", "-"], input="\n".join(capacity.commands("near", 20, 100, 1500, limited)), text=True,
                               check=True)
                for kind, traffic_class, queue in (("4", 0xC0, 3), ("4", 0xC3, 3), ("4", 0, 2), ("4", 0xB8, 2), ("6", 0xC0, 3),
                                                   ("6", 0xC3, 3), ("6", 0, 2), ("6", 0xC, 2), ("6", 0xB8, 2)):
                    with self.subTest(limited=limited, kind=kind, traffic_class=hex(traffic_class)):
                        before = self.queued()
                        self.send_marked(kind, traffic_class)
                        self.assertEqual({each: before[each] + (10 if each == queue else 0) for each in before}, self.queued())

    @measured
    def test_control_beyond_its_share_leaves_events_theirs(self):
        """While both wait it has what it is guaranteed, a credit at first, and no more."""
        with netns.inside("dq-test-capacity"), socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x86DD)) as far:
            subprocess.run(["tc", "-batch", "-"], input="\n".join(capacity.commands("near", 5, 500, 1500)), text=True, check=True)
            far.bind(("far", 0x86DD))
            far.setsockopt(socket.SOL_SOCKET, 33, 1 << 24)  # SO_RCVBUFFORCE
            far.settimeout(5)
            content = bytes(1400)
            self.send_marked("6", 0, content, 400)
            self.send_marked("6", 0xC0, content, capacity.CONTROL_BUFFER)
            classes = [int.from_bytes(far.recv(2048)[:2], "big") >> 4 & 0xFF for _ in range(400)]
        both = classes[classes.index(0xC0):]
        self.assertGreater(len(both), 200)
        self.assertGreaterEqual(both.count(0xC0), 0.8 * capacity.CONTROL_SHARE * len(both))
        self.assertLessEqual(both.count(0xC0), 1.2 * capacity.CONTROL_SHARE * len(both) + capacity.MIN_CREDIT)

    @staticmethod
    def send_marked(kind, traffic_class, content=b"", packets=10):
        """Packets of IPv4 or IPv6; those for which there is no room are lost."""
        header = (struct.pack("!BBHHHBBH8x", 0x45, traffic_class, 20 + len(content), 0, 0, 64, 59, 0) if kind == "4"
                  else struct.pack("!IHBB32x", 6 << 28 | traffic_class << 20, len(content), 59, 64))
        with socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM) as near:
            near.setsockopt(socket.SOL_SOCKET, 32, 1 << 24)  # SO_SNDBUFFORCE
            for _ in range(packets):
                with contextlib.suppress(OSError):  # ENOBUFS
                    near.sendto(header + content, ("near", 0x0800 if kind == "4" else 0x86DD, 0, 0, b"\x02" + bytes(5)))

    @staticmethod
    def queued():
        """Packets that each queue of the near end was given: 2 is that of data, 3 that of control."""
        done = subprocess.run(["tc", "-s", "-j", "qdisc", "show", "dev", "near"], text=True, capture_output=True, check=True)
        found = {entry["handle"]: entry for entry in json.loads(done.stdout)}
        return {handle: found[f"{handle}:"]["packets"] + found[f"{handle}:"]["qlen"] for handle in (2, 3)}

    def send_at_once(self, rate, buffer, packets):
        """When those that were not dropped arrived, in seconds, stamped by the kernel."""
        with netns.inside("dq-test-capacity"), \
                socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x88B5)) as far, \
                socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as near:
            commands = capacity.commands("near", rate, buffer, 1500, self.limited)
            subprocess.run(["tc", "-batch", "-"], input="\n".join(commands), text=True, check=True)
            self.limited = True
            far.bind(("far", 0x88B5))
            far.setsockopt(socket.SOL_SOCKET, 33, 1 << 24)  # SO_RCVBUFFORCE
            far.setsockopt(socket.SOL_SOCKET, 35, 1)        # SO_TIMESTAMPNS
            near.setsockopt(socket.SOL_SOCKET, 32, 1 << 24)  # SO_SNDBUFFORCE
            near.bind(("near", 0))
            for _ in range(packets):
                try:
                    near.send(FRAME)
                except OSError:  # ENOBUFS: the buffer is full
                    pass
            far.settimeout(0.5)
            stamps = []
            try:
                while True:
                    seconds, nanoseconds = struct.unpack("qq", far.recvmsg(2048, 64)[1][0][2])
                    stamps.append(seconds + nanoseconds / 1e9)
            except TimeoutError:
                return stamps


@needs_root
class DelayTest(unittest.TestCase):
    NEAR, FAR = "dq-test-near", "dq-test-far"

    def setUp(self):
        netns.ip_batch([f"netns add {self.NEAR}", f"netns add {self.FAR}",
                        f"link add near netns {self.NEAR} type veth peer name far netns {self.FAR}"])
        self.addCleanup(netns.ip_batch, [f"netns del {self.NEAR}", f"netns del {self.FAR}"])
        for namespace, device, address in ((self.NEAR, "near", "10.82.0.1"), (self.FAR, "far", "10.82.0.2")):
            with netns.inside(namespace):
                netns.quiet()
                netns.ip_batch([f"link set {device} arp off address 02:00:00:00:00:01 up", f"address add {address}/32 dev {device}",
                                f"route add default dev {device} src {address}"])
                netns.offloads_off([device])

    def test_all_arrive_later_and_in_order(self):
        """Also those that still wait when it ends; nothing of it is left then."""
        far, near = self.socket_in(self.FAR), self.socket_in(self.NEAR)
        far.bind(("10.82.0.2", 9))
        near.connect(("10.82.0.2", 9))
        with delay.Holding([(self.NEAR, "near")], 0.03) as holding:
            for number in range(500):
                near.send(struct.pack("Id", number, time.monotonic()))
                holding.serve(time.monotonic() + 0.0002)
            found = []
            while len(found) < 300:
                holding.serve(time.monotonic() + 0.001)
                with contextlib.suppress(BlockingIOError):
                    while True:
                        number, sent = struct.unpack("Id", far.recv(100))
                        found.append((number, time.monotonic() - sent))
            for number in range(500, 510):
                near.send(struct.pack("Id", number, 0.0))
        far.settimeout(5)
        found += [(struct.unpack("Id", far.recv(100))[0], 1.0) for _ in range(510 - len(found))]
        self.assertEqual(list(range(510)), [number for number, _ in found])
        self.assertGreaterEqual(min(seconds for _, seconds in found), 0.03)
        with netns.inside(self.NEAR):
            left = subprocess.run("nft list ruleset; ip -br link", shell=True, text=True, capture_output=True, check=True).stdout
        self.assertNotIn(delay.TAP, left)

    def socket_in(self, namespace):
        with netns.inside(namespace):
            handle = self.enterContext(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        handle.setsockopt(socket.SOL_SOCKET, 33, 1 << 24)  # SO_RCVBUFFORCE
        handle.setblocking(False)
        return handle


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
