"""Hosts of the lab, set up by what the controller's rpc host-profile prints (docs/edge-hosts.md)."""
import re
import subprocess

from . import netns
from .errors import LabError
from .fabric import LOCAL
from .hosts import HOST_INTERFACE

NOT_VIRTUAL = ("ethtool", "for each in /sys/")  # for a network card, which a virtual interface is not, and for the machine


def apply(controller, current, fragment_size, cwnd=0):
    """Runs it on every host; returns the commands that were left out, as they are not for virtual hosts.

    fragment_size: bytes of event data that a ROS sends for an event. cwnd: segments, at which ROS lock their window.
    """
    left_out = set()
    for end in representatives(current):
        lines = script(controller, current, end, fragment_size, cwnd)
        left_out |= {" ".join(line.split()[:2]) for line in lines if line.startswith(NOT_VIRTUAL)}
        with netns.inside(current.namespace_of(end)):
            done = subprocess.run(["sh", "-e"], input="\n".join(line for line in lines if not line.startswith(NOT_VIRTUAL)) + "\n",
                                  text=True, capture_output=True, check=False)
        if done.returncode:
            raise LabError(f"{end.name}: the commands of rpc host-profile failed: {done.stderr.strip()}")
    return sorted(left_out)


def representatives(current):
    """A ROS or DCM of each host, and both of one that is both: those that share a host share its profile, but for their
    addresses, which they have already. All other hosts and ends of flows, which have routes of their own; other hosts come
    before the ROS and DCMs on their node, which keep what both say of a route."""
    fabric = current.fabric
    alone = set(fabric.of_kind("host"))
    alone.update(end for flow in fabric.raw.get("flow", []) for name in (flow["from"], flow["to"]) for end in fabric.named(name))
    return list({(current.namespace_of(end), end.kind, end.address if end in alone else None): end
                 for end in reversed(fabric.endpoints)}.values())


def script(controller, current, end, fragment_size, cwnd=0):
    """The commands for a ROS or DCM, and comments."""
    leaves = {"fabric": current.name, "host": end.name, "fragment-size": str(fragment_size), "mtu": str(current.mtu)}
    if end.port != LOCAL:
        leaves["interface"] = HOST_INTERFACE
    if cwnd and end in current.fabric.of_kind("ros"):
        leaves["cwnd"] = str(cwnd)
    return controller.rpc("daqfabric-planning", "host-profile", leaves)["script"].splitlines()


def route_options(lines):
    """What the routes of a script say to TCP: option -> value."""
    routes = [line.split() for line in lines if line.startswith("ip route replace")]
    words = " ".join(routes[0][routes[0].index("src") + 2:])
    return dict(re.findall(r"(\S+)(?: lock)? (\S+)", words))
