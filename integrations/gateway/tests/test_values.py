"""Differences lead from one tree to the other, and times never go back."""
import random
import unittest
from datetime import UTC, datetime, timedelta

from daqfabric_gateway.values import EMPTY, FLAG, INTEGER, TEXT, Severity, Status, Value, difference, stamped, tree

BEGIN = datetime(2026, 11, 25, 10, tzinfo=UTC)
CONTENTS = ((INTEGER, 1), (INTEGER, 2), (INTEGER, None), (TEXT, "one"), (TEXT, None), (FLAG, True))


def some(generator, moment):
    """A tree of a few values, some with times of their own, that may be earlier than what was read before."""
    return tree(Value((name,), *generator.choice(CONTENTS), severity=generator.choice(list(Severity)),
                      time=generator.choice((None, BEGIN + timedelta(seconds=moment + generator.randint(-5, 1)))))
                for name in "abcdefgh" if generator.random() < 0.7)


class ValuesTest(unittest.TestCase):
    def test_a_difference_leads_from_one_to_the_other(self):
        for seed in range(300):
            generator = random.Random(seed)
            old, new = some(generator, 0), some(generator, 0)
            found = difference(old, new)
            served = dict(old)
            for path in found.gone:
                del served[path]
            for each in found.come:
                self.assertNotIn(each.path, served, seed)
                served[each.path] = each
            for each in found.changed:
                self.assertEqual(served[each.path].type, each.type, seed)
                self.assertNotEqual(served[each.path], each, seed)
                served[each.path] = each
            self.assertEqual(dict(new), served, seed)

    def test_nothing_differs_from_itself(self):
        for seed in range(50):
            values = some(random.Random(seed), 0)
            self.assertEqual(((), (), ()), tuple(vars(difference(values, values)).values()))

    def test_times_never_go_back_and_stay_while_nothing_changes(self):
        for seed in range(100):
            generator = random.Random(seed)
            old = EMPTY
            for moment in range(20):
                now = BEGIN + timedelta(seconds=moment)
                new = stamped(some(generator, moment), old, now)
                for path, each in new.items():
                    self.assertIsNotNone(each.time, seed)
                    if path in old:
                        self.assertGreaterEqual(each.time, old[path].time, seed)
                self.assertEqual(dict(new), dict(stamped(new, new, now + timedelta(seconds=9))), seed)
                old = new

    def test_the_same_without_a_time_keeps_its_time(self):
        old = stamped(tree([Value(("a",), INTEGER, 1)]), EMPTY, BEGIN)
        self.assertEqual(dict(old), dict(stamped(tree([Value(("a",), INTEGER, 1)]), old, BEGIN + timedelta(seconds=1))))

    def test_a_stale_value_is_the_last_known_at_a_later_time(self):
        old = stamped(tree([Value(("a",), INTEGER, 1, time=BEGIN)]), EMPTY, BEGIN)
        later = BEGIN + timedelta(seconds=1)
        lost = stamped(tree(each.stale("gone") for each in old.values()), old, later)[("a",)]
        self.assertEqual((1, Severity.INVALID, Status.LAST_KNOWN, "gone", later),
                         (lost.value, lost.severity, lost.status, lost.text, lost.time))

    def test_what_changes_after_the_clock_was_set_back_is_later(self):
        """An archive drops what is not."""
        served = stamped(tree([Value(("a",), INTEGER, 0)]), EMPTY, BEGIN)
        for moment in range(1, 4):
            before = served[("a",)].time
            served = stamped(tree([Value(("a",), INTEGER, moment)]), served, BEGIN - timedelta(hours=1) + timedelta(seconds=moment))
            self.assertGreater(served[("a",)].time, before)
            self.assertLess(served[("a",)].time, BEGIN + timedelta(seconds=1))
