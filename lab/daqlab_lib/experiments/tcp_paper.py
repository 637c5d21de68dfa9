"""Figures 3 and 4 of the TCP paper, and its sections IV-C and IV-D: credits, windows and buffers before one DCM.

The paper's network, fifty times slower: round trips are fifty times longer by `daqlab delay`, so that packets, fragments,
buffers, windows and credits have the paper's own sizes, and rpc incast answers for both what it says in docs/planning.md.
"""
import contextlib
from dataclasses import replace

from .. import capacity, delay, ping, profile
from ..errors import LabError
from ..events import Load
from ..events.goodput import efficiency
from ..generate import Size
from . import scale
from .results import Point
from .testbed import NONE, testbed

SLOWER = 50
LINKS = capacity.Capacity(rate=1000 / SLOWER, buffer=1000, edge_buffer=333)  # paper: 1 Gbps, 500 kB (section III-A)
RTT = 0.2 * SLOWER                # ms
BASE = 1.0                        # ms of it that packets take without delay
APPLICATIONS, ROS = 13, 11        # 143 connections, of the paper's 147 ROS
LOAD = Load(fragments=12, size=1100, applications=APPLICATIONS, rto_min=scale.RTO_MIN, first=True)
FLOWS = APPLICATIONS * ROS
INITIAL_CWND = 10                 # segments, Linux's own
WARM_UP = 5.0  # seconds: in its first event TCP has no measure of the round trip yet, and sends packets twice
SECONDS = 6.0  # and a single run of each, of 7 events: neighbours on a curve confirm each other
SIZE = Size("incast", planes=1, spines=1, pods=1, ros=ROS, racks=1, dcms=1, capacity=10)
CREDITS = (6, 12, 24, 48, 96, 192, 396, 480, 600, 900, LOAD.fragments * FLOWS)
CWNDS = (1, 2, 3, 4, INITIAL_CWND)
GWNDS = (8, 17, 34, 70, 143, 286, 340, 429, 572)
BUFFERS = (64, 128, 256, 333, 1500)  # packets
MARK_FROM = 17                    # packets in a daqring: the BDP


@contextlib.contextmanager
def network(lab, rtt=RTT):
    """(testbed, round trip in microseconds as it is measured), with no daqrings."""
    with testbed(*lab, SIZE) as bed:
        bed.run_first()
        bed.arrange(NONE, LINKS)
        profile.apply(bed.controller, bed.current, LOAD.fragments * LOAD.size)
        yield bed, far(bed, rtt)


def far(bed, rtt):
    """Puts the DCM's rack away by a round trip of so many ms; returns it in microseconds as it is measured."""
    delay.start(bed.current, rtt - BASE)
    measured = ping.run(bed.current, ping.Schedule(20, 0.1, 2.0, ping.PACE))["rtt"]["median"]
    return round(measured * 1e3)


def predict(bed, rtt, buffer=LINKS.edge_buffer, ros=FLOWS):
    """What rpc incast says of the network; buffer in packets."""
    leaves = {"ros": ros, "bandwidth": LINKS.rate / 1e3, "rtt": rtt, "buffer": buffer * scale.MTU, "mtu": scale.MTU,
              "fragment-size": LOAD.size, "initial-cwnd": INITIAL_CWND}
    found = bed.controller.rpc("daqfabric-planning", "incast", {name: str(value) for name, value in leaves.items()})
    return {name: int(value) for name, value in found.items()}


def credits(lab, say):
    """Figure 3: a DCM that has only so many fragments asked for and not received."""
    points = []
    with network(lab) as (bed, rtt):
        predicted = predict(bed, rtt)
        for number in CREDITS:
            points.append(_point(bed, "credits", number, replace(LOAD, credits=number), predicted, rtt))
            say(f"{number} credits", points[-1])
    return points


def windows(lab, say):
    """Sections IV-C and IV-D: windows that ROS lock, and one that a DCM divides among its connections."""
    points = []
    with network(lab) as (bed, rtt):
        predicted = predict(bed, rtt)
        for method, numbers in (("cwnd", CWNDS), ("gwnd", GWNDS)):
            for number in numbers:
                points.append(_point(bed, method, number, replace(LOAD, **{method: number}), predicted, rtt))
                say(f"{method} {number}", points[-1])
    return points


def buffers(lab, say):
    """Figure 4: default TCP, credits and a locked window before buffers of several sizes, and ECN with daqrings of these sizes."""
    methods = {"default TCP": {}, "96 credits": {"credits": 96}, "cwnd 2": {"cwnd": 2}, "ECN": {"ecn": True}}
    points = []
    with network(lab) as (bed, rtt):
        for method, options in methods.items():
            for buffer in BUFFERS:
                if options.get("ecn"):
                    bed.arrange(scale.limited(LINKS.rate, size=buffer, on="destination-leaf") | {"ecn-threshold": MARK_FROM - 1},
                                replace(LINKS, edge_buffer=LINKS.buffer))
                else:
                    bed.limit(replace(LINKS, edge_buffer=buffer))
                found = _measure(bed, replace(LOAD, **options))
                predicted = predict(bed, rtt, buffer)
                points.append(Point(_at(method, rtt, predicted, buffer=buffer) | {"in-flight": _in_flight(method)}, found))
                say(f"{method}, buffer of {buffer} packets", points[-1])
    return points


def _at(method, rtt, predicted, **rest):
    """What was set at a point, and what is known of it."""
    return {"method": method, "rtt": rtt, "flows": FLOWS, "link": LINKS.rate, "predicted": predicted} | rest


def _in_flight(method):
    """Bytes at most, as rpc incast counts them."""
    return {"default TCP": FLOWS * INITIAL_CWND * scale.MTU, "96 credits": 96 * LOAD.size, "cwnd 2": FLOWS * 2 * scale.MTU,
            "ECN": FLOWS * INITIAL_CWND * scale.MTU}[method]


def _point(bed, method, number, load, predicted, rtt):
    return Point(_at(method, rtt, predicted, number=number), _measure(bed, load))


def _measure(bed, load):
    try:
        found = bed.measure(load, SECONDS, 1, LINKS.rate, WARM_UP)
    except LabError:  # no event was complete
        found = bed.measure(load, 4 * SECONDS, 1, LINKS.rate, WARM_UP)
    return [with_goodput(each) for each in found]


def with_goodput(repeat):
    """A DCM has one event at a time, so goodput is an event in the mean latency; to count the events of 6 s would be coarse."""
    fragments = LOAD.fragments * LOAD.size
    goodput = FLOWS * fragments * 8 / repeat.mean / 1e3
    return replace(repeat, goodput=round(goodput, 3), ratio=round(goodput / LINKS.rate / efficiency(fragments), 4))
