"""The gateway as a program."""
import logging
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from .fake import LOGIN, Controller
from daqfabric_gateway.__main__ import OneLine

PROGRAM = (sys.executable, "-m", "daqfabric_gateway")


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def configuration(self, text):
        (self.folder / "login").touch(0o600)
        (self.folder / "login").write_text(LOGIN)
        file = self.folder / "gateway.toml"
        file.write_text(text)
        return str(file)

    def test_it_serves_until_it_is_told_to_end(self):
        with Controller() as controller:
            file = self.configuration(f'controllers = ["{controller.url}"]\nlogin = "login"\n[epics]\nport = 0\nsearch_port = 0\n')
            for number in (signal.SIGTERM, signal.SIGINT):
                with subprocess.Popen([*PROGRAM, file], stderr=subprocess.PIPE, text=True) as process:
                    try:
                        self.await_line(process, "PVAccess on 127.0.0.1")
                        self.await_line(process, f"{controller.url} answers")
                    finally:
                        process.send_signal(number)
                    self.assertEqual("", process.stderr.read())
                self.assertEqual(0, process.returncode)

    def test_what_a_controller_says_is_one_line_of_the_log(self):
        record = logging.LogRecord("x", logging.INFO, "", 0, "no controller: %s", ("a\r\nINFO x: forged\x1b[2K\u2028",), None)
        self.assertEqual("no controller: a\\r\\nINFO x: forged\\x1b[2K\\u2028", OneLine("%(message)s").format(record))

    def await_line(self, process, expected):
        """Skips others: EPICS says it when there is no interface but loopback, and a slow machine may have it ask twice."""
        said = []
        for line in process.stderr:
            if expected in line:
                return
            said.append(line)
        self.fail(f"no {expected!r} in {said}")

    def test_a_port_that_another_program_has_ends_it(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            for table in (f"[epics]\nport = {port}\nsearch_port = 0\n", f"[opcua]\nport = {port}\n"):
                file = self.configuration(f'login = "login"\n{table}')
                done = subprocess.run([*PROGRAM, file], capture_output=True, text=True, check=False)
                self.assertEqual(1, done.returncode, done.stderr)
                self.assertIn("daqfabric-gateway: cannot serve: ", done.stderr)
                self.assertIn(str(port), done.stderr)

    def test_an_address_of_another_machine_ends_it(self):
        for table, name in (("epics", "PVAccess"), ("opcua", "OPC UA")):
            file = self.configuration(f'login = "login"\n[{table}]\naddress = "192.0.2.1"\n')
            done = subprocess.run([*PROGRAM, file], capture_output=True, text=True, check=False, timeout=60)
            self.assertEqual(1, done.returncode, done.stderr)
            self.assertRegex(done.stderr, f"cannot serve: {name} cannot listen on 192.0.2.1.* Give {table}.address an address of")

    def test_what_it_does_not_expect_ends_it(self):
        """With a trace and an exit code, and no thread that goes on."""
        program = ("import sys, asyncua\n"
                   "async def start(self): raise LookupError('surprise')\n"
                   "asyncua.Server.start = start\n"
                   "from daqfabric_gateway.__main__ import main\n"
                   "sys.exit(main(sys.argv[1:]))\n")
        file = self.configuration('login = "login"\n[epics]\nport = 0\nsearch_port = 0\n[opcua]\nport = 0\n')
        done = subprocess.run([sys.executable, "-c", program, file], capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(1, done.returncode, done.stderr)
        self.assertIn("Traceback", done.stderr)
        self.assertIn("daqfabric-gateway: cannot serve: surprise", done.stderr)

    def test_what_is_wrong_is_said(self):
        for text, expected in (("", "nothing is to be served"),
                               ('controllers = ["ftp://x"]\nlogin = "login"\n[epics]', "controllers: 'ftp://x' is no address of RESTCONF")):
            done = subprocess.run([*PROGRAM, self.configuration(text)], capture_output=True, text=True, check=False)
            self.assertEqual(2, done.returncode)
            self.assertIn(expected, done.stderr)
