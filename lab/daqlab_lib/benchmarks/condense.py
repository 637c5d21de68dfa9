"""From what a benchmark writes to what the page shows of it.

A part of a benchmark lacks something and raises LookupError or ValueError: only numbers of full runs are kept.
"""
import json
import re
import statistics
from collections.abc import Callable
from dataclasses import dataclass

FRAME_BYTES = ("64", "1518", "9000")
DAQRINGS_USED = ("1", "10", "100", "1000")
VETH_PORTS = ("kernel", "generic", "native")
SPREAD = ("min", "median", "p99", "max")
REPAIR_ROUNDS = ("just started", "warm")
REPAIR_PHASES = ("detected", "computed", "confirmed")
RUN_TIMES = ("start-run answered", "cut to link-state", "cut to repair")
RATES = ("10000 rules, one bridge", "100000 rules, one bridge", "ATLAS Run 2, 16 bridges")
FAILURES = ("leaf-spine cut", "spine lost", "leaf lost", "plane lost")
FAILURE_ROWS = ("detected", "computed", "last barrier", "balanced", "quiet", "messages", "moved DCMs", "moved for balance")
CONTROL_CASES = ("idle", "events, no daqrings", "events, daqrings", "events, daqrings, as control")
CONTROL_VALUES = ("median", "p99", "max", "goodput")
SCHEDULE_CASES = ("whole", "one link cut", "two links cut")
SCHEDULE_METHODS = ("free", "daqrings", "schedule")
SCHEDULE_VALUES = ("goodput", "ratio", "events/s", "p50", "p99", "dropped", "timeouts")
GRANULARITY_CASES = ("whole", "one link cut")
GRANULARITY_LIMITS = ("dcm", "pod, by the rule", "pod, limit as by dcm", "pod, limit of a DCM's share")
GRANULARITY_VALUES = ("limit", "carried", "sharing", "goodput", "ratio", "events/s", "p50", "p99", "ring_drops", "queue_drops",
                      "machine_drops", "timeouts", "least", "most", "at once", "idle")
VIEWS_COST = ("processor while all ports count, % of one", "processor for a cut and its return, ms", "live heap, MB")
VIEWS_WRITTEN = ("transactions, /s", "nodes written, /s")
VIEWS_READ = ("topology", "inventory", "switch", "export-topology", "rules", "traffic")
VIEWS = {"without": VIEWS_COST, "with": VIEWS_COST + VIEWS_WRITTEN + tuple(
    f"{what}: {value}" for what in VIEWS_READ for value in ("requests, /s", "processor, ms", "size, kB"))}
PROOF_PARTS = ("processor-without", "processor-with", "processor-of-proofs", "processor-of-losses")
PROOF_SPREADS = ("packets-per-second", "packets-per-second-of-fullest", "messages-per-second-for-idle-links",
                 "proof-at-size-ms", "bfd-ms", "proof-ms", "repair-without-ms", "repair-with-ms")
SOAK_VALUES = ("heap-bytes", "threads", "descriptors", "stored-bytes")
MEMORY_FABRICS = ("fig64", "atlas", "lhcb")
PLACED = ("prototype", "fig64", "atlas", "lhcb", "huge")
COMPILED = PLACED[:-1]
REPAIRED = PLACED[:-2]
ENGINE = (dict.fromkeys(("place", "repairLink", "repairSpine", "placeByPod", "repairLinkByPod"), PLACED)
          | dict.fromkeys(("compile", "diff", "trace"), COMPILED))
FABRICS_PLACED = 18
FABRIC_CELLS = 11
FAILING = ("link", "spine", "leaf", "plane")
CLUSTER = (
    "boot", "first programming", "SIGKILL of the active member until another is",
    "SIGKILL of the active member and a cut until it is repaired", "cut of the active member from the others until another is",
    "cut until it is repaired by the new active member", "end of a long cut until the member is back",
    "two members reach each other until a cut is repaired",
    "SIGKILL of the active member as another returns until another is active", "restart of a member")
FAILOVER = {  # row of the table -> the cases in it
    name: (name,) for name in (
        "leaf uplink", "ros uplink", "spine to destination leaf, controller stopped", "rack uplink at the destination",
        "spine process killed", "spine frozen, BFD 50 ms")} | {
    "link returns, after each of the first four": tuple(f"link returns: {name}" for name in (
        "leaf uplink", "ros uplink", "spine to destination leaf, controller stopped", "rack uplink at the destination")),
    "spine, leaf, link drained and undrained": tuple(
        f"{what} {change}" for what in ("spine", "leaf", "link") for change in ("drained", "undrained")),
    "controller restarted clean, SIGKILL": ("controller restarted clean", "controller SIGKILL")}


@dataclass(frozen=True)
class Result:
    command: str    # that measures
    file: str       # that it writes, in target/
    read: Callable  # text of the file -> the numbers kept


def _repair(text):
    found = json.loads(text)
    return {"converged-s": round(found["converged-s"], 1), "rounds": {
        name: {"cuts": len(found[name]["cuts"]), "ms": {phase: _spread(found[name]["ms"][phase]) for phase in REPAIR_PHASES}}
        for name in REPAIR_ROUNDS}}


def _runs(text):
    runs = json.loads(text)
    return {"runs": len(runs["starts"]), "modifications": sum(each["modifications"] for each in runs["starts"]),
            "ms": {name: _spread(runs["ms"][name]) for name in RUN_TIMES}}


def _failover(text):
    found = json.loads(text)
    cases = {case["name"]: case for case in found["cases"]}
    failed = [name for name, case in cases.items() if "failed" in case]
    if failed:
        raise ValueError(f"{failed[0]} failed: {cases[failed[0]]['failed']}")
    rows = {"limit": {"lost": found["limit_lost"], **_outages([found["limit_ms"]])}}
    for row, names in FAILOVER.items():
        members = [cases[name] for name in names]
        rows[row] = _outages([case["outage_ms"] for case in members]) | {
            "lost": sum(case["lost"] for case in members), "ratio": members[0]["ratio"] if len(members) == 1 else None,
            "target": members[0]["target"], "met": all(case["met"] for case in members)}
    return {"repetitions": found["repetitions"], "rows": rows}


def _outages(spreads):
    medians = [round(each["median"], 1) for each in spreads]
    return {"min": round(min(each["min"] for each in spreads), 1), "median": _span(medians),
            "max": round(max(each["max"] for each in spreads), 1)}


def _proof(text):
    found = json.loads(text)
    return {"switches": found["switches"], "directions": found["directions"], "all-pairs-s": round(found["all-pairs-s"], 1)} | {
        name: {each: round(found[name][each], digits) for each in SPREAD} | {"count": found[name]["count"]}
        for names, digits in ((PROOF_PARTS, 4), (PROOF_SPREADS, 1)) for name in names}


def _cluster(text):
    found = json.loads(text)
    return {name: {"times": len(found[name]), "s": _span(found[name])} for name in CLUSTER}


def _rate(text):
    found = json.loads(text)
    return {name: {"rules": found[name]["rules"], "ours": _sent(found[name]["ours"]), "ovs-ofctl": _sent(found[name]["ovs-ofctl"]),
                   "ratio": round(found[name]["ratio of medians"], 2)} for name in RATES}


def _sent(side):
    return {"ms": [round(1e3 * side[f"seconds {name}"], 1) for name in ("min", "median", "p99")],
            "rules-per-second": round(side["rules per second, median"]), "cpu-ms": round(1e3 * side["CPU seconds of this process, median"])}


def _size(text):
    found = json.loads(text)
    first, again = found["first-programming"], found["reconnection-ms"]
    return {"converged-s": round(first["converged-ms"] / 1e3, 1), "processor-s": round(first["processor-ms"] / 1e3, 1),
            "heap-gb": round(first["heap-bytes"] / 1e9, 2), "resident-gb": round(first["resident-bytes"] / 1e9, 1),
            **{name: first[name] for name in ("rules", "groups", "messages", "refused")},
            "reconnection-s": {name: round(again[name] / 1e3, 1) for name in ("min", "median", "max")} | {"messages": again["messages"]},
            "failures": {kind: {"times": len(failure["samples"])} | {
                row: [failure[row][name] for name in ("min", "median", "max")] for row in FAILURE_ROWS}
                for kind, failure in ((kind, found["failures"][kind]) for kind in FAILURES)}}


def _control(text):
    found = json.loads(text)
    return {name: found[name] for name in ("links", "dcms", "repeats")} | {"cases": {
        name: {what: round(found["cases"][name][what], 1) for what in CONTROL_VALUES} | {"lost": found["cases"][name]["lost"]}
        for name in CONTROL_CASES}}


def _schedule(text):
    found = json.loads(text)
    cases = {name: {method: {what: found["cases"][name][method][what] for what in SCHEDULE_VALUES} for method in SCHEDULE_METHODS}
             for name in SCHEDULE_CASES}
    for name, case in cases.items():
        case["schedule"] |= {what: found["cases"][name]["schedule"][what] for what in ("phases", "bound")}
    return {name: found[name] for name in ("links", "nodes", "seconds", "repeats")} | {"cases": cases}


def _granularity(text):
    found = json.loads(text)
    cases = {name: {limit: {what: found["cases"][name][limit][what] for what in GRANULARITY_VALUES} for limit in GRANULARITY_LIMITS}
             for name in GRANULARITY_CASES}
    return {name: found[name] for name in ("links", "uplinks", "pods", "ros", "dcms", "packets", "seconds", "moment", "repeats")} | {
        "cases": cases}


def _views(text):
    found = json.loads(text)
    return {kind: {name: round(found[kind][name], 1) for name in names} for kind, names in VIEWS.items()}


def _soak(text):
    found = json.loads(text)
    samples = found["samples"]
    quarter = len(samples) // 4
    medians = {name: [statistics.median(each[name] for each in part) for part in (samples[quarter:2 * quarter], samples[-quarter:])]
               for name in SOAK_VALUES}
    return {name: found[name] for name in ("seconds", "seed", "faults", "false-losses", "runs", "passed") if name in found} | {
        "medians": medians}


def _engine(text):
    """In ms: min, median, p99."""
    found = {}
    for each in json.loads(text):
        name, at = each["benchmark"].rsplit(".", 1)[1], each["primaryMetric"]["scorePercentiles"]
        row = f"{name} {each['params']['failing']}" if "failing" in each["params"] else name
        found.setdefault(row, {})[each["params"]["fabric"]] = [float(f"{at[percentile]:.3g}") for percentile in ("0.0", "50.0", "99.0")]
    return {name: {fabric: found[name][fabric] for fabric in fabrics}
            for name, fabrics in (ENGINE | {f"repair {what}": REPAIRED for what in FAILING}).items()}


def _memory(text):
    found = {each["fabric"]: each for each in _lines(text)}
    return {fabric: {name: found[fabric][name] for name in ("rules", "bytes", "bytes-per-rule", "bytes-per-dcm")}
            for fabric in MEMORY_FABRICS}


def _growth(text):
    """dimension -> its points, in the order of their sizes."""
    found = {}
    for each in _lines(text):
        found.setdefault(each.pop("dimension"), []).append(each)
    return {name: found[name] for name in ("DCMs per rack", "racks per pod", "ROS per pod", "spines per plane", "planes", "pods")}


def _lines(text):
    return [json.loads(line) for line in text.splitlines()]


def _rules(text):
    """From the Markdown table: per failure all messages, those to ROS switches, and rounds."""
    found = {}
    for name, policy, ros, everywhere, *failures in re.findall(r"^\| (\w+), (\w+)" + r" \| ([^|]+)" * 6 + r" \|$", text, re.MULTILINE):
        found.setdefault(name, {})[policy] = {"ros": int(ros), "all": int(everywhere), "failures": [
            [int(number) for number in re.fullmatch(r"(\d+), (\d+) at ROS, (\d+) rounds", each).groups()] for each in failures]}
    return {name: {policy: found[name][policy] for policy in ("host", "compressed")} for name in COMPILED}


def _fabrics(text):
    """From the Markdown table: a row of cells per fabric."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if re.match(r"\| \w", line)]
    if len(rows) < FABRICS_PLACED or any(len(row) != FABRIC_CELLS for row in rows):
        raise ValueError(f"{len(rows)} of {FABRICS_PLACED} fabrics")
    return rows


def _daqring(text):
    found = json.loads(text)
    return {"repeats": found["repeats"], "frame-bytes": found["frame-bytes"],
            "plain-packets-per-second": round(found["cases"]["plain"]["packets-per-second"]["median"]),
            "cases": {name: {ratio: _three(found["cases"][name][ratio]) for ratio in ("rate-ratio", "cpu-ratio")}
                      for name in ("ring", "10 idle rings", "1000 idle rings", "ring beside 1000")}}


def _dpdk(text):
    found = json.loads(text)
    return {"repeats": found["repeats"], "rules": found["rules"],
            "rates": {size: {used: {kind: found["rates"][size][used][kind] for kind in ("plain", "leaf", "spine")}
                             for used in DAQRINGS_USED} for size in FRAME_BYTES},
            "limits": found["limits"], "latency-us": found["latency-us"]}


def _afxdp(text):
    found = json.loads(text)

    def kept(ports):
        return {each: {"kpps": ports[each]["kpps"], "ratio": ports[each]["ratio"]} for each in VETH_PORTS}

    return {"repeats": found["repeats"], "sharing": found["sharing"],
            "rates": {size: {used: {kind: {what: kept(found["rates"][size][used][kind][what]) for what in ("sent", "possible")}
                                    for kind in ("plain", "leaf", "spine")} for used in ("1", "100")} for size in ("64", "1518")},
            "shared": {size: kept(found["shared"][size]) for size in ("64", "1518")}}


def _three(spread):
    return [round(spread[name], 2) for name in ("min", "median", "max")]


def _spread(spread):
    return {name: round(spread[name], 1) for name in SPREAD}


def _span(values):
    """One number, or the lowest and the highest."""
    return values[0] if len(set(values)) == 1 else [min(values), max(values)]


RESULTS = {
    "repair": Result("make bench", "bench/repair.json", _repair),
    "runs": Result("make bench", "bench/runs.json", _runs),
    "failover": Result("make bench-failover", "bench/failover.json", _failover),
    "proof": Result("make bench-proof", "bench/proof.json", _proof),
    "cluster": Result("make test-cluster", "bench/cluster.json", _cluster),
    "rate": Result("make bench-rate", "bench/rate.json", _rate),
    "size-atlas": Result("make bench-size", "bench/size-atlas.json", _size),
    "size-lhcb": Result("make bench-size", "bench/size-lhcb.json", _size),
    "control": Result("make bench-control", "bench/control.json", _control),
    "schedule": Result("make bench-schedule", "bench/schedule.json", _schedule),
    "granularity": Result("make bench-granularity", "bench/granularity.json", _granularity),
    "views": Result("scripts/simulated ViewsBench atlas", "bench/views.json", _views),
    "soak": Result("make soak", "bench/soak.json", _soak),
    "engine": Result("make bench-engine", "bench/engine.json", _engine),
    "memory": Result("scripts/bench-engine growth", "bench/memory.json", _memory),
    "growth": Result("scripts/bench-engine growth", "bench/growth.json", _growth),
    "rules": Result("scripts/bench-engine rules", "bench/rules.md", _rules),
    "fabrics": Result("scripts/bench-engine fabrics", "bench/fabrics.md", _fabrics),
    "daqring": Result("make bench-ovs", "bench/daqring.json", _daqring),
    "dpdk": Result("make bench-dpdk", "bench/dpdk.json", _dpdk),
    "afxdp": Result("make bench-afxdp", "bench/afxdp.json", _afxdp),
}
