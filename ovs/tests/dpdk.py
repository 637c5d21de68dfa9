"""A switch on DPDK with the rules and groups of a spine and a leaf, and packets from memory; for ovs/bench-dpdk."""
import contextlib
import os
import re
import struct
import time
from pathlib import Path

from . import program
from .switch import Switch, address, frame, netns, parse, vswitchd

PMD_CORE, OTHER_CORE = 1, 0
RINGS = 1000
CHECKSUM = 4  # bytes of an Ethernet frame that are not in memory
PROBE_PLAIN, PROBE_RING = 6001, 6002


class Bench:
    def __init__(self, folder):
        self.folder = folder
        self.rules = 0
        _first()
        os.sched_setaffinity(0, {OTHER_CORE})  # also of the switch's threads, but that PMD threads choose their own
        self.switch = Switch(daemon=os.environ.get("DAQ_OVS") or vswitchd("-dpdk"), dpdk=True, pmd_core=PMD_CORE, memory=4096)
        try:
            self._program()
        except BaseException:
            self.close()
            raise

    def close(self):
        self.switch.close()

    def _program(self):
        program.add_rings(self.switch, RINGS, PROBE_RING)
        self._port("sink", "net_null0,no-rx=1", 9000)  # after them: with a PMD thread, each would be scheduled anew
        self.rules = program.install(self.switch, RINGS, "sink", "out0")

    def _port(self, name, devargs, mtu=1500):
        self.switch.vsctl("add-port", "br", name, "--", "set", "Interface", name, "type=dpdk", f"mtu_request={mtu}",
                          f"options:dpdk-devargs={devargs}")
        error = self.switch.vsctl("get", "Interface", name, "error").strip()
        if error != "[]":
            raise RuntimeError(f"{name}: {error}")

    @contextlib.contextmanager
    def source(self, kind, used, size):
        """Packets to as many addresses of a kind, one after the other without end."""
        # net_pcap knows no MTU, and Open vSwitch then makes its buffers as large as asked, with a warning
        self._port("source", f"net_pcap0,rx_pcap={self._recorded(program.FIRST[kind], used, size)},infinite_rx=1", max(1500, size))
        try:
            yield
        finally:
            self.switch.vsctl("del-port", "br", "source")

    def _recorded(self, first, used, size):
        file = f"{self.folder}/{first}-{used}-{size}.pcap"
        if not os.path.exists(file):
            with open(file, "wb") as out:
                out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
                for i in range(max(used, 100)):
                    data = frame(first + i % used, i, size - CHECKSUM)
                    out.write(struct.pack("<IIII", 0, 0, len(data), len(data)) + data)
        return file

    @contextlib.contextmanager
    def limited(self, used, burst, interval):
        numbers = range(1, used + 1)

        def each(*options):
            self.switch.vsctl(*(word for n in numbers for word in ("--", "set", "Interface", f"ring{n}", *options)))

        each(f"options:max-burst={burst}", f"options:polling-interval={interval}")
        try:
            yield
        finally:
            each("options:max-burst=32", "options:polling-interval=0")

    def rate(self, settle, seconds):
        """Packets per second that leave by the sink."""
        time.sleep(settle)
        began, before = self._sent()
        time.sleep(seconds)
        ended, after = self._sent()
        return sum(count - before.get(flow, 0) for flow, count in after.items()) / (ended - began)

    def _sent(self):
        """Packets of each of the datapath's flows: counters of net_null stay 0."""
        began = time.monotonic()
        flows = self.switch.appctl("dpctl/dump-flows", "--names")
        now = (began + time.monotonic()) / 2
        return now, {flow: int(count) for flow, count in re.findall(r"^(.*), packets:(\d+),.*actions:sink$", flows, re.MULTILINE)}

    def each_rate(self, used, seconds):
        """Of each daqring."""
        before, began = self.switch.stats(), time.monotonic()
        time.sleep(seconds)
        after, ended = self.switch.stats(), time.monotonic()
        return [(after[name]["ring_dequeued"] - before[name]["ring_dequeued"]) / (ended - began)
                for name in (f"ring{n}" for n in range(1, used + 1))]

    def probe(self, count):
        """{"plain": [us, ...], "daqring": [...]}: single packets from one card to another, in turn."""
        switch = self.switch
        with netns.inside(switch.namespace):
            netns.ip_batch([line for name in ("card0", "card1") for line in (
                f"link add {name} type veth peer name far-{name}", f"link set {name} up", f"link set far-{name} up")])
        for number in (0, 1):
            self._port(f"card{number}", f"net_af_packet{number},iface=card{number}")
        switch.flows(f"priority=2000,ip,nw_dst={address(PROBE_PLAIN)},actions=output:card1",
                     f"priority=2000,ip,nw_dst={address(PROBE_RING)},actions=output:ring{PROBE_RING}",
                     f"priority=3000,in_port=ring{PROBE_RING},actions=output:card1")
        times = {"plain": [], "daqring": []}
        try:
            with switch.socket("far-card0") as near, switch.socket("far-card1") as far:
                far.setblocking(False)
                for i in range(count):
                    for kind, number in (("plain", PROBE_PLAIN), ("daqring", PROBE_RING)):
                        took = self._travel(near, far, frame(number, i))
                        if i >= count // 10:  # the first ones make flows
                            times[kind].append(took)
        finally:
            for number in (0, 1):
                switch.vsctl("del-port", "br", f"card{number}")
            with netns.inside(switch.namespace):
                netns.ip_batch(["link del card0", "link del card1"])
        return times

    @staticmethod
    def _travel(near, far, data):
        began = time.perf_counter()
        near.send(data)
        while time.perf_counter() < began + 1:
            with contextlib.suppress(BlockingIOError):
                if parse(far.recv(2048)) == parse(data):
                    return (time.perf_counter() - began) * 1e6
        raise RuntimeError("a packet did not arrive within a second")


def _first():
    """Has the kernel prefer this process and its children to all else, as other load is not to be measured."""
    with contextlib.suppress(PermissionError):  # is the leader of a group already, which serves as well
        os.setsid()
    with contextlib.suppress(FileNotFoundError):  # a kernel without groups: the switch's own priority counts
        Path("/proc/self/autogroup").write_text("-20", encoding="ascii")
