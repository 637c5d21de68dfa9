"""What Open vSwitch itself needs to fail over: one group between two switches with two links, no controller.

They are part of a row of as many switches as a packet passes in the fabric, so that the machine is as busy: on two CPUs, the
kernel's delay in reporting a lost carrier depends on it. No fabric can be faster; failures are compared with this limit.
"""
import contextlib
import itertools
import json
import time

from . import faults, lifecycle, ovs, probing, state
from .errors import LabError
from .fabric import LOCAL

NAME, ROS, DCM = "limit", "limit-ros", "limit-dcm"
ROW = ("limit-1", "limit-2", "limit-3", "limit-4", "limit-5")  # switches, from ROS to DCM
NEAR = 1                        # the one that fails over, to the next
PORTS = ("one", "two")          # of the two links
BACK, ON = "back", "on"         # ports of the others, towards ROS and DCM
ADDRESSES = {ROS: "10.91.1.1", DCM: "10.92.1.1"}
READY = 20  # seconds


def _links():
    for here, (switch, peer) in enumerate(itertools.pairwise(ROW)):
        for port, peer_port in zip(PORTS, PORTS) if here == NEAR else ((ON, BACK),):
            yield {"switch": switch, "port": port, "peer-switch": peer, "peer-port": peer_port}


DOCUMENT = {"daqfabric:fabric": [{
    "name": NAME,
    "pod": [{"id": 1, "ros": [{"name": ROS, "address": ADDRESSES[ROS], "switch": ROW[0]}],
             "hlt-rack": [{"name": ROW[-1], "switch": ROW[-1], "dcm": [{"name": DCM, "address": ADDRESSES[DCM]}]}]}],
    "switch": [{"name": name} for name in ROW],
    "link": list(_links()),
}]}


@contextlib.contextmanager
def running(folder):
    """The switches, ready to be measured; removed at the end."""
    file = folder / "limit.json"
    file.write_text(json.dumps(DOCUMENT, indent=2) + "\n")
    if NAME in state.names():
        lifecycle.down(NAME)
    try:
        lifecycle.up(str(file), "ptcp:6640")  # a manager that nobody connects to
        current = state.load(NAME)
        for place in range(len(ROW)):
            _program(current, place)
        _wait("packets to pass", lambda: _probed(lambda: None, 0).lost == 0)
        yield
    finally:
        if NAME in state.names():
            lifecycle.down(NAME)


def measure():
    """The outage when the port in use loses carrier."""
    try:
        return _probed(lambda: faults.set_link(ROW[NEAR + 1], PORTS[0], False, NAME), 0.5)
    finally:
        faults.set_link(ROW[NEAR + 1], PORTS[0], True, NAME)
        _wait("the link to be up again", _is_whole)


def _probed(fail, watched):
    return probing.failure(NAME, [(ROS, DCM)], 2000, fail, watched)


def _program(current, place):
    node = current.nodes[ROW[place]]
    bridge = node.switch.bridge
    back = LOCAL if place == 0 else "group" if place == NEAR + 1 else BACK
    on = LOCAL if place == len(ROW) - 1 else "group" if place == NEAR else ON
    ports = [port for side in (back, on) for port in (PORTS if side == "group" else (side,)) if port != LOCAL]
    command = ["add-br", bridge, "--", "set", "bridge", bridge, "datapath_type=netdev", "fail_mode=secure", "protocols=OpenFlow13"]
    for number, port in enumerate(ports, 1):
        command += ["--", "add-port", bridge, port, "--", "set", "interface", port, f"ofport_request={number}"]
    ovs.vsctl(node, *command)
    mac = ovs.vsctl(node, "get", "interface", bridge, "mac_in_use").strip('"\n')
    actions = {LOCAL: f"set_field:{mac}->eth_dst,output:{LOCAL}", "group": "group:1"}
    if "group" in (back, on):
        buckets = "".join(f",bucket=watch_port:{n},output:{n}" for n in (ports.index(port) + 1 for port in PORTS))
        ovs.ofctl(node, "add-group", f"group_id=1,type=ff{buckets}")
    for address, side in ((ADDRESSES[ROS], back), (ADDRESSES[DCM], on)):
        ovs.ofctl(node, "add-flow", f"ip,nw_dst={address},actions={actions.get(side) or f'output:{ports.index(side) + 1}'}")


def _is_whole():
    current = state.load(NAME)
    return all(row["link_state"] == "up" for switch in ROW[NEAR:NEAR + 2]
               for row in ovs.select(current.nodes[switch], "Interface", ["name", "link_state"]) if row["name"] in PORTS)


def _wait(what, condition):
    deadline = time.monotonic() + READY
    while not condition():
        if time.monotonic() > deadline:
            raise LabError(f"limit: waited {READY} s for {what}")
        time.sleep(0.02)  # polling interval
