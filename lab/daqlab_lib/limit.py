"""What Open vSwitch itself needs to fail over: two switches with two links between them, one group, no controller.

No fabric can be quicker than that, and it depends on the machine and its load: failures are compared with it.
"""
import contextlib
import json
import time

from . import faults, lifecycle, ovs, probing, state
from .errors import LabError
from .fabric import LOCAL

NAME, NEAR, FAR = "limit", "limit-a", "limit-b"
ROS, DCMS = "limit-ros", ("limit-d1", "limit-d2", "limit-d3")
PORTS = ("one", "two")
READY = 20  # seconds
DOCUMENT = {"daqfabric:fabric": [{
    "name": NAME,
    "pod": [{"id": 1, "ros": [{"name": ROS, "address": "10.91.1.1", "switch": NEAR}],
             "hlt-rack": [{"name": FAR, "switch": FAR,
                           "dcm": [{"name": name, "address": f"10.92.1.{n}"} for n, name in enumerate(DCMS, 1)]}]}],
    "switch": [{"name": NEAR}, {"name": FAR}],
    "link": [{"switch": NEAR, "port": port, "peer-switch": FAR, "peer-port": port} for port in PORTS],
}]}


@contextlib.contextmanager
def running(folder):
    """The two switches, ready to be measured; taken away at the end."""
    file = folder / "limit.json"
    file.write_text(json.dumps(DOCUMENT, indent=2) + "\n")
    if NAME in state.names():
        lifecycle.down(NAME)
    try:
        lifecycle.up(str(file), "ptcp:6640")  # a manager that nobody connects to
        current = state.load(NAME)
        _program(current.nodes[NEAR], current)
        _program(current.nodes[FAR], current)
        _wait("packets to pass", lambda: _probed(lambda: None, 0).lost == 0)
        yield
    finally:
        if NAME in state.names():
            lifecycle.down(NAME)


def measure():
    """The outage when the port in use loses carrier."""
    try:
        return _probed(lambda: faults.set_link(FAR, PORTS[0], False, NAME), 0.5)
    finally:
        faults.set_link(FAR, PORTS[0], True, NAME)
        _wait("the link to be up again", _is_whole)


def _probed(fail, watched):
    return probing.failure(NAME, [(ROS, DCMS[0])], 2000, fail, watched)


def _program(node, current):
    bridge = node.switch.bridge
    command = ["add-br", bridge, "--", "set", "bridge", bridge, "datapath_type=netdev", "fail_mode=secure", "protocols=OpenFlow13"]
    for number, port in enumerate(PORTS, 1):
        command += ["--", "add-port", bridge, port, "--", "set", "interface", port, f"ofport_request={number}"]
    ovs.vsctl(node, *command)
    mac = ovs.vsctl(node, "get", "interface", bridge, "mac_in_use").strip('"\n')
    ovs.ofctl(node, "add-group", "group_id=1,type=ff,bucket=watch_port:1,output:1,bucket=watch_port:2,output:2")
    for end in current.fabric.endpoints:
        way = f"set_field:{mac}->eth_dst,output:{LOCAL}" if end.switch == node.switch.name else "group:1"
        ovs.ofctl(node, "add-flow", f"ip,nw_dst={end.address},actions={way}")


def _is_whole():
    current = state.load(NAME)
    return all(row["link_state"] == "up" for switch in (NEAR, FAR)
               for row in ovs.select(current.nodes[switch], "Interface", ["name", "link_state"]) if row["name"] in PORTS)


def _wait(what, condition):
    deadline = time.monotonic() + READY
    while not condition():
        if time.monotonic() > deadline:
            raise LabError(f"limit: waited {READY} s for {what}")
        time.sleep(0.02)  # between two looks
