"""Figure 6.8: burst against polling interval of rate-limited daqrings, on three configurations of the prototype."""
from ..generate import Size
from . import scale
from .results import Point
from .testbed import NONE, testbed

REPEATS, SECONDS = 3, 2.5
CONFIGURATIONS = ((1, 1), (1, 2), (2, 2))  # planes, spines per plane
BURSTS = (1, 4)                            # packets
PARTS = (0.6, 0.8, 0.9, 1.0, 1.1, 1.4)     # of a DCM's share of its rack's uplinks


def shaping(lab, say):
    points = []
    for planes, spines in CONFIGURATIONS:
        with testbed(*lab, Size(f"p{planes}s{spines}", planes, spines, **scale.PROTOTYPE)) as bed:
            bed.arrange(NONE, scale.LINKS)
            allowed = bed.bandwidth()
            share = scale.rack_share(planes)
            for burst in BURSTS:
                for part in PARTS:
                    policy = scale.limited(part * share, burst)
                    bed.arrange(policy, scale.LINKS)
                    found = bed.measure(scale.LOAD, SECONDS, REPEATS, allowed)
                    points.append(Point({"planes": planes, "spines": spines, "burst": burst, "of-share": part,
                                         "of-links": round(part * share * len(bed.current.fabric.of_kind("dcm")) / allowed, 4),
                                         "polling-interval": policy["polling-interval"]}, found))
                    say(f"{planes} planes, {spines} spines, bursts of {burst}, limit {part:g} of the share", points[-1])
    return points
