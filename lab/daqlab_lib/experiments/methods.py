"""Figure 6.9: incast with default TCP, shaping in the application, a fixed window, and daqrings."""
from dataclasses import replace

from ..generate import Size
from . import scale
from .results import Point
from .testbed import NONE, testbed

REPEATS, SECONDS = 3, 6.0
CONFIGURATIONS = ((1, 1), (2, 1), (2, 2))  # planes, spines per plane
METHODS = ("default TCP", "credits", "fixed window", "daqrings", "rate-limited daqrings")


def methods(lab, say):
    points = []
    for planes, spines in CONFIGURATIONS:
        with testbed(*lab, Size(f"p{planes}s{spines}", planes, spines, **scale.PROTOTYPE)) as bed:
            bed.arrange(NONE, scale.LINKS)
            allowed = bed.bandwidth()
            for method in METHODS:
                policy, load = _settings(method, scale.rack_share(planes))
                bed.arrange(policy, scale.LINKS)
                points.append(Point({"planes": planes, "spines": spines, "method": method},
                                    bed.measure(load, SECONDS, REPEATS, allowed)))
                say(f"{planes} planes, {spines} spines, {method}", points[-1])
    return points


def _settings(method, share):
    """(policy of daqrings, load)."""
    return {
        "default TCP": (NONE, scale.LOAD),
        "credits": (NONE, replace(scale.LOAD, credits=1)),
        "fixed window": (NONE, replace(scale.LOAD, window=2)),
        "daqrings": ({"on": "all-switches", "ring-size": scale.DAQRING_SIZE}, scale.LOAD),
        "rate-limited daqrings": (scale.limited(share), scale.LOAD),
    }[method]
