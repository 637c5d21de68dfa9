"""Theoretical goodput: what of a link's bits can be event data, equations (A.8) to (A.12) of the thesis.

(A.11) leaves the 12 bytes of the ROS header out of the last segment; they are counted here.
"""
FRAME, ROS_HEADER = 78, 12  # bytes: gap, preamble, Ethernet, IP and TCP of a frame; of a response
SMALLEST = 6                # bytes of TCP payload; a frame with less is padded


def wire_bytes(fragment_bytes, mtu=1500):
    """Bytes that one ROS's part of an event takes on a link."""
    segment = mtu - 40
    payload = fragment_bytes + ROS_HEADER
    frames = -(-payload // segment)
    last = payload - (frames - 1) * segment
    return fragment_bytes + frames * FRAME + ROS_HEADER + max(0, SMALLEST - last)


def efficiency(fragment_bytes, mtu=1500):
    """Event bytes per byte on the wire; fragment_bytes: of one ROS and event."""
    return fragment_bytes / wire_bytes(fragment_bytes, mtu)
