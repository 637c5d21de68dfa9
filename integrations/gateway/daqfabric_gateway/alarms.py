"""Alarms of the controller, and the values that tell them. Pure."""
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from .values import INTEGER, TEXT, Kind, Severity, Type, Value

SEVERITIES = ("warning", "minor", "major", "critical")
EPICS = {"warning": Severity.MINOR, "minor": Severity.MINOR, "major": Severity.MAJOR, "critical": Severity.MAJOR}
SEVERITY = Type(Kind.CHOICE, words=(*SEVERITIES, "unknown"))
OPERATOR = Type(Kind.CHOICE, words=("none", "ack", "closed", "unknown"))
TABLE = Type(Kind.TABLE, words=("severity", "resource", "type", "text", "advice", "raised", "operator"))


@dataclass(frozen=True)
class Alarm:
    """An alarm that is raised and not shelved."""

    resource: str
    type: str
    severity: str
    text: str
    advice: str
    operator: str
    raised: str
    changed: datetime | None

    @property
    def rank(self) -> int:
        """Its place among severities; one that is not known counts as the highest."""
        return SEVERITIES.index(self.severity) if self.severity in SEVERITIES else len(SEVERITIES)


def alarms_of(data: Mapping[str, Any]) -> tuple[Alarm, ...]:
    """The alarms of container 'alarms' that are raised and not shelved, the worst first."""
    found = [Alarm(each["resource"], each["alarm-type-id"], each.get("perceived-severity", ""), each.get("alarm-text", ""),
                   each.get("advice", ""), each.get("operator-state", "none"), each.get("last-raised", ""),
                   time_of(each.get("last-changed")))
             for each in data.get("alarm", ()) if not each.get("is-cleared") and not each.get("shelved")]
    return tuple(sorted(found, key=lambda each: (-each.rank, each.resource, each.type)))


def time_of(text: str | None) -> datetime | None:
    """A date-and-time of YANG, to the microsecond."""
    if not text:
        return None
    time = datetime.fromisoformat(text)
    return time if time.tzinfo else None


def choice(path: tuple[str, ...], kind: Type, word: str | None, **rest: Any) -> Value:
    """A value of one of some words: 'unknown' for others, as of a newer controller."""
    return Value(path, kind, word if word in kind.words else "unknown", **rest)


def severity_of(alarms: Iterable[Alarm]) -> dict[str, Any]:
    """Severity and text of a value that some alarms are about: those of the worst."""
    worst = max(alarms, key=lambda each: each.rank, default=None)
    if worst is None:
        return {}
    return {"severity": EPICS.get(worst.severity, Severity.MAJOR), "text": f"{worst.type}: {worst.text}"}


def alarm_values(alarms: tuple[Alarm, ...]) -> Iterable[Value]:
    """All alarms as a table, their number, and each with values of its own."""
    worst = severity_of(alarms)
    yield Value(("ALARM_COUNT",), INTEGER, len(alarms), **worst)
    yield Value(("ALARMS",), TABLE, tuple((each.severity, each.resource, each.type, each.text, each.advice, each.raised, each.operator)
                                          for each in alarms), **worst)
    for each in alarms:
        own = {**severity_of([each]), "time": each.changed}
        path = ("ALARM", each.resource, each.type)
        yield choice((*path, "SEVERITY"), SEVERITY, each.severity, **own)
        yield Value((*path, "TEXT"), TEXT, each.text, **own)
        yield Value((*path, "ADVICE"), TEXT, each.advice, **own)
        yield choice((*path, "OPERATOR"), OPERATOR, each.operator, **own)
