"""The plots: what was measured as dots with the span of the repeats, the thesis's values as rings."""
import json

from matplotlib import pyplot as plt

from . import failover as failover_runs, incast_plots, thesis as of_thesis
from .plot_parts import LIMIT, OTHER, OURS, THESIS, bars, logarithmic, scaled, spans
from .results import named, total


def draw(target, folder):
    """A plot in the folder of each figure whose numbers are in the target folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, plot in PLOTS.items():
        numbers = target / f"figure-{name}.json"
        if numbers.exists():
            figure = plot(json.loads(numbers.read_text()))
            figure.savefig(folder / f"figure-{name}.svg", metadata={"Date": None})  # the same numbers give the same file
            plt.close(figure)


def ring_size(document, thesis_latency):
    """Goodput, latency and timeouts by ring size; thesis_latency: [(part of an event, latency / serialisation), ...]."""
    points = document["points"]
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(9.5, 3))
    parts = [p["of-event"] for p in points]
    spans(left, parts, [scaled(p["ratio"], 100) for p in points], OURS, None)
    left.axhline(100, color=LIMIT, linestyle=":")
    left.set(ylabel="goodput, % of the daqrings' limit", ylim=(0, 105))
    spans(middle, parts, [scaled(p["mean"], 1 / p["serialisation"]) for p in points], OURS, "mean")
    spans(middle, parts, [scaled(p["p99"], 1 / p["serialisation"]) for p in points], OTHER, "p99")
    middle.plot(*zip(*thesis_latency), "o", markerfacecolor="none", color=THESIS, label="thesis, mean")
    middle.axhline(1, color=LIMIT, linestyle=":")
    middle.set(ylabel="latency / serialisation time")
    logarithmic(middle)
    middle.legend()
    right.bar(range(len(points)), [total(p, "timeouts") / total(p, "events") for p in points],
              color=OURS)
    right.set(ylabel="TCP timeouts per event", xlabel="daqring, part of an event", xticks=range(len(points)),
              xticklabels=[f"{part:g}" for part in parts])
    right.tick_params(axis="x", rotation=60)
    for axes in (left, middle):
        axes.axvline(1, color=LIMIT, linewidth=0.8)
        ticks = {0.25: "1/4", 0.5: "1/2", 1.0: "1", 2.0: "2"}
        axes.set(xscale="log", xlabel="daqring, part of an event", xticks=[part for part in ticks if part in parts],
                 xticklabels=[text for part, text in ticks.items() if part in parts])
        axes.xaxis.minorticks_off()
    return figure


def shaping(document):
    """Goodput and latency by the limit, a column for each configuration, a line for each burst."""
    names = list(dict.fromkeys(named(p) for p in document["points"]))
    figure, rows = plt.subplots(2, len(names), figsize=(9.5, 5), sharex=True, sharey="row")
    for column, name in enumerate(names):
        points = [p for p in document["points"] if named(p) == name]
        for burst, color in zip(sorted({p["burst"] for p in points}), (OURS, OTHER)):
            mine = [p for p in points if p["burst"] == burst]
            parts = [100 * p["of-share"] for p in mine]
            label = f"burst {burst}"
            spans(rows[0][column], parts, [scaled(p["ratio"], 100) for p in mine], color, label)
            spans(rows[1][column], parts, [p["p99"] for p in mine], color, f"{label}, p99")
            rows[1][column].plot(parts, [p["mean"]["median"] for p in mine], "--", color=color, label=f"{label}, mean")
        limits = sorted({(100 * p["of-share"], min(100.0, 100 * p["of-links"])) for p in points})
        rows[0][column].plot(*zip(*limits), ":", color=LIMIT, label="the limit itself")
        rows[0][column].set(title=name, ylim=(0, 105))
        rows[1][column].set(xlabel="limit of a daqring, % of a DCM's\nshare of the rack's uplinks")
        logarithmic(rows[1][column])
    rows[0][0].set_ylabel("goodput, % of what links allow")
    rows[1][0].set_ylabel("latency, ms")
    rows[0][0].legend(loc="lower right")
    figure.legend(*rows[1][0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure


def methods(document):
    """Goodput and latency of every method, in groups of configurations."""
    thesis = of_thesis.FIGURE_6_9
    points = document["points"]
    names, kinds = (list(dict.fromkeys(values)) for values in ((named(p) for p in points), (p["method"] for p in points)))
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.6))
    colors = ("#7f7f7f", "#c2571a", "#d9a441", "#7fb2de", "#1f5fa8")
    width = 0.8 / len(kinds)
    for number, (kind, color) in enumerate(zip(kinds, colors)):
        mine = [next(p for p in points if named(p) == name and p["method"] == kind) for name in names]
        at = [group + (number - (len(kinds) - 1) / 2) * width for group in range(len(names))]
        for axes, leaf, factor in ((left, "ratio", 100), (right, "mean", 1)):
            axes.bar(at, [factor * p[leaf]["median"] for p in mine], width, color=color, label=kind)
            bars(axes, at, [scaled(p[leaf], factor) for p in mine])
        there = [(x, 100 * thesis[name, kind]) for x, name in zip(at, names) if (name, kind) in thesis]
        if there:
            left.plot(*zip(*there), "o", markerfacecolor="none", color=THESIS, label="_" if number else "thesis")
    left.axhline(100, color=LIMIT, linestyle=":")
    left.set(ylabel="goodput, % of what links allow")
    right.set(ylabel="mean latency, ms")
    logarithmic(right)
    for axes in (left, right):
        axes.set(xticks=range(len(names)), xticklabels=names)
        axes.tick_params(axis="x", labelsize=8)
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=6)
    return figure


def failover(document):
    """Goodput over time, a line for each run."""
    figure, axes = plt.subplots(figsize=(9.5, 3))
    runs = document["points"]
    for number, run in enumerate(runs):
        seconds = [index * failover_runs.BIN - run["cut"] for index in range(len(run["goodput"]))]
        axes.plot(seconds, [100 * part for part in run["goodput"]], color=OURS, alpha=0.4 + 0.2 * number, label=f"run {number + 1}")
    axes.axvspan(0, runs[0]["returned"] - runs[0]["cut"], color=THESIS, alpha=0.08, label="link cut")
    axes.axhline(100, color=LIMIT, linestyle=":")
    axes.set(xlabel="seconds after the cut", ylabel="goodput, % of the\ndaqrings' limit", ylim=(0, 115))
    axes.legend(loc="lower right", ncols=4)
    return figure


PLOTS = {
    "5.8": lambda document: ring_size(document, of_thesis.FIGURE_5_8),
    "5.10": lambda document: ring_size(document, of_thesis.FIGURE_5_10),
    "6.8": shaping,
    "6.9": methods,
    "6.10": failover,
} | incast_plots.PLOTS
