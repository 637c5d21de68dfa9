"""From rows to hosts and cables: what each cell and row must have by itself."""
import dataclasses
from collections.abc import Callable
from typing import Any

from .columns import PARSERS, ROLES
from .model import DEFAULT_CAPACITY, Cable, Host, Inventory, Port, Row
from .problems import Finding, near, unknown
from .tables import Tables

Report = Callable[[Finding], None]
USUAL = {"weight": 1, "bridge": "br-daq", "ovsdb-port": 6640, "datapath-type": "netdev"}  # as if it was not written


def read(tables: Tables) -> tuple[Inventory, list[Finding], bool]:
    """The inventory as far as it can be understood, what is wrong with the rest, and whether it has every row."""
    findings: list[Finding] = []
    hosts = [host for row in tables["hosts"] if (host := _host(row, findings.append))]
    names = {host.name: host for host in hosts}
    written = {name for row in tables["hosts"] if (name := row.text("name"))}
    rows = [_cable(row, names, written, findings.append) for row in tables["cables"]]
    cables = [cable for cable in rows if cable]
    cabled = [cable for cable in cables if "dcm" in _roles(cable, names)]
    plain = tuple(cable for cable in cables if cable not in cabled)
    whole = len(hosts) == len(tables["hosts"]) and len(cables) == len(rows)
    return Inventory(tuple(_behind_ports(hosts, names, cabled, findings.append)), plain), findings, whole


def _values(row: Row, report: Report) -> dict[str, Any]:
    """The cells that can be parsed."""
    values: dict[str, Any] = {}
    for column, cell in row.cells.items():
        try:
            values[column] = PARSERS[column](cell.text)
        except ValueError as error:
            report(Finding(cell.place, unknown("role", cell.text, ROLES) if column == "role" else f"{column} '{cell.text}': {error}"))
    return values


def _host(row: Row, report: Report) -> Host | None:
    """The host without the cells that are wrong; None without name or role."""
    values = _values(row, report)
    name = values.get("role") or near(row.text("role") or "", ROLES)
    needed, allowed = (ROLES[name].needed, ROLES[name].allowed) if name else ((), tuple(row.cells))
    for column in ("name", "role", *needed):
        if column not in row.cells:
            report(Finding(row.at(column), f"a {name or 'host'} needs its {column}"))
    for column in row.cells:
        if column not in ("name", "role", *needed, *allowed):
            report(Finding(row.at(column), f"a {name} has no {column}: leave the cell empty, or correct the role"))
    if "ovsdb-port" in row.cells and "ovsdb-address" not in row.cells:
        report(Finding(row.at("ovsdb-port"), "ovsdb-port says nothing without ovsdb-address: add the address, or empty the cell"))
    if "name" not in values or not name:
        return None
    fields = {column.replace("-", "_"): None if USUAL.get(column) == value else value for column, value in values.items()}
    if fields.get("switch") == fields["name"]:
        fields["switch"] = None
    if fields.get("system_id") == (fields.get("switch") or fields["name"]):
        fields["system_id"] = None
    return Host(row=row, **fields | {"role": name})


def _cable(row: Row, names: dict[str, Host], written: set[str], report: Report) -> Cable | None:
    """The cable; None if an end is missing or wrong."""
    values = _values(row, report)
    ends = []
    for end in ("a", "b"):
        host, port = row.text(end), f"{end}-port"
        of_dcm = host in names and names[host].role == "dcm"
        if host is None:
            report(Finding(row.at(end), "a cable needs the host at both ends"))
        elif host not in written and end in values:
            report(Finding(row.at(end), unknown("host", host, sorted(written))))
        elif port not in row.cells and not of_dcm:
            report(Finding(row.at(port), f"a cable needs its port of {host}"))
        elif host in names and (port in values or of_dcm):
            ends.append(Port(host, values.get(port, "")))
    if len(ends) < 2:
        return None
    if "capacity" in row.lacking and not any(names[end.host].role == "dcm" for end in ends):
        report(Finding(row.at("capacity"), row.lacking["capacity"]))
    return Cable(*ends, values.get("capacity", DEFAULT_CAPACITY), row)


def _roles(cable: Cable, names: dict[str, Host]) -> tuple[str, str]:
    return names[cable.a.host].role, names[cable.b.host].role


def _behind_ports(hosts: list[Host], names: dict[str, Host], cabled: list[Cable], report: Report) -> list[Host]:
    """The hosts, where DCMs that have a cable know their ports of their racks."""
    ports: dict[str, Port] = {}
    for cable in cabled:
        ends = (cable.a, cable.b) if names[cable.a.host].role == "dcm" else (cable.b, cable.a)
        dcm, other = names[ends[0].host], ends[1]
        if names[other.host].role != "rack":
            report(Finding(cable.row.at("b" if other is cable.b else "a"),
                           f"a dcm is cabled to a rack, and {other.host} is a {names[other.host].role}"))
        elif dcm.name in ports:
            report(Finding(cable.row.at("a"), f"dcm {dcm.name} has a cable to {ports[dcm.name]} already, and a dcm has one"))
        elif dcm.rack and dcm.rack != other.host:
            report(Finding(cable.row.at("b" if other is cable.b else "a"),
                           f"dcm {dcm.name} is of rack {dcm.rack} ({dcm.row.at('rack')}): correct one of them"))
        else:
            ports[dcm.name] = other
    result = []
    for host in hosts:
        if host.name in ports and host.role == "dcm":
            if not host.mac:
                report(Finding(host.row.at("mac"),
                               f"dcm {host.name} is cabled to {ports[host.name]} and needs its mac, for there is no ARP"))
            host = dataclasses.replace(host, rack=ports[host.name].host, port=ports[host.name].port)
        elif host.role == "dcm" and not host.rack:
            report(Finding(host.row.at("rack"), "a dcm needs its rack, or a cable to it"))
        elif host.role == "dcm" and (host.rack not in names or names[host.rack].role != "rack"):
            racks = [name for name, each in names.items() if each.role == "rack"]
            if host.rack in names:
                report(Finding(host.row.at("rack"), f"{host.rack} is a {names[host.rack].role}: a dcm is of a rack"))
            else:
                report(Finding(host.row.at("rack"), unknown("rack", host.rack or "", racks)))
        result.append(host)
    return result
