"""What the gateway serves, by whether a controller answers. Pure."""
from dataclasses import dataclass
from datetime import datetime

from .reading import Answers, values_of
from .values import EMPTY, FLAG, TEXT, Severity, Tree, Value, stamped, tree

CONNECTED = ("CONNECTED",)
CONTROLLER = ("CONTROLLER",)
SILENT = "no controller answers: this is the last known value"


@dataclass(frozen=True)
class View:
    """
    All values at a moment. When no controller answers they stay as the last known, until one does; only then what has
    gone meanwhile goes.
    """

    values: Tree

    @staticmethod
    def at_start(now: datetime) -> "View":
        """Nothing is known yet."""
        return View(EMPTY).failed("no controller has answered yet", now)

    def answered(self, url: str, answers: Answers, now: datetime) -> "View":
        """A controller has said what is."""
        own = (Value(CONNECTED, FLAG, True), Value(CONTROLLER, TEXT, url))
        return View(stamped(values_of(answers, self.values) | tree(own), self.values, now))

    def failed(self, problem: str, now: datetime) -> "View":
        """None of the controllers has answered as it should."""
        own = (Value(CONNECTED, FLAG, False, Severity.MAJOR, text=problem), Value(CONTROLLER, TEXT, None))
        return View(stamped(tree(each.stale(SILENT) for each in self.values.values()) | tree(own), self.values, now))
