"""The plots, as those of the lab's experiments."""
import json

from matplotlib import pyplot as plt

from daqlab_lib.experiments import plots, thesis
from daqlab_lib.experiments.plot_parts import LIMIT, OTHER, OURS, THESIS


def draw(folder):
    """A plot beside the numbers of each figure."""
    for name, plot in PLOTS.items():
        numbers = folder / f"figure-{name}.json"
        if numbers.exists():
            figure = plot(json.loads(numbers.read_text()))
            figure.savefig(folder / f"figure-{name}.svg", metadata={"Date": None})
            plt.close(figure)


def _sizes(of_thesis):
    """The hosts of the thesis only: the lab's plot has one line."""
    def plot(document):
        points = [p for p in document["points"] if p["hosts"] == "static window" and p["repeats"][0]["events"]]
        return plots.ring_size({"points": points}, of_thesis)
    return plot


def _causes(document):
    figure, axes = plt.subplots(figsize=(9.5, 3))
    points = document["points"][::-1]
    axes.barh(range(len(points)), [100 * point["ratio"]["median"] for point in points], 0.7, color=OURS)
    axes.axvline(100 * thesis.FIGURE_6_9["1 plane, 1 spine", "default TCP"], color=THESIS, linestyle="--", label="thesis")
    axes.set(xlabel="goodput, % of what links allow", xlim=(0, 105), yticks=range(len(points)),
             yticklabels=[point["change"] for point in points])
    figure.legend(loc="outside upper right")
    return figure


def _farm(document):
    figure, axes = plt.subplots(figsize=(9.5, 3))
    points = document["points"]
    colors = dict(zip(sorted({point["buffer"] for point in points}), (OURS, OTHER)))
    for number, point in enumerate(points):
        axes.bar(number, 100 * point["ratio"]["median"], 0.7, color=colors[point["buffer"]],
                 label=f"ports of {point['buffer']} packets")
    axes.axhline(100, color=LIMIT, linestyle=":")
    axes.set(ylabel="goodput, % of the part\nof these DCMs", ylim=(0, 105), xticks=range(len(points)),
             xticklabels=[f"{point['failure']}\n{point['spine']}" for point in points])
    axes.tick_params(axis="x", labelsize=7)
    handles = dict(zip(*reversed(axes.get_legend_handles_labels())))
    axes.legend(handles.values(), handles.keys(), loc="lower right")
    return figure


def _whole(document):
    figure, axes = plt.subplots(figsize=(9.5, 3))
    points = document["points"]
    names = list(dict.fromkeys(point["failure"] for point in points))
    limits = sorted({point["limit"] for point in points})
    for number, (limit, color) in enumerate(zip(limits, (OURS, OTHER))):
        heights = [next(point["repeats"][0]["fullest"]["leaf-spine"] for point in points
                        if (point["failure"], point["limit"]) == (name, limit)) for name in names]
        axes.bar([place + 0.4 * number - 0.2 for place in range(len(names))], heights, 0.38, color=color,
                 label=f"limit {100 * limit:.0f} % of the share")
    axes.axhline(QUEUE, color=LIMIT, linestyle=":", label="a queue of a network card")
    axes.set(ylabel="packets at a port\nfrom leaf to spine, at most", yscale="log", xticks=range(len(names)), xticklabels=names)
    figure.legend(loc="outside upper right", ncols=3)
    return figure


QUEUE = 2048  # packets
PLOTS = {"5.8": _sizes(thesis.FIGURE_5_8), "5.10": _sizes(thesis.FIGURE_5_10), "6.8": plots.shaping, "6.9": plots.methods,
         "causes": _causes, "6.4": _whole, "atlas-whole": _whole, "atlas": _farm}
