"""Questions to a controller over HTTP and HTTPS, and what is said of answers that are none."""
import ipaddress
import os
import re
import socket
import ssl
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from cryptography import x509

from .certificates import write_certificate
from .fake import LOGIN, PREFIX, SIX, Controller, content, eventually
from daqfabric_gateway.restconf import Failed, Restconf
from daqfabric_gateway.source import ask


class RestconfTest(unittest.TestCase):
    def test_a_certificate_must_be_trusted(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        write_certificate(folder / "cert.pem", folder / "key.pem", x509.IPAddress(ipaddress.ip_address("127.0.0.1")))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
        controller = self.enterContext(Controller(context))
        self.assertEqual(content()["daqfabric:fabrics"], ask(Restconf(controller.url, LOGIN, folder / "cert.pem")).fabrics)
        with self.assertRaisesRegex(Failed, "certificate verify failed"):
            ask(Restconf(controller.url, LOGIN))
        with self.assertRaisesRegex(ValueError, "ca: .* has no certificates"):
            Restconf(controller.url, LOGIN, folder / "key.pem")

    def test_what_is_no_address_is_said(self):
        for url in ("controller:8181", "http:///rests", "http://controller:x/rests", "http://controller:99999/rests", "http://[::1/rests"):
            with self.assertRaisesRegex(ValueError, f"controllers: '{re.escape(url)}' is no address of RESTCONF"):
                Restconf(url, LOGIN)

    def test_addresses_of_every_form(self):
        """Also without a port, where the library would take the end of an IPv6 address for one."""
        for url, host, port in (("http://[fd00:73::a]/rests", "fd00:73::a", 80), ("https://[fd00:73::1]/rests", "fd00:73::1", 443),
                                ("https://[FD00:73::1]:8443/rests", "fd00:73::1", 8443), ("http://10.0.0.1/rests", "10.0.0.1", 80),
                                ("http://controller:8181/rests", "controller", 8181)):
            with self.subTest(url), mock.patch("socket.create_connection", side_effect=OSError("not today")) as connect:
                with self.assertRaisesRegex(Failed, "not today"):
                    Restconf(url, LOGIN).get("x")
                self.assertEqual((host, port), connect.call_args.args[0])

    @unittest.skipUnless(SIX, "this machine has no IPv6")
    def test_a_controller_at_an_ipv6_address(self):
        controller = self.enterContext(Controller(host="::1"))
        self.assertEqual(content()["daqfabric:fabrics"], ask(Restconf(controller.url, LOGIN)).fabrics)

    def test_a_controller_below_a_path(self):
        """As a proxy serves it."""
        controller = self.enterContext(Controller(below="/site/daq"))
        for url in (controller.url, f"{controller.url}/"):
            self.assertEqual(content()["daqfabric:fabrics"], ask(Restconf(url, LOGIN)).fabrics)
        stream = Restconf(controller.url, LOGIN).open_stream(("x",))
        eventually(lambda: controller.streams, "the stream is served")
        controller.change("daqfabric-alarms:alarms", {"number-of-alarms": 1})
        self.assertTrue(stream.wait())
        stream.close()

    def test_a_login_within_an_address_is_refused_and_not_shown(self):
        with self.assertRaisesRegex(ValueError, "is no address of RESTCONF") as refused:
            Restconf("http://me:hidden@controller:8181/rests", LOGIN)
        self.assertNotIn("hidden", str(refused.exception))

    def test_what_is_no_answer_says_why(self):
        controller = self.enterContext(Controller())
        with self.assertRaisesRegex(Failed, "refuses the login"):
            ask(Restconf(controller.url, "watch:wrong"))
        controller.content["daqfabric-alarms:alarms"] = None
        with self.assertRaisesRegex(Failed, "has no list of alarms"):
            ask(Restconf(controller.url, LOGIN))
        controller.stop()
        with self.assertRaisesRegex(Failed, "cannot be reached: .*refused"):
            ask(Restconf(controller.url, LOGIN))

    def test_neither_a_proxy_nor_a_redirection_gets_the_login(self):
        controller, other = self.enterContext(Controller()), self.enterContext(Controller())
        proxy = other.url.removesuffix(PREFIX)
        with mock.patch.dict(os.environ, {"http_proxy": proxy, "all_proxy": proxy, "no_proxy": ""}):
            self.assertEqual(content()["daqfabric:fabrics"], ask(Restconf(controller.url, LOGIN)).fabrics)
            controller.strange = 302, None, {"Location": f"{proxy}/login?next=x"}
            with self.assertRaisesRegex(Failed, f"{controller.url} sends on to {proxy}/login, where no login goes"):
                ask(Restconf(controller.url, LOGIN))
        self.assertEqual(set(), other.logins)

    def test_errors_of_a_stranger(self):
        """A proxy before a controller has its own words for them."""
        controller = self.enterContext(Controller())
        for body in ({"errors": "bad gateway"}, {"errors": ["bad gateway"]}, {"errors": {"error": ["bad"]}}, {"errors": None}, ["x"]):
            controller.strange = 502, body
            with self.subTest(body), self.assertRaisesRegex(Failed, "answers HTTP 502: is it the address"):
                ask(Restconf(controller.url, LOGIN))
        controller.strange = 200, {}
        with self.assertRaisesRegex(Failed, "gave no event stream"):
            Restconf(controller.url, LOGIN).open_stream(("x",))

    def test_a_server_that_never_answers_is_not_waited_for(self):
        with socket.create_server(("127.0.0.1", 0)) as silent, mock.patch("daqfabric_gateway.restconf.TIMEOUT", 0.1):
            asked = Restconf(f"http://127.0.0.1:{silent.getsockname()[1]}/rests", LOGIN)
            for question in (lambda: asked.get("x"), lambda: asked.open_stream(("x",))):
                with self.assertRaisesRegex(Failed, "timed out"):
                    question()

    def test_an_empty_answer_is_none(self):
        controller = self.enterContext(Controller())
        controller.strange = 200, None
        with self.assertRaisesRegex(Failed, "answers HTTP 200: is it the address of a controller that runs"):
            ask(Restconf(controller.url, LOGIN))
