"""Congestion windows that ROS lock by their routes (`cwnd lock`), as rpc host-profile prints it.

Linux takes a locked window from what it remembers of a peer (`ip tcp_metrics`), and remembers a peer when a connection to it
has ended. So it has no effect on the first connection: every pair has one here before the traffic begins.
"""
import contextlib
import socket
import subprocess

from .. import netns
from ..errors import LabError
from . import wire

SAVE_NOTHING = "net.ipv4.tcp_no_metrics_save"
PATIENCE = 5.0  # seconds for a connection of a pair


def learn(current, readouts, dcms):
    """A connection of every pair, ended by the ROS; the routes have the lock already."""
    forget(current, readouts)
    for ros in readouts:
        with netns.inside(current.namespace_of(ros)):
            netns.write_sysctl(SAVE_NOTHING, 0)
            listener = socket.create_server((ros.address, wire.PORT), family=ros.family)
            listener.settimeout(PATIENCE)
        with listener:
            for dcm in dcms:
                _meet(current, listener, ros, dcm)
        with netns.inside(current.namespace_of(ros)):
            netns.write_sysctl(SAVE_NOTHING, 1)  # as sockets.make wants it


def forget(current, readouts):
    for namespace in {current.namespace_of(ros) for ros in readouts}:
        if netns.exists(namespace):
            with netns.inside(namespace):
                subprocess.run(["ip", "tcp_metrics", "flush"], check=True, capture_output=True)


def _meet(current, listener, ros, dcm):
    with netns.inside(current.namespace_of(dcm)), contextlib.closing(socket.socket(dcm.family)) as far:
        far.settimeout(PATIENCE)
        try:
            far.bind((dcm.address, 0))
            far.connect((ros.address, wire.PORT))
            near, _ = listener.accept()
            near.settimeout(PATIENCE)
            near.shutdown(socket.SHUT_WR)  # what ends it is what Linux remembers
            far.recv(1)
            far.close()
            near.recv(1)  # until it has ended here too
            near.close()
        except OSError as error:
            raise LabError(f"no connection from {dcm.name} to {ros.name}: {error}: try `daqlab ping {current.name}`") from error

