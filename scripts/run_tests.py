"""python3 -m unittest, which fails where it found no test, or one hangs: python3 scripts/run_tests.py ARGUMENTS, those of unittest."""
import signal
import sys
import unittest

LIMIT = 40 * 60  # seconds; more than the longest test takes on a busy machine


class Limited(unittest.TextTestResult):
    """A test that hangs fails where it hangs, so that it is named and cleans up."""

    def startTest(self, test):  # noqa: N802  (unittest's own name)
        def late(*_):
            raise AssertionError(f"{test} hangs: it has not ended within {LIMIT} s")
        super().startTest(test)
        signal.signal(signal.SIGALRM, late)
        signal.alarm(LIMIT)

    def stopTest(self, test):  # noqa: N802  (unittest's own name)
        signal.alarm(0)
        super().stopTest(test)


class Runner(unittest.TextTestRunner):
    resultclass = Limited


def main(arguments):
    """Runs them; 0 if all passed."""
    done = unittest.main(module=None, argv=["run_tests", *arguments], exit=False, testRunner=Runner).result
    if not done.testsRun and not done.skipped:
        print(f"run_tests: nothing was tried, there is no test in: {' '.join(arguments) or 'this folder'}", file=sys.stderr)
        return 1
    return 0 if done.wasSuccessful() else 1


if __name__ == "__main__":
    sys.path[0] = ""  # the working folder, as with -m
    sys.exit(main(sys.argv[1:]))
