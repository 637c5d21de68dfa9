"""The gateway as clients see it: p4p's and asyncua's, against a stand-in for the controller."""
import asyncio
import contextlib
import math
import socket
import tempfile
import threading
import unittest
from datetime import UTC, datetime
from pathlib import Path
from unittest import mock

from asyncua import ua
from asyncua.sync import Client
from cryptography import x509
from p4p.client.thread import Context, Disconnected, RemoteError

from .certificates import write_certificate
from .fake import CUT, LOGIN, SIX, Controller, content, eventually, state
from daqfabric_gateway.addresses import with_port
from daqfabric_gateway.service import Broken, Gateway, Newest
from daqfabric_gateway.settings import Epics, OpcUa, Settings
from daqfabric_gateway.view import View

LINK = "LINK:prototype:p1l1:to-p1s1:STATE"
# seconds; by default a client of asyncua that is not answered within one second gives its connection up
PATIENT = {"timeout": 60, "watchdog_intervall": 60}


class Running:
    """A gateway in a thread of its own, which listens on free ports of loopback."""

    def __init__(self, *urls, reader=True, address="127.0.0.1", **opcua):
        """reader: whether to read over OPC UA without a login; address: where it listens, on loopback."""
        self._reader = reader
        self._address = address
        with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as free:
            free.bind((address, 0))
            port = free.getsockname()[1]
        self.opcua = f"opc.tcp://{with_port(address, port)}/"
        self._gateway = Gateway(Settings(urls, LOGIN, None, Epics("T", address, port=0, search_port=0),
                                         OpcUa(address, port=port, **opcua)))
        self._started = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._task = self._loop.create_task(self._gateway.run(self._started.set))
        self._thread = threading.Thread(target=self._run)

    def _run(self):
        with contextlib.suppress(asyncio.CancelledError):  # it was told to end
            self._loop.run_until_complete(self._task)
        self._loop.close()

    def __enter__(self):
        self._thread.start()
        try:
            eventually(lambda: self._started.is_set() or not self._thread.is_alive(), "gateway started")
            self._context = Context("pva", useenv=False, nt=False, conf={
                "EPICS_PVA_ADDR_LIST": self._address, "EPICS_PVA_AUTO_ADDR_LIST": "NO",
                "EPICS_PVA_BROADCAST_PORT": self._gateway.epics.address()["EPICS_PVAS_BROADCAST_PORT"]})
            self._client = Client(self.opcua, **PATIENT) if self._reader else None
            if self._client:
                self._client.connect()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *_):
        self._context.close()
        if self._client:
            self._client.disconnect()
        self._end()

    def _end(self):
        self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join()

    def pv(self, name, seconds=10):
        """The record of a PV; None while there is none of that name."""
        try:
            return self._context.get(f"T:{name}", timeout=seconds)
        except (TimeoutError, Disconnected):
            return None

    def put(self, name, value):
        self._context.put(f"T:{name}", value, timeout=5)

    def monitor(self, name):
        """A list that is filled with what a PV becomes; None while it is disconnected."""
        seen = []
        subscription = self._context.monitor(f"T:{name}", lambda value: seen.append(value if not isinstance(value, Exception) else None),
                                             notify_disconnect=True)
        subscription._event()  # p4p 4.3.0 loses an event that comes before `monitor` has returned, and all that follow it
        return seen, subscription

    def node(self, name):
        """The data of a variable; None while there is none of that name."""
        found = self._client.get_node(f"ns=2;s={name}").read_data_value(raise_on_bad_status=False)
        return None if found.StatusCode.value == ua.StatusCodes.BadNodeIdUnknown else found

    def children(self, name):
        """Names of what is in a folder."""
        return {each.read_browse_name().Name for each in self._client.get_node(f"ns=2;s={name}").get_children()}


def choice(record):
    return record.value.choices[record.value.index] if record else None


def last(seen):
    """The newest value that a monitor told; None before the first, and while it is disconnected."""
    return seen[-1].value if seen and seen[-1] is not None else None


class GatewayTest(unittest.TestCase):
    """One gateway for all: it takes a second of a processor to start."""

    @classmethod
    def setUpClass(cls):
        cls.controller = cls.enterClassContext(Controller())
        cls.running = cls.enterClassContext(Running(cls.controller.url))

    def setUp(self):
        eventually(lambda: self.controller.streams, "event stream")
        self.controller.content = content()
        self.controller.change("daqfabric-alarms:alarms", {"number-of-alarms": 0})
        running = self.running
        eventually(lambda: choice(running.pv(LINK)) == "up" and running.pv("ALARM_COUNT").value == 0, "the link is served")
        eventually(lambda: running.node(LINK) and running.node(LINK).Value.Value == "up", "the link is served over OPC UA")

    def test_values_have_types_units_and_times(self):
        running = self.running
        self.controller.change("daqfabric:fabrics", {"fabric": [{"name": "prototype", "state": state(links=3)}]})
        new = LINK.replace("p1l1", "p1l3")
        eventually(lambda: running.node(new), "another link")
        link = running.pv(new)
        self.assertEqual((0, 0, 1), (link.alarm.severity, link.alarm.status, link.timeStamp.nanoseconds // 1000))
        bandwidth = running.pv("FABRIC:prototype:BANDWIDTH")
        self.assertEqual((120.0, "Gbps"), (bandwidth.value, bandwidth.display.units))
        self.assertEqual((True, 7, "running"), (running.pv("SWITCH:prototype:p1l1:OVSDB").value,
                                                running.pv("PARTITION:physics:RUN_NUMBER").value,
                                                choice(running.pv("PARTITION:physics:STATE"))))
        node = running.node(new)
        self.assertEqual(("up", True, 1), (node.Value.Value, node.StatusCode.is_good(), node.SourceTimestamp.microsecond))
        self.assertEqual((ua.VariantType.Double, ua.VariantType.Int64, ua.VariantType.Boolean), tuple(
            running.node(name).Value.VariantType for name in ("FABRIC:prototype:BANDWIDTH", "PARTITION:physics:RUN_NUMBER", "CONNECTED")))

    def test_an_alarm_reaches_both_clients_and_goes(self):
        running = self.running
        seen, subscription = running.monitor("ALARM_COUNT")
        self.addCleanup(subscription.close)
        self.controller.cut()
        eventually(lambda: last(seen) == 1, "alarm counted")
        self.assertEqual((2, f"link-down: {CUT['alarm-text']}"), (seen[-1].alarm.severity, seen[-1].alarm.message))
        eventually(lambda: choice(running.pv(LINK)) == "down", "link down")
        link = running.pv(LINK)
        self.assertEqual((2, 1), (link.alarm.severity, link.alarm.status))
        table = running.pv("ALARMS")
        self.assertEqual((["severity", "resource", "type", "text", "advice", "raised", "operator"], [CUT["resource"]]),
                         (list(table.labels), list(table.value.resource)))
        own = "ALARM:fabric+2Fprototype+2Flink+2Fp1l1+3Ato-p1s1:link-down"
        self.assertEqual("major", choice(running.pv(f"{own}:SEVERITY")))
        eventually(lambda: running.node(LINK).Value.Value == "down", "link down over OPC UA")
        self.assertEqual([f"major: {CUT['resource']}: link-down: {CUT['alarm-text']}: check cable: {CUT['last-raised']}: none"],
                         running.node("ALARMS").Value.Value)
        self.assertEqual("major", running.node(f"{own}:SEVERITY").Value.Value)
        self.controller.content = content()
        self.controller.change("daqfabric-alarms:alarms", {"number-of-alarms": 1, "alarm": [CUT | {"is-cleared": True}]})
        eventually(lambda: last(seen) == 0, "cleared")
        self.assertEqual([], list(running.pv("ALARMS").value.resource))
        eventually(lambda: running.node(own + ":SEVERITY") is None, "the alarm's variables are gone")
        self.assertEqual([], running.node("ALARMS").Value.Value)
        self.assertIsNone(running.pv(f"{own}:SEVERITY", seconds=0.5))

    def test_through_a_restart_of_the_controller_values_are_the_last_known(self):
        running = self.running
        self.controller.cut()
        seen, subscription = running.monitor(LINK)
        self.addCleanup(subscription.close)
        eventually(lambda: seen and choice(seen[-1]) == "down", "the link is served")
        self.controller.stop()
        eventually(lambda: seen[-1].alarm.severity == 3, "invalid")
        self.assertEqual(("down", 2), (choice(seen[-1]), seen[-1].alarm.status))
        eventually(lambda: running.node("CONNECTED").Value.Value is False, "OPC UA knows")
        node = running.node(LINK)
        self.assertEqual(("down", ua.StatusCodes.UncertainLastUsableValue), (node.Value.Value, node.StatusCode.value))
        self.assertEqual(1, running.pv("ALARM_COUNT").value)
        kept = self.controller.content
        self.controller.content = {}  # nothing is in the datastore yet
        self.controller.start()
        eventually(lambda: "has no list of alarms" in running.pv("CONNECTED").alarm.message, "it starts")
        self.assertEqual((3, 1), (running.pv(LINK).alarm.severity, running.pv("ALARM_COUNT").value))
        self.controller.content = kept
        eventually(lambda: seen[-1].alarm.severity == 2, "valid again")
        seen = seen[seen.index(None) + 1:]
        self.assertNotIn(None, seen, "it was connected all the time")
        times = [(each.timeStamp.secondsPastEpoch, each.timeStamp.nanoseconds) for each in seen]
        self.assertEqual(sorted(times), times)
        eventually(lambda: running.node(LINK).StatusCode.value == ua.StatusCodes.Good, "good again over OPC UA")
        self.assertEqual(1, running.pv("ALARM_COUNT").value)

    def test_what_has_gone_disconnects(self):
        running = self.running
        seen, subscription = running.monitor(LINK)
        self.addCleanup(subscription.close)
        self.controller.change("daqfabric:fabrics", {"fabric": []})
        eventually(lambda: seen and seen[-1] is None, "disconnected")
        eventually(lambda: running.node(LINK) is None, "gone over OPC UA")
        self.assertIsNone(running.node("LINK:prototype"))
        self.assertIsNone(running.node("LINK"))
        self.assertEqual({"CONNECTED", "CONTROLLER", "ALARM_COUNT", "ALARMS", "PARTITION"}, running.children("daqfabric"))
        self.controller.change("daqfabric:fabrics", content()["daqfabric:fabrics"])
        eventually(lambda: seen[-1] is not None, "connected again")
        self.assertIsNotNone(eventually(lambda: running.node(LINK), "there again over OPC UA"))
        self.controller.cut()
        eventually(lambda: choice(seen[-1]) == "down", "reported on again")

    def test_a_fabric_as_large_as_atlas_comes_and_goes(self):
        running = self.running
        large = state(links=760)
        large["switch"] = large["switch"][:206]
        self.controller.change("daqfabric:fabrics", {"fabric": [{"name": "atlas", "state": large}]})
        eventually(lambda: running.node("LINK:atlas:p1l1:to-p1s1:STATE"), "the first is served over OPC UA")
        self.assertIsNone(running.node("SWITCH:atlas:p1l206:ERROR"), "a client is answered before all are served")
        eventually(lambda: running.node("SWITCH:atlas:p1l206:ERROR"), "all are served over OPC UA")
        self.assertEqual(760, len(running.children("LINK:atlas")))
        for number in range(1, 761):
            self.assertEqual("up", choice(running.pv(f"LINK:atlas:p1l{number}:to-p1s1:STATE")))
        self.controller.change("daqfabric:fabrics", content()["daqfabric:fabrics"])
        eventually(lambda: running.node("LINK:atlas") is None, "they are gone")

    def test_nobody_writes(self):
        running = self.running
        with self.assertRaises(RemoteError):
            running.put("PARTITION:physics:RUN_NUMBER", {"value": 8})

        with Client(running.opcua, **PATIENT) as client:
            link = client.get_node(f"ns=2;s={LINK}")
            with self.assertRaises(ua.UaError):
                link.write_value("up")
            with self.assertRaises(ua.UaError):
                client.nodes.objects.add_variable(2, "more", 1)
            with self.assertRaises(ua.UaError):
                link.delete()
        named = Client(running.opcua, **PATIENT)
        named.set_user("admin")  # asyncua's own servers let him change anything
        with self.assertRaises(ua.uaerrors.BadIdentityTokenRejected), named:
            self.fail("a session of admin")
        self.assertEqual("up", running.node(LINK).Value.Value)

    def test_what_is_not_known(self):
        running = self.running
        self.controller.change("daqfabric:fabrics", {"fabric": [{"name": "new", "state": {"phase": "waiting"}}]})
        eventually(lambda: running.pv("FABRIC:new:BANDWIDTH"), "a fabric that nothing is known of")
        self.assertTrue(math.isnan(running.pv("FABRIC:new:BANDWIDTH").value))
        eventually(lambda: running.node("FABRIC:new:BANDWIDTH"), "over OPC UA")
        self.assertTrue(math.isnan(running.node("FABRIC:new:BANDWIDTH").Value.Value))

    def test_another_member_is_asked_when_one_ends(self):
        other = self.enterContext(Controller())
        first = self.enterContext(Controller())
        running = self.enterContext(Running(first.url, other.url))
        eventually(lambda: running.pv("CONTROLLER").value == first.url, "the first")
        first.stop()
        eventually(lambda: running.pv("CONTROLLER").value == other.url, "the second")
        self.assertEqual((0, True), (running.pv(LINK).alarm.severity, running.pv("CONNECTED").value))

    def test_an_answer_that_cannot_be_read_makes_values_stale(self):
        running = self.running
        with self.assertLogs("daqfabric_gateway", "ERROR"):
            self.controller.change("daqfabric:fabrics", {"fabric": [{"name": "prototype", "state": {"link": [{"port": "x"}]}}]})
            eventually(lambda: running.pv(LINK).alarm.severity == 3, "stale")


class EndTest(unittest.TestCase):
    def test_a_gateway_that_can_ask_no_more_ends(self):
        """Rather than serve what it last knew for ever: an error of its own is one that systemd shows, and ends by a restart."""
        for broken in ("ask", "Stream.wait"):
            controller = self.enterContext(Controller())
            gateway = Gateway(Settings((controller.url,), LOGIN, None, Epics("T", port=0, search_port=0), None), poll=0.1)
            target = "daqfabric_gateway.source.ask" if broken == "ask" else "daqfabric_gateway.restconf.Stream.wait"
            with self.subTest(broken), mock.patch(target, side_effect=LookupError("surprise")), self.assertRaisesRegex(Broken, "surprise"):
                asyncio.run(asyncio.wait_for(gateway.run(), 30))

    def test_a_change_that_comes_as_it_is_told_to_end(self):
        async def told_to_end(turns):
            newest = Newest()
            waiting = asyncio.ensure_future(Gateway._next(None, newest, View.at_start(datetime.now(UTC))))
            await asyncio.sleep(0)
            newest.put(lambda view, now: view)
            for _ in range(turns):
                await asyncio.sleep(0)
            if waiting.done():
                return False
            waiting.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await waiting
            return True
        self.assertGreater([asyncio.run(told_to_end(turns)) for turns in range(8)].count(True), 1)


@unittest.skipUnless(SIX, "this machine has no IPv6")
class Ipv6Test(unittest.TestCase):
    def test_controller_and_clients_at_ipv6_addresses(self):
        controller = self.enterContext(Controller(host="::1"))
        running = self.enterContext(Running(controller.url, address="::1"))
        eventually(lambda: choice(running.pv(LINK)) == "up", "the link is served")
        eventually(lambda: running.node(LINK) and running.node(LINK).Value.Value == "up", "the link is served over OPC UA")
        self.assertEqual(controller.url, running.pv("CONTROLLER").value)


class SecurityTest(unittest.TestCase):
    """OPC UA with a certificate and a login."""

    def test_only_who_knows_the_login_reads_and_only_encrypted(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name in ("gateway", "client"):
            write_certificate(folder / f"{name}.der", folder / f"{name}.pem", x509.UniformResourceIdentifier(f"urn:daqfabric:{name}"))
        controller = self.enterContext(Controller())
        running = self.enterContext(Running(controller.url, certificate=folder / "gateway.der", private_key=folder / "gateway.pem",
                                            login="shift:right", reader=False))

        def client(user, password, secure=True):
            made = Client(running.opcua, **PATIENT)
            made.application_uri = "urn:daqfabric:client"
            if secure:
                made.set_security_string(f"Basic256Sha256,SignAndEncrypt,{folder / 'client.der'},{folder / 'client.pem'}")
            if user:
                made.set_user(user)
                made.set_password(password)
            return made
        with client("shift", "right") as made:
            self.assertIsInstance(made.get_node("ns=2;s=CONNECTED").read_value(), bool)
        for user, password, secure in (("shift", "wrong", True), (None, None, True), ("shift", "right", False)):
            with self.assertRaises((ua.UaError, ConnectionError), msg=(user, password, secure)), client(user, password, secure):
                self.fail(f"a session for {user}, {password}")
