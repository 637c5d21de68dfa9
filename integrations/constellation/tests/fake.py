"""A RESTCONF server with one partition that does what run control promises, and can be made to misbehave."""
import base64
import json
import queue
import ssl
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

LOGIN = ("shift", "secret")
PREFIX = "/rests"
RUN_CONTROL = "daqfabric-run-control"


class Controller:
    """Use it as a context; what it was asked is in `asked`, as (rpc, input)."""

    def __init__(self, fabrics=("prototype",), context=None, login=LOGIN, below=""):
        """context: for TLS; below: what a proxy puts before the path."""
        self.context = context
        self._prefix = below + PREFIX
        self.login = login
        self.fabrics = fabrics
        self.partition = {"state": "idle"}
        self.asked = []
        self.logins = set()  # headers that any request came with
        self.refusals = {}  # rpc: message
        self.losses = 0  # calls that are done, but whose answer is lost
        self.failures = []  # HTTP statuses of answers to come, as of a controller that boots
        self.strange = None  # status and header of all answers, as of a server that is no controller
        self.unseen = 0  # so often a partition is not in the state yet
        self.starting = 0  # so often it says that it does not know its partitions yet
        self.hold = False  # operations do not end
        self.streams = []
        self.streams_refused = False
        self._answers = {}  # request-id: answer
        self._lock = threading.Lock()

    def __enter__(self):
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                fake.serve(self, None)

            def do_POST(self):
                fake.serve(self, json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        if self.context:
            self.server.socket = self.context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http{'s' if self.context else ''}://127.0.0.1:{self.server.server_address[1]}{self._prefix}"
        return self

    def __exit__(self, *_):
        self.cut_streams()
        self.server.shutdown()
        self.server.server_close()

    def rpcs(self):
        """Names of the rpcs of run control that were asked, repetitions left out."""
        ids = []
        return [rpc for rpc, given in self.asked if given["request-id"] not in ids and not ids.append(given["request-id"])]

    def change(self, notify=True, **leaves):
        """Something happens to the partition."""
        with self._lock:
            for name, value in leaves.items():
                self.partition[name.replace("_", "-")] = value
        if notify:
            for stream in list(self.streams):
                stream.put(b"data: {}\n\n")

    def cut_streams(self):
        for stream in list(self.streams):
            stream.put(None)

    def serve(self, handler, body):
        path = urlsplit(handler.path).path
        if not path.startswith(f"{self._prefix}/"):
            return send(handler, 404, None)
        path = path.removeprefix(self._prefix)
        self.logins.add(handler.headers["Authorization"])
        if handler.headers["Authorization"] != "Basic " + base64.b64encode(":".join(self.login).encode()).decode():
            return send(handler, 401, {})
        if self.strange:
            return send(handler, self.strange[0], {}, self.strange[1])
        if self.failures:
            status = self.failures.pop(0)
            return send(handler, status, {} if status == 200 else error("resource-denied", "ask again", "try-again") if status == 409
                        else None)
        if path.startswith("/streams/json/"):
            return self.stream(handler)
        if path == "/data/daqfabric:fabrics":
            if not self.fabrics:
                return send(handler, 409, error("data-missing", "Request could not be completed"))
            return send(handler, 200, {"daqfabric:fabrics": {"fabric": [{"name": name} for name in self.fabrics]}})
        if path.startswith(f"/data/{RUN_CONTROL}:run-control/partition="):
            with self._lock:
                if self.partition == {"state": "idle"} or self.unseen or self.starting:
                    self.unseen = max(0, self.unseen - 1)
                    return send(handler, 409, error("data-missing", "Request could not be completed"))
                if path.endswith("/state"):
                    return send(handler, 200, {f"{RUN_CONTROL}:state": self.partition["state"]})
                if path.endswith("/operation"):
                    return send(handler, 200, {f"{RUN_CONTROL}:operation": self.partition["operation"]})
                return send(handler, 200, {f"{RUN_CONTROL}:partition": [dict(self.partition, name="physics")]})
        if path == f"/operations/{RUN_CONTROL}:missed-events":
            with self._lock:
                if self.starting:
                    self.starting -= 1
                    return send(handler, 409, error("resource-denied", "not served at this moment", "try-again"))
            return send(handler, 200, {f"{RUN_CONTROL}:output": {"epoch": "e", "newest": "0", "complete": True}})
        if path == "/operations/sal-remote:create-notification-stream":
            if self.streams_refused:
                return send(handler, 400, error("operation-failed", "no such notification"))
            return send(handler, 200, {"sal-remote:output": {"notification-stream-identifier": "one"}})
        with self._lock:
            status, answer = self.answer(path.removeprefix(f"/operations/{RUN_CONTROL}:"), body["input"])
            if self.losses:
                self.losses -= 1
                handler.close_connection = True
                return handler.connection.shutdown(2)
        return send(handler, status, answer)

    def answer(self, rpc, given):
        self.asked.append((rpc, given))
        request = given["request-id"]
        if request not in self._answers:
            self._answers[request] = self.decide(rpc, given, request)
        return self._answers[request]

    def decide(self, rpc, given, request):
        was = self.partition["state"]
        allowed, becomes = {
            "prepare": (("idle", "prepared", "error"), "prepared"),
            "arm": (("prepared", "ready"), "ready"),
            "start-run": (("ready", "running"), "running"),
            "stop-run": (("ready", "running"), "ready"),
            "release": (("idle", "prepared", "ready", "error"), "idle"),
            "abort": (("idle", "prepared", "ready", "running", "error"), "idle"),
        }[rpc]
        if rpc in self.refusals:
            return 400, error("operation-failed", self.refusals[rpc])
        if was not in allowed:
            return 400, error("operation-failed", f"/input/partition: is {was}")
        if rpc == "start-run" and was == "running" and self.partition["run"]["run-number"] != given["run-number"]:
            return 400, error("operation-failed", "/input/run-number: another run goes on")
        output = {"partition": given["partition"], "state": becomes}
        self.partition["state"] = becomes
        if rpc == "prepare":
            output["operation"] = request
            self.partition |= {"health": "ok", "achievable-bandwidth": "20.000", "operation": {
                "request-id": request, "status": "running" if self.hold else "done", "progress": 40, "detail": "p1s1"}}
            if "required-bandwidth" in given:
                self.partition["required-bandwidth"] = given["required-bandwidth"]
        elif rpc == "start-run":
            self.partition["run"] = {"run-number": given["run-number"], "repairs": 0, "worst-health": "ok"}
        elif rpc == "stop-run" and was == "running":
            self.partition["run"] |= {"ended": "2026-11-21T10:00:00Z"}
            output["run"] = self.partition["run"]
        elif becomes == "idle":
            self.partition = {"state": "idle", **({"run": self.partition["run"]} if "run" in self.partition else {})}
        return 200, {f"{RUN_CONTROL}:output": output}

    def stream(self, handler):
        events = queue.Queue()
        self.streams.append(events)
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        while (event := events.get()) is not None:
            handler.wfile.write(event)
        self.streams.remove(events)
        handler.close_connection = True


def certificate(folder):
    """A certificate of 127.0.0.1 in a folder: its file, and the server's context with it."""
    file, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                    "/CN=controller", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", file], check=True,
                   capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file, key)
    return file, context


def error(tag, message, application=None):
    more = {"error-app-tag": application} if application else {}
    return {"errors": {"error": [{"error-tag": tag, "error-message": message, "error-type": "application", **more}]}}


def send(handler, status, content, header=()):
    body = b"Not here" if content is None else json.dumps(content, separators=(",", ":")).encode() if content else b""
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body)))
    for name, value in dict(header).items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


def eventually(test, what, seconds=10):
    """Waits until a condition holds and returns what it gave."""
    end = time.monotonic() + seconds
    while not (result := test()):
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.01)
    return result
