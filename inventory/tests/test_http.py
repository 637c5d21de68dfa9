"""Where questions go: not through a proxy of the environment to a controller, and never after a redirection."""
import contextlib
import os
import socket
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from unittest import mock

from daqfabric_inventory.controller import Controller
from daqfabric_inventory.http import address, without_login
from daqfabric_inventory.netbox import NetBox
from daqfabric_inventory.problems import Failed

PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
LOGIN = {"DAQFABRIC_USER": "admin", "DAQFABRIC_PASSWORD": "secret"}
NOWHERE = "http://nowhere.invalid"


class HttpTest(unittest.TestCase):
    def setUp(self):
        kept = {name: value for name, value in os.environ.items() if name.lower() not in PROXIES}
        self.enterContext(mock.patch.dict(os.environ, kept | LOGIN, clear=True))
        find = socket.getaddrinfo

        def found(host, *others, **more):
            if host == "nowhere.invalid":
                raise socket.gaierror("no such name")
            return find(host, *others, **more)

        self.enterContext(mock.patch("socket.getaddrinfo", found))

    @contextlib.contextmanager
    def server(self, status, body=b"", **header):
        """A server that answers everything so; its address, and the logins that it has seen with the paths."""
        seen = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                seen.append((self.headers["Authorization"], self.path))
                self.send_response(status)
                for name, value in header.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                self.do_GET()

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", seen
        finally:
            server.shutdown()
            thread.join()
            server.server_close()

    def test_a_proxy_gets_no_login_of_a_controller(self):
        with self.server(200, b"{}") as (proxy, at_proxy), mock.patch.dict(os.environ, {"http_proxy": proxy}):
            with self.server(200, b'{"daqfabric:fabric": [{"name": "first"}]}') as (url, _):
                self.assertEqual({"name": "first"}, Controller(url).configured("first"))
            with self.assertRaisesRegex(Failed, r"does not answer: .*; the proxy of http_proxy is not used for a controller"):
                Controller(NOWHERE).configured("first")
            self.assertEqual([], at_proxy)

    def test_a_controller_below_a_path(self):
        """As a proxy serves it."""
        with self.server(200, b'{"daqfabric:fabric": [{"name": "first"}], "daqfabric-operations:output": {}}') as (url, seen):
            for given in (f"{url}/site/daq/rests", f"{url}/site/daq/rests/"):
                Controller(given).configured("first")
                Controller(given).plan("first", {})
        self.assertEqual(2 * ["/site/daq/rests/data/daqfabric:fabrics/fabric=first?content=config",
                              "/site/daq/rests/operations/daqfabric-operations:plan"], [path for _, path in seen])

    def test_no_login_is_shown(self):
        for url in ("http://me:hidden@proxy:3128", "me:hidden@proxy:3128", "//me:hid@den@proxy:3128"):
            with self.subTest(url):
                self.assertTrue(without_login(url).endswith("proxy:3128"))
                self.assertNotIn("hid", without_login(url))
                with self.assertRaises(Failed) as failed:
                    address("--controller", url)
                self.assertNotIn("hid", str(failed.exception))
        self.assertEqual("http://proxy:3128", without_login("http://proxy:3128"))

    def test_a_proxy_leads_to_netbox_but_not_on_this_machine(self):
        with self.server(502, b"no way") as (proxy, at_proxy), \
                mock.patch.dict(os.environ, {"http_proxy": proxy.replace("//", "//me:hidden@")}):
            with self.assertRaisesRegex(Failed, rf"^{NOWHERE} through the proxy {proxy} .*answers 502") as failed:
                list(NetBox(NOWHERE, "token").all("dcim/devices"))
            self.assertNotIn("hidden", str(failed.exception))
            self.assertEqual(1, len(at_proxy))
            with self.server(200, b'{"results": [], "next": null}') as (url, _):
                for local in (url, url.replace("127.0.0.1", "localhost")):
                    self.assertEqual([], list(NetBox(local, "token").all("dcim/devices")))
            self.assertEqual(1, len(at_proxy))
        with mock.patch.dict(os.environ, {"http_proxy": proxy}), \
                self.assertRaisesRegex(Failed, rf"^{NOWHERE} through the proxy {proxy} .* does not answer: .*refused"):
            list(NetBox(NOWHERE, "token").all("dcim/devices"))

    def test_a_redirection_is_named_and_not_followed(self):
        with self.server(200, b"{}") as (there, at_target), self.server(307, Location=f"{there}/login?next=x") as (url, _):
            for ask in (lambda: Controller(url).configured("first"), lambda: Controller(url).plan("first", {}),
                        lambda: list(NetBox(url, "token").all("dcim/devices"))):
                with self.assertRaisesRegex(Failed, f"{url} sends on to {there}: if that is right, give its address"):
                    ask()
            self.assertEqual([], at_target)

    def test_an_empty_answer_is_none(self):
        for body in (b"", b"<html/>", b"[]"):
            with self.server(200, body) as (url, _):
                for ask in (lambda: Controller(url).configured("first"), lambda: Controller(url).state("first"),
                            lambda: Controller(url).plan("first", {})):
                    with self.assertRaisesRegex(Failed, "answers 200.*: is it the address of RESTCONF?"):
                        ask()

    def test_a_plan_that_the_controller_has_no_time_for_is_no_mistake(self):
        body = b'{"errors": {"error": [{"error-tag": "resource-denied", "error-app-tag": "try-again", "error-message": "ask again"}]}}'
        with self.server(409, body) as (url, _), self.assertRaisesRegex(Failed, "answers 409 to rpc plan: ask again"):
            Controller(url).plan("first", {})

    def test_a_server_that_never_answers_is_not_waited_for(self):
        with socket.create_server(("127.0.0.1", 0)) as silent, mock.patch("daqfabric_inventory.http.TIMEOUT", 0.1), \
                self.assertRaisesRegex(Failed, "does not answer: timed out"):
            Controller(f"http://127.0.0.1:{silent.getsockname()[1]}/rests").configured("first")

    def test_an_answer_that_is_cut_off(self):
        for status in (200, 500):
            with self.server(status, b"{", **{"Content-Length": "9"}) as (url, _), \
                    self.assertRaisesRegex(Failed, f"{url} does not answer: IncompleteRead"):
                Controller(url).configured("first")

    def test_what_is_missing_is_none_and_what_is_refused_is_said(self):
        for status, tag in ((404, "data-missing"), (409, "data-missing"), (409, "in-use")):
            body = b'{"errors": {"error": [{"error-tag": "%s", "error-message": "no"}]}}' % tag.encode()
            with self.server(status, body) as (url, _):
                if tag == "data-missing":
                    self.assertIsNone(Controller(url).configured("first"))
                    continue
                with self.assertRaisesRegex(Failed, "answers 409: no"):
                    Controller(url).configured("first")
