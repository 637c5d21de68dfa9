"""The columns of the tables, and what may be in their cells."""
import dataclasses
import ipaddress
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any

HOSTS = {
    "name": "what the host is called; cables use it too",
    "role": "ros, rack, leaf, spine, dcm, or spare for a switch that has no role yet",
    "plane": "of a leaf and a spine: number of the plane",
    "pod": "of a ros, a rack and a leaf: number of the pod",
    "spine": "of a spine: its number in the plane",
    "rack": "of a dcm: the rack that it runs on; of one that is cabled to a rack it may be left out",
    "address": "of a ros and a dcm: IPv4 or IPv6 address in the data network",
    "mac": "of a dcm that is cabled to its rack: its Ethernet address",
    "weight": "of a dcm: its share of the events, of a ros: the size of its fragments; 1 if empty",
    "switch": "of a ros and a rack: the name of its switch, if it is not that of the host",
    "system-id": "of a switch: external_ids:system-id of its node; the switch's name if empty",
    "bridge": "of a switch: br-daq if empty",
    "ovsdb-address": "of a switch: where its node listens, if the controller is to connect to it",
    "ovsdb-port": "of a switch with ovsdb-address: 6640 if empty",
    "datapath-type": "of a switch: netdev or system; netdev if empty",
}
CABLES = {
    "a": "the host at one end",
    "a-port": "its port, the name of the network interface",
    "b": "the host at the other end",
    "b-port": "its port; of a dcm it may be left out",
    "capacity": "Gbps in each direction; 10 if empty",
}
NODE = ("system-id", "bridge", "ovsdb-address", "ovsdb-port", "datapath-type")


@dataclasses.dataclass(frozen=True)
class Role:
    """Columns that a host of this role must have, and those that it may have."""

    needed: tuple[str, ...]
    allowed: tuple[str, ...]


ROLES = {
    "ros": Role(("pod", "address"), ("weight", "switch", *NODE)),
    "rack": Role(("pod",), ("switch", *NODE)),
    "leaf": Role(("plane", "pod"), NODE),
    "spine": Role(("plane", "spine"), NODE),
    "dcm": Role(("address",), ("rack", "mac", "weight")),
    "spare": Role((), NODE),
}
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]{0,63}")
INTERFACE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+@\-]{0,14}")
HOSTNAME = re.compile(r"[A-Za-z0-9:][A-Za-z0-9.:_\-]{0,252}")
ADDRESS = re.compile(r"[0-9.]+|[0-9a-fA-F:]+")
NOBODYS = [ipaddress.ip_network(each) for each in ("0.0.0.0/8", "127.0.0.0/8", "224.0.0.0/3", "::/8", "fe80::/10", "ff00::/8")]
MAC = re.compile(r"[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}")


def _name(text: str) -> str:
    if not NAME.fullmatch(text):
        raise ValueError("a name has 1 to 64 letters, digits, '_', '.' and '-' and begins with a letter, digit or '_'")
    return text


def _interface(text: str) -> str:
    if not INTERFACE.fullmatch(text):
        raise ValueError("the name of a network interface has 1 to 15 letters, digits and any of _ . + @ - and begins with a "
                         "letter, digit or '_'")
    return text


def _number(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", text) or not least <= int(text) <= most:
            raise ValueError(f"must be a whole number from {least} to {most}")
        return int(text)
    return parse


def _decimal(most: int, digits: int) -> Callable[[str], Decimal]:
    def parse(text: str) -> Decimal:
        try:
            number = Decimal(text)
        except InvalidOperation:
            number = Decimal(0)
        least = Decimal(1).scaleb(-digits)
        if not number.is_finite() or not least <= number <= most or number != number.quantize(least):
            raise ValueError(f"must be a number above 0 and at most {most}, with {digits} digits after the point at most")
        return number
    return parse


def _address(text: str) -> str:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        address = None
    # the library also reads zones, and IPv4 notation within IPv6 addresses, which the controller refuses
    if address is None or not ADDRESS.fullmatch(text):
        raise ValueError("an address is of IPv4, such as 10.0.0.1, or of IPv6, such as fd00::1")
    if any(address in network for network in NOBODYS):
        raise ValueError("no host can have it: it must be below 224.0.0.0 and neither in 0.0.0.0/8 nor in 127.0.0.0/8"
                         if address.version == 4 else "no host can have it as its own: it must be a unicast address that is not link-local")
    return str(address)


def _mac(text: str) -> str:
    if not MAC.fullmatch(text):
        raise ValueError("a mac is six pairs of hexadecimal digits with colons between them, such as 02:00:00:00:00:01")
    if int(text[:2], 16) & 1 or not int(text.replace(":", ""), 16):
        raise ValueError("it is no host's own: give the address of its network interface")
    return text.lower()


def _host(text: str) -> str:
    if not HOSTNAME.fullmatch(text):
        raise ValueError("must be an IP address or the name of a host")
    return text


def _system_id(text: str) -> str:
    if len(text) > 255:
        raise ValueError("has 255 characters at most")
    return text


def _one_of(*words: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in words:
            raise ValueError(f"must be {', '.join(words[:-1])} or {words[-1]}")
        return text
    return parse


PARSERS: dict[str, Callable[[str], Any]] = {
    "name": _name, "role": _one_of(*ROLES), "plane": _number(1, 255), "pod": _number(1, 65535), "spine": _number(1, 65535),
    "rack": _name, "address": _address, "mac": _mac, "weight": _decimal(1000000, 6), "switch": _name, "system-id": _system_id,
    "bridge": _interface, "ovsdb-address": _host, "ovsdb-port": _number(1, 65535), "datapath-type": _one_of("netdev", "system"),
    "a": _name, "a-port": _interface, "b": _name, "b-port": _interface, "capacity": _decimal(1000000, 3),
}
