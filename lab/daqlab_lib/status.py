"""What every node is doing, asked from its own database and switch daemon."""
import re
from concurrent.futures import ThreadPoolExecutor

from . import hosts, netlink, ovs, processes
from .errors import LabError
from .netlink import IFF_RUNNING, IFF_UP

WORKERS = 8


def fabric_status(state):
    """One fabric, as it is printed by `status --json`."""
    with ThreadPoolExecutor(WORKERS) as pool:
        nodes = list(pool.map(node_status, state.nodes.values()))
    peers = state.fabric.peers()
    at = {node["switch"]: {port["name"]: port for port in node["ports"]} for node in nodes}
    links = []
    for link in state.fabric.links:
        ends = [at[link.switch].get(link.port), at[link.peer_switch].get(link.peer_port)]
        links.append({"switch": link.switch, "port": link.port, "peer-switch": link.peer_switch,
                      "peer-port": link.peer_port, "up": all(end and end["up"] for end in ends)})
    for node in nodes:
        for port in node["ports"]:
            peer = peers.get((node["switch"], port["name"]))
            if peer:
                port["peer-switch"], port["peer-port"] = peer
    return {"name": state.name, "complete": state.complete, "managers": state.managers,
            "hosts-daemon": hosts.pid(state.name) is not None,
            "healthy": hosts.pid(state.name) is not None and all(n["ovsdb-server"] == "running" == n["ovs-vswitchd"] for n in nodes),
            "nodes": nodes, "links": links}


def node_status(node):
    """One switch, as it is printed by `status --json`; counts are null without an answer."""
    result = {
        "switch": node.switch.name, "role": node.switch.role, "namespace": node.namespace,
        "control-address": node.control_address, "rundir": str(node.rundir),
        "ovsdb-server": _process(ovs.database_pid(node)), "ovs-vswitchd": _process(ovs.daemon_pid(node)),
        "bridge": False, "managers": [], "controllers": [], "rules": None, "groups": None, "ports": [],
    }
    if result["ovsdb-server"] == "running":
        _ask_database(node, result)
    result["manager-connected"] = any(m["connected"] for m in result["managers"])
    if result["ovs-vswitchd"] != "running":  # it cannot report that it lost them
        for controller in result["controllers"]:
            controller["connected"] = False
    result["controller-connected"] = any(c["connected"] for c in result["controllers"])
    _add_interfaces(node, result)
    if result["bridge"] and result["ovs-vswitchd"] == "running":
        try:
            result["rules"] = int(re.search(r"flow_count=(\d+)", ovs.ofctl(node, "dump-aggregate")).group(1))
            result["groups"] = ovs.ofctl(node, "dump-groups").count("group_id=")
        except LabError:
            pass  # the bridge is not made yet, or the daemon died just now: the counts stay unknown
    return result


def _process(pid):
    if pid is None:
        return "stopped"
    return "frozen" if processes.is_stopped(pid) else "running"


def _ask_database(node, result):
    try:
        bridges = [row["name"] for row in ovs.select(node, "Bridge", ["name"])]
        managers = ovs.select(node, "Manager", ["target", "is_connected"])
        controllers = ovs.select(node, "Controller", ["target", "is_connected"])
        interfaces = ovs.select(node, "Interface", ["name", "type", "ofport"])
    except OSError:
        return
    result["bridge"] = node.switch.bridge in bridges
    result["managers"] = [{"target": r["target"], "connected": r["is_connected"]} for r in managers]
    result["controllers"] = [{"target": r["target"], "connected": r["is_connected"]} for r in controllers]
    result["ports"] = [{"name": r["name"], "in-bridge": True, "type": r["type"] or "system",
                        "ofport": r["ofport"] if isinstance(r["ofport"], int) else None, "up": None} for r in interfaces]


def _add_interfaces(node, result):
    """Whether each interface of the namespace is up at both ends, in the bridge or not."""
    with netlink.Netlink(node.namespace) as link:
        present = link.links()
    known = {port["name"]: port for port in result["ports"]}
    for name, interface in sorted(present.items()):
        if name in ("lo", "dq-ctl", "ovs-netdev"):
            continue
        port = known.get(name)
        if port is None:
            port = {"name": name, "in-bridge": False, "type": "system", "ofport": None}
            result["ports"].append(port)
        port["up"] = interface.flags & (IFF_UP | IFF_RUNNING) == IFF_UP | IFF_RUNNING
    result["ports"].sort(key=lambda port: port["name"])


def text(status):
    """The same for people, one line per switch."""
    lines = [f"{status['name']}: {'up' if status['complete'] else 'HALF UP'}, "
             f"hosts daemon {'running' if status['hosts-daemon'] else 'STOPPED'}, manager {' '.join(status['managers'])}",
             f"  {'switch':<12} {'role':<9} {'ovsdb':<8} {'vswitchd':<8} {'bridge':<6} {'manager':<9} {'controller':<10} "
             f"{'rules':>6} {'groups':>6}  ports in bridge"]
    for node in status["nodes"]:
        ports = [p for p in node["ports"] if p["in-bridge"]]
        down = [p["name"] for p in node["ports"] if p["up"] is False and "peer-switch" in p]
        lines.append(
            f"  {node['switch']:<12} {node['role']:<9} {node['ovsdb-server']:<8} {node['ovs-vswitchd']:<8} "
            f"{'yes' if node['bridge'] else '-':<6} {'connected' if node['manager-connected'] else '-':<9} "
            f"{'connected' if node['controller-connected'] else '-':<10} {_count(node['rules']):>6} {_count(node['groups']):>6}  "
            f"{len(ports)}{', down: ' + ' '.join(down) if down else ''}")
    return "\n".join(lines)


def _count(value):
    return "-" if value is None else str(value)
