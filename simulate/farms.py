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
    document = generate(size)
    return _said(runner.several(_whole(fabrics.parse(document)[0], paths.of(document, *FAILURES))), say)


def atlas_whole(say):
    """ATLAS in Run 2: 2000 DCMs and 206 switches."""
    fabric, cases = _atlas()
    return _said(runner.several(_whole(fabric, cases)), say)


def atlas(say):
    """The DCMs of two spines."""
    fabric, cases = _atlas()
    jobs = [partial(point, fabric, case, spine, buffer) for case in cases for spine in SPINES
            for buffer in (BUFFERS if case.failure == "none" else BUFFERS[:1])]
    jobs.append(partial(in_step, fabric, cases[0], SPINES[0]))
    return _said(runner.several(jobs), say)


def _atlas():
    document = generate(Size("atlas", planes=4, spines=10, pods=4, ros=25, racks=13, dcms=40, capacity=10))
    _remove_rack(document, "h3-13")  # 50 racks in 4 pods
    _remove_rack(document, "h4-13")
    return fabrics.parse(document)[0], paths.of(document, *FAILURES)


FAILURES = {"none": "nothing", "p1l1:to-p1s1": "a leaf-spine link", "p1s1": "a spine", "p1l1": "a leaf"}
WHOLE = ""               # all DCMs, instead of those of one spine
SPINES = "p1s2", "p2s1"  # in the plane of what fails, and in another one
BUFFERS = 2048, 8192     # packets at a port: of one queue of a network card, and more
LIMITS = 1.0, 0.9        # of a DCM's share of the bandwidth


def _said(points, say):
    for each in points:
        say(f"{each.at['failure']} fails, DCMs of spine {each.at['spine']}, limit {each.at['limit']:g} of the share, ports of "
            f"{each.at['buffer'] or 'any number of'} packets", each)
    return points


def _whole(fabric, cases):
    return [partial(whole, fabric, case, part) for case in cases for part in LIMITS]


def whole(fabric, case, part):
    """All DCMs after a failure, with a part of their share as limit: the second event of each.

    Ports hold all that comes, since lossless hosts are needed for so many; how much waited tells what a bound would lose.
    """
    event = _event(fabric, case, part)
    return _point(fabric, case, FAILURES[case.failure], WHOLE, part, spread=event, start=2 * event, until=3 * event, buffer=0,
                  lossless=True)


def point(fabric, case, spine, buffer):
    """The DCMs of one spine after a failure: one event of each, after another one in which they get out of step."""
    event = _event(fabric, case)
    return _point(fabric, case, FAILURES[case.failure], spine, spread=event, start=2 * event + 1, until=3 * event + 1, buffer=buffer)


def in_step(fabric, case, spine):
    """The first milliseconds of DCMs that begin within one."""
    return _point(fabric, case, "nothing, DCMs begin within 1 ms", spine, spread=1.0, start=0, until=7, buffer=BUFFERS[0])


def _event(fabric, case, part=1.0):
    """ms that a part of a DCM's share of the bandwidth takes for an event."""
    return len(fabric.of_kind("ros")) * FRAMES * WIRE / 1e6 / (part * _share(fabric, case))


def _share(fabric, case):
    return case.bandwidth / len(fabric.of_kind("dcm"))


def _point(fabric, case, what, spine, part=1.0, **model):
    share, event, ros = part * _share(fabric, case), _event(fabric, case, part), len(fabric.of_kind("ros"))
    dcms = [each for each in fabric.of_kind("dcm") if not spine or each.address in case.next.get(spine, {})]
    ring = Ring(ros * (FRAMES + 1), 4, round(4 * WIRE / share / 1e3))
    lines = write(fabric, case, Model(FRAGMENT, ring=ring, spine=spine, **model))
    return Point({"failure": what, "spine": spine or "all", "limit": part, "buffer": model["buffer"], "bandwidth": round(case.bandwidth, 2),
                  "dcms": len(dcms), "serialisation": round(event, 2), "polling-interval": ring.interval},
                 [runner.run(lines, len(dcms) * share * goodput.efficiency(FRAGMENT))])


def _remove_rack(document, name):
    fabric = document["daqfabric:fabric"][0]
    for pod in fabric["pod"]:
        pod["hlt-rack"] = [rack for rack in pod["hlt-rack"] if rack["name"] != name]
    fabric["switch"] = [switch for switch in fabric["switch"] if switch["name"] != name]
    fabric["link"] = [link for link in fabric["link"] if name not in (link["switch"], link["peer-switch"])]
