"""Sections of docs/benchmarks.md about the engine: times, memory, growth, bandwidth and rules."""
from .condense import FAILING, PLACED
from .tables import measured, short, slashed, table, verdict, whole

FABRICS = {"prototype": "prototype", "fig64": "Fig. 6.4", "atlas": "ATLAS Run 2", "lhcb": "LHCb-like", "huge": "100 000 DCMs, 1000 spines"}
CALLS = {
    "place": "`place`", "repairLink": "`repairLink`: placed again after a leaf-spine link has failed", "repairSpine": "`repairSpine`: after a spine",
    "placeByPod": "`placeByPod`: with `granularity` `pod`", "repairLinkByPod": "`repairLinkByPod`: the same after that link",
    "compile": "`compile`: the programs of all switches", "diff": "`diff`: all switches, three stages, after that link",
    "trace": "`trace`: every ROS to one DCM",
    **{f"repair {what}": f"`repair` of a {what}" + (": the whole loop, on switches that answer at once" if what == "link" else "") for what in FAILING}}
LIMITS = (("place", "atlas", 10), ("place", "huge", 250), ("placeByPod", "atlas", 10), ("placeByPod", "huge", 250),
          ("repairLink", "atlas", 5), ("repairSpine", "atlas", 20))  # ms


def times(numbers):
    found = numbers["engine"]["numbers"]
    rows = [(text, *(slashed(found[name][fabric]) if fabric in found[name] else "" for fabric in PLACED)) for name, text in CALLS.items()]
    limits = [(f"`{name}`, {FABRICS[fabric]}", str(limit), short(found[name][fabric][1]), verdict(found[name][fabric][1], limit))
              for name, fabric, limit in LIMITS]
    return f"""## The engine

    make bench-engine               # JMH, a quarter of an hour; numbers in target/bench/engine.json
    scripts/bench-engine growth     # growth and memory, five minutes; growth.json and memory.json

Times of calls on one thread of a warm Java VM. ATLAS Run 2: 100 ROS, 50 racks, 2000 DCMs, 4 planes of 10 spines, 4 pods, 206
switches. LHCb-like: 500 ROS, 4000 DCMs, 4 planes of 20 spines, 10 pods. The last: 100 ROS, 2500 racks, 4 planes of 250 spines, 4
pods. Every switch of the programs has daqrings.

{table(("ms, min / median / p99", *FABRICS.values()), rows)}

{table(("ms", "limit", "median", ""), limits)}

{measured(numbers["engine"])}

Placement does not examine every spine: the spines of a plane wait in the order in which they fill, and only the first is examined
again. After a failure the search for less load is limited in proportion to the DCMs that the failure moved. What a plane
contributes to the DCMs of a pod is summed once and added to a spine's links in one step where one spine serves all.

### What a failure does not touch

A program is two arrays of rules and groups in the order of their keys (`Entries`). `ChangedSwitches` names the switches whose
programs may have changed; the programs of the others stay the same objects and are not compared. Edge switches that are alike (same
kind, pod and uplinks in use) are compiled once, and a rule or group equal to the one before is the same object, so that the
comparison skips it. Port numbers, usable links and the published state are worked out again only where a report has arrived.
`ProgramCacheTest` proves that programs made this way equal those compiled from nothing.

`RepairBenchmark` (`repair`) is the whole loop on switches that answer at once: from the port events of both ends until nothing is
left to do.
"""


def memory(numbers):
    rows = [(FABRICS[name], whole(each["rules"]), f"{each['bytes-per-rule']:.1f}", f"{each['bytes'] / 1e6:.1f}", whole(each["bytes-per-dcm"]))
            for name, each in numbers["memory"]["numbers"].items()]
    return f"""### Memory

Heap that the programs of all switches take: the difference between full garbage collections before and after.

{table(("", "rules", "bytes per rule", "MB", "bytes per DCM"), rows)}

A rule is one slot of an array where edge switches, the spines of a plane or the leaves of a plane have the same rule. What a switch
holds and what it must hold are one object once the switch has confirmed it.

{measured(numbers["memory"])}
"""


def growth(numbers):
    found = numbers["growth"]["numbers"]

    def ends(dimension, what):
        return f"{short(found[dimension][0][what])} to {short(found[dimension][-1][what])}"

    return f"""### Growth

`scripts/bench-engine growth` varies each dimension by itself, from a fabric of 2 planes of 6 spines, 4 pods of 25 ROS and 7 racks
of 20 DCMs (560 in all), and takes medians of CPU time.

![CPU time and heap by dimension](benchmarks/engine-growth.svg)

Placement time grows more slowly than the number of DCMs ({ends("DCMs per rack", "dcms")} DCMs: {ends("DCMs per rack", "place")}
ms). Compile time grows with the rules that differ, not with all rules: {ends("ROS per pod", "rules")} rules by more ROS take
{ends("ROS per pod", "compile")} ms, as the switches of ROS are alike. The number of rules grows with the square of the pods
({ends("pods", "rules")} with {found["pods"][0]["size"]} to {found["pods"][-1]["size"]}), and so does the time. A rule takes fewer
bytes the more switches have the same rule.

{measured(numbers["growth"])}
"""


BANDWIDTH = """### Bandwidth

    make unit              # PlacerTest, LeafSpineEquationsTest

Bandwidth in Gbps with whole DCMs; in brackets the bound of the linear program that may split them. The tests assert these values.

| | Fig. 6.4, 6 spines | 5 spines | prototype |
|---|---|---|---|
| no failure | 1120 (1120) | 1066.7 (1066.7) | 120 (120) |
| one leaf-spine link, or one spine | 1066.7 (1106.7) | 995.6 (1013.3) | 96 (100) |

All of these are proven the best that whole DCMs allow (`LowerBound`).
"""


def fabrics(numbers):
    rows = numbers["fabrics"]["numbers"]
    best = [sum(float(row[at].partition("(")[2].partition(" %")[0]) >= 99 for row in rows) for at in (2, 8)]
    of_whole_flows = [sum(float(row[at].split()[0]) >= 0.99 * float(row[most]) for row in rows) for at, most in ((2, 3), (8, 9))]
    return f"""### Bandwidth by pod

    scripts/bench-engine fabrics    # a minute; the same numbers on every machine; in target/bench/fabrics.md

Gbps, and in brackets the part of the bound: the linear program that splits what each ROS sends to each rack at will. *Whole flows* is
what no placement by pod exceeds, as a link carries a whole number of flows (`PodBound`); not all of it can be reached. For each fabric
that failure of a link, leaf or spine after which least of it is reached (in Fig. 6.4 one of each kind is tried): repaired,
and by pod also rebalanced. The irregular ones are small: no more than 3 planes, 4 pods and 6 DCMs in a rack, some with links missing
or drained and unequal weights and capacities.

{table(("", "whole: by DCM", "by pod", "whole flows", "bound", "failed", "by DCM", "by pod, repaired", "rebalanced", "whole flows",
        "bound"), rows)}

Of these {len(rows)} fabrics {best[0]} reach 99 % of the bound whole, and {best[1]} after every such failure once rebalanced. Of what
whole flows allow {of_whole_flows[0]} reach 99 % whole, and {of_whole_flows[1]} after the failure shown. The others have few flows:
in `2 pods of 3 racks of 4, 3 planes` a rack receives 8 flows over 3 planes, so one takes 3 (88.9 %); in Fig. 6.4 with 4 planes
a rack that is left with three has 160 flows, and one plane takes 54 of them (98.8 %). The bound also splits by ROS, which flows from a
pod cannot: where the ROS of a pod are in different planes (seed 543 after `leaf-3-2` fails), or a pod has few DCMs (seed 90), no
search reaches it.

{measured(numbers["fabrics"])}
"""


def rules(numbers):
    rows = []
    for name, policies in numbers["rules"]["numbers"].items():
        for policy, each in policies.items():
            failures = (f"{whole(messages)} ({whole(ros)}), {rounds}" for messages, ros, rounds in each["failures"])
            rows.append((f"{FABRICS[name]}, `{policy}`" if policy == "host" else f"`{policy}`", whole(each["ros"]), whole(each["all"]), *failures))
    return f"""## Fewer rules

    scripts/bench-engine rules      # some minutes; the same numbers on every machine; in target/bench/rules.md

Rules with policy `rules` `host` and `compressed` when a fabric is placed the first time, every spine and leaf with daqrings; and
what a repair sends when a leaf-spine link, an uplink of a rack, a leaf or a plane fails: all messages with groups, in brackets
those to switches of ROS, then the longest sequence of batches that one switch gets. Addresses are consecutive, all ROS of a pod
before its racks.

{table(("", "rules per ROS switch", "in all", "link", "rack uplink", "leaf", "plane"), rows)}

The number of orders of planes that the DCMs of one rack use limits the compression, as each order has a group of its own: two
planes have two orders, four have up to 24 for 40 DCMs. Placement keeps neighbouring addresses together; waterfilling alone would
deal the planes out in turn. With four planes a moved DCM costs two messages or more, because the prefixes around it change, and a
switch gets its repair in more batches. So `compressed` is for fabrics of few planes, or where the memory of switches is short.

{measured(numbers["rules"])}
"""
