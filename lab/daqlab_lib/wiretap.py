"""Counts the messages a controller sends its switches, and those that change something, by packet capture."""
import contextlib
import socket
import struct
import threading

from . import control, netns

# OpenFlow 1.3: flow-mod, group-mod, port-mod, table-mod, meter-mod, bundles
MODIFICATIONS = {14, 15, 16, 17, 29, 33, 34}
CHANGES = MODIFICATIONS | {13, 24}  # packet-out, role
ETH_P_ALL = 3
SO_RCVBUFFORCE = 33
BUFFER = 32 << 20  # bytes


class Wiretap:
    """Counts while its context is open.

    `modifications` are messages that change what a switch or its OVSDB server holds, `changes` these and what only an active
    controller sends (cabling checks, roles), `messages` all of them.
    """

    def __init__(self, controller):
        self._controller = controller
        self._lock = threading.Lock()
        self._streams = {}
        self._messages = self._changes = self._modifications = 0

    def __enter__(self):
        with netns.inside(self._controller.namespace):
            self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        self._socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, BUFFER)
        self._socket.settimeout(0.2)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *unused):
        self._stop.set()
        self._thread.join()
        self._socket.close()

    @property
    def changes(self):
        with self._lock:
            return self._changes

    @property
    def modifications(self):
        with self._lock:
            return self._modifications

    @property
    def messages(self):
        with self._lock:
            return self._messages

    def _listen(self):
        while not self._stop.is_set():
            with contextlib.suppress(TimeoutError):
                frame, (_, _, kind, *_) = self._socket.recvfrom(65536)
                if kind == socket.PACKET_OUTGOING:
                    self._inspect(frame)

    def _inspect(self, frame):
        if frame[12:14] != b"\x08\x00" or frame[23] != socket.IPPROTO_TCP:
            return
        ip = frame[14:14 + struct.unpack("!H", frame[16:18])[0]]
        tcp = ip[(ip[0] & 15) * 4:]
        source, _, sequence = struct.unpack("!HHI", tcp[:8])
        payload = tcp[(tcp[12] >> 4) * 4:]
        if not payload:
            return
        if source == control.OVSDB_PORT:
            changes = (b'"insert"', b'"update"', b'"mutate"', b'"delete"')
            changed = b'"transact"' in payload and any(word in payload for word in changes)
            self._count(changed, changed)
        elif source == control.OPENFLOW_PORT:
            self._openflow((ip[16:20], tcp[2:4]), sequence, payload)

    def _openflow(self, stream, sequence, payload):
        """Messages begin where the last one ended; of a stream that began earlier, where a segment begins like one."""
        due = self._streams.get(stream, sequence)
        offset = (due - sequence) & 0xFFFFFFFF
        if offset > 1 << 31:  # the capture lost something: begin again
            offset = 0
        while offset + 8 <= len(payload):
            version, kind, length = struct.unpack("!BBH", payload[offset:offset + 4])
            if version != 4 or length < 8:
                return
            self._count(kind in CHANGES, kind in MODIFICATIONS)
            offset += length
        self._streams[stream] = (sequence + offset) & 0xFFFFFFFF

    def _count(self, changed, modified):
        with self._lock:
            self._messages += 1
            self._changes += changed
            self._modifications += modified
