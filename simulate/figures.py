"""The thesis's figures on the thesis's networks, at its rates."""
from dataclasses import replace
from functools import partial

from . import paths, runner
from .network import Bus, Model, Ring, write
from daqlab_lib import fabric as fabrics
from daqlab_lib.events import goodput
from daqlab_lib.experiments.results import Point
from daqlab_lib.generate import Size, generate

FRAGMENT = 128 * 1024       # bytes
FRAMES = 90                 # of a fragment with its header (equation (A.10))
LINK = 10.0                 # Gbps
LIMIT = 32, 500             # packets, us: 0.78 Gbps in the thesis's words
PUSH = {"window": 1000, "sack": False}  # the hosts of chapters 5 and 6 with daqrings: whatever a ROS has is sent at once
CUBIC = {}                  # Linux's own
# PCIe gen1, before which an Intel 82599 holds 512 kB of each port. A host pauses (5.4.1, 5.6.1) for as long as that lasts at the
# highest rate by which one port got all packets (figure 6.8g), and as seldom as the rate by which two ports did allows
HOST = Bus(12.19, 340, pause=490, every=25)
PROTOTYPE = dict(pods=2, ros=3, racks=3, dcms=8, capacity=10)
FIGURE_6_8 = {(1, 1): Ring(4096, 3, 40), (1, 2): Ring(4096, 3, 35), (2, 1): Ring(4096, 3, 40), (2, 2): Ring(4096, 4, 33)}


def many_dcms(say):
    """Figure 5.8: 11 ROS and the 12 DCMs of one host; the thesis had twelve such hosts, which shared the ROS."""
    size = Size("ring-size", planes=1, spines=1, pods=1, ros=11, racks=1, dcms=12, capacity=10)
    base = Model(FRAGMENT, until=0, start=60)
    sizes = {128: 1500, 256: 1500, 512: 1500, 768: 1000, 990: 300, 1238: 300, 4096: 300}  # packets: ms
    return _sizes(size, base, 11 * FRAMES, sizes, 12, {"static window": PUSH, "cubic": CUBIC}, say)


def one_dcm(say):
    """Figure 5.10: 110 ROS applications on 11 hosts, one DCM."""
    size = Size("one-dcm", planes=1, spines=1, pods=1, ros=11, racks=1, dcms=1, capacity=10)
    base = Model(FRAGMENT, until=0, start=200, applications=10)
    sizes = dict.fromkeys((1000, 3000, 5000, 7000, 9000, 9900, 12000), 2500)
    return _sizes(size, base, 110 * FRAMES, sizes, 1, {"static window": PUSH, "cubic": CUBIC}, say)


def _sizes(size, base, packets, sizes, dcms, hosts, say):
    fabric, (case,) = _case(size)
    burst, interval = LIMIT
    per_second = burst * 1e6 / interval
    allowed = dcms * per_second * FRAGMENT / FRAMES * 8 / 1e9
    points = []
    for name, tcp in hosts.items():
        jobs = [(ring, replace(base, until=base.start + until, ring=Ring(ring, burst, interval), **tcp)) for ring, until in sizes.items()]
        for (ring, _), found in zip(jobs, _runs([(fabric, case, model) for _, model in jobs], [1], allowed)):
            at = {"hosts": name, "ring-size": ring, "of-event": round(ring / packets, 3), "event-packets": packets,
                  "serialisation": round(packets / per_second * 1e3, 2)}
            points.append(Point(at, found))
            say(f"{name}, daqrings of {ring} packets", points[-1])
    return points


EVERYWHERE = "rate-limited daqrings, also at the leaves of the ROS"
CONFIGURATIONS = ((1, 1), (2, 1), (2, 2))  # planes, spines per plane
SHAPED = ((1, 1), (1, 2), (2, 2))


def shaping(say):
    """Figure 6.8."""
    points = []
    for planes, spines in SHAPED:
        fabric, (case,) = _case(Size(f"p{planes}s{spines}", planes, spines, **PROTOTYPE))
        allowed, share = _allowed(case), planes * LINK / 8
        wanted = []
        for burst, parts in ((4, (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2)), (32, (0.6, 0.8, 1.0))):
            wanted += [(burst, part, round(burst * 1538 * 8 / (part * share * 1e3))) for part in parts]
        models = [Model(FRAGMENT, until=60, start=11, bus=HOST, ring=Ring(4096, burst, interval), **PUSH)
                  for burst, _, interval in wanted]
        for (burst, part, interval), found in zip(wanted, _runs([(fabric, case, model) for model in models], [1], allowed)):
            at = {"planes": planes, "spines": spines, "burst": burst, "of-share": part,
                  "of-links": round(part * share * 48 / case.bandwidth, 4), "polling-interval": interval}
            points.append(Point(at, found))
            say(f"{planes} planes, {spines} spines, bursts of {burst}, limit {part:g} of the share", points[-1])
    return points


def methods(say):
    """Figure 6.9."""
    points = []
    for planes, spines in CONFIGURATIONS:
        size = Size(f"p{planes}s{spines}", planes, spines, **PROTOTYPE)
        fabric, (case,) = _case(size)
        allowed = _allowed(case)
        if (planes, spines) == (2, 1):  # "still using only a single port" of the hosts (6.3.2.2)
            document = one_port(generate(size))
            fabric, (case,) = fabrics.parse(document)[0], paths.of(document, "none")
        base = Model(FRAGMENT, until=80, start=20, bus=HOST)
        long = {"start": 200.0, "until": 400.0}
        of_method = {
            "default TCP": replace(base, rings=False, **long),
            "daqrings": replace(base, ring=Ring(4096, 32, 0), **long, **PUSH),
            "rate-limited daqrings": replace(base, ring=FIGURE_6_8[planes, spines], **PUSH),
            EVERYWHERE: replace(base, ring=FIGURE_6_8[planes, spines], everywhere=True, **PUSH),
        }
        for method, found in zip(of_method, _runs([(fabric, case, model) for model in of_method.values()], [1], allowed)):
            points.append(Point({"planes": planes, "spines": spines, "method": method}, found))
            say(f"{planes} planes, {spines} spines, {method}", points[-1])
    return points


def causes(say):
    """What else could make default TCP slower in figure 6.9, one thing at a time: one plane and one spine."""
    fabric, (case,) = _case(Size("p1s1", 1, 1, **PROTOTYPE))
    base = Model(FRAGMENT, until=150, start=50, bus=HOST, rings=False)
    changes = {
        "as figure 6.9": {},
        "hosts do not pause": {"bus": replace(HOST, every=0)},
        "hosts pause five times as often": {"bus": replace(HOST, every=HOST.every / 5)},
        "network cards hold 64 packets": {"bus": replace(HOST, buffer=64)},
        "hosts take 8.44 Gbps": {"bus": replace(HOST, gbps=8.44)},
        "ports hold 2048 packets": {"buffer": 2048},
        "no SACK": {"sack": False},
        "a ROS takes 100 us for a request": {"service": 200.0},
        "requests one after the other": {"credits": 1},
        "static window": PUSH,
    }
    found = _runs([(fabric, case, replace(base, **change)) for change in changes.values()], [1], _allowed(case))
    points = [Point({"change": name}, runs) for name, runs in zip(changes, found)]
    for each in points:
        say(each.at["change"], each)
    return points


def one_port(document):
    """Each rack with one of its links, in turn to the first and the second plane."""
    fabric = document["daqfabric:fabric"][0]
    racks = [rack["name"] for pod in fabric["pod"] for rack in pod["hlt-rack"]]
    gone = {(rack, f"p{2 - number % 2}l") for number, rack in enumerate(racks)}

    def stays(link):
        ends = link["switch"], link["peer-switch"]
        return not any(rack in ends and any(end.startswith(plane) for end in ends) for rack, plane in gone)

    fabric["link"] = [link for link in fabric["link"] if stays(link)]
    return document


def _case(size, *failures):
    document = generate(size)
    return fabrics.parse(document)[0], paths.of(document, *(failures or ("none",)))


def _allowed(case):
    """Gbps of event data that the links carry."""
    return case.bandwidth * goodput.efficiency(FRAGMENT)


def _run(fabric, case, model, allowed):
    return runner.run(write(fabric, case, model), allowed)


def _runs(settings, seeds, allowed):
    """For each (fabric, case, model) its runs, one for each seed."""
    jobs = [partial(_run, fabric, case, model.seeded(seed), allowed) for fabric, case, model in settings for seed in seeds]
    found = runner.several(jobs)
    return [found[i:i + len(seeds)] for i in range(0, len(found), len(seeds))]
