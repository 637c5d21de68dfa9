"""Sections of docs/benchmarks.md about Open vSwitch: rules into it, and daqrings in it."""
from .tables import measured, slashed, table, verdict, whole

DPDK_TARGETS = {"1": 0.6, "100": 0.45, "1000": 0.45}  # addresses -> through daqrings, of plain
MODES = ("generic", "native")  # of AF_XDP


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

The record of how full a daqring was costs less than 1 %: packets per CPU second with it are 1.003 of those without it, the
median of 200 pairs in turn (95 % confidence: 0.997 to 1.012; Open vSwitch 3.1, on a busy machine). To measure it again, take
the call of `daqring_history_put` out of `netdev_daqring_rxq_recv_at` in a copy of the repository, run `scripts/ovs` there, and
here `ovs/bench COPY/.cache/ovs/current/ovs-vswitchd`.

{measured(numbers["daqring"])}
"""


def dpdk(numbers):
    found = numbers["dpdk"]["numbers"]
    rows = []
    for size, of_size in found["rates"].items():
        for used, kinds in of_size.items():
            ratios = [kinds[kind]["ratio"] for kind in ("leaf", "spine")]
            target = DPDK_TARGETS.get(used) if size in ("64", "1518") else None
            rows.append((size, used, *(f"{kinds[kind]['mpps']:.1f}, {kinds[kind]['gbps']:.0f}" for kind in ("plain", "leaf", "spine")),
                         *(slashed(ratio, lambda value: f"{value:.2f}") for ratio in ratios), str(target or ""),
                         "" if target is None else "met" if min(ratio[1] for ratio in ratios) >= target else "missed"))
    limits = [(name, f"{row['wanted'] / 1e6:.3f}", slashed(row["ratio"], lambda value: f"{value:.4f}"),
               slashed(row["each"], lambda value: f"{value:.4f}"),
               "met" if all(abs(value - 1) <= 0.01 for value in (row["ratio"][1], row["each"][0], row["each"][2])) else "missed")
              for name, row in found["limits"].items()]
    latency = [(name, *(f"{row[kind][what]:.1f}" for kind in ("plain", "daqring") for what in ("median", "p99")))
               for name, row in found["latency-us"].items()]
    return f"""## Daqrings on DPDK

    make bench-dpdk        # five minutes, needs root and two processors; numbers in target/bench/dpdk.json

One switch on DPDK without huge pages, with one PMD thread that has a processor for itself, 2000 daqrings and {whole(found["rules"])}
rules with the groups that the controller makes. A recorded set of packets is replayed from memory without end (`net_pcap`), each
packet to another address than the one before, and leaves by a port that takes all (`net_null`). *Leaf*: an address's rule outputs to
its daqring, the daqring's rule to the port. *Spine*: both go through fast-failover groups. *Plain*: a spine's rule and group for an
address without a daqring. Each of {found["repeats"]} repeats is a ratio to plain forwarding to as many addresses in the same repeat.

{table(("bytes", "addresses", "plain, million packets/s, Gbit/s", "leaf", "spine", "leaf, ratio, min / median / max", "spine", "target", ""), rows)}

Gbit/s are those of a link, with preamble and gap. A packet passes the datapath twice, so half of plain is what can be expected of a
switch whose time goes into lookups. One daqring is cheaper, as all packets of a burst share what is done once for a burst; with a
thousand, a packet shares nothing, and its daqring, ports and flows are in no near cache of the processor. Copying the packet from the
recorded set, which a card would not need, is part of plain and of both others.

Limits, with daqrings that are always full, 1518 bytes, in parts of the limit:

{table(("", "limit, million packets/s", "in all, min / median / max", "each daqring, min / median / max", "within 1 %"), limits)}

One packet from one virtual card to another and back to the sender, by way of the kernel (`net_af_packet`), in turn plain and through
a daqring; the difference is the daqring's:

{table(("us", "plain, median", "p99", "through a daqring, median", "p99"), latency)}

The thesis (5.4.2, 5.5.3) measures goodput of a machine with twelve 10 GbE ports and 144 daqrings, large packets: 98.5 % of the
theoretical throughput, 118 Gbit/s, by a dedicated DPDK application with six cores or more for data; 98.6 % by Open vSwitch with
daqrings with eight or more, 97.6 % without daqrings with four. So 15 Gbit/s per core with daqrings and 29 without, a ratio of about
0.5, with cards and with TCP, which these numbers are without.

{measured(numbers["dpdk"])}
"""


def afxdp(numbers):
    found = numbers["afxdp"]["numbers"]

    def cells(ports):
        return f"{ports['kernel']['kpps']:.0f}", *(slashed(ports[mode]["ratio"], lambda value: f"{value:.2f}") for mode in MODES)

    rows = [(size, used, kind, f"{what['sent']['kernel']['kpps']:.0f}", *cells(what["possible"]))
            for size, of_size in found["rates"].items() for used, kinds in of_size.items() for kind, what in kinds.items()]
    shared = [(size, *cells(ports)) for size, ports in found["shared"].items()]
    return f"""## AF_XDP ports between veth pairs

    make bench-afxdp       # two minutes, needs root and two processors; numbers in target/bench/afxdp.json

A switch between two veth pairs, once for each way to reach them: kernel ports, between which the main thread of ovs-vswitchd
forwards, and AF_XDP ports with a PMD thread, in the modes *generic* and *native*. That thread has a processor for itself, the sender
the other one. Rules, groups and the words *plain*, *leaf* and *spine* are those of the section before. What the sender can send is
the limit for all three, so the ratios are of packets per second in which the thread has work: what it could forward. Each of
{found["repeats"]} repeats is a ratio to kernel ports with the same packets in the same repeat.

{table(("bytes", "addresses", "", "kernel ports, thousand packets/s, sent", "possible", "generic, ratio, min / median / max", "native"), rows)}

Labs have many switches on few processors. {found["sharing"]} switches that share two, each with a sender, and all PMD threads with
up to 200 us of sleep, carry together, through 100 daqrings of a spine:

{table(("bytes", "kernel ports, thousand packets/s", "generic, ratio, min / median / max", "native"), shared)}

So a thread with a processor for itself forwards more through AF_XDP, and a lab does not: what the kernel does for a packet between
veth pairs is the same for both, and a PMD thread looks for packets also when there are none. `daqlab` has no option for it; a
fabric file may have such ports ([how to](how-to/ports.md)).

{measured(numbers["afxdp"])}
"""
