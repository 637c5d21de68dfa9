"""docs/experiments.md, from the numbers in target/experiments."""
import json
import re

from . import incast_pages, scale
from .results import named, span, total
from .thesis import FIGURE_6_8, FIGURE_6_9

HEAD = f"""# Experiments

The thesis's evaluation of daqrings, repeated on virtual fabrics of one machine with

    make experiments                      # an hour; numbers in target/experiments/figure-*.json
    scripts/experiments credits windows   # some figures; the others stay as they are

This command writes the page and its plots. The switches are real Open vSwitch with daqrings, programmed by the
controller; the traffic is real TCP (cubic) between network namespaces. All ROS answer all DCMs at once, and a DCM
requests its next event when it has received one (`daqlab events`).

**Scale.** Two CPUs forward far less than the thesis's servers did, so links have {scale.LINKS.rate:g} Mbit/s instead of 10 Gbps, and an
event has 12 packets instead of about 500. With two planes an event then takes a quarter of a second instead of 5 ms.
TCP's smallest timeout is {scale.RTO_MIN / 1e3:g} s instead of 200 ms, so that a timeout costs about ten events (in the thesis 13 to 40);
200 ms would be shorter than an event, and timeouts would hardly show. Figures 5.10 and 6.10 use Linux's own 200 ms.
Ports of leaves and spines have deep buffers ({scale.LINKS.buffer} packets), as servers do, but ports to edge switches only {scale.LINKS.edge_buffer} packets, as
network cards do. So compare the part of the limit that is reached, not Mbit/s, and latency in units of the time that an
event takes at the limit, not in ms.

Goodput is event data per second, as a part of what the links can carry of it by equations (6.1) and (A.12). In figures
5.8 to 6.9 every value is the median of several repeats, each with new connections; brackets give the minimum and maximum.
Jitter is the standard deviation of the latency.
"""


def write(target, docs):
    """The page; figures whose numbers are not in the target folder stay as the page has them."""
    page = docs / "experiments.md"
    old = _sections(page.read_text()) if page.exists() else {}
    parts = [HEAD]
    for figure, section in SECTIONS.items():
        numbers = target / f"figure-{figure}.json"
        if numbers.exists():
            document = json.loads(numbers.read_text())
            parts.append(f"{section(document)}\n![Figure {figure}](experiments/figure-{figure}.svg)\n\n"
                         f"Measured {document['date']} on {document['machine']}.\n")
        elif figure in old:
            parts.append(old[figure])
    page.write_text("\n".join(parts))


def _sections(page):
    """figure -> its section."""
    sections = ["## " + each.rstrip() + "\n" for each in page.split("\n## ")[1:]]
    return {figure: each for each in sections for figure in re.findall(r"\(experiments/figure-(\S+)\.svg\)", each)}


def _figure_5_8(document):
    return f"""## Figure 5.8: size of the daqrings

11 ROS and 12 DCMs (thesis: 144); each daqring is limited to a twelfth of 36 Mbit/s. An event has {document["points"][0]["event-packets"]} packets in 11 TCP
flows (thesis: 990 in 11).

{_sizes(document)}
In the thesis daqrings of 128 and 512 packets (1/8 and 1/2 of an event) were too small; with larger ones the latency was
17.2 ms, 1.10 of the serialisation time. Here a daqring must hold a little more than one event. When an acknowledgement
is later than usual, Linux sends the last segment of the flow a second time (tail loss probe), which happens in most
events. A daqring that holds exactly one event has no room for this packet, and the loss costs a timeout of two seconds.
So the controller's default size of a daqring is an event and one packet of each ROS. The flows of figure 5.10 have a
single segment and are not probed.
"""


def _figure_5_10(document):
    return f"""## Figure 5.10: one DCM, 110 ROS applications

Ten readout applications on each of 11 ROS, and one DCM. An event has {document["points"][0]["event-packets"]} packets in 110 TCP flows (thesis: 9790 in 110)
and takes {document["points"][0]["serialisation"]:.0f} ms at the daqring's limit (thesis: 156 ms).

{_sizes(document)}
In the thesis the latency was 159 ms, 1.02 of the serialisation time, with daqrings of 9000 packets (0.92 of an event) or
more; with fewer than 5000 packets (0.51) every event met a timeout. Here a larger part of an event must fit into the
daqring, because less leaves it while the event arrives: each flow sends one packet, and all at almost the same time. In
the thesis each flow sent 89 packets, with pauses while its window grew.
"""


def _sizes(document):
    lines = ["| daqring, packets | of an event | goodput, % of the limit | latency / serialisation | jitter, % of mean | timeouts per event | dropped per event |",
             "|---|---|---|---|---|---|---|"]
    for p in document["points"]:
        events = total(p, "events")
        lines.append(f"| {p['ring-size']} | {p['of-event']:g} | {span(p['ratio'], 100, 1)} | {span(p['mean'], 1 / p['serialisation'], 2)} | "
                     f"{100 * p['jitter']['median'] / p['mean']['median']:.1f} | {_per(p, 'timeouts', events)} | {_per(p, 'ring_drops', events)} |")
    return "\n".join(lines) + "\n"


def _figure_6_8(document):
    lines = ["| | best here without a timeout: burst, interval | limit, % of the share | goodput, % | p99 latency, ms | thesis: burst, interval, % of the share |",
             "|---|---|---|---|---|---|"]
    for name, (burst, interval, limit, share) in FIGURE_6_8.items():
        best = max((p for p in document["points"] if named(p) == name), key=_best, default=None)
        if best:
            lines.append(f"| {name} | {best['burst']}, {best['polling-interval'] / 1e3:.1f} ms | {100 * best['of-share']:.0f} | {span(best['ratio'], 100, 1)} | "
                         f"{span(best['p99'], 1, 0)} | {burst}, {interval} us, {100 * limit / share:.0f} |")
    return """## Figure 6.8: burst against interval

6 ROS and 48 DCMs, with daqrings on all switches. Their limit varies around each DCM's share of its rack's uplinks.

""" + "\n".join(lines) + """

As in the thesis, goodput grows with the limit up to a point and falls beyond it, when the daqrings of a rack together
send more than can reach the rack. Here that point is the capacity of the rack's uplinks; in the thesis it was lower, at
the PCIe bus of the hosts. With one spine or one plane the links between leaf and spine fill up first, so the limit
matters less. In the thesis the interval was tuned together with the burst, because a late poll lost its turn. Here a
late poll catches up (`credit`, [daqring.md](daqring.md#options)), and the burst matters only because the buffers behind
the daqring must hold it.
"""


def _best(point):
    """The most goodput without a timeout."""
    return not total(point, "timeouts"), point["ratio"]["median"]


def _figure_6_9(document):
    lines = ["| | | goodput, % | thesis, % | latency, ms | jitter, % of mean | timeouts | dropped at links | in daqrings |", "|---|---|---|---|---|---|---|---|---|"]
    for p in document["points"]:
        thesis = FIGURE_6_9.get((named(p), p["method"]))
        lines.append(f"| {named(p)} | {p['method']} | {span(p['ratio'], 100, 1)} | {f'{100 * thesis:.1f}' if thesis else ''} | {span(p['mean'], 1, 0)} | "
                     f"{100 * p['jitter']['median'] / p['mean']['median']:.0f} | {total(p, 'timeouts')} | {total(p, 'queue_drops')} | {total(p, 'ring_drops')} |")
    return """## Figure 6.9: five ways to handle incast

6 ROS and 48 DCMs, all at once, with: default TCP and nothing else; credits (each DCM requests one fragment at a time); a
fixed window (two segments in flight per connection); daqrings of 4096 packets; and the same daqrings, limited to a
DCM's share of its rack's uplinks.

""" + "\n".join(lines) + """

Counts are sums over all repeats. As in the thesis, limited daqrings lose nothing and have the lowest jitter. Daqrings
without a limit pass the burst on to the shallow buffer before the rack, and are no better than none. Credits lose
almost nothing either, but each fragment waits for the one before.

Differences from the thesis: with one spine in a plane the links between leaf and spine are the bottleneck. The buffers
before these links are deep here, so TCP keeps the links busy without daqrings too, and what is lost before the racks
costs little. With two spines the racks' uplinks are the bottleneck, and all losses occur there.
With one spine goodput cannot reach the limit: the full links also carry the requests and acknowledgements for the
traffic in the other direction. Equation (A.12) does not count these, and their part is larger the smaller the events
are. In the thesis the hosts' PCIe bus (12.19 Gbps) was slower than their links, so all configurations collapsed before
the hosts, and limited daqrings could reach only 51.7 and 45.8 % of what the links of two planes allow. The thesis did
not measure credits and windows on this fabric.
"""


def _figure_6_10(document):
    lines = ["| run | goodput back after, s | longest event, ms | median before the cut, ms | events | lost events | retransmitted segments | timeouts |", "|---|---|---|---|---|---|---|---|"]
    for number, run in enumerate(document["points"], 1):
        lines.append(f"| {number} | {run['recovery']:.1f} | {run['longest']:.0f} | {run['usual']:.0f} | {run['events']} | {run['lost']} | "
                     f"{run['retransmits']} | {run['timeouts']} |")
    return """## Figure 6.10: a link cut under traffic

2 planes with 2 spines each, and all 48 DCMs (thesis: the 8 of one rack). The link from a spine to a leaf that carries
most is cut for 6 s and then restored. Daqrings are limited to 80 % of a DCM's share of the bandwidth. The fabric carries
that without the link too (96 of 120 Gbps), so the cut overloads nothing.

""" + "\n".join(lines) + """

Goodput counts as back when it has returned to 90 % of what it was before the cut, averaged over half a second; 0.0 s
means that it never fell below that. The thesis's controller took up to 130 s, because it looked up all connections on
all hosts again; by then the link was back. Here the switches fail over to another spine by themselves, and the
controller distributes the DCMs again. What remains visible is TCP's timeout (200 ms), where a whole window was lost.
"""


def _per(point, name, events):
    return f"{total(point, name) / events:.2g}"


SECTIONS = {"5.8": _figure_5_8, "5.10": _figure_5_10, "6.8": _figure_6_8, "6.9": _figure_6_9, "6.10": _figure_6_10} | incast_pages.SECTIONS
