"""Three views of a fabric: what is documented, what is configured, and what cabling checks see."""
import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from .model import Cable, Host, Inventory, Port
from .problems import Place

VIEWS = ("documented", "configured", "seen")
Seen = Mapping[Port, Port]
SHOWN = ("role", "plane", "pod", "spine", "rack", "port", "address", "mac", "weight", "switch", "system_id", "bridge", "ovsdb_address",
         "ovsdb_port", "datapath_type")  # fields of a host


@dataclasses.dataclass(frozen=True)
class Difference:
    """A host or cable that is not the same in all views, with what each says of it (None: nothing) and what to change."""

    kind: str
    name: str
    place: Place | None
    documented: str | None
    configured: str | None
    seen: str | None
    differs: tuple[str, ...]
    change: str

    def json(self) -> dict[str, Any]:
        """For programs."""
        return dataclasses.asdict(self) | {"place": str(self.place) if self.place else None}

    def __str__(self) -> str:
        said = ", ".join(f"{view} {getattr(self, view) or 'nothing'}" + (f" ({dataclasses.replace(self.place, column=None)})"
                                                                         if view == "documented" and self.place else "") for view in VIEWS)
        return f"{self.kind} {self.name}: {' and '.join(self.differs)} differ{'s' if len(self.differs) == 1 else ''}: {said}: {self.change}"


@dataclasses.dataclass(frozen=True)
class Comparison:
    """All differences, and what could not be seen."""

    differences: tuple[Difference, ...]
    unseen: tuple[str, ...]
    hosts: int
    cables: int


def seen(state: Mapping[str, Any], configured: Inventory) -> dict[Port, Port]:
    """What cabling checks found at the other end of each port; a cable that leads to another port of the fabric, from both ends."""
    names = {switch: host.name for switch, host in configured.switches().items()}
    found: dict[Port, Port] = {}
    for link in state.get("link", ()):
        if link.get("seen-peer-switch") and link.get("seen-peer-port"):
            port = Port(names.get(link["switch"], link["switch"]), link["port"])
            peer = Port(names.get(link["seen-peer-switch"], link["seen-peer-switch"]), link["seen-peer-port"])
            found[port] = peer
    for port, peer in list(found.items()):
        found.setdefault(peer, port)
    return found


def compare(documented: Inventory, configured: Inventory, found: Seen, connected: Mapping[str, bool]) -> Comparison:
    """connected: whether each configured switch is, by name."""
    hosts = list(_hosts(documented, configured))
    cables = list(_Cables(documented, configured, found).differences())
    names = {switch: host.name for switch, host in configured.switches().items()}
    away = sorted(f"host {names.get(switch, switch)}: not connected" for switch, is_connected in connected.items() if not is_connected)
    dark = sorted(f"cable {cable}" for cable in configured.cables if cable.a not in found and cable.b not in found)
    return Comparison(tuple(hosts + cables), tuple(away + dark), len({*_keyed(documented), *_keyed(configured)}),
                      len({cable.ends for cable in (*documented.cables, *configured.cables)}))


def _keyed(inventory: Inventory) -> dict[tuple[bool, str], Host]:
    """DCMs and switches by name: a configured DCM may be called as a switch is."""
    return {(host.role == "dcm", host.name): host for host in inventory.hosts}


def _hosts(documented: Inventory, configured: Inventory) -> Iterator[Difference]:
    first, second = _keyed(documented), _keyed(configured)
    for key in [*first, *(key for key in second if key not in first)]:
        one, other = first.get(key), second.get(key)
        if one is None and other is not None:
            yield Difference("host", other.name, None, None, _all(other), None, ("documented",),
                             "document it, or remove it from the configuration")
        elif other is None and one is not None:
            yield Difference("host", one.name, one.row.at("name"), _all(one), None, None, ("configured",),
                             "configure it, or remove its row")
        elif one is not None and other is not None and one != other:
            fields = [name for name in SHOWN if getattr(one, name) != getattr(other, name)]
            yield Difference("host", one.name, one.row.at(fields[0].replace("_", "-"), "name"), _some(one, fields), _some(other, fields),
                             None, ("documented", "configured"), "correct the configuration or the documentation")


def _some(host: Host, fields: list[str]) -> str:
    """The named fields in words."""
    return " ".join(f"{name.replace('_', '-')} {_text(host, name)}" for name in fields)


def _text(host: Host, field: str) -> str:
    value = getattr(host, field)
    return "as usual" if value is None else str(value)


def _all(host: Host) -> str:
    return " ".join([host.role] + [f"{name.replace('_', '-')} {value}" for name in SHOWN[1:] if (value := getattr(host, name)) is not None])


class _Cables:
    """Cables of both inventories beside each other."""

    def __init__(self, documented: Inventory, configured: Inventory, found: Seen):
        self._documented = {cable.ends: cable for cable in documented.cables}
        self._configured = {cable.ends: cable for cable in configured.cables}
        self._only = {ends: cable for ends, cable in self._configured.items() if ends not in self._documented}
        self._found = found

    def differences(self) -> Iterator[Difference]:
        for ends, cable in self._documented.items():
            other = self._configured.get(ends)
            difference = self._both(cable, other) if other else self._documented_only(cable)
            if difference:
                yield difference
        for cable in self._only.values():  # those that took no part in the others
            yield self._configured_only(cable)

    def _seen(self, cable: Cable) -> str | None:
        """What is seen of a cable: that it is so, or where it leads from the first end of which anything is known."""
        leads = [(port, self._found[port]) for port in (cable.a, cable.b) if port in self._found]
        for port, peer in leads:
            if {port, peer} != cable.ends:
                return f"{port} - {peer}"
        return str(cable) if leads else None

    def _both(self, cable: Cable, other: Cable) -> Difference | None:
        sight = self._seen(cable)
        if sight not in (None, str(cable)):
            return Difference("cable", str(cable), cable.row.at("a-port"), str(cable), str(cable), sight, ("seen",),
                              "correct the cable, or, if it is as it must be, documentation and configuration")
        if cable.capacity != other.capacity:
            return Difference("cable", str(cable), cable.row.at("capacity"), f"{cable.capacity} Gbps", f"{other.capacity} Gbps", sight,
                              ("documented", "configured"), "correct the capacity in one of them")
        return None

    def _documented_only(self, cable: Cable) -> Difference:
        other = next((each for each in self._only.values() if each.ends & cable.ends), None)
        place = cable.row.at("a-port")
        if other is None:
            sight = self._seen(cable)
            return Difference("cable", str(cable), place, str(cable), None, sight, ("configured",), "configure it, or remove its row"
                              + ("" if sight else "; cabling checks see configured cables only"))
        del self._only[other.ends]
        sight = self._seen(cable)
        if sight == str(cable):
            return Difference("cable", str(cable), place, str(cable), str(other), sight, ("configured",), "correct the configuration")
        sight = self._seen(other)
        if sight == str(other):
            return Difference("cable", str(cable), place, str(cable), str(other), sight, ("documented",), "correct the documentation")
        return Difference("cable", str(cable), place, str(cable), str(other), sight, VIEWS if sight else VIEWS[:2],
                          "look where the cable leads, and correct the others")

    def _configured_only(self, cable: Cable) -> Difference:
        sight = self._seen(cable)
        if sight == str(cable):
            return Difference("cable", str(cable), None, None, str(cable), sight, ("documented",), "document it")
        return Difference("cable", str(cable), None, None, str(cable), sight, ("documented", "seen") if sight else ("documented",),
                          "remove it from the configuration, or document it")
