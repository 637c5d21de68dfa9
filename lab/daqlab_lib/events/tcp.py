"""TCP sockets of the emulators, and the kernel's counters of them."""
import socket
import struct

from .. import netns
from . import wire

SO_SNDBUFFORCE, SO_RCVBUFFORCE, SO_RCVLOWAT = 32, 33, socket.SO_RCVLOWAT
MIN_BUFFER = 1 << 18       # bytes
SCALED = 1 << 17           # bytes; with a smaller clamp a socket that connects has no window scale
SHRINK = "net.ipv4.tcp_shrink_window"
PROBES = "net.ipv4.tcp_early_retrans"  # tail loss probes
_TOTAL_RETRANS = struct.Struct("100xI")  # where they are in struct tcp_info
_TOTAL_RTO = struct.Struct("240xH")      # from Linux 6.7 on
_INFO_BYTES = 256


def open_socket(congestion, family):
    handle = socket.socket(family, socket.SOCK_STREAM)
    handle.setblocking(False)
    handle.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, congestion.encode())
    handle.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    handle.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    handle.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closed, it sends no more into the next run
    return handle


def hold_whole(handle, size):
    """A whole response fits into the send buffer: one call sends it."""
    handle.setsockopt(socket.SOL_SOCKET, SO_SNDBUFFORCE, max(MIN_BUFFER, 2 * size))


def let_clamp(handle):
    """Before it connects, in its namespace: `clamp` decides about its window, and may take back what was given.

    Linux takes window back from 6.5 on, and only of sockets with a window scale. A receive buffer that the kernel adjusts would
    take the clamp off, so it is fixed here. No request is probed for losses (`PROBES`): the acknowledgements of probes would
    be more packets on the way of the data.
    """
    netns.write_sysctl(SHRINK, 1)
    netns.write_sysctl(PROBES, 0)
    handle.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 4 * SCALED)
    handle.setsockopt(socket.IPPROTO_TCP, socket.TCP_WINDOW_CLAMP, SCALED)


def clamp(handle, segments, mtu):
    """At most this many segments in flight to this socket: its window is never larger. The first full segment lifts it."""
    handle.setsockopt(socket.IPPROTO_TCP, socket.TCP_WINDOW_CLAMP, segments * wire.full_segment(mtu))


def counters(handles):
    """(retransmitted segments, retransmission timeouts) of all; timeouts is None if the kernel has no count."""
    retransmits, timeouts = 0, 0
    for handle in handles:
        info = handle.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO_BYTES)
        retransmits += _TOTAL_RETRANS.unpack_from(info)[0]
        if len(info) < _TOTAL_RTO.size:
            timeouts = None
        elif timeouts is not None:
            timeouts += _TOTAL_RTO.unpack_from(info)[0]
    return retransmits, timeouts


def timeouts_of_namespace():
    """TcpExt TCPTimeouts of the calling thread's namespace: of all its sockets."""
    with open("/proc/thread-self/net/netstat", encoding="ascii") as file:
        names, values = (line.split() for line in file if line.startswith("TcpExt:"))
    return int(values[names.index("TCPTimeouts")])
