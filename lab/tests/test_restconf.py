"""The lab's client of RESTCONF: where its login goes, and what it takes for an answer."""
import os
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from unittest import mock

from . import support  # noqa: F401  (makes the library importable)
from daqlab_lib.errors import LabError
from daqlab_lib.restconf import Restconf

MISSING = b'{"errors": {"error": [{"error-tag": "data-missing", "error-message": "no"}]}}'


class Server:
    """Answers everything alike: a context manager."""

    def __init__(self, status, body=b"", **header):
        self.seen = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                server.seen.append(self.path)
                self.rfile.read(int(self.headers["Content-Length"] or 0))
                self.send_response(status)
                for name, value in header.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self):
                self.do_GET()

            def do_DELETE(self):
                self.do_GET()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self):
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class RestconfTest(unittest.TestCase):
    def test_neither_a_proxy_nor_a_redirection_gets_the_login(self):
        with Server(200, b"{}") as other, mock.patch.dict(os.environ, {"http_proxy": other.url, "no_proxy": ""}):
            with Server(200, b'{"a": 1}') as controller:
                self.assertEqual({"a": 1}, Restconf(controller.url).get("/data/x"))
            with Server(302, Location=f"{other.url}/login") as controller, self.assertRaisesRegex(LabError, "status 302"):
                Restconf(controller.url).get("/data/x")
            self.assertEqual([], other.seen)

    def test_an_empty_answer_is_none(self):
        for body in (b"", b"<html/>"):
            with Server(200, body) as controller:
                client = Restconf(controller.url)
                for ask in (lambda: client.get("/data/x"), lambda: client.rpc("m", "n", {}), lambda: client.state("first")):
                    with self.assertRaisesRegex(LabError, f"{controller.url}.* is no answer of RESTCONF"):
                        ask()
        with Server(204) as controller:
            self.assertEqual({}, Restconf(controller.url).rpc("m", "n", {}))

    def test_an_answer_that_is_cut_off(self):
        for status in (200, 500):
            with Server(status, b"{", **{"Content-Length": "9"}) as controller, \
                    self.assertRaisesRegex(LabError, f"no controller answers at {controller.url} .*IncompleteRead"):
                Restconf(controller.url).get("/data/x")

    def test_what_is_missing_is_not_what_is_refused(self):
        for status in (404, 409):
            with Server(status, MISSING) as controller:
                Restconf(controller.url).delete_fabric("first")
                self.assertEqual({}, Restconf(controller.url).state("first"))
        with Server(409, MISSING.replace(b"data-missing", b"in-use")) as controller:
            with self.assertRaisesRegex(LabError, "answered 409: no; if a run is active"):
                Restconf(controller.url).delete_fabric("first")
            with self.assertRaisesRegex(LabError, "GET of the state of fabric first: no"):
                Restconf(controller.url).state("first")
