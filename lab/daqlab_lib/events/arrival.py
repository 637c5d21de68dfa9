"""Whether the packets that hosts send arrive, by the counters of their interfaces."""
import time

from .. import netns
from ..hosts import HOST_INTERFACE
from ..netlink import Netlink

STILL = 1.0      # seconds without a packet after which none is under way
PATIENCE = 20.0  # seconds after which waiting for that makes no sense
RECEIVED, SENT = 1, 9  # columns of /proc/net/dev


def counted(current):
    """(namespace, index) of each host's interface -> packets sent minus packets received; without those that are gone."""
    interfaces = {(host.namespace, HOST_INTERFACE) for host in current.hosts}
    interfaces |= {(node.namespace, node.switch.bridge) for node in current.nodes.values()
                   if current.fabric.local_addresses(node.switch.name)}
    found = {}
    for namespace, name in interfaces:
        with Netlink(namespace) as link:
            interface = link.links().get(name)
        with netns.inside(namespace), open("/proc/thread-self/net/dev", encoding="ascii") as file:
            columns = next((rest.split() for key, _, rest in (line.partition(":") for line in file) if key.strip() == name), None)
        if interface and columns:
            found[namespace, interface.index] = int(columns[SENT]) - int(columns[RECEIVED])
    return found


def lost(current, before):
    """Packets sent and not received since `before` was counted, when none is under way any more.

    None if it is not known: an interface has been made again since, or others still send.
    """
    deadline = time.monotonic() + PATIENCE
    last, since = counted(current), time.monotonic()
    while time.monotonic() - since < STILL:
        time.sleep(0.1)  # polling interval
        if (now := counted(current)) != last:
            last, since = now, time.monotonic()
        if time.monotonic() > deadline:
            return None
    return sum(last.values()) - sum(before.values()) if last.keys() == before.keys() else None
