"""Three controllers and one fabric with real Open vSwitch: controllers are killed, cut off and restarted under traffic.

Takes some minutes and 4 GB. Run as root, after `make build`: make test-cluster
"""
import contextlib
import json
import re
import shutil
import subprocess
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .support import LAB, daqlab, eventually, needs_root
from daqlab_lib import controllers, faults, generate, ovs, state
from daqlab_lib.errors import LabError
from daqlab_lib.wiretap import Wiretap

NAME = "trio"
SIZE = generate.Size(NAME, planes=2, spines=2, pods=2, ros=3, racks=3, dcms=8, capacity=10)
PATIENCE = 120  # seconds; what is awaited takes some, on a machine that has nothing else to do
BOOT = 240
GIVEN_UP = 120  # as in bin/cluster
STORES = ("config", "operational")
ROOT = LAB.parent


class Traffic:
    """Requests between all pairs until `report`."""

    def __init__(self):
        self._out = tempfile.TemporaryFile("w+")  # noqa: SIM115  (read by `report`)
        self._err = tempfile.NamedTemporaryFile("w+")  # noqa: SIM115  (read while it is written)
        self._process = subprocess.Popen([LAB / "daqlab", "ping", NAME, "--json", "--duration", "0", "--rate", "2"],
                                         stdout=self._out, stderr=self._err)
        eventually(lambda: Path(self._err.name).stat().st_size, "traffic flows", PATIENCE)

    def end(self):
        self._process.terminate()
        self._process.wait()

    def report(self):
        self.end()
        self._out.seek(0)
        with self._out, self._err:
            return json.load(self._out)


def rest(controller):
    return controller.client(5)


def term(controller):
    """What a member says of who is active; {} if it does not answer."""
    try:
        return rest(controller).get("/data/daqfabric-cluster:active?content=nonconfig")["daqfabric-cluster:active"]
    except LabError:
        return {}


def bean(controller, name, timeout=5):
    """The attributes of a JMX bean of a member; {} if it does not answer or has none of that name."""
    try:
        return controller.client(timeout, "/jolokia").get(f"/read/{name}").get("value", {})
    except LabError:
        return {}


def reachable(controller):
    """Addresses of the members that it reaches, itself among them; empty if it does not answer."""
    cluster = bean(controller, "pekko:type=Cluster", timeout=2)
    return {each for each in re.findall(r"@([0-9.]+):", cluster.get("Members", "")) if each not in cluster["Unreachable"]}


def reached(controller):
    """Addresses of the members of its cluster, itself among them; empty if it does not answer or cannot reach one."""
    return set() if bean(controller, "pekko:type=Cluster").get("Unreachable", "unknown") else reachable(controller)


def role(controller, store):
    """Leader, Follower, ... of a member's main shard of a datastore; None if it does not answer."""
    return bean(controller, f"org.opendaylight.controller:Category=Shards,name=member-{controller.number}-shard-default-{store},"
                            f"type=Distributed{store.capitalize()}Datastore").get("RaftState")


def fabric_state(controller):
    try:
        return rest(controller).state(NAME)
    except LabError:
        return {}


def version(controller):
    """The tag of the fabric's configuration and when it was changed, as a member says."""
    client = rest(controller)
    with client.open(client.request("GET", f"/data/daqfabric:fabrics/fabric={NAME}?content=config"), PATIENCE) as answer:
        return answer.headers["ETag"], answer.headers["Last-Modified"]


def age_of_rules():
    """switch -> (number of rules, seconds since the youngest was written, its groups)."""
    ages = {}
    for name, node in state.load(NAME).nodes.items():
        durations = [float(each) for each in re.findall(r"duration=([0-9.]+)s", ovs.ofctl(node, "dump-flows"))]
        ages[name] = (len(durations), min(durations, default=0.0), ovs.ofctl(node, "dump-groups"))
    return ages


class ClusterCase(unittest.TestCase):
    """Controllers and the fabric, brought up once for all tests of a class."""
    COUNT = 3
    DISTRIBUTION = ROOT / "karaf/target/assembly"
    NUMBERS = ROOT / "target/bench/cluster.json"
    numbers = {}

    @classmethod
    def setUpClass(cls):
        cls.addClassCleanup(daqlab, "controllers", "0")
        cls.addClassCleanup(cls.keep_logs)
        started = time.monotonic()
        cls.bring_up()
        cls.note("boot", started)
        cls.members = controllers.recorded()
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        document = generate.generate(SIZE)
        # without BFD, which gives false alarms where the machine is busy: what fails here loses carrier
        document["daqfabric:fabric"][0].setdefault("policy", {})["protection"] = {"bfd": False}
        file = Path(cls.folder.name) / "fabric.json"
        file.write_text(json.dumps(document))
        cls.addClassCleanup(daqlab, "down", NAME)
        daqlab("up", file)
        started = time.monotonic()
        standby = next((each for each in cls.members if not controllers.report(each)["active"]), cls.members[0])
        rest(standby).put_fabric(document)
        eventually(lambda: fabric_state(standby).get("phase") == "converged", "the fabric converges", PATIENCE)
        cls.note("first programming", started)

    @classmethod
    def bring_up(cls):
        daqlab("controllers", cls.COUNT, "--distribution", cls.DISTRIBUTION)

    @classmethod
    def keep_logs(cls):
        """Keeps the logs for failed tests: the members' folders are deleted."""
        for each in controllers.recorded():
            log = each.home / "data/log/karaf.log"
            if log.exists():
                shutil.copy(log, ROOT / f"target/cluster-{each.number}.log")

    @classmethod
    def note(cls, what, since):
        """Records a duration in seconds."""
        cls.record(what, round(time.monotonic() - since, 2))

    @classmethod
    def record(cls, what, number):
        cls.numbers.setdefault(what, []).append(number)
        cls.NUMBERS.parent.mkdir(parents=True, exist_ok=True)
        cls.NUMBERS.write_text(json.dumps(cls.numbers, indent=2) + "\n")

    def setUp(self):
        """Each test begins with three members that agree and a converged fabric."""
        for each in self.members:
            controllers.heal(each)
            controllers.start(each)
        for switch, port in list(state.load(NAME).fabric.peers()):
            if switch == "p1l1" and port.startswith("to-p1s"):
                faults.set_link(switch, port, True, NAME)
        # a member that was cut off may still be removed, and restarts then
        everybody = {each.address for each in self.members}
        eventually(lambda: all(reached(each) == everybody for each in self.members), "all members reach each other", BOOT)
        eventually(lambda: len({term(each).get("session") for each in self.members}) == 1 and self.active(),
                   "all members agree who is active", BOOT)
        eventually(lambda: fabric_state(self.members[0]).get("phase") == "converged", "the fabric is converged", PATIENCE)

    def active(self, among=None):
        for each in among or self.members:
            found = next((m for m in self.members if f"member-{m.number}" == term(each).get("member")), None)
            if found:
                return found
        return None

    def others(self, member):
        return [each for each in self.members if each is not member]

    def await_other(self, member, session):
        eventually(lambda: any(term(each).get("session", session) != session for each in self.others(member)),
                   "another member is active", PATIENCE)
        return self.active(self.others(member))

    def await_repair(self, link, member, since):
        """Waits until a cut was repaired after a moment (Unix time)."""
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(since))
        eventually(lambda: (state := fabric_state(member)) and (repair := state.get("last-repair", {})) and "confirmed" in repair
                   and link in repair["cause"] and repair["detected"] >= moment
                   and state["phase"] != "programming", f"{link} is repaired", PATIENCE)

    def alarm(self, member, alarm_type, resource):
        """An alarm as a member tells it; {} if it has none, or does not answer."""
        try:
            listed = rest(member).get("/data/daqfabric-alarms:alarms?content=nonconfig")["daqfabric-alarms:alarms"].get("alarm", [])
        except LabError:
            return {}
        return next((each for each in listed if (each["alarm-type-id"], each["resource"]) == (alarm_type, resource)), {})

    def await_raised(self, alarm_type, resource, member):
        eventually(lambda: self.alarm(member, alarm_type, resource).get("is-cleared") is False, f"{alarm_type} of {resource} is raised",
                   PATIENCE)

    def await_cleared(self, alarm_type, resource, member):
        eventually(lambda: self.alarm(member, alarm_type, resource).get("is-cleared"), f"{alarm_type} of {resource} is cleared", BOOT)

    def assert_untouched(self, before, since, other_groups=None):
        """No switch was written to since then: its youngest rule is as much older as time has passed.

        `other_groups` are the numbers of groups, by switch, that must have other content than before; by default none.
        """
        passed = time.monotonic() - since
        for switch, (rules, age, groups) in age_of_rules().items():
            self.assertEqual(before[switch][0], rules, switch)
            self.assertGreater(age, before[switch][1] + passed - 2, f"a rule of {switch} was written anew")
            differing = set(before[switch][2].splitlines()) ^ set(groups.splitlines())
            self.assertEqual(2 * (other_groups or {}).get(switch, 0), len(differing), f"{switch}: {differing}")

    def assert_lost_nothing(self, report):
        self.assertGreater(report["sent"], 0)
        self.assertEqual(0, report["lost"])


@needs_root
class ClusterTest(ClusterCase):
    def test_every_member_answers_the_same(self):
        """Any member answers: requests that need the active member are forwarded to it."""
        for each in self.members:
            self.assertEqual("converged", rest(each).state(NAME)["phase"])
            found = rest(each).rpc("daqfabric-operations", "verify", {"fabric": NAME})
            self.assertEqual((20, []), (found["switches"], found.get("finding", [])))
            self.assertIn("bandwidth", str(rest(each).rpc("daqfabric-planning", "bandwidth", {"fabric": NAME})))
        eventually(lambda: len({version(each) for each in self.members}) == 1, "all name the same version of the fabric", PATIENCE)
        self.assertNotIn(None, version(self.members[0]))

    def test_dead_active_member_is_replaced(self):
        """Traffic does not notice, nothing is sent where nothing changed, and what fails afterwards is repaired."""
        dead = self.active()
        session = term(dead)["session"]
        before, since = age_of_rules(), time.monotonic()
        traffic = Traffic()
        killed = time.monotonic()
        controllers.kill(dead)
        heir = self.await_other(dead, session)
        self.note("SIGKILL of the active member until another is", killed)
        eventually(lambda: fabric_state(heir).get("phase") == "converged", "it has taken the fabric up", PATIENCE)
        time.sleep(10)  # it reads the switches and must change nothing
        self.assert_lost_nothing(traffic.report())
        self.assert_untouched(before, since)

    def test_cut_right_after_the_death_of_the_active_member_is_repaired(self):
        dead = self.active()
        session = term(dead)["session"]
        killed, moment = time.monotonic(), time.time()
        controllers.kill(dead)
        faults.set_link("p1l1", "to-p1s1", False, NAME)
        heir = self.await_other(dead, session)
        self.await_repair("p1l1:to-p1s1", heir, moment)
        self.note("SIGKILL of the active member and a cut until it is repaired", killed)

    def test_active_member_that_dies_as_another_returns_is_replaced(self):
        """Its last report of that one, as unreachable, does not keep the two that are left apart until it has restarted."""
        returned = self.active()
        sessions = {term(returned)["session"]}
        controllers.partition(returned)
        dead = self.await_other(returned, *sessions)
        third = next(each for each in self.others(returned) if each is not dead)
        eventually(lambda: not {returned.address} & reachable(dead), "it is reported as unreachable", PATIENCE)
        controllers.heal(returned)
        sessions.add(term(dead)["session"])
        killed = time.monotonic()
        controllers.kill(dead)
        eventually(lambda: all(term(each).get("session") not in {None, *sessions} for each in (returned, third)),
                   "one of the two is active", PATIENCE)
        self.note("SIGKILL of the active member as another returns until another is active", killed)
        self.assertIsNone(dead.pid(), "the dead one has not been started meanwhile")

    def test_active_member_that_loses_the_others_sends_nothing(self):
        """It keeps all its switches, sees a link fail, and leaves it to its heir; when it is back it goes on as standby."""
        lost = self.active()
        session, pid = term(lost)["session"], lost.pid()
        with Wiretap(lost) as tap:
            faults.set_link("p1l1", "to-p1s2", False, NAME)
            eventually(lambda: tap.changes, "the wiretap sees a repair", PATIENCE)
            faults.set_link("p1l1", "to-p1s2", True, NAME)
            eventually(lambda: fabric_state(lost).get("phase") == "converged", "the fabric is converged", PATIENCE)
        parted = time.monotonic()
        controllers.partition(lost)
        heir = self.await_other(lost, session)
        self.note("cut of the active member from the others until another is", parted)
        with Wiretap(lost) as tap:
            moment, cut = time.time(), time.monotonic()
            faults.set_link("p1l1", "to-p1s1", False, NAME)
            self.await_repair("p1l1:to-p1s1", heir, moment)
            self.note("cut until it is repaired by the new active member", cut)
            eventually(lambda: tap.messages, "the lost member goes on to talk to its switches", PATIENCE)
            self.assertEqual(0, tap.changes, "messages that change switches")
        controllers.heal(lost)
        eventually(lambda: term(lost).get("session") == term(heir).get("session") and term(heir), "it is back", BOOT)
        self.assertEqual(heir.number, self.active([lost]).number)
        self.record("a member that was cut off for a while had to restart", lost.pid() != pid)

    def test_member_that_was_given_up_comes_back_by_itself(self):
        """The others remove it, and the active one says so; when it is reachable again it restarts and rejoins."""
        active = self.active()
        lost = self.others(active)[0]
        resource, pid = f"controller/member-{lost.number}", lost.pid()
        controllers.cut(lost)
        remaining = {each.address for each in self.others(lost)}
        self.await_raised("member-lost", resource, active)
        eventually(lambda: all(reached(each) == remaining for each in self.others(lost)), "the others give it up", PATIENCE + GIVEN_UP)
        self.await_raised("member-lost", resource, active)  # still, though it is no member any more
        healed = time.monotonic()
        controllers.heal(lost)
        eventually(lambda: lost.pid() not in (None, pid), "it restarts", BOOT)
        eventually(lambda: term(lost).get("session") == term(self.others(lost)[0]).get("session") and term(lost), "it is back", BOOT)
        self.note("end of a long cut until the member is back", healed)
        self.await_cleared("member-lost", resource, active)

    def test_member_that_was_cut_off_with_writes_can_lead_again(self):
        """OpenDaylight keeps such writes in progress for ever, and then refuses or does not answer others where they were made."""
        lost = self.active()
        session = term(lost)["session"]
        self.let_lead(lost)
        rack = next(each for each in state.load(NAME).nodes if each.startswith("h1"))

        def write(admin_state):
            lost.client(PATIENCE).patch_fabric(NAME, {"switch": [{"name": rack, "admin-state": admin_state}]})

        with ThreadPoolExecutor(1) as pool:
            controllers.partition(lost)  # it renews its lease, which no other member sees
            written = pool.submit(write, "drained")
            heir = self.await_other(lost, session)
            controllers.heal(lost)
            eventually(lambda: all(role(lost, store) == "Follower" for store in STORES), "it follows", PATIENCE)
            written.result()
        self.let_lead(lost)
        renewals = int(term(heir)["renewals"])
        eventually(lambda: int(term(heir).get("renewals", 0)) > renewals + 10, "the lease is renewed where it leads", 15)
        for admin_state in ("in-service", "drained", "in-service"):
            write(admin_state)

    def let_lead(self, member):
        """Makes it the leader of the datastore."""
        for store in STORES:
            def leads(store=store):
                with contextlib.suppress(LabError):  # where the present leader is not known at this moment
                    rest(member).rpc("cluster-admin", "make-leader-local", {"shard-name": "default", "data-store-type": store})
                return role(member, store) == "Leader"
            eventually(leads, f"it leads {store}", PATIENCE)

    def test_new_cluster_takes_a_running_fabric_over_from_a_backup(self):
        """Three controllers that have nothing but a backup go on where the others stopped."""
        standby = self.others(self.active())[0]
        backup = standby.client().rpc("daqfabric-backup", "backup", {})["backup"]
        before, since = age_of_rules(), time.monotonic()
        traffic = Traffic()
        for each in self.members:
            controllers.stop(each)
        for each in self.members:
            for stored in ("state", "segmented-journal", "snapshots"):
                shutil.rmtree(each.home / stored, ignore_errors=True)
            controllers.start(each)
        controllers.await_ready(self.members)
        active = self.active()
        with self.assertRaisesRegex(LabError, f"stands by: ask member-{active.number}"):
            rest(self.others(active)[0]).rpc("daqfabric-backup", "restore", {"backup": backup})
        found = active.client().rpc("daqfabric-backup", "restore", {"backup": backup})
        self.assertEqual((1, 48, None), (found["fabrics"], found["dcms"], found.get("warning")))
        eventually(lambda: fabric_state(self.others(active)[0]).get("phase") == "converged", "the fabric is taken over", PATIENCE)
        time.sleep(10)  # it has read the switches and must change nothing
        self.assert_lost_nothing(traffic.report())
        self.assert_untouched(before, since)

    def test_rolling_restarts_go_unnoticed(self):
        before, since = age_of_rules(), time.monotonic()
        traffic = Traffic()
        for each in self.members:
            started = time.monotonic()
            was_active = self.active() is each
            controllers.stop(each)
            eventually(lambda: self.active(self.others(each)) not in (None, each), "another member is active", PATIENCE)
            if was_active:
                self.note("stop of the active member until another is", started)
            controllers.start(each)
            eventually(lambda: term(each) and term(each).get("session") == term(self.others(each)[0]).get("session"),
                       "it is back", BOOT)
            self.note("restart of a member", started)
        self.assert_lost_nothing(traffic.report())
        self.assert_untouched(before, since)


if __name__ == "__main__":
    unittest.main()
