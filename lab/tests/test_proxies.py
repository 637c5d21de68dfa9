"""The settings of docs/proxies.md before a server that stands in for a controller; before a controller: lab/tests/proxies.py."""
import http.client
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from .proxy_programs import Proxy, certificate

MARKS = {"X-Accel-Buffering": "no", "Cache-Control": "no-cache, no-transform"}  # of EventStreamFilter
LARGEST = 16 << 20  # bytes of a body that the controller takes
PATIENCE = 10  # seconds


class StandIn(BaseHTTPRequestHandler):
    """Says what it was asked, and has a stream of two events, the second of which comes when the first has arrived."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.seen = self
        if self.path == "/rests/streams/json/x":
            self.send_response(200)
            for name, value in ({"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"} | MARKS).items():
                self.send_header(name, value)
            self.end_headers()
            self.chunk(b"data: first\n\n")
            if self.server.arrived.wait(PATIENCE / 2):
                self.chunk(b"data: second\n\n")
            self.chunk(b"")
        else:
            self.answer(302 if self.path == "/daqfabric" else 200, {"/daqfabric": "/daqfabric/"}.get(self.path))

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(201, f"http://{self.headers['Host']}/rests/data/x=a%2Fb")

    def answer(self, status, location):
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Set-Cookie", "JSESSIONID=1;Path=/rests;HttpOnly")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def chunk(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    """Whose clients may go away."""

    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


class SettingsTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(TemporaryDirectory()))
        certificate(self.folder)
        self.server = Server(("127.0.0.1", 0), StandIn)
        self.server.arrived = threading.Event()
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def ask(self, proxy, path, method="GET", body=None, **header):
        parts = urlsplit(proxy.url)
        connection = http.client.HTTPSConnection(parts.hostname, parts.port, timeout=PATIENCE, context=proxy.trust)
        self.addCleanup(connection.close)
        connection.request(method, parts.path + path, body, header)
        return connection.getresponse()

    def test_nginx(self):
        self.through("nginx")

    def test_apache(self):
        self.through("apache")

    def test_haproxy(self):
        self.through("haproxy")

    def through(self, name):
        with Proxy(name, self.folder, f"127.0.0.1:{self.server.server_address[1]}") as proxy:
            authority = urlsplit(proxy.url).netloc
            self.ask(proxy, "/rests/data/x=a%2Fb,%25c?fields=a(b;c)&d=%2F", Origin="https://x", Authorization="Basic eA==")
            seen = self.server.seen
            self.assertEqual("/rests/data/x=a%2Fb,%25c?fields=a(b;c)&d=%2F", seen.path)
            self.assertEqual([authority, "https://x", "Basic eA=="], [seen.headers[each] for each in ("Host", "Origin", "Authorization")])
            sent_on = self.ask(proxy, "/daqfabric")
            self.assertEqual(302, sent_on.status)
            self.assertIn(sent_on.headers["Location"], ("/daq/daqfabric/", f"{proxy.url}/daqfabric/"))
            made = self.ask(proxy, "/rests/data", "POST", bytes(LARGEST))
            self.assertEqual(201, made.status)
            self.assertIn(made.headers["Location"], ("/daq/rests/data/x=a%2Fb", f"{proxy.url}/rests/data/x=a%2Fb"))
            self.assertIn("path=/daq/rests", made.headers["Set-Cookie"].lower())
            stream = self.ask(proxy, "/rests/streams/json/x", **{"Accept": "text/event-stream", "Accept-Encoding": "gzip"})
            self.assertEqual(b"data: first\n", stream.readline())
            self.server.arrived.set()
            self.assertEqual(b"\ndata: second\n\n", stream.read())
