"""A RESTCONF server with alarms, a fabric and a partition, that can be restarted and made to misbehave."""
import base64
import copy
import json
import queue
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

LOGIN = "watch:secret"
PREFIX = "/rests"
ADDRESSES = Path("/proc/net/if_inet6")
SIX = ADDRESSES.exists() and f"{1:032x}" in ADDRESSES.read_text()  # this machine has ::1
T0 = "2026-11-25T10:00:00.000001Z"
CUT = {"resource": "fabric/prototype/link/p1l1:to-p1s1", "alarm-type-id": "link-down", "perceived-severity": "major",
       "alarm-text": "link p1l1:to-p1s1 is down: no carrier at p1s1", "advice": "check cable", "is-cleared": False,
       "last-raised": "2026-11-25T10:01:00Z", "last-changed": "2026-11-25T10:01:00Z", "operator-state": "none", "shelved": False}


def state(links=2):
    """The state of a fabric in which all is well."""
    return {
        "phase": "converged", "capacity": {"bandwidth": "120.0", "nominal-bandwidth": "120.0", "utilisation": "1.0"},
        "switch": [{"name": f"p1l{number}", "ovsdb-connected": True, "openflow-connected": True} for number in range(1, links + 1)],
        "link": [{"switch": f"p1l{number}", "port": "to-p1s1", "oper-state": "up", "since": T0} for number in range(1, links + 1)]}


def content():
    """What a controller knows: containers by module."""
    return {
        "daqfabric-alarms:alarms": {"number-of-alarms": 0},
        "daqfabric:fabrics": {"fabric": [{"name": "prototype", "state": state()}]},
        "daqfabric-run-control:run-control": {"partition": [
            {"name": "physics", "fabric": "prototype", "state": "running", "since": T0, "health": "ok",
             "achievable-bandwidth": "40.0", "required-bandwidth": "30.0", "run": {"run-number": 7}}]}}


class Controller:
    """Use it as a context. What it answers is `content`; `stop` and `start` restart it at the same address."""

    def __init__(self, tls=None, host="127.0.0.1", below=""):
        """tls: a context of ssl, for https; host: where it listens, on loopback; below: what a proxy puts before the path."""
        self._host = host
        self._prefix = below + PREFIX
        self._tls = tls
        self.content = content()
        self.strange = None  # status, body and header of all answers, as of a server that is no controller
        self.logins = set()  # headers that any request came with
        self.streams = []
        self.notifications = None
        self._server = None
        self._port = 0

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    @property
    def url(self):
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http{'s' if self._tls else ''}://{host}:{self._port}{self._prefix}"

    def start(self):
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                fake.serve(self, None)

            def do_POST(self):
                fake.serve(self, json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            address_family = socket.AF_INET6 if ":" in fake._host else socket.AF_INET

        self._server = Server((self._host, self._port), Handler)
        self._server.daemon_threads = True
        if self._tls:
            self._server.socket = self._tls.wrap_socket(self._server.socket, server_side=True)
        self._port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self):
        if self._server:
            for stream in list(self.streams):
                stream.put(None)
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def change(self, container, value, notify=True):
        """Something happens."""
        self.content = copy.deepcopy(self.content) | {container: value}
        if notify:
            for stream in list(self.streams):
                stream.put(b"data: {}\n\n")

    def cut(self, notify=True):
        """A link goes down."""
        fabric = state() | {"phase": "degraded"}
        fabric["link"][0] |= {"oper-state": "down", "since": CUT["last-raised"]}
        self.change("daqfabric:fabrics", {"fabric": [{"name": "prototype", "state": fabric}]}, notify=False)
        self.change("daqfabric-alarms:alarms", {"number-of-alarms": 1, "alarm": [CUT]}, notify)

    def serve(self, handler, body):
        path = urlsplit(handler.path).path
        if not path.startswith(f"{self._prefix}/"):
            return send(handler, 404, None)
        path = path.removeprefix(self._prefix)
        self.logins.add(handler.headers["Authorization"])
        if self.strange:
            return send(handler, *self.strange)
        if handler.headers["Authorization"] != "Basic " + base64.b64encode(LOGIN.encode()).decode():
            return send(handler, 401, None)
        if path.startswith("/streams/json/"):
            return self.stream(handler)
        if path == "/operations/sal-remote:create-notification-stream":
            self.notifications = body["input"]["notifications"]
            return send(handler, 200, {"sal-remote:output": {"notification-stream-identifier": "one"}})
        name = path.removeprefix("/data/")
        if self.content.get(name) is None:
            return send(handler, 409, {"errors": {"error": [{"error-tag": "data-missing", "error-message": "there is none"}]}})
        return send(handler, 200, {name: self.content[name]})

    def stream(self, handler):
        events = queue.Queue()
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        self.streams.append(events)
        while (event := events.get()) is not None:
            handler.wfile.write(event)
        self.streams.remove(events)
        handler.close_connection = True


def send(handler, status, answer, header=()):
    body = b"" if answer is None else json.dumps(answer).encode()
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body)))
    for name, value in dict(header).items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


def eventually(test, what, seconds=60):
    """Waits until a condition holds and returns what it gave."""
    end = time.monotonic() + seconds
    while not (result := test()):
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.01)
    return result
