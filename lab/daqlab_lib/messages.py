"""Counts the rule and group modifications that reach the switches over the controller connection.

`ovs-ofctl snoop` prints what a switch exchanges with its controller, also after a reconnection. Open vSwitch has no
counter that separates modifications from other messages.
"""
import re
import subprocess
import tempfile

from . import ovs
from .errors import LabError

_MODIFICATION = re.compile(r"^OFPT_(FLOW|GROUP)_MOD\b", re.MULTILINE)


class Monitor:
    """Monitors all switches of a fabric while its context is open."""

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

    def all_active(self):
        """Whether every switch has exchanged a message since the start; messages sent earlier have arrived by then."""
        return all("OFPT_" in _text(output) for _, _, output in self._snoops)

    def modifications(self):
        """(rules, groups) since the start."""
        found = []
        for switch, process, output in self._snoops:
            text = _text(output)
            if process.poll() is not None:
                raise LabError(f"{switch}: monitoring its controller connection ended: {text.strip()[-300:]}")
            if "OFPT_" not in text:
                raise LabError(f"{switch}: no message on its controller connection")
            found += _MODIFICATION.findall(text)
        return found.count("FLOW"), found.count("GROUP")


def _text(output):
    output.seek(0)
    return output.read()
