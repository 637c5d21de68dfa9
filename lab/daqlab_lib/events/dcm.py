"""All data collection managers, and the supervisor that gives them events.

A DCM asks the ROS of an event for its fragments, one request each, the first of them another one for each event. With
credits a request waits until all its fragments are covered; a ROS that has more fragments than there are credits is asked
in parts. Requests to a ROS follow each other on one connection, and are answered in their order.
"""
import json
import math
import random
import select
import time
from collections import deque

from ..errors import LabError
from . import sockets, tcp, wire
from .shared_window import SharedWindow

CONNECT = 20.0    # seconds for all connections to come up
OPENING = 8       # connections at a time: a small daqring has no room for the answers to all
BUFFER = 1 << 20  # bytes read at once
OUTSTANDING = 8   # events a DCM may have; what the supervisor has beyond is refused
SEED = 6          # of what is accepted after the first stage


class _Event:
    __slots__ = ("number", "dcm", "begin", "missing", "later", "size")

    def __init__(self, number, dcm):
        self.number, self.dcm = number, dcm
        self.begin = time.monotonic()
        self.missing = 0   # responses
        self.later = ()    # connections of the second stage
        self.size = 0      # bytes of event data so far


class _Connection:
    __slots__ = ("handle", "dcm", "ros", "waiting", "need", "header", "window", "ahead")

    def __init__(self, handle, dcm, ros):
        self.handle, self.dcm, self.ros = handle, dcm, ros
        self.window = math.inf  # segments it may have in flight; not limited
        self.ahead = False      # the next request's first byte is under way
        self.waiting = deque()  # (event, fragments), in the order they were asked
        self.need = 0           # bytes missing of the first
        self.header = b""       # of the first, as far as it has come


class _Dcm:
    __slots__ = ("end", "connections", "credits", "window", "requests", "outstanding")

    def __init__(self, end, load):
        self.end = end
        self.connections = []
        self.credits = load.credits or math.inf
        self.window = SharedWindow(load.gwnd) if load.gwnd else None
        self.requests = deque()  # (connection, event, fragments) that wait for credits, or for their part of the window
        self.outstanding = 0     # events


class Collection:
    def __init__(self, current, load, config):
        self.epoll = select.epoll()
        self._load, self._mtu = load, current.mtu
        self._clamps = load.window or load.gwnd
        self._segment = wire.full_segment(current.mtu)  # bytes
        log = config.get("log")
        self._log = open(log, "w", encoding="utf-8", buffering=1) if log else None  # noqa: SIM115  (open as long as this is)
        self._buffer = memoryview(bytearray(BUFFER))
        self._random = random.Random(SEED)
        self._dcms = [_Dcm(end, load) for end in load.of(current.fabric, "dcm")]
        self._connections = {}
        self._events = set()   # incomplete
        self._number = self._due = self._refused = 0
        self._done = []        # [Unix time, ms, bytes, whether all ROS were asked]
        self._running = False
        self._connect(current, load.of(current.fabric, "ros"))

    def patience(self):
        return max(0.0, self._due - time.monotonic()) if self._running and self._load.rate else 60.0

    def tick(self):
        """The supervisor: events that are due, to the DCM with the fewest."""
        if not (self._running and self._load.rate):
            return
        now = time.monotonic()
        while self._due <= now:
            self._due += 1 / self._load.rate
            first = self._number % len(self._dcms)  # of those with equally few each in its turn
            dcm = min(self._dcms[first:] + self._dcms[:first], key=lambda d: d.outstanding)
            if dcm.outstanding < OUTSTANDING:
                self._begin(dcm)
            else:
                self._refused += 1

    def answer(self, line):
        if line == "go":
            self._running, self._due = True, time.monotonic()
            for dcm in self._dcms if not self._load.rate else ():
                self._begin(dcm)
        elif line == "finish":  # no new events
            self._running = False
        elif line == "events":
            now = time.monotonic()
            return {"events": self._done, "refused": self._refused,
                    "unfinished": [round((now - e.begin) * 1e3, 3) for e in self._events]}
        retransmits, timeouts = tcp.counters(c.handle for c in self._connections.values())
        return {"retransmits": retransmits, "timeouts": timeouts, "incomplete": len(self._events)}

    def handle(self, number, _mask):
        """Reads up to the end of a response at most, so that none begins inside of what is read."""
        connection = self._connections[number]
        try:
            size = connection.handle.recv_into(self._buffer, min(connection.need, BUFFER) or 1)
        except BlockingIOError:
            return
        except OSError as error:
            raise LabError(f"{connection.dcm.end.name}: a connection to a ROS broke: {error.strerror}") from error
        if not size or not connection.waiting:
            raise LabError(f"{connection.dcm.end.name}: a ROS closed its connection or sent an unrequested response")
        missing = wire.RESPONSE.size - len(connection.header)
        if missing:
            connection.header += bytes(self._buffer[:min(size, missing)])
        connection.need -= size
        if connection.need:
            self._wake_when_there(connection)
        else:
            self._received(connection)

    def _connect(self, current, readouts):
        waiting = deque((dcm, ros) for dcm in self._dcms for ros in readouts for _ in range(self._load.applications))
        opening = {}
        deadline = time.monotonic() + CONNECT
        while (waiting or opening) and (left := deadline - time.monotonic()) > 0:
            while waiting and len(opening) < OPENING:
                dcm, readout = waiting.popleft()
                opening[self._open(current, dcm, readout)] = readout
            for number, mask in self.epoll.poll(left):
                try:
                    if self._is_open(self._connections[number], mask):
                        del opening[number]
                except OSError:
                    deadline = 0.0
        if opening:
            number, readout = next(iter(opening.items()))
            raise LabError(f"{len(opening) + len(waiting)} of {len(self._connections) + len(waiting)} connections did not come up, such as "
                           f"{self._connections[number].dcm.end.name} to {readout.name}: try `daqlab ping {current.name}`")

    def _open(self, current, dcm, readout):
        """Begins a connection; returns its number."""
        handle = sockets.make(current, dcm.end, self._socket)
        sockets.bind(handle, dcm.end, 0)
        handle.connect_ex((readout.address, wire.PORT))
        connection = _Connection(handle, dcm, readout)
        dcm.connections.append(connection)
        self._connections[handle.fileno()] = connection
        self.epoll.register(handle.fileno(), select.EPOLLOUT)
        return handle.fileno()

    def _is_open(self, connection, mask):
        """One whose window is to be clamped has a full segment first, for that makes the kernel forget a clamp."""
        if connection.need:
            connection.need -= len(connection.handle.recv(connection.need))
            if not connection.need:  # with window for the rest of the first request: see _before_end
                connection.handle.send(wire.AHEAD)
                connection.ahead = True
        elif mask & select.EPOLLOUT:
            error = connection.handle.getsockopt(tcp.socket.SOL_SOCKET, tcp.socket.SO_ERROR)
            if error:
                raise OSError(error, "connect")
            self.epoll.modify(connection.handle.fileno(), select.EPOLLIN)
            if self._clamps:
                connection.need = self._segment
                connection.handle.send(wire.REQUEST.pack(0, 0))
        return not connection.need

    def _socket(self, family):
        handle = tcp.open_socket(self._load.congestion, family)
        if self._clamps:
            tcp.let_clamp(handle)
        return handle

    def _begin(self, dcm):
        self._number += 1
        event = _Event(self._number, dcm)
        self._events.add(event)
        dcm.outstanding += 1
        first = self._number % len(dcm.connections)
        connections = dcm.connections[first:] + dcm.connections[:first]
        stage = math.ceil(self._load.l2 * len(connections)) or len(connections)
        event.later = connections[stage:]
        self._ask(event, connections[:stage])

    def _ask(self, event, connections):
        dcm = event.dcm
        part = min(self._load.fragments, self._load.credits or self._load.fragments)
        for connection in connections:
            for start in range(0, self._load.fragments, part):
                dcm.requests.append((connection, event, min(part, self._load.fragments - start)))
                event.missing += 1
        self._send(dcm)

    def _send(self, dcm):
        while dcm.requests and dcm.requests[0][2] <= dcm.credits:
            connection, event, fragments = dcm.requests[0]
            if dcm.window and not dcm.window.take(connection, len({each[0] for each in dcm.requests})):
                return
            dcm.requests.popleft()
            dcm.credits -= fragments
            self._set_window(connection)
            connection.waiting.append((event, fragments))
            if len(connection.waiting) == 1:
                self._expect(connection)
            connection.handle.send(wire.REQUEST.pack(event.number, fragments)[connection.ahead:])
            connection.ahead = False

    def _set_window(self, connection):
        shared = connection.dcm.window
        self._clamp(connection, self._load.window or (shared.part(connection) if shared else math.inf))

    def _clamp(self, connection, segments):
        if segments != connection.window:
            connection.window = segments
            tcp.clamp(connection.handle, segments, self._mtu)

    def _before_end(self, connection):
        """Bytes to wait for, so that the last acknowledgements leave the connection the window to begin the next response with.

        TCP takes less window from no other packet, unless that follows one with data.
        """
        fair = max(1, self._load.gwnd // len(connection.dcm.connections))
        if connection.window <= fair or len(connection.waiting) > 1:
            return connection.need
        more = connection.need - connection.window * self._segment
        if more > 0:
            return more
        self._clamp(connection, fair)  # all that is missing is on its way
        return connection.need

    def _expect(self, connection):
        connection.need = wire.response_size(connection.waiting[0][1], self._load.size)
        connection.header = b""
        self._wake_when_there(connection)

    def _wake_when_there(self, connection):
        """Not for every packet: only when all that is missing has come, or the kernel's buffer is full, or it ends soon."""
        wanted = self._before_end(connection) if connection.dcm.window else connection.need
        connection.handle.setsockopt(tcp.socket.SOL_SOCKET, tcp.SO_RCVLOWAT, min(wanted, BUFFER))

    def _received(self, connection):
        event, fragments = connection.waiting.popleft()
        if wire.RESPONSE.unpack(connection.header) != (event.number, fragments, fragments * self._load.size):
            raise LabError(f"{connection.dcm.end.name}: a ROS answered what was not asked: {connection.header.hex()}")
        if connection.waiting:
            self._expect(connection)
        elif event.dcm.window:
            event.dcm.window.give_back(connection)
        event.missing -= 1
        event.size += fragments * self._load.size
        event.dcm.credits += fragments
        if event.missing:
            self._send(event.dcm)
        else:
            self._complete(event)
        for grown in event.dcm.window.grow() if event.dcm.window else ():
            if grown.need > grown.window * self._segment:  # else all that is missing may come already
                self._set_window(grown)
                self._wake_when_there(grown)

    def _complete(self, event):
        """A stage of it."""
        if event.later and self._random.random() < self._load.accept:
            later, event.later = event.later, ()
            self._ask(event, later)
            return
        taken = round((time.monotonic() - event.begin) * 1e3, 3)
        at = round(time.time(), 6)
        self._done.append([at, taken, event.size, not event.later])
        if self._log:
            line = {"at": at, "event": event.number, "dcm": event.dcm.end.name, "ms": taken, "bytes": event.size}
            self._log.write(json.dumps(line) + "\n")
        self._events.discard(event)
        event.dcm.outstanding -= 1
        self._send(event.dcm)
        if self._running and not self._load.rate:
            self._next(event.dcm)

    def _next(self, dcm):
        """A DCM has an event less."""
        self._begin(dcm)
