"""Three views of a fabric, and what the controller says, at their rows."""
import dataclasses
import random
import unittest
from decimal import Decimal

from . import generated
from daqfabric_inventory import comparing, planned
from daqfabric_inventory.controller import Refused, problems
from daqfabric_inventory.model import Cell, Inventory, Port, Row
from daqfabric_inventory.problems import Place


def as_wired(inventory):
    """What cabling checks see when every cable is as it is configured."""
    return {port: peer for cable in inventory.cables for port, peer in ((cable.a, cable.b), (cable.b, cable.a))}


def changed(inventory, old, new):
    """The inventory with another cable or host, or without it (None)."""
    def each(entries):
        return tuple(new if entry is old else entry for entry in entries if entry is not old or new)
    return Inventory(each(inventory.hosts), each(inventory.cables))


class Compared(unittest.TestCase):
    """One random change to one of the views is one difference, which says whose it is."""

    def found(self, documented, configured, seen):
        return comparing.compare(documented, configured, seen, {})

    def each(self):
        for seed in range(100):
            inventory, choose = generated.inventory(seed), random.Random(seed)
            with self.subTest(seed=seed):
                yield inventory, choose.choice(inventory.cables), choose.choice(inventory.hosts)

    def difference(self, documented, configured, seen):
        """The only one."""
        found, = self.found(documented, configured, seen).differences
        return found

    def test_none(self):
        for inventory, _, _ in self.each():
            found = self.found(inventory, inventory, as_wired(inventory))
            self.assertEqual(((), (), len(inventory.cables)), (found.differences, found.unseen, found.cables))

    def test_a_row_is_missing(self):
        for inventory, cable, host in self.each():
            found = self.difference(changed(inventory, cable, None), inventory, as_wired(inventory))
            self.assertEqual((("documented",), None, str(cable), str(cable)),
                             (found.differs, found.documented, found.configured, found.seen))
            found = self.difference(changed(inventory, host, None), inventory, as_wired(inventory))
            self.assertEqual(("host", host.name, ("documented",)), (found.kind, found.name, found.differs))

    def test_not_configured(self):
        for inventory, cable, _ in self.each():
            configured = changed(inventory, cable, None)
            found = self.difference(inventory, configured, as_wired(configured))
            self.assertEqual((("configured",), str(cable), None, None), (found.differs, found.documented, found.configured, found.seen))

    def test_other_port(self):
        """Whichever view says another port: it is the one that differs, if cabling checks see what another says."""
        for inventory, cable, _ in self.each():
            moved = dataclasses.replace(cable, b=Port(cable.b.host, "other"))
            other = changed(inventory, cable, moved)
            for documented, configured, wired, differs in ((other, inventory, inventory, ("documented",)),
                                                           (inventory, other, inventory, ("configured",)),
                                                           (inventory, inventory, other, ("seen",)),
                                                           (other, inventory, other, ("configured",)),
                                                           (inventory, other, other, ("documented",))):
                found = self.difference(documented, configured, as_wired(wired))
                self.assertEqual(("cable", differs), (found.kind, found.differs))
            third = changed(inventory, cable, dataclasses.replace(cable, b=Port(cable.b.host, "third")))
            self.assertEqual(comparing.VIEWS, self.difference(other, inventory, as_wired(third)).differs)

    def test_swapped_cables(self):
        """Two cables whose ends are exchanged are both told, each with where it leads."""
        for inventory, cable, _ in self.each():
            other = next((each for each in inventory.cables if each is not cable), None)
            if other:
                seen = as_wired(inventory) | {cable.a: other.b, other.b: cable.a, other.a: cable.b, cable.b: other.a}
                found = {each.name: each.seen for each in self.found(inventory, inventory, seen).differences}
                self.assertEqual({str(cable): f"{cable.a} - {other.b}", str(other): f"{other.a} - {cable.b}"}, found)

    def test_capacity_and_attributes(self):
        for inventory, cable, host in self.each():
            thicker = dataclasses.replace(cable, capacity=cable.capacity + 1)
            self.assertEqual((f"{cable.capacity + 1} Gbps", f"{cable.capacity} Gbps"),
                             said(self.difference(changed(inventory, cable, thicker), inventory, {})))
            other = dataclasses.replace(host, weight=Decimal(7))
            self.assertEqual(("weight 7", f"weight {host.weight or 'as usual'}"),
                             said(self.difference(changed(inventory, host, other), inventory, {})))

    def test_unseen(self):
        """What nobody sees is no difference, and is told."""
        for inventory, cable, _ in self.each():
            seen = {port: peer for port, peer in as_wired(inventory).items() if port not in cable.ends}
            found = comparing.compare(inventory, inventory, seen, {"sw": False, "other": True})
            self.assertEqual(((), ("host sw: not connected", f"cable {cable}")), (found.differences, found.unseen))

    def test_what_is_seen_from_one_end_is_seen_from_the_other(self):
        inventory = generated.inventory(3)
        cable = inventory.cables[0]
        names = {host.name: host.switch_name for host in inventory.hosts}
        state = {"link": [{"switch": names[cable.a.host], "port": cable.a.port, "seen-peer-switch": "f2/other", "seen-peer-port": "7"}]}
        peer = Port("f2/other", "7")
        self.assertEqual({cable.a: peer, peer: cable.a}, comparing.seen(state, inventory))


def said(difference):
    return difference.documented, difference.configured


class Planned(unittest.TestCase):
    """What the controller refuses is told at the row that it comes from."""

    def test_paths(self):
        inventory = placed(generated.inventory(2))
        names = {host.name: host.switch_name for host in inventory.hosts}
        refused, expected = [], []
        for host in inventory.hosts:
            path = {"spine": f"plane[id='{host.plane}']/spine[id='{host.spine}']/switch",
                    "leaf": f"plane[id='{host.plane}']/leaf[pod='{host.pod}']",
                    "ros": f"pod[id='{host.pod}']/ros[name='{host.name}']/address", "spare": f"switch[name='{host.name}']/system-id",
                    "rack": f"pod[id='{host.pod}']/hlt-rack[name='{host.name}']",
                    "dcm": f"pod[id='1']/hlt-rack[name='{host.rack}']/dcm[name='{host.name}']/address"}[host.role]
            refused.append((f"/input/candidate/{path}", host.name))
            expected.append((host.row.place.row, host.name))
        for cable in inventory.cables:
            for port, leaf, column in ((cable.a, "peer-port", "b-port"), (cable.b, "port", "b-port")):
                refused.append((f"/input/candidate/link[switch='{names[port.host]}'][port='{port.port}']/{leaf}", column))
                expected.append((cable.row.place.row, column))
        found = planned.refusals(Refused(refused), inventory, Place("nowhere"))
        self.assertEqual(expected, [(each.place.row, each.message) for each in found])
        self.assertTrue(all(each.place.column == each.message for each in found if each.place.source == "cables.csv"))

    def test_of_no_row(self):
        found, = planned.refusals(Refused([("/input/candidate/policy/daqring/ring-size", "too large")]), generated.inventory(2),
                                  Place("the rest"))
        self.assertEqual("the rest: too large", str(found))

    def test_messages_of_several_lines(self):
        """An rpc tells all problems in one message; a problem may have several lines, too."""
        self.assertEqual([("/input/a[b='c']/d", "wrong: e\nof f".replace("\n", "; ")), ("/input/g", "h")],
                         problems("", "/input/a[b='c']/d: wrong: e\nof f\n/input/g: h"))
        self.assertEqual([("/p", "only this")], problems("/p", "only this"))

    def test_effect(self):
        inventory = placed(generated.inventory(2))
        dcm = next(host for host in inventory.hosts if host.role == "dcm")
        ros = sum(host.role == "ros" for host in inventory.hosts)
        text, found = planned.effect({"messages": 3, "switch": [{"name": "s", "bridge": "added"}],
                                      "cut-off": [{"dcm": dcm.name, "reachable-ros": 0}],
                                      "before": {"bandwidth": "10.0"}, "after": {"bandwidth": "20.5"}}, inventory)
        self.assertEqual("3 rules and groups to 1 switches, 0 DCMs move, 10 Gbps before and 20.5 after; bridges: s (added)", text)
        self.assertEqual([(dcm.row.place.row, f"only 0 of {ros} ROS would reach dcm {dcm.name}", False)],
                         [(each.place.row, each.message, each.error) for each in found])


def placed(inventory):
    """With rows, as if it came from tables."""
    def row(source, number, **cells):
        place = Place(source, number)
        return Row(place, {column: Cell("", dataclasses.replace(place, column=column)) for column in cells})
    return Inventory(tuple(dataclasses.replace(host, row=row("hosts.csv", number, name=1, address=1))
                           for number, host in enumerate(inventory.hosts, 2)),
                     tuple(dataclasses.replace(cable, row=row("cables.csv", number, **{"a": 1, "a-port": 1, "b": 1, "b-port": 1}))
                           for number, cable in enumerate(inventory.cables, 2)))
