"""The lab with real Open vSwitch: a small fabric, programmed by hand, broken and repaired.

Run as root: python3 -m unittest discover -s lab -t lab
"""
import datetime
import json
import os
import signal
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from . import static_controller
from .support import LAB, daqlab, daqlab_json, eventually, measured, needs_root
from daqlab_lib import generate, netlink, netns, state

NAME = "dqtest"
SIZE = generate.Size(NAME, planes=2, spines=2, pods=2, ros=1, racks=1, dcms=2, capacity=10, prefix="t-", address_base="10.71")
PAIRS = 8


def write(folder, document):
    path = Path(folder) / "fabric.json"
    path.write_text(json.dumps(document))
    return path


def traces_of(name):
    """What a fabric would leave behind."""
    namespaces = subprocess.run(["ip", "netns"], text=True, capture_output=True, check=True).stdout
    processes = subprocess.run(["ps", "-eo", "args"], text=True, capture_output=True, check=True).stdout
    return ([line for line in namespaces.splitlines() if line.startswith(f"dq-{name}.")]
            + [line for line in processes.splitlines() if f"/run/daqlab/fabrics/{name}/" in line or line.endswith(f"hosts-daemon {name}")])


@needs_root
class LabTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.file = write(cls.folder.name, generate.generate(SIZE))
        cls.addClassCleanup(daqlab, "down", NAME)
        daqlab("up", cls.file)
        static_controller.program_all(NAME)

    def setUp(self):
        eventually(lambda: self.pinged()["forward"] == PAIRS, "the fabric carries everything before the test")

    def pinged(self, *arguments):
        return daqlab_json("ping", NAME, "--timeout", "0.3", *arguments, code=None)["pairs"]

    def node(self, switch):
        return next(n for n in daqlab_json("status", NAME, code=None)["nodes"] if n["switch"] == switch)

    def link_states(self, switch, port):
        """What the switches at both ends of a link report."""
        current = state.load(NAME)
        ends = [(switch, port), current.fabric.peers()[switch, port]]
        return [static_controller.vsctl(current.nodes[s], "get", "interface", p, "link_state").strip() for s, p in ends]

    def test_all_pairs_answer_both_ways(self):
        """The measure every other test relies on."""
        report = daqlab_json("ping", NAME)
        self.assertEqual({"expected": PAIRS, "forward": PAIRS, "reverse": PAIRS}, report["pairs"])
        self.assertEqual([], report["missing"])

    def test_status_counts_rules_groups_and_ports(self):
        node = self.node("t-p1l1")
        self.assertEqual(("running", "running", True), (node["ovsdb-server"], node["ovs-vswitchd"], node["bridge"]))
        self.assertEqual((6, 2), (node["rules"], node["groups"]))
        self.assertEqual({"br-daq", "to-t-p1s1", "to-t-p1s2", "to-t-r1-1", "to-t-h1-1"}, {p["name"] for p in node["ports"]})

    def test_cut_link_is_down_at_both_ends_until_restored(self):
        """Without it fast failover and the controller would not notice."""
        daqlab("cut", "t-p1l1", "to-t-p1s1")
        eventually(lambda: self.link_states("t-p1l1", "to-t-p1s1") == ["down", "down"], "both ends see the cut")
        self.assertFalse(next(link for link in daqlab_json("status", NAME)["links"] if link["port"] == "to-t-p1s1")["up"])
        daqlab("restore", "t-p1s1", "to-t-p1l1")  # from the other end
        eventually(lambda: self.link_states("t-p1l1", "to-t-p1s1") == ["up", "up"], "both ends see the link again")

    def test_ends_of_a_link_have_different_indices(self):
        """Otherwise the kernel reports the loss of carrier up to a second late, and no outage is meaningful."""
        current = state.load(NAME)
        for (switch, port), (peer, peer_port) in current.fabric.peers().items():
            with netlink.Netlink(current.nodes[switch].namespace) as near, netlink.Netlink(current.nodes[peer].namespace) as far:
                self.assertNotEqual(near.links()[port].index, far.links()[peer_port].index, f"{switch}:{port}")

    def test_cut_survives_a_restart_of_the_switch(self):
        daqlab("cut", "t-p2l1", "to-t-p2s1")
        daqlab("restart", "t-p2l1")
        eventually(lambda: self.node("t-p2l1")["rules"] == 0, "the switch is back without rules")
        self.assertEqual(["down", "down"], self.link_states("t-p2l1", "to-t-p2s1"))
        daqlab("restore", "t-p2l1", "to-t-p2s1")
        static_controller.program(state.load(NAME), "t-p2l1")

    def test_trace_follows_the_failover(self):
        """The first uplink carries; when it is cut the packet goes by the other plane or spine, and arrives."""
        before = daqlab_json("trace", "t-r1-1", "t-h2-1d1")
        self.assertEqual("delivered", before["result"])
        self.assertEqual(5, len(before["path"]))
        first = before["hops"][0]
        self.assertEqual("LOCAL", first["in-port"])
        daqlab("cut", "t-r1-1", first["out-ports"][0])
        eventually(lambda: daqlab_json("trace", "t-r1-1", "t-h2-1d1", code=None)["path"][1] != before["path"][1], "failover")
        self.assertEqual("delivered", daqlab_json("trace", "t-r1-1", "t-h2-1d1")["result"])
        daqlab("restore", "t-r1-1", first["out-ports"][0])

    def test_trace_stops_at_a_dead_link(self):
        path = daqlab_json("trace", "t-r1-1", "t-h2-1d1")["path"]
        spine, leaf = path[2:4]
        daqlab("cut", spine, f"to-{leaf}")
        self.assertEqual("link-down", daqlab_json("trace", "t-r1-1", "t-h2-1d1", code=1)["result"])
        self.assertLess(self.pinged()["forward"], PAIRS)
        daqlab("restore", spine, f"to-{leaf}")

    def test_killed_switch_comes_back_empty_of_rules(self):
        daqlab("kill", "t-h1-1")
        self.assertEqual("stopped", self.node("t-h1-1")["ovs-vswitchd"])
        daqlab("status", NAME, code=1)
        daqlab("restart", "t-h1-1")
        eventually(lambda: self.node("t-h1-1")["rules"] == 0, "the bridge is back")
        static_controller.program(state.load(NAME), "t-h1-1")
        eventually(lambda: self.pinged()["reverse"] == PAIRS, "all pairs answer again")

    def test_restart_empty_forgets_the_bridge(self):
        """The host gets its addresses again as soon as the bridge is made."""
        daqlab("restart", "t-h2-1", "--empty")
        node = self.node("t-h2-1")
        self.assertFalse(node["bridge"])
        self.assertEqual(["tcp:172.31.0.1:6640"], [m["target"] for m in node["managers"]])
        current = state.load(NAME)
        self.assertEqual("t-h2-1", static_controller.vsctl(
            current.nodes["t-h2-1"], "get", "Open_vSwitch", ".", "external_ids:system-id").strip('"\n'))
        self.assertIn("host-not-ready", {p["reason"] for p in daqlab_json("ping", NAME, "--timeout", "0.2", code=1)["missing"]})
        static_controller.make_bridge(current, "t-h2-1")
        eventually(lambda: "default" in daqlab("exec", "t-h2-1", "--", "ip", "route"), "the host has its route", seconds=5)
        static_controller.program(current, "t-h2-1")
        eventually(lambda: self.pinged()["forward"] == PAIRS, "all pairs answer again")

    def test_frozen_switch_carries_nothing_and_thaws(self):
        daqlab("freeze", "t-h1-1")
        self.assertEqual("frozen", self.node("t-h1-1")["ovs-vswitchd"])
        self.assertLess(self.pinged()["forward"], PAIRS)
        self.assertIn("frozen", daqlab("dump", "t-h1-1", code=2))
        daqlab("thaw", "t-h1-1")
        eventually(lambda: self.pinged()["forward"] == PAIRS, "all pairs answer again")

    def test_isolated_switch_keeps_forwarding(self):
        daqlab("isolate", "t-p1l1")
        self.assertIn("NO-CARRIER", daqlab("exec", "t-p1l1", "--", "ip", "link", "show", "dq-ctl"))
        self.assertEqual(PAIRS, self.pinged()["forward"])
        daqlab("rejoin", "t-p1l1")
        eventually(lambda: "LOWER_UP" in daqlab("exec", "t-p1l1", "--", "ip", "link", "show", "dq-ctl"), "rejoined")

    def test_flap_leaves_the_link_up(self):
        daqlab("flap", "t-r1-1", "to-t-p1l1", "--times", "3", "--interval", "0.05")
        eventually(lambda: self.link_states("t-r1-1", "to-t-p1l1") == ["up", "up"], "the link is up")

    def test_dump_and_exec(self):
        self.assertIn("nw_dst=10.72.1.1", daqlab("dump", "t-p1s1"))
        self.assertIn("type=ff", daqlab("dump", "t-p1l1"))
        self.assertIn("br-daq", daqlab("exec", "t-p1s1", "--", "ovs-vsctl", "list-br"))
        self.assertIn("10.72.1.2", daqlab("exec", "t-h1-1d2", "--", "ip", "addr"))
        daqlab("exec", "t-p1s1", "--", "false", code=1)

    def test_replies_come_from_the_address_asked(self):
        """A rack has several DCMs on one device."""
        serve = "import socket; s=socket.create_server(('', 7000)); print(flush=True); c,a=s.accept(); print(a[0], c.getsockname()[0])"
        server = subprocess.Popen([LAB / "daqlab", "exec", "t-h2-1", "--", "python3", "-c", serve], text=True, stdout=subprocess.PIPE)
        server.stdout.readline()  # it listens
        daqlab("exec", "t-r1-1", "--", "python3", "-c", "import socket; "
               "socket.create_connection(('10.72.2.2', 7000), timeout=2, source_address=('10.71.1.1', 0))")
        self.assertEqual("10.71.1.1 10.72.2.2\n", server.communicate(timeout=5)[0])

    def test_continuous_ping_reports_when_stopped(self):
        """SIGTERM ends it with the report, in which a cut shows as a gap."""
        run = subprocess.Popen([LAB / "daqlab", "ping", NAME, "--json", "--duration", "0", "--rate", "100"],
                               text=True, stdout=subprocess.PIPE)
        time.sleep(1)
        path = daqlab_json("trace", "t-r1-1", "t-h2-1d1")["path"]
        daqlab("cut", path[2], f"to-{path[3]}")
        time.sleep(0.5)
        daqlab("restore", path[2], f"to-{path[3]}")
        time.sleep(0.5)
        run.send_signal(signal.SIGTERM)
        report = json.loads(run.communicate(timeout=10)[0])
        self.assertEqual(1, run.returncode)
        self.assertTrue(report["stopped-early"])
        self.assertEqual(2 * PAIRS, len(report["per-pair"]))
        gap = next(p for p in report["per-pair"] if (p["from"], p["to"]) == ("t-r1-1", "t-h2-1d1"))["longest-gap"]
        self.assertGreater(gap, 400)
        self.assertLess(gap, 10000)

    def test_ping_tells_where_and_when_it_lost(self):
        """The switch that is frozen is where the traces of all that lost end."""
        before = datetime.datetime.now(datetime.UTC)
        daqlab("freeze", "t-h2-1")
        report = daqlab_json("ping", NAME, "--timeout", "0.3", code=1)
        daqlab("thaw", "t-h2-1")
        worst = report["lost-by-switch"][0]
        self.assertEqual(("t-h2-1", report["lost"]), (worst["switch"], worst["lost"]))
        self.assertGreater(datetime.datetime.fromisoformat(worst["first-lost"]), before)
        self.assertIn("t-h2-1 does not answer", "".join(row["trace"] or "" for row in report["lost-by-path"]))
        eventually(lambda: self.pinged()["forward"] == PAIRS, "all pairs answer again")

    @measured
    def test_probe_sees_nothing_where_nothing_happens(self):
        """All that is sent is reported and arrives, in both directions and between DCMs."""
        report = daqlab_json("probe", "t-r1-1", "t-h2-1d1", "t-h2-1d1", "t-r1-1", "t-h1-1d2", "t-h2-1d2",
                                 "--duration", "1", "--rate", "500")
        self.assertEqual(3, len(report["pairs"]))
        for pair in report["pairs"]:
            self.assertGreater(pair["sent"], 250)
            self.assertEqual((pair["sent"], 0, 0, 0, False),
                             (pair["received"], pair["lost"], pair["duplicates"], pair["reordered"], pair["open"]))
        self.assertLess(report["outage"], 200)

    @measured
    def test_probe_measures_an_outage(self):
        """As long as the cut at least, at the time of the cut, in the pair whose path it is on; SIGTERM ends it with the report."""
        path = daqlab_json("trace", "t-r1-1", "t-h2-1d1")["path"]
        run = subprocess.Popen([LAB / "daqlab", "probe", "t-r1-1", "t-h2-1d1", "t-r2-1", "t-h2-1d2", "--json"],
                               text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual("probing\n", run.stderr.readline())
        daqlab("cut", path[2], f"to-{path[3]}")
        cut = time.time()
        time.sleep(0.5)
        restored = time.time()
        daqlab("restore", path[2], f"to-{path[3]}")
        eventually(lambda: self.pinged()["forward"] == PAIRS, "the path is restored")
        run.send_signal(signal.SIGTERM)
        report = json.loads(run.communicate(timeout=10)[0])
        self.assertEqual(1, run.returncode)
        hit, other = report["pairs"]
        self.assertGreater(hit["outage"], 1e3 * (restored - cut))
        self.assertLess(hit["outage"], 1e3 * (restored - cut) + 2000)
        self.assertLess(hit["outages"][0]["at"], cut)
        self.assertGreater(hit["lost"], 0)
        self.assertEqual((0, 0, False), (other["lost"], hit["duplicates"], hit["open"]))
        self.assertLess(other["outage"], 200)

    def test_probe_tells_what_the_sender_could_not_send(self):
        """It counts as sent and lost: a DCM whose switch has no bridge has no route."""
        daqlab("restart", "t-h2-1", "--empty")
        report = daqlab_json("probe", "t-h2-1d1", "t-r1-1", "--duration", "0.3", "--rate", "100", code=None)["pairs"][0]
        self.assertEqual((report["sent"], report["sent"], "host-not-ready", True),
                         (report["lost"], report["refused"], report["reason"], report["open"]))
        static_controller.make_bridge(state.load(NAME), "t-h2-1")
        static_controller.program(state.load(NAME), "t-h2-1")

    def test_up_again_changes_nothing_and_restarts_what_died(self):
        daqlab("kill", "t-p1s1")
        daqlab("up", self.file)
        self.assertEqual("running", self.node("t-p1s1")["ovs-vswitchd"])
        static_controller.program(state.load(NAME), "t-p1s1")
        eventually(lambda: self.pinged()["forward"] == PAIRS, "all pairs answer again")

    def test_wrong_names_are_explained(self):
        self.assertIn("its ports are", daqlab("cut", "t-p1l1", "nothing", code=2))
        self.assertIn("no switch nobody", daqlab("kill", "nobody", code=2))
        self.assertIn("not up", daqlab("ping", "nothing", code=2))


@needs_root
class ControlNetworkTest(unittest.TestCase):

    def test_nodes_reach_the_controller_ports_only(self):
        """The controller listens on the loopback address; nothing else of the machine is open to the nodes."""
        with tempfile.TemporaryDirectory() as folder:
            self.addCleanup(daqlab, "down", "dqctl")
            size = generate.Size("dqctl", 1, 1, 1, 1, 1, 1, 10, prefix="c-", address_base="10.73")
            daqlab("up", write(folder, generate.generate(size)))
        probe = ("import socket,sys\ns=socket.socket(); s.settimeout(0.5)\n"
                 "try: s.connect((sys.argv[1], int(sys.argv[2]))); print('open')\n"
                 "except ConnectionRefusedError: print('refused')\nexcept OSError: print('blocked')")

        def reach(port):
            return daqlab("exec", "c-p1s1", "--", "python3", "-c", probe, "172.31.0.1", port).strip()

        with socket.socket() as elsewhere:
            elsewhere.bind(("0.0.0.0", 0))
            elsewhere.listen()
            self.assertEqual("blocked", reach(elsewhere.getsockname()[1]))
        self.assertIn(reach(6640), ("open", "refused"))  # a controller may run or not
        self.assertIn(reach(6653), ("open", "refused"))
        self.assertEqual("blocked", reach(6633))


@needs_root
class LifecycleTest(unittest.TestCase):

    def test_dcms_behind_ports_of_their_own(self):
        """Each such DCM has a namespace and the MAC of the file, with addresses of IPv4 and of IPv6."""
        for ipv6 in (False, True):
            with self.subTest(ipv6=ipv6), tempfile.TemporaryDirectory() as folder:
                size = generate.Size("dqports", 2, 1, 1, 1, 1, 3, 10, prefix="q-", address_base="10.75", dcm_ports=True, ipv6=ipv6)
                self.addCleanup(daqlab, "down", "dqports")
                daqlab("up", write(folder, generate.generate(size)))
                static_controller.program_all("dqports")
                eventually(lambda: daqlab_json("ping", "dqports", "--timeout", "0.3", code=None)["pairs"]["reverse"] == 3,
                           "all pairs answer")
                self.assertEqual("delivered", daqlab_json("trace", "q-r1-1", "q-h1-1d2")["result"])
                self.assertIn("02:da:0a:4c:01:02", daqlab("exec", "q-h1-1d2", "--", "ip", "link", "show", "eth0"))
                self.doCleanups()

    def test_same_switch_name_in_two_fabrics_needs_the_fabric(self):
        """Both are up at the same time and do not interfere."""
        one = generate.generate(generate.Size("dqone", 1, 1, 1, 1, 1, 1, 10, address_base="10.77"))
        two = generate.generate(generate.Size("dqtwo", 1, 1, 1, 1, 1, 1, 10, address_base="10.77"))
        for switch in one["daqfabric:fabric"][0]["switch"]:
            switch["system-id"] = "one-" + switch["name"]
        for switch in two["daqfabric:fabric"][0]["switch"]:
            switch["system-id"] = "two-" + switch["name"]
        with tempfile.TemporaryDirectory() as folder:
            self.addCleanup(daqlab, "down", "dqtwo")
            self.addCleanup(daqlab, "down", "dqone")
            daqlab("up", write(folder, {"daqfabric:fabric": one["daqfabric:fabric"] + two["daqfabric:fabric"]}))
        self.assertIn("add --fabric NAME", daqlab("kill", "p1s1", code=2))
        daqlab("kill", "p1s1", "--fabric", "dqtwo")
        self.assertTrue(daqlab_json("status", "dqone")["healthy"])
        self.assertFalse(daqlab_json("status", "dqtwo", code=1)["healthy"])
        daqlab("down", "dqone")
        self.assertEqual([], traces_of("dqone"))
        self.assertNotEqual([], traces_of("dqtwo"))

    def test_interrupted_up_is_undone(self):
        """Killed at any moment, it leaves nothing that `down` would not find."""
        size = generate.Size("dqcut", 2, 2, 2, 2, 2, 2, 10, prefix="k-", address_base="10.79")
        for number, after in ((signal.SIGKILL, 0.1), (signal.SIGKILL, 0.25), (signal.SIGKILL, 0.4), (signal.SIGINT, 0.3)):
            with self.subTest(after=after), tempfile.TemporaryDirectory() as folder:
                run = subprocess.Popen([LAB / "daqlab", "up", write(folder, generate.generate(size))], stderr=subprocess.DEVNULL)
                time.sleep(after)
                run.send_signal(number)
                run.wait()
                daqlab("down", "dqcut")
                eventually(lambda: traces_of("dqcut") == [], "nothing is left")

    def test_last_down_gives_everything_back(self):
        """Sysctls, the nftables table and the control network belong to the machine again."""
        if state.names():
            self.skipTest("other fabrics are up")
        if not os.path.exists("/proc/sys/net/core/rmem_default"):
            self.skipTest("this is not the machine's own network (scripts/test runs this test there)")
        before = netns.read_sysctl("net.core.rmem_default"), netns.read_sysctl("net.core.wmem_default")
        size = generate.Size("dqlast", 1, 1, 1, 1, 1, 1, 10, prefix="z-")
        with tempfile.TemporaryDirectory() as folder:
            self.addCleanup(daqlab, "down", "dqlast")
            daqlab("up", write(folder, generate.generate(size)))
        self.assertGreaterEqual(int(netns.read_sysctl("net.core.rmem_default")), 8388608)
        daqlab("down", "dqlast")
        self.assertEqual(before, (netns.read_sysctl("net.core.rmem_default"), netns.read_sysctl("net.core.wmem_default")))
        self.assertFalse(netns.exists("dq-control"))
        tables = subprocess.run(["nft", "list", "tables"], text=True, capture_output=True, check=True).stdout
        self.assertNotIn("daqlab", tables)
