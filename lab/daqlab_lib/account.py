"""What the demo prints: what the controller did, step by step."""
import sys
import time
from collections import Counter

BAR = 40  # columns of the longest bar


class Account:
    """Prints to standard output, each step with the seconds since the start."""

    def __init__(self):
        self._start = time.monotonic()

    def step(self, text):
        print(f"\n[{time.monotonic() - self._start:6.1f} s] {text}", flush=True)

    def fabric(self, running, seconds):
        roles = Counter(s["role"] for s in running["switch"])
        rules = sum(int(s["rules"]) for s in running["switch"])
        groups = sum(int(s["groups"]) for s in running["switch"])
        print(f"  converged {seconds:.2f} s after the PUT: {rules} rules and {groups} groups in {len(running['switch'])}"
              f" switches ({', '.join(f'{n} {role}' for role, n in sorted(roles.items()))})")
        self.placement(running)
        self.bandwidth(running)

    def placement(self, running, before=None):
        earlier = {(s["plane"], s["spine"]): int(s["dcms"]) for s in (before or running)["spine"]}
        most = max([int(s["dcms"]) for s in running["spine"]] + [1])
        for spine in running["spine"]:
            dcms = int(spine["dcms"])
            change = dcms - earlier[spine["plane"], spine["spine"]]
            print(f"  plane {spine['plane']} spine {spine['spine']}  {'#' * round(BAR * dcms / most):{BAR}} {dcms:3} DCMs"
                  + (f"  ({change:+d})" if change else ""))

    def bandwidth(self, running):
        capacity = running["capacity"]
        print(f"  event bandwidth {float(capacity['bandwidth']):g} of {float(capacity['nominal-bandwidth']):g} Gbps,"
              f" bottleneck {capacity.get('bottleneck', 'none')}")

    def pairs(self, result):
        pairs = result["pairs"]
        print(f"  {pairs['forward']} of {pairs['expected']} pairs answered from ROS to DCM,"
              f" {pairs['reverse']} from DCM to ROS")
        for missing in result["missing"][:5]:
            print(f"  no answer: {missing['from']} -> {missing['to']} ({missing['reason']})", file=sys.stderr)

    def repair(self, before, after, times):
        repair = after["last-repair"]
        print(f"  {repair['cause']}: {repair['moved-dcms']} DCMs moved, {repair['messages']} messages")
        print(f"  after the cut: detected {times['detected']:.1f} ms, computed {times['computed']:.1f} ms,"
              f" confirmed by the last switch {times['confirmed']:.1f} ms")
        balanced = after.get("last-rebalanced", {})
        if balanced.get("cause") == repair["cause"]:
            print(f"  then {balanced['moved-dcms']} DCMs moved for balance, {balanced['messages']} messages")
        self.placement(after, before)
        self.bandwidth(after)

    def traffic(self, name, phase):
        latency = phase.latency
        dropped = phase.ring_drops + phase.queue_drops + phase.machine_drops
        print(f"  {name:7} {phase.events:4} events, goodput {phase.goodput:.2f} Mbit/s, "
              + (f"latency median {latency.p50:.0f} ms, p99 {latency.p99:.0f}, longest {latency.max:.0f}; " if latency else "")
              + f"{phase.retransmits} segments retransmitted, {phase.timeouts} timeouts, {dropped} packets dropped", flush=True)

    def comparison(self, result):
        """Of a demo_traffic.Result."""
        rows = [("", "stock ports", "daqrings"), *(
            (name, *(form(phase) for phase in (result.stock, result.before))) for name, form in (
                ("goodput, Mbit/s", lambda p: f"{p.goodput:.2f}"),
                ("of what links or daqrings let through", lambda p: f"{p.goodput_ratio:.1%}"),
                ("latency of an event, median, ms", lambda p: f"{p.latency.p50:.0f}" if p.latency else "-"),
                ("latency, 99 of 100 events, ms", lambda p: f"{p.latency.p99:.0f}" if p.latency else "-"),
                ("timeouts of TCP", lambda p: str(p.timeouts)),
                ("packets dropped", lambda p: str(p.ring_drops + p.queue_drops + p.machine_drops))))]
        for name, stock, rings in rows:
            print(f"  {name:40}{stock:>12}{rings:>12}")
        print(f"  packets lost by the cut: {result.cut.lost}; on the link until its ends knew: at most {result.cut.in_flight}", flush=True)

    def note(self, text):
        print(f"  {text}", flush=True)

    def verdict(self, failures, report):
        self.step("FAILED: " + "; ".join(failures) if failures else
                  "All pairs answered at every stage, and with daqrings nothing was dropped.")
        print(f"  report: {report}")

    def calls(self, restconf, name):
        data = f"{restconf}/data/daqfabric:fabrics/fabric={name}"
        self.step("The fabric stays up until Ctrl-C. Try, in another terminal:")
        print(f"""
  curl -su admin:admin '{data}/state?content=nonconfig' | python3 -m json.tool    # how it runs
  curl -su admin:admin '{data}/state/placement=h1-1d1?content=nonconfig'          # where one DCM is placed
  curl -su admin:admin '{data}/state/last-repair?content=nonconfig'               # the last repair
  lab/daqlab cut p1l1 to-p1s1 && lab/daqlab ping {name}                            # cut a link, try all pairs
  lab/daqlab restore p1l1 to-p1s1
  lab/daqlab trace r1-1 h2-1d3                                                     # the path of a packet, hop by hop
  lab/daqlab dump p1l1                                                             # rules and groups of a switch
  curl -su admin:admin -X PATCH -H 'Content-Type: application/yang-data+json' '{data}' \\
    -d '{{"daqfabric:fabric":[{{"name":"{name}","switch":[{{"name":"p1s1","admin-state":"drained"}}]}}]}}'   # drain a spine
""", flush=True)
