"""What an experiment found: points, each with its repeats, and their spread."""
import statistics
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Point:
    at: dict       # what was set
    repeats: list  # of testbed.Repeat

    def values(self, name):
        return [getattr(each, name) for each in self.repeats]

    def median(self, name):
        return statistics.median(self.values(name))

    def total(self, name):
        return sum(self.values(name))

    def payload(self):
        return self.at | {"repeats": [asdict(each) for each in self.repeats]} | {
            name: spread(self.values(name)) for name in ("ratio", "mean", "jitter", "p99", "longest")}


def total(point, name):
    """Over the repeats of a point as it is written."""
    return sum(each[name] for each in point["repeats"])


def spread(values):
    return {"min": min(values), "median": round(statistics.median(values), 4), "max": max(values)}


def span(values, factor, digits):
    """A spread in words."""
    least, median, most = (f"{values[name] * factor:.{digits}f}" for name in ("min", "median", "max"))
    return median if least == most else f"{median} ({least}..{most})"


def named(point):
    """The configuration of a point, in words."""
    planes, spines = point["planes"], point["spines"]
    return f"{planes} plane{'s' * (planes > 1)}, {spines} spine{'s' * (spines > 1)}"
