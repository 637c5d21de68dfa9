"""Figures 5.8 and 5.10: daqrings too small for one event.

Only the daqrings have a limit, in one switch between ROS and DCMs; links are as fast as the machine.
"""
from ..events import Load
from ..generate import Size
from . import scale
from .results import Point
from .testbed import testbed

REPEATS = 3
PARTS = (0.25, 0.5, 0.75, 0.9, 1.0, 1.25, 2.0)  # of one event, which the daqring holds
FROM = 0.5  # with 110 flows: with less hardly any event completes


def many_dcms(lab, say):
    """Figure 5.8: 11 ROS, 12 DCMs, each daqring limited; the thesis had 144 DCMs."""
    segments, rate, dcms = 4, 3.0, 12
    load = Load(size=scale.fragment(segments), rto_min=scale.RTO_MIN)
    size = Size("ring-size", planes=1, spines=1, pods=1, ros=11, racks=3, dcms=4, capacity=10)
    return _sizes(lab, size, load, 11 * segments, PARTS, rate, dcms, 4.0, say)


def one_dcm(lab, say):
    """Figure 5.10: one DCM and 110 ROS applications on 11 hosts. The event takes 156 ms as in the thesis, less than TCP's 200.

    One segment each: with two Linux probes for a lost tail after twice the usual round trip, which is longer for the last flows.
    """
    segments, event = 1, 156.0
    packets = 110 * segments
    load = Load(size=scale.fragment(segments), applications=10)
    size = Size("one-dcm", planes=1, spines=1, pods=1, ros=11, racks=1, dcms=1, capacity=10)
    return _sizes(lab, size, load, packets, [part for part in PARTS if part >= FROM],
                  packets * scale.WIRE * 8 / event / 1e3, 1, 5.0, say)


def _sizes(lab, size, load, packets, parts, rate, dcms, seconds, say):
    points = []
    with testbed(*lab, size) as bed:
        for part in parts:
            ring = max(1, round(part * packets))
            bed.arrange(scale.limited(rate, size=ring, on="destination-leaf"))
            found = bed.measure(load, seconds, REPEATS, dcms * rate)
            serialisation = packets * scale.interval(rate) / 1e3
            points.append(Point({"ring-size": ring, "of-event": part, "event-packets": packets, "serialisation": serialisation}, found))
            say(f"daqrings of {ring} packets, {part:g} of an event", points[-1])
    return points
