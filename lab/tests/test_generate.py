"""Generated fabric files: size, names, addresses."""
import unittest

from . import support  # noqa: F401  (makes the library importable)
from daqlab_lib import fabric, generate
from daqlab_lib.errors import LabError

PROTOTYPE = generate.Size("prototype", planes=2, spines=2, pods=2, ros=3, racks=3, dcms=8, capacity=10)


class GenerateTest(unittest.TestCase):

    def test_prototype_has_the_known_size(self):
        """Other tests and the documents count on 20 switches, 32 links and 48 DCMs."""
        found = fabric.parse(generate.generate(PROTOTYPE))[0]
        self.assertEqual(20, len(found.switches))
        self.assertEqual(32, len(found.links))
        self.assertEqual(48, len(found.of_kind("dcm")))
        self.assertEqual(6, len(found.of_kind("ros")))

    def test_names_and_addresses_follow_the_place(self):
        """People read these names in logs."""
        found = fabric.parse(generate.generate(PROTOTYPE))[0]
        self.assertEqual("10.1.2.3", found.endpoint("r2-3").address)
        self.assertEqual("10.2.4.8", found.endpoint("h2-1d8").address)
        self.assertEqual(("p1l2", "to-p1s1"), found.peers()["p1s1", "to-p1l2"])
        self.assertEqual(("h2-1", "to-p2l2"), found.peers()["p2l2", "to-h2-1"])

    def test_addresses_stay_unique_at_full_size(self):
        """2000 DCMs and 500 ROS, in one pod with many racks or many pods with few: parse refuses double addresses."""
        for pods, ros, racks, dcms in ((1, 500, 25, 80), (10, 50, 200, 1), (50, 10, 1, 40), (1, 1, 1, 2000), (250, 2, 8, 1)):
            with self.subTest(pods=pods, ros=ros, racks=racks, dcms=dcms):
                size = generate.Size("big", 2, 2, pods, ros, racks, dcms, 10)
                found = fabric.parse(generate.generate(size))[0]
                self.assertEqual(pods * racks * dcms, len(found.of_kind("dcm")))

    def test_two_fabrics_can_share_a_machine(self):
        """--prefix and --address-base keep them apart."""
        other = generate.Size("other", 1, 1, 1, 1, 1, 1, 10, prefix="b-", address_base="10.3")
        both = generate.generate(PROTOTYPE)["daqfabric:fabric"] + generate.generate(other)["daqfabric:fabric"]
        first, second = fabric.parse({"daqfabric:fabric": both})
        self.assertFalse(set(first.switches) & set(second.switches))
        self.assertFalse({e.address for e in first.endpoints} & {e.address for e in second.endpoints})

    def test_ipv6_addresses_follow_the_place(self):
        size = generate.Size("six", 1, 1, 2, 2, 2, 12, 10, dcm_ports=True, ipv6=True)
        found = fabric.parse(generate.generate(size))[0]
        self.assertEqual("fd00::a:1:2:2", found.endpoint("r2-2").address)
        self.assertEqual(("fd00::a:2:4:c", "02:da:0a:02:04:0c"), (found.endpoint("h2-2d12").address, found.endpoint("h2-2d12").mac))

    def test_builders_share_nodes(self):
        """Every node reads out and builds: the n-th ROS and the n-th rack of a pod have one switch, linked once to each leaf."""
        size = generate.Size("b", planes=2, spines=2, pods=2, ros=4, racks=4, dcms=1, capacity=10, builders=True)
        found = fabric.parse(generate.generate(size))[0]
        self.assertEqual(8 + 2 * (2 + 2), len(found.switches))
        self.assertEqual(2 * 2 * 2 + 8 * 2, len(found.links))
        self.assertEqual("builder", found.switches["r2-3"].role)
        self.assertEqual(["10.1.2.3", "10.2.7.1"], found.local_addresses("r2-3"))
        with self.assertRaisesRegex(LabError, "as many ROS as racks"):
            generate.generate(generate.Size("b", 1, 1, 1, 3, 2, 1, 10, builders=True))

    def test_too_long_prefix_is_refused(self):
        """The port to the switch would not fit an interface name."""
        with self.assertRaisesRegex(LabError, "shorter --prefix"):
            generate.generate(generate.Size("x", 1, 1, 1, 1, 1, 1, 10, prefix="a-long-prefix-"))
