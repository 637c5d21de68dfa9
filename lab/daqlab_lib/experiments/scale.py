"""The sizes all experiments share."""
from ..capacity import Capacity
from ..events import Load
from ..events.goodput import ROS_HEADER

MTU = 1500
SEGMENT = MTU - 52            # bytes of data in a full TCP segment: its headers have the timestamps option
WIRE = MTU + 38               # bytes of a full packet on the wire
DAQRING_SIZE = 4096           # packets, section 6.3
PROTOTYPE = dict(pods=2, ros=3, racks=3, dcms=8, capacity=10)  # Fig. 6.7a: 6 ROS, 48 DCMs
# Deep buffers in the switches, which are servers, and shallow ones in network cards of the edge hosts (section 6.3.1)
LINKS = Capacity(rate=2.5, buffer=1000, edge_buffer=8)
RTO_MIN = 2000                # ms: nine events, as far from them as 200 ms were in the thesis from its 5 to 20 ms


def fragment(segments):
    """Bytes of a fragment whose response fills so many segments."""
    return segments * SEGMENT - ROS_HEADER


def rack_share(planes):
    """Mbit/s that each DCM of a rack of the prototype has of the rack's uplinks, one in each plane."""
    return LINKS.rate * planes / PROTOTYPE["dcms"]


def interval(rate, burst=1):
    """Microseconds between bursts of full packets at a rate in Mbit/s on the wire."""
    return round(burst * WIRE * 8 / rate)


def limited(rate, burst=1, size=DAQRING_SIZE, on="all-switches"):
    """Policy of daqrings with a limit in Mbit/s."""
    return {"on": on, "ring-size": size, "max-burst": burst, "polling-interval": interval(rate, burst)}


LOAD = Load(size=fragment(2), rto_min=RTO_MIN)  # of the prototype
