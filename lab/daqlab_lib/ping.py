"""Echo requests between every ROS and every DCM, or the ends of flows of control, both ways, from one process.

A socket stays in the namespace it was made in, so one event loop holds a raw ICMP socket per address, sends all
requests at an even pace and matches all replies. Every request counts: nothing is sent twice to hide a loss.
"""
import contextlib
import errno
import os
import resource
import select
import signal
import socket
import statistics
import struct
import time
from dataclasses import dataclass, field

from . import logs, losses, netns
from .errors import LabError

FORWARD, REVERSE = "forward", "reverse"  # ROS to DCM, DCM to ROS
STOP_LATENCY = 0.1  # seconds until a signal takes effect
PACE = 2000  # requests per second of one round, unless asked otherwise
SOL_RAW, ICMP_FILTER, IP_FREEBIND, IPV6_FREEBIND = 255, 1, 15, 78
ICMP6_FILTER = 1  # of level IPPROTO_ICMPV6
PAYLOAD = struct.Struct("!8sIIQ")  # mark, pair, sequence, time sent in ns
NOT_READY = {errno.EINVAL, errno.EADDRNOTAVAIL, errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN}


@dataclass(frozen=True)
class Echo:
    """ICMP of one family: the type of a request, and an option of sockets."""
    protocol: int
    request: int
    filter: tuple  # lets only replies through


ECHO = {
    socket.AF_INET: Echo(socket.IPPROTO_ICMP, 8, (SOL_RAW, ICMP_FILTER, struct.pack("I", 0xFFFFFFFF & ~(1 << 0)))),
    socket.AF_INET6: Echo(socket.IPPROTO_ICMPV6, 128, (socket.IPPROTO_ICMPV6, ICMP6_FILTER, struct.pack(
        "8I", *[0xFFFFFFFF & ~(word == 129 // 32 and 1 << 129 % 32) for word in range(8)]))),
}


@dataclass
class Pair:
    """One source and one destination, and what became of the requests between them."""
    source: object
    destination: object
    direction: str
    sent: int = 0
    received: int = 0
    duplicates: int = 0
    waiting: dict = field(default_factory=dict)  # sequence -> ns when sent; what stays here is lost
    reason: str = "no-answer"

    @property
    def lost(self):
        return self.sent - self.received

    def gap(self, interval):
        """Longest time between two answered requests with lost ones between, ms; 0 when none was lost."""
        longest, run = 0, []
        for sequence in sorted(self.waiting):
            if run and sequence != run[-1] + 1:
                run = []
            run.append(sequence)
            span = (self.waiting[sequence] - self.waiting[run[0]]) / 1e6 + 2e3 * interval
            longest = max(longest, span)
        return round(longest, 1)

    def last_lost(self):
        """When the last request was sent that was not answered; None if none was lost."""
        if not self.waiting:
            return None
        return losses.at(max(self.waiting.values()))

    def report(self, interval):
        return {"from": self.source.name, "to": self.destination.name, "direction": self.direction, "sent": self.sent,
                "received": self.received, "lost": self.lost, "duplicates": self.duplicates,
                "longest-gap": self.gap(interval), "last-lost": self.last_lost()}


@dataclass(frozen=True)
class Schedule:
    """Rounds of one request per pair; seconds."""
    rounds: int | None  # None: until stopped
    interval: float     # from the start of one round to the next
    timeout: float      # to wait for answers after the last request
    pace: float | None  # requests per second within a round; None: evenly over the interval

    def spread(self, pairs):
        """Seconds over which the requests of one round are sent."""
        if self.pace is None:
            return self.interval
        return min(pairs / self.pace, self.interval) if self.rounds != 1 else pairs / self.pace


def pairs_of(fabric):
    """Every ROS to every DCM and back, ordered so that neighbours in time have different ends."""
    ros, dcms = fabric.of_kind("ros"), fabric.of_kind("dcm")
    found = []
    for shift in range(len(dcms)):
        for number, r in enumerate(ros):
            dcm = dcms[(shift + number) % len(dcms)]
            found += [Pair(r, dcm, FORWARD), Pair(dcm, r, REVERSE)]
    return found


def control_pairs_of(fabric):
    """The senders and receivers of every flow of control that are behind different switches, both ways."""
    ends = {(a.address, b.address): (a, b) for flow in fabric.raw.get("flow", []) if flow.get("kind") == "control"
            for a in fabric.named(flow["from"]) for b in fabric.named(flow["to"]) if a.switch != b.switch}
    if not ends:
        raise LabError(f"{fabric.name} has no flow of kind control between hosts behind different switches")
    return [pair for a, b in ends.values() for pair in (Pair(a, b, FORWARD), Pair(b, a, REVERSE))]


def run(state, schedule, progress=lambda sent, received: None, pairs=None):
    """Ping one fabric; returns the report. SIGINT and SIGTERM end it early, with the report.

    pairs: those of every ROS and DCM unless given.
    """
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    pairs = pairs_of(state.fabric) if pairs is None else pairs
    drops = logs.dropped()
    engine = _Engine(state, pairs, schedule)
    try:
        with stoppable(engine):
            engine.run(progress)
    finally:
        engine.close()
    return _report(state, pairs, schedule, engine) | losses.report(state, pairs, drops)


def _report(state, pairs, schedule, engine):
    lossless = {d: sum(1 for p in pairs if p.direction == d and p.sent and not p.lost) for d in (FORWARD, REVERSE)}
    interval = schedule.interval if schedule.rounds != 1 else 0
    missing = [p.report(interval) | {"reason": p.reason} for p in pairs if p.lost or not p.sent]
    report = {
        "fabric": state.name,
        "pairs": {"expected": len(pairs) // 2} | lossless,
        "sent": sum(p.sent for p in pairs),
        "received": sum(p.received for p in pairs),
        "lost": sum(p.lost for p in pairs),
        "duplicates": sum(p.duplicates for p in pairs),
        "longest-gap": max((p["longest-gap"] for p in missing), default=0.0),
        "rtt": engine.rtt(),
        "duration": round(engine.duration, 3),
        "worst-send-delay": round(engine.worst_delay * 1e3, 1),
        "stopped-early": engine.stop,
        "missing": missing,
    }
    if schedule.rounds != 1:
        report["per-pair"] = [p.report(interval) for p in pairs]
    return report


def complete(report):
    """Whether everything sent was answered, in all pairs."""
    pairs = report["pairs"]
    return pairs["forward"] == pairs["reverse"] == pairs["expected"]


class _Engine:
    def __init__(self, state, pairs, schedule):
        self._pairs, self._schedule = pairs, schedule
        self._identifier = os.getpid() & 0xFFFF
        self._mark = os.urandom(8)
        self._sockets, self._by_number = {}, {}
        self._epoll = select.epoll()
        self._histogram = []
        self.stop = False
        self.duration = self.worst_delay = 0.0  # seconds
        try:
            for endpoint in state.fabric.endpoints:
                self._open(state.namespace_of(endpoint), endpoint)
        except BaseException:
            self.close()
            raise

    def close(self):
        for handle in self._sockets.values():
            handle.close()
        self._epoll.close()

    def run(self, progress):
        schedule, pairs = self._schedule, self._pairs
        step = schedule.spread(len(pairs)) / max(len(pairs), 1)
        start = time.monotonic()
        number, shown = 0, start
        while pairs and not self.stop and (schedule.rounds is None or number < schedule.rounds):
            for index in range(len(pairs)):
                due = start + number * schedule.interval + index * step
                self._receive_until(due)
                if self.stop:
                    break
                now = time.monotonic()
                self.worst_delay = max(self.worst_delay, now - due)
                self._send(index)
                if now - shown > 5:
                    shown = now
                    progress(sum(p.sent for p in pairs), sum(p.received for p in pairs))
            number += 1
            if number == 1 and schedule.rounds != 1:  # tells the caller that requests are being sent
                progress(sum(p.sent for p in pairs), sum(p.received for p in pairs))
        deadline = time.monotonic() + schedule.timeout
        while any(p.waiting for p in pairs) and (now := time.monotonic()) < deadline:
            self._receive_until(min(deadline, now + 0.02))
        self.duration = time.monotonic() - start

    def rtt(self):
        """Round-trip times, ms."""
        if not self._histogram:
            return None
        ordered = sorted(self._histogram)
        return {"min": round(ordered[0], 3), "median": round(statistics.median(ordered), 3),
                "p99": round(ordered[int(len(ordered) * 0.99)], 3), "max": round(ordered[-1], 3)}

    def _open(self, namespace, endpoint):
        with netns.inside(namespace):
            handle = socket.socket(endpoint.family, socket.SOCK_RAW, ECHO[endpoint.family].protocol)
        self._sockets[endpoint.address] = handle
        self._by_number[handle.fileno()] = handle
        handle.setblocking(False)
        handle.setsockopt(*ECHO[endpoint.family].filter)
        freebind(handle)
        handle.bind((endpoint.address, 0))
        self._epoll.register(handle.fileno(), select.EPOLLIN)

    def _send(self, index):
        pair = self._pairs[index]
        sequence, now = pair.sent, time.monotonic_ns()
        pair.sent += 1
        pair.waiting[sequence] = now
        packet = echo_request(ECHO[pair.source.family], self._identifier, sequence, PAYLOAD.pack(self._mark, index, sequence, now))
        try:
            self._sockets[pair.source.address].sendto(packet, (pair.destination.address, 0))
        except OSError as error:
            # without its bridge the sender has no address and no route
            pair.reason = "host-not-ready" if error.errno in NOT_READY else os.strerror(error.errno)

    def _receive_until(self, due):
        """Receive answers until this time; polls at least once."""
        while True:
            left = due - time.monotonic()
            ready = self._epoll.poll(min(left, STOP_LATENCY) if left > 0.0005 else 0)
            for number, _ in ready:
                self._drain(self._by_number[number])
            if time.monotonic() >= due or self.stop:
                return
            if not ready and left <= 0.0005:
                time.sleep(max(due - time.monotonic(), 0))
                return

    def _drain(self, handle):
        with contextlib.suppress(BlockingIOError):
            while True:
                packet, sender = handle.recvfrom(2048)
                self._take(packet[(packet[0] & 0xF) * 4:] if handle.family == socket.AF_INET else packet, sender)

    def _take(self, message, sender):
        now = time.monotonic_ns()
        body = message[8:]
        if len(body) < PAYLOAD.size:
            return
        mark, index, sequence, sent = PAYLOAD.unpack_from(body)
        if mark != self._mark:
            return
        pair = self._pairs[index]
        if sender[0] != pair.destination.address:
            return
        if pair.waiting.pop(sequence, None) is None:
            pair.duplicates += 1
            return
        pair.received += 1
        if len(self._histogram) < 1_000_000:
            self._histogram.append((now - sent) / 1e6)


@contextlib.contextmanager
def stoppable(engine):
    """SIGINT and SIGTERM set engine.stop instead of ending the process."""
    def stop(*_):
        engine.stop = True
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def freebind(handle):
    """Its address may come later, with the bridge."""
    if handle.family == socket.AF_INET6:
        handle.setsockopt(socket.IPPROTO_IPV6, IPV6_FREEBIND, 1)
    else:
        handle.setsockopt(socket.IPPROTO_IP, IP_FREEBIND, 1)


def echo_request(echo, identifier, sequence, payload):
    """Of IPv6 without checksum, which covers addresses too; the kernel adds it."""
    head = struct.pack("!BBHHH", echo.request, 0, 0, identifier, sequence & 0xFFFF)
    total = checksum(head + payload) if echo.protocol == socket.IPPROTO_ICMP else 0
    return struct.pack("!BBHHH", echo.request, 0, total, identifier, sequence & 0xFFFF) + payload


def checksum(data):
    """The Internet checksum of RFC 1071."""
    data += bytes(len(data) % 2)
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def text(report):
    """The report for people."""
    pairs = report["pairs"]
    lines = [f"{report['fabric']}: forward {pairs['forward']} and reverse {pairs['reverse']} of {pairs['expected']} pairs, "
             f"{report['sent']} sent, {report['lost']} lost, {report['duplicates']} duplicates, {report['duration']} s"]
    if report["rtt"]:
        lines[0] += ", rtt {min}/{median}/{p99}/{max} ms (min/median/p99/max)".format(**report["rtt"])
    for pair in report["missing"][:20]:
        gap = f", longest gap {pair['longest-gap']} ms" if pair["longest-gap"] else ""
        lines.append(f"  {pair['from']} -> {pair['to']}: {pair['lost']} of {pair['sent']} lost ({pair['reason']}){gap}")
    if len(report["missing"]) > 20:
        lines.append(f"  and {len(report['missing']) - 20} pairs more (--json lists all)")
    lines += losses.text(report)
    return "\n".join(lines)
