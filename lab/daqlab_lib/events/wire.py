"""Messages between DCMs and ROS. The response header has the 12 bytes that equation (A.10) counts."""
import struct

PORT = 7420              # TCP, of every ROS
REQUEST = struct.Struct("!II")     # event, fragments wanted of it; 0, 0: a full segment, before events
AHEAD = b"\0"                      # the first byte of a request: no run reaches event 2^24
RESPONSE = struct.Struct("!III")   # event, fragments that follow, bytes that follow
MAX_FRAGMENTS = 1 << 20  # per request


def response_size(fragments, size):
    """Bytes of the answer to a request for a number of fragments."""
    return RESPONSE.size + fragments * size


def full_segment(mtu):
    """Bytes of data in it, which are the answer to the request for one: IP and TCP take 52 B with timestamps."""
    return mtu - 52
