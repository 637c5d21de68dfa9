"""Plots the growth of the engine's times and memory: engine_growth.py NUMBERS PLOT. Medians, one column per dimension."""
import json
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
from matplotlib import ticker

matplotlib.rcParams |= {"font.size": 9, "axes.grid": True, "grid.alpha": 0.3, "axes.spines.top": False, "axes.spines.right": False,
                        "figure.constrained_layout.use": True, "svg.hashsalt": "daqfabric", "legend.frameon": False}
TIMES = {"place": ("#1f5fa8", "o", "place"), "repair": ("#c2571a", "s", "place after a link"), "compile": ("#3a7d44", "^", "compile")}


def draw(points):
    dimensions = list(dict.fromkeys(p["dimension"] for p in points))
    figure, (times, memory) = plt.subplots(2, len(dimensions), figsize=(12, 5), sharex="col", sharey="row")
    for column, dimension in enumerate(dimensions):
        mine = [p for p in points if p["dimension"] == dimension]
        sizes = [p["size"] for p in mine]
        for key, (color, marker, label) in TIMES.items():
            times[column].plot(sizes, [p[key] for p in mine], marker=marker, color=color, markersize=4, label=label)
        memory[column].plot(sizes, [p["bytes"] / p["rules"] for p in mine], marker="o", color="#666666", markersize=4)
        times[column].set(xscale="log", yscale="log")
        memory[column].set(xlabel=dimension)
        memory[column].set_xticks(sizes, [str(size) for size in sizes])
        memory[column].xaxis.minorticks_off()
    times[0].yaxis.set_major_formatter(ticker.FormatStrFormatter("%g"))
    times[0].yaxis.set_minor_formatter(ticker.NullFormatter())
    memory[0].set_ylim(bottom=0)
    times[0].set_ylabel("median CPU time, ms")
    memory[0].set_ylabel("heap of all programs,\nbytes per rule")
    figure.legend(*times[0].get_legend_handles_labels(), loc="outside upper center", ncols=len(TIMES))
    return figure


if __name__ == "__main__":
    numbers, plot = map(pathlib.Path, sys.argv[1:])
    plot.parent.mkdir(parents=True, exist_ok=True)
    figure = draw([json.loads(line) for line in numbers.read_text().splitlines()])
    figure.savefig(plot, metadata={"Date": None})  # the same numbers give the same file
