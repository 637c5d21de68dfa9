"""Changes are seen immediately with an event stream, and within the pause without."""
import time
import unittest

from .fake import LOGIN, Controller, eventually
from daqfabric_constellation.control import RunControl
from daqfabric_constellation.restconf import Restconf
from daqfabric_constellation.watch import Watch


class WatchTest(unittest.TestCase):
    def setUp(self):
        self.controller = self.enterContext(Controller())
        self.controller.change(state="ready", health="ok")
        self.control = RunControl(Restconf(self.controller.url, *LOGIN), "physics")
        self.seen = []

    def watch(self, pause):
        watch = Watch(self.control, lambda begun, reading, problem: self.seen.append((reading, problem)), lambda: None, pause)
        self.addCleanup(watch.end)
        return watch

    def health(self):
        reading = self.seen[-1][0] if self.seen else None
        return reading.health if reading else None

    def test_events_ring_the_bell(self):
        self.watch(pause=3600)
        eventually(lambda: self.controller.streams and len(self.seen) == 2, "first reading, and one when the stream is open")
        for health in ("degraded", "insufficient", "ok"):
            self.controller.change(health=health)
            eventually(lambda: self.health() == health, health, seconds=2)

    def test_what_happens_while_the_stream_is_away_is_seen_when_it_is_back(self):
        self.watch(pause=0.3)
        eventually(lambda: self.controller.streams, "stream")
        self.controller.cut_streams()
        eventually(lambda: not self.controller.streams, "stream cut")
        self.controller.change(notify=False, health="degraded")
        eventually(lambda: self.controller.streams, "stream again")
        eventually(lambda: self.health() == "degraded", "degraded")

    def test_without_a_stream_it_reads_regularly(self):
        self.controller.streams_refused = True
        self.watch(pause=0.05)
        self.controller.change(health="insufficient")
        eventually(lambda: self.health() == "insufficient", "insufficient")

    def test_a_lost_controller_is_reported_and_found_again(self):
        self.watch(pause=0.05)
        eventually(lambda: self.health() == "ok", "ok")
        self.controller.failures = [503] * 5
        eventually(lambda: any(not reading and "HTTP 503" in problem for reading, problem in self.seen), "problem")
        eventually(lambda: self.health() == "ok", "ok again")

    def test_nothing_is_published_after_the_end(self):
        watch = self.watch(pause=0.01)
        eventually(lambda: self.controller.streams and self.seen, "stream")
        watch.end()
        count = len(self.seen)
        self.controller.change(health="degraded")
        eventually(lambda: not self.controller.streams or time.sleep(0.05) or self.controller.cut_streams(), "stream ended")
        self.assertEqual(count, len(self.seen))
