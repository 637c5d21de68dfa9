"""The walk through the switches, with switches that only answer."""
import unittest
from unittest import mock

from . import support  # noqa: F401  (makes the library importable)
from daqlab_lib import fabric, generate, state, trace

FABRIC = fabric.parse(generate.generate(generate.Size("x", 1, 1, 1, 1, 1, 1, 10)))[0]
STATE = state.plan(FABRIC, dict.fromkeys(FABRIC.switches, "172.31.1.1"), [], 1500, "ovs-vswitchd", True)
PORTS = {  # name, OpenFlow number, datapath number, type
    "r1-1": [("br-daq", 65534, 1, "tap"), ("to-p1l1", 1, 2, "system")],
    "p1l1": [("br-daq", 65534, 1, "tap"), ("to-r1-1", 1, 2, "system"), ("to-h1-1", 2, 3, "system"),
             ("to-p1s1", 3, 4, "system"), ("ring1", 100, 9, "daqring: max-burst=4"), ("odd", 5, 5, "system")],
    "h1-1": [("br-daq", 65534, 1, "tap"), ("to-p1l1", 1, 2, "system")],
}
DAQRING = {("r1-1", "65534"): "2", ("p1l1", "1"): "9", ("p1l1", "100"): "3",
           ("h1-1", "1"): "set(eth(dst=02:00:00:00:00:99)),1"}


class TraceTest(unittest.TestCase):

    def walk(self, actions, mac="02:00:00:00:00:99", flags=0x41):
        def appctl(node, command, *arguments):
            name = node.switch.name
            if command == "dpif/show":
                return "".join(f"    {n} {o}/{d}: ({t})\n" for n, o, d, t in PORTS[name])
            in_port = arguments[1].split("in_port=")[1].split(",")[0]
            return f" 0. ip, priority 1\nDatapath actions: {actions[name, in_port]}\n"

        interface = mock.Mock(mac=mac, flags=flags)
        with mock.patch.object(trace.ovs, "appctl", appctl), \
                mock.patch.object(trace._Walk, "_interface", lambda *_: interface):
            return trace.trace(STATE, "r1-1", "h1-1d1")

    def test_daqring_is_a_hop_on_the_same_switch(self):
        """What goes into a daqring comes out of it as from any port."""
        found = self.walk(DAQRING)
        self.assertEqual("delivered", found["result"])
        self.assertEqual(["r1-1", "p1l1", "h1-1"], found["path"])
        self.assertEqual([("to-r1-1", ["ring1"]), ("ring1", ["to-h1-1"])],
                         [(h["in-port"], h["out-ports"]) for h in found["hops"] if h["switch"] == "p1l1"])

    def test_wrong_mac_is_not_delivered(self):
        """The kernel of the host would throw the frame away."""
        self.assertEqual("wrong-mac", self.walk(DAQRING, mac="02:00:00:00:00:98")["result"])

    def test_turning_back_for_ever_is_a_loop(self):
        """in_port as output sends the packet back where it came from."""
        self.assertEqual("loop", self.walk(DAQRING | {("p1l1", "1"): "in_port", ("r1-1", "1"): "in_port"})["result"])

    def test_other_ends(self):
        for action, result in (("drop", "dropped"), ("3,4", "several-outputs"), ("5", "unknown-port"), ("1", "wrong-port")):
            with self.subTest(result):
                self.assertEqual(result, self.walk(DAQRING | {("p1l1", "1"): action})["result"])
        self.assertEqual("link-down", self.walk(DAQRING, flags=0)["result"])
