"""Fabric files: the RESTCONF payload of `daqfabric:fabrics`, read and checked.

The checks cover what the lab needs to build the fabric; whether the fabric makes sense as a parallel
leaf-spine network is the controller's business.
"""
import ipaddress
import json
import re
import socket
from dataclasses import dataclass, field

from .errors import LabError

DEFAULT_BRIDGE = "br-daq"
LOCAL = "LOCAL"
ALL = {"all-dcms": "dcm", "all-ros": "ros"}  # ends of flows
MAX_INTERFACE_NAME = 15  # characters, Linux IFNAMSIZ without the terminating zero
CONTROL_INTERFACE = "dq-ctl"
RESERVED_INTERFACES = {"lo", "ovs-netdev", "ovs-system", CONTROL_INTERFACE, LOCAL, ".", ".."}

_FABRIC_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,23}")
_SWITCH_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
_INTERFACE_NAME = re.compile(r"[A-Za-z0-9._-]+")
_MAC = re.compile(r"([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}")


@dataclass(frozen=True)
class Switch:
    name: str
    system_id: str
    bridge: str
    datapath_type: str
    role: str  # spine, leaf, ros, hlt-rack, builder (both of these), hosts or none


@dataclass(frozen=True)
class Link:
    switch: str
    port: str
    peer_switch: str
    peer_port: str


@dataclass(frozen=True)
class Endpoint:
    """A ROS, DCM or other host: an address behind a port of an edge switch."""
    name: str
    kind: str  # ros, dcm or host
    address: str
    switch: str
    port: str  # LOCAL or a port name
    mac: str | None

    @property
    def family(self):
        """Of its sockets."""
        return family_of(self.address)


def family_of(address):
    """socket.AF_INET or AF_INET6."""
    return socket.AF_INET6 if ":" in address else socket.AF_INET


@dataclass(frozen=True)
class Fabric:
    name: str
    switches: dict[str, Switch]
    links: list[Link]
    endpoints: list[Endpoint]
    raw: dict = field(repr=False, compare=False)

    def of_kind(self, kind):
        return [e for e in self.endpoints if e.kind == kind]

    def endpoint(self, name):
        """The ROS, DCM or host of that name, or None."""
        return next((e for e in self.endpoints if e.name == name), None)

    def named(self, name):
        """What an end of a flow names: a host, ROS or DCM, the DCMs of a rack, or all-dcms or all-ros."""
        if name in ALL:
            return self.of_kind(ALL[name])
        racks = {dcm["name"] for pod in self.raw.get("pod", []) for rack in pod.get("hlt-rack", []) if rack["name"] == name
                 for dcm in rack.get("dcm", [])}
        return [e for e in self.endpoints if e.name == name or e.name in racks]

    def local_addresses(self, switch):
        """Addresses on the LOCAL port of a switch, in the order of the file."""
        return [e.address for e in self.endpoints if e.switch == switch and e.port == LOCAL]

    def peers(self):
        """(switch, port) -> (switch, port) at the other end of the link, both directions."""
        there = {(link.switch, link.port): (link.peer_switch, link.peer_port) for link in self.links}
        return there | {there[end]: end for end in there}

    def payload(self):
        """The fabric as a fabric file of its own."""
        return {"daqfabric:fabric": [self.raw]}


def read(path):
    """The fabrics of a file, checked."""
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except OSError as error:
        raise LabError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise LabError(f"{path}: is not JSON: {error}") from error
    try:
        fabrics = parse(document)
    except LabError as error:
        raise LabError(f"{path}: {error}") from error
    return fabrics


def parse(document):
    """The fabrics of a decoded fabric file."""
    body = document if isinstance(document, dict) else {}
    body = body.get("daqfabric:fabrics", body)
    entries = body.get("daqfabric:fabric", body.get("fabric"))
    if not isinstance(entries, list) or not entries:
        raise LabError('no fabric: the file must hold {"daqfabric:fabric": [{"name": ...}]}')
    fabrics = [_fabric(entry) for entry in entries]
    _unique((f.name for f in fabrics), "fabric name")
    check_together(fabrics)
    return fabrics


def check_together(fabrics):
    """What must differ between fabrics that are up at once."""
    owners = {}
    for fabric in fabrics:
        for node in {s.system_id for s in fabric.switches.values()}:
            if node in owners:
                raise LabError(f"system-id {node} is in fabrics {owners[node]} and {fabric.name}: the lab's nodes "
                               "belong to one fabric each (generate --prefix gives distinct ones, down removes a fabric)")
            owners[node] = fabric.name


def _fabric(entry):
    name = _text(entry, "name", "a fabric")
    if not _FABRIC_NAME.fullmatch(name):
        raise LabError(f"fabric name '{name}': use at most 24 letters, digits, '-' and '_'")
    where = f"fabric {name}"
    try:
        roles = _roles(entry, where)
        switches = _switches(entry, roles, where)
        endpoints = _endpoints(entry, where)
        links = _links(entry, where)
    except (AttributeError, TypeError) as error:
        raise LabError(f"{where}: a list or an object has the wrong shape ({error})") from error
    _check_references(where, switches, roles, links)
    _check_interfaces(where, switches, links, endpoints)
    _unique((e.name for e in endpoints), f"{where}: name of a ROS, DCM or host")
    _unique((e.address for e in endpoints), f"{where}: address")
    return Fabric(name, switches, links, endpoints, entry)


def _roles(entry, where):
    """switch -> role, from the planes and pods."""
    roles = {}

    def play(switch, role):
        if role == "hlt-rack" and roles.get(switch) == "ros":
            roles[switch] = "builder"
        elif roles.setdefault(switch, role) != role:
            raise LabError(f"{where}: switch {switch} is both {roles[switch]} and {role}: use a switch of its own for each")

    for plane in entry.get("plane", []):
        for spine in plane.get("spine", []):
            play(_text(spine, "switch", f"{where}: spine {spine.get('id')}"), "spine")
        for leaf in plane.get("leaf", []):
            play(_text(leaf, "switch", f"{where}: leaf of pod {leaf.get('pod')}"), "leaf")
    for pod in entry.get("pod", []):
        for ros in pod.get("ros", []):
            play(_text(ros, "switch", f"{where}: ROS {ros.get('name')}"), "ros")
        for rack in pod.get("hlt-rack", []):
            play(_text(rack, "switch", f"{where}: HLT rack {rack.get('name')}"), "hlt-rack")
    for pod in entry.get("pod", []):
        for host in pod.get("host", []):  # gives its switch a role only where nothing else does
            roles.setdefault(_text(host, "switch", f"{where}: host {host.get('name')}"), "hosts")
    return roles


def _switches(entry, roles, where):
    switches = {}
    for item in entry.get("switch", []):
        name = _text(item, "name", f"{where}: a switch")
        if not _SWITCH_NAME.fullmatch(name):
            raise LabError(f"{where}: switch name '{name}': use at most 32 letters, digits, '.', '-' and '_'")
        if name in switches:
            raise LabError(f"{where}: switch {name} is declared twice: remove one")
        datapath = item.get("datapath-type", "netdev")
        if datapath not in ("netdev", "system"):
            raise LabError(f"{where}: switch {name}: datapath-type '{datapath}': use netdev or system")
        switches[name] = Switch(name, item.get("system-id", name), item.get("bridge", DEFAULT_BRIDGE), datapath,
                                roles.get(name, "none"))
    if not switches:
        raise LabError(f"{where}: has no switch: declare each under 'switch'")
    return switches


def _endpoints(entry, where):
    endpoints = []
    for pod in entry.get("pod", []):
        for ros in pod.get("ros", []):
            endpoints.append(_endpoint(ros, "ros", ros["switch"], where))
        for rack in pod.get("hlt-rack", []):
            for dcm in rack.get("dcm", []):
                endpoints.append(_endpoint(dcm, "dcm", rack["switch"], where))
        for host in pod.get("host", []):
            endpoints.append(_endpoint(host, "host", host["switch"], where))
    return endpoints


def _endpoint(item, kind, switch, where):
    label = f"{where}: a {kind.upper()}"
    name = _text(item, "name", label)
    address = _text(item, "address", f"{where}: {kind.upper()} {name}")
    try:
        address = str(ipaddress.ip_address(address))
    except ValueError as error:
        raise LabError(f"{where}: {kind.upper()} {name}: '{address}' is not an IP address") from error
    port = item.get("port", LOCAL) if kind != "ros" else LOCAL
    mac = item.get("mac")
    if mac is not None and not _MAC.fullmatch(mac):
        raise LabError(f"{where}: {kind.upper()} {name}: mac '{mac}': write it as 02:00:00:00:00:01")
    if port != LOCAL and mac is None:
        raise LabError(f"{where}: {kind.upper()} {name} is behind port {port} but has no mac: "
                       "give it one, the last switch writes it into the frames")
    return Endpoint(name, kind, address, switch, port, mac and mac.lower())


def _links(entry, where):
    links = []
    for item in entry.get("link", []):
        label = f"{where}: link {item.get('switch')}:{item.get('port')}"
        links.append(Link(*(_text(item, key, label) for key in ("switch", "port", "peer-switch", "peer-port"))))
    return links


def _check_references(where, switches, roles, links):
    for name, role in roles.items():
        if name not in switches:
            raise LabError(f"{where}: {role} switch {name} is not declared: add it under 'switch'")
    for link in links:
        for end in (link.switch, link.peer_switch):
            if end not in switches:
                raise LabError(f"{where}: link {link.switch}:{link.port} to {link.peer_switch}:{link.peer_port}: "
                               f"switch {end} is not declared: add it under 'switch'")


def _check_interfaces(where, switches, links, endpoints):
    """Names are unique on a node, which several switches may share."""
    for switch in switches.values():
        _check_interface(f"{where}: bridge {switch.name}", switch.bridge)
    _unique((f"{s.bridge} of node {s.system_id}" for s in switches.values()), f"{where}: bridge")
    bridges = {(s.system_id, s.bridge) for s in switches.values()}
    used = {}

    def use(switch, port, by):
        _check_interface(f"{where}: port {switch}:{port}", port)
        there = switches[switch].system_id, port
        if there in bridges:
            raise LabError(f"{where}: port {switch}:{port} has the name of the bridge: rename it")
        if there in used:
            raise LabError(f"{where}: port {switch}:{port} is used twice, by {used[there]} and by {by}")
        used[there] = by

    for link in links:
        use(link.switch, link.port, f"the link to {link.peer_switch}:{link.peer_port}")
        use(link.peer_switch, link.peer_port, f"the link to {link.switch}:{link.port}")
    macs = {}
    for end in endpoints:
        if end.port == LOCAL:
            continue
        if (end.switch, end.port) not in macs:
            use(end.switch, end.port, f"{end.kind.upper()} {end.name}")
        if macs.setdefault((end.switch, end.port), end.mac) != end.mac:
            raise LabError(f"{where}: {end.kind.upper()} {end.name}: another host behind {end.switch}:{end.port} has another mac")


def _check_interface(label, name):
    if len(name) > MAX_INTERFACE_NAME:
        raise LabError(f"{label}: '{name}' has {len(name)} characters, Linux allows {MAX_INTERFACE_NAME}: shorten it")
    if not _INTERFACE_NAME.fullmatch(name):
        raise LabError(f"{label}: '{name}': use letters, digits, '.', '-' and '_'")
    if name in RESERVED_INTERFACES:
        raise LabError(f"{label}: '{name}' is a name the lab or the switch needs for itself: rename it")


def _text(item, key, label):
    value = item.get(key)
    if not isinstance(value, str) or not value:
        raise LabError(f"{label}: '{key}' is missing")
    return value


def _unique(values, what, hint="make them distinct"):
    seen = set()
    for value in values:
        if value in seen:
            raise LabError(f"{what} {value} occurs twice: {hint}")
        seen.add(value)
