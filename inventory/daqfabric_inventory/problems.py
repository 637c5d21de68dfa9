"""Mistakes, and the places where they are."""
import dataclasses
import difflib
from collections.abc import Iterable

FEW = 20  # words that a message can list


class Failed(Exception):
    """Something could not be done at all: a file is missing, a server does not answer. The text says what to change."""


@dataclasses.dataclass(frozen=True)
class Place:
    """A row or cell of a table, or an object of NetBox and what it says."""

    source: str
    row: int | None = None
    column: str | None = None
    unit: str = "row"  # of YAML: line

    def __str__(self) -> str:
        row = f", {self.unit} {self.row}" if self.row else ""
        return f"{self.source}{row}" + (f", column {self.column}" if self.column and self.row else
                                        f", {self.column}" if self.column else "")


@dataclasses.dataclass(frozen=True)
class Finding:
    """Something that is wrong, or, if it is no error, worth a look."""

    place: Place
    message: str
    error: bool = True

    def __str__(self) -> str:
        return f"{self.place}: {'' if self.error else 'note: '}{self.message}"

    def order(self) -> tuple[bool, str, int, str, str]:
        """In the order of the tables: hosts before cables."""
        return self.place.source.endswith("cables.csv"), self.place.source, self.place.row or 0, self.place.column or "", self.message


def near(word: str, known: Iterable[str]) -> str | None:
    """Which of the known words was probably meant."""
    return next(iter(difflib.get_close_matches(word.lower(), list(known), n=1, cutoff=0.6)), None)


def unknown(kind: str, word: str, known: Iterable[str]) -> str:
    """Says that a word is none of the known ones, and which was probably meant, or which there are if they are few."""
    known = list(known)
    close = near(word, known)
    there = f"; there are {', '.join(known)}" if 0 < len(known) <= FEW else ""
    return f"there is no {kind} '{word}'" + (f"; did you mean '{close}'?" if close else there)
