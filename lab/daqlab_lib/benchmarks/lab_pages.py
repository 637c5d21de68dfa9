"""Sections of the page about traffic in the lab: control beside events, events in phases, and by granularity."""
from .tables import measured, slashed, table, verdict

METHODS = {"free": "freely", "daqrings": "daqrings", "schedule": "in phases"}


def control(numbers):
    found = numbers["control"]["numbers"]
    idle = found["cases"]["idle"]["p99"]
    rows = [(name, *(f"{case[value]:.1f}" for value in ("median", "p99", "max")), f"{case['p99'] / idle:.1f}", f"{case['lost']:g}",
             f"{case['goodput']:.1f}") for name, case in found["cases"].items()]
    ratio = found["cases"]["events, daqrings, as control"]["p99"] / idle
    return f"""## Control beside events

    make bench-control     # ten minutes; numbers in target/bench/control.json

How long requests of a supervisor with a switch of its own take to all {found["dcms"]} DCMs and back, and as many of the DCMs to the
supervisor, idle and while all ROS send events as fast as the links of {found["links"]["rate"]:g} Mbit/s carry them: ordinary ports
without daqrings; daqrings, where the requests wait among the fragments; and the same with the requests declared as a flow of
[control](user-guide.md#other-hosts), which pass the supervisor's own daqring and none of DCMs. The cases are measured in turn,
{found["repeats"]} times; medians of these.

{table(("", "median, ms", "p99", "max", "p99, x idle", "lost", "events, Mbit/s"), rows)}

The goal is a p99 within 2 times that of an idle fabric: {verdict(ratio, 2)}. The switches and the supervisor's process get the
processors before the processes of ROS and DCMs, as on machines of their own. The ports of the lab send first what is marked as
control, as those of hardware switches do, with one difference: a port of the lab takes a request at once, also where it still owes
its link the time of a packet sent before ({1538 * 8e-3 / found["links"]["rate"]:.1f} ms at {found["links"]["rate"]:g} Mbit/s), as a
token bucket does. A port of a switch sends that one to its end first: 1.2 us at 10 Gbps and an MTU of 1500, on each of up to eight
links of a request and its answer.

{measured(numbers["control"])}
"""


def schedule(numbers):
    found = numbers["schedule"]["numbers"]
    rows = [(name if method == "free" else "", METHODS[method], f"{case['goodput']:.1f}", f"{case['ratio']:.0%}", f"{case['events/s']:.0f}",
             f"{case['p50']:.0f}", f"{case['p99']:.0f}", str(case["dropped"]), str(case["timeouts"]),
             f"{case['phases']} of at least {case['bound']}" if "phases" in case else "")
            for name, methods in found["cases"].items() for method, case in methods.items()]
    return f"""## Events in phases

    make bench-schedule    # ten minutes; numbers in target/bench/schedule.json

{found["nodes"]} nodes that read out and build, each with one DCM, on links of {found["links"]["rate"]:g} Mbit/s whose ports hold
{found["links"]["buffer"]} packets. A node asks all others at once; the same with daqrings that have the limit of the fabric as it is;
and in the phases of [`schedule`](schedule.md). {found["seconds"]:g} seconds, {found["repeats"]} times: medians, and what was dropped
and the timeouts of all.

{table(("", "", "goodput, Mbit/s", "of what links carry", "events/s", "latency, ms: median", "p99", "dropped", "timeouts", "phases"), rows)}

{measured(numbers["schedule"])}
"""


def granularity(numbers):
    found = numbers["granularity"]["numbers"]
    rows = [(name if limit == "dcm" else "", limit, f"{case['limit']:.2f}", str(case["sharing"]), f"{case['carried']:.0f}",
             f"{case['goodput']:.1f}", f"{case['ratio']:.0%}", f"{case['events/s']:.0f}", f"{case['p50']:.0f}", f"{case['p99']:.0f}",
             str(case["ring_drops"]), str(case["queue_drops"]), str(case["timeouts"]),
             slashed([case[what] for what in ("least", "most", "at once")], "{:.2f}".format))
            for name, limits in found["cases"].items() for limit, case in limits.items()]
    cases = [case for limits in found["cases"].values() for case in limits.values()]
    links = found["links"]
    return f"""## Events by pod

    make bench-granularity # ten minutes; numbers in target/bench/granularity.json

[Granularity](design.md#by-pod) `dcm` and `pod` where whole DCMs do not fit: {found["pods"]} pods of one rack with {found["dcms"]} DCMs, two
planes of two spines, {found["ros"]} ROS. Links carry {links["rate"]:g} Mbit/s, the uplinks of all racks together {found["uplinks"]:g}. Ports to edge switches
hold {links["edge_buffer"]} packets, others {links["buffer"]}; an event has {found["packets"]}. By DCM the limit of a daqring is half an uplink, as two DCMs share
one. By pod three limits are tried: a third, so that the daqrings of all DCMs of the rack together fit each uplink
([the rule](daqring.md#several-daqrings-of-one-dcm)); half, as by DCM; and two thirds, what each DCM has of both uplinks.
Whole, and with a link between a leaf and a spine cut, repaired and rebalanced. A DCM asks for the next event as soon as it
has one. {found["seconds"]:g} seconds, {found["repeats"]} times: medians; packets dropped and timeouts are those of all.

{table(("", "", "limit, Mbit/s", "DCMs on an uplink, at most", "placement carries", "goodput", "of all uplinks", "events/s", "latency, ms: median", "p99", "dropped by daqrings", "by ports", "timeouts", "a DCM receives: least, most, at once"), rows)}

A DCM receives, in Mbit/s with all headers: the one that receives least and the one that receives most, and the most of one
in {found["moment"]:g} s. Of the processors' time {min(case["idle"] for case in cases):.0%} was idle at least; switches and hosts lost {sum(case["machine_drops"] for case in cases)} packets for want of it.

- By DCM two DCMs of a rack share one uplink, and one has the other, of which it uses half.
- By pod within the rule a DCM that is not split receives a third of an uplink, less than by DCM, and a split one two
  thirds. All in all less arrives than by DCM.
- With the limit as by DCM a DCM that is not split receives what it receives by DCM, and a split one up to twice that,
  if the rest of the fabric carries it. Where three DCMs use an uplink, two of them do so for one pod only: their
  daqrings there are empty most of the time, and when all three hold packets the port before the rack has room for what
  does not pass. As split DCMs ask more often, links between leaves and spines can be full that are not when all DCMs
  receive the same: with the cut, the only link that one leaf has left.
- With two thirds as the limit two DCMs on an uplink let out more than it carries, all the time: ports before racks
  drop packets, and TCP waits for timeouts. With the cut none is dropped, as split DCMs wait for the leaf's link, whose
  port holds more: that is chance. Several placements after a cut are equally good by bandwidth, and which one stands
  depends on what was before; with another one packets may be dropped there, too.

{measured(numbers["granularity"])}
"""
