"""A real switch in its own network namespace, and exact traffic through it; for tests and bench."""
import itertools
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lab"))

from daqlab_lib import netns  # noqa: E402  (is found by the path above)

SCHEMA = "/usr/share/openvswitch/vswitch.ovsschema"
BUFFER = 64 << 20  # bytes, of every receiving socket: a loss there would look like a loss in a ring
ETHERNET = bytes.fromhex("0200000000020200000000010800")
TCP_HEADERS = 54  # bytes
COUNTERS = {"rx_bytes": 0, "rx_packets": 1, "tx_bytes": 8, "tx_packets": 9}  # columns of /proc/net/dev
_numbers = itertools.count()

# SIGTERM ends a test or bench with its cleanup.
signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))


def vswitchd(variant=""):
    """The ovs-vswitchd that `make ovs` built, or `scripts/ovs VERSION`, of the version DAQ_OVS_VERSION; DAQ_OVS names another."""
    version = os.environ.get("DAQ_OVS_VERSION")
    return os.environ.get("DAQ_OVS") if os.environ.get("DAQ_OVS") and not variant else str(
        ROOT / ".cache" / "ovs" / ("current" + (f"-{version}" if version else "") + variant) / "ovs-vswitchd")


def _listens(path):
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(path) == 0


class Switch:
    """One bridge 'br' with ports 'in0' and 'out0', 'out1', ...; their far ends are 'far-in0' and so on.

    first: the switch gets the CPU before all else, as on a separate machine, so that other load is not measured.
    dummy: it knows dummy ports, which make it start PMD threads without DPDK; never together with first.
    dpdk: it knows DPDK ports, without huge pages; the daemon must be one that `scripts/ovs dpdk` built.
    pmd_core, memory: of DPDK, the processor of its one PMD thread, and MB.
    tso: it takes packets whose checksums and segments the port that sends them has to make.
    """

    def __init__(self, outs=1, daemon=None, first=False, dummy=False, dpdk=False, tso=False, environment=None,
                 pmd_core=0, memory=2048):
        self.namespace = f"daqring-{os.getpid()}-{next(_numbers)}"
        self.folder = tempfile.mkdtemp(prefix="daqring-")
        self.first = first
        self.dummy = dummy
        self.dpdk = dpdk
        self.tso = tso
        self.pmd_core, self.memory = pmd_core, memory
        self._processes = []
        self._rmem = None
        self.daemon = None
        try:
            self._start(outs, daemon or vswitchd(), environment or {})
        except BaseException:
            self.close()
            raise

    def _start(self, outs, daemon, environment):
        if not os.access(daemon, os.X_OK):
            raise FileNotFoundError(f"{daemon} is missing: run `make ovs`")
        # The switch's own sockets take this value when they are opened.
        rmem = netns.read_sysctl("net.core.rmem_default")
        if int(rmem) < 8 << 20:
            self._rmem = rmem
            netns.write_sysctl("net.core.rmem_default", 8 << 20)
        subprocess.run(["ip", "netns", "add", self.namespace], check=True)
        veths = ["in0", *(f"out{i}" for i in range(outs))]
        with netns.inside(self.namespace):
            netns.quiet()
            netns.ip_batch(["link set lo up",
                            *(f"link add {name} mtu 1500 type veth peer name far-{name} mtu 1500" for name in veths),
                            *(f"link set {end}{name} up" for name in veths for end in ("", "far-"))])
            if not self.tso:
                netns.offloads_off([end + name for name in veths for end in ("", "far-")])
        database = f"{self.folder}/conf.db"
        own = Path(daemon).resolve().with_name("vswitch.ovsschema")
        subprocess.run(["ovsdb-tool", "create", database, own if own.exists() else SCHEMA], check=True)
        self._daemon("ovsdb-server", "ovsdb-server", database, f"--remote=punix:{self.folder}/db.sock",
                     f"--unixctl={self.folder}/ovsdb-server.ctl")
        self._await(f"{self.folder}/db.sock")
        self.vsctl("--no-wait", "init")
        if self.tso:
            self.vsctl("--no-wait", "set", "Open_vSwitch", ".", "other_config:userspace-tso-enable=true")
        if self.dpdk:
            self.vsctl("--no-wait", "set", "Open_vSwitch", ".", "other_config:dpdk-init=true",
                       f"other_config:pmd-cpu-mask={1 << self.pmd_core:x}",
                       f'other_config:dpdk-extra="--no-huge --legacy-mem -m {self.memory} --no-pci --no-telemetry"')
        self.daemon = self._daemon("ovs-vswitchd", "nice", "-n", "-10", daemon, f"unix:{self.folder}/db.sock",
                                   f"--unixctl={self.folder}/ovs-vswitchd.ctl",
                                   *(["--enable-dummy"] if self.dummy else []), environment=environment)
        self._await(f"{self.folder}/ovs-vswitchd.ctl")
        self.vsctl("add-br", "br", "--", "set", "Bridge", "br", "datapath_type=netdev", "fail_mode=secure",
                   *itertools.chain(*(("--", "add-port", "br", name) for name in veths)))
        if self.first:
            for thread in os.listdir(f"/proc/{self.daemon.pid}/task"):
                os.sched_setscheduler(int(thread), os.SCHED_FIFO, os.sched_param(1))

    def _daemon(self, name, *command, environment=None):
        log = open(f"{self.folder}/{name}.out", "wb")  # noqa: SIM115  (closed below, opened in this namespace)
        with log, netns.inside(self.namespace):
            process = subprocess.Popen([*command, f"--log-file={self.folder}/{name}.log", "-vconsole:off", "-vsyslog:off"],
                                       stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                       env=self._environment() | (environment or {}))
        self._processes.append(process)
        return process

    def _environment(self):
        return os.environ | dict.fromkeys(("OVS_RUNDIR", "OVS_DBDIR", "OVS_LOGDIR", "OVS_SYSCONFDIR"), self.folder)

    def _await(self, path):
        """Until something listens: the file is there before that."""
        deadline = time.monotonic() + 20
        while not _listens(path):
            if time.monotonic() > deadline or any(p.poll() is not None for p in self._processes):
                raise RuntimeError(f"{path} did not appear: {self.output('ovs-vswitchd')}")
            time.sleep(0.01)

    def close(self):
        """End everything; returns the exit code of ovs-vswitchd, which is given time to report leaks."""
        codes = []
        for process in reversed(self._processes):
            if process is self.daemon and process.poll() is None:
                self.run("ovs-appctl", "-t", f"{self.folder}/ovs-vswitchd.ctl", "exit", check=False)
            else:
                process.send_signal(signal.SIGTERM)
            try:
                codes.append(process.wait(60))
            except subprocess.TimeoutExpired:
                process.kill()
                codes.append(process.wait())
        self._processes = []
        self.last_output = self.output("ovs-vswitchd")
        if netns.exists(self.namespace):
            subprocess.run(["ip", "netns", "del", self.namespace], check=True)
        if self._rmem:
            netns.write_sysctl("net.core.rmem_default", self._rmem)
        shutil.rmtree(self.folder, ignore_errors=True)
        return codes[0] if codes else None

    def output(self, name):
        try:
            return Path(f"{self.folder}/{name}.out").read_text(errors="replace")
        except OSError:
            return ""

    def run(self, *command, check=True):
        done = subprocess.run(command, text=True, capture_output=True, env=self._environment(), timeout=120, check=False)
        if check and done.returncode:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr or done.stdout}")
        return done.stdout

    def vsctl(self, *arguments, check=True):
        return self.run("ovs-vsctl", f"--db=unix:{self.folder}/db.sock", *arguments, check=check)

    def appctl(self, *arguments):
        return self.run("ovs-appctl", "-t", f"{self.folder}/ovs-vswitchd.ctl", *arguments)

    def flows(self, *rules):
        with open(f"{self.folder}/flows", "w", encoding="ascii") as file:
            file.write("\n".join(rules) + "\n")
        self.run("ovs-ofctl", "--bundle", "add-flows", f"unix:{self.folder}/br.mgmt", file.name)

    def groups(self, *groups):
        with open(f"{self.folder}/groups", "w", encoding="ascii") as file:
            file.write("\n".join(groups) + "\n")
        self.run("ovs-ofctl", "-O", "OpenFlow13", "add-groups", f"unix:{self.folder}/br.mgmt", file.name)

    def rings(self, *numbers, out="out0", **options):
        """Rings 'ring<number>' for what is sent to that number, with their rules."""
        given = [f"options:{key.replace('_', '-')}={value}" for key, value in options.items()]
        self.vsctl(*itertools.chain(*(("--", "add-port", "br", f"ring{n}", "--", "set", "Interface", f"ring{n}",
                                       "type=daqring", *given) for n in numbers)))
        self.flows(*(rule for n in numbers for rule in (f"ip,nw_dst={address(n)},actions=output:ring{n}",
                                                        f"priority=40000,in_port=ring{n},actions=output:{out}")))

    def set(self, ring, **options):
        self.vsctl("set", "Interface", ring, *(f"options:{k.replace('_', '-')}={v}" for k, v in options.items()))

    def stats(self):
        """Statistics of the bridge's ports by name, as they are now. (The database has them every few seconds.)"""
        text = self.run("ovs-ofctl", "-O", "OpenFlow14", "--names", "dump-ports", f"unix:{self.folder}/br.mgmt")
        result = {}
        for block in re.split(r"\n  port +", text)[1:]:
            name, numbers = block.split(":", 1)
            values = {key: int(value) for key, value in re.findall(r"(ring_\w+)=(\d+)", numbers)}
            for direction, counters in re.findall(r"(rx|tx) (pkts=.*)", numbers):
                values |= {f"{direction}_{key}": int(value) for key, value in re.findall(r"(\w+)=(\d+)", counters)}
            result[name.strip('"')] = values
        return result

    def socket(self, interface, buffer=BUFFER, ethertype=0x0800, offloads=False):
        """A packet socket on a far end. offloads: each frame has a struct virtio_net_hdr before it."""
        with netns.inside(self.namespace):
            handle = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ethertype))
        handle.setsockopt(socket.SOL_SOCKET, 33, buffer)  # SO_RCVBUFFORCE
        if offloads:
            handle.setsockopt(263, 15, 1)  # SOL_PACKET, PACKET_VNET_HDR
        handle.bind((interface, ethertype))
        return handle

    def counter(self, interface, what="rx_bytes"):
        """Of the kernel, for an interface in the switch's namespace."""
        with netns.inside(self.namespace), open("/proc/thread-self/net/dev", encoding="ascii") as file:
            line = next(line for line in file if line.strip().startswith(f"{interface}:"))
        return int(line.split(":")[1].split()[COUNTERS[what]])


def address(number):
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


def frame(number, sequence, size=60, ecn=0):
    """An Ethernet frame for ring `number`, `size` bytes with a sequence number."""
    length = size - 14
    ip = header(ecn, length, 17, number)
    return (ETHERNET + ip + struct.pack("!HHHHII", 7, 7, length - 20, 0, number, sequence)).ljust(size, b"\0")


def offloaded(number, payload):
    """A TCP segment for ring `number` with `payload` bytes, for a socket with offloads: its checksum and, if it is longer than a
    packet, its segments are still to be made."""
    ip = header(0, 40 + payload, 6, number)
    pseudo = checksum(ip[12:20] + struct.pack("!HH", 6, 20 + payload))  # the rest is added by who completes it
    tcp = struct.pack("!HHIIBBHHH", 7, 7, 1, 1, 5 << 4, 0x10, 1000, pseudo, 0)
    segments = (1, 1460) if payload > 1460 else (0, 0)  # VIRTIO_NET_HDR_GSO_TCPV4
    offloads = struct.pack("<BBHHHH", 1, segments[0], TCP_HEADERS, segments[1], 34, 16)  # VIRTIO_NET_HDR_F_NEEDS_CSUM
    return offloads + ETHERNET + ip + tcp + bytes(payload)


def header(tos, length, protocol, number):
    """The IPv4 header of a packet for ring `number`."""
    ip = struct.pack("!BBHHHBBH4sI", 0x45, tos, length, 0, 0, 64, protocol, 0, b"\x0a\x80\x00\x01", 10 << 24 | number)
    return ip[:10] + struct.pack("!H", ~checksum(ip) & 0xFFFF) + ip[12:]


def checksum(data):
    """The Internet's sum of 16-bit words; 0xFFFF for a header that is whole."""
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def parse(data):
    """(number, sequence) of a frame."""
    return struct.unpack_from("!II", data, 42)


def receive(handle, count, quiet=3.0):
    """Up to `count` frames as (number, sequence), until `quiet` seconds pass without one."""
    handle.settimeout(quiet)
    found = []
    try:
        while len(found) < count:
            found.append(parse(handle.recv(2048)))
    except TimeoutError:
        pass
    return found
