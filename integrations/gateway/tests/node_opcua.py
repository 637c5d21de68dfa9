"""A client of OPC UA that others wrote in another language: node-opcua's, in a process of its own."""
import json
import os
import queue
import subprocess
import tempfile
import threading
from pathlib import Path

CLIENT = Path(__file__).with_name("node-opcua") / "client.mjs"
PATIENCE = 60  # seconds


class NodeOpcUa:
    """Subscribes to values. Use it as a context."""

    def __init__(self, url, names, tell):
        """tell: called with name, status and value of all that the subscription brings."""
        self._tell = tell
        self._read_values = queue.Queue()
        self._home = tempfile.TemporaryDirectory()  # it makes a certificate of its own
        self._log = Path(self._home.name) / "log"
        with self._log.open("w") as log:
            self._client = subprocess.Popen(["node", CLIENT, url, *names], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                                            text=True, env={**os.environ, "XDG_CONFIG_HOME": self._home.name})
        self._listener = threading.Thread(target=self._listen)
        self._listener.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _listen(self):
        for line in self._client.stdout:
            told = json.loads(line)
            seen = told["status"], told.get("value")
            if told.get("read"):
                self._read_values.put(seen)
            else:
                self._tell(told["name"], *seen)

    def read(self, name):
        """Status and value, as they are now."""
        self._client.stdin.write(f"{name}\n")
        self._client.stdin.flush()
        return self._read_values.get(timeout=PATIENCE)

    def close(self):
        """Ends the session; an error of the client's is one of the test."""
        self._client.stdin.close()
        try:
            self._client.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._client.kill()
            self._client.wait()
        self._listener.join()
        self._client.stdout.close()
        with self._home:
            if self._client.returncode:
                raise AssertionError(f"node-opcua ended with {self._client.returncode}: {self._log.read_text()[-2000:]}")
