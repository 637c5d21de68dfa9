"""The gateway as a client sees it that shares no line with it: node-opcua's. That of EPICS is p4p's, in test_gateway."""
import unittest

from .fake import CUT, Controller, content, eventually, state
from .node_opcua import NodeOpcUa
from .test_gateway import LINK, Running

ALARM = f"major: {CUT['resource']}: link-down: {CUT['alarm-text']}: check cable: {CUT['last-raised']}: none"


class NodeOpcUaTest(unittest.TestCase):
    def test_an_alarm_comes_and_goes_and_so_does_a_link(self):
        controller = self.enterContext(Controller())
        running = self.enterContext(Running(controller.url))
        eventually(lambda: running.node(LINK), "the link is served over OPC UA")
        told = {}
        client = self.enterContext(NodeOpcUa(running.opcua, [LINK, "ALARM_COUNT", "ALARMS", "CONNECTED"],
                                             lambda name, *seen: told.setdefault(name, []).append(seen)))

        def until(what, **values):
            expected = {LINK if name == "link" else name: ("Good", value) for name, value in values.items()}
            eventually(lambda: all(told.get(name, [None])[-1] == value for name, value in expected.items()), what)
        until("all is well", link="up", ALARM_COUNT=0, ALARMS=[], CONNECTED=True)
        self.assertEqual(("Good", 7), client.read("PARTITION:physics:RUN_NUMBER"))

        controller.cut()
        until("an alarm", link="down", ALARM_COUNT=1, ALARMS=[ALARM])
        controller.content = content()
        controller.change("daqfabric-alarms:alarms", {"number-of-alarms": 1, "alarm": [CUT | {"is-cleared": True}]})
        until("it is gone", link="up", ALARM_COUNT=0, ALARMS=[])

        controller.change("daqfabric:fabrics", {"fabric": []})
        eventually(lambda: told[LINK][-1] == ("BadNoData", None), "the link is deleted")
        self.assertEqual("BadNodeIdUnknown", client.read(LINK)[0])
        controller.change("daqfabric:fabrics", content()["daqfabric:fabrics"])
        until("it is declared again", link="up")
        drained = state()
        drained["link"][0]["oper-state"] = "drained"
        controller.change("daqfabric:fabrics", {"fabric": [{"name": "prototype", "state": drained}]})
        until("and reported on", link="drained")
