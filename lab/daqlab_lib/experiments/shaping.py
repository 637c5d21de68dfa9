"""Figure 6.8: burst against polling interval of rate-limited daqrings, on three configurations of the prototype."""
from ..events import Load
from ..generate import Size
from . import scale
from .results import Point
from .testbed import Testbed

REPEATS, SECONDS = 3, 2.5
CONFIGURATIONS = ((1, 1), (1, 2), (2, 2))  # planes, spines per plane
BURSTS = (1, 4)                            # packets
PARTS = (0.6, 0.8, 0.9, 1.0, 1.1, 1.4)     # of a DCM's share of its rack's uplinks


def shaping(lab, say):
    points = []
    for planes, spines in CONFIGURATIONS:
        with Testbed(*lab, Size(f"p{planes}s{spines}", planes, spines, **scale.PROTOTYPE)) as testbed:
            testbed.arrange({"on": "none"}, scale.LINKS)
            allowed = testbed.bandwidth()
            share = scale.rack_share(planes)
            for burst in BURSTS:
                for part in PARTS:
                    policy = scale.limited(part * share, burst)
                    testbed.arrange(policy, scale.LINKS)
                    found = testbed.measure(Load(size=scale.fragment(2), rto_min=scale.RTO_MIN), SECONDS, REPEATS, allowed)
                    points.append(Point({"planes": planes, "spines": spines, "burst": burst, "of-share": part,
                                         "of-links": round(part * share * len(testbed.current.fabric.of_kind("dcm")) / allowed, 4),
                                         "polling-interval": policy["polling-interval"]}, found))
                    say(f"{planes} planes, {spines} spines, bursts of {burst}, limit {part:g} of the share", points[-1])
    return points
