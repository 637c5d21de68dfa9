"""Hosts: /32 or /128 addresses on the LOCAL ports of edge switches, assigned whenever the controller creates the bridge.

One small process per fabric listens to the link events of all edge namespaces and ends by itself when the
fabric is gone. It also restores the limits of links that Open vSwitch removes.
"""
import contextlib
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from . import capacity, netlink, netns, processes, state
from .errors import LabError
from .fabric import family_of
from .netlink import IFF_NOARP, IFF_UP

DAEMON = "hosts-daemon"  # argument of the lab's executable, and the mark in the command line
HOST_INTERFACE = "eth0"
# as rpc host-profile says for the prototype with rings of 4096 packets: 20 ms until a full one is empty
RTO_MIN = 20  # milliseconds
CONGESTION_CONTROL = "cubic"
QUEUE = 10000  # packets a host may have waiting for its switch; a tap drops what is more, and has 1000 by itself
CHECK_INTERVAL = 2.0  # seconds between checks whether the fabric still exists


def pid_file(fabric):
    return state.FABRICS / fabric / "hosts.pid"


def pid(fabric):
    return processes.recorded(pid_file(fabric), _mark(fabric))


def _mark(fabric):
    return f"{DAEMON}\0{fabric}\0"  # as in /proc/PID/cmdline


def start(fabric):
    """Start the process unless it runs; returns when it monitors all namespaces."""
    if pid(fabric):
        return
    pid_file(fabric).unlink(missing_ok=True)
    executable = Path(__file__).resolve().parent.parent / "daqlab"
    with open(state.FABRICS / fabric / "hosts.log", "ab") as log:
        child = subprocess.Popen([sys.executable, executable, DAEMON, fabric], stdin=subprocess.DEVNULL,
                                 stdout=log, stderr=log, start_new_session=True, cwd="/")
    deadline = time.monotonic() + 10
    while not pid(fabric):
        if child.poll() is not None or time.monotonic() > deadline:
            raise LabError(f"the process for the hosts did not start: see {log.name}")
        time.sleep(0.005)


def stop(fabric):
    process = pid(fabric)
    if process:
        processes.end([process], _mark(fabric), patience=1.0)


def set_up_fixed_host(namespace, mac, addresses, mtu):
    """A DCM host behind its own port; its interface is permanent."""
    with netlink.Netlink(namespace) as link:
        interface = link.links()[HOST_INTERFACE]
        link.set_link(interface.index, mac=mac)
        _configure(link, namespace, interface, addresses, mtu, True)


def run(fabric):
    """The process itself."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    current = state.load(fabric)
    epoll = select.epoll()
    watched = {}
    for node in current.nodes.values():
        addresses = current.fabric.local_addresses(node.switch.name)
        if addresses:
            device = _Device(node, addresses, current.mtu)
            watched[device.monitor.fileno()] = device
            epoll.register(device.monitor.fileno(), select.EPOLLIN)
            device.refresh()
        limits = _Limits(current, node)
        watched[limits.monitor.fileno()] = limits
        epoll.register(limits.monitor.fileno(), select.EPOLLIN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    pid_file(fabric).write_text(str(os.getpid()))
    while pid(fabric) == os.getpid():
        for number, _ in epoll.poll(CHECK_INTERVAL):
            watched[number].wake()


class _Device:
    """The LOCAL port of one edge switch."""

    def __init__(self, node, addresses, mtu):
        self._switch, self._name, self._namespace = node.switch.name, node.switch.bridge, node.namespace
        self._addresses, self._mtu = addresses, mtu
        self._at_once = node.switch.role != "ros"  # a ROS acknowledges a request with its answer
        self.monitor = netlink.LinkMonitor(node.namespace)
        self._requests = netlink.Netlink(node.namespace)
        self._done = None  # index of the interface that has its addresses

    def wake(self):
        """Every event counts, not only the last: the switch takes the device down for a moment to set its MAC,
        and the kernel then drops the route."""
        events = self.monitor.events()
        mine = [event for event in events or () if event.name == self._name]
        if events is not None and not mine:
            return
        if events is None or any(event.gone or not _is_ready(event) for event in mine):
            self._done = None
        self.refresh()

    def refresh(self):
        """Give the device its addresses unless it has them."""
        interface = self._requests.links().get(self._name)
        if interface is None or (_is_ready(interface) and self._done == interface.index):
            return
        try:
            _configure(self._requests, self._namespace, interface, self._addresses, self._mtu, self._at_once)
            self._done = interface.index
            _log(f"{self._switch}: {self._name} has {', '.join(self._addresses)}")
        except OSError as error:  # the interface went away meanwhile: its own event follows
            _log(f"{self._switch}: {self._name}: {error}")


class _Limits:
    """The rate limits of one switch's links."""

    def __init__(self, current, node):
        self._current, self._node = current, node
        self.monitor = netlink.QdiscMonitor(node.namespace)

    def wake(self):
        if self.monitor.removed():
            try:
                capacity.apply(self._current, self._node)
            except LabError as error:  # the fabric goes down
                _log(str(error))


def _is_ready(interface):
    return interface.flags & IFF_UP and interface.flags & IFF_NOARP


def _configure(link, namespace, interface, addresses, mtu, at_once):
    families = {family_of(address): address for address in reversed(addresses)}  # the first of each is the source
    if socket.AF_INET6 in families:
        with netns.inside(namespace):
            netns.allow_ipv6(interface.name)
    link.set_link(interface.index, flags=IFF_NOARP, mask=IFF_NOARP, mtu=mtu if mtu != interface.mtu else None, queue=QUEUE)
    link.set_link(interface.index, flags=IFF_UP, mask=IFF_UP)
    for address in addresses:
        link.add_address(interface.index, address)
    for source in families.values():
        link.default_route(interface.index, source, RTO_MIN, at_once, CONGESTION_CONTROL)


def _log(text):
    with contextlib.suppress(OSError):
        print(time.strftime("%H:%M:%S"), text, flush=True)
