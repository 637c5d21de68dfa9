"""What the lab has made, recorded under /run/daqlab before it is made."""
import contextlib
import fcntl
import json
import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from . import fabric as fabric_file
from .errors import LabError

RUN = Path("/run/daqlab")
FABRICS = RUN / "fabrics"
SHARED = RUN / "shared.json"  # what all fabrics share: control network, sysctls
LOCK_WAIT = 60  # seconds


@dataclass(frozen=True)
class Node:
    """One switch with its namespace and its Open vSwitch, which it may share with others of the fabric."""
    fabric: str
    switch: fabric_file.Switch
    home: str  # the first switch with its system-id
    bridges: tuple[str, ...]  # of all switches with its system-id
    namespace: str
    control_address: str
    vswitchd: str  # the switch daemon to run

    @property
    def rundir(self):
        return FABRICS / self.fabric / self.home

    @property
    def control_port(self):
        """The node's port on the control bridge."""
        return "c" + ".".join(self.control_address.split(".")[2:])


@dataclass(frozen=True)
class Host:
    """The namespace of DCMs that have a port of their own."""
    switch: str
    port: str
    namespace: str


@dataclass(frozen=True)
class State:
    fabric: fabric_file.Fabric
    nodes: dict[str, Node]
    hosts: list[Host]
    managers: list[str]
    mtu: int  # bytes
    vswitchd: str
    complete: bool

    @property
    def name(self):
        return self.fabric.name

    @property
    def folder(self):
        return FABRICS / self.name

    def machines(self):
        """The nodes, each once, however many switches it runs."""
        return [node for name, node in self.nodes.items() if node.home == name]

    def namespaces(self):
        return [n.namespace for n in self.machines()] + [h.namespace for h in self.hosts]

    def namespace_of(self, endpoint):
        """Where the address of a ROS or DCM lives."""
        if endpoint.port == fabric_file.LOCAL:
            return self.nodes[endpoint.switch].namespace
        return host_namespace(self.name, endpoint.switch, endpoint.port)

    def save(self, complete):
        write_json(self.folder / "fabric.json", self.fabric.payload())
        write_json(self.folder / "state.json", {
            "complete": complete,
            "managers": self.managers,
            "mtu": self.mtu,
            "vswitchd": self.vswitchd,
            "control-address": {name: node.control_address for name, node in self.nodes.items()},
        })


def plan(fabric, control_addresses, managers, mtu, vswitchd, complete=False):
    """The state of a fabric; all names follow from the fabric file."""
    together = {}  # switches by system-id
    for switch in fabric.switches.values():
        together.setdefault(switch.system_id, []).append(switch)
    nodes = {}
    for name, switch in fabric.switches.items():
        home = together[switch.system_id][0].name
        bridges = tuple(s.bridge for s in together[switch.system_id])
        nodes[name] = Node(fabric.name, switch, home, bridges, f"dq-{fabric.name}.{home}", control_addresses[home], vswitchd)
    ports = dict.fromkeys((e.switch, e.port) for e in fabric.endpoints if e.port != fabric_file.LOCAL)
    hosts = [Host(switch, port, host_namespace(fabric.name, switch, port)) for switch, port in ports]
    return State(fabric, nodes, hosts, managers, mtu, vswitchd, complete)


def host_namespace(fabric, switch, port):
    return f"dq-{fabric}.{switch}+{port}"


def names():
    """Fabrics that are up, or were left half made."""
    return sorted(p.parent.name for p in FABRICS.glob("*/state.json"))


def load(name):
    folder = FABRICS / name
    if not (folder / "state.json").exists():
        up = ", ".join(names()) or "none"
        raise LabError(f"fabric {name} is not up (up: {up}): run `daqlab up FILE`")
    record = json.loads((folder / "state.json").read_text())
    fabric = fabric_file.parse(json.loads((folder / "fabric.json").read_text()))[0]
    return plan(fabric, record["control-address"], record["managers"], record["mtu"],
                record.get("vswitchd", "ovs-vswitchd"), record["complete"])


def load_up(name=None):
    """The named fabric, or all; they must be wholly up."""
    states = [load(n) for n in ([name] if name else names())]
    if not states:
        raise LabError("no fabric is up: run `daqlab up FILE`")
    for state in states:
        if not state.complete:
            raise LabError(f"fabric {state.name} is only half up: run `daqlab up FILE` again, or `daqlab down {state.name}`")
    return states


def find_node(switch, fabric=None):
    """(state, node) of a switch; ambiguous names need the fabric."""
    found = [s for s in load_up(fabric) if switch in s.nodes]
    if not found:
        raise LabError(f"no switch {switch} in {fabric or 'any fabric that is up'}: see `daqlab status`")
    _one(found, switch)
    return found[0], found[0].nodes[switch]


def find_namespace(name, fabric=None):
    """(state, namespace, node) of a switch, ROS, DCM or host (SWITCH+PORT)."""
    found = []
    for state in load_up(fabric):
        endpoint = state.fabric.endpoint(name)
        if name in state.nodes:
            found.append((state, state.nodes[name].namespace, state.nodes[name]))
        elif endpoint:
            found.append((state, state.namespace_of(endpoint), state.nodes[endpoint.switch]))
        else:
            found += [(state, h.namespace, state.nodes[h.switch]) for h in state.hosts if f"{h.switch}+{h.port}" == name]
    if not found:
        raise LabError(f"no switch, ROS or DCM {name} in {fabric or 'any fabric that is up'}: see `daqlab status`")
    _one([s for s, _, _ in found], name)
    return found[0]


def _one(states, name):
    if len(states) > 1:
        raise LabError(f"{name} is in fabrics {', '.join(s.name for s in states)}: add --fabric NAME")


def forget(name):
    """Remove the record of a fabric that is gone."""
    shutil.rmtree(FABRICS / name, ignore_errors=True)


def shared():
    """The record of what all fabrics share, or None."""
    return json.loads(SHARED.read_text()) if SHARED.exists() else None


def write_json(path, value):
    """Whole or not at all, so that an interrupted command leaves a readable record."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.write_text(json.dumps(value, indent=2) + "\n")
    new.replace(path)


@contextlib.contextmanager
def lock():
    """One command that makes or removes things at a time."""
    RUN.mkdir(parents=True, exist_ok=True)
    with open(RUN / "lock", "a+", encoding="ascii") as file:
        deadline = time.monotonic() + LOCK_WAIT
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    file.seek(0)
                    raise LabError(f"another daqlab command (process {file.read().strip()}) "
                                   f"has been busy for {LOCK_WAIT} s: wait for it or stop it") from None
                time.sleep(0.05)
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield
