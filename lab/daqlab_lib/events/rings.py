"""What the lab knows of daqrings: rate limits and drops, as the switches' databases tell. None without such ports."""
from .. import ovs

TYPE = "daqring"            # of the interface
DROPPED = "ring_dropped"    # in its statistics


def rates(current):
    """(switch, ring) -> Mbit/s on the wire when all packets are full, of the rings that have a limit."""
    found = {}
    for switch, name, options, _ in _rows(current):
        interval = float(options.get("polling-interval", 0))  # microseconds
        if interval:
            found[switch, name] = float(options.get("max-burst", 32)) * (current.mtu + 38) * 8 / interval
    return found


def drops(current):
    """Packets that found their ring full, since the rings were made."""
    return sum(statistics.get(DROPPED, 0) for _, _, _, statistics in _rows(current))


def _rows(current):
    for node in current.nodes.values():
        try:
            rows = ovs.select(node, "Interface", ["name", "type", "options", "statistics"])
        except OSError:  # its database is being restarted, on purpose
            continue
        for row in rows:
            if row["type"] == TYPE:
                yield node.switch.name, row["name"], dict(row["options"][1]), dict(row["statistics"][1])
