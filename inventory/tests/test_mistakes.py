"""Every mistake is told, with its row and column."""
import contextlib
import io
import os
import random
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from . import ROOT, generated
from daqfabric_inventory import checks, cli, columns, netbox, payload, reading, tables

HOSTS = """\
name,role,plane,pod,spine,rack,address,mac
s1,spine,1,,1,,,
l1,leaf,1,1,,,,
r1,ros,,1,,,10.0.0.1,
h1,rack,,1,,,,
d1,dcm,,,,h1,10.0.0.2,
d2,dcm,,,,,10.0.0.3,02:00:00:00:00:02
"""
CABLES = """\
a,a-port,b,b-port,capacity
l1,to-s1,s1,to-l1,40
r1,to-l1,l1,to-r1,
h1,to-l1,l1,to-h1,
d2,,h1,p2,
"""


class Found(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def found(self, hosts=HOSTS, cables=CABLES):
        """What is said of these tables, without the folder's name."""
        (self.folder / "hosts.csv").write_text(hosts)
        (self.folder / "cables.csv").write_text(cables)
        return self.said(self.folder)

    def said(self, path):
        rows, findings = tables.read(path)
        inventory, more, whole = reading.read(rows)
        return [str(each).replace(f"{self.folder}/", "") for each in findings + more + checks.check(inventory, whole)]

    def expect(self, *said, hosts=HOSTS, cables=CABLES):
        self.assertEqual(sorted(said), sorted(self.found(hosts, cables)))

    def test_nothing(self):
        self.expect()

    def test_as_spreadsheets_write_it(self):
        """With semicolons, a mark at the beginning, blanks, empty rows and remarks."""
        self.expect(hosts="\ufeff" + HOSTS.replace(",", " ; ").replace("l1", "\n# the leaf\nl1", 1))

    def test_unknown_columns(self):
        self.expect("hosts.csv, row 1, column plan: there is no column 'plan'; did you mean 'plane'?", hosts=HOSTS.replace("plane", "plan"))
        said, = self.found(hosts=HOSTS.replace("mac\n", "mac,owner\n"))
        self.assertIn("column owner: there is no column 'owner'; there are name, role, plane, ", said)

    def test_cells(self):
        """One mistake in each cell, all told at once."""
        self.expect("hosts.csv, row 2, column spine: spine 'one': must be a whole number from 1 to 65535",
                    "hosts.csv, row 3, column role: there is no role 'laef'; did you mean 'leaf'?",
                    "hosts.csv, row 4, column address: address '10.0.0.256': an address is of IPv4, such as 10.0.0.1, or of IPv6, such "
                    "as fd00::1",
                    "hosts.csv, row 5, column address: a rack has no address: leave the cell empty, or correct the role",
                    "hosts.csv, row 6, column rack: there is no rack 'h2'; there are h1",
                    "hosts.csv, row 7, column mac: mac '2:0:0:0:0:2': a mac is six pairs of hexadecimal digits with colons between them, "
                    "such as 02:00:00:00:00:01",
                    "hosts.csv, row 7, column mac: dcm d2 is cabled to h1:p2 and needs its mac, for there is no ARP",
                    hosts=HOSTS.replace(",1,,1,", ",1,,one,").replace("leaf", "laef").replace("10.0.0.1", "10.0.0.256")
                    .replace("rack,,1,,,", "rack,,1,,,10.0.0.9").replace(",h1,10", ",h2,10").replace("02:00:00:00:00:02", "2:0:0:0:0:2"))

    def test_addresses(self):
        """What the controller refuses is told here already; IPv6 addresses are the same however they are written."""
        for text, said in (("fd00::0G", "is of IPv4"), ("fd00::1%eth0", "is of IPv4"), ("fd00::10.0.0.1", "is of IPv4"),
                           ("fd00:1", "is of IPv4"), ("010.0.0.1", "is of IPv4"), ("224.0.0.1", "below 224.0.0.0"),
                           ("127.0.0.1", "below 224.0.0.0"), ("fe80::1", "unicast"), ("ff02::1", "unicast"), ("::1", "unicast"),
                           ("FD00:0::A", "address fd00::a is of another kind than that of r1 (hosts.csv, row 4)")):
            with self.subTest(text):
                found, = self.found(hosts=HOSTS.replace("10.0.0.2", text))
                self.assertIn(said, found)
        six = HOSTS.replace("10.0.0.1", "fd00::0A").replace("10.0.0.2", "fd00:0::b").replace("10.0.0.3", "FD00::C")
        self.expect(hosts=six)
        self.expect("hosts.csv, row 6, column address: address fd00::a is that of r1 (hosts.csv, row 4) too",
                    hosts=six.replace("0::b", "0::a"))

    def test_hosts_that_are_there_twice(self):
        self.expect("hosts.csv, row 8, column name: there is a host s1 (hosts.csv, row 2) already: rename one of them, or remove the row",
                    "hosts.csv, row 8, column spine: spine 1 of plane 1 is s1 (hosts.csv, row 2) already",
                    "hosts.csv, row 9, column address: address 10.0.0.2 is that of d1 (hosts.csv, row 6) too",
                    hosts=HOSTS + "s1,spine,1,,1,,,\nd3,dcm,,,,h1,10.0.0.2,\n")

    def test_nodes(self):
        hosts = HOSTS.replace("mac\n", "mac,system-id,ovsdb-address\n")
        self.expect("cables.csv, row 3, column b-port: port up of node n is on the bridge of s1 already, and names of ports are unique on "
                    "a node",
                    hosts=hosts.replace("mac,", "mac,bridge,").replace("s1,spine,1,,1,,,", "s1,spine,1,,1,,,,one,n")
                    .replace("l1,leaf,1,1,,,,", "l1,leaf,1,1,,,,,two,n"), cables=CABLES.replace("to-l1,40", "up,40").replace("to-r1", "up"))
        self.expect("hosts.csv, row 3, column system-id: l1 and s1 (hosts.csv, row 2) are the same bridge of node n: give one of them "
                    "another bridge or system-id",
                    "hosts.csv, row 5, column ovsdb-address: the node of r1 (hosts.csv, row 4) listens there, and it is another",
                    hosts=hosts.replace("s1,spine,1,,1,,,", "s1,spine,1,,1,,,,n").replace("l1,leaf,1,1,,,,", "l1,leaf,1,1,,,,,n")
                    .replace("10.0.0.1,", "10.0.0.1,,,10.9.0.1").replace("rack,,1,,,,", "rack,,1,,,,,,10.9.0.1"))

    def test_cables(self):
        self.expect("cables.csv, row 6, column b: there is no host 's2'; there are d1, d2, h1, l1, r1, s1",
                    "cables.csv, row 7, column a-port: port l1:to-r1 is used twice, by the cable to r1:up and by the cable to r1:to-l1 "
                    "(cables.csv, row 3)",
                    "cables.csv, row 8, column a: cable r1:x - s1:y: ros r1 is linked to leaves of its pod, not to a spine",
                    "cables.csv, row 9, column b: the cable leads from l1 back to itself",
                    "cables.csv, row 10, column a-port: a cable needs its port of h1",
                    "cables.csv, row 11, column capacity: capacity '0': must be a number above 0 and at most 1000000, with 3 digits after "
                    "the point at most",
                    cables=CABLES + "l1,x1,s2,x1,\nl1,to-r1,r1,up,\nr1,x,s1,y,\nl1,x2,l1,x3,\nh1,,l1,x4,\nh1,x5,l1,x5,0\n")

    def test_uplinks(self):
        """A rack without any is wrong; without one to some plane it is worth a look."""
        self.expect("hosts.csv, row 5, column name: rack h1 has no uplink: add a cable to l1",
                    cables=CABLES.replace("h1,to-l1,l1,to-h1,\n", ""))
        self.expect("hosts.csv, row 4, column name: note: ros r1 has no cable to leaf l2, so none to plane 2",
                    "hosts.csv, row 5, column name: note: rack h1 has no cable to leaf l2, so none to plane 2",
                    hosts=HOSTS + "s2,spine,2,,1,,,\nl2,leaf,2,1,,,,\n", cables=CABLES + "l2,to-s2,s2,to-l2,\n")
        self.expect("hosts.csv, row 8, column plane: plane 2 has no spine: add one, or correct the plane",
                    "hosts.csv, row 4, column name: note: ros r1 has no cable to leaf l2, so none to plane 2",
                    "hosts.csv, row 5, column name: note: rack h1 has no cable to leaf l2, so none to plane 2",
                    hosts=HOSTS + "l2,leaf,2,1,,,,\n")
        self.expect("hosts.csv, row 8, column pod: pod 2 has no leaf in plane 1: add it, or correct the pod",
                    hosts=HOSTS + "h2,rack,,2,,,,\n")

    def test_dcms(self):
        self.expect("hosts.csv, row 7, column rack: a dcm needs its rack, or a cable to it", cables=CABLES.replace("d2,,h1,p2,\n", ""))
        self.expect("cables.csv, row 5, column b: a dcm is cabled to a rack, and r1 is a ros",
                    "hosts.csv, row 7, column rack: a dcm needs its rack, or a cable to it", cables=CABLES.replace("d2,,h1", "d2,,r1"))

    def test_yaml(self):
        file = self.folder / "fabric.yaml"
        file.write_text("hosts:\n- {name: s1, role: spine, plane: 1, spine: 1}\n- name: l1\n  role: leaf\n  plain: 1\n  pod: one\n"
                        "- {name: r1, role: ros, pod: 1, address: [10.0.0.1]}\nlinks: []\n"
                        "cables:\n- {a: l1, a-port: x, b: s3, b-port: y}\n")
        self.assertEqual(["fabric.yaml, line 5, column plain: there is no column 'plain'; did you mean 'plane'?",
                          "fabric.yaml, line 7, column address: must be a single value",
                          "fabric.yaml, line 8: there is no table 'links'; there are hosts, cables",
                          "fabric.yaml, line 6, column pod: pod 'one': must be a whole number from 1 to 65535",
                          "fabric.yaml, line 7, column address: a ros needs its address",
                          "fabric.yaml, line 10, column b: there is no host 's3'; there are l1, r1, s1"], self.said(file))

    def test_a_mac_in_yaml_is_no_number(self):
        """YAML 1.1 reads 10:20:30:40:50:10 as a number to base 60."""
        file = self.folder / "fabric.yaml"
        file.write_text("hosts:\n- {name: d, role: dcm, rack: h, address: 10.0.0.1, mac: 10:20:30:40:50:10}\n"
                        "- {name: h, role: rack, pod: 1}\n")
        inventory, findings, _ = reading.read(tables.read(file)[0])
        self.assertEqual(([], "10:20:30:40:50:10"), (findings, inventory.hosts[0].mac))


class Mutated(unittest.TestCase):
    """One random mistake in the tables of a random fabric is told at its row, and never brings the checks down."""

    def test_random_mistakes(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for seed in range(300):
            choose = random.Random(seed)
            tables.write_csv(folder, payload.tables(generated.inventory(seed)))
            name, row, what = mutate(folder, choose)
            with self.subTest(seed=seed, table=name, row=row, what=what):
                rows, findings = tables.read(folder)
                inventory, more, whole = reading.read(rows)
                wrong = [each for each in findings + more + checks.check(inventory, whole) if each.error]
                self.assertIn((str(folder / name), row), {(each.place.source, each.place.row) for each in wrong}, wrong)


def mutate(folder, choose):
    """Makes a mistake; returns its table and row."""
    name = choose.choice(("hosts.csv", "cables.csv"))
    content = generated.rows(folder / name)
    row = choose.randint(2, len(content))
    cells = content[row - 1]
    columns = content[0]
    what = choose.choice(("garbage", "repeated", "emptied"))
    if what == "repeated":
        content.append(list(cells))
        row = len(content)
    else:
        spoiled = {"hosts.csv": ("role", "plane", "pod", "spine", "address"), "cables.csv": ("a", "b", "a-port", "b-port")}[name]
        usable = [index for index, column in enumerate(columns) if cells[index] and column in spoiled]
        cells[choose.choice(usable)] = "?!" if what == "garbage" else ""
    generated.write(folder / name, content)
    return name, row, what


class Described(unittest.TestCase):
    """The page and --help have every column and field."""

    def test_columns(self):
        page = (ROOT / "docs/how-to/inventory.md").read_text()
        out = io.StringIO()
        with contextlib.redirect_stdout(out), self.assertRaises(SystemExit) as ended:
            cli.main(["check", "--help"])
        self.assertEqual(0, ended.exception.code)
        for column in (*columns.HOSTS, *columns.CABLES):
            self.assertIn(f"`{column}`", page)
            self.assertIn(f"\n  {column} ", out.getvalue())
        for field in netbox.FIELDS.values():
            self.assertIn(f"`{field}`", page)


class Command(unittest.TestCase):
    """Exit status, and where things are written."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        tables.write_csv(self.folder, payload.tables(generated.inventory(1)))

    def run_(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = cli.main([str(each) for each in arguments])
        return code, out.getvalue(), err.getvalue()

    def test_right(self):
        code, out, err = self.run_("check", self.folder, "--fabric", "g1")
        self.assertEqual((0, True), (code, out.endswith("no mistake\n")), err)
        printed = self.run_("payload", self.folder, "--fabric", "g1")[1]
        self.assertEqual((0, "", ""), self.run_("payload", self.folder, "--fabric", "g1", "-o", self.folder / "out"))
        self.assertEqual(printed, (self.folder / "out").read_text())

    def test_wrong(self):
        """No payload of tables with a mistake."""
        mutate(self.folder, random.Random(1))
        self.assertEqual(1, self.run_("check", self.folder, "--fabric", "g1")[0])
        code, out, err = self.run_("payload", self.folder, "--fabric", "g1")
        self.assertEqual((1, ""), (code, out))
        self.assertIn(".csv, row ", err)

    def test_login_from_files(self):
        """A file that is named and missing is told, not taken for an empty password."""
        with mock.patch.dict(os.environ, {"DAQFABRIC_USER": "me", "DAQFABRIC_PASSWORD_FILE": str(self.folder / "secret")}):
            code, _, err = self.run_("check", self.folder, "--fabric", "g1", "--controller", "http://127.0.0.1:1/rests")
            self.assertEqual((2, True), (code, "DAQFABRIC_PASSWORD_FILE: " in err))
            (self.folder / "secret").write_text("hidden\n")
            code, _, err = self.run_("check", self.folder, "--fabric", "g1", "--controller", "http://127.0.0.1:1/rests")
            self.assertEqual((2, True, False), (code, "does not answer" in err, "hidden" in err))

    def test_cannot_be_done(self):
        for arguments, said in ((("check", self.folder / "nosuch.yaml"), "cannot be read"),
                                (("check", self.folder / "nosuch"), "is neither a folder"),
                                (("check", "http://127.0.0.1:1"), "NETBOX_TOKEN"),
                                (("check", self.folder, "--controller", "http://127.0.0.1:1/rests"), "DAQFABRIC_USER"),
                                (("check", self.folder, "--tag", "t"), "is for NetBox")):
            with self.subTest(arguments):
                code, out, err = self.run_(*arguments, "--fabric", "g1")
                self.assertEqual((2, ""), (code, out))
                self.assertIn(said, err)
