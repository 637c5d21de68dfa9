"""Traces a packet through the real switches with `ofproto/trace`."""
import re
from socket import AF_INET6

from . import netlink, ovs
from .errors import LabError
from .fabric import LOCAL
from .netlink import IFF_RUNNING

MAX_HOPS = 32
_PORT = re.compile(r"^\s+(\S+) (\d+)/(\d+|none): \((\S+?)[):]", re.MULTILINE)
_RULE = re.compile(r"^\s*(\d+)\. (.+)$", re.MULTILINE)
_GROUP = re.compile(r"^\s+group:(\d+)", re.MULTILINE)
_ACTIONS = re.compile(r"^Datapath actions: (.+)$", re.MULTILINE)
_ETH_DST = re.compile(r"eth\([^)]*dst=([0-9a-f:]{17})")


def trace(state, source, destination):
    """The hops from one ROS or DCM to another, and how the path ends.

    result: delivered, wrong-mac, dropped, link-down, several-outputs, unknown-port, wrong-port, loop, too-long,
    no-answer
    """
    ends = [state.fabric.endpoint(name) for name in (source, destination)]
    for name, end in zip((source, destination), ends):
        if end is None:
            raise LabError(f"no ROS or DCM {name} in fabric {state.name}")
    return _Walk(state, *ends).run()


class _Walk:
    def __init__(self, state, source, destination):
        self._state, self._source, self._destination = state, source, destination
        self._peers = state.fabric.peers()
        self._hops = []
        self._eth_dst = None

    def run(self):
        switch = self._source.switch
        in_port = self._device(switch, self._source.port)
        self._eth_dst = self._mac(self._source)
        seen = set()
        while True:
            if (switch, in_port) in seen:
                return self._end("loop", f"{switch}:{in_port} is reached a second time")
            if len(self._hops) == MAX_HOPS:
                return self._end("too-long", f"more than {MAX_HOPS} hops")
            seen.add((switch, in_port))
            try:
                outputs, ports = self._hop(switch, in_port)
            except LabError as error:
                return self._end("no-answer", str(error))
            if len(outputs) != 1:
                return self._end("several-outputs" if outputs else "dropped",
                                 f"{switch} sends it to {', '.join(outputs) or 'no port'}")
            out = outputs[0]
            peer = self._peers.get((switch, out))
            if out == self._device(self._destination.switch, self._destination.port) and switch == self._destination.switch:
                return self._arrive()
            if peer:
                if not self._is_up(switch, out):
                    return self._end("link-down", f"the link at {switch}:{out} is down")
                switch, in_port = peer
            elif out == self._state.nodes[switch].switch.bridge or out in {h.port for h in self._state.hosts if h.switch == switch}:
                return self._end("wrong-port", f"delivered at {switch}:{out}, where {self._destination.name} is not")
            elif out in ports and ports[out] != "system":
                in_port = out  # a daqring: what goes in comes out on the same switch
            else:
                return self._end("unknown-port", f"{switch}:{out} has no declared link")

    def _hop(self, switch, in_port):
        """Ask one switch; returns the names of the output ports and all ports with their type."""
        node = self._state.nodes[switch]
        ports = ports_of(ovs.appctl(node, "dpif/show"))
        numbers = {name: openflow for name, openflow, _, _ in ports}
        if in_port not in numbers:
            raise LabError(f"{switch} has no port {in_port} in its bridge")
        kind = "icmp6,ipv6_src={0},ipv6_dst={1},icmpv6_type=128,icmpv6_code=0" if self._source.family == AF_INET6 else \
            "icmp,nw_src={0},nw_dst={1},icmp_type=8,icmp_code=0"
        packet = (kind.format(self._source.address, self._destination.address)
                  + f",in_port={numbers[in_port]},dl_src=02:00:00:00:00:01,dl_dst={self._eth_dst},nw_ttl=64")
        answer = parse(ovs.appctl(node, "ofproto/trace", node.switch.bridge, packet))
        datapath = {number: name for name, _, number, _ in ports}
        outputs = [in_port if o == "in_port" else datapath.get(o, f"port {o}") for o in answer["outputs"]]
        if answer["eth-dst"]:
            self._eth_dst = answer["eth-dst"]
        self._hops.append({"switch": switch, "role": node.switch.role, "in-port": self._shown(switch, in_port), "rules": answer["rules"],
                           "groups": answer["groups"], "out-ports": [self._shown(switch, o) for o in outputs],
                           "actions": answer["actions"]})
        return outputs, {name: kind for name, _, _, kind in ports}

    def _arrive(self):
        expected = self._mac(self._destination)
        if self._eth_dst != expected:
            return self._end("wrong-mac", f"arrives with destination MAC {self._eth_dst}, {self._destination.name} has {expected}")
        return self._end("delivered", None)

    def _end(self, result, detail):
        path = []
        for hop in self._hops:
            if not path or path[-1] != hop["switch"]:
                path.append(hop["switch"])
        return {"fabric": self._state.name, "source": self._source.name, "destination": self._destination.name,
                "result": result, "detail": detail, "path": path, "hops": self._hops}

    def _device(self, switch, port):
        return self._state.nodes[switch].switch.bridge if port == LOCAL else port

    def _shown(self, switch, port):
        return LOCAL if port == self._state.nodes[switch].switch.bridge else port

    def _mac(self, endpoint):
        """Of the DCM's own interface, or of the device of the LOCAL port."""
        if endpoint.port != LOCAL:
            return endpoint.mac
        interface = self._interface(endpoint.switch, self._device(endpoint.switch, LOCAL))
        return interface.mac if interface else "00:00:00:00:00:00"

    def _is_up(self, switch, port):
        interface = self._interface(switch, port)
        return bool(interface and interface.flags & IFF_RUNNING)

    def _interface(self, switch, name):
        with netlink.Netlink(self._state.nodes[switch].namespace) as link:
            return link.links().get(name)


def ports_of(text):
    """(name, OpenFlow number, number in the datapath, type) of each port, from what `dpif/show` says."""
    return _PORT.findall(text)


def parse(text):
    """What `ofproto/trace` says: rules and groups met, datapath actions, output port numbers of the datapath."""
    actions = _ACTIONS.findall(text)
    if not actions:
        raise LabError(f"ofproto/trace says: {text.strip().splitlines()[-1] if text.strip() else 'nothing'}")
    parts = split_actions(actions[-1])
    rewritten = [m for part in parts if part.startswith("set(") for m in _ETH_DST.findall(part)]
    return {
        "rules": [{"table": int(table), "rule": rule} for table, rule in _RULE.findall(text)],
        "groups": [int(number) for number in _GROUP.findall(text)],
        "actions": actions[-1],
        "outputs": [part for part in parts if part.isdigit() or part == "in_port"],
        "eth-dst": rewritten[-1] if rewritten else None,
    }


def split_actions(text):
    """At the commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append(text[start:at])
            start = at + 1
    return parts + [text[start:]]


def text(result):
    """For people, one line per hop."""
    lines = [f"{result['source']} -> {result['destination']}: {result['result']}"
             + (f": {result['detail']}" if result["detail"] else "")]
    for number, hop in enumerate(result["hops"], 1):
        groups = f" group {','.join(map(str, hop['groups']))}" if hop["groups"] else ""
        rule = hop["rules"][-1]["rule"] if hop["rules"] else "no rule"
        lines.append(f"  {number}. {hop['switch']}: {hop['in-port']} -> {', '.join(hop['out-ports']) or 'drop'}{groups}  [{rule}]")
    return "\n".join(lines)
