"""Names of controllers, which not every Open vSwitch can look up, and the name of this node."""
import ipaddress
import os
import socket
from pathlib import Path

from .system import Refused, rows

RUN = Path(os.environ.get("OVS_RUNDIR", "/run/openvswitch"))
PROCESSES = Path("/proc")
DAEMONS = ("ovs-vswitchd", "ovsdb-server")  # which connect to controllers of bridges and to managers
RESOLVER = "/libunbound."


def resolves():
    """Whether the Open vSwitch that runs looks up names: built without a resolver it takes addresses alone."""
    return all(RESOLVER in _libraries(each) for each in DAEMONS)


def _libraries(daemon):
    try:
        return (PROCESSES / (RUN / f"{daemon}.pid").read_text().strip() / "maps").read_text()
    except OSError:
        return ""


def address(host):
    """The address of a host that is given by name, as Open vSwitch writes it; an address as it is."""
    try:
        ipaddress.ip_address(host.strip("[]"))
        return host
    except ValueError:
        pass
    try:
        family, *_, (found, *_) = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise Refused(f"'{host}' is not known on this host: {error}. Add it to /etc/hosts or to the DNS, or give its address") from None
    print(f"{host} is {found}: Open vSwitch is given this address, as it looks up no names here. Join again if it changes")
    return f"[{found}]" if family == socket.AF_INET6 else found


def chassis():
    """The system-id of this host if it is a chassis of OVN, otherwise None."""
    external_ids = rows("Open_vSwitch", "external_ids")[0]["external_ids"]
    return external_ids.get("system-id", "") if any(each.startswith("ovn-remote") for each in external_ids) else None


def refuse_change(name, former=None):
    """OVN knows its chassis by the system-id, or by the former one, from before this host was made a node, which heals it."""
    present = chassis()
    if present is not None and name not in (present, former):
        raise Refused(f"this host is a chassis of OVN, which knows it by its system-id '{present}': with '{name}' in its place OVN would "
                      f"refuse all that this host reports. In the fabric's configuration give the switch the system-id '{present}', "
                      f"and here: daqfabric-node join --name {present or 'SYSTEM-ID'} CONTROLLER...")
