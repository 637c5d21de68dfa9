"""python3 -m unittest, which fails where it found no test: python3 scripts/run_tests.py ARGUMENTS, those of unittest."""
import sys
import unittest

if __name__ == "__main__":
    sys.path[0] = ""  # the working folder, as with -m
    done = unittest.main(module=None, argv=["run_tests", *sys.argv[1:]], exit=False).result
    if not done.testsRun and not done.skipped:
        sys.exit(f"run_tests: nothing was tried, there is no test in: {' '.join(sys.argv[1:]) or 'this folder'}")
    sys.exit(not done.wasSuccessful())
