"""The child of drunc: from whom it takes commands, to whom it answers, and what it lets through to the controller."""
import http.client
import json
import os
import queue
import subprocess
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from .fake import LOGIN, Controller, eventually

FOLDER = Path(__file__).resolve().parents[2]


class Listener(ThreadingHTTPServer):
    """Where drunc waits for answers; it may send whoever answers elsewhere."""

    def __init__(self, address, elsewhere=None):
        self.answers = queue.Queue()

        class Answers(BaseHTTPRequestHandler):
            def do_POST(self):
                self.server.answers.put((self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
                self.send_response(302 if elsewhere else 200)
                self.send_header("Location", elsewhere or "")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def do_GET(self):
                self.server.answers.put((self.path, None))
                self.do_POST()

            def log_message(self, *_):
                pass

        super().__init__((address, 0), Answers)

    def __enter__(self):
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    @property
    def port(self):
        return self.server_address[1]


class DruncTest(unittest.TestCase):
    def setUp(self):
        self.controller = self.enterContext(Controller())
        self.drunc = self.enterContext(Listener("127.0.0.1"))

    def child(self, *options, **environment):
        process = self.enterContext(subprocess.Popen(
            [FOLDER / "drunc/daqfabric-drunc", "--port", "0", "--prepare", '"fabric":"prototype","required-bandwidth":1', *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {
                "PATH": f"{FOLDER / 'shell'}:{os.environ['PATH']}", "DAQFABRIC_URL": self.controller.url, "DAQFABRIC_USER": LOGIN[0],
                "DAQFABRIC_PASSWORD": LOGIN[1], "DAQFABRIC_PARTITION": "physics", **environment}))
        self.addCleanup(process.terminate)
        self.port = int(process.stdout.readline().split(":")[-1])
        return process

    def post(self, body, path="/command", sender="127.0.0.1", **headers):
        """The status of what is sent as drunc sends it, with some headers changed, and what is said."""
        given = {"content-type": "application/json", "X-Answer-Port": str(self.drunc.port), "X-Answer-Host": "127.0.0.1"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10, source_address=(sender, 0))
        try:
            connection.request("POST", path, body, {name: value for name, value in given.items() if value is not None})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def command(self, name, **data):
        body = {"id": name, "data": {"modules": [{"data": data, "match": ""}]}, "entry_state": "ANY", "exit_state": "ANY"}
        return json.dumps(body)

    def ask(self, name, **data):
        self.assertEqual((202, ""), self.post(self.command(name, **data)))
        path, answer = self.drunc.answers.get(timeout=30)
        self.assertEqual(("/response", "daqfabric"), (path, answer["appname"]))
        return answer["success"], answer["result"]

    def test_a_run(self):
        self.child()
        for name, data, state in (("conf", {}, "ready"), ("start", {"run": 105}, "running"), ("enable_triggers", {}, "running"),
                                  ("stop", {}, "ready"), ("scrap", {}, "idle")):
            success, said = self.ask(name, **data)
            self.assertTrue(success, said)
            self.assertEqual(state, self.controller.partition["state"])
        asked = dict(self.controller.asked)
        self.assertEqual(("prototype", 1, 105), (asked["prepare"]["fabric"], asked["prepare"]["required-bandwidth"],
                                                 asked["start-run"]["run-number"]))

    def test_a_run_is_a_number_and_nothing_else_reaches_the_controller(self):
        self.child()
        self.ask("conf")
        before = len(self.controller.asked)
        for run in ('7,"accept-degraded":true', '7,"partition":"other"', "7", -1, 4294967296, 7.5, True, None, [7], {"a": 7}, "x" * 10000):
            success, said = self.ask("start", run=run)
            self.assertFalse(success)
            self.assertRegex(said, "start: data has run .* must be a whole number up to 4294967295")
        self.assertFalse(self.ask("start")[0])
        self.assertEqual(before, len(self.controller.asked))
        self.assertTrue(self.ask("start", run=4294967295)[0])

    def test_answers_go_to_hosts_of_run_control_only(self):
        elsewhere = self.enterContext(Listener("127.0.0.2"))
        child = self.child()
        for host in ("127.0.0.2", "localhost", "127.0.0.1:80@127.0.0.2", "127.1", "2130706434", "127.0.0.1/x", "::1", "[127.0.0.2]"):
            status, said = self.post(self.command("conf"), X_Answer_Host=host, X_Answer_Port=str(elsewhere.port))
            self.assertEqual((403, True), (status, "start this program with --run-control" in said), said)
        self.assertIn("127.0.0.2", child.stderr.readline())
        for port in ("80", "65536", "0", "-1", "1e4", "٣٣٣٣٣", "", None, f"{self.drunc.port}/x"):
            self.assertEqual(400, self.post(self.command("conf"), X_Answer_Port=port and port.encode())[0])
        self.assertTrue(self.ask("scrap")[0])
        self.assertEqual((0, ["release"]), (elsewhere.answers.qsize(), self.controller.rpcs()))

    def test_a_redirection_or_a_proxy_leads_no_answer_elsewhere(self):
        elsewhere = self.enterContext(Listener("127.0.0.2"))
        address = f"http://127.0.0.2:{elsewhere.port}"
        self.drunc = self.enterContext(Listener("127.0.0.1", elsewhere=f"{address}/response"))
        child = self.child(http_proxy=address, no_proxy=self.controller.url.split("/")[2].split(":")[0])
        self.assertTrue(self.ask("scrap")[0])
        self.assertIn("answers HTTP 302", child.stderr.readline())
        self.assertEqual(0, elsewhere.answers.qsize())

    def test_others_are_not_listened_to(self):
        child = self.child("--run-control", "127.0.0.3", "--run-control", "localhost")
        with self.assertRaises((http.client.RemoteDisconnected, ConnectionError)):
            self.post(self.command("conf"), sender="127.0.0.2")
        self.assertIn("127.0.0.2 is no host of run control", child.stderr.readline())
        self.assertEqual([], self.controller.asked)
        self.assertEqual(202, self.post(self.command("scrap"), sender="127.0.0.3", X_Answer_Host="LOCALHOST")[0])
        self.assertTrue(self.drunc.answers.get(timeout=30)[1]["success"])

    def test_what_is_no_command_is_refused_and_does_nothing(self):
        self.child()
        good = self.command("conf")
        for body, status, headers in (
                (good, 415, {"content_type": "text/plain"}), (good, 415, {"Origin": "http://page"}),
                (good, 413, {"Content_Length": "65537"}), (good, 413, {"Content_Length": "-1"}), (good, 413, {"Content_Length": "x"}),
                ("{", 400, {}), ("[]", 400, {}), ("[" * 60000, 400, {}), ('{"id": 1}', 400, {}), ('{"id": "conf", "data": []}', 400, {}),
                ('{"id": "conf", "data": {"modules": {}}}', 400, {}), ('{"id": "conf", "data": {"modules": [1]}}', 400, {}),
                ('{"id": "conf", "data": {"modules": [{"data": []}]}}', 400, {}), ("\xff".encode("latin1"), 400, {})):
            with self.subTest(body[:40], **headers):
                self.assertEqual(status, self.post(body, **headers)[0])
        self.assertEqual(404, self.post(good, path="/other")[0])
        self.assertEqual([], self.controller.asked)
        self.assertTrue(self.ask("conf")[0])

    def test_more_commands_than_anybody_waits_for_are_refused(self):
        self.controller.hold = True
        self.child()
        self.assertEqual(202, self.post(self.command("conf"))[0])
        operation = eventually(lambda: self.controller.partition.get("operation"), "operation")
        statuses = [self.post(self.command("enable_triggers"))[0] for _ in range(9)]
        self.assertEqual([202] * 8 + [503], statuses)
        self.controller.change(operation=operation | {"status": "done"})
        self.assertEqual([True] * 9, [self.drunc.answers.get(timeout=30)[1]["success"] for _ in range(9)])

    def test_options_that_cannot_be_used_are_said(self):
        for options, message in ((["--prepare", "fabric"], "no members of JSON"), (["--prepare", '"partition":"x"'], "DAQFABRIC_PARTITION"),
                                 (["--run-control", "no.such.host.invalid"], "--run-control no.such.host.invalid")):
            done = subprocess.run([FOLDER / "drunc/daqfabric-drunc", *options], capture_output=True, text=True, check=False)
            self.assertNotEqual(0, done.returncode)
            self.assertIn(message, done.stderr)
