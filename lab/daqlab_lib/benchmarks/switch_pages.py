"""Sections of docs/benchmarks.md about Open vSwitch: rules into it, and daqrings in it."""
from .tables import measured, slashed, table, verdict, whole


def rate(numbers):
    found = numbers["rate"]["numbers"]
    names = (("10000 rules, one bridge", "10 000 rules, 20 times"), ("100000 rules, one bridge", "100 000 rules, 10 times"),
             ("ATLAS Run 2, 16 bridges", "16 switches of ATLAS Run 2, a bridge each, with groups, 3 times"))
    rows = []
    for name, text in names:
        ours, peer, ratio = (found[name][each] for each in ("ours", "ovs-ofctl", "ratio"))
        rows.append((text, slashed(ours["ms"], whole), whole(ours["rules-per-second"]), f"{ours['cpu-ms']} ms",
                     slashed(peer["ms"], whole), whole(peer["rules-per-second"]), f"{ratio:.2f}", verdict(1, ratio)))
    one = found["10000 rules, one bridge"]["ours"]["cpu-ms"] / 10, found["100000 rules, one bridge"]["ours"]["cpu-ms"] / 100
    return f"""## Rules into a real switch

    make bench-rate        # two minutes, needs root; numbers in target/bench/rate.json
    scripts/bench-rate 206 # ATLAS Run 2 with all its switches

Rules of an edge switch into one bridge of Open vSwitch 3.1 (userspace datapath) on the same two processors, in turn by the
controller's OpenFlow driver and by `ovs-ofctl --bundle add-flows`: ours from the call until the barrier reply, the peer from the
start of its process until its end.

{table(("", "ours, ms, min / median / p99", "rules/s", "CPU of ours", "`ovs-ofctl`, ms", "rules/s", "ratio (at least 1)", ""), rows)}

`ovs-ofctl` has no bundle for groups and adds them one by one, which shows in the last row. Open vSwitch is the bottleneck: into one
bridge, the controller's process takes {min(one):.1f} to {max(one):.1f} us of CPU per rule.

{measured(numbers["rate"])}
"""


def daqring(numbers):
    found = numbers["daqring"]["numbers"]
    texts = {"ring": "through a daqring without limit", "10 idle rings": "plain, beside 10 empty daqrings",
             "1000 idle rings": "plain, beside 1000 empty daqrings", "ring beside 1000": "through one, beside 1000 empty ones"}
    rows = [(text, *(slashed(found["cases"][name][ratio], lambda value: f"{value:.2f}") for ratio in ("rate-ratio", "cpu-ratio")))
            for name, text in texts.items()]
    return f"""## Daqrings

    make bench-ovs         # a minute; numbers in target/bench/daqring.json

One switch between veth pairs, {found["frame-bytes"]} byte frames. Each of {found["repeats"]} repeats is a ratio to plain forwarding
in the same repeat, which is {whole(round(found["plain-packets-per-second"], -3))} packets per second in the median.

{table(("ratio to plain, min / median / max", "packets per second", "packets per CPU second of the switch"), rows)}

`make test-ovs` prints the rates of four daqrings of 10 to 200 Mbit/s, all at once in one switch that has the CPU first, and fails
if one is more than 2 % off over 10 s.

{measured(numbers["daqring"])}
"""
