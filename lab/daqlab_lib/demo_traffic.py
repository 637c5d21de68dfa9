"""Event traffic in the demo: what the DCMs collect before, during and after the cut of a link."""
import contextlib
import time

from . import capacity, events, state

LOAD = events.Load(size=2000)
RATE = 1.0      # Mbit/s of a link: leaves half of two cores to the controller, whose repair is shown as well
BUFFER = 3000   # packets: deep, for where there are no daqrings
PHASE = 5.0     # seconds


class Collection:
    """Links at a rate that two cores can forward, and the figures of each phase."""

    def __init__(self, name, account):
        self._name, self._account = name, account
        self.phases = {}

    @contextlib.contextmanager
    def limited(self):
        """Links have a rate and a buffer while this lasts."""
        capacity.limit(state.load(self._name), capacity.Capacity(RATE, BUFFER))
        try:
            yield
        finally:
            with state.lock():
                capacity.lift(state.load(self._name))

    def before_and_during(self, cut):
        """Traffic for a while, then `cut()` under it and for a while on; returns what cut() returns."""
        with self.limited(), events.start(self._name, LOAD) as traffic:
            time.sleep(PHASE)  # the length of a phase
            traffic.mark("during")
            begun = time.monotonic()
            result = cut()
            time.sleep(max(0.0, PHASE - (time.monotonic() - begun)))
            self._take(traffic.stop(), ("before", "during"))
        return result

    def after(self):
        with self.limited(), events.start(self._name, LOAD) as traffic:
            time.sleep(PHASE)
            self._take(traffic.stop(), ("after",))

    def _take(self, report, names):
        for name, phase in zip(names, report.phases):
            self.phases[name] = summary(phase)
            self._account.traffic(name, phase)
        self._account.note(f"limit: {report.limited_by}")


def summary(phase):
    latency = phase.latency
    return {"events": phase.events, "goodput_ratio": phase.goodput_ratio,
            "latency_ms": {"p50": latency.p50, "p99": latency.p99, "max": latency.max} if latency else None,
            "retransmits": phase.retransmits, "timeouts": phase.timeouts, "ring_drops": phase.ring_drops}
