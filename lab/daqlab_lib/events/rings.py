"""Rate limits of daqrings from the switches' databases, and their drops from the daemons."""
import re

from .. import ovs
from ..errors import LabError
from ..unixctl import Unixctl

TYPE = "daqring"            # of the interface
_DROPPED = re.compile(r"port \d+: \S+ \(daqring\b[^\n]*\n[^\n]*\n *TX packets:\d+ errors:\S+ dropped:(\d+)")


def rates(current):
    """(switch, ring) -> Mbit/s on the wire when all packets are full, of the rings that have a limit."""
    found = {}
    for node in current.nodes.values():
        for row in ovs.select(node, "Interface", ["name", "type", "options"]):
            options = dict(row["options"][1])
            interval = float(options.get("polling-interval", 0))  # microseconds
            if row["type"] == TYPE and interval:
                found[node.switch.name, row["name"]] = float(options.get("max-burst", 32)) * (current.mtu + 38) * 8 / interval
    return found


def drops(current):
    """Packets that found their daqring full, since it was made. Databases know it 5 s late."""
    found = 0
    for node in current.nodes.values():
        try:
            with Unixctl(node) as daemon:
                found += dropped(daemon.ask("dpctl/show", "-s"))
        except LabError:  # it is broken, on purpose
            continue
    return found


def dropped(shown):
    """The sum of all daqrings in the words of `dpctl/show -s`."""
    return sum(map(int, _DROPPED.findall(shown)))
