"""The plots of incast_pages, with what rpc incast predicts drawn into each."""
from matplotlib import pyplot as plt

from . import incast_pages
from .plot_parts import LIMIT, OTHER, OURS, THESIS, scaled, spans

COLORS = (OURS, OTHER, "#3a8f5c", "#8a5fb0")


def credits(document):
    """Goodput and losses by credits."""
    return _by_sum(document, {"credits": lambda p: p["number"]}, "least-credits", "most-credits", "credits")


def windows(document):
    """The same by the sum of windows."""
    methods = {"cwnd": incast_pages.window_sum, "gwnd": incast_pages.window_sum}
    return _by_sum(document, methods, "least-gwnd", "most-gwnd", "sum of windows, packets")


def _by_sum(document, methods, least, most, label):
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.2), sharex=True)
    predicted = document["points"][0]["predicted"]
    for (method, place), color in zip(methods.items(), COLORS):
        mine = [p for p in document["points"] if p["method"] == method]
        xs = [place(p) for p in mine]
        spans(left, xs, [scaled(p["ratio"], 100) for p in mine], color, f"measured, {method}")
        right.plot(xs, [_dropped(p) for p in mine], "o-", markersize=3.5, color=color, label=method)
    rising = [place(p) for p in document["points"] if place(p) < predicted[least]] + [predicted[least]]
    left.plot([*sorted(rising), predicted[most]], [*(100 * x / predicted[least] for x in sorted(rising)), 100], ":", color=THESIS,
              label="predicted by rpc incast")
    for axes in (left, right):
        axes.axvspan(predicted[least], predicted[most], color=THESIS, alpha=0.08)
        axes.set(xscale="log", xlabel=label)
    left.set(ylabel="goodput, % of the link", ylim=(0, 105))
    right.set(ylabel="packets dropped per event\n(none predicted where shaded)")
    left.legend(loc="lower left", fontsize=7)
    return figure


def buffers(document):
    """Goodput and losses by buffer; a dotted line from which on the buffer is predicted to be enough."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.4), sharex=True)
    for method, color in zip(dict.fromkeys(p["method"] for p in document["points"]), COLORS):
        mine = [p for p in document["points"] if p["method"] == method]
        xs = [p["buffer"] for p in mine]
        spans(left, xs, [scaled(p["ratio"], 100) for p in mine], color, method)
        right.plot(xs, [_dropped(p) for p in mine], "o-", markersize=3.5, color=color)
        enough = (mine[0]["in-flight"] - mine[0]["predicted"]["bdp"]) / 1500
        for axes in (left, right):
            axes.axvline(enough, color=color, linestyle=":", linewidth=1.5)
    for axes in (left, right):
        axes.set(xscale="log", xlabel="buffer before the DCM, packets\n(dotted: enough from here on, by rpc incast)")
    left.set(ylabel="goodput, % of the link", ylim=(0, 105))
    right.set(ylabel="packets dropped per event")
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure


def round_trips(document):
    """Goodput by round trip, and dotted what is predicted."""
    figure, axes = plt.subplots(figsize=(9.5, 3.4))
    for method, color in zip(dict.fromkeys(p["method"] for p in document["points"]), COLORS):
        mine = [p for p in document["points"] if p["method"] == method]
        xs = [p["rtt"] / 1e3 for p in mine]
        spans(axes, xs, [scaled(p["ratio"], 100) for p in mine], color, method)
        axes.plot(xs, [100 * incast_pages.predicted_goodput(p) for p in mine], ":", color=color)
    axes.plot([], [], ":", color=LIMIT, label="predicted by rpc incast")
    axes.set(xlabel="round trip, ms", ylabel="goodput, % of the link", ylim=(0, 105))
    axes.legend(fontsize=8)
    return figure


def first_events(document):
    """Latency by round trip."""
    figure, axes = plt.subplots(figsize=(9.5, 3))
    for method, color in zip(dict.fromkeys(p["method"] for p in document["points"]), COLORS):
        mine = [p for p in document["points"] if p["method"] == method]
        spans(axes, [p["rtt"] / 1e3 for p in mine], [p["mean"] for p in mine], color, f"hosts {method}")
    axes.plot([p["rtt"] / 1e3 for p in mine], [incast_pages.at_least(p) for p in mine], ":", color=LIMIT,
              label="a round trip and the event on the link")
    axes.set(xlabel="round trip, ms", ylabel="latency of an event, ms")
    axes.legend(fontsize=8)
    return figure


def _dropped(point):
    return sum(r["queue_drops"] + r["ring_drops"] for r in point["repeats"]) / sum(r["events"] for r in point["repeats"])


PLOTS = {"credits": credits, "windows": windows, "buffers": buffers, "round-trips": round_trips, "first-events": first_events}
