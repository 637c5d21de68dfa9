"""Sections of the page about traffic in the lab: control beside events, and events in phases."""
from .tables import measured, table, verdict

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
[control](user-guide.md#other-hosts). The cases are measured in turn, {found["repeats"]} times; medians of these.

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
