"""Losses and outages of the numbered packets between one source and one destination, from their send and arrival times.

Times are nanoseconds of one clock. A packet is late (`reordered`) if one with a higher number has arrived before it; late
packets count as received and are ignored otherwise. Let x and y be two of the other packets, y the next to arrive after x.
Packet x+1 was due when x had arrived and the sender had waited as long as it did: at arrival(x) + sent(x+1) - sent(x). The
*outage* between them is the time from then to the arrival of y, whether packets between them were lost or all were only
delayed. If the sender paused before y, the part of that pause above its interval is subtracted. A pause between two missing
packets is not: nothing arrived before or after it.

Before the first arrival an outage counts from the first packet sent; after the last arrival it counts until the last
packet sent, and is open: it may have lasted longer. A packet that arrives on time makes no outage; one delayed by d ms more
than the packet before it makes one of d ms, so even an idle machine shows some.
"""
import heapq
from array import array
from typing import NamedTuple

KEPT = 200  # longest outages


class Outage(NamedTuple):
    length: int     # ns
    beginning: int  # ns
    missing: int    # packets lost in it; 0 if all were only delayed


class Arrivals:
    """Records packets as they are sent and arrive; keeps 9 bytes per packet."""

    def __init__(self, interval):
        self._interval = interval
        self._sent = array("q")   # number -> when
        self._seen = bytearray()  # number -> whether it has arrived
        self._newest, self._newest_at = -1, 0
        self._outages = []  # a heap
        self.received = self.duplicates = self.reordered = self.longest_delay = 0

    @property
    def sent(self):
        return len(self._sent)

    @property
    def lost(self):
        return self.sent - self.received

    def send(self, at):
        """Records a packet that is sent; returns its number."""
        self._sent.append(at)
        self._seen.append(0)
        return len(self._sent) - 1

    def arrive(self, number, at):
        """Records an arrival; to be called in the order of arrival."""
        if self._seen[number]:
            self.duplicates += 1
            return
        self._seen[number] = 1
        self.received += 1
        self.longest_delay = max(self.longest_delay, at - self._sent[number])
        if number < self._newest:
            self.reordered += 1
            return
        if number:
            due = self._due()
            pause = self._pause(number) if number > self._newest + 1 else 0
            if at - due - pause > 0:
                self._keep(Outage(at - due - pause, due, number - self._newest - 1))
        self._newest, self._newest_at = number, at

    def outages(self):
        """The longest outages, longest first, and whether the last one is still open."""
        found = list(self._outages)
        is_open = self._newest < self.sent - 1
        if is_open:
            found.append(Outage(max(0, self._sent[-1] - self._due()), self._due(), self.sent - 1 - self._newest))
        return sorted(found, reverse=True)[:KEPT], is_open

    def _keep(self, outage):
        (heapq.heappush if len(self._outages) < KEPT else heapq.heappushpop)(self._outages, outage)

    def _due(self):
        """When the packet after the newest should have arrived."""
        if self._newest < 0:
            return self._sent[0]
        return self._newest_at + self._sent[self._newest + 1] - self._sent[self._newest]

    def _pause(self, number):
        """By how much longer than the interval the sender waited before this packet."""
        return max(0, self._sent[number] - self._sent[number - 1] - self._interval)
