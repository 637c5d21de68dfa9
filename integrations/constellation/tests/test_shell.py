"""The script for hooks of other run controllers."""
import os
import socket
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

from .fake import LOGIN, PREFIX, Controller, certificate, eventually

SCRIPT = Path(__file__).resolve().parents[2] / "shell/daqfabric-run"


class ShellTest(unittest.TestCase):
    def setUp(self):
        self.controller = self.enterContext(Controller())

    def call(self, *arguments, password=LOGIN[1], **environment):
        return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, env=os.environ | {
            "DAQFABRIC_URL": self.controller.url, "DAQFABRIC_USER": LOGIN[0], "DAQFABRIC_PASSWORD": password,
            "DAQFABRIC_PARTITION": "physics", **environment}, check=False, timeout=60)

    def test_a_run(self):
        for arguments in (["prepare", '"ros":["r1-1"],"required-bandwidth":1'], ["arm"], ["start-run", '"run-number":7'],
                          ["stop-run"], ["release"]):
            done = self.call(*arguments)
            self.assertEqual((0, ""), (done.returncode, done.stderr))
        asked = dict(self.controller.asked)
        self.assertEqual((["r1-1"], 1, 7), (asked["prepare"]["ros"], asked["prepare"]["required-bandwidth"],
                                            asked["start-run"]["run-number"]))
        self.assertEqual(5, len({given["request-id"] for _, given in self.controller.asked}))

    def test_prepare_waits_for_its_operation(self):
        self.controller.hold = True
        ended = []
        waiting = threading.Thread(target=lambda: ended.append(self.call("prepare")))
        waiting.start()
        operation = eventually(lambda: self.controller.partition.get("operation"), "operation")
        self.assertEqual([], ended)
        self.controller.change(operation=operation | {"status": "failed", "detail": "p1s1 did not confirm"})
        waiting.join(10)
        self.assertEqual(1, ended[0].returncode)
        self.assertIn("p1s1 did not confirm", ended[0].stderr)

    def test_a_new_partition_is_waited_for(self):
        """Its operation is not in the state yet when it is asked for first."""
        self.controller.unseen = 2
        done = self.call("prepare")
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        self.assertIn('"status":"done"', done.stdout)
        self.assertEqual(0, self.controller.unseen)

    def test_the_state(self):
        """Also of a partition that nobody has used yet."""
        for call, state in (("release", "idle"), ("prepare", "prepared")):
            self.assertEqual(0, self.call(call).returncode)
            done = self.call("state")
            self.assertEqual((0, f"{state}\n", ""), (done.returncode, done.stdout, done.stderr))

    def test_a_controller_below_a_path(self):
        """As a proxy serves it."""
        with Controller(below="/site/daq") as controller:
            for url in (controller.url, f"{controller.url}/"):
                for arguments, said in ((["prepare"], '"status":"done"'), (["state"], "prepared"), (["release"], "idle")):
                    done = self.call(*arguments, DAQFABRIC_URL=url)
                    self.assertEqual((0, ""), (done.returncode, done.stderr))
                    self.assertIn(said, done.stdout)

    def test_the_state_of_a_controller_that_starts_is_waited_for(self):
        """It shows no partition until it has read them."""
        self.controller.change(state="running")
        self.controller.starting = 2
        done = self.call("state")
        self.assertEqual((0, "running\n", ""), (done.returncode, done.stdout, done.stderr))

    def test_a_state_that_is_not_known_is_not_idle(self):
        self.controller.change(state="running")
        self.controller.starting = 1000
        folder = self.clock()
        done = self.call("state", PATH=f"{folder}:{os.environ['PATH']}")
        self.assertEqual((1, ""), (done.returncode, done.stdout))
        self.assertIn("not served at this moment", done.stderr)

    def test_setting_the_clock_ends_no_wait(self):
        self.controller.change(state="running")
        self.controller.starting = 2
        done = self.call("state", PATH=f"{self.clock('date', 3600)}:{os.environ['PATH']}")
        self.assertEqual((0, "running\n", ""), (done.returncode, done.stdout, done.stderr))

    def clock(self, command="cut", seconds=30):
        """A folder of commands, where every look at a clock is half a minute after the one before; cut reads the time it is up."""
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name, script in ((command, f'echo . >> "$0.seen"; echo $(($(wc -l < "$0.seen") * {seconds}))'), ("sleep", "")):
            (folder / name).write_text(f"#!/bin/sh\n{script}\n")
            (folder / name).chmod(0o755)
        return folder

    def test_a_proxy_of_the_environment_sees_nothing(self):
        with Controller() as proxy:
            variables = dict.fromkeys(("http_proxy", "https_proxy", "ALL_PROXY"), proxy.url.removesuffix(PREFIX)) | {"no_proxy": ""}
            self.assertEqual(0, self.call("release", **variables).returncode)
            self.assertEqual(set(), proxy.logins)
        self.assertEqual(["release"], self.controller.rpcs())

    def test_an_answer_without_words_is_named(self):
        """Also one that leads elsewhere, where no login goes."""
        with Controller() as other:
            for status, header, said in ((418, {}, "answers HTTP 418 without a word"),
                                         (302, {"Location": f"{other.url}/login"}, f"answers HTTP 302, which leads to {other.url}/login")):
                self.controller.strange = status, header
                done = self.call("release")
                self.assertEqual((1, ""), (done.returncode, done.stdout))
                self.assertIn(f"daqfabric-run: {self.controller.url} {said}", done.stderr)
            self.assertEqual(set(), other.logins)

    def test_an_empty_answer_is_none(self):
        self.controller.failures = [200]
        done = self.call("release")
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        self.assertIn('"state":"idle"', done.stdout)
        self.assertEqual(["release"], self.controller.rpcs())

    def test_no_controller_is_said_with_the_reason(self):
        self.controller.server.server_close()
        folder = self.clock()
        done = self.call("release", PATH=f"{folder}:{os.environ['PATH']}")
        self.assertEqual((1, ""), (done.returncode, done.stdout))
        self.assertRegex(done.stderr, f"{self.controller.url} does not answer: .*[Cc]onnect")

    def test_a_server_that_never_answers_is_not_waited_for(self):
        path = f"{self.clock(seconds=100)}:{os.environ['PATH']}"
        with socket.create_server(("127.0.0.1", 0)) as silent:
            done = self.call("release", PATH=path, DAQFABRIC_URL=f"http://127.0.0.1:{silent.getsockname()[1]}{PREFIX}")
        self.assertEqual((1, ""), (done.returncode, done.stdout))
        self.assertRegex(done.stderr, "does not answer: .*timed out")

    def test_a_lost_answer_is_asked_for_with_the_same_id(self):
        self.controller.losses = 1
        self.assertEqual(0, self.call("release").returncode)
        self.assertEqual(2, len(self.controller.asked))
        self.assertEqual(["release"], self.controller.rpcs())

    def test_a_controller_that_is_not_active_yet_is_asked_again(self):
        self.controller.failures = [503, 409]
        self.assertEqual(0, self.call("release").returncode)
        self.assertEqual(["release"], self.controller.rpcs())

    def test_a_refusal_fails_with_its_words(self):
        done = self.call("start-run", '"run-number":7')
        self.assertEqual((1, ""), (done.returncode, done.stdout))
        self.assertIn("/input/partition: is idle", done.stderr)

    def test_a_wrong_login_fails_at_once(self):
        done = self.call("release", password="wrong")
        self.assertEqual(1, done.returncode)
        self.assertIn("answers HTTP 401: check DAQFABRIC_USER and the password", done.stderr)
        self.assertEqual([], self.controller.asked)

    def test_a_password_is_taken_as_it_is_also_from_a_file(self):
        password = 'a"\\ b\\n$x`'
        with Controller(login=(LOGIN[0], password)) as controller, tempfile.NamedTemporaryFile("w") as file:
            file.write(password + "\n")
            file.flush()
            self.assertEqual(0, self.call("release", password=password, DAQFABRIC_URL=controller.url).returncode)
            done = self.call("release", password="wrong", DAQFABRIC_URL=controller.url, DAQFABRIC_PASSWORD_FILE=file.name)
            self.assertEqual((0, ""), (done.returncode, done.stderr))
        done = self.call("release", password='x"\nurl = "http://127.0.0.1:9')
        self.assertEqual((1, True), (done.returncode, "give each in one line" in done.stderr))

    def test_a_certificate_must_be_trusted(self):
        file, context = certificate(Path(self.enterContext(tempfile.TemporaryDirectory())))
        with Controller(context=context) as controller:
            for variables in ({"CURL_CA_BUNDLE": str(file)}, {"CURL_CA_BUNDLE": "", "SSL_CERT_FILE": str(file)}):
                done = self.call("release", DAQFABRIC_URL=controller.url, **variables)
                self.assertEqual((0, ""), (done.returncode, done.stderr))

    def test_what_is_no_call_or_partition_is_said(self):
        for arguments, partition, message in ((["../data"], "physics", "'../data' is no call"), ([], "physics", "'' is no call"),
                                              (["arm"], 'x","accept-degraded":true,"y":"', "is no name of a partition"),
                                              (["arm"], "a/b", "is no name of a partition"), (["arm"], "", "is no name")):
            done = self.call(*arguments, DAQFABRIC_PARTITION=partition)
            self.assertEqual((1, True), (done.returncode, message in done.stderr), done.stderr)
        self.assertEqual([], self.controller.asked)
