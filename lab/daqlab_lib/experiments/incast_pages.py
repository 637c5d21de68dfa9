"""The sections of docs/experiments.md about the TCP paper and about farms far away."""
from .results import span, total

NETWORK = """143 connections to ROS (paper: 147), 12 fragments of 1.1 kB from each. The network is the paper's, fifty times
slower: a link of 20 Mbit/s, a round trip of 10 ms, a buffer of 333 packets (paper: 1 Gbps, 0.2 ms, 500 kB). So packets,
windows, credits and buffers compare one to one."""

def credits_section(document):
    return f"""## TCP paper, figure 3: credits

One DCM, {NETWORK} A DCM has no more than so many fragments requested and not received. Rpc
[`incast`](planning.md#incast) says of this network how many credits keep the link busy, and with how many nothing is dropped:

{_said(document, "credits")}
Here and below each point is one run of 6 s, and switches, ROS and DCMs get the CPUs before other processes.

{_table(document, "credits", lambda p: p["number"])}
In the paper 100 to 550 credits were the best. A DCM asks a ROS for all its fragments at once, or for as many as it has
credits, and has the credits back when the whole response is there, which takes 5 ms on the link. So 24 credits, two ROS at
a time, do not keep the link busy: twice `least-credits` are a safe least.
"""


def windows_section(document):
    return f"""## TCP paper, sections IV-C and IV-D: windows

The same network. Either every ROS locks its congestion window at so many segments (`cwnd`, on its routes, as rpc
`host-profile` prints it); or the DCM advertises so many to all its connections together, divided among those that still
have something to send (`gwnd`, as DIATCP does). Rpc `incast` says:

{_said(document, "gwnd")}
{_table(document, "segments | window | sum of windows", lambda p: f"{p['number']} | {p['method']} | {window_sum(p)}")}
The equations do not count what Linux sends twice: the last segment of a response, when its acknowledgement is later than two
round trips as measured so far (tail loss probe). New connections have measured the empty network only, so their first event
may lose packets, and an event wait for a timeout, also where nothing is dropped later.
"""


def buffers_section(document):
    return f"""## TCP paper, figure 4: buffers

The same network, with buffers of several sizes before the DCM. A buffer is enough from the bytes that are in flight at
most, less those that the network itself holds (`bdp` of rpc `incast`). ECN: daqrings of the same sizes at the link's rate,
which mark packets that find 16 others (`ecn-threshold`), and cubic with `net.ipv4.tcp_ecn=1`.

{_table(document, "buffer, packets | method | enough, by rpc incast", lambda p: f"{p['buffer']} | {p['method']} | {'yes' if is_enough(p) else 'no'}")}
In the paper, with credits, no packet was lost from 64 kB on. Marks do not prevent incast: all connections send their whole
response in the first round trip, before a mark can reach them. DCTCP would meet the same round trip (thesis, section 4.5);
it needs a kernel that has it (`--congestion dctcp`), which the one measured here has not.
"""


def round_trips_section(document):
    return f"""## Farms far away: round trips

11 ROS, a DCM on 20 Mbit/s, and `daqlab delay` between them. Events of 132 fragments of 1.1 kB; with credits the DCM
has up to eight events at a time. R. Hughes-Jones (*Investigating the network performance of remote real-time computing farms for
ATLAS trigger DAQ*) measured farms 20 ms (Manchester) and 150 ms (Alberta) from CERN.

{_table(document, "round trip, ms | in flight at most | predicted, %", lambda p: f"{p['rtt'] / 1e3:.1f} | {p['method']} | {100 * predicted_goodput(p):.0f}")}
Predicted is what fits into the network (`bdp` and `least-credits` of rpc `incast`), of what would fill it; for one event at
a time, an event's part of an event and a round trip. "It is not throughput but the round-trip nature of the application
protocol that determines performance": one event at a time leaves a link to a farm far away empty, whatever TCP does, and
credits must grow with the distance. Where the round trip is not long beside the 5 ms that a ROS's response takes on the
link, few credits carry less than predicted: they come back only with the whole response.
"""


def first_events_section(document):
    lines = ["| round trip, ms | hosts | latency, ms | a round trip and the event on the link, ms | round trips more |", "|---|---|---|---|---|"]
    for p in document["points"]:
        latency, least = p["mean"]["median"], at_least(p)
        lines.append(f"| {p['rtt'] / 1e3:.1f} | {p['method']} | {latency:.0f} | {least:.0f} | {(latency - least) / p['rtt'] * 1e3:.1f} |")
    return """## Farms far away: an event after a pause

One ROS sends a DCM an event of 145 kB (101 packets) on the same network, every 1.7 s.

""" + "\n".join(lines) + """

After a pause Linux begins with ten segments again and doubles them each round trip. Hughes-Jones measured 19 round trips
for a first event of 1 MB, 20 ms away. What `host-profile` prints for a ROS of a fabric with daqrings (`initcwnd` of a whole
response, no slow start after idle) leaves one round trip, that of the request.
"""


def window_sum(point):
    return point["number"] * (point["flows"] if point["method"] == "cwnd" else 1)


def is_enough(point):
    """Whether the equations (3) to (10) say that nothing is dropped."""
    return point["in-flight"] - point["predicted"]["bdp"] < point["buffer"] * 1500


def predicted_goodput(point):
    """As part of the link, by the BDP that rpc incast gives."""
    ratio = point["in-flight"] / point["predicted"]["bdp"]
    return ratio / (1 + ratio) if point["method"] == "one event at a time" else min(1.0, ratio)


def at_least(point):
    """ms of a round trip and of the event on the link."""
    return point["rtt"] / 1e3 + point["in-flight"] * 8 / point["link"] / 1e3


def _said(document, what):
    point = document["points"][0]
    said = point["predicted"]
    cwnd = f", `cwnd` {said['cwnd']}" if what == "gwnd" else ""
    return (f"Measured round trip {point['rtt'] / 1e3:.1f} ms; hence `least-{what}` {said[f'least-{what}']}, "
            f"`most-{what}` {said[f'most-{what}']}{cwnd}.\n")


def _table(document, heads, cells):
    columns = heads + " | goodput, % of the link | latency, ms | timeouts per event | dropped per event"
    lines = [f"| {columns} |", "|---" * (columns.count("|") + 1) + "|"]
    for p in document["points"]:
        events = total(p, "events")
        dropped = total(p, "queue_drops") + total(p, "ring_drops")
        lines.append(f"| {cells(p)} | {span(p['ratio'], 100, 1)} | {span(p['mean'], 1, 0)} | {_plain(total(p, 'timeouts') / events)} | {_plain(dropped / events)} |")
    return "\n".join(lines) + "\n"


def _plain(number):
    return f"{number:.2g}" if number < 10 else f"{number:.0f}"


SECTIONS = {"credits": credits_section, "windows": windows_section, "buffers": buffers_section,
            "round-trips": round_trips_section, "first-events": first_events_section}
