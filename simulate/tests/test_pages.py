"""What the page takes from the lab's, and whether the simulated figures keep the thesis's order."""
import json
import unittest
from pathlib import Path

from .. import thesis
from daqlab_lib.experiments.results import named

DOCS = Path(__file__).resolve().parents[2] / "docs"


class Lab(unittest.TestCase):
    PAGE = """## Figure 1: a
| | | goodput, % | thesis |
|---|---|---|---|
| 2 planes, 1 spine | default TCP | 89.7 (87.5..91.3) | 29 |

## Figure 2: b
| daqring, packets | of an event | latency / serialisation |
|---|---|---|
| 11 | 0.25 | 11.03 (8.64..12.44) |
| 55 | 1.25 | 1.05 |

## Figure 3: c
| daqring | latency |
"""

    def test_a_value_stands_under_the_names_of_its_row(self):
        self.assertEqual({("2 planes, 1 spine", "default TCP"): 89.7}, thesis.lab(self.PAGE, "1", "goodput"))

    def test_a_size_stands_under_its_part_of_an_event(self):
        self.assertEqual({("0.25",): 11.03, ("1.25",): 1.05}, thesis.lab(self.PAGE, "2", "latency"))


class Order(unittest.TestCase):
    """Of what is written in docs/simulation, as far as it is there."""

    def points(self, figure):
        file = DOCS / "simulation" / f"figure-{figure}.json"
        return json.loads(file.read_text())["points"] if file.exists() else []

    def of_methods(self, leaf):
        """{configuration: {method of the thesis: value}} of figure 6.9."""
        found = {}
        for p in self.points("6.9"):
            if (named(p), p["method"]) in thesis.LATENCY:
                found.setdefault(named(p), {})[p["method"]] = p[leaf]["median"]
        return found

    def test_goodput_has_the_order_of_the_thesis_where_the_limit_lets_it(self):
        for name, goodput in self.of_methods("ratio").items():
            order = [method for method in sorted(goodput, key=goodput.get) if name != "2 planes, 1 spine" or "limited" not in method]
            self.assertEqual(["daqrings", "default TCP", "rate-limited daqrings"][:len(order)], order, name)

    def test_limited_daqrings_have_the_least_jitter(self):
        for name, jitter in self.of_methods("jitter").items():
            self.assertEqual("rate-limited daqrings", min(jitter, key=jitter.get), name)
            self.assertLess(jitter["rate-limited daqrings"], 1, name)

    def test_daqrings_of_half_an_event_collapse_and_of_a_whole_one_do_not(self):
        for figure in ("5.8", "5.10"):
            points = [p for p in self.points(figure) if p["hosts"] == "static window"]
            for p in points:
                if p["of-event"] <= 0.52:
                    self.assertLess(p["ratio"]["median"], 0.5, p["ring-size"])
                if p["of-event"] >= 1.2:
                    self.assertGreater(p["ratio"]["median"], 0.98, p["ring-size"])
