"""Fabrics of the size of experiments at full rate: every DCM requests its next event as soon as it has one."""
from functools import partial

from . import paths, runner
from .network import Model, Ring, write
from daqlab_lib import fabric as fabrics
from daqlab_lib.events import goodput
from daqlab_lib.experiments.results import Point
from daqlab_lib.generate import Size, generate

FRAGMENT = 12_000  # bytes: 12 fragments of 1 kB of a ROS
FRAMES = 9
WIRE = 1538 * 8    # bits of a full frame


def figure_6_4(say):
    """1120 DCMs and 144 switches: 2 planes of 4 spines."""
    size = Size("fig64", planes=2, spines=4, pods=4, ros=25, racks=7, dcms=40, capacity=10)
    return _farm(generate(size), say)


def atlas(say):
    """ATLAS in Run 2: 2000 DCMs and 206 switches."""
    document = generate(Size("atlas", planes=4, spines=10, pods=4, ros=25, racks=13, dcms=40, capacity=10))
    _remove_rack(document, "h3-13")  # 50 racks in 4 pods
    _remove_rack(document, "h4-13")
    return _farm(document, say)


DEFAULT, LIMITED = METHODS = "default TCP", "limited daqrings"
FAILURES = {"none": "whole", "p1l1:to-p1s1": "one leaf-spine link", "p1s1": "one spine", "p1l1": "one leaf"}


def _farm(document, say):
    fabric = fabrics.parse(document)[0]
    points = []
    for case in paths.of(document, *FAILURES):
        jobs = [partial(point, fabric, case, method) for method in METHODS if case.failure == "none" or method == LIMITED]
        for found in runner.several(jobs):
            points.append(found)
            say(f"{found.at['failure']}, {found.at['method']}", found)
    return points


def point(fabric, case, method):
    """One failure and way of handling incast: one event of each DCM, after another one in which they get out of step."""
    dcms, ros = len(fabric.of_kind("dcm")), len(fabric.of_kind("ros"))
    share = case.bandwidth / dcms
    event = ros * FRAMES * WIRE / 1e6 / share  # ms
    ring = Ring(ros * (FRAMES + 1), 4, round(4 * WIRE / share / 1e3))
    policy = {"rings": False} if method == DEFAULT else {"ring": ring}
    model = Model(FRAGMENT, spread=event, start=2 * event + 1, until=3 * event + 1, nodes=dcms // 40, **policy)
    allowed = case.bandwidth * goodput.efficiency(FRAGMENT)
    return Point({"failure": FAILURES[case.failure], "method": method, "bandwidth": round(case.bandwidth, 2), "dcms": dcms,
                  "serialisation": round(event, 2), "simulated": round(event, 1), "polling-interval": ring.interval},
                 [runner.run(write(fabric, case, model), allowed)])


def _remove_rack(document, name):
    fabric = document["daqfabric:fabric"][0]
    for pod in fabric["pod"]:
        pod["hlt-rack"] = [rack for rack in pod["hlt-rack"] if rack["name"] != name]
    fabric["switch"] = [switch for switch in fabric["switch"] if switch["name"] != name]
    fabric["link"] = [link for link in fabric["link"] if name not in (link["switch"], link["peer-switch"])]
