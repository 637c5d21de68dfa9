"""Farms far away: all that the hosts of some racks send leaves them later, by the time of a round trip.

The kernel's netem is not everywhere, so a process of the fabric holds the packets. A rule on the way out of a host's
interface forwards each to a tap of ours; it is sent by the interface itself when its time has come, with a mark that passes
the rule. The whole round trip is put on this direction, which has requests and acknowledgements: few bytes, and TCP at the
ROS sees the same round trip.

Packets keep their order, and none is dropped while fewer than MOST wait: then the tap is not read, and the kernel drops and
counts what the tap has no room for.
"""
import contextlib
import fcntl
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from collections import deque
from pathlib import Path

from . import netlink, netns, processes, state
from .errors import LabError
from .hosts import HOST_INTERFACE
from .netlink import IFF_UP

DAEMON = "delay-daemon"  # argument of the lab's executable, and the mark in the command line
TAP = "daqdelay"
LONGEST = 1000.0         # ms
MOST = 20000             # packets of a host that wait at a time: 150 ms of 1.6 Gbit/s
TAP_QUEUE = 10000        # packets, until they are read
READ_AT_ONCE = 64        # packets, before those that are due have their turn
CHECK_INTERVAL = 2.0     # seconds between checks whether the fabric still exists
START = 10.0             # seconds
MARK = 0x6461
SO_SNDBUFFORCE, SEND_BUFFER = 32, 64 << 20
TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x2, 0x1000
LARGEST = 1 << 16        # bytes of a frame


def start(current, milliseconds, racks=()):
    """The racks (names of switches; all by default) are so far away until `stop`, or until the fabric is down."""
    if not 0 < milliseconds <= LONGEST:
        raise LabError(f"--rtt {milliseconds:g}: use more than 0, up to {LONGEST:g} ms")
    known = {end.switch for end in current.fabric.of_kind("dcm")}
    for rack in racks:
        if rack not in known:
            raise LabError(f"no HLT rack's switch {rack} in fabric {current.name}")
    stop(current.name)
    executable = Path(__file__).resolve().parent.parent / "daqlab"
    with open(state.FABRICS / current.name / "delay.log", "ab") as log:
        child = subprocess.Popen([sys.executable, executable, DAEMON, current.name, str(milliseconds), *(racks or sorted(known))],
                                 stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, cwd="/")
    deadline = time.monotonic() + START
    while not _pid(current.name):
        if child.poll() is not None or time.monotonic() > deadline:
            raise LabError(f"the process that delays packets did not start: see {log.name}")
        time.sleep(0.005)


def stop(fabric):
    """What waits is sent at once."""
    process = _pid(fabric)
    if process:
        processes.end([process], _mark(fabric), patience=2.0)
    _pid_file(fabric).unlink(missing_ok=True)


def shown(fabric):
    """What is delayed, in words."""
    process = _pid(fabric)
    if not process:
        return f"{fabric}: no rack is far away"
    words = Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8").split("\0")
    milliseconds, *racks = words[words.index(fabric) + 1:-1]
    return f"{fabric}: {float(milliseconds):g} ms longer round trips to {', '.join(racks)}"


def _pid_file(fabric):
    return state.FABRICS / fabric / "delay.pid"


def _pid(fabric):
    return processes.recorded(_pid_file(fabric), _mark(fabric))


def _mark(fabric):
    return f"{DAEMON}\0{fabric}\0"  # as in /proc/PID/cmdline


def run(fabric, milliseconds, racks):
    """The process itself."""
    current = state.load(fabric)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(2))  # as those that it delays, on machines of their own
    with Holding(devices(current, racks), milliseconds / 1e3) as holding:
        _pid_file(fabric).write_text(str(os.getpid()))
        while _pid(fabric) == os.getpid():
            holding.serve(time.monotonic() + CHECK_INTERVAL)


def devices(current, racks):
    """(namespace, interface) by which DCMs of the racks are in the fabric."""
    found = {(host.namespace, HOST_INTERFACE) for host in current.hosts if host.switch in racks}
    return sorted(found | {(node.namespace, node.switch.bridge) for node in current.nodes.values()
                           if node.switch.name in racks and current.fabric.local_addresses(node.switch.name)})


class Holding:
    """Holds what leaves by interfaces, [(namespace, name)], for so many seconds; packets go on only while `serve` runs."""

    def __init__(self, interfaces, delay):
        self._interfaces, self._delay = interfaces, delay

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self._hosts = [stack.enter_context(_Host(namespace, device, self._delay)) for namespace, device in self._interfaces]
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        """What waits is sent at once."""
        self._stack.close()

    def serve(self, until):
        monitors = {host.monitor: host for host in self._hosts}
        while (now := time.monotonic()) < until:
            taps = {host.tap: host for host in self._hosts if host.has_room()}
            due = min((host.due() for host in self._hosts), default=until)
            # select waits for microseconds, epoll for whole milliseconds
            for each in select.select([*taps, *monitors], [], [], max(0.0, min(due, until) - now))[0]:
                if each in taps:
                    taps[each].take()
                else:
                    monitors[each].look()
            for host in self._hosts:
                host.release(time.monotonic())


class _Host:
    """One interface; delays in seconds."""

    def __init__(self, namespace, device, delay):
        self._namespace, self._device, self._delay = namespace, device, delay
        self._waiting = deque()  # (when it is due, frame)
        self._index = None       # of the interface that has the rule
        with netns.inside(namespace):
            self.tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
            fcntl.ioctl(self.tap, TUNSETIFF, struct.pack("16sH22x", TAP.encode(), IFF_TAP | IFF_NO_PI))
            netns.quiet()
            self._out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        self._out.setsockopt(socket.SOL_SOCKET, socket.SO_MARK, MARK)
        self._out.setsockopt(socket.SOL_SOCKET, SO_SNDBUFFORCE, SEND_BUFFER)
        self.monitor = netlink.LinkMonitor(namespace)
        with netlink.Netlink(namespace) as link:
            tap = link.links()[TAP]
            link.set_link(tap.index, flags=IFF_UP, mask=IFF_UP, mtu=LARGEST - 18, queue=TAP_QUEUE)
        self.look()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(LabError):  # the fabric may be going down
            self._rule(None)
        self.take()
        self.release(float("inf"))
        os.close(self.tap)
        self._out.close()
        self.monitor.close()

    def look(self):
        """The interface may have been made again, and the rule went with the old one."""
        self.monitor.events()
        with netlink.Netlink(self._namespace) as link:
            interface = link.links().get(self._device)
        if interface and interface.index != self._index:
            self._rule(self._device)
            self._out.bind((self._device, 0))
            self._index = interface.index

    def _rule(self, device):
        """Forwards what leaves by the interface to the tap; None: nothing."""
        lines = [f"add table netdev {TAP}", f"delete table netdev {TAP}"]
        if device:
            lines += [f"add table netdev {TAP}",
                      f'add chain netdev {TAP} out {{ type filter hook egress device "{device}" priority 0; }}',
                      f'add rule netdev {TAP} out meta mark != {MARK} fwd to "{TAP}"']
        with netns.inside(self._namespace):
            done = subprocess.run(["nft", "-f", "-"], input="\n".join(lines) + "\n", text=True, capture_output=True, check=False)
        if done.returncode and device:
            raise LabError(f"{device}: nft: {done.stderr.strip()}")

    def has_room(self):
        return len(self._waiting) < MOST

    def due(self):
        return self._waiting[0][0] if self._waiting else float("inf")

    def take(self):
        for _ in range(READ_AT_ONCE):
            try:
                frame = os.read(self.tap, LARGEST)
            except BlockingIOError:
                return
            self._waiting.append((time.monotonic() + self._delay, frame))

    def release(self, now):
        while self._waiting and self._waiting[0][0] <= now:
            with contextlib.suppress(OSError):  # the interface is gone for a moment: so are its packets
                self._out.send(self._waiting[0][1])
            self._waiting.popleft()
