"""docs/experiments.md, from the numbers in target/experiments."""
import json

from . import scale
from .results import named, total
from .thesis import FIGURE_6_8, FIGURE_6_9

HEAD = f"""# Experiments

The thesis's evaluation of daqrings, repeated on virtual fabrics of one machine with

    make experiments      # half an hour; numbers in target/experiments/figure-*.json

which writes this page and its plots. Real Open vSwitch with daqrings, programmed by the controller; real TCP (cubic) between
network namespaces; all ROS answer all DCMs at once, each DCM asks for its next event when it has one (`daqlab events`).

**Scale.** Two CPUs forward a thousandth of what the thesis's servers did, so links have {scale.LINKS.rate:g} Mbit/s instead of 10 Gbps and
an event is 12 packets instead of some 500. It takes a quarter of a second instead of 5 ms; TCP's smallest timeout is
{scale.RTO_MIN / 1e3:g} s instead of 200 ms, so that a timeout costs some ten events (in the thesis 13 to 40; with 200 ms default TCP reached 86 %
of what 2 planes with 2 spines allow, measured once), but in figures 5.10 and 6.10, where it is Linux's own 200 ms. Switches have deep buffers ({scale.LINKS.buffer} packets), as servers do; before an edge host
there are {scale.LINKS.edge_buffer}, as in a network card. What can be compared is therefore the part of the limit that is reached, not Mbit/s; and
latency in units of the time an event takes at the limit, not ms.

Goodput is event data per second as a part of what the links carry of it, equations (6.1) and (A.12). Every value is the median
of repeats, each with new connections, in brackets the least and the most; jitter is the standard deviation of the latency.
"""


def write(target, docs):
    """The page, of the figures whose numbers are in the target folder."""
    parts = [HEAD]
    for figure, section in SECTIONS.items():
        numbers = target / f"figure-{figure}.json"
        if numbers.exists():
            document = json.loads(numbers.read_text())
            parts.append(f"{section(document)}\n![Figure {figure}](experiments/figure-{figure}.svg)\n\n"
                         f"Measured {document['date']} on {document['machine']}.\n")
    (docs / "experiments.md").write_text("\n".join(parts))


def _figure_5_8(document):
    return f"""## Figure 5.8: size of the daqrings

11 ROS, 12 DCMs (thesis: 144), each daqring limited to a twelfth of 36 Mbit/s. An event is {document["points"][0]["event-packets"]} packets in 11 TCP flows
(thesis: 990 in 11).

{_sizes(document)}
In the thesis daqrings of 128 and 512 packets, 1/8 and 1/2 of an event, were too small, and from there on latency was 17.2 ms,
1.10 of the serialisation time. Here a daqring must hold a little more than one event: Linux sends the last segment of a flow once
more when its acknowledgement is later than usual (tail loss probe), three of four events have one, and where a daqring holds just
the event that is one packet too much, which then costs two seconds. So the controller makes daqrings of an event and one packet
of each ROS. In figure 5.10 flows of a single segment are not probed.
"""


def _figure_5_10(document):
    return f"""## Figure 5.10: one DCM, 110 ROS applications

Ten readout applications on each of 11 ROS, one DCM. An event is {document["points"][0]["event-packets"]} packets in 110 TCP flows (thesis: 9790 in 110) and takes
{document["points"][0]["serialisation"]:.0f} ms at the daqring's limit (thesis: 156 ms).

{_sizes(document)}
Thesis: 159 ms, 1.02, from 9000 packets (0.92 of an event) on; at less than 5000 (0.51) every event meets a timeout. The part of an
event that must fit is larger here, as less leaves the daqring while the event arrives: one packet of each ROS, all within some ms,
in the thesis 89 of each with the pauses of a growing window between.
"""


def _sizes(document):
    lines = ["| daqring, packets | of an event | goodput, % of the limit | latency / serialisation | jitter, % of mean | timeouts per event | dropped per event |",
             "|---|---|---|---|---|---|---|"]
    for p in document["points"]:
        events = total(p, "events")
        lines.append(f"| {p['ring-size']} | {p['of-event']:g} | {_spread(p['ratio'], 100, 1)} | {_spread(p['mean'], 1 / p['serialisation'], 2)} | "
                     f"{100 * p['jitter']['median'] / p['mean']['median']:.1f} | {_per(p, 'timeouts', events)} | {_per(p, 'ring_drops', events)} |")
    return "\n".join(lines) + "\n"


def _figure_6_8(document):
    lines = ["| | best here without a timeout: burst, interval | limit, % of the share | goodput, % | p99 latency, ms | thesis: burst, interval, % of the share |",
             "|---|---|---|---|---|---|"]
    for name, (burst, interval, limit, share) in FIGURE_6_8.items():
        best = max((p for p in document["points"] if named(p) == name), key=_best, default=None)
        if best:
            lines.append(f"| {name} | {best['burst']}, {best['polling-interval'] / 1e3:.1f} ms | {100 * best['of-share']:.0f} | {_spread(best['ratio'], 100, 1)} | "
                         f"{_spread(best['p99'], 1, 0)} | {burst}, {interval} us, {100 * limit / share:.0f} |")
    return """## Figure 6.8: burst against interval

6 ROS, 48 DCMs, daqrings on all switches, their limit varied around the share that each DCM has of its rack's uplinks.

""" + "\n".join(lines) + """

As in the thesis goodput grows with the limit up to a point and falls behind it, when the daqrings of a rack together send more than
reaches it. That point is the capacity of the rack's uplinks here; in the thesis it was below, at the PCIe bus of its hosts. With
one spine, or one plane, links between leaf and spine are full before, so that the limit matters less. Intervals were tuned together
with the burst in the thesis, as a poll that came late lost its turn; here it catches up (`credit`,
[daqring.md](daqring.md#options)), and the burst matters only as far as the buffers that follow must hold it.
"""


def _best(point):
    """The most goodput without a timeout."""
    return not total(point, "timeouts"), point["ratio"]["median"]


def _figure_6_9(document):
    lines = ["| | | goodput, % | thesis, % | latency, ms | jitter, % of mean | timeouts | dropped at links | in daqrings |", "|---|---|---|---|---|---|---|---|---|"]
    for p in document["points"]:
        thesis = FIGURE_6_9.get((named(p), p["method"]))
        lines.append(f"| {named(p)} | {p['method']} | {_spread(p['ratio'], 100, 1)} | {f'{100 * thesis:.1f}' if thesis else ''} | {_spread(p['mean'], 1, 0)} | "
                     f"{100 * p['jitter']['median'] / p['mean']['median']:.0f} | {total(p, 'timeouts')} | {total(p, 'queue_drops')} | {total(p, 'ring_drops')} |")
    return """## Figure 6.9: five ways to meet incast

6 ROS, 48 DCMs, all at once. Default TCP and nothing else; one fragment asked for at a time by each DCM (credits); two segments under way
per connection (fixed window); daqrings of 4096 packets; the same limited to a DCM's share
of its rack's uplinks.

""" + "\n".join(lines) + """

Counts are of all repeats together. As in the thesis limited daqrings lose nothing, and their jitter is a fraction of all others'.
Without a limit daqrings hand the burst on to the shallow buffer before the rack, and are no better than none. Credits lose next to
nothing either, but wait for one fragment after the other.

Where it differs: with one spine in a plane the links between leaf and spine are the bottleneck. Buffers before them are deep here,
so TCP keeps them busy without daqrings too, and what is lost before the racks costs little; with two spines the racks' uplinks are the
bottleneck, and all of it is lost there. No more than 92 % can be reached with one spine: the full links also carry the requests and
acknowledgements of what flows the other way, 9 % on top with events this small, which equation (A.12) does not count. In the thesis the hosts' PCIe bus (12.19 Gbps) was slower than their links, so all
configurations collapsed before the hosts, and limited daqrings could reach only 51.7 and 45.8 % of what the links of two planes
allow. The thesis did not measure credits and windows on this fabric.
"""


def _figure_6_10(document):
    lines = ["| run | goodput back after, s | longest event, ms | usually, ms | events | lost | segments sent again | timeouts |", "|---|---|---|---|---|---|---|---|"]
    for number, run in enumerate(document["points"], 1):
        lines.append(f"| {number} | {run['recovery']:.1f} | {run['longest']:.0f} | {run['usual']:.0f} | {run['events']} | {run['lost']} | "
                     f"{run['retransmits']} | {run['timeouts']} |")
    return """## Figure 6.10: a link cut under traffic

2 planes, 2 spines, all 48 DCMs (thesis: the 8 of one rack). The link from spine to leaf that carries most is cut for 6 s and
returns. Daqrings are limited to 80 % of that share, what the fabric carries without that link (96 of 120 Gbps), so
that the cut overloads nothing.

""" + "\n".join(lines) + """

Goodput counts as back at 90 % of what it was, averaged over half a second; 0.0 s: it was never below. The thesis's controller took up to 130 s, as it looked up all
connections on all hosts again, and the link was back by then. Here switches turn to another spine by themselves and the
controller spreads the DCMs anew; what is seen is TCP, which waits for its timeout (200 ms) where a whole window was lost.
"""


def _spread(spread, factor, digits):
    least, median, most = (f"{spread[name] * factor:.{digits}f}" for name in ("min", "median", "max"))
    return median if least == most else f"{median} ({least}..{most})"


def _per(point, name, events):
    return f"{total(point, name) / events:.2g}"


SECTIONS = {"5.8": _figure_5_8, "5.10": _figure_5_10, "6.8": _figure_6_8, "6.9": _figure_6_9, "6.10": _figure_6_10}
