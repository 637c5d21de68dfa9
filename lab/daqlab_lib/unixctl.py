"""What `ovs-appctl` does, without a process for each command."""
import json
import socket

from . import ovs
from .errors import LabError


class Unixctl:
    """Commands to the switch daemon of a node over one connection; a context manager."""

    def __init__(self, node):
        self._node = node

    def __enter__(self):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(ovs.ANSWER_TIMEOUT)
        try:
            self._socket.connect(f"{self._node.rundir}/ovs-vswitchd.ctl")
        except OSError as error:
            self._socket.close()
            raise self._no_answer(error) from error
        return self

    def __exit__(self, *_):
        self._socket.close()

    def ask(self, method, *arguments):
        """The daemon's answer; LabError if there is none."""
        try:
            self._socket.sendall(json.dumps({"id": 0, "method": method, "params": arguments}).encode())
            answer = self._receive()
        except OSError as error:
            raise self._no_answer(error) from error
        if answer["error"]:
            raise LabError(f"{self._node.switch.name}: {method}: {answer['error'].strip()}")
        return answer["result"]

    def _receive(self):
        text = b""
        while data := self._socket.recv(1 << 16):
            text += data
            try:
                return json.loads(text)
            except ValueError:  # not all of it yet
                continue
        raise ConnectionResetError("it closed its control connection")

    def _no_answer(self, error):
        return LabError(f"{self._node.switch.name}: ovs-vswitchd does not answer: {error}")
