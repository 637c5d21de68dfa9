"""What the controller thinks of an inventory, at the rows that it is about."""
import dataclasses
from typing import Any

from .controller import Refused, steps
from .model import Host, Inventory, Port
from .problems import Finding, Place

COLUMNS = {"fragment-weight": "weight", "id": "name", "port": "a-port", "peer-port": "b-port", "peer-switch": "b"}
UNKNOWN = "there is no fabric"  # begins what rpc plan says of a fabric that is not configured


def refusals(refused: Refused, inventory: Inventory, where: Place) -> list[Finding]:
    """The controller's problems, each at its row; where: the place of those that are about no row."""
    return [Finding(place(path, inventory) or where, message, error=not (path == "/input/fabric" and message.startswith(UNKNOWN)))
            for path, message in refused.problems]


def place(path: str, inventory: Inventory) -> Place | None:
    """The row and column that a node of the configuration comes from; None if from no single row."""
    nodes = steps(path)
    keys = {node: values for node, values in nodes if values}
    leaf = nodes[-1][0] if nodes and not nodes[-1][1] else ""
    if "link" in keys:
        return _cable(keys["link"], leaf, inventory)
    host = _host(keys, inventory)
    if host is None:
        return None
    column = COLUMNS.get(leaf, leaf)
    return host.row.at(column, "name") if column in host.row.cells else dataclasses.replace(host.row.at("name"), column=column or "name")


def _cable(end: list[str], leaf: str, inventory: Inventory) -> Place | None:
    names = {switch: host.name for switch, host in inventory.switches().items()}
    port = Port(names.get(end[0], end[0]), end[-1])
    for cable in inventory.cables:
        if port in cable.ends:
            near, far = ("a", "b") if cable.a == port else ("b", "a")
            column = {"port": f"{near}-port", "peer-port": f"{far}-port", "peer-switch": far, "capacity": "capacity"}.get(leaf, near)
            return cable.row.at(column)
    return None


def _host(keys: dict[str, list[str]], inventory: Inventory) -> Host | None:
    """The host that the innermost list entry is about."""
    def first(**fields: Any) -> Host | None:
        return next((host for host in inventory.hosts if all(getattr(host, name) == value for name, value in fields.items())), None)

    if "dcm" in keys:
        return first(role="dcm", name=keys["dcm"][0])
    if "hlt-rack" in keys:
        return first(role="rack", name=keys["hlt-rack"][0])
    if "ros" in keys:
        return first(role="ros", name=keys["ros"][0])
    if "switch" in keys:
        return inventory.switches().get(keys["switch"][0])
    if "spine" in keys:
        return first(role="spine", plane=int(keys["plane"][0]), spine=int(keys["spine"][0]))
    if "leaf" in keys:
        return first(role="leaf", plane=int(keys["plane"][0]), pod=int(keys["leaf"][0]))
    if "plane" in keys:
        return first(plane=int(keys["plane"][0]))
    return first(pod=int(keys["pod"][0])) if "pod" in keys else None


def effect(answer: dict[str, Any], inventory: Inventory) -> tuple[str, list[Finding]]:
    """What a change to the inventory would do, in words, and the DCMs that lose ROS by it."""
    bridges = [f"{entry['name']} ({entry['bridge']})" for entry in answer.get("switch", ()) if "bridge" in entry]
    before, after = (float(answer.get(when, {}).get("bandwidth", 0)) for when in ("before", "after"))
    text = (f"{answer.get('messages', 0)} rules and groups to {len(answer.get('switch', ()))} switches, "
            f"{len(answer.get('moved-dcm', ()))} DCMs move, {before:g} Gbps before and {after:g} after"
            + (f"; bridges: {', '.join(bridges)}" if bridges else ""))
    names = {host.name: host for host in inventory.hosts if host.role == "dcm"}
    ros = sum(host.role == "ros" for host in inventory.hosts)
    lost = [(names[entry["dcm"]], entry["reachable-ros"]) for entry in answer.get("cut-off", ()) if entry["dcm"] in names]
    return text, [Finding(host.row.at("name"), f"only {reached} of {ros} ROS would reach dcm {host.name}", error=False)
                  for host, reached in lost]
