"""Farms far away (R. Hughes-Jones, Investigating the network performance of remote real-time computing farms): goodput over
round trips of 10 to 150 ms, for as many credits as keep networks of different length busy, and for one event at a time; and
how long an event of one ROS takes at hosts as they are, and as rpc host-profile sets them up.
"""
from dataclasses import replace

from .. import profile
from ..events import Load
from . import scale, tcp_paper
from .results import Point
from .testbed import NONE, testbed

ROUND_TRIPS = (10.0, 20.0, 50.0, 100.0, 150.0)  # ms; thesis's farms: Manchester 20, Alberta 150
CREDITS = (24, 132, 528)   # fragments
SECONDS = 5.0
LOAD = Load(fragments=12, size=1100, rto_min=scale.RTO_MIN, first=True)  # of 11 ROS: 132 fragments, 60 ms on the link
OFFERED = 40.0             # events/s, more than the link carries: a DCM always has several, as farms with many nodes do
ALONE = Load(size=145000, rate=0.6, ros=("r1-1",), first=True)  # 1 MB at 1 Gbps, slower by as much as the link; seconds between events
ALONE_SECONDS = 12.0


def round_trips(lab, say):
    points = []
    with testbed(*lab, tcp_paper.SIZE) as bed:
        bed.run_first()
        bed.arrange(NONE, replace(tcp_paper.LINKS, edge_buffer=tcp_paper.LINKS.buffer))
        for rtt in ROUND_TRIPS:
            measured = tcp_paper.far(bed, rtt)
            predicted = tcp_paper.predict(bed, measured)
            for number in CREDITS:
                load = replace(LOAD, credits=number, rate=OFFERED)
                points.append(_point(bed, f"{number} credits", rtt, measured, predicted, load, number * LOAD.size))
                say(f"{rtt:g} ms, {number} credits", points[-1])
            points.append(_point(bed, "one event at a time", rtt, measured, predicted, LOAD, tcp_paper.ROS * LOAD.fragments * LOAD.size))
            say(f"{rtt:g} ms, one event at a time", points[-1])
    return points


def first_events(lab, say):
    points = []
    with testbed(*lab, tcp_paper.SIZE) as bed:
        bed.run_first()
        bed.arrange(scale.limited(tcp_paper.LINKS.rate, on="destination-leaf"), replace(tcp_paper.LINKS, edge_buffer=1000))
        for hosts in ("as they are", "host-profile"):
            if hosts == "host-profile":
                profile.apply(bed.controller, bed.current, ALONE.size)
            for rtt in ROUND_TRIPS:
                measured = tcp_paper.far(bed, rtt)
                points.append(_point(bed, hosts, rtt, measured, {}, ALONE, ALONE.size, ALONE_SECONDS))
                say(f"{rtt:g} ms, hosts {hosts}", points[-1])
    return points


def _point(bed, method, rtt, measured, predicted, load, in_flight, seconds=SECONDS):
    found = bed.measure(load, seconds, 1, tcp_paper.LINKS.rate)
    return Point({"method": method, "distance": rtt, "rtt": measured, "link": tcp_paper.LINKS.rate, "predicted": predicted,
                  "in-flight": in_flight}, found)
