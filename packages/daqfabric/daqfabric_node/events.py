"""What the kernel says about interfaces, addresses, routes and neighbours (rtnetlink(7))."""
import socket
import struct

GROUPS = 0x1 | 0x4 | 0x10 | 0x40 | 0x100 | 0x400  # link, neighbours, addresses and routes of IPv4 and IPv6
BUFFER = 1 << 20
NEW_LINK, DEL_LINK, NEW_ADDRESS, DEL_ADDRESS, NEW_ROUTE, DEL_ROUTE, NEW_NEIGHBOUR, DEL_NEIGHBOUR = 16, 17, 20, 21, 24, 25, 28, 29
HEADER = struct.Struct("=IHHII")
OUT_INTERFACE, MULTIPATH = 4, 9  # RTA_OIF, RTA_MULTIPATH
PERMANENT = 0x80  # NUD_PERMANENT


class Events:
    """A socket for select()."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_NONBLOCK, socket.NETLINK_ROUTE)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        self.socket.bind((0, GROUPS))

    def fileno(self):
        return self.socket.fileno()

    def concern(self, indices):
        """Reads all that waits: whether some of it may concern the interfaces of these indices, or any link."""
        found = False
        while True:
            try:
                found |= concerns(self.socket.recv(1 << 16), indices)
            except BlockingIOError:
                return found
            except OSError:  # some were lost
                found = True


def concerns(data, indices):
    """Whether a message of the kernel may concern one of the interfaces. Those of links do: one may be new."""
    offset = 0
    while offset + HEADER.size <= len(data):
        length, kind, *_ = HEADER.unpack_from(data, offset)
        if length < HEADER.size:
            return True
        body = data[offset + HEADER.size:offset + length]
        offset += (length + 3) & ~3
        if kind in (NEW_LINK, DEL_LINK):
            return True
        if kind in (NEW_ADDRESS, DEL_ADDRESS, NEW_NEIGHBOUR, DEL_NEIGHBOUR) and len(body) >= 8:
            if struct.unpack_from("=I", body, 4)[0] in indices and not _is_passing(kind, body):
                return True
        elif kind in (NEW_ROUTE, DEL_ROUTE) and _out(body, indices):
            return True
    return False


def _is_passing(kind, body):
    """A neighbour that the kernel has learned."""
    return kind in (NEW_NEIGHBOUR, DEL_NEIGHBOUR) and len(body) >= 10 and not struct.unpack_from("=H", body, 8)[0] & PERMANENT


def _out(body, indices):
    """Whether a route leads over one of the interfaces."""
    offset = 12
    while offset + 4 <= len(body):
        length, kind = struct.unpack_from("=HH", body, offset)
        if kind == MULTIPATH or length < 4 or (kind == OUT_INTERFACE and struct.unpack_from("=I", body, offset + 4)[0] in indices):
            return True
        offset += (length + 3) & ~3
    return False
