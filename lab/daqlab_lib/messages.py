"""Rule and group modifications as they reach the switches, whoever sends them over the controller's connection.

`ovs-ofctl snoop` prints what a switch exchanges with its controller, also when that connects anew. Open vSwitch has no
counter of its own that tells modifications from other messages.
"""
import re
import subprocess
import tempfile

from . import ovs
from .errors import LabError

_MODIFICATION = re.compile(r"^OFPT_(FLOW|GROUP)_MOD\b", re.MULTILINE)


class Listening:
    """To all switches of a fabric, from `with` until its end."""

    def __init__(self, state):
        self._nodes = state.nodes.values()
        self._snoops = []

    def __enter__(self):
        for node in self._nodes:
            output = tempfile.TemporaryFile("w+", encoding="utf-8")
            target = f"unix:{node.rundir}/{node.switch.bridge}.snoop"
            process = subprocess.Popen(["ovs-ofctl", "-O", "OpenFlow13", "snoop", target], env=ovs.environment(node),
                                       stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
            self._snoops.append((node.switch.name, process, output))
        return self

    def __exit__(self, *_):
        for _, process, _ in self._snoops:
            process.kill()
        for _, process, output in self._snoops:
            process.wait()
            output.close()

    def heard(self):
        """Whether every switch has exchanged something since the beginning; what was sent before has come by then."""
        return all("OFPT_" in _text(output) for _, _, output in self._snoops)

    def modifications(self):
        """(rules, groups) since the beginning."""
        found = []
        for switch, process, output in self._snoops:
            text = _text(output)
            if process.poll() is not None:
                raise LabError(f"{switch}: listening to its controller connection ended: {text.strip()[-300:]}")
            if "OFPT_" not in text:
                raise LabError(f"{switch}: nothing was heard on its controller connection")
            found += _MODIFICATION.findall(text)
        return found.count("FLOW"), found.count("GROUP")


def _text(output):
    output.seek(0)
    return output.read()
