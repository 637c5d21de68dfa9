"""The client for MIDAS that docs/run-control.md shows, with a controller that does not always answer."""
import os
import subprocess
import unittest
from pathlib import Path
from unittest import mock

from trial.midas_stand_in import START, STARTABORT, STOP, SUCCESS, block, callbacks

from .fake import LOGIN, Controller

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/run-control.md"


class MidasTest(unittest.TestCase):
    def setUp(self):
        self.controller = self.enterContext(Controller())
        self.enterContext(mock.patch.dict(os.environ, {
            "DAQFABRIC_URL": self.controller.url, "DAQFABRIC_USER": LOGIN[0], "DAQFABRIC_PASSWORD": LOGIN[1],
            "DAQFABRIC_PARTITION": "physics", "PATH": f"{ROOT / 'integrations/shell'}:{os.environ['PATH']}"}))
        self.registered = callbacks(block(PAGE.read_text(), "MIDAS", "python"), str(PAGE))
        self.number = 0

    def transition(self, transition):
        self.number += transition == START
        return self.registered[transition][1](None, self.number)

    def test_runs(self):
        """Also where MIDAS says it twice."""
        for transition, state in ((START, "running"), (STOP, "idle"), (STOP, "idle"), (START, "running"), (START, "running"),
                                  (STARTABORT, "idle"), (START, "running"), (STOP, "idle")):
            self.assertEqual(SUCCESS, self.transition(transition))
            self.assertEqual(state, self.controller.partition["state"])

    def test_a_run_of_somebody_else_is_not_ended(self):
        for call in (["prepare"], ["arm"], ["start-run", '"run-number":99']):
            subprocess.run(["daqfabric-run", *call], check=True, stdout=subprocess.DEVNULL)
        for _ in range(2):
            self.assertIn("is running", self.transition(START)[1])
        self.assertEqual(99, self.controller.partition["run"]["run-number"])

    def test_a_run_of_somebody_else_after_a_start_that_was_undone(self):
        for transition in (START, STARTABORT):
            self.assertEqual(SUCCESS, self.transition(transition))
        self.test_a_run_of_somebody_else_is_not_ended()

    def test_a_stop_that_failed_is_finished_by_the_next_start(self):
        """Whether the controller was not reached at all, or after it had ended the run."""
        def unreachable(failing):
            self.controller.strange = (418, {}) if failing else None

        def without_release(failing):
            self.controller.refusals = {"release": "wait"} if failing else {}

        for fail, left in ((unreachable, "running"), (without_release, "ready")):
            with self.subTest(left):
                self.assertEqual(SUCCESS, self.transition(START))
                fail(True)
                self.assertNotEqual(SUCCESS, self.transition(STOP))
                self.assertEqual(left, self.controller.partition["state"])
                self.assertNotEqual(SUCCESS, self.transition(START))
                fail(False)
                self.assertEqual(SUCCESS, self.transition(START))
                self.assertEqual(("running", self.number),
                                 (self.controller.partition["state"], self.controller.partition["run"]["run-number"]))
                self.assertEqual(SUCCESS, self.transition(STOP))
