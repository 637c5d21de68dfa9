"""Theoretical goodput: what of a link's bits can be event data, equations (A.8) to (A.12) of the thesis.

(A.11) leaves the 12 bytes of the ROS header out of the last segment; they are counted here.
"""
from socket import AF_INET, AF_INET6

HEADERS = {AF_INET: 40, AF_INET6: 60}  # bytes: IP and TCP of a frame
ETHERNET, ROS_HEADER = 38, 12          # bytes: gap, preamble, header and checksum of a frame; of a response
SMALLEST = 46                          # bytes of an IP packet; a frame with less is padded


def wire_bytes(fragment_bytes, mtu=1500, family=AF_INET):
    """Bytes that one ROS's part of an event takes on a link."""
    headers = HEADERS[family]
    segment = mtu - headers
    payload = fragment_bytes + ROS_HEADER
    frames = -(-payload // segment)
    last = payload - (frames - 1) * segment
    return fragment_bytes + frames * (ETHERNET + headers) + ROS_HEADER + max(0, SMALLEST - headers - last)


def efficiency(fragment_bytes, mtu=1500, family=AF_INET):
    """Event bytes per byte on the wire; fragment_bytes: of one ROS and event."""
    return fragment_bytes / wire_bytes(fragment_bytes, mtu, family)
