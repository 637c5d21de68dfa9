"""daqfabric-inventory against the controller that runs, and switches whose cables are really elsewhere.

Run as root: scripts/with-controller scripts/inventory python3 -m unittest -v inventory.tests.against_controller
"""
import copy
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from . import COMMAND, generated
from daqlab_lib import generate, running
from daqlab_lib.restconf import Restconf

URL = "http://127.0.0.1:8181/rests"
NAME = "inventory"
SIZE = generate.Size(NAME, planes=2, spines=2, pods=2, ros=1, racks=1, dcms=2, capacity=10, prefix="i-", address_base="10.81")
LOGIN = {"DAQFABRIC_USER": os.environ.get("DAQFABRIC_USER", "admin"), "DAQFABRIC_PASSWORD": os.environ.get("DAQFABRIC_PASSWORD", "admin")}


def swapped(document):
    """The fabric where the cables of two leaves to spines of plane 1 are exchanged."""
    other = copy.deepcopy(document)
    links = {(link["switch"], link["port"]): link for link in other["daqfabric:fabric"][0]["link"]}
    one, two = links["i-p1l1", "to-i-p1s1"], links["i-p1l2", "to-i-p1s2"]
    for leaf in ("peer-switch", "peer-port"):
        one[leaf], two[leaf] = two[leaf], one[leaf]
    return other


class AgainstController(unittest.TestCase):
    """The tables and the configuration say what generate made; the cables of plane 1 are not so."""

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.controller = Restconf(URL)
        cls.document = generate.generate(SIZE)
        cls.enterClassContext(running.switches(cls.controller, swapped(cls.document), cls.folder / "wired.json"))
        (cls.folder / "fabric.json").write_text(json.dumps(cls.document))

    def setUp(self):
        self.tables = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.run_(0, "tables", self.folder / "fabric.json", "-o", self.tables)

    def run_(self, code, *arguments):
        done = subprocess.run([sys.executable, COMMAND, *map(str, arguments)], text=True, capture_output=True, env=os.environ | LOGIN,
                              check=False)
        self.assertEqual(code, done.returncode, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def change(self, table, change):
        """Changes the rows of a table by a function on lists of cells, header first."""
        rows = generated.rows(self.tables / table)
        change(rows)
        generated.write(self.tables / table, rows)

    def ask(self, code, command, *more):
        return self.run_(code, command, self.tables, "--fabric", NAME, "--controller", URL, *more)

    def test_from_tables_to_three_views(self):
        """A new fabric is written by its payload; one swapped cable and one undocumented change are found, and nothing else is."""
        self.assertIn(f"fabric {NAME} is not configured yet", self.ask(0, "check"))
        self.assertIn(f"the controller has no fabric {NAME}", self.ask(2, "compare"))
        self.controller.put_fabric(json.loads(self.run_(0, "payload", self.tables, "--fabric", NAME)))
        self.all_seen()
        self.judged_by_the_controller()
        self.all_seen()  # what was not heard of for a while on a busy machine is seen from the other end, or not at all
        self.three_views()
        self.kept()

    def all_seen(self):
        """Waits until every cable is seen from the end that is documented first."""
        self.controller.wait(NAME, lambda state: len([link for link in state.get("link", ()) if "seen-peer-port" in link])
                             == len(self.document["daqfabric:fabric"][0]["link"]), running.CONVERGE, "all cables seen")

    def judged_by_the_controller(self):
        """Its messages have rows; what it would do is said, and nothing is done."""
        before = self.configured()
        self.assertIn("the controller takes it: 0 rules and groups to 0 switches", self.ask(0, "check"))
        self.change("hosts.csv", lambda rows: rows.append(like(rows[0], name="i-h1-1d9", role="dcm", rack="i-h1-1", address="10.82.9.9")))
        self.assertNotIn(" 0 rules and groups", self.ask(0, "check"))
        other = copy.deepcopy(self.document)
        other["daqfabric:fabric"][0] |= {"name": "neighbour"}
        for entry in other["daqfabric:fabric"][0]["switch"]:
            entry["bridge"] = "br-other"
        rows = generated.rows(self.tables / "hosts.csv")
        number = next(number for number, row in enumerate(rows, 1) if row[0] == "i-r1-1")
        self.controller.put_fabric({"daqfabric:fabric": [{"name": "neighbour", "switch": [
            {"name": "x", "system-id": "i-r1-1", "bridge": "br-other"}]}]})
        try:
            self.change("hosts.csv", lambda rows: with_column(rows, "bridge", "i-r1-1", "br-other"))
            said = self.ask(1, "check")
            self.assertIn(f"hosts.csv, row {number}, column ", said)
            self.assertIn("of fabric 'neighbour' are both bridge 'br-other'", said)
        finally:
            self.controller.delete_fabric("neighbour")
        self.assertEqual(before, self.configured())
        self.run_(0, "tables", self.folder / "fabric.json", "-o", self.tables)

    def three_views(self):
        """Two cables are swapped; then somebody changes the configuration, and tells nobody."""
        cables = {"cable i-p1l1:to-i-p1s1 - i-p1s1:to-i-p1l1": "i-p1l1:to-i-p1s1 - i-p1s2:to-i-p1l2",
                  "cable i-p1l2:to-i-p1s2 - i-p1s2:to-i-p1l2": "i-p1l2:to-i-p1s2 - i-p1s1:to-i-p1l1"}
        found = json.loads(self.ask(1, "compare", "--json"))
        self.assertEqual(cables, {f"{each['kind']} {each['name']}": each["seen"] for each in found["differences"]})
        self.assertEqual(([], 16, [["seen"]] * 2), (found["unseen"], found["cables"], [each["differs"] for each in found["differences"]]))
        self.controller.patch_fabric(NAME, {"pod": [{"id": 2, "hlt-rack": [{"name": "i-h2-1", "dcm": [
            {"name": "i-h2-1d2", "address": "10.82.7.7"}]}]}]})
        said = self.ask(1, "compare").splitlines()
        rows = [row[0] for row in generated.rows(self.tables / "hosts.csv")]
        self.assertEqual(f"host i-h2-1d2: documented and configured differ: documented address 10.82.2.2 ({self.tables}/hosts.csv, row "
                         f"{rows.index('i-h2-1d2') + 1}), configured address 10.82.7.7, seen nothing: "
                         "correct the configuration or the documentation", said[0])
        self.assertEqual((4, "16 hosts and 16 cables: 3 differ, 0 not seen"), (len(said), said[-1]))

    def kept(self):
        """A payload takes nothing away that has no column, and is what it was when it is made again."""
        self.controller.patch_fabric(NAME, {"mtu": 1400, "switch": [{"name": "i-p1s1", "admin-state": "drained"}]})
        printed = self.ask(0, "payload")
        self.controller.put_fabric(json.loads(printed))
        self.assertEqual((1400, ["i-p1s1"]), (self.configured()["mtu"], [entry["name"] for entry in self.configured()["switch"]
                                                                         if entry.get("admin-state") == "drained"]))
        self.assertEqual(printed, self.ask(0, "payload"))

    def configured(self):
        return self.controller.get(f"/data/daqfabric:fabrics/fabric={NAME}?content=config")["daqfabric:fabric"][0]

    def test_wrong_login_and_address(self):
        env = LOGIN | {"DAQFABRIC_PASSWORD": "wrong"}
        for url, said in ((URL, "refuses the login"), ("http://127.0.0.1:1/rests", "does not answer"),
                          (URL.removesuffix("/rests") + "/nosuch", "is it the address of RESTCONF?")):
            done = subprocess.run([sys.executable, COMMAND, "check", self.tables, "--fabric", NAME, "--controller", url], text=True,
                                  capture_output=True, env=os.environ | (env if url == URL else LOGIN), check=False)
            self.assertEqual(2, done.returncode, done.stdout + done.stderr)
            self.assertIn(said, done.stderr)


def like(header, **cells):
    """A row with these cells."""
    return [cells.get(column, "") for column in header]


def with_column(rows, column, name, text):
    """Adds a column that says something of one host."""
    rows[0].append(column)
    for row in rows[1:]:
        row.append(text if row[0] == name else "")


if __name__ == "__main__":
    unittest.main()
