"""Fabric files for regular fabrics of any size."""
from dataclasses import dataclass

from .errors import LabError
from .fabric import MAX_INTERFACE_NAME

HOSTS_PER_BLOCK = 250  # addresses used of each third octet


@dataclass(frozen=True)
class Size:
    """How many of each; capacity in Gbps per link."""
    name: str
    planes: int
    spines: int   # per plane
    pods: int
    ros: int      # per pod
    racks: int    # per pod
    dcms: int     # per rack
    capacity: int
    prefix: str = ""
    address_base: str = "10.1"
    dcm_ports: bool = False  # each DCM behind a port of its own instead of LOCAL
    builders: bool = False   # the n-th ROS and the n-th rack of a pod are one node
    ipv6: bool = False       # every octet of an address as a group of fd00::/64


def generate(size):
    """The fabric file, decoded."""
    for what in ("planes", "spines", "pods", "ros", "racks", "dcms", "capacity"):
        if getattr(size, what) < 1:
            raise LabError(f"--{what} {getattr(size, what)}: must be at least 1")
    if size.builders and size.ros != size.racks:
        raise LabError(f"--ros {size.ros}, --racks {size.racks}: with --builders there are as many ROS as racks, which share nodes")
    addresses = _Addresses(size)
    planes = [_plane(size, p) for p in range(1, size.planes + 1)]
    pods = [_pod(size, addresses, q) for q in range(1, size.pods + 1)]
    switches = [item["switch"] for plane in planes for item in plane["spine"] + plane["leaf"]]
    switches += _edges(pods)
    longest = max(switches, key=len)
    if len("to-" + longest) > MAX_INTERFACE_NAME:
        raise LabError(f"switch name {longest} makes a port name longer than {MAX_INTERFACE_NAME} characters: "
                       "use a shorter --prefix")
    return {"daqfabric:fabric": [{
        "name": size.name,
        "link-capacity": size.capacity,
        "plane": planes,
        "pod": pods,
        "switch": [{"name": name} for name in switches],
        "link": _links(planes, pods),
    }]}


def _plane(size, p):
    pre = size.prefix
    return {
        "id": p,
        "spine": [{"id": s, "switch": f"{pre}p{p}s{s}"} for s in range(1, size.spines + 1)],
        "leaf": [{"pod": q, "switch": f"{pre}p{p}l{q}"} for q in range(1, size.pods + 1)],
    }


def _pod(size, addresses, q):
    ros = [{"name": f"{size.prefix}r{q}-{i}", "address": _written(size, addresses.ros(q, i)), "switch": f"{size.prefix}r{q}-{i}"}
           for i in range(1, size.ros + 1)]
    racks = []
    for h in range(1, size.racks + 1):
        name = f"{size.prefix}h{q}-{h}"
        dcms = [{"name": f"{name}d{d}", "address": _written(size, addresses.dcm(q, h, d))} for d in range(1, size.dcms + 1)]
        if size.dcm_ports:
            for number, dcm in enumerate(dcms, 1):
                dcm["port"] = f"d{number}"
                dcm["mac"] = mac_of(addresses.dcm(q, h, number))
        racks.append({"name": name, "switch": ros[h - 1]["switch"] if size.builders else name, "dcm": dcms})
    return {"id": q, "ros": ros, "hlt-rack": racks}


def _edges(pods):
    """Names of the edge switches, each once."""
    return list(dict.fromkeys(item["switch"] for pod in pods for item in pod["ros"] + pod["hlt-rack"]))


def _links(planes, pods):
    """Every leaf to the spines of its plane, every edge switch to the leaves of its pod."""
    pairs = []
    for plane in planes:
        for leaf in plane["leaf"]:
            pairs += [(leaf["switch"], spine["switch"]) for spine in plane["spine"]]
    leaves = {(leaf["pod"], plane["id"]): leaf["switch"] for plane in planes for leaf in plane["leaf"]}
    for pod in pods:
        for edge in _edges([pod]):
            pairs += [(edge, leaves[pod["id"], plane["id"]]) for plane in planes]
    return [{"switch": a, "port": f"to-{b}", "peer-switch": b, "peer-port": f"to-{a}"} for a, b in pairs]


def _written(size, address):
    return f"fd00::{':'.join(f'{int(octet):x}' for octet in address.split('.'))}" if size.ipv6 else address


def mac_of(address):
    """A locally administered MAC that holds the IPv4 address."""
    return "02:da:" + ":".join(f"{int(octet):02x}" for octet in address.split("."))


class _Addresses:
    """ROS at BASE.POD.INDEX, DCMs at BASE+1.RACK.INDEX while that fits, else numbered through."""

    def __init__(self, size):
        self._size = size
        try:
            first, second = (int(octet) for octet in size.address_base.split("."))
        except ValueError as error:
            raise LabError(f"--address-base {size.address_base}: give two octets, e.g. 10.1") from error
        if not (1 <= first <= 223 and first != 127 and 0 <= second <= 254):
            raise LabError(f"--address-base {size.address_base}: outside of the unicast addresses")
        self._ros_base, self._dcm_base = f"{first}.{second}", f"{first}.{second + 1}"
        self._ros_blocks = -(-size.ros // HOSTS_PER_BLOCK)  # third octets per pod
        all_racks = size.pods * size.racks
        self._dcm_per_rack = all_racks <= 255 and size.dcms <= HOSTS_PER_BLOCK
        if size.pods * self._ros_blocks > 255 or all_racks * size.dcms > 255 * HOSTS_PER_BLOCK:
            raise LabError("more ROS or DCMs than a /16 holds: use fewer pods, ROS or DCMs")

    def ros(self, pod, index):
        block, host = divmod(index - 1, HOSTS_PER_BLOCK)
        return f"{self._ros_base}.{(pod - 1) * self._ros_blocks + 1 + block}.{host + 1}"

    def dcm(self, pod, rack, index):
        rack_number = (pod - 1) * self._size.racks + rack - 1
        if self._dcm_per_rack:
            return f"{self._dcm_base}.{rack_number + 1}.{index}"
        block, host = divmod(rack_number * self._size.dcms + index - 1, HOSTS_PER_BLOCK)
        return f"{self._dcm_base}.{block + 1}.{host + 1}"
