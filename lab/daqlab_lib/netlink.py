"""The little of rtnetlink the lab needs, without a process per change."""
import errno
import os
import socket
import struct
from dataclasses import dataclass

from . import netns
from .fabric import family_of

RTM_NEWLINK, RTM_DELLINK, RTM_GETLINK, RTM_NEWADDR, RTM_NEWROUTE = 16, 17, 18, 20, 24
RTM_NEWQDISC, RTM_DELQDISC, RTM_GETQDISC, TC_H_ROOT = 36, 37, 38, 0xFFFFFFFF
TCA_STATS2, TCA_STATS_QUEUE = 7, 3
SOCK_DIAG, SOCK_DIAG_BY_FAMILY, PACKET_SHOW_MEMINFO, PACKET_DIAG_MEMINFO, MEMINFO_DROPS = 4, 20, 0x10, 6, 8
NLMSG_ERROR, NLMSG_DONE = 2, 3
REQUEST, ACK, DUMP, REPLACE, CREATE = 0x1, 0x4, 0x300, 0x100, 0x400
IFLA_ADDRESS, IFLA_IFNAME, IFLA_MTU, IFLA_TXQLEN = 1, 3, 4, 13
IFF_UP, IFF_RUNNING, IFF_NOARP, IFF_LOWER_UP = 0x1, 0x40, 0x80, 0x10000
RTMGRP_LINK, RTMGRP_TC = 1, 8
IFA_F_NODAD = 0x2
RTA_METRICS, RTAX_LOCK, RTAX_RTO_MIN, RTAX_QUICKACK, RTAX_CC_ALGO = 8, 1, 13, 15, 16


@dataclass(frozen=True)
class LinkEvent:
    gone: bool
    index: int
    name: str
    flags: int
    mtu: int  # bytes
    mac: str


class Netlink:
    """Requests to the kernel about one namespace; the socket stays in it."""

    def __init__(self, namespace, family=socket.NETLINK_ROUTE):
        with netns.inside(namespace):
            self._socket = _open(family)
        self._socket.bind((0, 0))
        self._sequence = 0

    def close(self):
        self._socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def links(self):
        """name -> LinkEvent of every interface."""
        found = {}
        for kind, body in self._request(RTM_GETLINK, DUMP, struct.pack("BxHiII", 0, 0, 0, 0, 0)):
            if kind == RTM_NEWLINK:
                event = _link(kind, body)
                found[event.name] = event
        return found

    def qdisc_drops(self, handle):
        """Index of the interface -> packets dropped by the queueing discipline of that handle, such as 2 << 16 for `2:`."""
        return {index: dropped for index, (_, dropped) in self._queues(handle).items()}

    def qdisc_waiting(self, handle):
        """The same of packets that wait in it."""
        return {index: waiting for index, (waiting, _) in self._queues(handle).items()}

    def _queues(self, handle):
        found = {}
        for kind, body in self._request(RTM_GETQDISC, DUMP, bytes(20)):
            index, number = struct.unpack_from("iI", body, 4)
            statistics = attributes(body[20:]).get(TCA_STATS2)
            if kind == RTM_NEWQDISC and number == handle and statistics:
                found[index] = struct.unpack_from("I4xI", attributes(statistics)[TCA_STATS_QUEUE])
        return found

    def packet_drops(self):
        """Packets that did not fit into the receive buffers of packet sockets; for family SOCK_DIAG."""
        request = struct.pack("BBHIIII", socket.AF_PACKET, 0, 0, 0, PACKET_SHOW_MEMINFO, 0, 0)
        memory = [attributes(body[16:])[PACKET_DIAG_MEMINFO] for _, body in self._request(SOCK_DIAG_BY_FAMILY, DUMP, request)]
        return sum(struct.unpack_from("I", m, 4 * MEMINFO_DROPS)[0] for m in memory)

    def set_link(self, index, flags=0, mask=0, mtu=None, mac=None, queue=None):
        """queue: packets that may wait to be sent."""
        body = struct.pack("BxHiII", 0, 0, index, flags, mask)
        if mtu:
            body += _attribute(IFLA_MTU, struct.pack("I", mtu))
        if queue:
            body += _attribute(IFLA_TXQLEN, struct.pack("I", queue))
        if mac:
            body += _attribute(IFLA_ADDRESS, bytes.fromhex(mac.replace(":", "")))
        self._request(RTM_NEWLINK, ACK, body)

    def add_address(self, index, address, prefix_length=None):
        """A network of its own unless a length is given. Of IPv6 without duplicate address detection, for nobody could answer."""
        family, packed = _packed(address)
        body = struct.pack("BBBBI", family, prefix_length or 8 * len(packed), IFA_F_NODAD if family == socket.AF_INET6 else 0, 0, index)
        self._request(RTM_NEWADDR, ACK | CREATE | REPLACE, body + _attribute(2, packed) + _attribute(1, packed))

    def default_route(self, index, source, rto_min, at_once, congestion_control):
        """Everything of the source's family not on another interface goes out here, without a gateway, from this source.

        TCP waits rto_min milliseconds before it sends again. at_once: it delays no acknowledgement.
        """
        table_main, protocol_static, scope_link, unicast = 254, 4, 253, 1
        family, packed = _packed(source)
        body = struct.pack("BBBBBBBBI", family, 0, 0, 0, table_main, protocol_static, scope_link, unicast, 0)
        body += _attribute(4, struct.pack("I", index)) + _attribute(7, packed)
        body += _attribute(RTA_METRICS, _attribute(RTAX_LOCK, struct.pack("I", 1 << RTAX_RTO_MIN))
                           + _attribute(RTAX_RTO_MIN, struct.pack("I", rto_min))
                           + _attribute(RTAX_QUICKACK, struct.pack("I", at_once))
                           + _attribute(RTAX_CC_ALGO, congestion_control.encode() + b"\0"))
        self._request(RTM_NEWROUTE, ACK | CREATE | REPLACE, body)

    def _request(self, kind, flags, body):
        self._sequence += 1
        header = struct.pack("IHHII", 16 + len(body), kind, REQUEST | flags, self._sequence, 0)
        self._socket.sendall(header + body)
        answers = []
        while True:
            for kind, sequence, answer in messages(self._socket.recv(1 << 18)):
                if sequence != self._sequence:
                    continue
                if kind == NLMSG_ERROR:
                    code = -struct.unpack_from("i", answer)[0]
                    if code:
                        raise OSError(code, os.strerror(code))
                    return answers
                if kind == NLMSG_DONE:
                    return answers
                answers.append((kind, answer))


class _Monitor:
    """Messages of one group from one namespace, to be used with epoll."""

    def __init__(self, namespace, group):
        with netns.inside(namespace):
            self._socket = _open()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        self._socket.bind((0, group))
        self._socket.setblocking(False)

    def fileno(self):
        return self._socket.fileno()

    def close(self):
        self._socket.close()

    def _waiting(self):
        """(type, body) of each; None when some were lost."""
        found = []
        while True:
            try:
                data = self._socket.recv(1 << 18)
            except BlockingIOError:
                return found
            except OSError as error:
                if error.errno == errno.ENOBUFS:
                    return None
                raise
            found += [(kind, body) for kind, _, body in messages(data)]


class LinkMonitor(_Monitor):
    def __init__(self, namespace):
        super().__init__(namespace, RTMGRP_LINK)

    def events(self):
        """What is waiting; None when events were lost and the links must be listed again."""
        found = self._waiting()
        return None if found is None else [_link(kind, body) for kind, body in found if kind in (RTM_NEWLINK, RTM_DELLINK)]


class QdiscMonitor(_Monitor):
    def __init__(self, namespace):
        super().__init__(namespace, RTMGRP_TC)

    def removed(self):
        """Whether an interface may have lost what limited it since the last time."""
        found = self._waiting()
        return found is None or any(kind == RTM_DELQDISC and struct.unpack_from("I", body, 12)[0] == TC_H_ROOT for kind, body in found)


def _open(family=socket.NETLINK_ROUTE):
    return socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, family)


def _packed(address):
    family = family_of(address)
    return family, socket.inet_pton(family, address)


def _attribute(kind, value):
    return struct.pack("HH", 4 + len(value), kind) + value + bytes(-len(value) % 4)


def messages(data):
    """(type, sequence, body) of each message in a datagram."""
    while len(data) >= 16:
        length, kind, _, sequence, _ = struct.unpack_from("IHHII", data)
        yield kind, sequence, data[16:length]
        data = data[(length + 3) & ~3:]


def attributes(data):
    """number -> value of those one after another in the data; a nested one is such data itself."""
    found, at = {}, 0
    while at + 4 <= len(data):
        length, number = struct.unpack_from("HH", data, at)
        if length < 4:
            break
        found[number & 0x3FFF] = data[at + 4:at + length]
        at += (length + 3) & ~3
    return found


def _link(kind, body):
    _, _, index, flags, _ = struct.unpack_from("BxHiII", body)
    values = attributes(body[16:])
    name = values.get(IFLA_IFNAME, b"\0")[:-1].decode()
    mtu = struct.unpack("I", values[IFLA_MTU])[0] if IFLA_MTU in values else 0
    return LinkEvent(kind == RTM_DELLINK, index, name, flags, mtu, values.get(IFLA_ADDRESS, b"").hex(":"))
