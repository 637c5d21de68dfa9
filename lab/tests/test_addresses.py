"""Addresses and ports that people give to bin/cluster, bin/ports, bin/certificates and `daqfabric status`, without a controller."""
import http.server
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

from .support import LAB
from .test_certificates import DISTRIBUTION, PEKKO

ADDRESSES = Path("/proc/net/if_inet6")
SIX = ADDRESSES.exists() and f"{1:032x}" in ADDRESSES.read_text()  # this machine has ::1
SHELL = "org.apache.karaf.shell.cfg"
# `getent ahosts NAME`, as on a machine with these hosts
GETENT = """#!/bin/sh
case $2 in
control1) echo "127.0.1.1 STREAM control1" ;;
control2) echo "10.0.0.2 STREAM control2" ;;
other2) echo "10.0.0.2 STREAM control2" ;;
*.example.org) echo "fd00:73::${2%%.*} STREAM $2" ;;
here*) echo "127.0.0.${2#here} STREAM $2" ;;
*) exit 2 ;;
esac
"""


class Home(unittest.TestCase):
    """A controller's files, as far as the commands look at them."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.home = self.folder / "home"
        shutil.copytree(DISTRIBUTION, self.home)
        self.pekko = self.home / "configuration/initial/pekko.conf"
        self.pekko.parent.mkdir(parents=True)
        self.pekko.write_text(PEKKO)
        shutil.copy(LAB.parent / "features/daqfabric/src/main/config/org.daqfabric.cfg", self.home / "etc")
        (self.home / "etc" / SHELL).write_text("sshPort = 8101\nsshHost = 127.0.0.1\n")
        self.programs = self.folder / "programs"
        self.programs.mkdir()
        self.program("getent", GETENT)

    def program(self, name, text):
        """A stand-in for a program of the machine."""
        (self.programs / name).write_text(text)
        (self.programs / name).chmod(0o755)

    def run_(self, *command):
        done = subprocess.run([*map(str, command)], text=True, capture_output=True, check=False,
                              env=os.environ | {"PATH": f"{self.programs}:{os.environ['PATH']}"})
        return done.returncode, done.stdout + done.stderr

    def command(self, name, *arguments):
        return self.run_(self.home / "bin" / name, *arguments)

    def files(self):
        return {file: file.read_text() for folder in ("etc", "configuration") for file in (self.home / folder).rglob("*") if file.is_file()}

    def assert_refused(self, name, arguments, *said):
        before = self.files()
        code, text = self.command(name, *arguments)
        self.assertEqual(1, code, text)
        for each in said:
            self.assertIn(each, text)
        self.assertEqual(before, self.files(), f"{name} has written something")


class ClusterTest(Home):
    def seeds(self):
        return next(line.split("=", 1)[1].strip() for line in self.pekko.read_text().splitlines() if "seed-nodes" in line)

    def assert_member(self, arguments, host, port, seeds):
        code, text = self.command("cluster", *arguments)
        self.assertEqual(0, code, text)
        self.assertIn(f'canonical.hostname = "{host}"\n        canonical.port = {port}\n', self.pekko.read_text())
        self.assertEqual("[" + ", ".join(f'"pekko://opendaylight-cluster-data@{each}"' for each in seeds) + "]", self.seeds())
        self.assertIn(f"at {host}:{port}\n", text)

    def test_addresses_of_every_form(self):
        self.assert_member((2, "10.0.0.1", "10.0.0.2:2551", "10.0.0.3"), "10.0.0.2", 2551,
                           ("10.0.0.1:2550", "10.0.0.2:2551", "10.0.0.3:2550"))
        for own in ("fd00:73::2", "[fd00:73::2]", "[fd00:73::2]:2550", "FD00:0073:0:0::0002", "fd00:73:0:0:0:0:0:2"):
            self.assert_member((2, "fd00:73::1", own, "fd00:73::3"), "[fd00:73::2]", 2550,
                               ("[fd00:73::1]:2550", "[fd00:73::2]:2550", "[fd00:73::3]:2550"))
        self.assert_member((1, "Control2", "[fd00:73::2]:2551", "10.0.0.3"), "control2", 2550,
                           ("control2:2550", "[fd00:73::2]:2551", "10.0.0.3:2550"))

    def test_the_longest_row_of_zeros_is_left_out(self):
        """As RFC 5952 wants it: members compare addresses as text."""
        for given, host in (("1:0:0:2:0:0:0:3", "[1:0:0:2::3]"), ("1:0:0:2:3:0:0:4", "[1::2:3:0:0:4]"),
                            ("1:2:3:4:5:6:0:8", "[1:2:3:4:5:6:0:8]"), ("2001:db8::", "[2001:db8::]")):
            self.assert_member((1, given, "10.0.0.2", "10.0.0.3"), host, 2550, (f"{host}:2550", "10.0.0.2:2550", "10.0.0.3:2550"))

    def test_members_that_are_all_on_one_machine(self):
        for members in (("127.0.0.1", "127.0.0.2", "127.0.0.3"), ("here1", "here2", "::1"), ("[::1]:2551", "[::1]:2552", "[::1]:2553")):
            with self.subTest(members):
                code, text = self.command("cluster", 1, *members)
                self.assertEqual(0, code, text)

    def test_what_others_cannot_reach_is_refused(self):
        for members, said in ((("control1", "control2", "10.0.0.3"), ("'control1'", "127.0.1.1", "/etc/hosts")),
                              (("control2", "control1", "10.0.0.3"), ("'control1'", "127.0.1.1")),
                              (("10.0.0.1", "127.0.0.1", "10.0.0.3"), ("'127.0.0.1'", "control network")),
                              (("10.0.0.1", "[::1]:2550", "10.0.0.3"), ("'[::1]:2550'", "control network")),
                              (("nowhere", "control2", "10.0.0.3"), ("'nowhere'", "/etc/hosts")),
                              (("0.0.0.0", "10.0.0.2", "10.0.0.3"), ("'0.0.0.0'",)), (("::", "10.0.0.2", "10.0.0.3"), ("'::'",)),
                              (("fe80::1", "fd00:73::2", "fd00:73::3"), ("'fe80::1'", "link")),
                              (("::ffff:a00:1", "10.0.0.2", "10.0.0.3"), ("'::ffff:a00:1'", "IPv4"))):
            with self.subTest(members):
                self.assert_refused("cluster", (1, *members), *said)
        # a name of another member may be known later
        self.assertEqual(0, self.command("cluster", 2, "nowhere", "control2", "10.0.0.3")[0])

    def test_the_same_member_twice_is_refused(self):
        for first, second in (("10.0.0.1", "10.0.0.1"), ("10.0.0.1", "10.0.0.1:2550"), ("fd00:73::1", "[FD00:73:0::1]:2550"),
                              ("control2", "CONTROL2"), ("control2", "other2"), ("control2", "10.0.0.2"), ("7.example.org", "fd00:73::7")):
            with self.subTest(second):
                self.assert_refused("cluster", (1, first, "10.0.0.9", second), f"'{second}'", f"'{first}'")
        self.assertEqual(0, self.command("cluster", 1, "10.0.0.1", "10.0.0.1:2551", "10.0.0.1:2552")[0])

    def test_what_is_no_address_is_refused(self):
        for each in ("", "10.0.0", "10.0.0.256", "10.0.0.01", "1:2:3", "fd00:73:::1", "fd00:73::1::2", "[fd00:73::1", "fd00:73::1]",
                     "[10.0.0.1]", "[fd00:73::1]2550", "fd00:73::g", "fd00::12345", "fe80::1%eth0", "::ffff:10.0.0.1", "control_1",
                     "-x", "x-", "a..b", "a b", "a\nb", 'x"', "x|y", "x&", "x:", "10.0.0.1:99999", "10.0.0.1:0", "10.0.0.1:02550",
                     "10.0.0.1:x", "[fd00:73::1]:65536"):
            with self.subTest(each):
                self.assert_refused("cluster", (1, "10.0.0.7", each, "10.0.0.9"), f"'{each}'")

    def test_what_is_no_number_is_refused(self):
        for each in ("01", "0", "4", "", "x", "99999999999999999999", "-1"):
            with self.subTest(each):
                self.assert_refused("cluster", (each, "10.0.0.1", "10.0.0.2", "10.0.0.3"), each)


class PortsTest(Home):
    def listed(self):
        return {name: port for name, port, _ in map(str.split, self.command("ports")[1].splitlines())}

    def test_what_is_no_port_is_refused(self):
        for each in ("restconf=99999", "restconf=65536", "restconf=0", "restconf=08", "restconf=x", "restconf=", "restconf=-1",
                     "nosuch=8281", "+99999", "+60000", "+x", "+", "restconf=99999999999999999999"):
            with self.subTest(each):
                self.assert_refused("ports", ("ssh=8201", each), f"'{each}'")

    def test_two_services_on_one_port_are_refused(self):
        self.assert_refused("ports", ("openflow=6640",), "openflow and ovsdb", "6640")
        self.assert_refused("ports", ("ssh=9000", "restconf=9000"), "restconf and ssh", "9000")
        self.assert_refused("ports", ("+1", "restconf2=8182"), "restconf and restconf2", "8182")

    def test_all_of_a_call_are_set_together(self):
        before = self.listed()
        self.assertEqual((0, ""), self.command("ports", "openflow=6640", "ovsdb=6654"))
        self.assertEqual(before | {"openflow": "6640", "ovsdb": "6654"}, self.listed())
        self.assertEqual((0, ""), self.command("ports", "openflow=0", "openflow-tls=6640", "+1"))
        found = self.listed()
        self.assertEqual(("6641", None, "8182", "8183", "8102"),
                         (found["openflow-tls"], found.get("openflow"), found["restconf"], found["restconf2"], found["ssh"]))

    def test_a_single_controller_stays_its_own_seed(self):
        for host in ("127.0.0.1", "[::1]", "10.0.0.1"):
            self.pekko.write_text(PEKKO.replace("127.0.0.1", host))
            self.assertEqual((0, ""), self.command("ports", "cluster=2650"))
            self.assertIn(f'["pekko://opendaylight-cluster-data@{host}:2650"]', self.pekko.read_text())


class CertificatesTest(Home):
    def test_addresses_of_every_form(self):
        pki = self.folder / "pki"
        code, text = self.command("certificates", pki, "[FD00:73:0::1],control1.example.org", "10.0.0.2,::1")
        self.assertEqual(0, code, text)
        for address, names in (("fd00:73::1", "IP Address:FD00:73:0:0:0:0:0:1, DNS:control1.example.org"),
                               ("10.0.0.2", "IP Address:10.0.0.2, IP Address:0:0:0:0:0:0:0:1")):
            self.assertIn(names, self.run_("openssl", "x509", "-in", pki / address / "cert.pem", "-noout", "-ext", "subjectAltName")[1])

    def test_what_is_no_address_is_refused(self):
        for each in ("10.0.0.1:2550", "[fd00:73::1]:2550", "fd00:73:::1", "10.0.0.256", "10.0.0.1,", "10.0.0.1,,x", "x,a_b"):
            with self.subTest(each):
                self.assert_refused("certificates", (self.folder / "pki", each), f"'{each}'")
                self.assertFalse((self.folder / "pki").exists())


class Six(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6


class Refusing(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(401)
        self.end_headers()

    def log_message(self, *_):
        pass


class StatusTest(Home):
    """`daqfabric status`, of a program whose folders are elsewhere."""

    def setUp(self):
        super().setUp()
        self.web = self.home / "etc/org.ops4j.pax.web.cfg"
        (self.home / "settings").mkdir()
        (self.home / "settings/bin").symlink_to("../bin")
        (self.home / "settings/etc").symlink_to("../etc")
        (self.home / "settings/configuration").symlink_to("../configuration")
        (self.home / "version").write_text("1.2.3\n")
        self.daqfabric = self.folder / "daqfabric"
        self.daqfabric.write_text((LAB.parent / "packages/daqfabric/daqfabric").read_text().replace(
            "\nhome=/usr/share/daqfabric", f"\nhome={self.home}").replace("\nconf=/etc/daqfabric", f"\nconf={self.home}/etc"))
        self.daqfabric.chmod(0o755)

    def serve(self, server, address):
        served = self.enterContext(server((address, 0), Refusing))
        threading.Thread(target=served.serve_forever, args=(0.02,), daemon=True).start()
        self.addCleanup(served.shutdown)
        port = served.server_address[1]
        # it stands for the port of switches, too
        for name in ("restconf", "openflow"):
            file, key = {"restconf": (self.web, "jetty.port|org.osgi.service.http.port"), "openflow": (
                self.home / "etc/org.daqfabric.cfg", "openflow-port")}[name]
            subprocess.run(["sed", "-Ei", f"s/^({key})( *= *).*/\\1\\2{port}/", file], check=True)
        return port

    def status(self, host):
        subprocess.run(["sed", "-i", f"s/^jetty.host *=.*/jetty.host = {host}/", self.web], check=True)
        return self.run_(self.daqfabric, "status")

    def assert_asks(self, server, address, **expected):
        """Keys are what is asked, values what is set."""
        port = self.serve(server, address)
        for asked, hosts in expected.items():
            for host in hosts:
                code, text = self.status(host)
                self.assertEqual(0, code, text)
                self.assertIn(f"answers at http://{asked}:{port}/rests", text)

    def test_it_asks_where_the_controller_listens(self):
        self.assert_asks(http.server.ThreadingHTTPServer, "127.0.0.1",
                         **{"127.0.0.1": ("127.0.0.1", "0.0.0.0", "127.0.0.1, ::1"), "localhost": ("localhost",)})

    @unittest.skipUnless(SIX, "this machine has no IPv6")
    def test_it_asks_over_ipv6(self):
        self.assert_asks(Six, "::1", **{"[::1]": ("::1", "[::1]", "0:0:0:0:0:0:0:1", "::")})

    def test_what_is_no_address_is_said(self):
        code, text = self.status("fd00:73:::1")
        self.assertEqual(1, code)
        self.assertIn("jetty.host", text)
        self.assertIn("'fd00:73:::1'", text)
