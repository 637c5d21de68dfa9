"""Sockets in the namespaces of ROS and DCMs."""
from .. import netns
from ..errors import LabError


def make(current, end, open_socket):
    """A socket made where the ROS or DCM lives, of the family of its address."""
    with netns.inside(current.namespace_of(end)):
        netns.write_sysctl("net.ipv4.tcp_no_metrics_save", 1)  # no run inherits metrics of an earlier one
        return open_socket(end.family)


def bind(handle, end, port):
    try:
        handle.bind((end.address, port))
    except OSError as error:
        raise LabError(f"{end.name}: {end.address}:{port}: {error.strerror}: has the controller made the bridge, "
                       "and does no other `daqlab events` run?") from error
