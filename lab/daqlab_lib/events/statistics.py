"""Latencies in a few numbers."""
import math
from dataclasses import dataclass

BINS = 5  # of the histogram, per decade


@dataclass(frozen=True)
class Latency:
    """Milliseconds. Jitter as the thesis defines it (A.3): the standard deviation over all events, not a sample's."""
    mean: float
    jitter: float
    p50: float
    p95: float
    p99: float
    max: float


def latency(values):
    """Of a list; None if it is empty."""
    if not values:
        return None
    ordered = sorted(values)
    mean = math.fsum(ordered) / len(ordered)
    jitter = math.sqrt(math.fsum((v - mean) ** 2 for v in ordered) / len(ordered))
    return Latency(*(round(v, 3) for v in (mean, jitter, *(percentile(ordered, p) for p in (50, 95, 99)), ordered[-1])))


def percentile(ordered, percent):
    """The smallest value that this percentage of all values do not exceed (nearest rank)."""
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def histogram(values):
    """[[upper end in ms, events], ...], bins of equal width on a logarithmic scale, empty ones between others included."""
    counts = {}
    for value in values:
        index = math.ceil(round(BINS * math.log10(max(value, 1e-3)), 9))
        counts[index] = counts.get(index, 0) + 1
    if not counts:
        return []
    return [[float(f"{10 ** (i / BINS):.3g}"), counts.get(i, 0)] for i in range(min(counts), max(counts) + 1)]
