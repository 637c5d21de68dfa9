#!/bin/sh
# A client that subscribes with a deadband is never told of a value that drifts, however far, nor of its status that changes.
#
# asyncua 2.1.0 (PyPI), the server in Python of most gateways of experiments. Guess before: a new value is compared with the one that
# the client was told last, as OPC 10000-4, 7.22.2, has it ("the last cached value is the last value pushed to the queue"). Seen:
# - It is compared with the value before, whether that was told or not: ten steps of 1 with a deadband of 1.5 are ten small steps,
#   and the client still has 0 when the value is 10. One step of 2 is told.
# - The same value with another status (Uncertain instead of Good) is not told either, though the trigger is status and value.
# Who watches a rate, a temperature or a count of packets with a deadband, to spare messages, meets it: slow changes are the ones
# that alarms are made for.
#
# Runs without root in a temporary folder, on a port of loopback. Exit code 1 if any of this is different.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
python3 -m venv "$work/venv"
"$work/venv/bin/pip" -q install asyncua==2.1.0 > "$work/pip.log" 2>&1 || {
    cat "$work/pip.log" >&2
    exit 2
}
cat > "$work/drift.py" << 'END'
import asyncio
import logging
import socket
import sys
from importlib.metadata import version

from asyncua import Client, Server, ua

logging.disable(logging.CRITICAL)
PATIENCE = 20


class Told:
    def __init__(self):
        self.seen, self.news = [], asyncio.Event()

    def datachange_notification(self, _node, value, data):
        self.seen.append((data.monitored_item.Value.StatusCode.name, value))
        self.news.set()

    async def until(self, last):
        while not self.seen or self.seen[-1] != last:
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), PATIENCE)
        return self.seen


async def seen():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"opc.tcp://127.0.0.1:{free.getsockname()[1]}/"
    server = Server()
    await server.init()
    server.set_endpoint(url)
    node = await server.nodes.objects.add_variable(2, "drifts", 0.0)
    async with server, Client(url) as client:
        told = Told()
        subscription = await client.create_subscription(10, told)
        await subscription.deadband_monitor(client.get_node(node.nodeid), 1.5, queuesize=100)
        await told.until(("Good", 0.0))
        for step in range(1, 11):
            await node.write_value(float(step))
        await node.write_value(ua.DataValue(ua.Variant(10.0), ua.StatusCode(ua.StatusCodes.UncertainLastUsableValue)))
        await node.write_value(12.0)
        return await told.until(("Good", 12.0))


found = asyncio.run(seen())
print(f"asyncua {version('asyncua')}: of 0, 1 ... 10, the same again as uncertain, and 12 a deadband of 1.5 lets pass {found}")
sys.exit(0 if found == [("Good", 0.0), ("Good", 12.0)] else 1)
END
"$work/venv/bin/python" "$work/drift.py"
