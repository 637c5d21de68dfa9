"""Link capacities: a port sends at the rate of its link, from a buffer of the configured depth.

A token bucket (htb) on both ends of every declared link. Rates are those of Ethernet: each packet counts with its
preamble, checksum and gap, so that equation (A.12) applies. Leaves and spines have the configured buffer; towards edge
switches it can differ, because network cards behind switches with deep buffers have shallow ones (section 6.3.1). Edge
switches represent whole machines: packets they send wait in the machine's memory, as they would before a network card.

As in hardware switches, control traffic (BFD, LLDP, and IPv4 and IPv6 with class selector 6) does not wait behind data: it
has a small class with priority. Otherwise a full buffer would look like a failed link.

A packet in a buffer counts against the send buffer of the switch daemon, which all its ports share; when that is full,
packets are dropped silently (net.core.wmem_default, see control.py).
"""
import fcntl
import json
import subprocess
from dataclasses import asdict, dataclass

from . import netns, state
from .errors import LabError

RATE = 2.0              # Mbit/s: event traffic of the whole prototype leaves a quarter of two cores idle
BUFFER = 1000           # packets
MEMORY = 10000          # packets: the buffer of an edge switch
FABRIC = ("leaf", "spine")  # roles
ETHERNET = 24           # bytes on the wire that the kernel does not count: preamble, start, checksum, gap
CREDIT = 0.001          # seconds a late timer may make up for
CONTROL_SHARE = 0.05    # of the rate, guaranteed to control traffic
CONTROL_BUFFER = 100    # packets
CONTROL_CLASS = "0xc0 0xfc"  # DSCP 48, and a mask without the two bits by which TCP tells of congestion
MIN_CREDIT = 3          # packets; the credit that slow links have
MEMORY_PER_BYTE = 1.6   # bytes of the send buffer that a byte of a packet takes
DATA = 2                # handle of the buffer, among the queueing disciplines of a port
RATES = (0.1, 10000)    # Mbit/s


@dataclass(frozen=True)
class Capacity:
    rate: float  # Mbit/s of a link that has the fabric's link-capacity; the others in proportion
    buffer: int  # packets, of each port of a leaf or spine
    edge_buffer: int | None = None  # packets, of each port of a leaf to an edge switch, if another


def load(current):
    """The limits of a fabric's links, or None."""
    file = _file(current)
    return Capacity(**json.loads(file.read_text())) if file.exists() else None


def limit(current, capacity):
    """Limit all links, or change the limits while traffic flows."""
    check(current, capacity)
    state.write_json(_file(current), asdict(capacity))
    for node in current.nodes.values():
        apply(current, node)


def apply(current, node):
    """Set the limits of a switch's ports again. Open vSwitch removes them when it adds a port to its bridge."""
    # a command and the daemon that restores limits may run at the same time
    with open(node.rundir / "limits.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        capacity = load(current)
        if capacity:
            limited = _limited(node)
            peers = current.fabric.peers()
            _tc(node, [line for (switch, port), rate in rates_of(current.fabric, capacity.rate).items() if switch == node.switch.name
                       for line in commands(port, rate, buffer_of(node, current.nodes[peers[switch, port][0]], capacity), current.mtu,
                                            port in limited)])


def _limited(node):
    with netns.inside(node.namespace):
        done = subprocess.run(["tc", "-j", "qdisc", "show"], text=True, capture_output=True, check=True)
    return {q["dev"] for q in json.loads(done.stdout) if q["kind"] == "htb"}


def lift(current):
    """Remove the limits."""
    if load(current):
        _file(current).unlink()
        for node in current.nodes.values():
            _tc(node, [f"qdisc del dev {port} root" for switch, port in current.fabric.peers() if switch == node.switch.name])


def rates_of(fabric, rate):
    """(switch, port) -> Mbit/s, both ends of every link."""
    nominal = float(fabric.raw.get("link-capacity", 10))
    rates = {}
    for link, entry in zip(fabric.links, fabric.raw.get("link", [])):
        share = float(entry.get("capacity", nominal)) / nominal
        rates[link.switch, link.port] = rates[link.peer_switch, link.peer_port] = rate * share
    return rates


def buffer_of(node, peer, capacity):
    """Packets, of a node's port to its peer."""
    if node.switch.role not in FABRIC:
        return MEMORY
    return capacity.buffer if peer.switch.role in FABRIC or capacity.edge_buffer is None else capacity.edge_buffer


def commands(port, rate, buffer, mtu, limited=False):
    """Lines for `tc -batch`; limited: the port has limits already, and keeps the packets in its buffer."""
    bits = round(rate * 1e6)
    control = round(bits * CONTROL_SHARE)
    credit = max(MIN_CREDIT * (mtu + 14 + ETHERNET), int(bits / 8 * CREDIT))
    common = f"ceil {bits}bit burst {credit} cburst {credit} quantum {mtu + 14} overhead {ETHERNET}"
    root = [] if limited else [f"qdisc add dev {port} root handle 1: htb default 2"]
    return root + [
        f"class replace dev {port} parent 1: classid 1:1 htb rate {bits}bit {common}",
        f"class replace dev {port} parent 1:1 classid 1:2 htb rate {bits - control}bit prio 1 {common}",
        f"class replace dev {port} parent 1:1 classid 1:3 htb rate {control}bit prio 0 {common}",
        f"qdisc replace dev {port} parent 1:2 handle {DATA}: pfifo limit {buffer}",
        f"qdisc replace dev {port} parent 1:3 handle 3: pfifo limit {CONTROL_BUFFER}",
        f"filter replace dev {port} parent 1: protocol ip prio 1 handle 800::1 u32 match ip tos {CONTROL_CLASS} flowid 1:3",
        f"filter replace dev {port} parent 1: protocol 0x88cc prio 2 handle 801::1 u32 match u32 0 0 flowid 1:3",
        f"filter replace dev {port} parent 1: protocol ipv6 prio 3 handle 802::1 u32 match ip6 priority {CONTROL_CLASS} flowid 1:3"]


def check(current, capacity):
    """Refuse impossible values before anything is changed."""
    if not RATES[0] <= capacity.rate <= RATES[1]:
        raise LabError(f"--rate {capacity.rate:g}: use {RATES[0]} to {RATES[1]} Mbit/s")
    for option, packets in (("--buffer", capacity.buffer), ("--edge-buffer", capacity.edge_buffer)):
        if packets is not None and packets < 1:
            raise LabError(f"{option} {packets}: must be at least 1 packet")
    memory = netns.default_buffers()["net.core.wmem_default"]
    deepest = max(capacity.buffer, capacity.edge_buffer or 0)
    for node in current.nodes.values():
        ports = sum(1 for switch, _ in current.fabric.peers() if switch == node.switch.name)
        packets = memory / (current.mtu * MEMORY_PER_BYTE * max(ports, 1))
        if node.switch.role in FABRIC and deepest > packets:
            raise LabError(f"--buffer {deepest}: the {ports} ports of {node.switch.name} share {memory >> 20} MiB of send "
                           f"buffer: use at most {int(packets)}, or raise net.core.wmem_default before `daqlab up`")


def text(current):
    capacity = load(current)
    if capacity is None:
        return f"{current.name}: links have no limit"
    rates = sorted(set(rates_of(current.fabric, capacity.rate).values()))
    return (f"{current.name}: links of {', '.join(f'{rate:g}' for rate in rates)} Mbit/s, buffers of {capacity.buffer} packets "
            + (f"({capacity.edge_buffer} before edge switches, " if capacity.edge_buffer else "(") + f"{MEMORY} in them)")


def _file(current):
    return current.folder / "capacity.json"


def _tc(node, lines):
    if lines:
        with netns.inside(node.namespace):
            done = subprocess.run(["tc", "-batch", "-"], input="\n".join(lines) + "\n", text=True, capture_output=True, check=False)
        if done.returncode:
            raise LabError(f"{node.switch.name}: tc: {done.stderr.strip()}")
