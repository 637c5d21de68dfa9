"""The failover benchmark's bookkeeping; what it measures needs a controller."""
import unittest

from . import support  # noqa: F401  (makes the library importable)
from daqlab_lib import failover, failover_cases
from daqlab_lib.errors import LabError
from daqlab_lib.probing import Sample

LIMIT = failover.Result("limit", samples=[Sample(ms, 1, False) for ms in (4.0, 5.0, 6.0)])


class FakeBench:
    """Records, and says how often it was restored."""

    def __init__(self):
        self.limit, self.results, self.recovered = LIMIT, {}, 0
        self.account = self

    def step(self, text):
        pass

    def say(self, text):
        pass

    def recover(self):
        self.recovered += 1

    def record(self, name, sample, modifications=(0, 0)):
        failover.Bench.record(self, name, sample, modifications)


def case(repeat):
    return failover_cases.Case({"cut": failover_cases._times(1.3), "return": failover_cases.LOSSLESS}, repeat)


class FailoverTest(unittest.TestCase):

    def run_case(self, repeat, times=3):
        bench = FakeBench()
        failover._repeat(bench, case(repeat), times)
        return bench, list(bench.results.values())

    def test_numbers_are_of_all_repetitions(self):
        def repeat(bench, number):
            bench.record("cut", Sample(6.0 + number, number, False))
            bench.record("return", Sample(1.0, 0, False))

        bench, results = self.run_case(repeat)
        self.assertEqual(0, bench.recovered)
        self.assertEqual({"repetitions": 3, "limit_ms": {"min": 4.0, "median": 5.0, "p99": 6.0, "max": 6.0}, "limit_lost": 3, "cases": [
            {"name": "cut", "outage_ms": {"min": 6.0, "median": 7.0, "p99": 8.0, "max": 8.0}, "lost": 3, "ratio": 1.4,
             "target": "1.3 x limit", "met": False},
            {"name": "return", "outage_ms": {"min": 1.0, "median": 1.0, "p99": 1.0, "max": 1.0}, "lost": 0, "ratio": 0.2,
             "target": "0 lost", "met": True},
        ]}, failover.numbers(LIMIT, results, 3))
        rows = failover.table(LIMIT, results).splitlines()
        self.assertEqual("| limit | 4.0 | 5.0 | 6.0 | 6.0 | 3 | 1 |  |  |", rows[2])
        self.assertTrue(rows[3].endswith("| 3 | 1.40 | 1.3 x limit | missed |"), rows[3])
        self.assertTrue(rows[4].endswith("| 0 | 0.20 | 0 lost | met |"), rows[4])

    def test_a_case_that_fails_says_why_and_everything_is_restored(self):
        """The failure belongs to the result that was due; the other keeps nothing half measured."""
        def repeat(bench, number):
            bench.record("cut", Sample(6.0, 0, False))
            if number == 1:
                raise LabError("the link is gone")
            bench.record("return", Sample(1.0, 0, False))

        bench, (cut, returned) = self.run_case(repeat)
        self.assertEqual((1, None, "the link is gone"), (bench.recovered, cut.failed, returned.failed))
        self.assertEqual(2, len(cut.samples))
        self.assertEqual({"name": "return", "failed": "the link is gone"}, failover.numbers(LIMIT, [cut, returned], 3)["cases"][1])
        self.assertIn("failed: the link is gone", failover.table(LIMIT, [cut, returned]))

    def test_what_a_failure_kept_from_being_measured_has_failed_too(self):
        def repeat(bench, number):
            raise LabError("no path")

        _, (cut, returned) = self.run_case(repeat)
        self.assertEqual(("no path", "not reached: cut failed"), (cut.failed, returned.failed))

    def test_an_open_outage_and_modifications_miss_the_target(self):
        endless = failover.Result("x", failover_cases._within(9000), [Sample(2000.0, 9, True)])
        touched = failover.Result("y", failover_cases.UNTOUCHED, [Sample(1.0, 0, False)], (3, 1))
        table = failover.table(LIMIT, [endless, touched])
        self.assertIn("missed (1 of 1 not over after 2 s)", table)
        self.assertIn("missed (3 rule and 1 group messages)", table)
        untouched = failover.Result("y", failover_cases.UNTOUCHED, [Sample(1.0, 0, False)])
        self.assertIn("| met |", failover.table(LIMIT, [untouched]))
