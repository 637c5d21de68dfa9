"""What the simulated network consists of, as lines for the program of `model/` (main.cc says what they mean)."""
from dataclasses import dataclass, field, replace

ROS_HEADER = 12  # bytes of a response (equation (A.10))


@dataclass(frozen=True)
class Ring:
    """The discipline of a daqring."""
    size: int            # packets
    burst: int           # packets
    interval: int        # us; 0: no limit
    credit: int = 2000   # us

    def packets_per_second(self):
        return self.burst * 1e6 / self.interval


@dataclass(frozen=True)
class Bus:
    """Between the network cards and the memory of an edge host, for all of its ports together."""
    gbps: float
    buffer: int         # packets that the card of a port holds
    pause: float = 0    # us in which it takes nothing
    every: float = 0    # ms from one pause to the next, on average; 0: no pauses


@dataclass(frozen=True)
class Model:
    """What fabric and paths do not say."""
    fragment: int              # bytes of one ROS and event
    until: float               # ms
    start: float               # ms, from which on is counted
    spread: float = 5.0        # ms, within which connections are made, and then within which DCMs begin
    buffer: int = 8 * 4096     # packets at a port: each of the thesis's 8 cores has a queue there, as long as the card allows (5.5.4)
    buffers: dict = field(default_factory=dict)  # kind of port -> packets, where another number
    delay: float = 5.0         # us that a link and the switch at its end take
    bus: Bus | None = None
    window: int = 0            # segments, the same always; 0: cubic
    sack: bool = True
    credits: int = 0           # fragments that a DCM has requested and not received; 0: all
    service: float = 2.0       # us that a ROS takes for a request, at most
    ring: Ring | None = None   # of all daqrings instead of what the fabric file says
    rings: bool = True         # whether there are any
    everywhere: bool = False   # daqrings also at the leaves of the ROS, which the controller does not set up
    applications: int = 1      # of each ROS, all of which a DCM collects from
    apart: bool = False        # the n-th rack and the n-th ROS are one host, whose DCMs collect from the others
    spine: str = ""            # only the DCMs that the leaves of other pods reach by this spine; all if empty
    lossless: bool = False     # hosts without ns-3's TCP, which put the same packets on the network as long as none is lost
    seed: int = 1

    def seeded(self, seed):
        return replace(self, seed=seed)


def write(fabric, case, model):
    """The lines. fabric: daqlab_lib.fabric.Fabric; case: paths.Case."""
    return _Writer(fabric, case, model).lines()


class _Writer:
    def __init__(self, fabric, case, model):
        self._fabric, self._case, self._model = fabric, case, model
        self._lines = [f"set {name} {value}" for name, value in _parameters(model).items()]
        self._switches = {name: number for number, name in enumerate(fabric.switches)}
        self._ports, self._rings = {}, {}
        self._cards = {}   # edge switch -> its cards, which take what comes by its links
        self._inside = {}  # edge switch -> switch behind its bus
        self._count = len(self._switches)
        self._hosts = {}   # address -> numbers of its hosts
        self._dcms = [each for each in fabric.of_kind("dcm") if not model.spine or self._passes(each.address)]

    def lines(self):
        self._lines += ["switch"] * self._count
        for link, gbps in _rates(self._fabric):
            self._port(link.switch, link.port, link.peer_switch, gbps)
            self._port(link.peer_switch, link.peer_port, link.switch, gbps)
        self._buses()
        self._endpoints()
        self._ways()
        self._traffic()
        return self._lines

    def _passes(self, address):
        """Whether packets to an address pass the spine."""
        return address in self._case.next.get(self._model.spine, {})

    def _port(self, switch, port, peer, gbps):
        roles = [self._fabric.switches[name].role.removeprefix("hlt-") for name in (switch, peer)]
        kind = "-".join(roles)
        waits = roles[0] in ("ros", "rack")  # what does not fit waits in the host
        buffer = 0 if waits else self._model.buffers.get(kind, self._model.buffer)
        to = self._switches[peer]
        if self._model.bus and roles[1] in ("ros", "rack"):
            to = self._switch()
            self._cards.setdefault(peer, []).append(to)
        self._ports[switch, port] = len(self._ports)
        self._lines.append(f"port {self._switches[switch]} {to} {gbps:g} {self._model.delay * 1e3:.0f} {buffer} {switch}:{port} {kind}")

    def _switch(self):
        self._lines.append("switch")
        self._count += 1
        return self._count - 1

    def _buses(self):
        bus = self._model.bus
        for edge, cards in self._cards.items():
            inside = self._inside[edge] = self._switch()
            for card in cards:
                self._ports[card, "in"] = len(self._ports)
                self._lines.append(f"port {card} {inside} {bus.gbps:g} 1000 {bus.buffer} {edge}:bus-in bus-in")
            ports = " ".join(str(self._ports[card, "in"]) for card in cards)
            self._lines.append(f"bus {bus.gbps} {bus.pause * 1e3:.0f} {bus.every * 1e6:.0f} {ports}")
            self._ports[edge, "out"] = len(self._ports)
            self._lines.append(f"port {inside} {self._switches[edge]} {bus.gbps:g} 1000 0 {edge}:bus-out bus-out")

    def _endpoints(self):
        number = 0
        for each in [*self._fabric.of_kind("ros"), *self._dcms]:
            count = self._model.applications if each.kind == "ros" else 1
            self._hosts[each.address] = range(number, number + count)
            number += count
            self._lines += [f"host {self._inside.get(each.switch, self._switches[each.switch])}"] * count

    def _ways(self):
        for switch, ways in self._case.next.items():
            for address, (port, ring) in ways.items():
                for host in self._hosts.get(address, ()):
                    self._next(self._switches[switch], host, self._ports[switch, port],
                               self._ring(switch, port, address) if self._has_ring(switch, address, ring) else -1)
        edges = {each.address: each.switch for each in self._fabric.endpoints}
        for address, hosts in self._hosts.items():
            for card in self._cards.get(edges[address], ()):
                for host in hosts:
                    self._next(card, host, self._ports[card, "in"], -1)
        for edge, inside in self._inside.items():
            for address, hosts in self._hosts.items():
                if edges[address] != edge:
                    for host in hosts:
                        self._next(inside, host, self._ports[edge, "out"], -1)

    def _has_ring(self, switch, address, ring):
        more = self._model.everywhere and self._fabric.switches[switch].role == "leaf" and address in self._case.rings
        return self._model.rings and (ring or more)

    def _next(self, switch, host, port, ring):
        self._lines.append(f"next {switch} {host} {port} {ring}")

    def _ring(self, switch, port, address):
        key = switch, address
        if key not in self._rings:
            ring = self._model.ring or self._case.rings[address]
            self._rings[key] = len(self._rings)
            self._lines.append(f"ring {self._ports[switch, port]} {ring.size} {ring.burst} {ring.interval * 1000} {ring.credit * 1000}")
        return self._rings[key]

    def _traffic(self):
        ros = self._fabric.of_kind("ros")
        self._lines += [f"ros {host}" for each in ros for host in self._hosts[each.address]]
        racks = list(dict.fromkeys(each.switch for each in self._fabric.of_kind("dcm")))
        for dcm in self._dcms:
            own = ros[racks.index(dcm.switch)] if self._model.apart else None
            sources = [host for each in ros if each is not own for host in self._hosts[each.address]]
            self._lines.append(" ".join(map(str, ["dcm", *self._hosts[dcm.address], *sources])))


def _parameters(model):
    return {"fragment": model.fragment + ROS_HEADER, "until-ms": model.until, "from-ms": model.start, "spread-ms": model.spread,
            "window": model.window, "sack": int(model.sack), "credits": model.credits, "service-ns": model.service * 1e3,
            "seed": model.seed, "lossless": int(model.lossless)}


def _rates(fabric):
    """(link, Gbps) of all links."""
    usual = float(fabric.raw.get("link-capacity", 10))
    own = {(item["switch"], item["port"]): float(item.get("capacity", usual)) for item in fabric.raw.get("link", [])}
    return [(link, own[link.switch, link.port]) for link in fabric.links]
