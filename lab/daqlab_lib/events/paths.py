"""The paths of event data through the switches, from the switches themselves.

Like `daqlab trace`, but for all ROS and DCMs at once: what a switch does depends on where a packet comes in and where it
goes, so each switch is asked once per input port and destination.
"""
from contextlib import ExitStack
from socket import AF_INET6

from .. import trace
from ..errors import LabError
from ..fabric import LOCAL, family_of
from ..unixctl import Unixctl

MAX_HOPS = trace.MAX_HOPS


def find(current, readouts, dcms):
    """(ROS, DCM) names -> [(switch, port) that it leaves by], of all pairs; LabError if one does not arrive."""
    with ExitStack() as stack:
        asked = {}
        switches = {name: stack.enter_context(_Switch(node)) for name, node in current.nodes.items()}
        peers = current.fabric.peers()
        return {(ros.name, dcm.name): _walk(switches, peers, ros, dcm, asked) for ros in readouts for dcm in dcms}


def _walk(switches, peers, ros, dcm, asked):
    if (ros.switch, ros.port) == (dcm.switch, dcm.port):
        return []  # one host
    switch, in_port, path = ros.switch, switches[ros.switch].device(LOCAL), []
    for _ in range(MAX_HOPS):
        key = switch, in_port, dcm.address
        if key not in asked:
            asked[key] = switches[switch].output(in_port, ros.address, dcm.address)
        out = asked[key]
        if switch == dcm.switch and out == switches[switch].device(dcm.port):
            return path
        path.append((switch, out))
        switch, in_port = peers.get((switch, out), (switch, out))  # what enters a daqring leaves it on the same switch
    raise LabError(f"no path from {ros.name} to {dcm.name}: see `daqlab trace {ros.name} {dcm.name}`")


class _Switch:
    """Where packets leave one switch."""

    def __init__(self, node):
        self._node, self._daemon = node, Unixctl(node)

    def __enter__(self):
        self._daemon.__enter__()
        ports = trace.ports_of(self._daemon.ask("dpif/show"))
        self._openflow = {name: openflow for name, openflow, _, _ in ports}
        self._names = {datapath: name for name, _, datapath, _ in ports}
        return self

    def __exit__(self, *_):
        self._daemon.__exit__()

    def device(self, port):
        return self._node.switch.bridge if port == LOCAL else port

    def output(self, in_port, source, destination):
        """The one port by which a TCP packet leaves."""
        if in_port not in self._openflow:
            raise LabError(f"{self._node.switch.name} has no port {in_port} in its bridge: is the fabric converged? (`daqlab ping`)")
        addresses = f"tcp6,ipv6_src={source},ipv6_dst={destination}" if family_of(source) == AF_INET6 else \
            f"tcp,nw_src={source},nw_dst={destination}"
        packet = f"{addresses},in_port={self._openflow[in_port]},dl_src=02:00:00:00:00:01,dl_dst=02:00:00:00:00:02,nw_ttl=64"
        outputs = trace.parse(self._daemon.ask("ofproto/trace", self._node.switch.bridge, packet))["outputs"]
        if len(outputs) != 1:
            raise LabError(f"{self._node.switch.name} has no path to {destination}: is the fabric converged? (`daqlab ping`)")
        return in_port if outputs[0] == "in_port" else self._names[outputs[0]]
