"""docs/simulation.md, from the numbers in docs/simulation."""
import json

from . import thesis
from .texts import AFTER, HEAD, TITLES
from daqlab_lib.experiments.results import named, total
from daqlab_lib.experiments.thesis import FIGURE_6_8, FIGURE_6_9


def write(numbers, docs):
    """The page; figures without numbers are left out."""
    lab = (docs / "experiments.md").read_text()
    parts = [HEAD]
    for figure, table in TABLES.items():
        file = numbers / f"figure-{figure}.json"
        if file.exists():
            document = json.loads(file.read_text())
            parts.append(f"## {TITLES[figure]}\n\n{table(document['points'], lab)}\n{AFTER[figure]}\n"
                         f"![{TITLES[figure]}](simulation/figure-{figure}.svg)\n\n"
                         f"Simulated {document['date']} on {document['machine']}, {document['minutes']:.1f} minutes: "
                         f"[figure-{figure}.json](simulation/figure-{figure}.json).\n")
    (docs / "simulation.md").write_text("\n".join(parts))


def _sizes(figure):
    def table(points, lab):
        of_lab = thesis.lab(lab, figure, "latency")
        rows = [[p["hosts"], p["ring-size"], f"{p['of-event']:.2f}", _percent(p["ratio"]), _times(p), _near(of_lab, p["of-event"]),
                 f"{p['jitter']['median']:.1f}", _per(p, "timeouts"), _per(p, "ring_drops")] for p in points]
        return _table(("hosts", "daqring, packets", "of an event", "goodput, % of the limit", "latency / serialisation",
                       "the lab's, at the same part", "jitter, ms", "timeouts per event", "dropped per event"), rows)
    return table


def _times(point):
    return f"{point['mean']['median'] / point['serialisation']:.2f}" if total(point, "events") else "no event complete"


def _near(of_lab, part):
    """The lab's value at a part of an event that differs by a twentieth at most."""
    near = min(of_lab, key=lambda key: abs(float(key[-1]) - part))
    return f"{of_lab[near]:.2f}" if abs(float(near[-1]) - part) <= 0.05 * max(part, 1) else ""


def _shaping(points, lab):
    rows = []
    for name, (burst, interval, limit, share) in FIGURE_6_8.items():
        mine = [p for p in points if named(p) == name]
        if mine:
            best = max(mine, key=lambda p: (not total(p, "timeouts") and not _ports(p), p["ratio"]["median"]))
            rows.append([name, f"{best['burst']}, {best['polling-interval']} us", _ports(best),
                         f"{100 * best['of-share']:.0f}", _percent(best["ratio"]),
                         f"{best['p99']['median']:.1f}", f"{burst}, {interval} us, {100 * limit / share:.0f} %",
                         f"{thesis.lab(lab, '6.8', 'limit')[(name,)]:.0f} %"])
    return _table(("", "best: burst, interval", "lost", "limit, % of the share", "goodput, % of what links allow", "p99 latency, ms",
                   "thesis: burst, interval, share", "lab: share"), rows)


def _methods(points, lab):
    of_lab = thesis.lab(lab, "6.9", "goodput")
    rows = []
    for p in points:
        key = named(p), p["method"]
        ratio, latency = FIGURE_6_9.get(key), thesis.LATENCY.get(key)
        rows.append([*key, _percent(p["ratio"]), f"{100 * ratio:.1f}" if ratio else "", f"{of_lab[key]:.1f}" if key in of_lab else "",
                     f"{p['mean']['median']:.1f}", f"{latency[0]:g}" if latency else "", f"{p['jitter']['median']:.1f}",
                     f"{latency[1]:g}" if latency else "", total(p, "timeouts"), _drops(p)])
    return _table(("", "", "goodput, %", "thesis", "lab", "latency, ms", "thesis", "jitter, ms", "thesis", "timeouts", "dropped"), rows)


def _causes(points, _lab):
    rows = [[p["change"], _percent(p["ratio"]), f"{p['mean']['median']:.1f}", f"{p['jitter']['median']:.1f}", total(p, "timeouts"),
             _drops(p)] for p in points]
    return _table(("default TCP, 1 plane, 1 spine", "goodput, %", "latency, ms", "jitter, ms", "timeouts", "dropped"), rows)


def _farm(points, _lab):
    rows = []
    for p in points:
        fullest = ", ".join(f"{kind} {most}" for kind, most in _switches(p["repeats"][0]["fullest"]))
        rows.append([p["failure"], p["spine"], p["dcms"], p["buffer"], f"{p['bandwidth']:.1f}", _percent(p["ratio"]),
                     f"{p['mean']['median'] / p['serialisation']:.2f}" if total(p, "events") else "", total(p, "timeouts"), _drops(p),
                     p["repeats"][0]["ring_most"], fullest])
    return _table(("fails", "spine", "its DCMs", "a port holds", "bandwidth, Gbps", "goodput, % of their part",
                   "latency / serialisation", "timeouts", "dropped", "most in a daqring", "most at a port"), rows)


def _whole(points, _lab):
    rows = []
    for p in points:
        first = p["repeats"][0]
        fullest = ", ".join(f"{kind} {most}" for kind, most in _switches(first["fullest"]))
        rows.append([p["failure"], f"{p['bandwidth']:.1f}", f"{100 * p['limit']:.0f}", p["serialisation"], _percent(p["ratio"]),
                     f"{p['mean']['median'] / p['serialisation']:.2f}" if first["events"] else "", f"{p['p99']['median']:.1f}",
                     first["ring_most"], fullest, f"{first['forwarded'] / 1e6:.1f}"])
    return _table(("fails", "bandwidth, Gbps", "limit, % of the share", "serialisation, ms", "goodput, % of the limit",
                   "latency / serialisation", "p99 latency, ms", "most in a daqring", "most at a port",
                   "packets over links, millions"), rows)


def _switches(by_kind):
    """The three kinds of ports of switches at which most packets waited."""
    return [(kind, most) for kind, most in sorted(by_kind.items(), key=lambda item: -item[1])
            if not kind.startswith(("ros-", "rack-", "bus-"))][:3]


def _ports(point):
    return sum(sum(each["port_drops"].values()) for each in point["repeats"])


def _drops(point):
    by_kind = {}
    for each in point["repeats"]:
        for kind, count in each["port_drops"].items():
            by_kind[kind] = by_kind.get(kind, 0) + count
        if each["ring_drops"]:
            by_kind["daqrings"] = by_kind.get("daqrings", 0) + each["ring_drops"]
    return ", ".join(f"{kind} {count}" for kind, count in sorted(by_kind.items())) or "0"


def _percent(spread):
    return f"{100 * spread['median']:.1f}"


def _per(point, name):
    events = total(point, "events")
    return f"{total(point, name) / events:.2g}" if events else f"({total(point, name)})"


def _table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines) + "\n"


TABLES = {"5.8": _sizes("5.8"), "5.10": _sizes("5.10"), "6.8": _shaping, "6.9": _methods, "causes": _causes, "6.4": _whole,
          "atlas-whole": _whole, "atlas": _farm}
