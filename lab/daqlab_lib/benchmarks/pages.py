"""docs/benchmarks.md, from the numbers in docs/benchmarks/."""
from . import engine_pages, lab_pages, proof_pages, switch_pages
from .condense import FAILURE_ROWS
from .tables import measured, short, slashed, span, table, verdict, whole

FABRICS = {"atlas": "ATLAS Run 2", "lhcb": "LHCb-like"}
# kind of failure, what of its last barriers, where that is in a row, and ms
FAILURE_TARGETS = (("leaf-spine cut", "median", 1, 50), ("leaf-spine cut", "max", 2, 150), ("spine lost", "median", 1, 100),
                   ("leaf lost", "median", 1, 300))

HEAD = """# Benchmarks

The numbers last measured. Each section names the command that measures it; at the end of a full run the command keeps its numbers
in `docs/benchmarks/` and writes this page from them. `make bench-docs` writes the page again. Earlier numbers are in the history of
these files.

The machine is small and shared, and times on it vary: read ratios and medians. With few samples the p99 is the
maximum. Linux, Open vSwitch 3.1 with the userspace datapath, Java 21 for the controller with a heap of 1 GB unless a section says
otherwise.
"""


def page(numbers):
    """The page, from the documents in docs/benchmarks/ by name."""
    sections = (_repair, _runs, _failover, proof_pages.proof, _cluster, switch_pages.rate, lab_pages.control, lab_pages.schedule, lab_pages.granularity,
                _size, _views, _soak, engine_pages.times, engine_pages.memory, engine_pages.growth, engine_pages.BANDWIDTH,
                engine_pages.fabrics, engine_pages.rules, switch_pages.daqring, switch_pages.dpdk, switch_pages.afxdp)
    return "\n".join([HEAD, *(section if isinstance(section, str) else section(numbers) for section in sections)])


def _repair(numbers):
    converged, rounds = (numbers["repair"]["numbers"][name] for name in ("converged-s", "rounds"))
    tables = "\n\n".join(
        table((f"ms, {name}", "min", "median", "p99", "max"),
              [(phase, *(f"{spread[each]:.1f}" for each in ("min", "median", "p99", "max"))) for phase, spread in found["ms"].items()])
        for name, found in rounds.items())
    medians = {name: found["ms"]["confirmed"]["median"] for name, found in rounds.items()}
    return f"""## Repair of a cut leaf-spine link

    make bench             # twenty minutes with the engine; numbers in target/bench/repair.json

The prototype fabric (20 switches, 48 DCMs) on real Open vSwitch. From its PUT, with all switches connecting at that moment, until
it has converged: {converged:.1f} s (limit 10 s: {verdict(converged, 10)}). Then {rounds["warm"]["cuts"]} leaf-spine links are cut
one after another; each is restored and the fabric has converged before the next cut. `detected` counts from the cut, the other two
from the port event; `confirmed` is the last barrier reply that the traffic waits for. The first table is of a controller that has
just started, whose first repairs run uncompiled code; the second is of the same controller right after.

{tables}

The goal is 100 ms to the last barrier: {verdict(medians["just started"], 100)} in the median by a controller that has just started,
{verdict(medians["warm"], 100)} by a warm one. Packets avoid the failed link long before: the spine returns them at once, and the
groups change in the first round trip. The rest is storing the decision, while the rules it adds are sent already, and the round
that moves the DCMs.

{measured(numbers["repair"])}
"""


def _runs(numbers):
    found = numbers["runs"]["numbers"]
    rows = [(text, *(f"{found['ms'][name][each]:.1f}" for each in ("min", "median", "max")), str(limit), verdict(found["ms"][name]["max"], limit))
            for name, text, limit in (("start-run answered", "`start-run` answered", 200),
                                      ("cut to link-state", "cut until `link-state` reaches the subscriber", 500),
                                      ("cut to repair", "cut until `repair` reaches the subscriber", 500))]
    return f"""## Runs

    make bench             # numbers in target/bench/runs.json

{found["runs"]} runs through the prototype fabric. Each is prepared and armed, and started while the connection of every switch to
the controller is monitored; a leaf-spine link is cut in it while a subscriber reads the event stream.

{table(("ms", "min", "median", "max", "limit", ""), rows)}

Rules and groups sent to switches at `start-run`, in all runs together: {found["modifications"]}. The longest answer is the first,
by code that is not compiled yet.

{measured(numbers["runs"])}
"""


def _failover(numbers):
    found = numbers["failover"]["numbers"]
    names = {"limit": "Open vSwitch's own failover (limit)", "ros uplink": "ROS uplink"}
    rows = []
    for name, row in found["rows"].items():
        ratio = 1 if name == "limit" else row["ratio"]
        rows.append((names.get(name, name), f"{row['min']:.1f}", span(row["median"], lambda ms: f"{ms:.1f}"), f"{row['max']:.1f}",
                     str(row["lost"]), "" if ratio is None else f"{ratio:g}", row.get("target", ""),
                     {None: "", True: "met", False: "missed"}[row.get("met")]))
    return f"""## Outages seen by probes

    make bench-failover    # half an hour; numbers in target/bench/failover.json

{found["repetitions"]} repetitions of each case on a quiet machine. One pair is probed with 2000 packets per second, or every DCM
and every ROS where nothing may be lost. The limit is what Open vSwitch needs for a bare group in a row of five static switches
without a controller, as many as a packet passes in the fabric; it is measured before each of the first six cases.

{table(("outage, ms", "min", "median", "max", "lost", "x limit", "target", ""), rows)}

The kernel reports a lost carrier to Open vSwitch either within a few milliseconds or several milliseconds later, with nothing
between; packets are lost from the moment the far end is set down. Which of the two happens depends on the kernel's other work: in a
row of five switches it is mostly the slow one, in a row of two mostly the fast one. That is why the limit is measured in a row of
five. Where nothing is lost, the outage is the time that five switches on two CPUs sometimes need.

{measured(numbers["failover"])}
"""


def _cluster(numbers):
    found = numbers["cluster"]["numbers"]
    texts = (
        ("boot", "three controllers start, until all agree which is active", None),
        ("first programming", "PUT at a standby member, until `converged`", None),
        ("SIGKILL of the active member until another is",
         "active member killed (SIGKILL), until another is active; no packet lost, no rule or group written", None),
        ("SIGKILL of the active member and a cut until it is repaired",
         "the same and a link cut at the same time, until the new active member has repaired it", 15),
        ("cut of the active member from the others until another is",
         "active member cut off from the others but not from its switches, until another is active; it sends nothing", None),
        ("cut until it is repaired by the new active member", "a link cut then, until the new active member has repaired it", None),
        ("end of a long cut until the member is back",
         "a member cut off until the others removed it, from the end of the cut until it has restarted and rejoined", None),
        ("two members reach each other until a cut is repaired",
         "the active member killed, stopped or cut off, and often another within seconds, as a link is cut: from the moment that two "
         "members reach each other until it is repaired", 15),
        ("SIGKILL of the active member as another returns until another is active",
         "active member killed as another returns from a cut, until one of the two that are left is active", None),
        ("restart of a member", "rolling restart, each member from its stop until it is back; no packet lost, no rule or group written", None))
    rows = [(text, str(found[name]["times"]), str(target or ""), span(found[name]["s"], short),
             verdict(found[name]["s"], target) if target else "") for name, text, target in texts]
    return f"""## Three controllers

    make test-cluster      # an hour; numbers in target/bench/cluster.json

Three controllers and the prototype fabric on one machine, with requests between all pairs of ROS and DCM; the controllers run at a
higher priority. The test fails if a packet is lost or a switch is written to where the table says that none is.

{table(("", "times", "target, s", "s", ""), rows)}

Most of the time after a SIGKILL passes until Pekko calls the member unreachable, the rest until the other members of the datastore
have elected leaders; the lease expires meanwhile. Where traffic takes both processors, a restart takes longer.

{measured(numbers["cluster"])}
"""


def _size(numbers):
    documents = {name: numbers[f"size-{name}"] for name in FABRICS}
    found = {name: document["numbers"] for name, document in documents.items()}
    names = [FABRICS[name] for name in found]
    runs = [f" ({each['runs']} runs)" if "runs" in each else "" for each in found.values()]

    def row(text, target, show, met=None):
        first = found["atlas"]
        return (text, target, *(show(each) for each in found.values()), met(first) if met else "")

    def reconnection(each):
        times = each["reconnection-s"]
        return " / ".join(span(times[name], lambda s: f"{s:.1f}") for name in ("min", "median", "max")) + " s"

    rows = [
        row("PUT to `converged`", "15 s", lambda f: f"{span(f['converged-s'])} s", lambda f: verdict(f["converged-s"], 15)),
        row("CPU time of the controller for that", "", lambda f: f"{span(f['processor-s'])} s"),
        row("live heap, peak resident memory", "2 GB", lambda f: f"{f['heap-gb']:.2f} GB, {span(f['resident-gb'])} GB",
            lambda f: verdict(f["resident-gb"], 2)),
        row("rules, groups, messages; refused", "0 refused", lambda f: f"{whole(f['rules'])}, {whole(f['groups'])}, {whole(f['messages'])}; {f['refused']}",
            lambda f: verdict(f["refused"], 0)),
        row("all switches reconnect, min / median / max of five", "20 s", reconnection, lambda f: verdict(f["reconnection-s"]["max"], 20)),
        row("rule and group messages in five such reconnections", "0", lambda f: str(f["reconnection-s"]["messages"]),
            lambda f: verdict(f["reconnection-s"]["messages"], 0))]
    counts = table(("", "target, ATLAS Run 2", *(name + run for name, run in zip(names, runs)), "ATLAS Run 2"), rows)
    failures = "\n\n".join(_failures(FABRICS[name], each["failures"]) for name, each in found.items() if "failures" in each)
    atlas = found["atlas"]["failures"]
    targets = [(f"{kind}, {name}", f"{limit} ms", f"{atlas[kind]['last barrier'][at]:.0f} ms", verdict(atlas[kind]["last barrier"][at], limit))
               for kind, name, at, limit in FAILURE_TARGETS]
    return f"""## At size

    make bench-size        # half an hour; numbers in target/bench/size-atlas.json and size-lhcb.json
    scripts/bench-size prototype fig64 atlas lhcb

A separate controller with 2 GB heap and [simulated switches](simulator.md) with daqrings: ATLAS Run 2 (206 switches) and a fabric
of LHCb's size (720 switches). All nodes are connected over OVSDB when the fabric is PUT; bridges, ports, rules and groups follow.
From the moment it has converged leaf-spine links are cut, and spines, leaves and whole planes lose power and return without rules,
one after another, with the fabric converged between; and then all switches lose all their connections at once, five times. Times
count from the event in the simulator; *last barrier* is the last barrier reply that the traffic waits for, *balanced* the last of the
[second step](design.md#two-steps), which moves DCMs for balance, and *quiet* the last of all. Simulator, controller and RESTCONF
client share the two processors.

{counts}

{failures}

{table(("last barrier, ATLAS Run 2", "target", "measured", ""), targets)}

Code that has run for some time is faster, so the controller rehearses repairs of a small fabric when it starts (`WarmUp`); the first
of the cuts still take longest. The first step waits neither for the datastore nor for daqrings. The time of the second goes in similar
parts into placing and numbering daqrings; compiling, comparing and sending what is added while the decision is stored; waiting until
the daqrings exist; and sending the changes and waiting for the replies. Where a switch has another path packets avoid the failure
before. Pauses of the garbage collector add to some repairs.

{measured(documents["atlas"])} {FABRICS["lhcb"]}: {measured(documents["lhcb"])}
"""


def _failures(fabric, found):
    numbers = {"messages", "moved DCMs", "moved for balance"}
    rows = [(key.replace("moved DCMs", "DCMs moved"), *(slashed(kind[key], *[whole] if key in numbers else []) for kind in found.values()))
            for key in FAILURE_ROWS]
    return table((f"{fabric}, ms, min / median / max", *(f"{kind}, {each['times']} times" for kind, each in found.items())), rows)


def _views(numbers):
    found = numbers["views"]["numbers"]
    before, now = found["without"], found["with"]
    costs = [(text, f"{before[name]:.{digits}f}", f"{now[name]:.{digits}f}") for text, name, digits in (
        ("CPU time of the controller while all ports count, % of one processor", "processor while all ports count, % of one", 1),
        ("CPU time for a leaf-spine cut, its repair and the link's return, ms", "processor for a cut and its return, ms", 0),
        ("live heap, MB", "live heap, MB", 0))]
    reads = [(text, f"{now[f'{name}: size, kB']:.0f}", f"{now[f'{name}: requests, /s']:.1f}", f"{now[f'{name}: processor, ms']:.0f}")
             for text, name in (("topology of the fabric", "topology"), ("inventory of all switches", "inventory"),
                                ("inventory of one switch", "switch"), ("rpc `export-topology`", "export-topology"),
                                ("rpc `rules` of a leaf, first 1000 entries", "rules"),
                                ("rpc `traffic`, everything counted: the rules of all ROS read once", "traffic"))]
    return f"""### Standard views

    scripts/simulated ViewsBench atlas     # ten minutes; numbers in target/bench/views.json

What the views in `opendaylight-inventory` and `network-topology` ([Standard views](user-guide.md#standard-views)) cost at the size of
ATLAS Run 2, with the simulator: for two minutes all counters of all ports change, which are read every 10 s; then ten
leaf-spine links fail and return, one after another. Without: the same with the version before the views, so what came
after them (alarms, measured load) is in the difference, too.

{table(("", "without", "with"), costs)}

The views are written in {now["transactions, /s"]:.2f} transactions per second on average, with {now["nodes written, /s"]:.0f} nodes per second together; nearly all of
them are counters. One client reads views one request after another:

{table(("read over RESTCONF", "kB", "requests/s", "CPU of the controller, ms each"), reads)}

{measured(numbers["views"])}
"""


def _false_losses(found):
    """Results before 2026-12 do not have them."""
    if "false-losses" not in found:
        return "The run below did not look at losses yet."
    return f"False losses in the run below: {found['false-losses']}, with {found['runs']} runs."


def _soak(numbers):
    found = numbers["soak"]["numbers"]
    rows = [(text, *(whole(value / unit) for value in found["medians"][name]), verdict(found["medians"][name][1], 1.1 * found["medians"][name][0]))
            for name, text, unit in (("heap-bytes", "live heap, MB", 1e6), ("threads", "threads", 1),
                                     ("descriptors", "open files and connections", 1), ("stored-bytes", "datastore, kB", 1e3))]
    return f"""### Soak

    make soak              # half an hour; numbers in target/bench/soak.json
    scripts/soak 5 17      # five minutes with seed 17

Random faults of simulated switches at the size of figure 6.4 (144 switches, 1120 DCMs): links are cut and flap; switches lose
power, refuse rules, leave barriers unanswered or lose their connections, up to four at a time. Twenty times all is repaired, and
the controller's live heap, threads, open files and datastore are recorded. The median of the last quarter must be within 10 % of
that of the second. At the end `verify` must find nothing, and the switches must hold as many rules as before. Simulated cables lose
nothing while both ends are up, whatever fails, and have nothing under way when they are cut; packets that are sent by a link which
is down are not counted. So whenever a link is reported to lose packets, by `lost-packets`, alarm `link-lossy` or the summary of a run (there is one
before every other reading), that is false, and the soak fails. In the end a link loses one frame of twenty, which must be reported. {_false_losses(found)}

{found["seconds"] / 60:.0f} minutes with {found["faults"]} faults (seed {found["seed"]}):
{"passed" if found["passed"] else "failed"}.

{table(("median", "second quarter", "last quarter", "within 10 %"), rows)}

{measured(numbers["soak"])}
"""
