"""Messages between DCMs and ROS. The response header has the 12 bytes that equation (A.10) counts."""
import struct

PORT = 7420              # TCP, of every ROS
REQUEST = struct.Struct("!II")     # event, fragments wanted of it
RESPONSE = struct.Struct("!III")   # event, fragments that follow, bytes that follow
MAX_FRAGMENTS = 1 << 20  # per request


def response_size(fragments, size):
    """Bytes of the answer to a request for a number of fragments."""
    return RESPONSE.size + fragments * size
