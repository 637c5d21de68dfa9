"""From the kept release to this version and back, under traffic: a controller alone, and three one after another.

The controllers and a fabric come up in the kept release, which makes something to keep: users, a history of edits, DCMs that
have moved, a drain, a run that goes on. Then the software is replaced as docs/upgrade.md says. Run as root, after `make
build`: make test-upgrade
"""
import contextlib
import json
import re
import subprocess
import time
import unittest
import uuid

from . import cluster
from .cluster import BOOT, NAME, PATIENCE, ROOT, fabric_state, rest, term
from .support import eventually, needs_root
from daqlab_lib import controllers, faults, ovs, state
from daqlab_lib.wiretap import Wiretap

RUN_CONTROL = "daqfabric-run-control"
PARTITION = "physics"
RUN = 7
DRAINED = "p2s2"
# Groups, by switch, that have other content in this version's programs than in those of 0.1.0: the one for packets with the
# mark of the drained spine, which leads nowhere now.
OTHER_GROUPS = {"p2l1": 1, "p2l2": 1}


def without_serial():
    """How many bridges have no serial number yet, which 0.1.0 does not give them and this version does once."""
    return sum("dp-sn=" not in ovs.vsctl(node, "get", "Bridge", "br-daq", "other_config") for node in state.load(NAME).nodes.values())


def kept_release():
    """The folder of the kept release's distribution, which is built if it is not there."""
    return subprocess.run([ROOT / "scripts/kept-release"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def version(controller):
    """Of the daqfabric that runs, as its backup names it."""
    return backup(controller)["backup"]["daqfabric-version"]


def backup(controller):
    """All that is stored, as a backup has it."""
    return json.loads(controller.client().rpc("daqfabric-backup", "backup", {})["backup"])


def known(stored, of):
    """What is stored, without the leaves of list entries and containers that another state of it does not have."""
    if isinstance(stored, dict) and isinstance(of, dict):
        return {name: known(value, of[name]) for name, value in stored.items() if name in of}
    if isinstance(stored, list) and isinstance(of, list) and len(stored) == len(of):
        return [known(*pair) for pair in zip(stored, of, strict=True)]
    return stored


def missing(stored, of):
    """Names of what `known` leaves out."""
    if isinstance(stored, dict) and isinstance(of, dict):
        return {name for name in stored if name not in of}.union(*(missing(stored[name], of[name]) for name in stored if name in of))
    if isinstance(stored, list) and isinstance(of, list) and len(stored) == len(of):
        return set().union(*(missing(*pair) for pair in zip(stored, of, strict=True)))
    return set()


def without_health(stored):
    """What is stored, without how well runs were served."""
    if isinstance(stored, dict):
        return {name: without_health(value) for name, value in stored.items() if name not in ("worst-health", "lowest-bandwidth")}
    return [without_health(each) for each in stored] if isinstance(stored, list) else stored


def ask(controller, rpc, leaves=None):
    """A request to run control."""
    return controller.client().rpc(
        RUN_CONTROL, rpc, {"request-id": str(uuid.uuid4()), "partition": PARTITION} | (leaves or {}))


def partition(controller):
    found = rest(controller).get(f"/data/{RUN_CONTROL}:run-control/partition={PARTITION}?content=nonconfig")
    return found[f"{RUN_CONTROL}:partition"][0]


def users(controller, method="GET", document=None, login=None):
    """A request to OpenDaylight's own administration of users."""
    address = controller.client(path="/auth/v1")
    request = address.request(method, "/users", "application/json", document)
    request.add_header("Content-Type", "application/json")
    with address.open(request, PATIENCE) as answer:
        return {each["name"] for each in json.load(answer).get("users", [])}


class Watch:
    """Traffic, and the messages of all controllers, from here until an assertion."""

    def __init__(self, case):
        self._case = case
        self._stack = contextlib.ExitStack()
        case.addCleanup(self._stack.close)
        self._taps = [self._stack.enter_context(Wiretap(each)) for each in case.members]
        self._before, self._since = cluster.age_of_rules(), time.monotonic()
        self._without_serial = without_serial()
        self._traffic = cluster.Traffic()
        self._stack.callback(self._traffic.end)

    def assert_unnoticed(self, what):
        """Nothing was lost, and no message has changed a switch where this version wants nothing else."""
        self._case.assertEqual(sum(OTHER_GROUPS.values()) + self._without_serial, self.assert_lost_nothing(what))
        self._case.assertEqual(0, without_serial())
        self._case.assert_untouched(self._before, self._since, OTHER_GROUPS)

    def assert_lost_nothing(self, what):
        """Returns the number of messages that have changed a switch."""
        report = self._traffic.report()
        self._stack.close()
        messages, modifications = (sum(getattr(tap, each) for tap in self._taps) for each in ("messages", "modifications"))
        print(f"    {what}: {report['lost']} of {report['sent']} requests lost, {modifications} of {messages} messages to "
              "switches changed something", flush=True)
        self._case.assert_lost_nothing(report)
        self._case.assertGreater(messages, 0)
        return modifications


class UpgradeCase(cluster.ClusterCase):
    maxDiff = None
    NUMBERS = ROOT / "target/bench/upgrade.json"

    @classmethod
    def setUpClass(cls):
        cls.DISTRIBUTION = kept_release()
        cls.numbers = {}
        super().setUpClass()

    def setUp(self):
        """Something to keep, made by the kept release."""
        self.former = version(self.members[0])
        for each in self.members:
            users(each, "POST", {"name": "anna", "password": "secret", "domainid": "sdn"})
        active = self.active()
        self.settle("the fabric is converged")
        moment = time.time()
        faults.set_link("p1l1", "to-p1s1", False, NAME)
        self.await_repair("p1l1:to-p1s1", active, moment)
        faults.set_link("p1l1", "to-p1s1", True, NAME)
        self.settle("the link is in use again")
        for admin_state in ("drained", "in-service", "drained"):
            active.client().patch_fabric(NAME, {"switch": [{"name": DRAINED, "admin-state": admin_state}]})
            self.settle(f"{DRAINED} is {admin_state}")
        ask(active, "prepare", {"fabric": NAME, "run-type": "cosmics", "required-bandwidth": "1.0"})
        eventually(lambda: partition(active)["operation"]["status"] == "done", "the partition is prepared", PATIENCE)
        ask(active, "arm", {"accept-degraded": True})
        ask(active, "start-run", {"run-number": RUN})
        eventually(lambda: partition(active)["state"] == "running", "the run is shown", PATIENCE)

    def active(self, among=None):
        """The active member, which a controller alone is itself."""
        return super().active(among) if self.COUNT > 1 else self.members[0]

    def settle(self, what):
        eventually(lambda: (member := self.active()) and fabric_state(member).get("phase") == "converged", what, PATIENCE)

    def kept(self):
        """What must be the same after an upgrade, each as one value."""
        active = self.active()
        versions = active.client().rpc("daqfabric-operations", "list-versions", {"fabric": NAME})
        placement = {dcm["dcm"]: [dcm.get(each) for each in ("plane", "spine", "backup-spine")]
                     for dcm in fabric_state(active)["placement"]}
        found = partition(active)
        return {"stored": without_health(backup(active)["content"]), "placement": placement, "history": versions, "run": {
            **{each: found[each] for each in ("state", "run-type")}, **{each: sorted(found[each]) for each in ("ros", "dcm")},
            **{each: found["run"][each] for each in ("run-number", "begun")}}}

    def replace(self, member, distribution):
        """Another version in the place of this member, from its stop until it has joined, or has the fabric."""
        started = time.monotonic()
        controllers.stop(member)
        others = self.others(member)
        if others:
            eventually(lambda: self.active(others) not in (None, member), "another member is active", PATIENCE)
        controllers.replace(member, distribution)
        controllers.await_ready([member])
        eventually(lambda: all(term(each).get("session") == term(member).get("session") for each in others), "it is back", BOOT)
        self.note("another version in the place of one", started)

    def assert_kept(self, before):
        """Placement, history and run as they were; every switch holds what this version wants."""
        self.settle("the fabric is converged")
        active = self.active()
        verified = active.client().rpc("daqfabric-operations", "verify", {"fabric": NAME})
        self.assertEqual((20, []), (verified["switches"], verified.get("finding", [])))
        after = self.kept()
        for what, value in before.items():
            self.assertEqual(value, known(after[what], value), what)
        for each in self.members:
            self.assertIn("anna", users(each))


    def use_this_version(self):
        """Ends the run, and begins another after an edit of what the kept release does not know."""
        active = self.active()
        ask(active, "stop-run")
        active.client().patch_fabric(NAME, {"mtu": 1500})
        self.settle("the fabric has an MTU")
        ask(active, "start-run", {"run-number": RUN + 1})
        eventually(lambda: partition(active).get("run", {}).get("run-number") == RUN + 1, "the run is shown", PATIENCE)

    def assert_back(self):
        """The kept release keeps everything but what it does not know, and its log names that."""
        self.use_this_version()
        before = self.kept()
        watch = Watch(self)
        for each in self.members:
            controllers.stop(each)
        for each in self.members:
            controllers.replace(each, self.DISTRIBUTION)
        controllers.await_ready(self.members)
        self.settle("the kept release has the fabric")
        after = self.kept()
        gone = missing(before["stored"], after["stored"])
        for each in self.members:
            log = (each.home / "data/log/karaf.log").read_text()
            pruned = re.findall(r"Child \S*/(\S+) is not present in schema tree", log)
            # what is at the root has its namespace there, and its module in what is stored
            self.assertEqual(gone, {re.sub(r"^\(urn:daqfabric:([a-z-]+)\?revision=[0-9-]+\)", r"daqfabric-\1:", each)
                                    for each in pruned})
        print(f"    not kept, as the log says: {', '.join(sorted(gone)) or 'nothing'}", flush=True)
        before["stored"] = known(before["stored"], after["stored"])
        self.assert_kept(before)
        watch.assert_unnoticed(f"back to {self.former}")
        ask(self.active(), "stop-run")


@needs_root
class OneTest(UpgradeCase):
    COUNT = 1

    def test_to_this_version_and_back(self):
        member, = self.members
        before = self.kept()
        watch = Watch(self)
        self.replace(member, None)
        self.assert_kept(before)
        watch.assert_unnoticed(f"from {self.former} to {version(member)}")
        self.assert_back()


@needs_root
class ThreeTest(UpgradeCase):

    def test_to_this_version_one_after_another_and_back(self):
        before = self.kept()
        watch = Watch(self)
        for each in [*self.others(self.active()), self.active()]:
            self.replace(each, None)
        self.assert_kept(before)
        watch.assert_unnoticed(f"from {self.former} to {version(self.members[0])}")
        self.assert_back()


@needs_root
class LeftBehindTest(UpgradeCase):
    """The active member is upgraded before another one, as when one fails in the middle of an upgrade."""

    def test_member_of_the_kept_release_under_an_active_one_of_this_version(self):
        """It stands by without what it does not know, and is whole when it has been upgraded."""
        before = self.kept()
        former = self.active()
        first, behind = self.others(former)
        watch = Watch(self)
        self.replace(first, None)
        controllers.stop(behind)
        controllers.stop(former)
        controllers.start(behind)
        controllers.await_ready([behind])
        self.assertIs(first, self.active())
        self.settle("it has taken the fabric up")
        ask(first, "stop-run")
        first.client().patch_fabric(NAME, {"mtu": 1500})
        self.settle("the fabric has an MTU")
        for each in (former, behind):
            self.replace(each, None)
        self.assert_kept({"placement": before["placement"]})
        for each in self.members:
            self.assertEqual({"daqfabric:mtu": 1500}, rest(each).get(f"/data/daqfabric:fabrics/fabric={NAME}/mtu?content=config"))
        watch.assert_lost_nothing("an active member of this version over one of the kept release, and an MTU set meanwhile")


if __name__ == "__main__":
    unittest.main()
