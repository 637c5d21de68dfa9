"""What the run cost the machine, and what it lost: a busy machine is not a slow network."""
import os
from dataclasses import dataclass

from .. import capacity, delay, netlink, netns, ovs
from . import rings

_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Sample:
    """Counters that only grow."""
    idle: float       # seconds of all CPUs together
    total: float      # the same
    emulators: float  # seconds of CPU time
    switches: float   # the same
    queues: dict      # SWITCH:PORT -> packets that found the buffer of their link full
    rings: int        # packets that found their daqring full
    lost: int         # packets that a switch or a host was too slow to take: the machine's doing, not the network's


def sample(current, emulators):
    """emulators: process ids. Quick, and without other processes: it is taken while traffic flows."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(value) for value in file.readline().split()[1:9]]  # without guest time, which is in user time
    queues, lost = {}, 0
    for node in current.nodes.values():
        with netlink.Netlink(node.namespace) as link, netlink.Netlink(node.namespace, netlink.SOCK_DIAG) as diagnosis:
            drops = link.qdisc_drops(capacity.DATA << 16)
            queues |= {f"{node.switch.name}:{name}": drops[event.index] for name, event in link.links().items() if event.index in drops}
            lost += diagnosis.packet_drops()
        lost += _tap_drops(node)
    return Sample((ticks[3] + ticks[4]) / _TICK, sum(ticks) / _TICK, sum(map(_cpu, emulators)),
                  sum(_cpu(ovs.daemon_pid(node)) for node in current.nodes.values()), queues, rings.drops(current), lost)


def _tap_drops(node):
    """What the host sent and its switch, or the process that delays it, was too slow to take."""
    with netns.inside(node.namespace), open("/proc/thread-self/net/dev", encoding="ascii") as file:
        rows = [line.split(":") for line in file if ":" in line]
    return sum(int(values.split()[11]) for name, values in rows if name.strip() in (node.switch.bridge, delay.TAP))


def _cpu(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICK
