"""The controller and the login come from the environment of the program, and stay there."""
import io
import os
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
import uuid
from contextlib import redirect_stderr
from pathlib import Path
from unittest import mock

from .fake import LOGIN, Controller, certificate
from daqfabric_constellation.__main__ import main
from daqfabric_constellation.access import Wrong, client
from daqfabric_constellation.restconf import Restconf, Unreachable

LEAST = {"DAQFABRIC_USER": LOGIN[0], "DAQFABRIC_PASSWORD": LOGIN[1]}


class AccessTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def file(self, content, mode=0o640):
        file = self.folder / "password"
        file.write_text(content)
        file.chmod(mode)
        return str(file)

    def test_least(self):
        self.assertEqual("http://127.0.0.1:8181/rests", client(dict(LEAST)).url)

    def test_password_from_a_file(self):
        controller = self.enterContext(Controller())
        for password in ({"DAQFABRIC_PASSWORD": LOGIN[1]}, {"DAQFABRIC_PASSWORD_FILE": self.file(LOGIN[1] + "\n")}):
            found = client({"DAQFABRIC_URL": controller.url, "DAQFABRIC_USER": LOGIN[0], **password})
            self.assertIsNotNone(found.get("daqfabric:fabrics"))

    def test_a_certificate_must_be_trusted(self):
        file, context = certificate(self.folder)
        controller = self.enterContext(Controller(context=context))
        given = LEAST | {"DAQFABRIC_URL": controller.url}
        with mock.patch.dict("os.environ", SSL_CERT_FILE=str(file)):
            self.assertIsNotNone(client(dict(given)).get("daqfabric:fabrics"))
        with self.assertRaisesRegex(Unreachable, "certificate verify failed"):
            client(dict(given)).get("daqfabric:fabrics")

    def test_the_password_does_not_stay_in_the_environment(self):
        environment = dict(LEAST)
        client(environment)
        self.assertNotIn("DAQFABRIC_PASSWORD", environment)

    def test_what_is_missing_or_wrong_is_named(self):
        for changes, message in (
                ({"DAQFABRIC_USER": ""}, "DAQFABRIC_USER: set it"),
                ({"DAQFABRIC_PASSWORD": ""}, "DAQFABRIC_PASSWORD_FILE: set it to a file"),
                ({"DAQFABRIC_PASSWORD_FILE": "/nowhere"}, "there is DAQFABRIC_PASSWORD, too"),
                ({"DAQFABRIC_PASSWORD": "", "DAQFABRIC_PASSWORD_FILE": "/nowhere"}, "/nowhere cannot be read"),
                ({"DAQFABRIC_PASSWORD": "", "DAQFABRIC_PASSWORD_FILE": self.file("a\nb\n")}, "must have one line"),
                ({"DAQFABRIC_URL": "controller:8181"}, "'controller:8181' is no address of RESTCONF"),
                ({"DAQFABRIC_URL": "http://controller:x"}, "is no address of RESTCONF .*'x'")):
            with self.assertRaisesRegex(Wrong, message):
                client(LEAST | changes)

    def test_a_password_that_everybody_may_read_is_refused(self):
        with self.assertRaisesRegex(Wrong, "everybody may read .*: chmod o-r"):
            client({"DAQFABRIC_USER": "x", "DAQFABRIC_PASSWORD_FILE": self.file("x", mode=0o644)})

    def test_addresses_of_every_form(self):
        """Also without a port, where the library would take the end of an IPv6 address for one."""
        for url, host, port in (("http://[fd00:73::a]/rests", "fd00:73::a", 80), ("https://[fd00:73::1]/rests", "fd00:73::1", 443),
                                ("https://[FD00:73::1]:8443/rests", "fd00:73::1", 8443), ("http://10.0.0.1/rests", "10.0.0.1", 80)):
            with self.subTest(url), mock.patch("socket.create_connection", side_effect=OSError("not today")) as connect:
                with self.assertRaisesRegex(Unreachable, "not today"):
                    Restconf(url, "me", "secret").get("x")
                self.assertEqual((host, port), connect.call_args.args[0])

    def test_a_server_that_never_answers_is_not_waited_for(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            asked = Restconf(f"http://127.0.0.1:{silent.getsockname()[1]}/rests", "me", "secret", timeout=0.1)
            for ask in (lambda: asked.get("x"), lambda: asked.open_stream("x")):
                with self.assertRaisesRegex(Unreachable, "timed out"):
                    ask()

    def test_a_login_within_an_address_is_refused_and_not_shown(self):
        with self.assertRaisesRegex(Wrong, "is no address") as refused:
            client(LEAST | {"DAQFABRIC_URL": "http://me:hidden@controller:8181/rests"})
        self.assertNotIn("hidden", str(refused.exception))

    def test_sigterm_ends_the_program_in_order(self):
        """As Ctrl-C does: it departs, so that others do not take it for dead."""
        controller = self.enterContext(Controller())
        environment = os.environ | {"DAQFABRIC_URL": controller.url, "DAQFABRIC_USER": LOGIN[0], "DAQFABRIC_PASSWORD": LOGIN[1]}
        command = (sys.executable, "-m", "daqfabric_constellation", "--group", "test" + uuid.uuid4().hex, "--interface", "lo",
                   "--name", "one", "--level", "DEBUG")
        with subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            said = []
            for line in process.stdout:
                said.append(line)
                if "Starting heartbeat sender thread" in line:
                    process.send_signal(signal.SIGTERM)
        self.assertEqual(0, process.returncode, "".join(said))
        self.assertIn("Sending service DEPART", "".join(said))

    def test_the_program_says_what_is_missing(self):
        said = io.StringIO()
        with mock.patch.dict("os.environ", clear=True), redirect_stderr(said):
            self.assertEqual(2, main(["--group", "test", "--interface", "lo"]))
        self.assertIn("DAQFABRIC_PASSWORD_FILE: set it", said.getvalue())
