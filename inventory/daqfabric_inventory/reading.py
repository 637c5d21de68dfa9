"""From rows to hosts and cables: what each cell and row must have by itself."""
import dataclasses
from collections.abc import Callable
from typing import Any

from .columns import PARSERS, ROLES
from .model import DEFAULT_CAPACITY, Cable, Host, Inventory, Port, Row
from .problems import Finding, unknown
from .tables import Tables

Report = Callable[[Finding], None]
USUAL = {"weight": 1, "bridge": "br-daq", "ovsdb-port": 6640, "datapath-type": "netdev"}  # as if it was not written


def read(tables: Tables) -> tuple[Inventory, list[Finding]]:
    """The inventory of what can be understood, and what is wrong with the rest."""
    findings: list[Finding] = []
    hosts = [host for row in tables["hosts"] if (host := _host(row, findings.append))]
    names = {host.name: host for host in hosts}
    written = {row.text("name") for row in tables["hosts"]}
    rows = [_cable(row, names, written, findings.append) for row in tables["cables"]]
    cables = [cable for cable in rows if cable]
    cabled = [cable for cable in cables if "dcm" in _roles(cable, names)]
    plain = tuple(cable for cable in cables if cable not in cabled)
    return Inventory(tuple(_behind_ports(hosts, names, cabled, findings.append)), plain), findings


def _values(row: Row, report: Report) -> dict[str, Any] | None:
    """The parsed cells; None if one of them cannot be."""
    values: dict[str, Any] = {}
    wrong = False
    for column, cell in row.cells.items():
        try:
            value = PARSERS[column](cell.text)
            values[column] = None if USUAL.get(column) == value else value
        except ValueError as error:
            wrong = True
            said = unknown("role", cell.text, ROLES) if column == "role" else f"{column} '{cell.text}': {error}"
            report(Finding(cell.place, said))
    return None if wrong else values


def _host(row: Row, report: Report) -> Host | None:
    values = _values(row, report)
    missing = [column for column in ("name", "role") if column not in row.cells]
    role = ROLES.get(row.text("role") or "")
    if role:
        named = f"a {row.text('role')}"
        missing += [column for column in role.needed if column not in row.cells]
        for column, cell in row.cells.items():
            if column not in ("name", "role", *role.needed, *role.allowed):
                report(Finding(cell.place, f"{named} has no {column}: leave the cell empty, or correct the role"))
    else:
        named = "a host"
    for column in missing:
        report(Finding(row.at(column), f"{named} needs its {column}"))
    if "ovsdb-port" in row.cells and "ovsdb-address" not in row.cells:
        report(Finding(row.at("ovsdb-port"), "ovsdb-port says nothing without ovsdb-address: add the address, or empty the cell"))
    if values is None or missing:
        return None
    fields = {column.replace("-", "_"): value for column, value in values.items()}
    for usual in ("switch", "system_id"):  # written, but the same as without
        if fields.get(usual) == (fields["name"] if usual == "switch" else fields.get("switch") or fields["name"]):
            fields[usual] = None
    return Host(row=row, **fields)


def _cable(row: Row, names: dict[str, Host], written: set[str | None], report: Report) -> Cable | None:
    values = _values(row, report)
    complete = values is not None
    for end in ("a", "b"):
        host = row.text(end)
        if host is None:
            report(Finding(row.at(end), "a cable needs the host at both ends"))
            complete = False
        elif host not in written:
            report(Finding(row.at(end), unknown("host", host, names)))
        elif f"{end}-port" not in row.cells and not (host in names and names[host].role == "dcm"):
            report(Finding(row.at(f"{end}-port"), f"a cable needs its port of {host}"))
            complete = False
        complete = complete and host in names
    if not complete or values is None:
        return None
    return Cable(Port(values["a"], values.get("a-port", "")), Port(values["b"], values.get("b-port", "")),
                 values.get("capacity", DEFAULT_CAPACITY), row)


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
                report(Finding(host.row.at("mac"), f"dcm {host.name} is cabled to {ports[host.name]} and needs its mac, for there is no ARP"))
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
