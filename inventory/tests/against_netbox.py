"""daqfabric-inventory against a real NetBox: scripts/with-netbox scripts/inventory python3 -m unittest -v inventory.tests.against_netbox.

With DAQFABRIC_RECORD=FILE the answers for the small fabric are written there, for test_netbox.py.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
import urllib.request
from pathlib import Path
from unittest import mock

from . import COMMAND
from .filling import Filling
from daqfabric_inventory import http, netbox, payload, reading, tables
from daqlab_lib import generate

URL, TOKEN, OLD_TOKEN = (os.environ.get(name) for name in ("NETBOX_URL", "NETBOX_TOKEN", "NETBOX_OLD_TOKEN"))
SMALL = generate.Size("small", planes=1, spines=1, pods=1, ros=1, racks=1, dcms=1, capacity=40, dcm_ports=True)
LARGE = generate.Size("large", planes=2, spines=2, pods=2, ros=2, racks=2, dcms=2, capacity=10, dcm_ports=True, prefix="x-",
                      address_base="10.40", ipv6=True)  # NetBox has each address once


def rows_of(size):
    """The tables of a generated fabric."""
    return payload.tables(payload.inventory(generate.generate(size)["daqfabric:fabric"][0]))


def run(*arguments, token=None):
    return subprocess.run([sys.executable, COMMAND, *map(str, arguments)], text=True, capture_output=True, check=False,
                          env=os.environ | {"NETBOX_TOKEN": token or TOKEN})


class AgainstNetBox(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.filling = Filling(URL, TOKEN)
        cls.filling.begin()

    def test_the_same_as_from_tables(self):
        """A fabric in NetBox and in tables has the same payload, by tokens of both versions; also over several pages and requests."""
        self.filling.fill(rows_of(LARGE), LARGE.name)
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        tables.write_csv(folder, rows_of(LARGE))
        expected = fabric(run("payload", folder, "--fabric", "large"))
        for token in (TOKEN, OLD_TOKEN):
            self.assertEqual(expected, fabric(run("payload", URL, "--fabric", "large", token=token)))
        self.assertEqual(expected | {"name": "other"}, fabric(run("payload", URL, "--fabric", "other", "--tag", "large")))
        whole = netbox.read(netbox.NetBox(URL, TOKEN), "large")
        with mock.patch.multiple(netbox, PAGE=7, CHUNK=5):
            self.assertEqual((24, 32), (len(whole["hosts"]), len(whole["cables"])))
            parts = netbox.read(netbox.NetBox(URL, TOKEN), "large")
        self.assertEqual({name: sorted(map(str, rows)) for name, rows in whole.items()},
                         {name: sorted(map(str, rows)) for name, rows in parts.items()})

    def test_what_lies_between(self):
        """A cable by a patch panel is one; one that is planned, and one to a device of others, are none. Then a mistake has its place."""
        rows = rows_of(SMALL)
        through, = (cable for cable in rows["cables"] if (cable["a"], cable["b"]) == ("r1-1", "p1l1"))
        ids = self.filling.fill(rows | {"cables": [cable for cable in rows["cables"] if cable is not through]}, SMALL.name)
        post = self.filling.post
        panel, office = (post("dcim/devices", {"name": name, "device_type": self.filling.type, "role": self.filling.roles["office"],
                                               "site": self.filling.site})["id"] for name in ("panel", "office"))
        rear = post("dcim/rear-ports", {"device": panel, "name": "1", "type": "lc", "positions": 1})["id"]
        front = post("dcim/front-ports", {"device": panel, "name": "1", "type": "lc", "positions": 1, "rear_ports": [
            {"position": 1, "rear_port": rear, "rear_port_position": 1}]})["id"]
        near, far = (self.interface(ids[through[end]], through[f"{end}-port"], 40000000) for end in ("a", "b"))
        post("dcim/cables", self.filling.cable(near, front, b_type="dcim.frontport"))
        post("dcim/cables", self.filling.cable(far, rear, b_type="dcim.rearport"))
        spare, planned, others = (self.interface(ids["r1-1"], name) for name in ("eth7", "eth8", "eth9"))
        self.assertNotEqual(spare, planned)
        post("dcim/cables", self.filling.cable(planned, self.interface(ids["p1s1"], "eth8"), status="planned"))
        post("dcim/cables", self.filling.cable(others, self.interface(office, "eth0")))
        made, findings, whole = reading.read(netbox.read(netbox.NetBox(URL, TOKEN), SMALL.name))
        self.assertEqual(([], True), ([str(finding) for finding in findings], whole))
        described = payload.inventory(generate.generate(SMALL)["daqfabric:fabric"][0])
        self.assertEqual((set(described.hosts), {cable.ends for cable in described.cables}),
                         (set(made.hosts), {cable.ends for cable in made.cables}))
        self.assertEqual({40}, {int(cable.capacity) for cable in made.cables})
        if record := os.environ.get("DAQFABRIC_RECORD"):
            Path(record).write_text(json.dumps(recorded(SMALL.name), indent=1, sort_keys=True) + "\n")
        self.filling.patch(f"dcim/devices/{ids['h1-1']}", {"custom_fields": {"daqfabric_pod": None}})
        self.filling.patch(f"dcim/devices/{ids['p1l1']}", {"custom_fields": {"daqfabric_plane": 999}})
        done = run("check", URL, "--fabric", "small")
        rack, leaf = (f"NetBox {URL}/dcim/devices/{ids[name]}/" for name in ("h1-1", "p1l1"))
        self.assertEqual((1, sorted([
            f"{rack} (h1-1), custom field daqfabric_pod: a rack needs its pod",
            f"{leaf}, custom field daqfabric_plane: plane '999': must be a whole number from 1 to 255",
            f"{leaf}, custom field daqfabric_pod: pod 1 has no leaf in plane 1: add it, or correct the pod"])),
            (done.returncode, sorted(done.stderr.splitlines())))

    def interface(self, device, name, speed=None):
        return self.filling.post("dcim/interfaces", {"device": device, "name": name, "type": "40gbase-x-qsfpp", "speed": speed})["id"]

    def test_refusals(self):
        for arguments, token, said in ((("--fabric", "nosuch"), TOKEN, "nosuch is not one of the available choices"),
                                       (("--fabric", "small"), "nbt_wrong.token", "refuses the token")):
            done = run("check", URL, *arguments, token=token)
            self.assertEqual(2, done.returncode, done.stderr)
            self.assertIn(said, done.stderr)


def fabric(done):
    """The payload, in no order."""
    assert done.returncode == 0, done.stdout + done.stderr
    return ordered(json.loads(done.stdout)["daqfabric:fabric"][0])


def ordered(node):
    if isinstance(node, dict):
        return {name: ordered(value) for name, value in node.items()}
    return sorted((ordered(each) for each in node), key=str) if isinstance(node, list) else node


def recorded(tag):
    """What NetBox answers to the requests of one reading."""
    answers = {}
    exchange = http.exchange

    def listen(url, headers, document=None):
        status, answer = exchange(url, headers, document)
        answers[url.removeprefix(URL)] = json.loads(json.dumps(answer).replace(URL, "http://netbox.example.org"))
        return status, answer

    http.exchange = listen
    try:
        netbox.read(netbox.NetBox(URL, TOKEN), tag)
    finally:
        http.exchange = exchange
    request = urllib.request.Request(f"{URL}/api/status/", headers={"Authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request) as answer:
        return {"netbox-version": json.loads(answer.read())["netbox-version"], "answers": answers}


if __name__ == "__main__":
    unittest.main()
