"""What nodes and controllers run measures no time by a clock that somebody may set; Java has WallClockTest for the same."""
import ast
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("integrations/*", "inventory", "packages", "lab/daqlab_lib")
LEFT_OUT = {"tests", "trial", "benchmarks"}
TIME = {"time", "time_ns", "localtime", "gmtime", "ctime", "strftime"}
DATE = {"now", "utcnow", "today"}
SHELL = re.compile(r"\bdate [-+]|EPOCHSECONDS")

LABEL = "told to people, who compare it with logs"
SAME_MACHINE = "compared with what others on this machine tell within one measurement, kernel or controller"
READERS = {
    "integrations/gateway/daqfabric_gateway/service.py": "the time of a value, which clients and archives see",
    "integrations/gateway/daqfabric_gateway/subscriptions.py": "the time of a value, which clients and archives see",
    "lab/daqlab_lib/bench.py": SAME_MACHINE,
    "lab/daqlab_lib/demo.py": SAME_MACHINE,
    "lab/daqlab_lib/demo_traffic.py": SAME_MACHINE,
    "lab/daqlab_lib/events/dcm.py": LABEL,
    "lab/daqlab_lib/events/run.py": LABEL,
    "lab/daqlab_lib/experiments/command.py": LABEL,
    "lab/daqlab_lib/hosts.py": LABEL,
    "lab/daqlab_lib/losses.py": LABEL,
    "lab/daqlab_lib/probe.py": SAME_MACHINE,
    "lab/daqlab_lib/probing.py": SAME_MACHINE,
    "packages/daqfabric/daqfabric": "the name of a folder with what was set aside",
}


def programs():
    """Paths and texts of all that is Python or shell."""
    for path in sorted(each for folder in FOLDERS for top in ROOT.glob(folder) for each in top.rglob("*")):
        if path.is_file() and not LEFT_OUT & set(path.parent.parts) and path.suffix in (".py", ".sh", ""):
            text = path.read_text(errors="replace")
            first = text.partition("\n")[0]
            if path.suffix == ".py" or re.match(r"#!.*(python|sh\b)", first):
                yield str(path.relative_to(ROOT)), text


def reads_clock(text):
    """Whether a program asks for the time of day."""
    first = text.partition("\n")[0]
    if first.startswith("#!") and "python" not in first:
        return bool(SHELL.search(text))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module == "time" and TIME & {each.name for each in node.names}:
            return True
        if isinstance(node, ast.Attribute) and (node.attr in DATE or (node.attr in TIME and isinstance(node.value, ast.Name)
                                                                      and node.value.id == "time")):
            return True
    return False


class ClocksTest(unittest.TestCase):
    def test_the_time_of_day_is_for_people(self):
        """Durations, deadlines and ages are by time.monotonic(), in shell by /proc/uptime. Others are named above, with the reason."""
        found = dict(programs())
        self.assertGreater(len(found), 100)
        self.assertLessEqual({"integrations/shell/daqfabric-run", "packages/daqfabric/daqfabric-node"}, set(found))
        self.assertEqual(sorted(READERS), [name for name, text in found.items() if reads_clock(text)])

    def test_every_way_to_ask_is_known(self):
        for text in ("import time\nx = time.time() + 5", "f(clock=time.time)", "from time import time", "datetime.datetime.now(UTC)",
                     "date.today()", "print(time.strftime('%H'))", "#!/bin/sh\nend=$(($(date +%s) + 60))"):
            self.assertTrue(reads_clock(text), text)
        for text in ("time.monotonic()", "value.time", "value.strftime('%H')", "#!/bin/sh\ncut -d . -f 1 /proc/uptime"):
            self.assertFalse(reads_clock(text), text)
