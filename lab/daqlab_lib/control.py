"""The control network: a bridge in its own namespace, one veth per node and one to the root namespace.

The controller listens on 127.0.0.1 of the root namespace; packets of the nodes to the controller address are
rewritten to it on our veth, and all other packets are dropped there. The addresses .0.2 and .0.3 are mapped to 127.0.0.2
and 127.0.0.3 in the same way, for clusters of three controllers on one machine.
"""
import subprocess

from . import netns, state
from .errors import LabError

NAMESPACE = "dq-control"
BRIDGE = "control"
VETH = "dq-root"
TABLE = "daqlab"
OVSDB_PORT, OPENFLOW_PORT = 6640, 6653
PORTS = (OVSDB_PORT, 6641, OPENFLOW_PORT, 6654)  # the second of each: TLS beside plain TCP
DEFAULT_NETWORK = "172.31"  # the first two octets of a /16
MAX_NODES = 1020  # a Linux bridge has 1024 ports
# Bytes. Packets in a port's buffer (capacity.py) count against the switch's send buffer. It is a limit and takes no memory.
BUFFERS = {"net.core.rmem_default": 8 << 20, "net.core.wmem_default": 128 << 20}


def network():
    record = state.shared()
    return record["network"] if record else DEFAULT_NETWORK


def controller_address(number=1):
    return f"{network()}.0.{number}"


def ensure(prefix=None):
    """Make the control network unless it exists; `prefix` is its first two octets."""
    record = state.shared()
    if record and record["complete"]:
        if prefix and prefix != record["network"]:
            raise LabError(f"the control network is {record['network']}.0.0/16 already: "
                           "take all fabrics down before choosing another")
        return
    if record:
        remove()
    prefix = prefix or DEFAULT_NETWORK
    _check_free(prefix)
    small = small_buffers()
    record = {"complete": False, "network": prefix, "sysctl": small}
    state.write_json(state.SHARED, record)
    try:
        raise_buffers(small)
    except LabError:
        state.SHARED.unlink()
        raise
    netns.ip_batch([f"netns add {NAMESPACE}",
                    f"link add {VETH} type veth peer name root netns {NAMESPACE}"])
    netns.write_sysctl(f"net.ipv6.conf.{VETH}.disable_ipv6", 1)
    _firewall(prefix)
    netns.write_sysctl(f"net.ipv4.conf.{VETH}.route_localnet", 1)
    netns.ip_batch([f"addr add {prefix}.0.1/16 dev {VETH}", f"addr add {prefix}.0.2/16 dev {VETH}",
                    f"addr add {prefix}.0.3/16 dev {VETH}", f"link set {VETH} up"])
    with netns.inside(NAMESPACE):
        netns.quiet()
        netns.ip_batch([f"link add {BRIDGE} type bridge", f"link set {BRIDGE} up",
                        f"link set root master {BRIDGE}", "link set root up"])
        netns.offloads_off(["root"])
    netns.offloads_off([VETH])
    record["complete"] = True
    state.write_json(state.SHARED, record)


def small_buffers():
    """sysctl -> value, of those that are below what the lab needs."""
    return {name: value for name, value in netns.default_buffers().items() if value < BUFFERS[name]}


def raise_buffers(small):
    try:
        for name in small:
            netns.write_sysctl(name, BUFFERS[name])
    except OSError as error:
        raise LabError("sockets' default buffers are too small, and only the machine's own network namespace can change them: "
                       f"`sysctl -w {' '.join(f'{name}={BUFFERS[name]}' for name in small)}` there first") from error


def remove():
    """Undo `ensure`, even an interrupted one."""
    record = state.shared()
    if not record:
        return
    subprocess.run(["nft", "delete", "table", "inet", TABLE], capture_output=True, check=False)
    netns.ip_batch([f"link del {VETH}", f"netns del {NAMESPACE}"], force=True)
    for name, value in record["sysctl"].items():
        netns.write_sysctl(name, value)
    state.SHARED.unlink()


def allocate(switches):
    """switch -> control address that no fabric that is up uses."""
    used = set()
    for name in state.names():
        used |= {node.control_address for node in state.load(name).nodes.values()}
    if len(used) + len(switches) > MAX_NODES:
        raise LabError(f"more than {MAX_NODES} switches at once: take another fabric down or use a smaller one")
    prefix = network()
    free = (address for block in range(1, 20) for host in range(1, 255)
            if (address := f"{prefix}.{block}.{host}") not in used)
    return dict(zip(switches, free))


def _check_free(prefix):
    """Refuse names and addresses that are in use outside of the lab."""
    for line in subprocess.run(["ip", "-o", "-4", "addr"], text=True, capture_output=True, check=True).stdout.splitlines():
        if f" {prefix}." in line:
            raise LabError(f"this machine has an address in {prefix}.0.0/16 ({line.split()[1]}): "
                           "choose another control network, e.g. `up --control-network 172.30`")
    if netns.exists(NAMESPACE):
        raise LabError(f"namespace {NAMESPACE} exists but was not made by this lab: remove it first")
    if subprocess.run(["ip", "link", "show", VETH], capture_output=True, check=False).returncode == 0:
        raise LabError(f"interface {VETH} exists but was not made by this lab: remove it first")
    if subprocess.run(["nft", "list", "table", "inet", TABLE], capture_output=True, check=False).returncode == 0:
        raise LabError(f"nftables table inet {TABLE} exists but was not made by this lab: remove it first")


def _firewall(prefix):
    ports = f"{{ {', '.join(map(str, PORTS))} }}"
    to_loopback = "\n".join(f'iifname "{VETH}" ip daddr {prefix}.0.{n} tcp dport {ports} dnat ip to 127.0.0.{n}'
                            for n in (1, 2, 3))
    rules = f"""table inet {TABLE} {{
  chain to_controller {{
    type nat hook prerouting priority dstnat; policy accept;
    {to_loopback}
  }}
  chain from_nodes {{
    type filter hook input priority filter; policy accept;
    iifname "{VETH}" ct state established,related accept
    iifname "{VETH}" ct status dnat accept
    iifname "{VETH}" drop
  }}
  chain through {{
    type filter hook forward priority filter; policy accept;
    iifname "{VETH}" drop
    oifname "{VETH}" drop
  }}
}}
"""
    done = subprocess.run(["nft", "-f", "-"], input=rules, text=True, capture_output=True, check=False)
    if done.returncode:
        raise LabError(f"nft: {done.stderr.strip()}")
