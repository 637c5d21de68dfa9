"""From tables to what RESTCONF takes, and back."""
import json
import random
import tempfile
import unittest
from decimal import Decimal
from pathlib import Path

from . import generated
from daqfabric_inventory import checks, payload, reading, tables

SEEDS = range(100)


def content(node):
    """Lists in no order, numbers by their value."""
    if isinstance(node, dict):
        return tuple(sorted((name, content(value)) for name, value in node.items()))
    if isinstance(node, list):
        return tuple(sorted(content(each) for each in node))
    try:
        return str(Decimal(str(node)).normalize())
    except ArithmeticError:
        return str(node)


def as_said(fabric):
    """With the capacity of each link, whatever the common one is."""
    common = fabric["link-capacity"]
    return content({name: value for name, value in fabric.items() if name != "link-capacity"}
                   | {"link": [{"capacity": common} | link for link in fabric["link"]]})


class RoundTrip(unittest.TestCase):
    """A fabric, its tables, and the fabric again: nothing is lost, and nothing is wrong."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_csv(self):
        for seed in SEEDS:
            with self.subTest(seed=seed):
                fabric = generated.fabric(seed)
                tables.write_csv(self.folder, payload.tables(payload.inventory(fabric)))
                self.assertEqual(as_said(fabric), as_said(self.read(self.folder, fabric["name"])))

    def test_yaml(self):
        """JSON is YAML."""
        for seed in SEEDS:
            with self.subTest(seed=seed):
                fabric = generated.fabric(seed)
                file = self.folder / "fabric.yaml"
                written = payload.tables(payload.inventory(fabric))
                file.write_text(json.dumps({name: [{column: text for column, text in row.items() if text} for row in rows]
                                            for name, rows in written.items()}, indent=1))
                self.assertEqual(as_said(fabric), as_said(self.read(file, fabric["name"])))

    def test_the_order_of_rows_says_nothing(self):
        for seed in SEEDS:
            with self.subTest(seed=seed):
                fabric = generated.fabric(seed)
                written = payload.tables(payload.inventory(fabric))
                for rows in written.values():
                    random.Random(seed).shuffle(rows)
                tables.write_csv(self.folder, written)
                self.assertEqual(as_said(fabric), as_said(self.read(self.folder, fabric["name"])))

    def read(self, path, name):
        rows, findings = tables.read(path)
        inventory, more, whole = reading.read(rows)
        wrong = [str(each) for each in findings + more + checks.check(inventory, whole) if each.error]
        self.assertEqual([], wrong)
        return payload.fabric(name, inventory)


class Keep(unittest.TestCase):
    """What has no column stays as it is configured."""

    def test_nothing_is_lost_and_links_keep_their_ends(self):
        for seed in SEEDS:
            with self.subTest(seed=seed):
                configured = generated.fabric(seed)
                described = payload.fabric(configured["name"], payload.inventory(configured))
                operated(configured, random.Random(seed))
                self.assertEqual(as_said(configured), as_said(payload.keep(described, configured)))

    def test_of_a_fabric_that_is_not_configured(self):
        described = payload.fabric("g1", generated.inventory(1))
        self.assertEqual(described, payload.keep(described, None))

    def test_a_dcm_that_moves_to_the_rack_s_own_node(self):
        """Loses the settings of the port that it has no more."""
        configured = {"name": "f", "pod": [{"id": 1, "hlt-rack": [{"name": "h", "switch": "h", "dcm": [
            {"name": "d", "address": "10.0.0.1", "port": "p", "mac": "02:00:00:00:00:01", "port-settings": {"kind": "afxdp"}}]}]}]}
        described = {"name": "f", "switch": [], "link": [], "pod": [{"id": 1, "ros": [], "hlt-rack": [
            {"name": "h", "switch": "h", "dcm": [{"name": "d", "address": "10.0.0.1"}]}]}]}
        self.assertEqual(described, payload.keep(described, configured))


def operated(fabric, choose):
    """What operators have configured besides."""
    fabric |= {"mtu": 9000, "policy": {"rules": "compressed"}}
    for entry in fabric["switch"]:
        if choose.random() < 0.3:
            entry |= {"admin-state": "drained", "dpdk": {"socket-mem": "1024"}}
    for link in fabric["link"]:
        if choose.random() < 0.3:
            link |= {"admin-state": "drained", "port-settings": {"kind": "afxdp"}}
        if choose.random() < 0.3:
            link |= {"switch": link["peer-switch"], "port": link["peer-port"], "peer-switch": link["switch"], "peer-port": link["port"]}
    for pod in fabric["pod"]:
        for rack in pod["hlt-rack"]:
            rack["daqring"] = {"ring-size": 100}
            for dcm in rack["dcm"]:
                dcm |= {"daqring": {"ring-size": 7}} | ({"port-settings": {"kind": "afxdp"}} if "port" in dcm else {})
