"""What the controller answers, as a tree of values. Pure."""
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .alarms import Alarm, alarm_values, alarms_of, choice, severity_of, time_of
from .values import FLAG, INTEGER, TEXT, Kind, Severity, Tree, Type, Value, tree

GBPS = Type(Kind.NUMBER, "Gbps")
RATIO = Type(Kind.NUMBER)
PHASE = Type(Kind.CHOICE, words=("waiting", "programming", "converged", "degraded", "unknown"))
LINK = Type(Kind.CHOICE, words=("up", "down", "drained", "miscabled", "unknown"))
PARTITION = Type(Kind.CHOICE, words=("idle", "prepared", "ready", "running", "error", "unknown"))
HEALTH = Type(Kind.CHOICE, words=("none", "ok", "degraded", "insufficient", "unknown"))
# Which values of a link or a switch an alarm of it is about, if it is not the first of them.
ABOUT = {"link-held-back": "HELD_BACK", "switch-away": "OVSDB", "switch-without-openflow": "OPENFLOW"}
CONCERNS = 5  # in a text; the rest are counted


@dataclass(frozen=True)
class Answers:
    """
    Containers as RESTCONF gives them: 'alarms', 'fabrics' with the state of each, and 'run-control'. A controller that has
    not taken a fabric up yet gives no state of it, and no 'run-control' where no partition has been prepared.
    """

    alarms: Mapping[str, Any]
    fabrics: Mapping[str, Any]
    partitions: Mapping[str, Any] | None


def values_of(answers: Answers, before: Tree) -> Tree:
    """All values. Those of a fabric that is configured and not taken up yet stay as the last known."""
    alarms = alarms_of(answers.alarms)
    about: dict[str, list[Alarm]] = defaultdict(list)
    for each in alarms:
        about[each.resource].append(each)
    values = {each.path: each for each in alarm_values(alarms)}
    waiting = {fabric["name"] for fabric in answers.fabrics.get("fabric", ()) if "state" not in fabric}
    for path, each in before.items():
        if ((path[0] in ("FABRIC", "LINK", "SWITCH") and path[1] in waiting)
                or (path[0] == "PARTITION" and waiting and answers.partitions is None)):
            values[path] = each.stale("the controller has not taken up the fabric yet")
    for fabric in answers.fabrics.get("fabric", ()):
        name, state = fabric["name"], fabric.get("state")
        if state is None:
            continue
        for part in (_fabric(name, state, alarms, about), _links(name, state, about), _switches(name, state, about)):
            values |= {each.path: each for each in part}
    for each in (answers.partitions or {}).get("partition", ()):
        values |= {value.path: value for value in _partition(each, about)}
    return tree(values.values())


def _fabric(name: str, state: Mapping[str, Any], alarms: Iterable[Alarm], about: Mapping[str, list[Alarm]]) -> Iterable[Value]:
    path = ("FABRIC", name)
    resource = f"fabric/{name}"
    own = about.get(resource, [])
    inside = [each for each in alarms if each.resource == resource or each.resource.startswith(resource + "/")]
    capacity = state.get("capacity", {})
    repair = state.get("last-repair", {})
    yield choice((*path, "PHASE"), PHASE, state.get("phase"), **severity_of(own))
    yield Value((*path, "ALARM_COUNT"), INTEGER, len(inside), **severity_of(inside))
    yield Value((*path, "BANDWIDTH"), GBPS, number(capacity.get("bandwidth")))
    yield Value((*path, "NOMINAL_BANDWIDTH"), GBPS, number(capacity.get("nominal-bandwidth")))
    yield Value((*path, "UTILISATION"), RATIO, number(capacity.get("utilisation")))
    yield Value((*path, "BOTTLENECK"), TEXT, capacity.get("bottleneck"))
    yield Value((*path, "STORED"), FLAG, "unstored" not in state, **severity_of(each for each in own if each.type == "repair-unstored"))
    yield Value((*path, "LAST_REPAIR"), TEXT, repair.get("cause"), time=time_of(repair.get("detected")))


def _links(name: str, state: Mapping[str, Any], about: Mapping[str, list[Alarm]]) -> Iterable[Value]:
    for link in state.get("link", ()):
        path = ("LINK", name, link["switch"], link["port"])
        found = _about(about, f"fabric/{name}/link/{link['switch']}:{link['port']}", "STATE")
        yield choice((*path, "STATE"), LINK, link.get("oper-state"), time=time_of(link.get("since")), **found("STATE"))
        yield Value((*path, "HELD_BACK"), FLAG, bool(link.get("held-back")), **found("HELD_BACK"))


def _switches(name: str, state: Mapping[str, Any], about: Mapping[str, list[Alarm]]) -> Iterable[Value]:
    for switch in state.get("switch", ()):
        path = ("SWITCH", name, switch["name"])
        found = _about(about, f"fabric/{name}/switch/{switch['name']}", "ERROR")
        yield Value((*path, "OVSDB"), FLAG, bool(switch.get("ovsdb-connected")), **found("OVSDB"))
        yield Value((*path, "OPENFLOW"), FLAG, bool(switch.get("openflow-connected")), **found("OPENFLOW"))
        yield Value((*path, "ERROR"), TEXT, switch.get("last-error"), **found("ERROR"))


def _about(about: Mapping[str, list[Alarm]], resource: str, otherwise: str) -> Any:
    alarms = about.get(resource, ())
    return lambda name: severity_of(each for each in alarms if ABOUT.get(each.type, otherwise) == name)


def _partition(data: Mapping[str, Any], about: Mapping[str, list[Alarm]]) -> Iterable[Value]:
    path = ("PARTITION", data["name"])
    alarms = about.get(f"fabric/{data.get('fabric')}/partition/{data['name']}", ())
    health = data.get("health", "none")
    impaired = severity_of(alarms) or ({"severity": Severity.MINOR, "text": concerns(data)} if health == "degraded" else {})
    yield choice((*path, "STATE"), PARTITION, data.get("state"), time=time_of(data.get("since")),
                 **severity_of(each for each in alarms if each.type == "partition-error"))
    yield choice((*path, "HEALTH"), HEALTH, health, **impaired)
    yield Value((*path, "FABRIC"), TEXT, data.get("fabric"))
    yield Value((*path, "BANDWIDTH"), GBPS, number(data.get("achievable-bandwidth")))
    yield Value((*path, "REQUIRED_BANDWIDTH"), GBPS, number(data.get("required-bandwidth")))
    yield Value((*path, "RUN_NUMBER"), INTEGER, data.get("run", {}).get("run-number") if data.get("state") == "running" else None)
    yield Value((*path, "REASON"), TEXT, data.get("reason"))
    yield Value((*path, "CONCERNS"), TEXT, concerns(data))


def concerns(data: Mapping[str, Any]) -> str:
    """The concerns of a partition, in one line."""
    every = [f"{each.get('kind', '')} {each.get('name', '')}: {each.get('detail', '')}" for each in data.get("concern", ())]
    return "; ".join(every[:CONCERNS] + ([f"and {len(every) - CONCERNS} more"] if len(every) > CONCERNS else []))


def number(given: Any) -> float | None:
    """A decimal64, which is a string in JSON; None for what is none."""
    if given is None:
        return None
    value = float(given)
    return value if math.isfinite(value) else None
