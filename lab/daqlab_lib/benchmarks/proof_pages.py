"""Section of docs/benchmarks.md about proof by packets."""
from .tables import measured, slashed, table, verdict, whole

FULL_FRAMES = 10e9 / 8 / (1500 + 38)  # a second on a link of 10 Gbit/s, with Ethernet's header, check sum, preamble and gap


def proof(numbers):
    found = numbers["proof"]["numbers"]
    cost, fullest = found["processor-of-proofs"]["median"], found["packets-per-second-of-fullest"]["max"]
    ratio = found["repair-with-ms"]["median"] / found["repair-without-ms"]["median"]

    def percent(name):
        return slashed([100 * found[name][each] for each in ("min", "median", "max")], "{:.1f}".format)

    costs = [("proofs, % of a processor", percent("processor-of-proofs"), "5", verdict(cost, 0.05)),
             ("counters of all ports and rules, and frames on idle links, % of a processor", percent("processor-of-losses"), "", ""),
             ("all that the controller does, % of a processor", percent("processor-with"), "", ""),
             ("packets of proofs a second in the direction with most, at most", f"{fullest:.1f}", f"{FULL_FRAMES / 10_000:.0f}",
              verdict(fullest, FULL_FRAMES / 10_000)),
             ("messages with packets a second, for proofs; for frames on idle links",
              f"{found['packets-per-second']['median']:.0f}; {found['messages-per-second-for-idle-links']['median']:.0f}", "", "")]

    def times(text, name, limit=None):
        spread = found[name]
        return (text, str(spread["count"]), *(f"{spread[each]:.0f}" for each in ("min", "median", "max")),
                "" if limit is None else str(limit), "" if limit is None else verdict(spread["median"], limit))

    rows = [times("noticed by BFD alone: a cable that loses everything", "bfd-ms"),
            times("noticed by proofs: a cable that loses what hosts send and lets BFD pass", "proof-ms", 1000),
            times("the same at the size of ATLAS Run 2", "proof-at-size-ms", 1000),
            times("repair of a cut link without proofs, to the last barrier", "repair-without-ms"),
            times("repair of a cut link with proofs, in turn", "repair-with-ms")]
    return f"""## Proof by packets

    make bench-proof       # an hour, needs root; numbers in target/bench/proof.json

What [proofs](design.md#proof-by-packets) cost at the size of ATLAS Run 2 with [simulated switches](simulator.md)
({found["switches"]} switches, {whole(found["directions"])} directions of links) while nothing else happens, in turn with and without them
and without what looks for losses; and when a dead link is noticed, on simulated switches and on Open vSwitch (the prototype fabric).
A debugger stops proofs from outside; BFD runs all the time, every 50 ms.

{table(("ATLAS Run 2, min / median / max", "measured", "limit", ""), costs)}

The limit for packets is one of 10 000 that a link of 10 Gbit/s carries at an MTU of 1500. Small frames on idle links, at most 80 a second,
are not among them: a link that carries more than these gets none. Every pair of ROS and DCM was proven
{found["all-pairs-s"]:.0f} s after the fabric had converged.

{table(("ms", "times", "min", "median", "max", "limit", ""), rows)}

The ratio of the two repairs is {ratio:.2f} (limit 1.05: {verdict(ratio, 1.05)}).

{measured(numbers["proof"])}
"""
