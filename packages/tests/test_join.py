"""daqfabric-node join, leave and status by a database of the test: what they write, what they refuse, what they show."""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import socket
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "daqfabric"))

from daqfabric_node import names, openflow, reach
from daqfabric_node.system import Refused

FILE = Path(__file__).resolve().parents[1] / "daqfabric" / "daqfabric-node"
_SPEC = importlib.util.spec_from_loader("node", importlib.machinery.SourceFileLoader("node", str(FILE)))
node = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(node)

CHASSIS = {"system-id": "6b2f", "ovn-remote": "tcp:10.9.9.9:6642", "ovn-encap-type": "geneve"}
KNOWN = {"control1": [(socket.AF_INET, "10.0.0.1"), (socket.AF_INET, "10.0.0.2")], "control6": [(socket.AF_INET6, "fd00:73::1")]}


def found(name, *_, **__):
    """As of getaddrinfo."""
    if name not in KNOWN:
        raise socket.gaierror("Name or service not known")
    return [(family, socket.SOCK_STREAM, 6, "", (address, 0)) for family, address in KNOWN[name]]


class Database:
    """As much of Open vSwitch as is asked."""

    def __init__(self):
        self.external_ids = {"system-id": "random"}
        self.managers, self.bridges, self.controllers, self.written = [], [], [], []

    def vsctl(self, *words, timeout=10):
        if words[0] == "get-manager":
            return "\n".join(self.managers)
        self.written.append(words)
        for index, word in enumerate(words):
            if word.startswith("external_ids:system-id="):
                self.external_ids["system-id"] = word.partition("=")[2]
            if word == "set-manager":
                self.managers = list(words[index + 1:])
        return ""

    def tables(self, *wanted, timeout=10):
        return [{"Open_vSwitch": [{"external_ids": self.external_ids}], "Bridge": self.bridges, "Controller": self.controllers,
                 "Manager": [{"target": each, "is_connected": True, "status": {"sec_since_connect": "7"}} for each in self.managers],
                 }[name] for name, *_ in wanted]


class NodeTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.database = Database()
        self.resolves = False
        for module, name, value in (
                *((node, name, self.folder / name) for name in ("SYSTEM_ID", "STATE", "PROFILE", "CERTIFICATE", "KEY")),
                (node, "JOINED", self.folder / "STATE" / "node.json"), (node, "vsctl", self.database.vsctl),
                *((module, "rows", lambda *table, **_: self.database.tables(table)[0]) for module in (node, names)),
                (openflow, "tables", self.database.tables), (node, "joined", self.joined),
                (node.service, "apply", lambda: None), (node, "show_settings", lambda: 0), (node, "vswitchd", lambda: "3.1"),
                (names, "resolves", lambda: self.resolves), (socket, "getaddrinfo", found)):
            self.enterContext(mock.patch.object(module, name, value))
        node.SYSTEM_ID.write_text("random\n")

    def joined(self):
        return json.loads(node.JOINED.read_text()) if node.JOINED.exists() else {}

    def run_it(self, *arguments):
        """Exit code and output."""
        options, output = node.parse(arguments), io.StringIO()
        with contextlib.redirect_stdout(output):
            code = options.command(options)
        return code, output.getvalue()


class Names(NodeTest):
    def test_a_name_is_looked_up_where_open_vswitch_cannot(self):
        for controllers, targets in ((("control1",), ["tcp:10.0.0.1:6640"]), (("control6:6641",), ["tcp:[fd00:73::1]:6641"]),
                                     (("10.0.0.1", "[fd00::7]"), ["tcp:10.0.0.1:6640", "tcp:[fd00::7]:6640"])):
            with self.subTest(controllers):
                _, said = self.run_it("join", "--replace", "--name", "p1s1", *controllers)
                self.assertEqual(targets, self.database.managers)
                self.assertEqual(sorted(targets), self.joined()["managers"])
                for each in controllers:
                    self.assertEqual(each.startswith("control"), f"{each.partition(':')[0]} is " in said, said)
        self.run_it("join", "--replace", "control1")
        written = len(self.database.written)
        self.run_it("join", "control1")
        self.assertNotIn("set-manager", self.database.written[written])

    def test_open_vswitch_with_a_resolver_is_given_the_name(self):
        self.resolves = True
        self.run_it("join", "--name", "p1s1", "control1", "nobody")
        self.assertEqual(["tcp:control1:6640", "tcp:nobody:6640"], self.database.managers)

    def test_a_name_that_nobody_knows_changes_nothing(self):
        with self.assertRaisesRegex(Refused, "'nobody' is not known on this host: .*/etc/hosts.*or give its address"):
            self.run_it("join", "--name", "p1s1", "control1", "nobody")
        self.assertEqual(([], {}), (self.database.written, self.joined()))

    def test_two_names_of_one_address(self):
        with self.assertRaisesRegex(Refused, "a controller is given twice"):
            self.run_it("join", "--name", "p1s1", "control1", "10.0.0.1")


class Resolver(unittest.TestCase):
    def test_both_daemons_must_have_one(self):
        """Managers are connected to by the one, controllers of bridges by the other."""
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(names, "RUN", Path(folder)), \
                mock.patch.object(names, "PROCESSES", Path(folder)):
            for vswitchd, server, expected in (("libunbound.so.8", "libunbound.so.8", True), ("libc.so", "libunbound.so.8", False),
                                               ("libunbound.so.8", "libc.so", False), (None, "libunbound.so.8", False)):
                for pid, (daemon, library) in enumerate((("ovs-vswitchd", vswitchd), ("ovsdb-server", server)), 7):
                    Path(folder, str(pid)).mkdir(exist_ok=True)
                    Path(folder, f"{pid}/maps").write_text(f"7f00-7f01 r-xp 00000000 08:01 1 /usr/lib/{library}\n")
                    Path(folder, f"{daemon}.pid").write_text(f"{pid}\n" if library else "99\n")
                self.assertEqual(expected, names.resolves())
        with mock.patch.object(names, "RUN", Path("/nonexistent")):
            self.assertFalse(names.resolves())


class Chassis(NodeTest):
    def test_the_system_id_of_a_chassis_of_ovn_stays(self):
        self.database.external_ids = dict(CHASSIS)
        for name in (("--name", "p1s1"), ()):
            with self.subTest(name), self.assertRaisesRegex(Refused, "chassis of OVN.*'6b2f'.*system-id.*join --name 6b2f"):
                self.run_it("join", *name, "10.0.0.1")
        self.assertEqual(([], {}, "random\n"), (self.database.written, self.joined(), node.SYSTEM_ID.read_text()))

        self.assertEqual(0, self.run_it("join", "--name", "6b2f", "10.0.0.1")[0])
        self.assertEqual(CHASSIS, self.database.external_ids)

    def test_one_that_was_given_another_name_gets_its_own_back(self):
        """By a version that did not look."""
        self.database.external_ids = {"system-id": "6b2f"}
        node.SYSTEM_ID.write_text("6b2f\n")
        self.run_it("join", "--name", "p1s1", "10.0.0.1")
        self.database.external_ids |= {"ovn-remote": "tcp:10.9.9.9:6642"}
        with self.assertRaisesRegex(Refused, "chassis of OVN"):
            self.run_it("join", "--name", "p1s2", "10.0.0.1")
        self.assertEqual(0, self.run_it("join", "--name", "6b2f", "10.0.0.1")[0])
        self.assertEqual("6b2f", self.database.external_ids["system-id"])

    def test_it_stays_where_the_host_became_one_after_it_had_joined(self):
        self.run_it("join", "--name", "p1s1", "10.0.0.1")
        self.database.external_ids |= {"ovn-remote": "tcp:10.9.9.9:6642"}
        self.assertEqual(0, self.run_it("join", "10.0.0.1")[0])
        _, said = self.run_it("leave")
        self.assertIn("keeps the system-id p1s1", said)
        self.assertEqual(("p1s1", "p1s1\n"), (self.database.external_ids["system-id"], node.SYSTEM_ID.read_text()))
        self.assertEqual({}, self.joined())

    def test_leave_gives_others_back_what_they_had(self):
        self.run_it("join", "--name", "p1s1", "10.0.0.1")
        self.run_it("leave")
        self.assertEqual(("random", "random\n"), (self.database.external_ids["system-id"], node.SYSTEM_ID.read_text()))


class Status(NodeTest):
    def bridge(self, *controllers):
        """One of a fabric with (target, whether it is connected, its last error)."""
        self.run_it("join", "--name", "p1s1", "10.0.0.1")
        uuids = [["uuid", f"c{each}"] for each, _ in enumerate(controllers)]
        self.database.bridges = [
            {"name": "br-daq", "external_ids": {"daqfabric": "first"}, "controller": uuids[0] if len(uuids) == 1 else uuids},
            {"name": "br-int", "external_ids": {}, "controller": ["uuid", "other"]}]
        self.database.controllers = [{"_uuid": ["uuid", "other"], "target": "tcp:9.9.9.9:6653", "is_connected": False, "status": {}}] + [
            {"_uuid": uuid, "target": target, "is_connected": connected, "status": {"last_error": error} if error else {}}
            for uuid, (target, connected, error) in zip(uuids, controllers)]
        return self.run_it("status")

    def test_openflow_is_shown_beside_ovsdb(self):
        code, said = self.bridge(("tcp:10.0.0.1:6653", True, ""))
        self.assertEqual(0, code)
        self.assertIn("  bridge br-daq of fabric first\n    tcp:10.0.0.1:6653: connected by OpenFlow\n", said)
        self.assertNotIn("9.9.9.9", said)

    def test_an_error_of_openflow(self):
        code, said = self.bridge(("tcp:control1:6653", False, "Address family not supported by protocol"))
        self.assertEqual(1, code)
        self.assertRegex(said, r"\n    tcp:control1:6653: not connected by OpenFlow, Address family not supported by protocol: "
                               r".*join with the controller's address")
        self.assertIn("no controller programs br-daq", said)

    def test_one_of_three_is_enough(self):
        code, said = self.bridge(("tcp:10.0.0.1:6653", True, ""), ("tcp:10.0.0.2:6653", False, "Connection refused"))
        self.assertEqual(0, code)
        self.assertIn("tcp:10.0.0.2:6653: not connected by OpenFlow, Connection refused: does the controller run", said)

    def test_a_host_with_a_profile_alone_needs_none(self):
        self.bridge()
        node.JOINED.unlink()
        node.PROFILE.write_text("")
        self.assertEqual(0, self.run_it("status")[0])

    def test_no_controller_at_all(self):
        code, said = self.bridge()
        self.assertEqual(1, code)
        self.assertIn("no controller programs br-daq", said)


class ReachTest(unittest.TestCase):
    """Open vSwitch says nothing of a manager that refuses, or whose name it does not know."""

    def advice(self, target):
        why = reach.why_not(target)
        return f"{why}: {node.advice(target, why)}"

    def test_a_controller_that_does_not_listen(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        self.assertRegex(self.advice(f"tcp:127.0.0.1:{port}"), "^connection refused: does the controller run, and is its ovsdb-address")

    def test_a_name_that_nobody_knows(self):
        with mock.patch("socket.getaddrinfo", found):
            self.assertRegex(self.advice("ssl:control9:6640"), "^'control9' is not known on this host: .*/etc/hosts and restart")

    def test_a_name_that_open_vswitch_does_not_know_yet(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.assertRegex(self.advice(f"tcp:localhost:{server.getsockname()[1]}"),
                             "^though this host reaches it by that name: Open vSwitch does not know the name: .*systemctl restart")

    def test_an_address_that_is_reached(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.assertEqual("no answer yet", reach.why_not(f"tcp:127.0.0.1:{server.getsockname()[1]}"))

    def test_an_address_of_ipv6_without_a_port(self):
        with mock.patch("socket.create_connection", side_effect=TimeoutError) as tried:
            self.assertEqual("no answer within 2 s", reach.why_not("tcp:[fd00:73::1]"))
        self.assertEqual((("fd00:73::1", 6640),), tried.call_args.args)
        with mock.patch("socket.create_connection", side_effect=OSError(113, "No route to host")) as tried:
            for _bridge in range(3):
                self.assertEqual("No route to host", reach.why_not("tcp:[fd00:73::1]", reach.OPENFLOW))
        self.assertEqual((("fd00:73::1", 6653),), tried.call_args.args)
        self.assertEqual(1, tried.call_count)


if __name__ == "__main__":
    unittest.main()
