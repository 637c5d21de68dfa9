"""What experiments compute and write; the runs themselves are `make experiments`."""
import json
import re
import tempfile
import unittest
from dataclasses import asdict, replace
from pathlib import Path

from . import support
from daqlab_lib.experiments import failover, incast_pages, pages, scale, tcp_paper
from daqlab_lib.experiments.results import Point, named, spread
from daqlab_lib.experiments.testbed import Repeat


def repeat(ratio=0.9, timeouts=1):
    return Repeat(10.0, ratio, 20, 300.0, 30.0, 290.0, 350.0, 400.0, 410.0, 5, timeouts, 2, 3, 0, 0.5)


class ScaleTest(unittest.TestCase):

    def test_fragments_fill_their_segments(self):
        self.assertEqual(2 * 1448, scale.fragment(2) + 12)

    def test_interval_gives_the_rate_on_the_wire(self):
        for burst in (1, 4):
            self.assertAlmostEqual(2.5, burst * 1538 * 8 / scale.interval(2.5, burst), places=3)


class FailoverTest(unittest.TestCase):

    def test_bytes_count_evenly_over_the_time_an_event_took(self):
        """1 Mbit in the second half of the first second, 1 Mbit in the whole of it."""
        events = [{"at": 101.0, "ms": 500.0, "bytes": 125000}, {"at": 101.0, "ms": 1000.0, "bytes": 125000}]
        bins = failover.per_bin(events, 100.0, 2.0, 10.0)
        self.assertEqual([0.1] * 5 + [0.3] * 5 + [0.0] * 10, bins)

    def test_goodput_is_back_when_it_stays(self):
        whole, low = [1.0] * 20, [0.5] * 6
        self.assertEqual(0.0, failover.recovery(whole + whole, 1.0, 3.0))
        self.assertAlmostEqual(0.5, failover.recovery(whole[:10] + low + whole, 1.0, 3.0), delta=0.11)
        self.assertAlmostEqual(1.4, failover.recovery(whole[:10] + low + whole[:3] + low + whole, 1.0, 3.0), delta=0.11)


class PredictionTest(unittest.TestCase):
    """What rpc incast says, as it is drawn into the plots."""
    POINT = {"method": "100 credits", "rtt": 10000, "link": 20.0, "in-flight": 40000, "buffer": 10, "predicted": {"bdp": 25000}}

    def test_goodput_of_what_is_in_flight(self):
        self.assertEqual(1.0, incast_pages.predicted_goodput(self.POINT))
        self.assertEqual(0.5, incast_pages.predicted_goodput(self.POINT | {"in-flight": 12500}))
        self.assertEqual(0.5, incast_pages.predicted_goodput(self.POINT | {"in-flight": 25000, "method": "one event at a time"}))

    def test_buffer_that_is_enough(self):
        """(3): 40 000 B in flight, of which 25 000 B are on their way."""
        self.assertFalse(incast_pages.is_enough(self.POINT))
        self.assertTrue(incast_pages.is_enough(self.POINT | {"buffer": 11}))

    def test_least_latency(self):
        self.assertAlmostEqual(26.0, incast_pages.at_least(self.POINT))


class TcpPaperTest(unittest.TestCase):

    def test_goodput_of_one_event_at_a_time(self):
        """143 responses of 13 200 B in 12 fragments take 10 frames each: 800.3 ms on the link."""
        found = tcp_paper.with_goodput(replace(repeat(), mean=800.3424))
        self.assertEqual(1.0, found.ratio)
        self.assertEqual(0.5, tcp_paper.with_goodput(replace(repeat(), mean=1600.6848)).ratio)


class PagesTest(unittest.TestCase):

    def test_medians_with_their_spans(self):
        self.assertEqual({"min": 1, "median": 2, "max": 5}, spread([5, 1, 2]))
        self.assertEqual("2 planes, 1 spine", named({"planes": 2, "spines": 1}))

    def page(self):
        """The page that some numbers make; what texts say of an event is as in docs/experiments.md."""
        method = {"planes": 1, "spines": 1, "method": "default TCP"}
        ring = {"ring-size": 12, "of-event": 1.0, "event-packets": 44, "serialisation": 200.0}
        one_dcm = ring | {"event-packets": 110, "serialisation": 156.0}
        shape = {"planes": 1, "spines": 1, "burst": 4, "of-share": 1.1, "of-links": 1.65, "polling-interval": 19685}
        predicted = {"bdp": 25000, "least-credits": 23, "most-credits": 477, "least-gwnd": 17, "most-gwnd": 349, "cwnd": 2}
        paper = {"rtt": 10000, "flows": 143, "link": 20.0, "predicted": predicted}
        far = paper | {"in-flight": 50000, "distance": 10.0}
        run = failover.Run(6.0, 12.0, [1.0], 0.4, 900.0, 300.0, 100, 0, 7, 1)
        figures = {"5.8": ring, "5.10": one_dcm, "6.8": shape, "6.9": method,
                   "credits": paper | {"method": "credits", "number": 24}, "windows": paper | {"method": "cwnd", "number": 2},
                   "buffers": far | {"method": "96 credits", "buffer": 16}, "round-trips": far | {"method": "one event at a time"},
                   "first-events": far | {"method": "host-profile"}}
        points = {name: [Point(at, [repeat(), repeat(0.8, 2), repeat(0.95)]).payload()] for name, at in figures.items()}
        with tempfile.TemporaryDirectory() as folder:
            for name, found in (points | {"6.10": [asdict(run)]}).items():
                (Path(folder) / f"figure-{name}.json").write_text(
                    json.dumps({"figure": name, "date": "2026-11-21", "machine": "one", "points": found}))
            pages.write(Path(folder), Path(folder))
            return (Path(folder) / "experiments.md").read_text()

    def test_every_figure_has_its_table(self):
        """Of the numbers as they are written; the thesis's value stands beside ours."""
        text = self.page()
        for row in ("| 12 | 1 | 90.0 (80.0..95.0) | 1.50 | 10.0 | 0.067 | 0.1 |",
                    "| 1 plane, 1 spine | 4, 19.7 ms | 110 | 90.0 (80.0..95.0) | 400 | 3, 40 us, 73 |",
                    "| 1 plane, 1 spine | default TCP | 90.0 (80.0..95.0) | 57.3 | 300 | 10 | 4 | 9 | 6 |",
                    "| 1 | 0.4 | 900 | 300 | 100 | 0 | 7 | 1 |",
                    "`least-credits` 23, `most-credits` 477.",
                    "| 24 | 90.0 (80.0..95.0) | 300 | 0.067 | 0.25 |",
                    "| 2 | cwnd | 286 | 90.0 (80.0..95.0) |",
                    "| 16 | 96 credits | no | 90.0 (80.0..95.0) |",
                    "| 10.0 | one event at a time | 67 | 90.0 (80.0..95.0) |",
                    "| 10.0 | host-profile | 300 | 30 | 27.0 |"):
            self.assertIn(row, text)
        self.assertEqual(10, text.count("\n!["))

    def test_figures_without_numbers_stay_as_they_are(self):
        """Also when only one was measured again."""
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "experiments.md"
            page.write_text(self.page())
            pages.write(Path(folder), Path(folder))
            self.assertEqual(self.page(), page.read_text())

    def test_page_has_the_texts_of_its_generator(self):
        """Neither is edited alone; rows of tables are measured."""
        def texts(page):
            page = re.sub(r"## TCP paper, figure 4(.|\n)*?(?=## )", "", page)  # not measured yet
            return [line for line in page.splitlines() if not re.match(r"\| \d|Measured ", line)]
        self.assertEqual(texts(self.page()), texts((support.LAB.parent / "docs" / "experiments.md").read_text()))
