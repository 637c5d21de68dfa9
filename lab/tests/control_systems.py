"""The gateway to control systems beside a real controller and Open vSwitch: a cut, and a restart of the controller, as
clients of EPICS and OPC UA see them.

Takes some minutes. Run as root, after `make build`: scripts/gateway python3 -m unittest -v lab.tests.control_systems
"""
import json
import socket
import subprocess
import sys
import threading
import time
import unittest
import urllib.request
from pathlib import Path

from asyncua.sync import Client
from p4p.client.thread import Context

from . import cluster
from .cluster import BOOT, NAME, PATIENCE, ROOT, fabric_state
from .support import eventually, needs_root
from daqlab_lib import controllers, faults, restconf

SWITCH, PORT = "p1l1", "to-p1s1"
LINK = f"LINK:{NAME}:{SWITCH}:{PORT}:STATE"
ALARM = {"resource": f"fabric/{NAME}/link/{SWITCH}:{PORT}", "alarm-type-id": "link-down"}
WITHIN = 1.0  # seconds from the controller's notification to both clients
INVALID = 3


class Seen:
    """What a client was told of the link and of the alarms, each with the time at which it was."""

    def __init__(self):
        self._told = {}
        self._come = threading.Condition()

    def tell(self, name, value):
        with self._come:
            self._told.setdefault(name, []).append((time.monotonic(), value))
            self._come.notify_all()

    def newest(self, name):
        return self._told.get(name, [(0, None)])[-1][1]

    def every(self, name, since):
        return [value for at, value in self._told.get(name, []) if at >= since]

    def first(self, name, condition, since):
        """When the condition was met first; waits for it."""
        def found():
            return next((at for at, value in self._told.get(name, []) if at >= since and condition(value)), None)
        with self._come:
            if not self._come.wait_for(found, PATIENCE):
                raise AssertionError(f"{name}: not within {PATIENCE} s; the newest is {self.newest(name)}")
            return found()


class Epics(Seen):
    """p4p's client: values are (what it is, severity), None while there is no connection."""

    def __init__(self, port):
        super().__init__()
        self._context = Context("pva", useenv=False, conf={
            "EPICS_PVA_ADDR_LIST": "127.0.0.1", "EPICS_PVA_AUTO_ADDR_LIST": "NO", "EPICS_PVA_BROADCAST_PORT": str(port)})
        self._monitors = [self._context.monitor(f"LAB:{name}", lambda value, name=name: self.tell(name, self._read(value)),
                                                notify_disconnect=True) for name in (LINK, "ALARMS")]
        for each in self._monitors:
            each._event()  # p4p 4.3.0 loses an event that comes before `monitor` has returned, and all that follow it

    @staticmethod
    def _read(value):
        if isinstance(value, Exception):
            return None
        if hasattr(value, "choice"):
            return value.choice, value.severity
        return [f"{resource}: {kind}" for resource, kind in zip(value.value.resource, value.value.type)], value.alarm.severity

    def close(self):
        self._context.close()


class OpcUa(Seen):
    """asyncua's client: values are (what it is, whether it is of now)."""

    def __init__(self, port):
        super().__init__()
        self._client = Client(f"opc.tcp://127.0.0.1:{port}/", timeout=60)
        self._client.connect()

    def subscribe(self):
        """Once the values are there."""
        nodes = {name: self._client.get_node(f"ns=2;s={name}") for name in (LINK, "ALARMS")}
        eventually(lambda: all(node.read_data_value(raise_on_bad_status=False).StatusCode.is_good() for node in nodes.values()),
                   "the values are served", PATIENCE)
        self._client.create_subscription(50, self).subscribe_data_change(list(nodes.values()))

    def datachange_notification(self, node, value, data):
        """Called by the subscription."""
        self.tell(str(node.nodeid.Identifier), (value, data.monitored_item.Value.StatusCode.is_good()))

    def close(self):
        self._client.disconnect()


def raised(value):
    """Whether what a client was told of the alarms has the link's."""
    return any(f"{ALARM['resource']}: {ALARM['alarm-type-id']}" in each for each in value[0])


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def notified(controller, told):
    """Tells the severity in each notification of the link's alarm."""
    client = restconf.Restconf(controller.restconf)
    stream = client.rpc("sal-remote", "create-notification-stream", {"notifications": [
        "(urn:daqfabric:alarms?revision=2026-11-25)alarm-notification"]})["notification-stream-identifier"]
    answer = urllib.request.urlopen(client.request("GET", f"/streams/json/{stream}", "text/event-stream"))

    def read():
        for line in answer:
            if line.startswith(b"data:"):
                content = json.loads(line[5:])["ietf-restconf:notification"].get("daqfabric-alarms:alarm-notification", {})
                if content.items() >= ALARM.items():
                    told.tell("alarm", content["perceived-severity"])
    threading.Thread(target=read, daemon=True).start()
    return answer


@needs_root
class ControlSystemsTest(cluster.ClusterCase):
    COUNT = 1
    NUMBERS = ROOT / "target/bench/control-systems.json"
    numbers = {}

    def setUp(self):
        self.controller, = self.members
        folder = Path(self.folder.name)
        (folder / "login").touch(0o600)
        (folder / "login").write_text("admin:admin")
        search, opcua = free_port(), free_port()
        (folder / "gateway.toml").write_text(
            f'controllers = ["{self.controller.restconf}"]\nlogin = "login"\n'
            f'[epics]\nprefix = "LAB"\nport = 0\nsearch_port = {search}\n[opcua]\nport = {opcua}\n')
        gateway = subprocess.Popen([sys.executable, "-m", "daqfabric_gateway", folder / "gateway.toml"], stderr=subprocess.PIPE, text=True)
        self.addCleanup(gateway.wait)
        self.addCleanup(gateway.terminate)
        self.addCleanup(gateway.stderr.close)
        for line in gateway.stderr:
            if line.startswith("INFO daqfabric_gateway.service: ") and line.endswith(" answers\n"):
                break
        else:
            self.fail("the gateway has ended")
        self.epics, self.opcua = Epics(search), OpcUa(opcua)
        self.addCleanup(self.epics.close)
        self.addCleanup(self.opcua.close)
        self.opcua.subscribe()
        self.addCleanup(faults.set_link, SWITCH, PORT, True, NAME)

    def test_a_cut_and_a_restart_of_the_controller(self):
        began = max(self.epics.first(LINK, lambda value: value == ("up", 0), 0),
                    self.opcua.first(LINK, lambda value: value == ("up", True), 0))
        told = Seen()
        notified(self.controller, told)

        cut = time.monotonic()
        faults.set_link(SWITCH, PORT, False, NAME)
        notification = told.first("alarm", lambda severity: severity == "major", cut)
        seen = {"EPICS": self.epics.first("ALARMS", raised, cut), "OPC UA": self.opcua.first("ALARMS", raised, cut)}
        self.record("cut until the controller's notification", round(notification - cut, 3))
        for client, at in seen.items():
            self.record(f"notification until {client} tells the alarm", round(at - notification, 3))
            self.assertLessEqual(at - notification, WITHIN, client)
        self.epics.first(LINK, lambda value: value == ("down", 2), cut)
        self.opcua.first(LINK, lambda value: value == ("down", True), cut)

        killed = time.monotonic()
        controllers.kill(self.controller)
        self.epics.first(LINK, lambda value: value == ("down", INVALID), killed)
        self.opcua.first(LINK, lambda value: value == ("down", False), killed)
        restarted = time.monotonic()
        controllers.start(self.controller)
        controllers.await_ready([self.controller], BOOT)
        self.epics.first(LINK, lambda value: value == ("down", 2), restarted)
        self.opcua.first(LINK, lambda value: value == ("down", True), restarted)
        for client in (self.epics, self.opcua):
            self.assertEqual([], [value for value in client.every("ALARMS", killed) if not raised(value)], "it was raised all the time")
            self.assertNotIn(None, client.every(LINK, began), "no connection was lost")

        returned = time.monotonic()
        faults.set_link(SWITCH, PORT, True, NAME)
        self.epics.first(LINK, lambda value: value == ("up", 0), returned)
        self.opcua.first(LINK, lambda value: value == ("up", True), returned)
        eventually(lambda: fabric_state(self.controller).get("phase") == "converged", "the fabric is converged", PATIENCE)
        for client in (self.epics, self.opcua):
            client.first("ALARMS", lambda value: not raised(value), returned)


if __name__ == "__main__":
    unittest.main()
