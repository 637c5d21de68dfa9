"""Calls are repeated until they are answered, and are one request all the same."""
import os
import threading
import unittest
from unittest import mock

from .fake import LOGIN, PREFIX, Controller, eventually
from daqfabric_constellation.control import RunControl, run_number
from daqfabric_constellation.restconf import Refused, Restconf, Unreachable


class RunControlTest(unittest.TestCase):
    def setUp(self):
        self.controller = self.enterContext(Controller())
        self.control = self.connect()

    def connect(self, user=LOGIN[0], password=LOGIN[1], url=None, patience=5.0):
        return RunControl(Restconf(url or self.controller.url, user, password), "physics", patience, pause=0.01)

    def test_a_run(self):
        self.control.prepare({"fabric": "prototype"}, lambda text: None)
        self.control.arm(False)
        self.control.start_run(12)
        self.assertEqual("running", self.control.read().state)
        self.assertEqual(12, self.control.stop_run().number)
        self.assertIsNone(self.control.stop_run())
        self.control.release()
        self.assertEqual("idle", self.control.read().state)
        self.assertEqual(["prepare", "arm", "start-run", "stop-run", "stop-run", "release"], self.controller.rpcs())

    def test_a_controller_below_a_path(self):
        """As a proxy serves it."""
        controller = self.enterContext(Controller(below="/site/daq"))
        for url in (controller.url, f"{controller.url}/"):
            self.connect(url=url).release()
            stream = Restconf(url, *LOGIN).open_stream("x")
            controller.change()
            self.assertTrue(stream.wait())
            stream.close()
        self.assertEqual(["release", "release"], controller.rpcs())

    def test_a_lost_answer_is_asked_for_with_the_same_id(self):
        self.control.prepare({}, lambda text: None)
        self.control.arm(False)
        self.controller.losses = 3
        self.control.start_run(12)
        ids = [given["request-id"] for rpc, given in self.controller.asked if rpc == "start-run"]
        self.assertEqual(4, len(ids))
        self.assertEqual(1, len(set(ids)))

    def test_every_call_has_an_id_of_its_own(self):
        for _ in range(3):
            self.control.release()
        self.assertEqual(3, len({given["request-id"] for _, given in self.controller.asked}))

    def test_a_controller_that_boots_is_waited_for(self):
        self.controller.failures = [404, 503, 500, 409]
        self.control.release()
        self.assertEqual(["release"], self.controller.rpcs())

    def test_a_partition_that_is_not_known_yet_is_not_idle(self):
        """A controller that starts shows none until it has read them."""
        self.controller.change(state="running")
        self.controller.starting = 2
        self.assertEqual("running", self.control.read().state)
        self.controller.starting = 1000
        with self.assertRaisesRegex(Unreachable, "not served at this moment"):
            self.connect(patience=0.1).read()

    def test_a_refusal_is_not_repeated_and_comes_in_the_controllers_words(self):
        self.controller.refusals["arm"] = "arm: misses 2 things:\nlink p1l1:to-p1s1: is down\nROS r1-1: is cut off"
        self.control.prepare({}, lambda text: None)
        with self.assertRaisesRegex(Refused, "^arm: misses 2 things: link p1l1:to-p1s1: is down; ROS r1-1: is cut off$"):
            self.control.arm(False)
        self.assertEqual(["prepare", "arm"], self.controller.rpcs())

    def test_prepare_waits_for_its_operation_and_says_how_far_it_is(self):
        self.controller.hold = True
        said = []
        waiting = threading.Thread(target=self.control.prepare, args=({}, said.append))
        waiting.start()
        eventually(lambda: said, "progress")
        self.assertEqual("Programming switches, 40 %: p1s1", said[0])
        operation = self.controller.partition["operation"]
        self.controller.change(operation=operation | {"status": "done"})
        waiting.join(5)
        self.assertFalse(waiting.is_alive())

    def test_an_operation_that_failed_is_a_refusal(self):
        self.controller.hold = True
        caught = []

        def prepare():
            try:
                self.control.prepare({}, lambda text: None)
            except Refused as e:
                caught.append(str(e))

        waiting = threading.Thread(target=prepare)
        waiting.start()
        operation = eventually(lambda: self.controller.partition.get("operation"), "operation")
        self.controller.change(operation=operation | {"status": "failed", "detail": "p1s1 did not confirm"})
        waiting.join(5)
        self.assertEqual(["p1s1 did not confirm"], caught)

    def test_nobody_there(self):
        with self.assertRaisesRegex(Unreachable, "http://127.0.0.1:9/rests cannot be reached: "):
            self.connect(url="http://127.0.0.1:9/rests", patience=0.1).release()

    def test_wrong_login_is_reported_immediately(self):
        with self.assertRaisesRegex(Refused, "refuses the login of shift: check user and password"):
            self.connect(password="wrong").release()
        self.assertEqual([], self.controller.asked)

    def test_neither_a_proxy_nor_a_redirection_gets_the_login(self):
        other = self.enterContext(Controller())
        proxy = other.url.removesuffix(PREFIX)
        with mock.patch.dict(os.environ, {"http_proxy": proxy, "all_proxy": proxy, "no_proxy": ""}):
            self.control.release()
            self.controller.strange = 302, {"Location": f"{proxy}/login?next=x"}
            with self.assertRaisesRegex(Refused, f"{self.controller.url} sends on to {proxy}/login, where no login goes"):
                self.control.release()
        self.assertEqual(set(), other.logins)

    def test_an_empty_answer_is_none(self):
        self.controller.failures = [200]
        self.control.release()
        self.assertEqual(["release"], self.controller.rpcs())
        self.controller.strange = 200, {}
        with self.assertRaisesRegex(Unreachable, "answers HTTP 200: is it the address of a controller that runs?"):
            self.connect(patience=0).read()

    def test_wrong_url(self):
        for url in ("controller:8181", "http://", "ftp://controller/rests", "http://controller:port/rests"):
            with self.subTest(url), self.assertRaisesRegex(ValueError, "url"):
                Restconf(url, "shift", "secret")

    def test_check_names_the_fabrics(self):
        self.control.check("prototype")
        self.control.check(None)
        with self.assertRaisesRegex(Refused, r"no fabric 'other' \(prototype\)"):
            self.control.check("other")
        self.controller.fabrics = ("a", "b")
        with self.assertRaisesRegex(Refused, r"2 fabrics are configured \(a, b\): set `fabric`"):
            self.control.check(None)
        self.controller.fabrics = ()
        with self.assertRaisesRegex(Refused, "0 fabrics"):
            self.control.check(None)

    def test_clear_stops_a_run_and_does_not_abort_it(self):
        for state in ("idle", "prepared", "ready", "running", "error"):
            with self.subTest(state):
                self.controller.partition = {"state": state, "run": {"run-number": 3}}
                self.control.clear()
                self.assertEqual("idle", self.controller.partition["state"])
                self.assertEqual(state == "running", "ended" in self.controller.partition["run"])


class RunNumberTest(unittest.TestCase):
    def test_number_at_the_end_counts(self):
        for identifier, number in (("run_12", 12), ("2026-run-0007", 7), ("4294967295", 4294967295), ("run0", 0)):
            self.assertEqual(number, run_number(identifier))

    def test_no_number(self):
        for identifier in ("cosmics", "run_4294967296", "12a", "run_٣"):
            with self.subTest(identifier), self.assertRaisesRegex(Refused, "must end in a number"):
                run_number(identifier)
