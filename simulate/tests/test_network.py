"""The network that is written for the model, and what the model makes of a tiny one. Real ns-3, no controller."""
import unittest
from dataclasses import replace

from .. import figures, paths, runner
from ..network import Bus, Model, Ring, write
from daqlab_lib import fabric as fabrics
from daqlab_lib.generate import Size, generate

SIZE = Size("tiny", planes=1, spines=1, pods=1, ros=8, racks=1, dcms=2, capacity=10)


def fabric():
    return fabrics.parse(generate(SIZE))[0]


def case(tiny):
    """Paths as the controller lays them in a single pod: by its leaf, to DCMs through daqrings there."""
    ways = {"p1l1": {}}
    for each in tiny.endpoints:
        ways["p1l1"][each.address] = {"port": f"to-{each.switch}", "ring": each.kind == "dcm"}
        for edge in {other.switch for other in tiny.endpoints if other.kind != each.kind}:
            ways.setdefault(edge, {})[each.address] = {"port": "to-p1l1", "ring": False}
    ring = {"size": 4096, "burst": 4, "interval": 10, "credit": 2000}
    return paths.parse({"failure": "none", "bandwidth": 10.0, "bottleneck": "", "unreachable": 0, "next": ways,
                        "rings": {each.address: ring for each in tiny.of_kind("dcm")}})


MODEL = Model(fragment=64_000, until=40, start=0, spread=1, buffers={"leaf-rack": 64}, window=1000)


class Lines(unittest.TestCase):
    def setUp(self):
        self.fabric = fabric()
        self.case = case(self.fabric)

    def lines(self, model=MODEL, what=""):
        return [line for line in write(self.fabric, self.case, model) if line.startswith(what)]

    def test_each_link_is_a_port_in_each_direction(self):
        self.assertEqual(2 * len(self.fabric.links), len(self.lines(what="port ")))

    def test_only_ports_of_hosts_have_no_bound(self):
        bounds = {line.split()[7]: int(line.split()[5]) for line in self.lines(replace(MODEL, buffer=100), "port ")}
        self.assertEqual({"leaf-spine": 100, "spine-leaf": 100, "ros-leaf": 0, "leaf-ros": 100, "rack-leaf": 0, "leaf-rack": 64}, bounds)

    def test_a_dcm_has_the_daqrings_that_the_controller_gave_it(self):
        self.assertEqual(["4096 4 10000 2000000"] * 2, [" ".join(line.split()[2:]) for line in self.lines(what="ring ")])
        self.assertEqual([], self.lines(replace(MODEL, rings=False), "ring "))
        own = replace(MODEL, ring=Ring(100, 1, 7))
        self.assertEqual(["100 1 7000 2000000"] * 2, [" ".join(line.split()[2:]) for line in self.lines(own, "ring ")])

    def test_applications_of_a_ros_are_hosts_that_share_its_link(self):
        lines = self.lines(replace(MODEL, applications=3))
        self.assertEqual(8 * 3 + 2, sum(line.startswith("host ") for line in lines))
        dcm = next(line for line in lines if line.startswith("dcm "))
        self.assertEqual(8 * 3, len(dcm.split()) - 2)

    def test_racks_with_one_port_have_a_link_in_turn_to_each_plane(self):
        links = figures.one_port(generate(Size("two", planes=2, spines=1, **figures.PROTOTYPE)))["daqfabric:fabric"][0]["link"]
        ends = [" ".join(sorted((link["switch"], link["peer-switch"]))) for link in links]
        self.assertEqual(["h1-1 p1l1", "h1-2 p2l1", "h1-3 p1l1", "h2-1 p2l2", "h2-2 p1l2", "h2-3 p2l2"],
                         sorted(pair for pair in ends if "h" in pair))
        self.assertEqual(6 * 2, sum("r" in pair for pair in ends))

    def test_a_slice_has_only_the_dcms_of_its_spine(self):
        first, second = (each.address for each in self.fabric.of_kind("dcm"))
        self.case.next["p1s1"] = {second: ("to-p1l1", False)}
        lines = self.lines(replace(MODEL, spine="p1s1"))
        self.assertEqual(["dcm 8 0 1 2 3 4 5 6 7"], [line for line in lines if line.startswith("dcm ")])
        self.assertEqual(9, sum(line.startswith("host ") for line in lines))
        self.assertIn(first, self.case.next["p1l1"])
        self.assertFalse([line for line in lines if line.startswith("next ") and int(line.split()[2]) > 8])

    def test_a_host_apart_collects_nothing_from_its_own_ros(self):
        self.assertEqual(["dcm 8 1 2 3 4 5 6 7", "dcm 9 1 2 3 4 5 6 7"], self.lines(replace(MODEL, apart=True), "dcm "))

    def test_a_bus_stands_between_all_ports_of_a_host_and_its_memory(self):
        two = fabrics.parse(generate(replace(SIZE, planes=2)))[0]
        lines = write(two, self.case, replace(MODEL, bus=Bus(12.19, 340, pause=490, every=25)))
        ports = [line.split() for line in lines if line.startswith("port ")]
        cards = [(number, port) for number, port in enumerate(ports) if port[7] == "bus-in"]
        self.assertEqual({("12.19", "340")}, {(port[3], port[5]) for _, port in cards})
        self.assertEqual([9 * 2, 9], [sum(port[7] == kind for port in ports) for kind in ("bus-in", "bus-out")])
        buses = [line.split() for line in lines if line.startswith("bus ")]
        self.assertEqual({("12.19", "490000", "25000000")}, {tuple(bus[1:4]) for bus in buses})
        self.assertEqual([number for number, _ in cards], sorted(int(port) for bus in buses for port in bus[4:]))
        for bus in buses:  # the two links of a host
            self.assertEqual(1, len({ports[int(port)][6] for port in bus[4:]}), bus)
            self.assertEqual(2, len(bus[4:]))


class Incast(unittest.TestCase):
    """8 ROS send 44 packets each at once to a port that holds 64."""

    @classmethod
    def setUpClass(cls):
        tiny = fabric()
        ways = case(tiny)
        # half of the port's rate for each of the two DCMs
        ring = Ring(4096, 4, 10)
        cls.port, cls.daqrings, cls.shallow, cls.bus, cls.pauses = runner.several([
            lambda model=model: runner.run(write(tiny, ways, model), 9.49)
            for model in (replace(MODEL, rings=False, until=1500), replace(MODEL, ring=ring), replace(MODEL, ring=replace(ring, size=64)),
                          replace(MODEL, ring=ring, bus=Bus(5.0, 1000), until=20),
                          replace(MODEL, ring=ring, bus=Bus(12.0, 100, pause=500, every=4)))])

    def test_a_port_drops_what_it_cannot_hold_and_tcp_waits_for_its_timeout(self):
        self.assertGreater(self.port.port_drops["leaf-rack"], 64)
        self.assertGreater(self.port.timeouts, 0)
        self.assertGreater(self.port.longest, 200)

    def test_daqrings_avoid_the_drops(self):
        self.assertEqual(({}, 0, 0), (self.daqrings.port_drops, self.daqrings.ring_drops, self.daqrings.timeouts))
        self.assertGreater(self.daqrings.goodput, 2 * self.port.goodput)

    def test_an_event_takes_what_the_daqring_takes_to_release_it(self):
        packets = 8 * 44
        self.assertAlmostEqual(packets / Ring(4096, 4, 10).packets_per_second() * 1e3, self.daqrings.p50, delta=0.15)

    def test_a_daqring_holds_an_event_at_most(self):
        self.assertLessEqual(self.daqrings.ring_most, 8 * 44)
        self.assertGreater(self.daqrings.ring_most, 6 * 44)

    def test_a_daqring_that_is_too_small_drops_itself(self):
        self.assertGreater(self.shallow.ring_drops, 0)
        self.assertEqual({}, self.shallow.port_drops)

    def test_a_slow_bus_is_the_limit(self):
        self.assertLess(self.bus.goodput, 5.0 * 0.95)
        self.assertGreater(self.bus.goodput, 5.0 * 0.8)

    def test_a_host_that_pauses_loses_what_its_card_cannot_hold(self):
        self.assertEqual({}, self.bus.port_drops)
        self.assertGreater(self.pauses.port_drops["bus-in"], 0)

    def test_lossless_hosts_put_on_the_network_what_those_of_ns_3_do(self):
        tiny = fabric()
        model = replace(MODEL, fragment=12_000, start=10, until=30, ring=Ring(4096, 4, 10), window=0)
        theirs, own = (runner.run(write(tiny, case(tiny), replace(model, lossless=lossless)), 9.49) for lossless in (False, True))
        self.assertEqual(({}, 0), (theirs.port_drops, theirs.retransmits))
        self.assertAlmostEqual(theirs.goodput, own.goodput, delta=0.01 * theirs.goodput)
        self.assertAlmostEqual(theirs.p50, own.p50, delta=0.002)
        self.assertEqual(theirs.ring_most, own.ring_most)

    def test_lossless_hosts_say_so_when_something_is_lost(self):
        tiny = fabric()
        with self.assertRaisesRegex(RuntimeError, "were dropped"):
            runner.run(write(tiny, case(tiny), replace(MODEL, fragment=12_000, rings=False, lossless=True, buffers={"leaf-rack": 8})), 9.49)

    def test_the_same_seed_gives_the_same_run(self):
        tiny = fabric()
        short = replace(MODEL, until=10, ring=Ring(4096, 4, 10))
        runs = [runner.run(write(tiny, case(tiny), each), 9.49) for each in (short, short, short.seeded(2))]
        self.assertEqual(runs[0], runs[1])
        self.assertNotEqual(runs[0], runs[2])
