"""The results of a run, in total and per phase."""
from dataclasses import asdict, dataclass

from . import statistics

BUSY = 0.10  # of the machine's CPU time idle: below, it may be the machine that limits
NEAR = 0.90  # of the theoretical goodput: from there on it was not


@dataclass(frozen=True)
class Moment:
    """A mark and all counters at it."""
    name: str       # of the phase that begins
    at: float       # Unix time
    retransmits: int
    timeouts: int
    machine: object  # machine.Sample


@dataclass(frozen=True)
class Phase:
    name: str
    begin: float             # Unix time
    duration: float          # seconds
    events: int              # completed in it
    rejected: int            # of them, after the first stage
    event_rate: float        # per second
    goodput: float           # Mbit/s of event data
    goodput_ratio: float     # of the theoretical; None if no link is limited
    latency: object          # statistics.Latency, None without events; of an event that spans phases in the one it ends in
    retransmits: int         # segments
    timeouts: int            # of TCP retransmission
    ring_drops: int          # packets
    queue_drops: int
    machine_drops: int
    idle: float              # part of the machine's CPU time
    emulators: float         # part that ROS and DCMs took
    switches: float          # part that the switch daemons took

    @property
    def longest(self):
        """Latency of the event that took longest, ms."""
        return self.latency.max if self.latency else 0.0


@dataclass(frozen=True)
class Report:
    fabric: str
    ros: int
    dcms: int
    load: dict
    link_rate: float         # Mbit/s; None if links have no limit
    buffer: int              # packets
    bandwidth: float         # Mbit/s that the links carry of this pattern
    bottleneck: str
    theoretical: float       # goodput, Mbit/s, (A.12)
    total: Phase             # from the first mark to the last
    phases: list
    histogram: list          # [[ms, events]]
    drops: dict              # SWITCH:PORT -> packets, of the links that dropped any
    timeouts_from: str       # where they were counted
    refused: int             # events the supervisor had no DCM for
    unfinished: list         # ms that each event had taken that was not complete at the end
    lost: object             # packets that hosts sent and no host received, from the first connection to the last; None: not known
    limited_by: str          # in words

    def payload(self):
        return _hyphens(asdict(self))


def phase(name, begin, end, events, theoretical):
    """The phase between two moments; events: [Unix time, ms, bytes, whole], of the whole run."""
    mine = [e for e in events if begin.at <= e[0] < end.at]
    seconds = end.at - begin.at
    goodput = sum(e[2] for e in mine) * 8 / seconds / 1e6
    old, new = begin.machine, end.machine
    total = max(new.total - old.total, 1e-9)
    return Phase(name, round(begin.at, 6), round(seconds, 3), len(mine), sum(not e[3] for e in mine), round(len(mine) / seconds, 3),
                 round(goodput, 3), round(goodput / theoretical, 4) if theoretical else None, statistics.latency([e[1] for e in mine]),
                 end.retransmits - begin.retransmits, end.timeouts - begin.timeouts, max(0, new.rings - old.rings),
                 sum(dropped(begin, end).values()), max(0, new.lost - old.lost),
                 round((new.idle - old.idle) / total, 3), round((new.emulators - old.emulators) / total, 3),
                 round((new.switches - old.switches) / total, 3))


def dropped(begin, end):
    """SWITCH:PORT -> packets between two moments, of the links that dropped any; a restarted switch counts from 0."""
    old = begin.machine.queues
    return {port: count - old.get(port, 0) for port, count in end.machine.queues.items() if count > old.get(port, 0)}


def limited_by(whole):
    """What kept it from being quicker, in words."""
    lost = ""
    if whole.machine_drops:
        lost = f"; {whole.machine_drops} packets were lost inside the machine, by switches or hosts that got no CPU in time"
    if whole.idle >= BUSY:
        return f"the network: {whole.idle:.0%} of the machine's CPU time was idle{lost}"
    if whole.goodput_ratio and whole.goodput_ratio >= NEAR:
        return f"the network, but only {whole.idle:.0%} of the machine's CPU time was idle{lost}"
    if whole.queue_drops + whole.ring_drops:
        return f"losses in the network, perhaps the machine too: {whole.idle:.0%} of its CPU time was idle{lost}"
    return f"the machine: {whole.idle:.0%} of its CPU time was idle; use a lower link rate (`daqlab capacity`){lost}"


def text(report):
    """For people."""
    whole = report.total
    lines = [f"{report.fabric}: {report.ros} ROS, {report.dcms} DCMs, {whole.duration:.1f} s: {whole.events} events"
             + (f", {whole.rejected} of them rejected after the first stage" if report.load["l2"] else "")
             + f", {whole.event_rate:.1f} per second"]
    if report.theoretical:
        lines.append(f"  goodput {whole.goodput:.2f} Mbit/s, {whole.goodput_ratio:.1%} of {report.theoretical:.2f}, what "
                     f"{report.link_rate:g} Mbit/s links allow (bottleneck {report.bottleneck}); buffers {report.buffer} packets")
    else:
        lines.append(f"  goodput {whole.goodput:.2f} Mbit/s; links have no limit")
    if whole.latency:
        la = whole.latency
        lines.append(f"  latency mean {la.mean:.1f} ms, jitter {la.jitter:.1f}, median {la.p50:.1f}, p95 {la.p95:.1f}, p99 {la.p99:.1f}, "
                     f"max {la.max:.1f}")
    lines.append(f"  TCP: {whole.retransmits} segments retransmitted, {whole.timeouts} timeouts ({report.timeouts_from}); "
                 f"dropped: {whole.queue_drops} at links, {whole.ring_drops} at daqrings, {whole.machine_drops} by the machine")
    if report.lost is not None:
        lines.append(f"  packets: {report.lost} lost, from the first connection to the last")
    if report.refused or report.unfinished:
        lines.append(f"  {report.refused} events refused, {len(report.unfinished)} not complete at the end")
    lines.append(f"  limit: {report.limited_by}; ROS and DCMs took {whole.emulators:.0%}, switches {whole.switches:.0%}")
    if len(report.phases) > 1:
        lines += [f"  {p.name}: {p.events} events, goodput {p.goodput:.2f} Mbit/s, longest {p.longest:.1f} ms, "
                  f"{p.retransmits} retransmitted, {p.timeouts} timeouts" for p in report.phases]
    most = max((n for _, n in report.histogram), default=0)
    lines += [f"  to {ms:8g} ms {'#' * -(-40 * n // most):40} {n}" for ms, n in report.histogram]
    return "\n".join(lines)


def _hyphens(value):
    """As in the lab's other JSON; names of switches stay."""
    if isinstance(value, dict):
        return {k if ":" in k else k.replace("_", "-"): _hyphens(v) for k, v in value.items()}
    return [_hyphens(v) for v in value] if isinstance(value, (list, tuple)) else value
