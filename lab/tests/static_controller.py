"""Plays the controller for a fabric of the lab: bridges, ports, rules and groups by ovs-vsctl and ovs-ofctl.

DCMs and ROS are spread over the spines round robin. Edge switches and leaves have fast-failover groups, spines
send straight to the leaf; nothing is repaired.
"""
import socket
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from daqlab_lib import ovs, state
from daqlab_lib.fabric import LOCAL
from daqlab_lib.ovs import vsctl


def program_all(fabric_name):
    current = state.load(fabric_name)
    for switch in current.nodes:
        make_bridge(current, switch)
    for switch in current.nodes:
        program(current, switch)


def make_bridge(current, switch):
    node = current.nodes[switch]
    bridge = node.switch.bridge
    command = ["--may-exist", "add-br", bridge, "--", "set", "bridge", bridge, "datapath_type=netdev", "fail_mode=secure",
               "protocols=OpenFlow13"]
    for port in ports(current, switch):
        command += ["--", "--may-exist", "add-port", bridge, port]
    vsctl(node, *command)


def program(current, switch):
    """Install all rules and groups of one switch; replaces existing ones."""
    node = current.nodes[switch]
    numbers = {port: vsctl(node, "get", "interface", port, "ofport").strip() for port in ports(current, switch)}
    rules, groups = contents(current, switch, numbers, vsctl(node, "get", "interface", node.switch.bridge, "mac_in_use").strip('"\n'))
    ovs.ofctl(node, "del-groups")
    ovs.ofctl(node, "del-flows")
    for group in groups:
        ovs.ofctl(node, "add-group", group)
    target = f"unix:{node.rundir}/{node.switch.bridge}.mgmt"
    subprocess.run(["ovs-ofctl", "-O", "OpenFlow13", "add-flows", target, "-"], input="\n".join(rules) + "\n", text=True, check=True)


def contents(current, switch, numbers, local_mac):
    """(rules, groups) of one switch; `numbers` are its ports' OpenFlow numbers."""
    fabric, raw = current.fabric, current.fabric.raw
    role = fabric.switches[switch].role
    leaf_switches = {(leaf["pod"], plane["id"]): leaf["switch"] for plane in raw["plane"] for leaf in plane["leaf"]}
    pod_of = {item["switch"]: pod["id"] for pod in raw["pod"] for item in pod["ros"] + pod["hlt-rack"]}
    to = {}
    for (near, port), (far, _) in fabric.peers().items():
        if near == switch:
            to.setdefault(far, numbers[port])
    rules, groups = [], []
    for index, end in enumerate(fabric.endpoints):
        match = f"priority=100,{'ipv6,ipv6_dst' if end.family == socket.AF_INET6 else 'ip,nw_dst'}={end.address}"
        if role in ("ros", "hlt-rack", "builder"):
            if end.switch == switch:
                out = "LOCAL" if end.port == LOCAL else numbers[end.port]
                rules.append(f"{match},actions=set_field:{local_mac if end.port == LOCAL else end.mac}->eth_dst,output:{out}")
                continue
            ports_in_order = rotate([to[leaf_switches[pod_of[switch], plane["id"]]] for plane in raw["plane"]], index)
        elif role == "leaf":
            if end.switch in to:
                rules.append(f"{match},actions=output:{to[end.switch]}")
                continue
            plane = next(p for p in raw["plane"] if any(leaf["switch"] == switch for leaf in p["leaf"]))
            ports_in_order = rotate([to[spine["switch"]] for spine in plane["spine"]], index)
        else:
            plane = next(p for p in raw["plane"] if any(s["switch"] == switch for s in p["spine"]))
            rules.append(f"{match},actions=output:{to[leaf_switches[pod_of[end.switch], plane['id']]]}")
            continue
        group = 1 + index % len(ports_in_order)
        buckets = "".join(f",bucket=watch_port:{port},output:{port}" for port in ports_in_order)
        if group == len(groups) + 1:
            groups.append(f"group_id={group},type=ff{buckets}")
        rules.append(f"{match},actions=group:{group}")
    return rules, groups


def rotate(ports_in_order, by):
    by %= len(ports_in_order)
    return ports_in_order[by:] + ports_in_order[:by]


def ports(current, switch):
    links = [port for near, port in current.fabric.peers() if near == switch]
    return sorted(links + [host.port for host in current.hosts if host.switch == switch])


if __name__ == "__main__":
    program_all(sys.argv[1])
