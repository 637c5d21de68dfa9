"""Daqrings that more than the main thread of a real ovs-vswitchd sends to or polls."""
import time
import unittest

from . import switch
from .switch import Switch, frame, netns, receive
from .traffic import STOPPED, eventually, needs_root, traffic, with_sockets

CFM = 0x8902  # EtherType
setUpModule = needs_root


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
            received = []
            for begin in range(0, 4000, 400):  # the card has room for 512
                for i in range(begin, begin + 400):
                    far_in.send(frame(1 + i % 8, i // 8, 1000))
                received += receive(far_out, 400)
            for number in range(1, 9):
                self.assertEqual(list(range(500)), [i for n, i in received if n == number])
            sut.set("ring1", max_burst=1, polling_interval=10000)
            started = time.monotonic()
            for i in range(200):
                far_in.send(frame(1, i))
            self.assertEqual([(1, i) for i in range(200)], receive(far_out, 200))
            self.assertAlmostEqual(2.0, time.monotonic() - started, delta=0.2)


if __name__ == "__main__":
    unittest.main()
