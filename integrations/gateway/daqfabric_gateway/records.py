"""Values as the normative types of EPICS."""
import math
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from p4p import Type as PvType, Value as Record
from p4p.nt import NTEnum, NTScalar, NTTable

from .values import Kind, Severity, Status, Type, Value

CODES = {Kind.TEXT: "s", Kind.INTEGER: "l", Kind.NUMBER: "d", Kind.FLAG: "?"}
# What EPICS has instead of 'not known'.
ABSENT = {Kind.TEXT: "", Kind.INTEGER: -1, Kind.NUMBER: math.nan, Kind.FLAG: False}
DEVICE, DRIVER = 1, 2  # EPICS's alarm status: the device says it, or it cannot be reached
EPOCH = datetime.fromisoformat("1970-01-01T00:00:00Z")


@cache
def type_of(kind: Type) -> PvType:
    """The normative type."""
    if kind.kind is Kind.CHOICE:
        return NTEnum.buildType()
    if kind.kind is Kind.TABLE:
        return NTTable.buildType([(column, "as") for column in kind.words])
    return NTScalar.buildType(CODES[kind.kind], display=bool(kind.unit))


def record_of(value: Value) -> Record:
    """All fields of a value, so that each is sent."""
    fields: dict[str, Any] = {"alarm": _alarm(value), "timeStamp": _time(value.time)}
    if value.type.kind is Kind.CHOICE:
        fields["value"] = {"choices": list(value.type.words), "index": value.type.words.index(value.value)}
    elif value.type.kind is Kind.TABLE:
        fields["labels"] = list(value.type.words)
        fields["value"] = {column: [row[number] for row in value.value] for number, column in enumerate(value.type.words)}
    else:
        fields["value"] = ABSENT[value.type.kind] if value.value is None else value.value
        if value.type.unit:
            fields["display"] = {"units": value.type.unit}
    return Record(type_of(value.type), fields)


def _alarm(value: Value) -> dict[str, Any]:
    status = DRIVER if value.status is Status.LAST_KNOWN else DEVICE if value.severity is not Severity.NONE else 0
    return {"severity": int(value.severity), "status": status, "message": value.text}


def _time(time: datetime | None) -> dict[str, int]:
    microseconds = (time - EPOCH) // timedelta(microseconds=1) if time else 0
    seconds, rest = divmod(microseconds, 1_000_000)
    return {"secondsPastEpoch": seconds, "nanoseconds": rest * 1000}
