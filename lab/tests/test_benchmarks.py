"""docs/benchmarks.md is written from the numbers kept; the benchmarks themselves need a machine."""
import contextlib
import io
import json
import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from . import support  # noqa: F401  (finds the lab)
from daqlab_lib import bench, generate
from daqlab_lib.benchmarks import command, condense, pages, tables
from daqlab_lib.demo import SIZE
from daqlab_lib.errors import LabError

DOCS = command.ROOT / "docs"


class PageTest(unittest.TestCase):

    def test_page_is_what_the_numbers_make(self):
        """Neither the page nor a number is edited alone."""
        self.assertEqual(pages.page(command.read(DOCS / "benchmarks")), (DOCS / "benchmarks.md").read_text(),
                         "docs/benchmarks.md differs from its numbers: run make bench-docs")

    def test_every_target_exists(self):
        """A section names the command that measures it."""
        targets = re.findall(r"^([a-z-]+):", (command.ROOT / "Makefile").read_text(), re.MULTILINE)
        found = re.findall(r"^    (make|scripts/\S+)(?: (\S+))?", (DOCS / "benchmarks.md").read_text(), re.MULTILINE)
        self.assertGreater(len(found), 10)
        for name, argument in found:
            self.assertTrue(argument in targets if name == "make" else (command.ROOT / name).exists(), f"{name} {argument}")

    def test_numbers_as_they_are_shown(self):
        self.assertEqual(["0", "0.019", "0.17", "5.6", "23", "1200", "12 696"],
                         [tables.short(n) for n in (0, 0.0189, 0.1667, 5.587, 22.6, 1200, 12696)])
        self.assertEqual(("7.1", "6.1 to 6.2"), (tables.span(7.1), tables.span([6.1, 6.2])))
        self.assertEqual(("met", "missed"), (tables.verdict([6.7, 15], 15), tables.verdict(15.1, 15)))


class CondenseTest(unittest.TestCase):

    def copy(self, name, text):
        """What is kept of a run; the page can be written from it."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / condense.RESULTS[name].file
            file.parent.mkdir()
            file.write_text(text)
            command.copy(name, Path(folder), Path(folder))
            document = json.loads((Path(folder) / f"{name}.json").read_text())
        self.assertIn(document["machine"], pages.page(command.read(DOCS / "benchmarks") | {name: document}))
        return document

    def test_part_of_a_benchmark_is_refused(self):
        """What is kept is of a full run; the message says what to run."""
        for name, result in condense.RESULTS.items():
            for text in ("{}", ""):
                with self.subTest(name=name, text=text), self.assertRaisesRegex(LabError, re.escape(result.command)):
                    self.copy(name, text)

    def test_missing_file_is_named(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(LabError, "rate.json does not exist: run make bench-rate"):
            command.copy("rate", Path(folder), Path(folder))

    def test_rate_in_ms(self):
        side = {"seconds min": 0.0635, "seconds median": 0.0972, "seconds p99": 0.2814, "rules per second, median": 102870.3,
                "CPU seconds of this process, median": 0.02}
        raw = {name: {"rules": 10000, "ours": side, "ovs-ofctl": side, "ratio of medians": 1.7612} for name in condense.RATES}
        found = self.copy("rate", json.dumps(raw))["numbers"]["10000 rules, one bridge"]
        self.assertEqual({"ms": [63.5, 97.2, 281.4], "rules-per-second": 102870, "cpu-ms": 20}, found["ours"])
        self.assertEqual(1.76, found["ratio"])

    def test_fabrics_are_counted(self):
        row = "| f | 1.0 (98.9 %) | 1.0 (99.0 %) | 1.0 | 1.0 | leaf-1-1 | 1.0 (50.0 %) | 1.0 (60.0 %) | 1.0 ({} %) | 1.0 | 1.0 |\n"
        split = row.format("98.9").replace("98.9 %) | 1.0 | 1.0 |", "98.9 %) | 1.1 | 1.1 |")
        text = "| | whole |\n|---|---|\n" + 17 * row.format("100.0") + split
        document = self.copy("fabrics", text)
        self.assertEqual(["f", "1.0 (98.9 %)", "1.0 (99.0 %)"], document["numbers"][0][:3])
        page = pages.page(command.read(DOCS / "benchmarks") | {"fabrics": document})
        self.assertIn("18 fabrics 18 reach 99 % of the bound whole, and 17 after", page)
        self.assertIn("whole flows allow 18 reach 99 % whole, and 17 after the failure shown", page)

    def test_granularity_by_case_and_limit(self):
        case = dict.fromkeys(condense.GRANULARITY_VALUES, 1) | {"limit": 0.667, "ratio": 0.974, "queue_drops": 466, "idle": 0.177}
        raw = {"links": {"rate": 2.0, "buffer": 1000, "edge_buffer": 8}, "uplinks": 16.0, "pods": 4, "ros": 8, "dcms": 3, "packets": 32,
               "seconds": 12.0, "moment": 0.25, "repeats": 3, "cases": {name: dict.fromkeys(condense.GRANULARITY_LIMITS, case)
                                                                        for name in condense.GRANULARITY_CASES}}
        page = pages.page(command.read(DOCS / "benchmarks") | {"granularity": self.copy("granularity", json.dumps(raw))})
        self.assertIn("| one link cut | dcm | 0.67 | 1 | 1 | 1.0 | 97% | 1 | 1 | 1 | 1 | 466 | 1 | 1.00 / 1.00 / 1.00 |", page)
        self.assertIn("18% was idle at least", page)

    def test_repair_has_two_rounds(self):
        ms = {"min": 1.04, "median": 2.0, "p99": 3.0, "max": 3.0}
        one = {"cuts": [{}] * 20, "ms": dict.fromkeys(condense.REPAIR_PHASES, ms)}
        found = self.copy("repair", json.dumps({"converged-s": 4.23, "just started": one, "warm": one}))["numbers"]
        warm = found["rounds"]["warm"]
        self.assertEqual((4.2, 20, 1.0), (found["converged-s"], warm["cuts"], warm["ms"]["detected"]["min"]))

    def test_failover_joins_cases_into_rows(self):
        """Medians from the lowest to the highest; losses together; met only if every case is."""
        cases = [{"name": case, "outage_ms": {"min": 1.0, "median": 2.0 + number, "p99": 30.0, "max": 30.0}, "lost": 1, "ratio": 1.5,
                  "target": "0 lost", "met": case != "link drained"}
                 for number, case in enumerate(case for cases in condense.FAILOVER.values() for case in cases)]
        raw = {"repetitions": 10, "limit_ms": {"min": 1.0, "median": 5.0, "p99": 9.0, "max": 9.0}, "limit_lost": 7, "cases": cases}
        rows = self.copy("failover", json.dumps(raw))["numbers"]["rows"]
        self.assertEqual({"lost": 7, "min": 1.0, "median": 5.0, "max": 9.0}, rows["limit"])
        self.assertEqual((1.5, True), (rows["leaf uplink"]["ratio"], rows["leaf uplink"]["met"]))
        joined = rows["spine, leaf, link drained and undrained"]
        self.assertEqual((6, None, False), (joined["lost"], joined["ratio"], joined["met"]))
        self.assertEqual(5, joined["median"][1] - joined["median"][0])
        cases[0] = {"name": "leaf uplink", "failed": "no path"}
        with self.assertRaisesRegex(LabError, "leaf uplink failed: no path"):
            self.copy("failover", json.dumps(raw))

    def test_proof_by_part_and_time(self):
        raw = {"switches": 206, "directions": 1520, "all-pairs-s": 123.456}
        raw |= {name: {"min": 0.01, "median": 0.0456, "p99": 0.05, "max": 0.06, "count": 6} for name in condense.PROOF_PARTS}
        raw |= {name: {"min": 1.0, "median": 600.04, "p99": 900.0, "max": 82.0, "count": 10} for name in condense.PROOF_SPREADS}
        raw["repair-with-ms"] = raw["repair-with-ms"] | {"median": 640.0}
        page = pages.page(command.read(DOCS / "benchmarks") | {"proof": self.copy("proof", json.dumps(raw))})
        self.assertIn("| proofs, % of a processor | 1.0 / 4.6 / 6.0 | 5 | met |", page)
        self.assertIn("at most | 82.0 | 81 | missed |", page)
        self.assertIn("| the same at the size of ATLAS Run 2 | 10 | 1 | 600 | 82 | 1000 | met |", page)
        self.assertIn("is 1.07 (limit 1.05: missed)", page)

    def test_cluster_from_its_lists(self):
        raw = {name: [6.4, 7.6] for name in condense.CLUSTER} | {"a member that was cut off for a while had to restart": [True]}
        self.assertEqual({"times": 2, "s": [6.4, 7.6]}, self.copy("cluster", json.dumps(raw))["numbers"]["boot"])

    def test_size_and_soak_as_their_programs_write_them(self):
        spread = {"min": 1.0, "median": 2.0, "p99": 3.0, "max": 3.0}
        failure = dict.fromkeys(condense.FAILURE_ROWS, spread) | {"confirmed": spread, "samples": ["a", "b"]}
        first = {"stored-ms": 100.0, "converged-ms": 6740.0, "rules": 9, "groups": 8, "messages": 17, "refused": 0, "processor-ms": 9000,
                 "heap-bytes": 200_000_000, "resident-bytes": 900_000_000}
        fabric = {"first-programming": first, "reconnection-ms": spread | {"messages": 0},
                  "failures": dict.fromkeys(condense.FAILURES, failure)}
        found = self.copy("size-atlas", json.dumps(fabric))["numbers"]
        self.assertEqual((6.7, 0.2, 2, [1.0, 2.0, 3.0]), (
            found["converged-s"], found["heap-gb"], found["failures"]["leaf lost"]["times"], found["failures"]["leaf lost"]["quiet"]))
        views = {kind: dict.fromkeys(names, 1.25) for kind, names in condense.VIEWS.items()}
        self.assertEqual(1.2, self.copy("views", json.dumps(views))["numbers"]["with"]["switch: size, kB"])
        samples = [{name: float(number) for name in condense.SOAK_VALUES} for number in range(20)]
        found = self.copy("soak", json.dumps({"seconds": 1800, "seed": 7, "faults": 3, "false-losses": 0, "runs": 10, "passed": True,
                                              "samples": samples}))["numbers"]
        self.assertEqual(([7.0, 17.0], 0, 10), (found["medians"]["threads"], found["false-losses"], found["runs"]))

    def test_engine_by_call_and_fabric(self):
        percentiles = {"primaryMetric": {"scorePercentiles": {"0.0": 1.23456, "50.0": 2.0, "99.0": 3.0}}}
        raw = [{"benchmark": f"x.{name}", "params": {"fabric": fabric}} | percentiles
               for name, fabrics in condense.ENGINE.items() for fabric in fabrics]
        raw += [{"benchmark": "x.RepairBenchmark.repair", "params": {"fabric": fabric, "failing": what}} | percentiles
                for what in condense.FAILING for fabric in condense.REPAIRED]
        found = self.copy("engine", json.dumps(raw))["numbers"]
        self.assertEqual([1.23, 2.0, 3.0], found["repair plane"]["atlas"])
        with self.assertRaisesRegex(LabError, "huge"):
            self.copy("engine", json.dumps(raw[:4] + raw[5:]))

    def test_growth_memory_and_rules_line_by_line(self):
        point = {"size": 5, "dcms": 140, "rules": 22604, "place": 2.3, "repair": 2.6, "compile": 5.0, "bytes": 400000}
        kept = command.read(DOCS / "benchmarks")["growth"]["numbers"]
        lines = [json.dumps({"dimension": name} | point) for name in kept for _ in range(2)]
        self.assertEqual([point, point], self.copy("growth", "\n".join(lines))["numbers"]["pods"])
        memory = {"dcms": 7, "rules": 9, "bytes": 90, "bytes-per-rule": 10.0, "bytes-per-dcm": 13}
        lines = [json.dumps({"fabric": name} | memory) for name in condense.MEMORY_FABRICS]
        self.assertEqual(90, self.copy("memory", "\n".join(lines))["numbers"]["lhcb"]["bytes"])
        row = " | 51 | 1002" + " | 109, 24 at ROS, 4 rounds" * 4 + " |"
        text = "\n".join(f"| {name}, {policy}{row}" for name in condense.COMPILED for policy in ("host", "compressed"))
        found = self.copy("rules", text)["numbers"]["atlas"]["compressed"]
        self.assertEqual({"ros": 51, "all": 1002, "failures": [[109, 24, 4]] * 4}, found)

    def test_daqring_ratios(self):
        ratio = {"min": 0.971, "median": 1.0, "max": 1.02}
        case = {"packets-per-second": {"median": 177123.4}, "rate-ratio": ratio, "cpu-ratio": ratio}
        names = ("plain", "ring", "10 idle rings", "1000 idle rings", "ring beside 1000")
        raw = {"repeats": 25, "frame-bytes": 1500, "cases": dict.fromkeys(names, case)}
        found = self.copy("daqring", json.dumps(raw))["numbers"]
        self.assertEqual((177123, [0.97, 1.0, 1.02]), (found["plain-packets-per-second"], found["cases"]["ring"]["cpu-ratio"]))

    def test_dpdk_ratios_and_targets(self):
        row = {"mpps": 7.0, "gbps": 4.7, "ratio": [0.4, 0.5, 0.6]}
        raw = {"repeats": 5, "rules": 5002,
               "rates": {size: {used: dict.fromkeys(("plain", "leaf", "spine"), row) for used in condense.DAQRINGS_USED}
                         for size in condense.FRAME_BYTES},
               "limits": {"one": {"wanted": 800000.0, "ratio": [0.99, 1.0, 1.0], "each": [1.0, 1.0, 1.02]}},
               "latency-us": {"alone": {kind: {"median": 9.0, "p99": 12.0} for kind in ("plain", "daqring")}}}
        document = self.copy("dpdk", json.dumps(raw))
        page = pages.page(command.read(DOCS / "benchmarks") | {"dpdk": document})
        self.assertIn("| 64 | 1 | 7.0, 5 | 7.0, 5 | 7.0, 5 | 0.40 / 0.50 / 0.60 | 0.40 / 0.50 / 0.60 | 0.6 | missed |", page)
        self.assertIn("| 1518 | 100 | 7.0, 5 | 7.0, 5 | 7.0, 5 | 0.40 / 0.50 / 0.60 | 0.40 / 0.50 / 0.60 | 0.45 | met |", page)
        self.assertIn("| one | 0.800 | 0.9900 / 1.0000 / 1.0000 | 1.0000 / 1.0000 / 1.0200 | missed |", page)

    def test_afxdp_ratios(self):
        faster = {"kpps": 174.4, "ratio": [1.3, 1.453, 1.6]}
        ports = {"kernel": {"kpps": 120.0, "ratio": [1.0, 1.0, 1.0]}, "generic": faster, "native": faster}
        both = {"sent": ports, "possible": ports}
        raw = {"repeats": 9, "sharing": 4, "shared": {"64": ports, "1518": ports},
               "rates": {size: {used: {"plain": both, "leaf": both, "spine": both} for used in ("1", "100")} for size in ("64", "1518")}}
        page = pages.page(command.read(DOCS / "benchmarks") | {"afxdp": self.copy("afxdp", json.dumps(raw))})
        self.assertIn("| 1518 | 100 | spine | 120 | 120 | 1.30 / 1.45 / 1.60 | 1.30 / 1.45 / 1.60 |", page)
        self.assertIn("| 64 | 120 | 1.30 / 1.45 / 1.60 | 1.30 / 1.45 / 1.60 |", page)


class BenchTest(unittest.TestCase):

    def test_repairs_and_runs_as_bench_writes_them(self):
        """Two rounds of cuts, then the runs; the controller and the switches are stand-ins."""
        cut = {"link": "p1l1:to-p1s1", "moved_dcms": 12, "messages": 109, "detected": 5.0, "computed": 9.0, "confirmed": 60.0}
        started, reported = {"ms": 18.7, "modifications": 0}, {"link-state": 40.0, "repair": 110.0}
        fabric = contextlib.nullcontext(generate.generate(SIZE))
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()), \
                mock.patch.object(bench, "Restconf"), mock.patch.object(bench, "running_fabric", return_value=fabric), \
                mock.patch.object(bench, "_cut", return_value=cut) as cuts, mock.patch.object(bench.state, "load"), \
                mock.patch.object(bench.bench_runs, "measure", return_value=([started] * 2, [reported] * 2)):
            self.assertEqual(0, bench.main(["--target", folder, "--cuts", "3", "--runs", "2"]))
            repair, runs = (condense.RESULTS[name].read((Path(folder) / f"{name}.json").read_text()) for name in ("repair", "runs"))
        self.assertEqual(6, cuts.call_count)
        self.assertEqual((3, 60.0), (repair["rounds"]["warm"]["cuts"], repair["rounds"]["warm"]["ms"]["confirmed"]["median"]))
        self.assertEqual((2, 0, 18.7), (runs["runs"], runs["modifications"], runs["ms"]["start-run answered"]["median"]))
