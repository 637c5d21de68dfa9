"""What clients of OPC UA that have subscribed are told, by the server alone."""
import asyncio
import socket
import unittest
from datetime import UTC, datetime

from asyncua import Client, ua

from daqfabric_gateway.opcua import OpcUaServer
from daqfabric_gateway.settings import OpcUa
from daqfabric_gateway.values import EMPTY, FLAG, TEXT, Kind, Status, Type, Value, difference, tree

NUMBER = Type(Kind.NUMBER)
PATH = ("LINK", "prototype", "p1l1:to-p1s1", "STATE")
NODE = "ns=2;s=LINK:prototype:p1l1+3Ato-p1s1:STATE"
PATIENCE = 60


def value(content, kind=TEXT, path=PATH, **more):
    return Value(path, kind, content, time=datetime.now(UTC), **more)


class Told:
    """A handler of a subscription: name of the status, and value."""

    def __init__(self):
        self.seen = []
        self._news = asyncio.Event()

    def datachange_notification(self, _node, content, data):
        self.seen.append((data.monitored_item.Value.StatusCode.name, content))
        self._news.set()

    async def until(self, expected):
        while not self.seen or self.seen[-1] != expected:
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), PATIENCE)
        return self.seen


class SubscriptionsTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.server = OpcUaServer(OpcUa(port=port))
        await self.server.start()
        self.addAsyncCleanup(self.server.stop)
        self.tree = EMPTY
        self.client = Client(f"opc.tcp://127.0.0.1:{port}/", timeout=PATIENCE, watchdog_intervall=PATIENCE)
        await self.client.connect()
        self.addAsyncCleanup(self.client.disconnect)

    async def serve(self, *values):
        """These values, and no others."""
        new = tree(values)
        await self.server.apply(difference(self.tree, new))
        self.tree = new

    async def subscribe(self, told):
        subscription = await self.client.create_subscription(10, told)
        await subscription.subscribe_data_change(self.client.get_node(NODE))
        return subscription

    async def test_what_goes_and_comes_back(self):
        """A link is deleted and declared again: its subscribers are told both, and what happens afterwards."""
        await self.serve(value("up"))
        told = Told()
        await self.subscribe(told)
        await told.until(("Good", "up"))
        for state in ("up", "down"):
            await self.serve()
            await told.until(("BadNoData", None))
            with self.assertRaises(ua.uaerrors.BadNodeIdUnknown):
                await self.client.get_node(NODE).read_value()
            await self.serve(value(state))
            await told.until(("Good", state))
            await self.serve(value("drained"))
            await told.until(("Good", "drained"))

    async def test_one_whose_type_changes(self):
        await self.serve(value("up"))
        told = Told()
        await self.subscribe(told)
        await told.until(("Good", "up"))
        await self.serve(value(True, FLAG))
        await told.until(("Good", True))
        self.assertIn(("BadNoData", None), told.seen)

    async def test_who_leaves_while_it_is_gone_is_forgotten(self):
        """And hinders no other: one ends its subscription, another its session."""
        await self.serve(value("up"))
        stays, told = Told(), Told()
        await self.subscribe(stays)
        leaving = await self.subscribe(told)
        await told.until(("Good", "up"))
        await self.serve()
        await told.until(("BadNoData", None))
        await leaving.delete()
        await self.serve()
        self.assertEqual([1], [len(each) for each in self.server.subscribers.waiting.values()])
        await self.serve(value("down"))
        await stays.until(("Good", "down"))
        self.assertEqual(("BadNoData", None), told.seen[-1])
        self.assertEqual({}, self.server.subscribers.waiting)

    async def deadband(self, told, least):
        subscription = await self.client.create_subscription(10, told)
        await subscription.deadband_monitor(self.client.get_node(NODE), least, queuesize=100)

    async def test_a_deadband_is_from_what_the_client_was_told(self):
        """Slow changes arrive, although each is small (asyncua 2.1.0 compares with the value before)."""
        await self.serve(value(0.0, NUMBER))
        told = Told()
        await self.deadband(told, 1.5)
        await told.until(("Good", 0.0))
        for number in range(1, 8):
            await self.serve(value(float(number), NUMBER))
        await self.serve(value(100.0, NUMBER))
        self.assertEqual([("Good", each) for each in (0.0, 2.0, 4.0, 6.0, 100.0)], await told.until(("Good", 100.0)))

    async def test_a_change_of_status_and_what_is_not_known_pass_a_deadband(self):
        await self.serve(value(5.0, NUMBER))
        told = Told()
        await self.deadband(told, 100.0)
        await told.until(("Good", 5.0))
        await self.serve(value(5.0, NUMBER, status=Status.LAST_KNOWN))
        await told.until(("UncertainLastUsableValue", 5.0))
        await self.serve(value(5.0, NUMBER))
        await told.until(("Good", 5.0))
        await self.serve(value(None, NUMBER))
        await self.serve(value(6.0, NUMBER))
        await told.until(("Good", 6.0))
        self.assertEqual("nan", str(told.seen[-2][1]))
        await self.serve()
        await told.until(("BadNoData", None))
        await self.serve(value(6.0, NUMBER))
        await told.until(("Good", 6.0))

    async def test_a_deadband_of_a_text_has_every_change(self):
        await self.serve(value("up"))
        told = Told()
        await self.deadband(told, 1.0)
        await told.until(("Good", "up"))
        await self.serve(value("down"))
        await told.until(("Good", "down"))
