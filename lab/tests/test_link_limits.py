"""The rate, buffer and delay that links of the lab are given."""
import contextlib
import json
import socket
import struct
import subprocess
import time
import unittest

from .support import measured, needs_root
from daqlab_lib import capacity, delay, netns

FRAME = bytes(12) + b"\x88\xb5" + bytes(1500)  # of an unused protocol
WIRE = 1538  # bytes that it takes


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


if __name__ == "__main__":
    unittest.main()
