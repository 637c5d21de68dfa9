"""The parameters of a run, checked before anything starts."""
from dataclasses import dataclass

from .. import netns
from ..errors import LabError
from . import wire

CONGESTION = ("cubic", "reno", "bbr", "dctcp")
AVAILABLE = "net.ipv4.tcp_available_congestion_control"
MAX_RESPONSE = 16 << 20  # bytes
MAX_DURATION = 3600      # seconds


@dataclass(frozen=True)
class Load:
    fragments: int = 1          # per ROS and event
    size: int = 4000            # bytes of a fragment; what a slow link carries in a time short beside TCP's 200 ms
    credits: int = 0            # fragments a DCM may have asked for and not received; 0: no limit
    congestion: str = "cubic"   # TCP congestion control, at both ends
    window: int = 0             # segments in flight per connection, by the window that the DCM advertises; 0: as TCP decides
    cwnd: int = 0               # the same by the congestion window that the ROS locks; 0: as TCP decides
    gwnd: int = 0               # segments in flight to a DCM, a window that its connections share; 0: as TCP decides
    ecn: bool = False           # TCP at both ends knows ECN, which daqrings with ecn-threshold mark
    rto_min: int = 0            # ms, TCP's smallest timeout; 0: as the hosts have it, on limited links Linux's own 200
    rate: float = 0.0           # events per second that the supervisor assigns; 0: each DCM the next when it has one
    l2: float = 0.0             # part of the ROS asked first; 0: all at once
    accept: float = 1.0         # probability that the rest is asked then
    dcms: tuple = ()            # names; empty: all
    ros: tuple = ()             # names; empty: all
    applications: int = 1       # on each ROS, every one with a connection of its own to each DCM and fragments of its own
    first: bool = False         # ROS and DCMs get the CPUs before ordinary processes, as on machines of their own; where allowed
    limit: float = 600.0        # seconds after which it ends by itself, whatever happens to the process that started it

    def check(self):
        _between("--fragments", self.fragments, 1, wire.MAX_FRAGMENTS)
        _between("--size", self.size, 1, MAX_RESPONSE)
        if self.fragments * self.size > MAX_RESPONSE:
            raise LabError(f"--fragments {self.fragments} of --size {self.size}: a ROS sends at most {MAX_RESPONSE >> 20} MiB per event")
        _between("--applications", self.applications, 1, 1000)
        _between("--credits", self.credits, 0, 1 << 20)
        if self.window:
            _between("--window", self.window, 2, 10000)  # TCP acknowledges every second segment; one alone may wait 40 ms
        _between("--cwnd", self.cwnd, 0, 10000)
        _between("--gwnd", self.gwnd, 0, 100000)
        if self.gwnd and self.window:
            raise LabError("--gwnd, --window: both set the window that a DCM advertises: use one")
        _between("--rto-min", self.rto_min, 0, 60000)
        _between("--rate", self.rate, 0, 100000)
        _between("--l2", self.l2, 0, 1)
        _between("--accept", self.accept, 0, 1)
        if self.congestion not in CONGESTION:
            raise LabError(f"--congestion {self.congestion}: use {', '.join(CONGESTION)}")
        available = netns.read_sysctl(AVAILABLE).split()
        if self.congestion not in available:
            raise LabError(f"--congestion {self.congestion}: this kernel has {', '.join(available)}: load its module "
                           f"(modprobe tcp_{self.congestion}), or use a kernel that has it")

    def check_schedulable(self):
        """DCMs that follow a schedule have one event each, and one fragment after the other."""
        for option, given in (("--rate", self.rate), ("--l2", self.l2), ("--credits", self.credits), ("--gwnd", self.gwnd),
                              ("--window", self.window)):
            if given:
                raise LabError(f"--schedule, {option}: with a schedule every DCM has one event and asks one ROS at a time: use one")

    def of(self, fabric, kind):
        """The ROS or DCMs that take part."""
        names = getattr(self, "dcms" if kind == "dcm" else kind)
        ends = fabric.of_kind(kind)
        for name in names:
            if name not in {e.name for e in ends}:
                raise LabError(f"no {kind.upper()} {name} in fabric {fabric.name}")
        found = [e for e in ends if not names or e.name in names]
        if not found:
            raise LabError(f"fabric {fabric.name} has no {kind.upper()}")
        return found


def _between(option, value, low, high):
    if not low <= value <= high:
        raise LabError(f"{option} {value:g}: use {low:g} to {high:g}")
