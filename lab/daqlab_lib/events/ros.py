"""All readout nodes: each answers a request with the wanted number of fragments of a fixed size."""
import errno
import select
from collections import deque

from ..errors import LabError
from . import sockets, tcp, wire

BACKLOG = 4096  # connections that wait to be accepted


class _Connection:
    __slots__ = ("handle", "asked", "answers", "offset")

    def __init__(self, handle):
        self.handle = handle
        self.asked = b""        # of a request that is not whole yet
        self.answers = deque()  # (header, bytes in all), the first being sent
        self.offset = 0         # of the first


class Readout:
    def __init__(self, current, load, _config):
        self.epoll = select.epoll()
        self._size, self._first = load.size, wire.full_segment(current.mtu)
        largest = max(wire.response_size(load.fragments, load.size), self._first)
        self._payload = memoryview(bytes(largest))
        self._listeners, self._connections = {}, {}
        for end in load.of(current.fabric, "ros"):
            listener = sockets.make(current, end, lambda family: tcp.open_socket(load.congestion, family))
            tcp.hold_whole(listener, largest)  # connections take it over, as they do the congestion control
            sockets.bind(listener, end, wire.PORT)
            listener.listen(BACKLOG)
            self._listeners[listener.fileno()] = listener
            self.epoll.register(listener.fileno(), select.EPOLLIN)

    def patience(self):
        return 60.0

    def tick(self):
        pass

    def answer(self, _line):
        retransmits, timeouts = tcp.counters(c.handle for c in self._connections.values())
        return {"retransmits": retransmits, "timeouts": timeouts}

    def handle(self, number, mask):
        if number in self._listeners:
            self._accept(self._listeners[number])
            return
        connection = self._connections[number]
        try:
            if mask & select.EPOLLIN:
                self._read(connection)
            self._write(connection)
        except ConnectionError:
            self._close(number)

    def _accept(self, listener):
        handle, _ = listener.accept()
        handle.setblocking(False)
        self._connections[handle.fileno()] = _Connection(handle)
        self.epoll.register(handle.fileno(), select.EPOLLIN)

    def _read(self, connection):
        data = connection.handle.recv(65536)
        if not data:
            raise ConnectionResetError
        data = connection.asked + data
        whole = len(data) // wire.REQUEST.size * wire.REQUEST.size
        for event, fragments in wire.REQUEST.iter_unpack(data[:whole]):
            size = fragments * self._size if fragments else self._first - wire.RESPONSE.size
            if wire.RESPONSE.size + size > len(self._payload):
                raise LabError(f"a DCM asks for {fragments} fragments of event {event}, more than there are")
            connection.answers.append((wire.RESPONSE.pack(event, fragments, size), wire.RESPONSE.size + size))
        connection.asked = data[whole:]

    def _write(self, connection):
        """As much as the send buffer takes; epoll reports when it takes more."""
        answers = connection.answers
        while answers:
            header, size = answers[0]
            rest = self._payload[max(connection.offset, len(header)):size]
            try:
                connection.offset += connection.handle.sendmsg([header[connection.offset:], rest])
            except OSError as error:
                if error.errno != errno.EAGAIN:
                    raise
            if connection.offset < size:
                self.epoll.modify(connection.handle.fileno(), select.EPOLLIN | select.EPOLLOUT)
                return
            answers.popleft()
            connection.offset = 0
        self.epoll.modify(connection.handle.fileno(), select.EPOLLIN)

    def _close(self, number):
        self.epoll.unregister(number)
        self._connections.pop(number).handle.close()
