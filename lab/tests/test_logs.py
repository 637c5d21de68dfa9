"""The logs that are kept of fabrics, without switches."""
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from . import support  # noqa: F401  (makes the library importable)
from daqlab_lib import fabric, generate, logs, state

FABRIC = fabric.parse(generate.generate(generate.Size("x", 1, 1, 1, 1, 1, 1, 10)))[0]
STATE = state.plan(FABRIC, dict.fromkeys(FABRIC.switches, "172.31.1.1"), [], 1500, "ovs-vswitchd", True)
DROPS = "0000ff27 00000000 00000000\n00009e3f 00000404 00000001\n"


class LogsTest(unittest.TestCase):

    def setUp(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.kept = folder / "kept"
        self.enterContext(mock.patch.object(state, "FABRICS", folder / "run"))
        self.write("p1l1", "ovs-vswitchd.log", "one\n")
        self.write("p1l1", "ovsdb-server.log", "two\n")
        self.write("r1-1", "ovs-vswitchd.log", "three\n")

    def write(self, switch, name, text):
        file = STATE.nodes[switch].rundir / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def found(self):
        return {str(file.relative_to(self.kept)): file.read_text() for file in self.kept.rglob("*.log")}

    def test_logs_of_every_node_are_copied(self):
        logs.keep(STATE, self.kept)
        self.assertEqual({"x/p1l1/ovs-vswitchd.log": "one\n", "x/p1l1/ovsdb-server.log": "two\n", "x/r1-1/ovs-vswitchd.log": "three\n"},
                         self.found())

    def test_what_an_earlier_fabric_of_the_name_left_is_gone(self):
        logs.keep(STATE, self.kept)
        (STATE.nodes["r1-1"].rundir / "ovs-vswitchd.log").unlink()
        logs.keep(STATE, self.kept)
        self.assertNotIn("x/r1-1/ovs-vswitchd.log", self.found())

    def test_the_end_of_a_long_log_is_kept_in_whole_lines(self):
        self.write("p1l1", "ovs-vswitchd.log", "".join(f"line {number}\n" for number in range(1000)))
        with mock.patch.object(logs, "LIMIT", 30):
            logs.keep(STATE, self.kept)
        self.assertEqual("line 997\nline 998\nline 999\n", self.found()["x/p1l1/ovs-vswitchd.log"])

    def test_a_fabric_has_a_limit_too(self):
        with mock.patch.object(logs, "FABRIC", 9):
            logs.keep(STATE, self.kept)
        self.assertLessEqual(sum(map(len, self.found().values())), 9)

    def test_down_keeps_them_where_the_environment_says(self):
        with mock.patch.dict("os.environ", {logs.KEPT: str(self.kept)}):
            logs.keep_if_asked(STATE)
        self.assertEqual(3, len(self.found()))

    def test_drops_are_hexadecimal_and_by_processor(self):
        self.assertEqual([0, 1028], logs.drops_in(DROPS))


if __name__ == "__main__":
    unittest.main()
