"""daqfabric-node-load without Open vSwitch."""
import importlib.machinery
import importlib.util
import random
import unittest
from pathlib import Path

FILE = Path(__file__).resolve().parents[1] / "daqfabric" / "daqfabric-node-load"
_SPEC = importlib.util.spec_from_loader("node_load", importlib.machinery.SourceFileLoader("node_load", str(FILE)))
load = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(load)

# of Open vSwitch 3.1 with daqrings
SHOWN = """\
Displaying last 60 seconds pmd usage %
pmd thread numa_id 0 core_id 1:
  isolated : false
  port: to-p1l1           queue-id:  0 (enabled)   pmd usage: 12 %
  port: ring-10.0.0.1-br-daq  queue-id:  0 (enabled)   pmd usage: 30 %
  overhead:  3 %
pmd thread numa_id 1 core_id 13:
  isolated : true
  port: to-p1l1           queue-id:  1 (enabled)   pmd usage: NOT AVAIL
  port: to-p2l1           queue-id: 10 (disabled)  pmd usage:  0 %
  port: to-p2l1           queue-id:  9 (enabled)   pmd usage: 98 %
  overhead: NOT AVAIL
"""


class Queues(unittest.TestCase):
    def test_reads_threads_and_their_queues(self):
        self.assertEqual(load.queues(SHOWN), {"to-p1l1": "0:1:0:12:45 1:13:1:0:98", "ring-10.0.0.1-br-daq": "0:1:0:30:45",
                                              "to-p2l1": "9:13:1:98:98 10:13:1:0:98"})

    def test_nothing_polls(self):
        self.assertEqual(load.queues("Displaying last 60 seconds pmd usage %\n"), {})

    def test_writes_what_is_different(self):
        """What the commands leave is what was wanted, and there are none where nothing differs."""
        choose = random.Random(1)
        for _ in range(500):
            wanted, written = ({port: choose.choice("ab") for port in "pqrs" if choose.random() < 0.5} for _ in range(2))
            commands = load.words(wanted, written)
            self.assertEqual(commands == [], wanted == written)
            self.assertEqual(apply(written, commands), wanted)


def apply(written, commands):
    """What is written after commands of ovs-vsctl."""
    after = dict(written)
    for command in " ".join(commands).split("-- --if-exists ")[1:]:
        verb, table, port, *rest = command.split()
        assert table == "Interface"
        if verb == "set":
            after[port] = rest[0].removeprefix(f"external_ids:{load.KEY}=").strip('"')
        else:
            assert rest == ["external_ids", load.KEY]
            del after[port]
    return after


if __name__ == "__main__":
    unittest.main()
