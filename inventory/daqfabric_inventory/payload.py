"""Between an inventory and the configuration of a fabric, as RESTCONF has it."""
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from .columns import PARSERS
from .model import DEFAULT_CAPACITY, LOCAL, Cable, Host, Inventory, Port
from .problems import Failed

Fabric = dict[str, Any]
# What an inventory says of each list; all else is for the operators, and is kept.
SAID = {
    "fabric": {"name", "link-capacity", "plane", "pod", "switch", "link", "state"},
    "switch": {"name", "system-id", "bridge", "ovsdb-address", "ovsdb-port", "datapath-type"},
    "ros": {"name", "address", "switch", "fragment-weight"},
    "hlt-rack": {"name", "switch", "dcm"},
    "dcm": {"name", "address", "weight", "port", "mac"},
    "link": {"switch", "port", "peer-switch", "peer-port", "capacity"},
}


def fabric(name: str, inventory: Inventory) -> Fabric:
    """The fabric that an inventory describes."""
    hosts = inventory.hosts
    common = _common(cable.capacity for cable in inventory.cables)
    switches = {host.name: host.switch_name for host in hosts}
    planes = sorted({host.plane for host in hosts if host.plane})
    pods = sorted({host.pod for host in hosts if host.pod})
    return {
        "name": name,
        "link-capacity": _number(common),
        "plane": [{"id": plane,
                   "spine": [{"id": host.spine, "switch": host.name}
                             for host in sorted(_of(hosts, "spine", plane=plane), key=lambda host: host.spine or 0)],
                   "leaf": [{"pod": host.pod, "switch": host.name}
                            for host in sorted(_of(hosts, "leaf", plane=plane), key=lambda host: host.pod or 0)]} for plane in planes],
        "pod": [{"id": pod,
                 "ros": [_filled({"name": host.name, "address": host.address, "switch": host.switch_name,
                                  "fragment-weight": _number(host.weight)}) for host in _of(hosts, "ros", pod=pod)],
                 "hlt-rack": [{"name": host.name, "switch": host.switch_name,
                               "dcm": [_dcm(dcm) for dcm in _of(hosts, "dcm", rack=host.name)]}
                              for host in _of(hosts, "rack", pod=pod)]} for pod in pods],
        "switch": [_filled({"name": host.switch_name, "system-id": host.system_id, "bridge": host.bridge,
                            "ovsdb-address": host.ovsdb_address, "ovsdb-port": host.ovsdb_port, "datapath-type": host.datapath_type})
                   for host in hosts if host.role != "dcm"],
        "link": [_filled({"switch": switches[cable.a.host], "port": cable.a.port, "peer-switch": switches[cable.b.host],
                          "peer-port": cable.b.port, "capacity": None if cable.capacity == common else _number(cable.capacity)})
                 for cable in inventory.cables],
    }


def _dcm(host: Host) -> dict[str, Any]:
    return _filled({"name": host.name, "address": host.address, "weight": _number(host.weight), "port": host.port, "mac": host.mac})


def _of(hosts: Iterable[Host], role: str, **fields: Any) -> list[Host]:
    return [host for host in hosts if host.role == role and all(getattr(host, name) == value for name, value in fields.items())]


def _filled(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if value is not None}


def _common(capacities: Iterable[Decimal]) -> Decimal:
    """The capacity that most links have, the lowest of several."""
    counted = Counter(capacities)
    return min(counted, key=lambda each: (-counted[each], each), default=DEFAULT_CAPACITY)


def _number(value: Decimal | None) -> str | None:
    """A decimal64, which is a string in JSON (RFC 7951)."""
    return None if value is None else f"{value.normalize():f}"


def keep(described: Fabric, configured: Fabric | None) -> Fabric:
    """What an inventory describes, with all that it has no column for as it is configured, and each link under its end."""
    if not configured:
        return described
    before = {(link["switch"], link["port"]): link for link in configured.get("link", ())}
    result = _kept("fabric", described, configured)
    result["switch"] = _each("switch", described["switch"], configured.get("switch", ()))
    result["link"] = [_kept("link", link, before.get((link["switch"], link["port"])))
                      for link in (_oriented(link, before) for link in described["link"])]
    pods = {pod["id"]: pod for pod in configured.get("pod", ())}
    racks = [rack for pod in pods.values() for rack in pod.get("hlt-rack", ())]
    dcms = [dcm for rack in racks for dcm in rack.get("dcm", ())]
    result["pod"] = [pod | {"ros": _each("ros", pod["ros"], pods.get(pod["id"], {}).get("ros", ())),
                            "hlt-rack": [rack | {"dcm": _each("dcm", rack["dcm"], dcms)}
                                         for rack in _each("hlt-rack", pod["hlt-rack"], racks)]} for pod in described["pod"]]
    return result


def _oriented(link: dict[str, Any], before: dict[tuple[str, str], Any]) -> dict[str, Any]:
    """The link under the end that names it already."""
    other = before.get((link["peer-switch"], link["peer-port"]))
    if other and (other.get("peer-switch"), other.get("peer-port")) == (link["switch"], link["port"]):
        return link | {"switch": link["peer-switch"], "port": link["peer-port"], "peer-switch": link["switch"], "peer-port": link["port"]}
    return link


def _each(kind: str, entries: list[dict[str, Any]], before: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    named = {entry["name"]: entry for entry in before}
    return [_kept(kind, entry, named.get(entry["name"])) for entry in entries]


def _kept(kind: str, entry: dict[str, Any], before: dict[str, Any] | None) -> dict[str, Any]:
    others = {name: value for name, value in (before or {}).items() if name not in SAID[kind]}
    if kind == "dcm" and entry.get("port", LOCAL) == LOCAL:
        others.pop("port-settings", None)  # is for a port only
    return entry | others


def inventory(described: Fabric) -> Inventory:
    """The inventory of a fabric as it is configured."""
    nodes = {entry["name"]: entry for entry in described.get("switch", ())}
    hosts: list[Host] = []

    def add(role: str, switch: str, name: str | None = None, **fields: Any) -> None:
        node = nodes.get(switch, {})
        port, own = node.get("ovsdb-port"), node.get("system-id")
        hosts.append(Host(name or switch, role, switch=None if name in (None, switch) else switch,
                          system_id=None if own == switch else own, bridge=_unusual(node.get("bridge"), "br-daq"),
                          ovsdb_address=node.get("ovsdb-address"), ovsdb_port=_unusual(port, 6640),
                          datapath_type=_unusual(node.get("datapath-type"), "netdev"), **fields))

    for plane in described.get("plane", ()):
        for spine in plane.get("spine", ()):
            add("spine", spine["switch"], plane=plane["id"], spine=spine["id"])
        for leaf in plane.get("leaf", ()):
            add("leaf", leaf["switch"], plane=plane["id"], pod=leaf["pod"])
    for pod in described.get("pod", ()):
        for ros in pod.get("ros", ()):
            add("ros", ros["switch"], ros["name"], pod=pod["id"], address=PARSERS["address"](ros["address"]),
                weight=_weight(ros.get("fragment-weight")))
        for rack in pod.get("hlt-rack", ()):
            add("rack", rack["switch"], rack["name"], pod=pod["id"])
            hosts += [Host(dcm["name"], "dcm", rack=rack["name"], port=_unusual(dcm.get("port"), LOCAL),
                           address=PARSERS["address"](dcm["address"]),
                           mac=PARSERS["mac"](dcm["mac"]) if "mac" in dcm else None, weight=_weight(dcm.get("weight")))
                      for dcm in rack.get("dcm", ())]
    names = {host.switch_name: host.name for host in hosts if host.role != "dcm"}
    for name in nodes:
        if name not in names:
            names[name] = name
            add("spare", name)
    capacity = described.get("link-capacity", DEFAULT_CAPACITY)
    return Inventory(tuple(hosts), tuple(
        Cable(Port(names[link["switch"]], link["port"]), Port(names[link["peer-switch"]], link["peer-port"]),
              Decimal(str(link.get("capacity", capacity)))) for link in described.get("link", ())))


def _unusual(value: Any, usual: Any) -> Any:
    return None if value == usual else value


def _weight(value: Any) -> Decimal | None:
    return None if value is None else _unusual(Decimal(str(value)), Decimal(1))


def tables(described: Inventory) -> dict[str, list[dict[str, str]]]:
    """The rows that say this: a DCM behind a port as a cable."""
    names = Counter(host.name for host in described.hosts)
    if twice := sorted(name for name, count in names.items() if count > 1):
        raise Failed(f"several hosts are called {', '.join(twice)}: in tables every host has a name of its own: rename one in the fabric")
    hosts = [{"name": host.name, "role": host.role, "rack": "" if host.port else host.rack or "", "switch": host.switch or "",
              "address": host.address or "", "mac": host.mac or "", "weight": _number(host.weight) or "", "bridge": host.bridge or "",
              "system-id": host.system_id or "", "datapath-type": host.datapath_type or "", "ovsdb-address": host.ovsdb_address or ""}
             | {column: str(value or "") for column, value in (("plane", host.plane), ("pod", host.pod), ("spine", host.spine),
                                                               ("ovsdb-port", host.ovsdb_port))} for host in described.hosts]
    cables = [{"a": cable.a.host, "a-port": cable.a.port, "b": cable.b.host, "b-port": cable.b.port,
               "capacity": "" if cable.capacity == DEFAULT_CAPACITY else _number(cable.capacity) or ""} for cable in described.cables]
    cables += [{"a": host.name, "b": host.rack, "b-port": host.port} for host in described.hosts if host.port and host.rack]
    return {"hosts": hosts, "cables": cables}
