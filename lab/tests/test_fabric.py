"""What is refused in a fabric file, and how it is said."""
import copy
import unittest

from . import support  # noqa: F401  (makes the library importable)
from daqlab_lib import fabric, generate, profile, state
from daqlab_lib.errors import LabError


class FabricTest(unittest.TestCase):

    def setUp(self):
        self.document = generate.generate(generate.Size("x", 2, 1, 1, 1, 1, 2, 10))
        self.entry = self.document["daqfabric:fabric"][0]

    def assert_refused(self, message):
        with self.assertRaisesRegex(LabError, message):
            fabric.parse(self.document)

    def test_defaults(self):
        """The northbound contract names them."""
        found = fabric.parse(self.document)[0]
        self.assertEqual(fabric.Switch("p1s1", "p1s1", "br-daq", "netdev", "spine"), found.switches["p1s1"])
        self.assertEqual("LOCAL", found.endpoint("h1-1d1").port)
        self.assertEqual(["10.2.1.1", "10.2.1.2"], found.local_addresses("h1-1"))

    def test_whole_container_is_accepted_too(self):
        """What a GET of daqfabric:fabrics returns can be given to `up`."""
        self.assertEqual("x", fabric.parse({"daqfabric:fabrics": {"fabric": [self.entry]}})[0].name)

    def test_parallel_links(self):
        """Two switches may have several links."""
        extra = {"switch": "p1l1", "port": "second", "peer-switch": "p1s1", "peer-port": "second"}
        self.entry["link"].append(extra)
        self.assertEqual(("p1s1", "second"), fabric.parse(self.document)[0].peers()["p1l1", "second"])

    def share(self, *names):
        """The switches run on one node, each as a bridge of its own."""
        for switch in self.entry["switch"]:
            if switch["name"] in names:
                switch |= {"system-id": "shared", "bridge": f"br-{switch['name']}"}

    def test_switches_on_one_node(self):
        """They have one namespace, one Open vSwitch and one control address; the others have their own."""
        self.share("p1l1", "p1s1")
        switches = [s["name"] for s in self.entry["switch"]]
        current = state.plan(fabric.parse(self.document)[0], {name: name for name in switches}, [], 1500, "x")
        leaf, spine = current.nodes["p1l1"], current.nodes["p1s1"]
        self.assertEqual((spine.namespace, spine.rundir, spine.control_address),
                         (leaf.namespace, leaf.rundir, leaf.control_address))
        self.assertEqual(("br-p1s1", "br-p1l1"), leaf.bridges)
        self.assertEqual(len(switches) - 1, len(current.machines()))
        self.assertEqual(len(set(current.namespaces())), len(current.namespaces()))

    def test_whose_profiles_are_set(self):
        """One of those that share a host, all that have routes of their own by flows, and other hosts before the rest."""
        def found():
            parsed = fabric.parse(self.document)[0]
            current = state.plan(parsed, {name: name for name in parsed.switches}, [], 1500, "x")
            return [end.name for end in profile.representatives(current)]

        self.assertEqual(["h1-1d1", "r1-1"], found())
        self.entry["pod"][0]["host"] = [{"name": "four", "address": "10.9.1.1", "switch": "r1-1"},
                                        {"name": "six", "address": "fd00::1", "switch": "r1-1"}]
        self.entry["flow"] = [{"name": "f", "from": "four", "to": "h1-1d2", "rate": "1"}]
        self.assertEqual(["six", "four", "h1-1d2", "h1-1d1", "r1-1"], found())

    def test_bridge_twice_on_one_node(self):
        self.share("p1l1", "p1s1")
        next(s for s in self.entry["switch"] if s["name"] == "p1l1")["bridge"] = "br-p1s1"
        self.assert_refused("bridge br-p1s1 of node shared occurs twice")

    def test_port_twice_on_one_node(self):
        self.share("p1l1", "p2l1")
        self.assert_refused("port p2l1:to-r1-1 is used twice")

    def test_node_of_two_fabrics(self):
        other = self.entry | {"name": "other"}
        self.document["daqfabric:fabric"].append(other)
        self.assert_refused(f"in fabrics {self.entry['name']} and other")

    def test_undeclared_switch(self):
        self.entry["switch"] = [s for s in self.entry["switch"] if s["name"] != "p1s1"]
        self.assert_refused("spine switch p1s1 is not declared")

    def test_link_to_nowhere(self):
        self.entry["link"][0]["peer-switch"] = "p9s9"
        self.assert_refused("switch p9s9 is not declared")

    def test_long_interface_name(self):
        self.entry["link"][0]["port"] = "sixteen-letters-"
        self.assert_refused("'sixteen-letters-' has 16 characters, Linux allows 15")

    def test_port_used_twice(self):
        self.entry["link"].append(copy.deepcopy(self.entry["link"][0]))
        self.assert_refused("port p1l1:to-p1s1 is used twice")

    def test_port_named_like_the_bridge(self):
        self.entry["link"][0]["port"] = "br-daq"
        self.assert_refused("has the name of the bridge")

    def test_address_twice(self):
        self.entry["pod"][0]["ros"][0]["address"] = "10.2.1.1"
        self.assert_refused("address 10.2.1.1 occurs twice")

    def test_bad_address(self):
        self.entry["pod"][0]["ros"][0]["address"] = "10.2.1"
        self.assert_refused("ROS r1-1: '10.2.1' is not an IP address")

    def test_ipv6_address_twice(self):
        """However it is written."""
        self.entry["pod"][0]["ros"][0]["address"] = "fd00::0A"
        self.entry["pod"][0]["hlt-rack"][0]["dcm"][1]["address"] = "fd00:0::a"
        self.assert_refused("address fd00::a occurs twice")

    def test_port_without_mac(self):
        self.entry["pod"][0]["hlt-rack"][0]["dcm"][0]["port"] = "d1"
        self.assert_refused("DCM h1-1d1 is behind port d1 but has no mac")

    def test_other_hosts(self):
        self.entry["switch"].append({"name": "sv"})
        self.entry["pod"][0]["host"] = [
            {"name": "supervisor", "address": "10.9.1.1", "switch": "sv"},
            {"name": "logger", "address": "10.9.1.2", "switch": "h1-1", "port": "e5", "mac": "02:00:00:00:05:01"}]
        found = fabric.parse(self.document)[0]
        self.assertEqual(["supervisor", "logger"], [end.name for end in found.of_kind("host")])
        self.assertEqual(("hosts", "hlt-rack"), (found.switches["sv"].role, found.switches["h1-1"].role))
        self.assertEqual("e5", found.endpoint("logger").port)

    def test_host_without_mac(self):
        self.entry["pod"][0]["host"] = [{"name": "logger", "address": "10.9.1.2", "switch": "h1-1", "port": "e5"}]
        self.assert_refused("HOST logger is behind port e5 but has no mac")

    def test_no_fabric(self):
        self.document.clear()
        self.assert_refused("no fabric")

    def test_switch_in_two_roles(self):
        self.entry["plane"][0]["leaf"][0]["switch"] = "p1s1"
        self.assert_refused("switch p1s1 is both spine and leaf")
