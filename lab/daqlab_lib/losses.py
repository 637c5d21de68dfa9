"""Where and when requests of `ping` were lost: by path and by switch, with times, and what the kernel dropped meanwhile.

The paths are traced after the ping, as packets go then: after a repair that is another path than the lost ones took. Each trace
asks every switch on its path, so only some of the pairs are traced, as many destinations as possible, within seconds.
"""
import datetime
import time

from . import logs, netns, trace
from .errors import LabError

TRACES = 16
PATIENCE = 2.0  # seconds, after which no further trace is begun
SHOWN = 12  # lines of each kind in the text


def report(state, pairs, drops):
    """The part of ping's report. drops: those of each processor before it, as `logs.dropped` tells them."""
    lossy = [pair for pair in pairs if pair.waiting]
    paths = _traced(state, lossy)
    return {"lost-by-path": by_path(lossy, paths), "lost-by-switch": by_switch(pairs, lossy, paths), "softnet-drops": _since(drops)}


def _since(before):
    """Packets dropped on all processors since; None if the kernel does not tell."""
    now = logs.dropped()
    return sum(now) - sum(before) if now and len(now) == len(before) else None


def _traced(state, lossy):
    """(switch of the source, address of the destination) -> names of switches on the way, and how the trace ended if not there."""
    deadline = time.monotonic() + PATIENCE
    found = {}
    for pair in chosen(lossy):
        if time.monotonic() > deadline:
            break
        try:
            result = trace.trace(state, pair.source.name, pair.destination.name)
            end = None if result["result"] == "delivered" else f"{result['result']}: {result['detail']}"
            found[_way(pair)] = tuple(result["path"]), end
        except LabError:
            continue
    return found


def chosen(lossy):
    """A pair of each way, at most TRACES: a second one to the same destination comes after the first ones to all others."""
    ways, turns = {}, {}
    for pair in lossy:
        if _way(pair) not in ways:
            turns[pair.destination.address] = turn = turns.get(pair.destination.address, 0) + 1
            ways[_way(pair)] = turn, pair
    return [pair for _, pair in sorted(ways.values(), key=lambda each: each[0])][:TRACES]


def _way(pair):
    """What forwarding depends on."""
    return pair.source.switch, pair.destination.address


def by_path(lossy, paths):
    """Lost requests of the pairs that share a path, those with most first; the path is None for those that were not traced."""
    groups = {}
    for pair in lossy:
        groups.setdefault(paths.get(_way(pair), ((), None)), []).append(pair)
    return sorted(({"path": list(path) or None, "trace": end, "pairs": len(group)} | _sums(group) | _times(group)
                   for (path, end), group in groups.items()),
                  key=lambda row: (-row["lost"], row["path"] or []))


def by_switch(pairs, lossy, paths):
    """Lost requests that had a switch on their path. Of an edge switch all are known, and what was sent; of others those traced."""
    edges = {end.switch for pair in pairs for end in (pair.source, pair.destination)}
    rows = []
    for name in sorted(edges | {switch for path, _ in paths.values() for switch in path}):
        def passes(pair, name=name):
            ends = {pair.source.switch, pair.destination.switch}
            return name in ends or (name not in edges and name in paths.get(_way(pair), ((), None))[0])
        lost = [pair for pair in lossy if passes(pair)]
        if lost:
            sent = sum(pair.sent for pair in pairs if passes(pair)) if name in edges else None
            rows.append({"switch": name} | _sums(lost) | {"sent": sent} | _times(lost))
    return sorted(rows, key=lambda row: (-row["lost"], row["switch"]))


def _sums(pairs):
    return {"sent": sum(pair.sent for pair in pairs), "lost": sum(pair.lost for pair in pairs)}


def _times(pairs):
    """When the first and the last of their lost requests were sent."""
    sent = [when for pair in pairs for when in pair.waiting.values()]
    return {"first-lost": at(min(sent)), "last-lost": at(max(sent))}


def at(monotonic):
    """The time of day of nanoseconds of the monotonic clock."""
    ago = time.monotonic_ns() - monotonic
    return (datetime.datetime.now(datetime.UTC) - datetime.timedelta(microseconds=ago / 1e3)).isoformat()


def text(report):
    """Lines for people, none if nothing was lost."""
    if not report["lost-by-switch"]:
        return []
    lines = ["  by switch on the way (of leaves and spines as far as traced now):"]
    for row in report["lost-by-switch"][:SHOWN]:
        lines.append(f"    {row['switch']}: {row['lost']}{'' if row['sent'] is None else ' of ' + str(row['sent'])} lost, {_span(row)}")
    lines.append("  by path now:")
    for row in report["lost-by-path"][:SHOWN]:
        lines.append(f"    {' '.join(row['path'] or ['not traced'])}: {row['lost']} lost in {row['pairs']} pairs, {_span(row)}"
                     f"{'; the trace: ' + row['trace'] if row['trace'] else ''}")
    if report["softnet-drops"]:
        lines.append(f"  meanwhile the kernel dropped {report['softnet-drops']} packets before any switch or host, as too many waited "
                     f"for a processor (softnet_stat{_backlog()})")
    return lines


def _span(row):
    return f"from {row['first-lost'][11:23]} to {row['last-lost'][11:23]} UTC"


def _backlog():
    """Only the machine's own network namespace has the file."""
    try:
        return f"; net.core.netdev_max_backlog is {netns.read_sysctl('net.core.netdev_max_backlog')}"
    except OSError:
        return ""
