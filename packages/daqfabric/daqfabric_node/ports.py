"""The bridges of fabrics on this host's Open vSwitch, and their ports."""
from typing import NamedTuple

from .system import tables, vsctl

KERNELS = ("", "system")  # types of ports that are devices of the kernel, read by packet sockets if the datapath is netdev


class Switch(NamedTuple):
    """What is of fabrics."""

    bridges: dict     # name -> fabric
    devices: tuple    # of the kernel: bridges and ports
    userspace: tuple  # of these, ports that a userspace datapath reads
    external_ids: dict  # of each of their Interface rows

    @staticmethod
    def read(timeout=10):
        """As it is in the database."""
        return of(*tables(("Bridge", "name", "external_ids", "datapath_type", "ports"), ("Port", "_uuid", "interfaces"),
                          ("Interface", "_uuid", "name", "type", "external_ids"), timeout=timeout))


def of(bridges, ports, interfaces):
    """The part of the rows that is of fabrics."""
    ours = {each["name"]: each["external_ids"]["daqfabric"] for each in bridges if "daqfabric" in each["external_ids"]}
    of_port = {uuids(each["_uuid"])[0]: uuids(each["interfaces"]) for each in ports}
    by_uuid = {uuids(each["_uuid"])[0]: each for each in interfaces}
    devices, userspace, external_ids = [], [], {}
    for bridge in bridges:
        if bridge["name"] not in ours:
            continue
        for uuid in (uuid for port in uuids(bridge["ports"]) for uuid in of_port.get(port, [])):
            row = by_uuid.get(uuid)
            if row is None or row["type"] not in (*KERNELS, "internal", "afxdp"):
                continue
            devices.append(row["name"])
            external_ids[row["name"]] = row["external_ids"]
            if row["type"] in KERNELS and bridge["datapath_type"] == "netdev":
                userspace.append(row["name"])
    return Switch(ours, tuple(sorted({*devices, *ours})), tuple(sorted(userspace)), external_ids)


def uuids(value):
    """Of a column that has one or many."""
    return [value[1]] if value[:1] == ["uuid"] else [each[1] for each in value]


def words(wanted, written, keys):
    """What ovs-vsctl must do for Interfaces whose keys of external_ids are others: both are name -> key -> text."""
    commands = []
    for name in sorted(written):
        for key in keys:
            new, old = (each.get(name, {}).get(key) for each in (wanted, written))
            if new != old:
                commands += ["--", "--if-exists", *(["set", "Interface", name, f'external_ids:{key}="{new}"'] if new is not None
                                                    else ["remove", "Interface", name, "external_ids", key])]
    return commands


def write(commands, timeout):
    """All of it in one transaction."""
    if commands:
        vsctl(*commands, timeout=timeout)
