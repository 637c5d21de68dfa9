"""From what RESTCONF answers to values. What is generated is as large as ATLAS, and odd."""
import copy
import random
import unittest
from datetime import UTC, datetime, timedelta

from .fake import CUT, content, state
from daqfabric_gateway.reading import Answers, values_of
from daqfabric_gateway.values import EMPTY, Kind, Severity, Status, difference
from daqfabric_gateway.view import SILENT, View

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)
LINK = ("LINK", "prototype", "p1l1", "to-p1s1", "STATE")


def answers(**containers):
    return Answers(**dict(zip(("alarms", "fabrics", "partitions"), copy.deepcopy(list(content().values())))) | containers)


def alarm(type_, resource, severity="major", **leaves):
    return CUT | {"alarm-type-id": type_, "resource": resource, "perceived-severity": severity} | leaves


def read(*alarms, before=EMPTY, **containers):
    return values_of(answers(alarms={"alarm": list(alarms)}, **containers), before)


def generated(seed):
    """A fabric with alarms, with any leaf that may be absent absent at times."""
    generator = random.Random(seed)

    def perhaps(**leaves):
        return {name.replace("_", "-"): value for name, value in leaves.items() if generator.random() < 0.7}
    switches = [f"s{number}.x" for number in range(generator.randint(0, 206))]
    fabric = perhaps(phase=generator.choice(("waiting", "converged", "degraded", "of a newer release")), unstored={},
                     capacity=perhaps(bandwidth="12.5", utilisation="0.5", bottleneck="a:b -> c:d")) | {
        "switch": [{"name": name} | perhaps(ovsdb_connected=generator.random() < 0.9, openflow_connected=True, last_error="bad")
                   for name in switches],
        "link": [{"switch": name, "port": f"to@{number}"} | perhaps(
            oper_state=generator.choice(("up", "down", "drained", "miscabled", "unknown", "folded")), held_back=True,
            since="2026-11-25T10:00:00Z") for name in switches for number in range(4)]}
    resources = [f"fabric/f/switch/{name}" for name in switches] + [f"fabric/f/link/{name}:to@1" for name in switches] + ["fabric/f"]
    alarms = [alarm(generator.choice(("link-down", "switch-away", "link-held-back", "of-a-newer-release")), resource,
                    generator.choice(("warning", "minor", "major", "critical", "fatal")))
              for resource in generator.sample(resources, k=generator.randint(0, len(resources)))]
    return Answers({"alarm": alarms}, {"fabric": [{"name": "f", "state": fabric}]},
                   generator.choice((None, {}, {"partition": [{"name": "p:1"} | perhaps(state="running", fabric="f", health="degraded")]})))


class ReadingTest(unittest.TestCase):
    def test_a_fabric_in_which_all_is_well(self):
        values = read()
        self.assertEqual({Severity.NONE}, {each.severity for each in values.values()})
        self.assertEqual(("up", "converged", 120.0, 0, ()), tuple(values[path].value for path in (
            LINK, ("FABRIC", "prototype", "PHASE"), ("FABRIC", "prototype", "BANDWIDTH"), ("ALARM_COUNT",), ("ALARMS",))))

    def test_an_alarm_is_the_severity_of_what_it_is_about(self):
        for type_, resource, severity, name, expected in (
                ("link-down", "link/p1l1:to-p1s1", "major", LINK, Severity.MAJOR),
                ("link-held-back", "link/p1l1:to-p1s1", "warning", (*LINK[:4], "HELD_BACK"), Severity.MINOR),
                ("switch-away", "switch/p1l1", "major", ("SWITCH", "prototype", "p1l1", "OVSDB"), Severity.MAJOR),
                ("switch-without-openflow", "switch/p1l1", "major", ("SWITCH", "prototype", "p1l1", "OPENFLOW"), Severity.MAJOR),
                ("daqrings-unsupported", "switch/p1l1", "minor", ("SWITCH", "prototype", "p1l1", "ERROR"), Severity.MINOR),
                ("partition-error", "partition/physics", "critical", ("PARTITION", "physics", "STATE"), Severity.MAJOR),
                ("run-insufficient", "partition/physics", "warning", ("PARTITION", "physics", "HEALTH"), Severity.MINOR),
                ("repair-unstored", "", "critical", ("FABRIC", "prototype", "STORED"), Severity.MAJOR)):
            resource = f"fabric/prototype/{resource}".rstrip("/")
            values = read(alarm(type_, resource, severity))
            about = {path for path, each in values.items() if each.severity and path[0] in ("LINK", "SWITCH")}
            self.assertEqual({name} if name[0] in ("LINK", "SWITCH") else set(), about, type_)
            self.assertEqual((expected, f"{type_}: {CUT['alarm-text']}"), (values[name].severity, values[name].text))
            self.assertEqual((1, expected), (values[("FABRIC", "prototype", "ALARM_COUNT")].value,
                                             values[("FABRIC", "prototype", "ALARM_COUNT")].severity))
            self.assertEqual(severity, values[("ALARM", resource, type_, "SEVERITY")].value)

    def test_the_worst_of_several_counts_and_comes_first(self):
        values = read(alarm("link-held-back", "fabric/prototype/link/a:b", "warning"),
                      alarm("dcms-cut-off", "fabric/prototype", "critical"), alarm("switch-away", "fabric/other/switch/a", "major"))
        self.assertEqual(["critical", "major", "warning"], [row[0] for row in values[("ALARMS",)].value])
        self.assertEqual("dcms-cut-off", values[("ALARM_COUNT",)].text.partition(":")[0])
        self.assertEqual(2, values[("FABRIC", "prototype", "ALARM_COUNT")].value)

    def test_cleared_and_shelved_alarms_are_not_served(self):
        values = read(CUT | {"is-cleared": True}, alarm("switch-away", "fabric/prototype/switch/p1l1", shelved=True))
        self.assertEqual(0, values[("ALARM_COUNT",)].value)
        self.assertFalse([path for path in values if path[0] == "ALARM"])

    def test_a_partition(self):
        given = content()["daqfabric-run-control:run-control"]["partition"][0]
        concerns = [{"kind": "link", "name": f"l{number}", "detail": "down"} for number in range(7)]
        values = read(partitions={"partition": [given | {"health": "degraded", "concern": concerns}]})
        health = values[("PARTITION", "physics", "HEALTH")]
        self.assertEqual(("degraded", Severity.MINOR), (health.value, health.severity))
        self.assertTrue(health.text.endswith("link l4: down; and 2 more"), health.text)
        self.assertEqual(7, values[("PARTITION", "physics", "RUN_NUMBER")].value)
        values = read(partitions={"partition": [{"name": "physics", "state": "idle", "run": {"run-number": 7}}]})
        self.assertEqual((None, "none"), tuple(values[("PARTITION", "physics", name)].value for name in ("RUN_NUMBER", "HEALTH")))

    def test_any_answer_is_values_that_can_be_served(self):
        for seed in range(60):
            for path, each in values_of(generated(seed), EMPTY).items():
                self.assertEqual(path, each.path)
                if each.type.kind is Kind.CHOICE:
                    self.assertIn(each.value, each.type.words, seed)
                elif each.value is not None:
                    self.assertIsInstance(each.value, {Kind.TEXT: str, Kind.INTEGER: int, Kind.NUMBER: float, Kind.FLAG: bool,
                                                       Kind.TABLE: tuple}[each.type.kind], path)


class ViewTest(unittest.TestCase):
    def test_silence_keeps_all_values_as_the_last_known(self):
        for seed in range(30):
            known = View.at_start(NOW).answered("one", generated(seed), NOW)
            silent = known.failed("refused", NOW + timedelta(seconds=1))
            self.assertEqual(known.values.keys(), silent.values.keys(), seed)
            for path, each in silent.values.items():
                if path not in (("CONNECTED",), ("CONTROLLER",)):
                    self.assertEqual((known.values[path].value, Severity.INVALID, Status.LAST_KNOWN, SILENT),
                                     (each.value, each.severity, each.status, each.text), path)
            connected = silent.values[("CONNECTED",)]
            self.assertEqual((False, Severity.MAJOR, "refused"), (connected.value, connected.severity, connected.text))
            again = silent.failed("another reason", NOW + timedelta(seconds=2))
            self.assertEqual({("CONNECTED",)}, {each.path for each in difference(silent.values, again.values).changed})
            back = again.answered("one", generated(seed), NOW + timedelta(seconds=3))
            self.assertEqual({path: (each.value, each.severity, each.status) for path, each in known.values.items()},
                             {path: (each.value, each.severity, each.status) for path, each in back.values.items()}, seed)

    def test_a_fabric_that_is_not_taken_up_yet_keeps_its_last_values(self):
        known = View.at_start(NOW).answered("one", answers(), NOW)
        starts = known.answered("one", answers(fabrics={"fabric": [{"name": "prototype"}]}, partitions=None), NOW)
        self.assertEqual(known.values.keys(), starts.values.keys())
        for path in (LINK, ("PARTITION", "physics", "STATE")):
            self.assertEqual((known.values[path].value, Status.LAST_KNOWN), (starts.values[path].value, starts.values[path].status))
        self.assertEqual(Status.GOOD, starts.values[("ALARM_COUNT",)].status)

    def test_what_has_gone_goes_when_the_controller_says_so(self):
        known = View.at_start(NOW).answered("one", answers(), NOW)
        without = known.answered("one", answers(fabrics={}, partitions=None), NOW)
        self.assertEqual({"ALARMS", "ALARM_COUNT", "CONNECTED", "CONTROLLER"}, {path[0] for path in without.values})

    def test_a_link_that_flapped_between_two_answers_has_its_new_time(self):
        known = View.at_start(NOW).answered("one", answers(), NOW)
        flapped = state()
        flapped["link"][0]["since"] = "2026-11-25T11:00:00Z"
        after = known.answered("one", answers(fabrics={"fabric": [{"name": "prototype", "state": flapped}]}), NOW)
        self.assertEqual([LINK], [each.path for each in difference(known.values, after.values).changed])
