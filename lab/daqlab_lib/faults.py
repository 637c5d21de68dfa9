"""Failures on purpose: links, switch daemons, the control network."""
import time

from . import control, netlink, netns, ovs, state
from .errors import LabError
from .netlink import IFF_UP


def set_link(switch, port, is_up, fabric=None):
    """Cut or restore the link at a port; both ends lose or regain carrier."""
    current, node = state.find_node(switch, fabric)
    known = set(current.fabric.peers()) | {(h.switch, h.port) for h in current.hosts}
    if (switch, port) not in known:
        ports = ", ".join(sorted(p for s, p in known if s == switch))
        raise LabError(f"{switch} has no port {port}: its ports are {ports}")
    _set_interface(node.namespace, port, is_up)
    peer = current.fabric.peers().get((switch, port))
    if is_up and peer:  # the link may have been cut from the other end
        _set_interface(current.nodes[peer[0]].namespace, peer[1], True)


def flap(switch, port, times, interval, fabric=None):
    """Cut and restore, seconds apart; the link is up afterwards even when interrupted."""
    try:
        for _ in range(times):
            set_link(switch, port, False, fabric)
            time.sleep(interval)
            set_link(switch, port, True, fabric)
            time.sleep(interval)
    finally:
        set_link(switch, port, True, fabric)


def kill(switch, fabric=None):
    _, node = state.find_node(switch, fabric)
    with state.lock():
        ovs.kill_daemon(node)


def restart(switch, empty=False, fabric=None):
    current, node = state.find_node(switch, fabric)
    with state.lock():
        ovs.restart(node, current.managers, empty)


def freeze(switch, frozen, fabric=None):
    ovs.freeze(state.find_node(switch, fabric)[1], frozen)


def set_control(switch, is_up, fabric=None):
    """Cut or restore the node's link to the control network."""
    _, node = state.find_node(switch, fabric)
    _set_interface(control.NAMESPACE, node.control_port, is_up)


def _set_interface(namespace, name, is_up):
    with netlink.Netlink(namespace) as link:
        interface = link.links().get(name)
        if interface is None:
            raise LabError(f"interface {name} is gone from {namespace}: run `daqlab down` and `up` again")
        link.set_link(interface.index, flags=IFF_UP if is_up else 0, mask=IFF_UP)


def command_in(name, command, fabric=None):
    """(argv, environment) of a command in the namespace of a switch, ROS or DCM, with the ovs tools set to its instance."""
    _, namespace, node = state.find_namespace(name, fabric)
    if not netns.exists(namespace):
        raise LabError(f"namespace {namespace} is gone: run `daqlab down` and `up` again")
    return ["ip", "netns", "exec", namespace, *command], ovs.environment(node)


def dump(switch, fabric=None):
    """Rules and groups of a switch, as ovs-ofctl prints them."""
    _, node = state.find_node(switch, fabric)
    rules = ovs.ofctl(node, "dump-flows", "--no-stats")
    groups = ovs.ofctl(node, "dump-groups")
    return f"rules of {switch}:\n{rules}groups of {switch}:\n{groups}"
