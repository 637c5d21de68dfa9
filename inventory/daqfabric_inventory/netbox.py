"""The same tables from NetBox: its devices, interfaces and addresses."""
import re
import urllib.parse
from collections.abc import Iterator
from typing import Any

from . import http
from .columns import HOSTS
from .model import Cell, Row
from .problems import Failed, Place
from .tables import Tables

PAGE = 200   # objects of one answer
CHUNK = 100  # devices asked for in one address
FIELD = "daqfabric_"  # begins the names of custom fields
FIELDS = {column: FIELD + column.replace("-", "_") for column in HOSTS if column not in ("name", "role", "address", "mac")}
LABELS = {column: f"custom field {field}" for column, field in FIELDS.items()} | {"mac": "MAC address of its cabled interface"}
ETHERNET = re.compile(r"(\d+(?:\.\d+)?)([gt]?)base-")  # begins the types of interfaces that tell their speed
GBPS = {"": 0.001, "g": 1, "t": 1000}
LOWER = ("dcm", "ros", "rack", "leaf", "spine")
Json = dict[str, Any]


class NetBox:
    """A server at its address, such as https://netbox.example.org."""

    def __init__(self, url: str, token: str | None):
        self._url = http.address("NetBox", url)
        self._proxy = http.proxy(self._url)  # a NetBox may be outside
        self._shown = self._url + http.said_of(urllib.parse.urlsplit(self._url).scheme, self._proxy)
        if not token:
            raise Failed("NetBox wants a token: set NETBOX_TOKEN, or NETBOX_TOKEN_FILE to a file that holds it")
        # tokens of version 2, from NetBox 4.5 on, say so
        self._headers = {"Authorization": f"{'Bearer' if token.startswith('nbt_') else 'Token'} {token}", "Accept": "application/json"}

    def all(self, path: str, *parameters: tuple[str, str]) -> Iterator[Json]:
        """Every object of a list, page by page."""
        query: list[tuple[str, str]] | None = [*parameters, ("limit", str(PAGE))]
        while query is not None:
            status, page = http.exchange(f"{self._url}/api/{path}/?{urllib.parse.urlencode(query)}", self._headers,
                                         through=self._proxy)
            if status in (401, 403):
                raise Failed(f"{self._shown} refuses the token ({_said(page) or status}): it must be valid and may be read-only, with the "
                             f"permission to view {path}")
            if status != 200 or not isinstance(page, dict) or "results" not in page:
                raise Failed(f"{self._shown} answers {status} to {path}: {_said(page) or 'is it the address of a NetBox?'}")
            yield from page["results"]
            # Only its query: behind a proxy the address may be one that does not lead back, and the token is for this server.
            query = urllib.parse.parse_qsl(urllib.parse.urlsplit(page["next"]).query) if page["next"] else None


def _said(page: Any) -> str:
    if not isinstance(page, dict):
        return ""
    return "; ".join(str(value) if name == "detail" else f"{name}: {value}" for name, value in page.items())


def read(netbox: NetBox, tag: str) -> Tables:
    """The rows of the devices that have the tag, and of the cables between them."""
    devices = sorted(netbox.all("dcim/devices", ("tag", tag), ("exclude", "config_context")), key=lambda device: device["id"])
    if not devices:
        raise Failed(f"NetBox has no device with the tag '{tag}': give the fabric's devices that tag, or name another with --tag")
    addresses: dict[int, list[Json]] = {}
    for address in netbox.all("ipam/ip-addresses", ("tag", tag)):
        if address["assigned_object_type"] == "dcim.interface" and (owner := address["assigned_object"]):
            addresses.setdefault(owner["device"]["id"], []).append(address)
    interfaces = [interface for first in range(0, len(devices), CHUNK)
                  for interface in netbox.all("dcim/interfaces", ("cabled", "true"),
                                              *(("device_id", str(device["id"])) for device in devices[first:first + CHUNK]))]
    roles = {device["id"]: device["role"]["slug"] for device in devices}
    # Endpoints are beyond patch panels, and reachable if all cables on the way are connected: planned ones are not.
    cabled = [(interface, peer) for interface in interfaces
              if interface["connected_endpoints_type"] == "dcim.interface" and interface["connected_endpoints_reachable"]
              for peer in interface["connected_endpoints"]]
    inside = [(interface, peer) for interface, peer in cabled if peer["device"]["id"] in roles]
    of_dcms = {interface["device"]["id"]: interface for interface, _ in reversed(inside) if roles[interface["device"]["id"]] == "dcm"}
    return {"hosts": [_host(device, addresses.get(device["id"], []), of_dcms.get(device["id"])) for device in devices],
            "cables": [row for interface, peer in inside if (row := _cable(interface, peer, roles))]}


def _page(entry: Json) -> str:
    """Where a person sees it."""
    return f"NetBox {entry.get('display_url') or entry['url']}"


def _host(device: Json, addresses: list[Json], cabled: Json | None) -> Row:
    """A device with its addresses of the fabric and a DCM's interface with a cable to its rack.

    It must have one address of IPv4, or else one of IPv6.
    """
    page = _page(device)
    cells: dict[str, Cell] = {}

    def say(column: str, value: Any, label: str, where: str = page) -> None:
        if value not in (None, ""):
            cells[column] = Cell(str(value), Place(where, column=label))

    say("name", device["name"], "name")
    say("role", device["role"]["slug"], "role")
    for column, field in FIELDS.items():
        say(column, device["custom_fields"].get(field), LABELS[column])
    if addresses:
        family = min(address["family"]["value"] for address in addresses)
        chosen = [address for address in addresses if address["family"]["value"] == family]
        say("address", ", ".join(address["address"].partition("/")[0] for address in chosen), "address", _page(chosen[0]))
    elif device["role"]["slug"] in ("ros", "dcm"):
        for family in (6, 4):
            if primary := device[f"primary_ip{family}"]:
                say("address", primary["address"].partition("/")[0], f"primary IPv{family}")
    if cabled:
        say("mac", cabled["mac_address"], "primary MAC address", _page(cabled))
    return Row(Place(f"{page} ({device['display']})"), cells, LABELS)


def _cable(interface: Json, peer: Json, roles: dict[int, str]) -> Row | None:
    """The cable as its lower end has it, or the first of two alike; None at the other end."""
    def order(end: Json) -> tuple[int, int]:
        role = roles[end["device"]["id"]]
        return LOWER.index(role) if role in LOWER else len(LOWER), end["id"]

    if order(interface) > order(peer):
        return None
    place = _page(interface)
    at = f"{interface['device']['name']}, {interface['name']}"
    cells = {"a": interface["device"]["name"], "a-port": interface["name"], "b": peer["device"]["name"], "b-port": peer["name"]}
    kind = interface["type"]["value"]
    told = ETHERNET.match(kind)
    gbps = interface["speed"] / 1e6 if interface["speed"] else float(told[1]) * GBPS[told[2]] if told else None  # speed in kbit/s
    lacking = {}
    if gbps is None:
        lacking["capacity"] = f"a cable needs the speed of this interface, which its type '{kind}' does not tell: enter the speed in NetBox"
    else:
        cells["capacity"] = f"{gbps:.6f}".rstrip("0").rstrip(".")
    return Row(Place(f"{place} ({at})"),
               {column: Cell(text or "", Place(f"{place} ({at})", column="speed" if column == "capacity" else None))
                for column, text in cells.items()}, {"capacity": "speed"}, lacking)
