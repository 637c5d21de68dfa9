"""Numbered UDP packets in one direction between pairs of ROS and DCMs: losses and outages.

One socket per ROS or DCM, made in its namespace. The kernel stamps arrivals, and send times are written into the packet
(and recorded), so neither a late reader nor a late sender looks like an outage. arrivals.py defines what is counted.
"""
import contextlib
import errno
import os
import resource
import socket
import struct
import sys
import time
from dataclasses import dataclass, field

from . import netns, ping
from .arrivals import Arrivals
from .errors import LabError

RATES = (1, 20000)      # packets per second and pair that one process can keep up with
READ_INTERVAL = 0.005   # seconds; arrivals are stamped by the kernel
LAST_ARRIVALS = 0.5     # seconds to wait for packets in flight after the last is sent, and after the last that arrives
BUFFER = 1 << 26        # bytes a socket holds while this process does not read
SO_RCVBUFFORCE, SO_TIMESTAMPNS, SO_MEMINFO, MEMINFO_DROPS = 33, 35, 55, 8
PACKET = struct.Struct("!8sIIQ")  # mark of this run, pair, number, time sent in ns
STAMP = struct.Struct("qq")       # seconds, nanoseconds


@dataclass
class Pair:
    source: object
    destination: object
    arrivals: Arrivals
    refused: int = 0  # packets that the sender's own kernel did not take; they count as sent and lost
    reason: str | None = None


@dataclass
class _Run:
    pairs: list
    rate: float  # packets per second and pair
    mark: bytes = field(default_factory=lambda: os.urandom(8))
    sockets: dict = field(default_factory=dict)  # address -> socket
    stop: bool = False
    duration: float = 0.0    # seconds
    worst_delay: float = 0.0  # seconds by which a sending was late


def pairs_of(fabric, names, rate):
    """SRC DST SRC DST ... as pairs."""
    if not RATES[0] <= rate <= RATES[1]:
        raise LabError(f"--rate {rate:g}: use {RATES[0]} to {RATES[1]} packets per second")
    if not names or len(names) % 2:
        raise LabError("probe: give pairs of names: SRC DST [SRC DST ...]")
    ends = []
    for name in names:
        end = fabric.endpoint(name)
        if end is None:
            raise LabError(f"no ROS or DCM {name} in fabric {fabric.name}")
        ends.append(end)
    pairs = list(zip(ends[::2], ends[1::2]))
    for source, destination in pairs:
        if source.switch == destination.switch:
            raise LabError(f"{source.name} and {destination.name} are on the same switch: there is no link between them")
    if len({(s.name, d.name) for s, d in pairs}) != len(pairs):
        raise LabError("probe: a pair is given twice: name it once")
    return [Pair(s, d, Arrivals(int(1e9 / rate))) for s, d in pairs]


def run(state, names, rate, duration=None, started=lambda: None):
    """Probe until the duration (seconds) is over or SIGINT or SIGTERM comes; returns the report.

    `started` is called when the first packets of all pairs have been sent.
    """
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    current = _Run(pairs_of(state.fabric, names, rate), rate)
    try:
        _open_all(state, current)
        with ping.stoppable(current):
            _send_all(current, duration, started)
            _read_last(current)
        return _report(state, current)
    finally:
        for handle in current.sockets.values():
            handle.close()


def _open_all(state, current):
    ends = {end.address: end for pair in current.pairs for end in (pair.source, pair.destination)}
    for address, end in ends.items():
        with netns.inside(state.namespace_of(end)):
            handle = current.sockets[address] = socket.socket(end.family, socket.SOCK_DGRAM)
        handle.setblocking(False)
        handle.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, BUFFER)
        handle.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        ping.freebind(handle)
        handle.bind((address, 0))


def _send_all(current, duration, started):
    """Rounds of one packet per pair; a round that is late shifts those after it, so that the rate is never exceeded."""
    interval = 1 / current.rate
    start = due = read = time.monotonic()
    rounds = None if duration is None else max(1, round(duration * current.rate))
    sent = 0
    while not current.stop and (rounds is None or (sent < rounds and due < start + duration)):
        for index, pair in enumerate(current.pairs):
            _send(current, index, pair)
        sent += 1
        if sent == 1:
            started()
        if time.monotonic() - read >= READ_INTERVAL:
            _read(current)
            read = time.monotonic()
        due += interval
        left = due - time.monotonic()
        if left > 0:
            time.sleep(left)
        current.worst_delay = max(current.worst_delay, time.monotonic() - due)
        due -= min(left, 0)
    current.duration = time.monotonic() - start


def _send(current, index, pair):
    now = time.time_ns()  # the clock of the kernel's stamps
    number = pair.arrivals.send(now)
    target = pair.destination.address, current.sockets[pair.destination.address].getsockname()[1]
    try:
        current.sockets[pair.source.address].sendto(PACKET.pack(current.mark, index, number, now), target)
    except OSError as error:
        pair.refused += 1
        pair.reason = "host-not-ready" if error.errno in ping.NOT_READY else errno.errorcode.get(error.errno, str(error))


def _read_last(current):
    deadline, received = time.monotonic() + LAST_ARRIVALS, -1
    _read(current)
    while any(p.arrivals.lost > p.refused for p in current.pairs) and time.monotonic() < deadline:
        if received != (received := sum(p.arrivals.received for p in current.pairs)):
            deadline = time.monotonic() + LAST_ARRIVALS  # a daqring may hold packets for seconds
        time.sleep(READ_INTERVAL)
        _read(current)


def _read(current):
    for handle in {pair.destination.address: current.sockets[pair.destination.address] for pair in current.pairs}.values():
        with contextlib.suppress(BlockingIOError):
            while True:
                _take(current, *handle.recvmsg(256, 64)[:2])


def _take(current, data, control):
    if len(data) != PACKET.size or not control:
        return
    mark, index, number, _ = PACKET.unpack(data)
    if mark == current.mark:
        seconds, nanoseconds = STAMP.unpack(control[0][2])
        current.pairs[index].arrivals.arrive(number, seconds * 1_000_000_000 + nanoseconds)


def _report(state, current):
    for address, handle in current.sockets.items():
        drops = struct.unpack("9I", handle.getsockopt(socket.SOL_SOCKET, SO_MEMINFO, 36))[MEMINFO_DROPS]
        if drops:
            raise LabError(f"{address}: {drops} packets arrived that this process was too slow to read: use a lower --rate")
    pairs = [_pair_report(pair) for pair in current.pairs]
    return {"fabric": state.name, "rate": current.rate, "duration": round(current.duration, 3)} | {
        what: sum(p[what] for p in pairs) for what in ("sent", "received", "lost", "duplicates", "reordered")} | {
        "outage": max(p["outage"] for p in pairs), "worst-send-delay": round(current.worst_delay * 1e3, 1), "pairs": pairs}


def _pair_report(pair):
    arrivals = pair.arrivals
    outages, is_open = arrivals.outages()
    report = {"from": pair.source.name, "to": pair.destination.name, "sent": arrivals.sent, "received": arrivals.received,
              "lost": arrivals.lost, "duplicates": arrivals.duplicates, "reordered": arrivals.reordered,
              "outage": _ms(outages[0].length) if outages else 0.0, "open": is_open, "longest-delay": _ms(arrivals.longest_delay),
              "outages": [{"at": o.beginning / 1e9, "ms": _ms(o.length), "missing": o.missing} for o in outages]}
    return report | ({"refused": pair.refused, "reason": pair.reason} if pair.refused else {})


def _ms(nanoseconds):
    return round(nanoseconds / 1e6, 3)


def text(report):
    """The report for people."""
    lines = [f"{report['fabric']}: {report['sent']} sent, {report['received']} received, {report['lost']} lost, "
             f"{report['duplicates']} duplicated, {report['reordered']} reordered in {report['duration']} s, "
             f"longest outage {report['outage']} ms"]
    for pair in report["pairs"]:
        line = (f"  {pair['from']} -> {pair['to']}: {pair['sent']} sent, {pair['received']} received, {pair['lost']} lost, "
                f"{pair['duplicates']} duplicated, {pair['reordered']} reordered, longest outage {pair['outage']} ms")
        line += "; nothing arrived at the end" if pair["open"] else ""
        line += f", {pair['refused']} not sent ({pair['reason']})" if "refused" in pair else ""
        lines.append(line)
    return "\n".join(lines)


def say_started():
    print("probing", file=sys.stderr, flush=True)
