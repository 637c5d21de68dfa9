"""Named values, and how a set of them differs from another. Pure."""
import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType

Path = tuple[str, ...]
Row = tuple[str, ...]


class Kind(enum.Enum):
    """What a value is. One that is not known, or does not apply, is None, whatever its kind."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    FLAG = "flag"
    CHOICE = "choice"
    TABLE = "table"


class Severity(enum.IntEnum):
    """The severities of EPICS."""

    NONE = 0
    MINOR = 1
    MAJOR = 2
    INVALID = 3


class Status(enum.Enum):
    """Whether a value is that of now."""

    GOOD = "good"
    LAST_KNOWN = "last known"


@dataclass(frozen=True)
class Type:
    """The type of a value; choices of a CHOICE, or columns of a TABLE, whose rows have a text for each."""

    kind: Kind
    unit: str = ""
    words: tuple[str, ...] = ()


TEXT = Type(Kind.TEXT)
INTEGER = Type(Kind.INTEGER)
FLAG = Type(Kind.FLAG)


@dataclass(frozen=True)
class Value:
    """A value with its alarm. Its time is when it came to be so; None for when it was read."""

    path: Path
    type: Type
    value: str | int | float | bool | tuple[Row, ...] | None
    severity: Severity = Severity.NONE
    status: Status = Status.GOOD
    text: str = ""
    time: datetime | None = None

    def stale(self, why: str) -> "Value":
        """The same as the last that is known."""
        return replace(self, severity=Severity.INVALID, status=Status.LAST_KNOWN, text=why, time=None)


Tree = Mapping[Path, Value]
EMPTY: Tree = MappingProxyType({})
STEP = timedelta(microseconds=1)


def tree(values: Iterable[Value]) -> Tree:
    """A tree of values, which cannot be changed."""
    return MappingProxyType({each.path: each for each in values})


def stamped(new: Tree, old: Tree, now: datetime) -> Tree:
    """
    Gives every value a time. That of a value never goes back, because archives drop what does: if the clock was set back,
    what changes is a microsecond later than before. One that stays as it is keeps its time.
    """
    return tree(_stamped(each, old.get(path), now) for path, each in new.items())


def _stamped(new: Value, old: Value | None, now: datetime) -> Value:
    before = old.time if old else None
    if before is None or (new.time and new.time > before):
        return new if new.time else replace(new, time=now)
    if replace(new, time=before) == old:
        return replace(new, time=before)
    return replace(new, time=max(now, before + STEP))


@dataclass(frozen=True)
class Difference:
    """What leads from one tree to another. A value whose type changes goes, and comes as another."""

    gone: tuple[Path, ...]
    come: tuple[Value, ...]
    changed: tuple[Value, ...]


def difference(old: Tree, new: Tree) -> Difference:
    """What must be done to what serves the old tree."""
    stay = {path for path in old if path in new and old[path].type == new[path].type}
    return Difference(tuple(path for path in old if path not in stay),
                      tuple(each for path, each in new.items() if path not in stay),
                      tuple(new[path] for path in old if path in stay and old[path] != new[path]))
