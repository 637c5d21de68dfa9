"""Constellation's transitions against a controller that does as promised, and one that does not."""
import logging
import os
import tempfile
import threading
import tomllib
import unittest
import uuid
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from unittest import mock

import zmq
from constellation.core.base import SATELLITE_LIST
from constellation.core.chp import CHPRole
from constellation.core.protocol.cscp1 import SatelliteState as State

from .fake import LOGIN, Controller, eventually
from daqfabric_constellation.restconf import Restconf
from daqfabric_constellation.satellite import DaqFabric

STEADY = (State.NEW, State.INIT, State.ORBIT, State.RUN, State.SAFE, State.ERROR)


class SatelliteTest(unittest.TestCase):
    ending = []  # it takes a while

    @classmethod
    def tearDownClass(cls):
        for satellite, thread in cls.ending:
            thread.join()
            if satellite._state_thread_evt:
                satellite._state_thread_evt.set()  # a run that goes on, or the program would not end
            satellite.context.destroy(linger=0)  # sockets of threads that were late, likewise
        SATELLITE_LIST.clear()

    def setUp(self):
        logging.disable(logging.CRITICAL)
        self.addCleanup(logging.disable, logging.NOTSET)
        self.addCleanup(setattr, threading, "excepthook", threading.excepthook)  # Constellation puts its own there
        self.controller = self.enterContext(Controller())
        self.satellite = DaqFabric("test", "unit" + uuid.uuid4().hex, 0, 0, 0, ["lo"], restconf=Restconf(self.controller.url, *LOGIN))
        self.metrics = {}
        self.satellite._cmdp_publisher.send_metric = lambda metric, value: self.metrics.update({metric.name: value})
        thread = threading.Thread(target=self.satellite.run_satellite)
        thread.start()
        self.ending.append((self.satellite, thread))
        self.addCleanup(self.satellite._com_thread_evt.set)
        self.config = {"partition": "physics"}

    def go(self, transition, *arguments):
        """Asks for a transition and returns where it led."""
        getattr(self.satellite, transition)(*arguments)
        # One asked for while the satellite ends another is only noted, and the state still that of before.
        handled = threading.Event()
        self.satellite.task_queue.put((handled.set, []))
        self.assertTrue(handled.wait(10), transition)
        return eventually(lambda: self.state if self.state in STEADY else None, transition)

    @property
    def state(self):
        return self.satellite.fsm.state

    @property
    def status(self):
        return self.satellite.fsm.status

    def fail_now(self):
        self.assertEqual(State.ERROR, self.go("_failure"))

    def launched(self, **config):
        self.assertEqual(State.INIT, self.go("initialize", self.config | config), self.status)
        self.assertEqual(State.ORBIT, self.go("launch"), self.status)

    def running(self, **config):
        self.launched(**config)
        self.assertEqual(State.RUN, self.go("start", "run_12"), self.status)

    def test_a_run(self):
        self.running(ros=["r1-1"], required_bandwidth=10, accept_degraded=True)
        eventually(lambda: self.status == "Fabric ok, run 12; 20 Gbps of 10 required", "status")
        self.assertEqual(State.ORBIT, self.go("stop"))
        eventually(lambda: self.status.startswith("Fabric ok, ready; 20 Gbps of 10 required; run 12 stopped"), "status")
        self.assertEqual(State.INIT, self.go("land"))
        self.assertEqual("idle", self.controller.partition["state"])
        self.assertEqual(["prepare", "arm", "start-run", "stop-run", "release"], self.controller.rpcs())
        asked = dict(self.controller.asked)
        self.assertEqual((["r1-1"], True, 12, "physics"), (asked["prepare"]["ros"], asked["arm"]["accept-degraded"],
                         asked["start-run"]["run-number"], asked["start-run"]["partition"]))
        self.assertFalse(self.satellite.run_degraded)

    def test_health_is_status_and_metrics_and_the_run_goes_on(self):
        self.running(required_bandwidth=10)
        for health, bandwidth, concern, number in (
                ("degraded", "12.500", {"kind": "link", "name": "p1l1:to-p1s1", "detail": "down"}, 1),
                ("insufficient", "0.000", {"kind": "ros", "name": "r1-1", "detail": "cut off"}, 2)):
            self.controller.change(health=health, achievable_bandwidth=bandwidth, concern=[concern])
            eventually(lambda: self.metrics.get("fabric_health") == number, "metric")
            eventually(lambda: concern["name"] in self.status and health in self.status, "status")
            self.assertEqual(float(bandwidth), self.metrics["fabric_bandwidth"])
        self.assertEqual((1, 0, 10), (self.metrics["fabric_cut_off_ros"], self.metrics["fabric_cut_off_dcms"],
                                      self.metrics["fabric_bandwidth_required"]))
        self.assertTrue(self.satellite.run_degraded)
        self.controller.change(health="ok", achievable_bandwidth="20.000", concern=[])
        eventually(lambda: self.status == "Fabric ok, run 12; 20 Gbps of 10 required", "well again")
        self.assertEqual(State.RUN, self.state)

    def test_others_are_alive_by_when_they_were_heard_of(self):
        """Not by the time in their heartbeats: their clocks may be ahead, or behind."""
        with zmq.Context() as context, context.socket(zmq.XPUB) as other:
            port = other.bind_to_random_port("tcp://127.0.0.1")
            host = uuid.uuid4()
            self.satellite.register_heartbeat_host(host, f"tcp://127.0.0.1:{port}", "Other.one")
            self.addCleanup(self.satellite.unregister_heartbeat_host, host)
            heard = self.satellite._get_heartbeat_state(host)
            for minutes in (2, -2):
                heard.refresh(datetime.now(UTC) + timedelta(minutes=minutes))
                self.assertTrue(0 <= heard.seconds_since_refresh < 60, heard.seconds_since_refresh)

    def test_its_death_is_known_soon_however_many_listen(self):
        """Three intervals and a half after the last heartbeat."""
        self.satellite._subscribers = 25
        eventually(lambda: self.satellite._heartbeat_period == 1000, "interval before it is initialized")
        self.launched()
        self.assertEqual(1, self.satellite.max_heartbeat_interval)
        self.assertEqual(State.INIT, self.go("land"))
        self.launched(_autonomy={"max_heartbeat_interval": 7})
        self.assertEqual(7, self.satellite.max_heartbeat_interval)

    def test_one_that_ends_in_order_degrades_no_run_of_others(self):
        """Unless it was given a role that demands more."""
        for role, last in ((CHPRole.TRANSIENT, CHPRole.NONE), (CHPRole.DYNAMIC, CHPRole.DYNAMIC), (CHPRole.NONE, CHPRole.NONE)):
            with self.subTest(role):
                satellite = DaqFabric("test", "unit" + uuid.uuid4().hex, 0, 0, 0, ["lo"], restconf=Restconf(self.controller.url, *LOGIN))
                said = []
                satellite._hb_tm.send = lambda _state, _interval, flags, _status=None, said=said: said.append(CHPRole.from_flags(flags))
                satellite.role = role
                thread = threading.Thread(target=satellite.run_satellite)
                thread.start()
                self.ending.append((satellite, thread))
                eventually(lambda: said, "heartbeat")
                self.assertEqual({role}, set(said))
                satellite.shutdown()
                thread.join()
                self.assertEqual(last, said[-1])

    def test_a_listener_takes_a_departure_in_order_for_what_it_is(self):
        self.running()
        other = DaqFabric("test", "unit" + uuid.uuid4().hex, 0, 0, 0, ["lo"], restconf=Restconf(self.controller.url, *LOGIN))
        thread = threading.Thread(target=other.run_satellite)
        thread.start()
        self.ending.append((other, thread))
        host = uuid.uuid4()
        self.satellite.register_heartbeat_host(host, f"tcp://127.0.0.1:{other.hb_port}")
        heard = self.satellite._get_heartbeat_state(host)
        eventually(lambda: heard.role == CHPRole.TRANSIENT, "heartbeat")
        other.shutdown()
        thread.join()
        eventually(lambda: heard.role == CHPRole.NONE, "last heartbeat")
        self.satellite.unregister_heartbeat_host(host)  # what Constellation does when it hears of the departure
        self.assertFalse(self.satellite.run_degraded)

    def test_degradation_between_two_readings_is_not_lost(self):
        self.running()
        self.controller.change(run=self.controller.partition["run"] | {"repairs": 1, "worst-health": "degraded"})
        eventually(lambda: self.satellite.run_degraded, "degraded")

    def test_a_clock_that_is_set_back_hides_no_failure(self):
        """For as long as it was set back: the newest transition is then in the future."""
        self.running()
        self.satellite.fsm.last_changed += timedelta(hours=1)
        self.controller.change(health="degraded", concern=[{"kind": "link", "name": "p1l1:to-p1s1", "detail": "down"}])
        eventually(lambda: self.satellite.run_degraded and "degraded" in self.status, "degraded")

    def test_a_refusal_is_an_error_with_the_controllers_text_and_can_be_recovered_from(self):
        self.launched()
        self.controller.refusals["start-run"] = "/input/partition: link p1l1:to-p1s1 is down; mend it"
        self.assertEqual(State.ERROR, self.go("start", "run_12"))
        self.assertIn("link p1l1:to-p1s1 is down; mend it", self.status)
        self.controller.refusals.clear()
        self.running()

    def test_an_identifier_without_a_number_asks_nothing(self):
        self.launched()
        self.assertEqual(State.ERROR, self.go("start", "cosmics"))
        self.assertIn("must end in a number", self.status)
        self.assertNotIn("start-run", self.controller.rpcs())

    def test_a_refused_prepare_or_arm_is_an_error(self):
        for rpc in ("prepare", "arm"):
            self.controller.refusals = {rpc: f"/input/partition: no {rpc}"}
            self.assertEqual(State.INIT, self.go("initialize", self.config))
            self.assertEqual(State.ERROR, self.go("launch"))
            self.assertIn(f"/input/partition: no {rpc}", self.status)

    def test_initialize_checks_login_fabric_and_address(self):
        good = self.satellite._restconf
        for restconf, config, message in (
                (Restconf(self.controller.url, LOGIN[0], "wrong"), {}, "refuses the login"),
                (good, {"fabric": "other"}, "no fabric 'other'"),
                (Restconf("http://127.0.0.1:9/rests", *LOGIN), {}, "cannot be reached")):
            self.satellite._restconf = restconf
            self.assertEqual(State.ERROR, self.go("initialize", self.config | config))
            self.assertIn(message, self.status)
        self.assertEqual([], self.controller.asked)

    def test_a_file_is_not_sent_to_an_address_that_comes_over_the_network(self):
        thief = self.enterContext(Controller())
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("key of the host")
            file.flush()
            for config, message in (({"url": thief.url}, "`url` is not valid: set DAQFABRIC_URL where"),
                                    ({"password_file": file.name}, "`password_file` .*set DAQFABRIC_PASSWORD_FILE"),
                                    ({"url": thief.url, "user": "x", "password_file": file.name}, "DAQFABRIC")):
                self.assertEqual(State.ERROR, self.go("initialize", self.config | config))
                self.assertRegex(self.status, message)
        self.assertEqual(set(), thief.logins | self.controller.logins)

    def test_the_environment_is_not_told_to_who_configures(self):
        with mock.patch.dict(os.environ, TOKEN="hidden"):
            for config in ({"run_type": "${TOKEN}"}, {"ros": ["r1-1", "${TOKEN}"]}, {"partition": "${TOKEN:-physics}"},
                           {"_conditions": {"require_launching_after": ["${TOKEN}"]}}):
                with self.assertRaisesRegex(ValueError, "without .*environment") as refused:
                    self.satellite.initialize(self.config | config)
                self.assertNotIn("hidden", str(refused.exception))
            self.launched(run_type="cosmics")
            with self.assertRaisesRegex(ValueError, "run_type.*environment"):
                self.satellite.reconfigure({"run_type": "${TOKEN}"})
        self.assertEqual(State.ORBIT, self.state)
        self.assertEqual("cosmics", dict(self.controller.asked)["prepare"]["run-type"])

    def test_lost_answers_harm_nothing(self):
        self.controller.losses = 2
        self.running()
        self.controller.losses = 1
        self.assertEqual(State.ORBIT, self.go("stop"), self.status)
        self.assertEqual(["prepare", "arm", "start-run", "stop-run"], self.controller.rpcs())

    def test_a_controller_that_is_away_does_not_end_the_run(self):
        self.running()
        self.controller.failures = [503] * 2
        eventually(lambda: self.status.startswith("Fabric unknown, it forwards without its controller"), "away")
        self.assertEqual(0, self.metrics["fabric_controller"])
        eventually(lambda: self.metrics["fabric_controller"] == 1, "back")
        self.assertEqual((State.RUN, False), (self.state, self.satellite.run_degraded))

    def test_interrupt_stops_the_run_and_releases(self):
        self.running()
        self.assertEqual(State.SAFE, self.go("_interrupt"))
        self.assertEqual(["prepare", "arm", "start-run", "stop-run", "release"], self.controller.rpcs())

    def test_interrupt_in_orbit_releases(self):
        self.launched()
        self.assertEqual(State.SAFE, self.go("_interrupt"))
        self.assertEqual(["prepare", "arm", "release"], self.controller.rpcs())

    def test_a_failure_leaves_the_run_to_others_and_initialize_ends_it(self):
        self.running()
        self.fail_now()
        self.assertEqual("running", self.controller.partition["state"])
        self.assertEqual(State.INIT, self.go("initialize", self.config))
        self.assertIn("was running and has been released", self.status)
        self.assertEqual("idle", self.controller.partition["state"])

    def test_a_run_of_others_is_followed_by_a_satellite_that_comes_back(self):
        self.running()
        self.fail_now()
        self.satellite._others_run = lambda: True
        self.assertEqual(State.INIT, self.go("initialize", self.config))
        self.assertIn("launch and start with its number to follow it", self.status)
        self.assertEqual(State.ORBIT, self.go("launch"))
        self.assertEqual(State.RUN, self.go("start", "run_12"), self.status)
        self.assertEqual(["prepare", "arm", "start-run", "start-run"], self.controller.rpcs())

    def test_reconfigure_prepares_anew(self):
        self.launched(required_bandwidth=5)
        self.assertEqual(State.ORBIT, self.go("reconfigure", {"required_bandwidth": 7}))
        self.assertEqual(["prepare", "arm", "release", "prepare", "arm"], self.controller.rpcs())
        eventually(lambda: self.status == "Fabric ok, ready; 20 Gbps of 7 required", "status")
        self.assertEqual(State.ERROR, self.go("reconfigure", {"partition": "other"}))

    def test_a_run_that_somebody_else_ended_is_reported(self):
        self.running()
        self.controller.change(state="idle")
        eventually(lambda: self.satellite.run_degraded, "degraded")
        self.assertEqual(State.RUN, self.state)

    def test_its_role_is_transient_unless_configured(self):
        self.assertEqual(CHPRole.TRANSIENT, self.satellite.role)
        self.go("initialize", self.config)
        self.assertEqual(CHPRole.TRANSIENT, self.satellite.role)
        self.go("initialize", self.config | {"_autonomy": {"role": "ESSENTIAL"}})
        self.assertEqual(CHPRole.ESSENTIAL, self.satellite.role)


class PackageTest(unittest.TestCase):
    def test_entry_points_lead_somewhere(self):
        folder = Path(__file__).parents[1]
        project = tomllib.loads((folder / "pyproject.toml").read_text())
        module, _, name = project["project"]["scripts"]["SatelliteDaqFabric"].partition(":")
        self.assertTrue(callable(getattr(import_module(module), name)))
        self.assertTrue(hasattr(import_module(project["project"]["entry-points"]["constellation.satellites"]["DaqFabric"]),
                                "__file__"))
        self.assertEqual(project["project"]["version"], import_module("daqfabric_constellation.satellite").VERSION)
        for package in project["tool"]["setuptools"]["packages"]:
            self.assertTrue(os.path.isdir(folder / package))
