"""python3 -m unittest, which fails where it found no test, or one hangs: python3 scripts/run_tests.py ARGUMENTS, those of unittest."""
import signal
import sys
import unittest

LIMIT = 40 * 60  # seconds; more than the longest test takes on a busy machine


class Limited(unittest.TextTestResult):
    """What hangs, a test or what is set up for a class or module, fails where it hangs, so that it is named and cleans up."""

    def startTestRun(self):  # noqa: N802  (unittest's own name)
        super().startTestRun()
        self._begin("what is set up first")

    def startTest(self, test):  # noqa: N802  (unittest's own name)
        super().startTest(test)
        self._begin(test)

    def stopTest(self, test):  # noqa: N802  (unittest's own name)
        self._begin(f"what comes after {test}")
        super().stopTest(test)

    def stopTestRun(self):  # noqa: N802  (unittest's own name)
        signal.alarm(0)
        super().stopTestRun()

    @staticmethod
    def _begin(what):
        def late(*_):
            raise AssertionError(f"{what} hangs: it has not ended within {LIMIT} s")
        signal.signal(signal.SIGALRM, late)
        signal.alarm(LIMIT)


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
