"""Fabrics of the size of experiments at full rate: every DCM requests its next event as soon as it has one."""
from daqlab_lib import fabric as fabrics
from daqlab_lib.events import goodput
from daqlab_lib.experiments.results import Point
from daqlab_lib.generate import Size, generate

from . import paths, runner
from .network import Model, write

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


FAILURES = {"none": "whole", "p1l1:to-p1s1": "one leaf-spine link", "p1s1": "one spine", "p1l1": "one leaf"}


def _farm(document, say):
    fabric = fabrics.parse(document)[0]
    dcms = len(fabric.of_kind("dcm"))
    ros = len(fabric.of_kind("ros"))
    event = ros * FRAMES * WIRE / 1e6  # ms of a Gbps
    points = []
    for case in paths.of(document, *FAILURES):
        share = case.bandwidth / dcms
        wanted = _policies(share, ros * (FRAMES + 1))
        models = [Model(FRAGMENT, spread=event / share, start=2.2 * event / share, until=4.2 * event / share, buffer=2048, **policy)
                  for policy in wanted.values()]
        allowed = case.bandwidth * goodput.efficiency(FRAGMENT)
        found = runner.several([lambda c=case, m=model, a=allowed: runner.run(write(fabric, c, m), a) for model in models])
        for name, one in zip(wanted, found):
            points.append(Point({"failure": FAILURES[case.failure], "method": name, "bandwidth": round(case.bandwidth, 2), "dcms": dcms,
                                 "serialisation": round(event / share, 2)}, [one]))
            say(f"{FAILURES[case.failure]}, {name}", points[-1])
    return points


def _policies(share, size):
    from .network import Ring
    return {
        "default TCP": {"rings": False},
        "limited daqrings": {"ring": Ring(size, 4, round(4 * WIRE / share / 1e3))},
    }


def _remove_rack(document, name):
    fabric = document["daqfabric:fabric"][0]
    for pod in fabric["pod"]:
        pod["hlt-rack"] = [rack for rack in pod["hlt-rack"] if rack["name"] != name]
    fabric["switch"] = [switch for switch in fabric["switch"] if switch["name"] != name]
    fabric["link"] = [link for link in fabric["link"] if name not in (link["switch"], link["peer-switch"])]
