"""nginx, Apache httpd and HAProxy, set up as docs/proxies.md says, before the controller that runs: with a prefix, and TLS that ends
there.

Run: scripts/with-controller python3 -m unittest -v lab.tests.proxies
"""
import contextlib
import http.client
import http.server
import json
import os
import queue
import re
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from .proxy_programs import ROOT, Proxy, certificate
from .unswitched import leave
from daqlab_lib import generate
from daqlab_lib.restconf import Restconf

CONTROLLER = "127.0.0.1:8181"
NAME = "proxied"
SIZE = generate.Size(NAME, planes=1, spines=2, pods=2, ros=1, racks=1, dcms=2, capacity=10, prefix="x-", address_base="10.84")
LINK = ("x-p1l1", "to-x-p1s1")
PATIENCE = 20  # seconds
SOON = 2  # seconds for an event to arrive; the controller says something every ten in any case
NAMED = re.compile(r"""(?:src|href)="([^"]+)"|\bfrom '([^']+)'|\bimport '([^']+)'""")  # in a page or a module
ROOT_OF = f"import {{ rootFrom }} from '{ROOT}/impl/src/main/resources/web/controller/restconf.js'; console.log(rootFrom(process.argv[1]))"


class Stream:
    """Of links' states, read in a thread until the proxy ends; what has come is in `events`."""

    def __init__(self, restconf):
        name = restconf.rpc("sal-remote", "create-notification-stream", {
            "notifications": ["(urn:daqfabric:run-control?revision=2026-11-21)link-state"]})["notification-stream-identifier"]
        self.answer = restconf.open(restconf.request("GET", f"/streams/json/{name}", "text/event-stream"), PATIENCE)
        self.events = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        with contextlib.suppress(OSError, http.client.HTTPException):
            for line in self.answer:
                if line.startswith(b"data:"):
                    self.events.put(json.loads(line[5:])["ietf-restconf:notification"]["daqfabric-run-control:link-state"])


class Backend:
    """Something that a proxy asks, as a context; keeps the headers that say for whom."""

    def __enter__(self):
        forwarded = self.forwarded = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                forwarded.extend(self.headers.get_all("Forwarded", []))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


class ClientsTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        certificate(self.folder)

    def test_clients_are_named(self):
        """By all three, in place of what the client says itself."""
        for name in ("nginx", "apache", "haproxy"):
            with Backend() as backend, Proxy(name, self.folder, backend.address) as proxy:
                client = http.client.HTTPSConnection("127.0.0.1", urlsplit(proxy.url).port, context=proxy.trust, timeout=PATIENCE,
                                                     source_address=("127.0.0.9", 0))
                client.request("GET", "/daq/rests", headers={"Forwarded": "for=192.0.2.1"})
                client.getresponse().read()
                client.close()
                self.assertEqual(["for=127.0.0.9"], backend.forwarded, name)


class ProxiesTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        certificate(self.folder)
        self.direct = Restconf(f"http://{CONTROLLER}/rests")
        if self.direct.state(NAME):  # of a test that was interrupted
            self.leave()

    def leave(self):
        leave(self.direct, SIZE, PATIENCE)

    def test_nginx(self):
        self.through("nginx")

    def test_apache(self):
        self.through("apache")

    def test_haproxy(self):
        self.through("haproxy")

    def through(self, name):
        with Proxy(name, self.folder, CONTROLLER) as proxy:
            restconf = Restconf(f"{proxy.url}/rests", ca=self.folder / "cert.pem")
            self.change(restconf)
            self.page(proxy)
            self.other_sites(restconf, urlsplit(proxy.url).netloc)
            self.run_control(proxy)

    def page(self, proxy):
        """The page with all that it names, from where the slash that is missing leads to, and its first questions."""
        site = Restconf(proxy.url, ca=self.folder / "cert.pem")
        with self.assertRaises(urllib.error.HTTPError) as sent_on:
            self.load(site, "/daqfabric")
        self.assertEqual(f"{proxy.url}/daqfabric/", urljoin(f"{proxy.url}/daqfabric", sent_on.exception.headers["Location"]))
        seen, left = set(), ["/daqfabric/"]
        while left:
            path = left.pop()
            seen.add(path)
            found = [urljoin(path, next(filter(None, names))) for names in NAMED.findall(self.load(site, path))]
            left += [each for each in found if each not in seen]
        self.assertIn("/daqfabric/controller/restconf.js", seen)
        self.assertGreater(len(seen), 20, "modules of the page")
        # as the page computes it
        root = subprocess.run(["node", "--input-type=module", "-e", ROOT_OF, f"{proxy.url}/daqfabric/controller/restconf.js"], text=True,
                              check=True, capture_output=True).stdout.strip()
        state = Restconf(root, ca=self.folder / "cert.pem").get(
            f"/data/daqfabric:fabrics/fabric={NAME}/state?content=nonconfig&fields=phase;generation;link")
        self.assertEqual(len(generate.generate(SIZE)["daqfabric:fabric"][0]["link"]), len(state["daqfabric:state"]["link"]))

    def load(self, site, path):
        with site.open(site.request("GET", path, "*/*"), PATIENCE) as answer:
            return answer.read().decode()

    def change(self, restconf):
        """Its event arrives while the stream goes on."""
        stream = Stream(restconf)
        self.assertIn("no-transform", stream.answer.headers["Cache-Control"])
        fabric = generate.generate(SIZE)
        next(link for link in fabric["daqfabric:fabric"][0]["link"] if (link["switch"], link["port"]) == LINK)["admin-state"] = "drained"
        self.addCleanup(self.leave)
        asked = time.monotonic()
        restconf.put_fabric(fabric)
        event = stream.events.get(timeout=PATIENCE)
        self.assertLess(time.monotonic() - asked, SOON)
        self.assertEqual([NAME, *LINK, "drained"], [event[leaf] for leaf in ("fabric", "switch", "port", "oper-state")])
        restconf.wait(NAME, lambda state: state.get("link"), PATIENCE, "waiting for the fabric")

    def other_sites(self, restconf, authority):
        """A browser without Sec-Fetch-Site: the proxy has passed the Host that Origin is compared with, and keys as they are."""
        for origin, status in ((f"https://{authority}", 200), ("https://elsewhere.invalid", 403)):
            request = restconf.request("POST", "/operations/daqfabric-run-control:missed-events", document={"input": {}})
            request.add_header("Origin", origin)
            self.assertEqual(status, self.status(restconf, request), origin)
        # there is no such alarm; with slashes that were decoded, no such path
        self.assertEqual(404, self.status(restconf, restconf.request("GET", "/data/daqfabric-alarms:alarms/alarm=no%2Fsuch,link-down")))

    def status(self, restconf, request):
        try:
            with restconf.open(request, PATIENCE) as answer:
                return answer.status
        except urllib.error.HTTPError as e:
            return e.code

    def run_control(self, proxy):
        variables = {"DAQFABRIC_URL": f"{proxy.url}/rests", "DAQFABRIC_USER": "admin", "DAQFABRIC_PASSWORD": "admin",
                     "DAQFABRIC_PARTITION": NAME, "CURL_CA_BUNDLE": str(self.folder / "cert.pem")}
        done = subprocess.run([ROOT / "integrations/shell/daqfabric-run", "state"], capture_output=True, text=True, check=False,
                              env=os.environ | variables)
        self.assertEqual((0, "idle\n", ""), (done.returncode, done.stdout, done.stderr))


if __name__ == "__main__":
    unittest.main()
