"""What must hold between the rows of an inventory, and what is worth a look."""
import dataclasses
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .model import LOCAL, Cable, Host, Inventory, Port
from .problems import Finding, Place


def check(inventory: Inventory, whole: bool) -> list[Finding]:
    """Everything that is wrong, not only the first. What is missing is said only of an inventory that has all its rows."""
    names = {host.name: host for host in inventory.hosts}
    missing = [*_planes(inventory), *_uplinks(inventory, names)] if whole else []
    return [*_unique(inventory), *_nodes(inventory), *_ports(inventory), *_roles(inventory, names), *missing]


def _repeated(hosts: Iterable[Host], key: Callable[[Host], Any]) -> Iterator[tuple[Host, Host]]:
    """Hosts whose key an earlier one has, with that one."""
    seen: dict[Any, Host] = {}
    for host in hosts:
        if (value := key(host)) is not None and seen.setdefault(value, host) is not host:
            yield host, seen[value]


def _known(*values: int | None) -> tuple[int | None, ...] | None:
    """The values, if all are known."""
    return None if None in values else values


def _differ(one: int | None, other: int | None) -> bool:
    return one is not None and other is not None and one != other


def _at(host: Host, *columns: str) -> str:
    place = dataclasses.replace(host.row.at(*columns), column=None)
    return f"{host.name} ({place})"


def _unique(inventory: Inventory) -> Iterator[Finding]:
    hosts = inventory.hosts
    for host, other in _repeated(hosts, lambda host: host.name):
        yield Finding(host.row.at("name"), f"there is a host {_at(other, 'name')} already: rename one of them, or remove the row")
    for host, other in _repeated((host for host in hosts if host.role != "dcm"), lambda host: host.switch_name):
        if host.name != other.name:
            yield Finding(host.row.at("switch", "name"), f"switch {host.switch_name} is that of {_at(other, 'switch', 'name')} too: "
                                                         "a switch has one role")
    for host, other in _repeated(hosts, lambda host: host.address):
        yield Finding(host.row.at("address"), f"address {host.address} is that of {_at(other, 'address')} too")
    addressed = [host for host in hosts if host.address]
    for host in addressed:
        if (":" in host.address) != (":" in addressed[0].address):
            yield Finding(host.row.at("address"), f"address {host.address} is of another kind than that of {_at(addressed[0], 'address')}: "
                                                  "all ros and dcm have addresses of IPv4, or all of IPv6")
            break
    for host, other in _repeated((host for host in hosts if host.role == "spine"), lambda host: _known(host.plane, host.spine)):
        yield Finding(host.row.at("spine"), f"spine {host.spine} of plane {host.plane} is {_at(other, 'spine')} already")
    for host, other in _repeated((host for host in hosts if host.role == "leaf"), lambda host: _known(host.plane, host.pod)):
        yield Finding(host.row.at("pod"), f"the leaf of pod {host.pod} in plane {host.plane} is {_at(other, 'pod')} already: "
                                          "a pod has one leaf in each plane")
    for host, other in _repeated(hosts, lambda host: host.mac):
        if (host.rack, host.port) != (other.rack, other.port):
            yield Finding(host.row.at("mac"), f"mac {host.mac} is that of {_at(other, 'mac')} too, behind another port")


def _nodes(inventory: Inventory) -> Iterator[Finding]:
    """A bridge of a node is one switch, a node has one OVSDB server, and a port is on one bridge."""
    def node(host: Host) -> str:
        return host.system_id or host.switch_name

    names = {host.name: host for host in inventory.hosts}
    ports: dict[tuple[str, str], Host] = {}
    for port, _, place in _ends(inventory):
        host = names[port.host]
        other = ports.setdefault((node(host), port.port), host)
        if host.name != other.name:
            yield Finding(place, f"port {port.port} of node {node(host)} is on the bridge of {other.name} already, and names of ports are "
                                 "unique on a node")
    switches = list(inventory.switches().values())  # each name once: that it is there twice is said already
    for host, other in _repeated(switches, lambda host: (node(host), host.bridge)):
        yield Finding(host.row.at("system-id", "bridge", "name"),
                      f"{host.name} and {_at(other, 'system-id', 'name')} are the same bridge of node {node(host)}: give one of them "
                      "another bridge or system-id")
    dialled = [host for host in switches if host.ovsdb_address]
    for host, other in _repeated(dialled, lambda host: (host.ovsdb_address, host.ovsdb_port)):
        if node(host) != node(other):
            yield Finding(host.row.at("ovsdb-address"), f"the node of {_at(other, 'ovsdb-address')} listens there, and it is another")
    for host, other in _repeated(dialled, node):
        if (host.ovsdb_address, host.ovsdb_port) != (other.ovsdb_address, other.ovsdb_port):
            yield Finding(host.row.at("ovsdb-address"), f"{_at(other, 'ovsdb-address')} is on the same node and has another address")


def _ends(inventory: Inventory) -> Iterator[tuple[Port, str, Any]]:
    """Ports in use, by whom, and where that is written."""
    for cable in inventory.cables:
        yield cable.a, f"the cable to {cable.b}", cable.row.at("a-port")
        yield cable.b, f"the cable to {cable.a}", cable.row.at("b-port")


def _ports(inventory: Inventory) -> Iterator[Finding]:
    bridges = {host.name: host.bridge or "br-daq" for host in inventory.hosts}
    users: dict[Port, tuple[str, Place]] = {}
    for port, user, place in _ends(inventory):
        if port.port in (LOCAL, bridges[port.host]):
            yield Finding(place, f"port {port} is the bridge itself: name the port that the cable is in")
        elif port in users:
            first, there = users[port]
            yield Finding(place, f"port {port} is used twice, by {user} and by {first} ({dataclasses.replace(there, column=None)})")
        users.setdefault(port, (user, place))
    dcms: dict[Port, Host] = {}
    for host in inventory.hosts:
        if host.port and host.rack:
            port = Port(host.rack, host.port)
            if port in users:
                yield Finding(host.row.at("name"), f"port {port} is used twice, by dcm {host.name} and by {users[port][0]}")
            elif port.port in (LOCAL, bridges.get(port.host)):
                yield Finding(host.row.at("name"), f"port {port} is the bridge itself: a dcm on the rack's own node has no cable")
            elif dcms.setdefault(port, host).mac != host.mac:
                yield Finding(host.row.at("mac"), f"dcm {_at(dcms[port], 'mac')} is behind port {port} too and has another mac: one host "
                                                  "is behind a port")


def lower_first(cable: Cable, names: dict[str, Host]) -> tuple[Host, Host]:
    """The hosts of a cable, the lower one in the fabric first."""
    height = {"spare": -1, "leaf": 1, "spine": 2}
    a, b = names[cable.a.host], names[cable.b.host]
    return (a, b) if height.get(a.role, 0) <= height.get(b.role, 0) else (b, a)


def _roles(inventory: Inventory, names: dict[str, Host]) -> Iterator[Finding]:
    for cable in inventory.cables:
        if cable.a.host == cable.b.host:
            yield Finding(cable.row.at("b"), f"the cable leads from {cable.a.host} back to itself")
        elif why := _wrong(*lower_first(cable, names)):
            yield Finding(cable.row.at("a"), f"cable {cable}: {why}")


def _wrong(lower: Host, upper: Host) -> str | None:
    """Why two hosts must not be linked."""
    if lower.role == "spare":
        return f"{lower.name} is a spare, which has no cables: give it a role"
    if upper.role == "spine":
        if lower.role == "leaf":
            return (f"leaf {lower.name} is of plane {lower.plane} and spine {upper.name} of plane {upper.plane}: planes are independent"
                    if _differ(lower.plane, upper.plane) else None)
        return ("spines are not linked with each other" if lower.role == "spine"
                else f"{lower.role} {lower.name} is linked to leaves of its pod, not to a spine")
    if upper.role == "leaf":
        if lower.role == "leaf":
            return "leaves are not linked with each other, but with spines of their plane"
        return (f"{lower.role} {lower.name} is of pod {lower.pod} and leaf {upper.name} of pod {upper.pod}: link it to the leaves of its "
                "own" if _differ(lower.pod, upper.pod) else None)
    return f"{lower.role} {lower.name} and {upper.role} {upper.name} are not linked with each other, but with leaves of their pods"


def _planes(inventory: Inventory) -> Iterator[Finding]:
    leaves = [host for host in inventory.hosts if host.role == "leaf"]
    spines = {host.plane for host in inventory.hosts if host.role == "spine"}
    served = {(leaf.plane, leaf.pod) for leaf in leaves}
    planes = spines | {leaf.plane for leaf in leaves}
    for host, _ in _firsts(leaves, lambda leaf: leaf.plane):
        if host.plane and host.plane not in spines:
            yield Finding(host.row.at("plane"), f"plane {host.plane} has no spine: add one, or correct the plane")
    for host, _ in _firsts((host for host in inventory.hosts if host.role in ("ros", "rack", "leaf")), lambda host: host.pod):
        missing = sorted(plane for plane in planes if plane and (plane, host.pod) not in served)
        if host.pod and (missing or not planes):
            yield Finding(host.row.at("pod"), f"pod {host.pod} has no leaf in plane {', '.join(map(str, missing)) or '1'}: add it, or "
                                              "correct the pod")


def _firsts(hosts: Iterable[Host], key: Callable[[Host], Any]) -> list[tuple[Host, Any]]:
    first: dict[Any, Host] = {}
    for host in hosts:
        first.setdefault(key(host), host)
    return [(host, value) for value, host in first.items()]


def _uplinks(inventory: Inventory, names: dict[str, Host]) -> Iterator[Finding]:
    """An edge switch has one uplink at least; that it has none to a plane, or a leaf none to a spine, may be meant."""
    linked: dict[str, set[str]] = {}
    for cable in inventory.cables:
        lower, upper = lower_first(cable, names)
        linked.setdefault(lower.name, set()).add(upper.name)
    spines = [host for host in inventory.hosts if host.role == "spine"]
    leaves = [host for host in inventory.hosts if host.role == "leaf"]
    for host in inventory.hosts:
        if host.role not in ("ros", "rack", "leaf"):
            continue
        uppers = ([spine for spine in spines if spine.plane == host.plane] if host.role == "leaf"
                  else [leaf for leaf in leaves if leaf.pod == host.pod])
        without = [upper for upper in uppers if upper.name not in linked.get(host.name, ())]
        if without == uppers and uppers and host.role != "leaf":
            yield Finding(host.row.at("name"), f"{host.role} {host.name} has no uplink: add a cable to "
                                               f"{' or '.join(upper.name for upper in uppers)}")
        else:
            for upper in without:
                plane = "" if host.role == "leaf" else f", so none to plane {upper.plane}"
                yield Finding(host.row.at("name"), f"{host.role} {host.name} has no cable to {upper.role} {upper.name}{plane}", error=False)
