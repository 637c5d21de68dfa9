"""A suite that tries nothing fails: of Python (scripts/run_tests.py) and of Maven (scripts/suites.sh). What runs beside others."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from .support import LAB

ROOT = LAB.parent
TEST = "import unittest\n\n\nclass SomeTest(unittest.TestCase):\n    def test_it(self):\n        {}\n"
LOG = """[INFO] Running org.daqfabric.impl.DiffTest
[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.2 s -- in org.daqfabric.impl.DiffTest
[WARNING] Tests run: 1, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.2 s -- in org.daqfabric.impl.Outer$Inner
[INFO] Tests run: 0, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0 s -- in org.daqfabric.impl.EmptyTest
[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 1
"""


class PythonTest(unittest.TestCase):

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_tests(self, *arguments):
        return subprocess.run([sys.executable, ROOT / "scripts/run_tests.py", *arguments], cwd=self.folder, text=True,
                              capture_output=True, check=False)

    def write(self, body):
        (self.folder / "test_some.py").write_text(TEST.format(body))

    def test_no_test_fails(self):
        done = self.run_tests("discover", "-s", ".")
        self.assertEqual(1, done.returncode)
        self.assertIn("nothing was tried, there is no test in: discover -s .", done.stderr)
        (self.folder / "test_some.py").write_text("")
        self.assertEqual(1, self.run_tests("test_some").returncode)

    def test_a_test_passes_and_fails_as_ever(self):
        self.write("pass")
        self.assertEqual(0, self.run_tests("test_some").returncode)
        self.assertEqual(0, self.run_tests("discover", "-s", ".").returncode)
        self.write("self.fail()")
        self.assertEqual(1, self.run_tests("test_some").returncode)
        self.assertEqual(1, self.run_tests("no_such_module").returncode)

    def limited(self):
        """Runs the module with a limit of a second."""
        program = (f"import sys; sys.path.insert(0, {str(ROOT / 'scripts')!r}); import run_tests; run_tests.LIMIT = 1; sys.path[0] = ''; "
                   "sys.exit(run_tests.main(['test_some']))")
        return subprocess.run([sys.executable, "-c", program], cwd=self.folder, text=True, capture_output=True, check=False, timeout=60)

    def test_a_test_that_hangs_fails_and_cleans_up(self):
        self.write("self.addCleanup(print, 'cleaned up'); import threading; threading.Event().wait()")
        done = self.limited()
        self.assertEqual((1, "cleaned up\n"), (done.returncode, done.stdout))
        self.assertIn("hangs: it has not ended within 1 s", done.stderr)
        self.assertIn("threading.Event().wait()", done.stderr)

    def test_what_is_set_up_for_a_class_fails_where_it_hangs(self):
        self.write("pass")
        module = self.folder / "test_some.py"
        module.write_text(module.read_text() + """
    @classmethod
    def setUpClass(cls):
        cls.addClassCleanup(print, 'cleaned up')
        import threading
        threading.Event().wait()
""")
        done = self.limited()
        self.assertEqual((1, "cleaned up\n"), (done.returncode, done.stdout))
        self.assertIn("hangs: it has not ended within 1 s", done.stderr)

    def test_a_test_that_is_skipped_was_found(self):
        self.write("self.skipTest('no switch')")
        self.assertEqual(0, self.run_tests("test_some").returncode)


class MavenTest(unittest.TestCase):

    def untested(self, log, *classes):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(log)
            file.flush()
            done = subprocess.run(["sh", "-euc", '. scripts/lib.sh; . scripts/suites.sh; untested "$@"', "scripts/test", file.name,
                                   *classes], cwd=ROOT, text=True, capture_output=True, check=True)
            return done.stdout.replace(file.name, "LOG")

    def test_classes_that_were_tested(self):
        self.assertEqual("", self.untested(LOG))
        self.assertEqual("", self.untested(LOG, "DiffTest,Outer"))
        self.assertEqual("", self.untested(LOG, "DiffTest#finds"))

    def test_classes_that_were_not_tested_are_named(self):
        self.assertEqual("LOG has no test of iffTest: correct the name\nLOG has no test of EmptyTest#no: correct the name\n",
                         self.untested(LOG, "iffTest,DiffTest,EmptyTest#no"))

    def test_a_log_without_tests(self):
        for log in ("", "[INFO] BUILD SUCCESS\n", "[INFO] Tests run: 0, Failures: 0, Errors: 0, Skipped: 0\n"):
            self.assertEqual("LOG has no test: its tag or filter fits none\n", self.untested(log))


class BesideTest(unittest.TestCase):

    def test_the_lowest_priority_is_that_of_the_session(self):
        """Linux shares processors among sessions first, whatever is nice in one of them."""
        shown = subprocess.run(["setsid", "-w", ROOT / "scripts/lowest", "sh", "-c", "nice; cat /proc/self/autogroup"], text=True,
                               capture_output=True, check=False).stdout
        self.assertEqual("19", shown.split()[0])
        if Path("/proc/self/autogroup").exists():
            self.assertEqual("19", shown.split()[-1])


if __name__ == "__main__":
    unittest.main()
