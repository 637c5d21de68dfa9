"""What all plots share."""
import matplotlib

matplotlib.use("svg")
from matplotlib import ticker

OURS, OTHER, LIMIT, THESIS = "#1f5fa8", "#c2571a", "#666666", "#b3123a"
matplotlib.rcParams |= {"font.size": 9, "axes.grid": True, "grid.alpha": 0.3, "axes.spines.top": False, "axes.spines.right": False,
                        "figure.constrained_layout.use": True, "svg.hashsalt": "daqfabric", "legend.frameon": False}


def logarithmic(axes):
    """The y axis, labelled with plain numbers."""
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter(ticker.NullFormatter())


def scaled(spread, factor):
    return {name: value * factor for name, value in spread.items()}


def spans(axes, xs, spreads, color, label):
    axes.plot(xs, [s["median"] for s in spreads], "o-", markersize=3.5, color=color, label=label)
    bars(axes, xs, spreads, color)


def bars(axes, xs, spreads, color="black"):
    down, up = [s["median"] - s["min"] for s in spreads], [s["max"] - s["median"] for s in spreads]
    axes.errorbar(xs, [s["median"] for s in spreads], [down, up], fmt="none", ecolor=color, elinewidth=1, capsize=2)
