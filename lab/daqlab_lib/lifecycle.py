"""Bringing fabrics up and down."""
import contextlib
import os
import re
import shutil
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from . import capacity, control, controllers, delay, fabric as fabric_file, hosts, logs, netlink, netns, ovs, pki, processes, state
from .errors import LabError
from .fabric import CONTROL_INTERFACE
from .netlink import IFF_UP

_TARGET = re.compile(r"(?:(?:tcp|ssl):)?\d+(?:\.\d+){3}(?::\d+)?|p(?:tcp|ssl):(?:\d+(?::\d+(?:\.\d+){3})?)?")
TOOLS = ("ovs-vswitchd", "ovsdb-server", "ovsdb-tool", "ovs-vsctl", "ovs-ofctl", "ovs-appctl", "nft", "ip", "tc")
FIRST_INDEX = 1000  # of the links' interfaces, above what each namespace numbers by itself
WORKERS = 4  # starting processes is bound by the CPU


def up(path, managers=None, mtu=None, network=None, tls=None, vswitchd=None, limits=None):
    """Bring all fabrics of a file up; in a fabric that is up already only dead processes are restarted.

    tls: folder of a CA. vswitchd: the switch daemon to run, if not Debian's. limits: what capacity.limit takes.
    mtu: bytes; if not given that of each fabric, or 1500.
    """
    missing = [tool for tool in (TOOLS + ("openssl",) if tls else TOOLS) if not shutil.which(tool)]
    if missing:
        raise LabError(f"not installed: {', '.join(missing)} (Debian: apt install openvswitch-switch nftables iproute2 openssl)")
    if vswitchd and not os.access(vswitchd, os.X_OK):
        raise LabError(f"{vswitchd} is not a program: `make ovs` makes .cache/ovs/current/ovs-vswitchd")
    vswitchd = os.path.realpath(vswitchd) if vswitchd else "ovs-vswitchd"
    fabrics = fabric_file.read(path)
    for fabric in fabrics:
        _check_datapath(fabric)
    with state.lock():
        others = [state.load(n).fabric for n in state.names() if n not in {f.name for f in fabrics}]
        fabric_file.check_together(others + fabrics)
        try:
            for fabric in fabrics:
                _up(fabric, managers, mtu, network, tls and pki.ensure(tls), vswitchd)
                if limits:
                    capacity.limit(state.load(fabric.name), limits)
        finally:
            _remove_unused()


def down(name=None):
    """Take a fabric down, or all."""
    with state.lock():
        todo = [name] if name else state.names()
        for each in todo:
            if each in state.names():
                _down(state.load(each))
            elif name:
                _say(f"{each}: not up")
        _remove_unused()


def _remove_unused():
    """Remove what all fabrics share when the last of them is gone."""
    if not state.names():
        if not controllers.recorded():
            control.remove()
        with contextlib.suppress(OSError):
            state.FABRICS.rmdir()


def managers_of(given, tls=None):
    """Manager targets from `--controller`: addresses, ADDRESS:PORT, or targets in the syntax of ovs-vsctl.

    The default is all controllers of the lab.
    """
    scheme = "ssl" if tls else "tcp"
    if not given:
        addresses = [each.address for each in controllers.recorded()] or [control.controller_address()]
        return [f"{scheme}:{address}:{control.OVSDB_PORT}" for address in addresses]
    targets = []
    for item in given.split(","):
        if not _TARGET.fullmatch(item):
            raise LabError(f"--controller {item}: write 172.31.0.1, 172.31.0.1:6640, tcp:172.31.0.1:6640 or ptcp:6640")
        if item[0].isdigit():
            item = f"{scheme}:{item}" if ":" in item else f"{scheme}:{item}:{control.OVSDB_PORT}"
        targets.append(item)
    return targets


def _up(fabric, managers, mtu, network, tls, vswitchd):
    started = time.monotonic()
    name = fabric.name
    if name in state.names():
        current = state.load(name)
        if current.complete:
            if current.fabric.raw != fabric.raw:
                raise LabError(f"fabric {name} is up with different contents: run `daqlab down {name}` first")
            _start_all(current)
            _say(f"{name}: already up, all processes run")
            return
        _say(f"{name}: an earlier `up` was interrupted, starting over")
        _down(current)
    control.ensure(network)
    mtu = mtu or fabric.raw.get("mtu", 1500)
    current = state.plan(fabric, control.allocate(fabric.switches), managers_of(managers, tls), mtu, vswitchd)
    for namespace in current.namespaces():
        if netns.exists(namespace):
            raise LabError(f"namespace {namespace} exists but was not made by this lab: `ip netns del {namespace}` first")
    state.forget(name)
    current.save(complete=False)
    try:
        _say(f"{name}: {len(current.nodes)} switches, {len(fabric.links)} links, {len(fabric.endpoints)} addresses")
        _make_links(current)
        _say(f"{name}: namespaces and links made ({time.monotonic() - started:.1f} s)")
        for switch, node in current.nodes.items():
            if node.home != switch:  # whoever looks for a switch finds its node
                (current.folder / switch).symlink_to(node.home)
        for node in current.machines() if tls else ():
            pki.issue(tls, node.rundir, node.switch.system_id)
        _start_all(current)
    except BaseException:
        _say(f"{name}: did not come up, taking it down")
        _down(current)
        raise
    current.save(complete=True)
    _say(f"{name}: up ({time.monotonic() - started:.1f} s), manager {' '.join(current.managers)}")


def _make_links(current):
    """All namespaces and veths, in two `ip` processes."""
    netns.ip_batch([f"netns add {namespace}" for namespace in current.namespaces()])
    lines = []
    for number, link in enumerate(current.fabric.links):
        # The kernel reports a carrier loss immediately only if the two ends have different indices, otherwise after up to 1 s.
        lines.append(_veth(current.nodes[link.switch].namespace, f"{link.port} index {FIRST_INDEX + 2 * number}",
                           current.nodes[link.peer_switch].namespace, f"{link.peer_port} index {FIRST_INDEX + 2 * number + 1}"))
    for host in current.hosts:
        lines.append(_veth(current.nodes[host.switch].namespace, host.port, host.namespace, hosts.HOST_INTERFACE))
    for node in current.machines():
        lines.append(_veth(node.namespace, CONTROL_INTERFACE, control.NAMESPACE, node.control_port))
    netns.ip_batch(lines)
    with netns.inside(control.NAMESPACE):
        ports = [node.control_port for node in current.machines()]
        netns.ip_batch([f"link set {port} master {control.BRIDGE} up" for port in ports])
        netns.offloads_off(ports)
    for namespace in current.namespaces():
        _prepare(namespace, current)
    for host in current.hosts:
        behind = [e for e in current.fabric.endpoints if (e.switch, e.port) == (host.switch, host.port)]
        hosts.set_up_fixed_host(host.namespace, behind[0].mac, [e.address for e in behind], current.mtu)


def _veth(namespace, name, peer_namespace, peer_name):
    return f"link add {name} netns {namespace} type veth peer name {peer_name} netns {peer_namespace}"


def _prepare(namespace, current):
    """Disable IPv6 but for hosts that have it, reverse path filter and offloads; set MTU and control address; bring interfaces up."""
    address = next((n.control_address for n in current.nodes.values() if n.namespace == namespace), None)
    with netns.inside(namespace), netlink.Netlink(namespace) as link:
        netns.quiet()
        interfaces = link.links()
        netns.offloads_off([name for name in interfaces if name != "lo"])
        for name, interface in interfaces.items():
            mtu = current.mtu if name not in ("lo", CONTROL_INTERFACE) and interface.mtu != current.mtu else None
            link.set_link(interface.index, flags=IFF_UP, mask=IFF_UP, mtu=mtu)
        if address:
            link.add_address(interfaces[CONTROL_INTERFACE].index, address, 16)


def _start_all(current):
    """Start every process of the fabric that does not run."""
    hosts.start(current.name)

    def start(node):
        ovs.start_database(node, current.managers)
        ovs.start_daemon(node)

    pool = ThreadPoolExecutor(WORKERS)
    try:
        for number, _ in enumerate(pool.map(start, current.machines()), 1):
            if number % 50 == 0:
                _say(f"{current.name}: {number} of {len(current.machines())} nodes started")
    finally:
        pool.shutdown(cancel_futures=True)  # when interrupted, start no more


def _down(current):
    started = time.monotonic()
    current.save(complete=False)
    hosts.stop(current.name)
    delay.stop(current.name)
    recorded = [pid for node in current.machines() for pid in (ovs.daemon_pid(node), ovs.database_pid(node)) if pid]
    processes.end(recorded, str(current.folder))
    logs.keep_if_asked(current)
    _end_left_over(current)
    if netns.exists(control.NAMESPACE):  # in one batch: the kernel is slow to empty a deleted namespace
        with netns.inside(control.NAMESPACE):
            netns.ip_batch([f"link del {node.control_port}" for node in current.machines()], force=True)
    netns.ip_batch([f"netns del {n}" for n in current.namespaces() if netns.exists(n)], force=True)
    left = [n for n in current.namespaces() if netns.exists(n)]
    if left:
        raise LabError(f"fabric {current.name}: namespace {left[0]} cannot be removed: is it mounted elsewhere?")
    state.forget(current.name)
    _say(f"{current.name}: down ({time.monotonic() - started:.1f} s)")


def _end_left_over(current):
    """Processes in our own namespaces: started by `exec`, or by an `up` that was interrupted before their pid was written."""
    for _ in range(100):
        left = [pid for pid in netns.processes_in(current.namespaces()) if pid != os.getpid()]
        if not left:
            return
        for pid in left:
            processes.send(pid, signal.SIGKILL)
        time.sleep(0.02)


def _check_datapath(fabric):
    for switch in fabric.switches.values():
        if switch.datapath_type == "system" and not os.path.exists("/sys/module/openvswitch"):
            raise LabError(f"fabric {fabric.name}: switch {switch.name}: datapath-type system needs the kernel module "
                           "openvswitch, which is not loaded: use netdev")


def _say(text):
    print(text, file=sys.stderr, flush=True)
