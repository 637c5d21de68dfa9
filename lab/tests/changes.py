"""Three controllers whose active member changes again and again: killed, stopped, cut off, healed, two at once.

They are set up by the commands of docs/cluster.md, and nobody else can speak with them.

A link between a leaf and a spine is cut at each change, and must be repaired as soon as two members reach each other.
Killed members are started again, as a service manager does; nobody else is restarted. DAQFABRIC_CHANGES is their number,
DAQFABRIC_SEED repeats the changes that were printed, or `fresh` makes others. Run as root, after `make build`:
make test-cluster
"""
import contextlib
import os
import random
import signal
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from . import accounts, cluster, recipes, strangers
from .support import eventually, needs_root
from daqlab_lib import controllers, faults, processes, state
from daqlab_lib.errors import LabError

CHANGES = int(os.environ.get("DAQFABRIC_CHANGES", "3"))
SEED = os.environ.get("DAQFABRIC_SEED", "1")
LIMIT = 15  # seconds from the moment that two members reach each other until the cut is repaired
WORST = 60  # seconds from the moment that two members answer between which nothing is
ONE_LOST = 1000  # ms between answers, of two requests a second: a cut loses what is on its way then, and nothing later
RESTART = 1  # seconds until a member that has ended is started again
BOOT = cluster.BOOT
PAGES = ("docs/cluster.md#Setting up",)  # by which the controllers are set up, in this order
KINDS = ("stopped", "parted", "killed after another was healed", "killed", "cut off", "two at once")


@dataclass(frozen=True)
class Step:
    """Something that is done to a member, seconds after the change has begun."""
    after: float
    action: str
    member: str  # "active": active when the change began; "heir": active now; "third": neither

    def __str__(self):
        return f"{self.after:.1f} s {self.action} {self.member}"


def plan(kind, chance):
    """The steps of a change of this kind."""
    one = {"killed": _killed, "stopped": _stopped, "parted": _parted, "cut off": _cut_off}
    if kind in one:
        return one[kind]("active", 0, chance)
    if kind == "two at once":
        first, second = (one[chance.choice(sorted(one))] for _ in range(2))
        return sorted(first("active", 0, chance) + second(chance.choice(("heir", "third")), chance.uniform(0, 8), chance),
                      key=lambda step: step.after)
    healed = chance.uniform(8, 18)
    return [Step(0, "partition", "active"), Step(healed, "heal", "active"), Step(healed + chance.uniform(0, 8), "kill", "heir")]


def _killed(member, after, chance):
    return [Step(after, "kill", member)]


def _while(chance):
    """Seconds in which another becomes active: in the longer time the others remove the member, and it restarts."""
    return chance.uniform(*chance.choice(((7, 14), (18, 30))))


def _stopped(member, after, chance):
    return [Step(after, "stop", member), Step(after + _while(chance), "go on", member)]


def _parted(member, after, chance):
    return [Step(after, "partition", member), Step(after + _while(chance), "heal", member)]


def _cut_off(member, after, chance):
    return [Step(after, "cut", member), Step(after + _while(chance), "heal", member)]


class Supervisor:
    """Starts members that have ended, as a service manager does, while its context is open."""

    def __init__(self, members):
        self._members = members
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *unused):
        self._over.set()
        self._thread.join()

    def _run(self):
        while not self._over.wait(RESTART):
            for each in self._members:
                if not each.pid():
                    with contextlib.suppress(LabError):  # it is tried again
                        controllers.start(each)


class Views:
    """Asks all members again and again whom they reach, while its context is open."""

    def __init__(self, members):
        self._members = members
        self._views = {}  # member -> when it was asked, and its answer, None without one
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._run, args=(each,), daemon=True) for each in members]

    def __enter__(self):
        for each in self._threads:
            each.start()
        return self

    def __exit__(self, *unused):
        self._over.set()
        for each in self._threads:
            each.join()

    def _run(self, member):
        while not self._over.wait(0.3):
            now = time.monotonic()
            self._views[member] = now, cluster.reachable(member) if cluster.bean(member, "java.lang:type=Runtime", 2) else None

    def pairs(self, kept_off, since):
        """Whether two members that nothing keeps apart answer, and whether two of those say that they reach each other."""
        known = {member: view for member, (when, view) in list(self._views.items()) if view is not None and when >= since}
        present = [each for each in known if each.number not in kept_off]
        return len(present) > 1, any(a.address in known[b] and b.address in known[a] for a in present for b in present if a is not b)


@needs_root
class ChangesTest(cluster.ClusterCase):
    @classmethod
    def bring_up(cls):
        recipes.follow(PAGES, controllers.unpack(cls.COUNT))
        controllers.await_ready(controllers.recorded())

    def setUp(self):
        super().setUp()
        seed = str(random.SystemRandom().randrange(10**6)) if SEED == "fresh" else SEED
        print(f"\nDAQFABRIC_CHANGES={CHANGES} DAQFABRIC_SEED={seed}", flush=True)
        self.chance = random.Random(seed)
        fabric = state.load(cluster.NAME).fabric
        edges = {each.switch for each in fabric.endpoints}
        # around these the switches detour by themselves; what comes to an edge switch by a failed uplink is lost until the repair
        self.links = sorted(end for end, peer in fabric.peers().items() if not edges & {end[0], peer[0]})
        self.pool = ThreadPoolExecutor(12)
        self.addCleanup(self.pool.shutdown)
        self.kept_off = set()  # numbers of members that are stopped or cut off from the others
        self.found = []
        self.missing = ""  # what was missing when the cut was last found not to be repaired

    def test_fabric_is_repaired_whoever_is_active(self):
        traffic = cluster.Traffic()
        self.addCleanup(traffic.end)
        with Supervisor(self.members), Views(self.members) as self.views:
            for number in range(CHANGES):
                self.change(KINDS[number % len(KINDS)])
        report = traffic.report()
        self.assertEqual([], self.found)
        print(f"    {report['lost']} of {report['sent']} requests lost", flush=True)
        self.assertLessEqual(report["longest-gap"], ONE_LOST)

    def test_a_stranger_is_turned_away(self):
        """Between controllers speaks who has a certificate of a controller; nothing that others can reach is in the clear."""
        with tempfile.TemporaryDirectory() as folder:
            for what, files in strangers.papers(Path(folder), self.members[0]).items():
                with self.subTest(what):
                    kept = [strangers.is_heard(each.address, strangers.MEMBERS, files) for each in self.members]
                    self.assertEqual([what == "a controller"] * 3, kept)
        for each in self.members:
            for port in (strangers.MEMBERS, controllers.WEB_PORT):
                self.assertFalse(strangers.is_clear(each.address, port), port)
            # the nodes' ports are plain TCP here
            self.assertEqual({strangers.MEMBERS, controllers.WEB_PORT, *strangers.NODES}, strangers.open_ports(each))
            for path in ("/daqfabric/", "/metrics/", "/jolokia/", "/rests/data/daqfabric:fabrics?content=config"):
                self.assertEqual(200, strangers.status(each, path), path)

    def test_all_members_have_the_same_users(self):
        """What is changed in the users of one member is changed in all others, when they are back if they were away."""
        one, two, three = self.members
        accounts.make(one, "anna", "first")
        accounts.give(one, "anna", "scraper")
        self.await_logins("anna", "first", accounts.METRICS, 200)
        self.await_logins("anna", "first", accounts.PAGE, 403)
        accounts.set_password(two, "anna", "second")
        accounts.give(two, "anna", "viewer")
        self.await_logins("anna", "first", accounts.METRICS, 401)
        self.await_logins("anna", "second", accounts.PAGE, 200)

        # alone it has no majority: it lets its users in, and knows nothing of the others' changes, nor they of its own
        controllers.partition(three)
        self.kept_off.add(three.number)
        eventually(lambda: cluster.reachable(three) == {three.address}, "member 3 is alone", cluster.PATIENCE)
        self.assertEqual(200, accounts.status(three, "anna", "second"))
        accounts.set_password(one, "anna", "third")
        self.await_logins("anna", "second", accounts.PAGE, 401, [one, two])
        self.assertEqual((200, 401), (accounts.status(three, "anna", "second"), accounts.status(three, "anna", "third")))
        accounts.make(three, "berta", "made alone")
        accounts.give(three, "berta", "viewer")  # who has no role cannot log in
        self.assertEqual(401, accounts.status(one, "berta", "made alone"))
        controllers.heal(three)
        self.await_logins("anna", "third", accounts.PAGE, 200)
        self.await_logins("anna", "second", accounts.PAGE, 401)
        self.await_logins("berta", "made alone", accounts.PAGE, 200)

        # while it is down
        controllers.stop(three)
        accounts.delete(two, "anna")  # whose roles go as well
        accounts.set_password(two, "berta", "changed")
        self.await_logins("anna", "third", accounts.PAGE, 401, [one, two])
        controllers.start(three)
        eventually(lambda: accounts.status(three, "berta", "changed") == 200, "member 3 knows what was changed", cluster.BOOT)
        eventually(lambda: accounts.served(three), "users can be changed at member 3", cluster.PATIENCE)
        accounts.make(three, "anna", "another one")
        accounts.give(three, "anna", "scraper")
        self.await_logins("anna", "third", accounts.METRICS, 401)
        self.await_logins("anna", "another one", accounts.PAGE, 403)
        for name in ("anna", "berta"):
            accounts.delete(one, name)
        self.await_logins("anna", "another one", accounts.METRICS, 401)
        self.await_logins("berta", "changed", accounts.METRICS, 401)

    def await_logins(self, user, password, path, status, members=None):
        """Waits until each answers so."""
        eventually(lambda: {accounts.status(each, user, password, path) for each in members or self.members} == {status},
                   f"{user} with {password} is answered {status} at {path}", cluster.PATIENCE)

    def change(self, kind):
        chance = self.chance
        if chance.random() < 0.5:
            self.await_all()
        time.sleep(chance.uniform(0, 10))  # a random moment
        steps = plan(kind, chance)
        blows = [step for step in steps if step.action not in ("heal", "go on")]
        cut_after = chance.uniform(0, blows[-1].after + 3)
        link = chance.choice(self.links)
        print(f"{time.strftime('%H:%M:%S')} {kind}: {', '.join(map(str, steps))}; {cut_after:.1f} s cut {':'.join(link)}", flush=True)
        timeline = sorted([*((step.after, step) for step in steps), (cut_after, link)], key=lambda each: each[0])
        last = max(blows[-1].after, cut_after)
        self.roles = {"active": self.active()}
        begun = time.monotonic()
        injured = threading.Event()
        running = self.pool.submit(self.carry_out, timeline, begun, last, injured)
        injured.wait()
        self.await_repair_of(link, kind, begun)
        running.result()
        faults.set_link(*link, True, cluster.NAME)
        eventually(self.is_converged, f"the fabric is converged again after {kind}", cluster.PATIENCE)

    def carry_out(self, timeline, begun, last, injured):
        try:
            for after, what in timeline:
                time.sleep(max(0, begun + after - time.monotonic()))
                if isinstance(what, Step):
                    self.carry_out_step(what)
                else:
                    faults.set_link(*what, False, cluster.NAME)
                if after >= last:
                    injured.set()
        finally:
            injured.set()

    def carry_out_step(self, step):
        member = self.member(step.member)
        pid = member.pid()
        if step.action in ("stop", "partition", "cut"):
            self.kept_off.add(member.number)
        if step.action == "kill" and pid:
            processes.send(pid, signal.SIGKILL)
        elif step.action in ("stop", "go on") and pid:
            processes.send(pid, signal.SIGSTOP if step.action == "stop" else signal.SIGCONT)
        elif step.action in ("partition", "cut", "heal"):
            {"partition": controllers.partition, "cut": controllers.cut, "heal": controllers.heal}[step.action](member)
        if step.action in ("go on", "heal"):
            self.kept_off.discard(member.number)

    def member(self, role):
        """The member of that role, which it keeps until the next change."""
        if role not in self.roles:
            others = [each for each in self.members if each not in self.roles.values()]
            heir = self.active(self.others(self.roles["active"]))
            self.roles[role] = heir if role == "heir" and heir in others else others[-1]
        return self.roles[role]

    def await_repair_of(self, link, kind, begun):
        """Waits for it, and notes how long it took and what took too long."""
        since, reached, answered = time.monotonic(), None, None
        repair = self.pool.submit(self.repaired, link)
        while True:
            now = time.monotonic()
            answering, reaching = self.views.pairs(self.kept_off, since)
            answered = answered or (now if answering else None)
            reached = reached or (now if reaching else None)
            repaired = repair.done() and repair.result()
            if repaired or (answered and now - answered > 4 * WORST) or now - since > BOOT + WORST:
                break
            if repair.done():
                repair = self.pool.submit(self.repaired, link)
            time.sleep(0.1)  # polling interval
        now = time.monotonic()
        # members that have just started may repair it before they are first asked whom they reach
        took, at_worst = (now - (moment or now) for moment in (reached, answered)) if repaired else (now - since, now - since)
        print(f"    last blow {since - begun:.1f} s, two members answer {_moment(answered, begun)}, reach each other "
              f"{_moment(reached, begun)}, repaired {_moment(now if repaired else None, begun)}", flush=True)
        if repaired and reached:
            self.record("two members reach each other until a cut is repaired", round(took, 2))
        if not repaired or (took > LIMIT and at_worst > WORST):
            what = f"repaired {took:.1f} s after two members reached each other" if repaired else f"not repaired; {self.missing}"
            self.found.append(f"{kind}: {':'.join(link)} {what}")
        if not repaired:
            self.fail(self.found[-1])

    def repaired(self, link):
        """Whether the active member knows that the link is down, and every switch holds what it must."""
        terms = dict(zip(self.members, self.pool.map(cluster.term, self.members), strict=True))
        active = next((each for each, term in terms.items() if term.get("member") == f"member-{each.number}"
                       and each.number not in self.kept_off), None)
        if not active:
            self.missing = f"no member says that it is active: {terms}"
            return False
        found = cluster.fabric_state(active)
        down = {end for each in found.get("link", []) if each["oper-state"] == "down" for end in self.ends(each)}
        repair = found.get("last-repair", {})
        if link not in down or found["phase"] != "degraded" or (repair and "confirmed" not in repair):
            away = [each["name"] for each in found.get("switch", [])
                    if not (each.get("ovsdb-connected") and each.get("openflow-connected"))]
            self.missing = (f"member-{active.number} is active: phase {found.get('phase')}, down {sorted(down)}, away {away}, "
                            f"last repair {repair}")
            return False
        try:
            verified = cluster.rest(active).rpc("daqfabric-operations", "verify", {"fabric": cluster.NAME})
        except LabError as error:
            self.missing = f"member-{active.number} is active: it cannot be verified: {error}"
            return False
        self.missing = f"member-{active.number} is active: {verified.get('finding')}"
        return not verified.get("finding")

    def ends(self, link):
        end = (link["switch"], link["port"])
        return end, state.load(cluster.NAME).fabric.peers().get(end)

    def await_all(self):
        everybody = {each.address for each in self.members}
        eventually(lambda: all(found == everybody for found in self.pool.map(cluster.reached, self.members)),
                   "all members reach each other", BOOT)

    def is_converged(self):
        """The link that has failed again and again is used at once."""
        active = self.active()
        found = cluster.fabric_state(active) if active else {}
        if any(link.get("held-back") for link in found.get("link", [])):
            with contextlib.suppress(LabError):
                cluster.rest(active).rebalance(cluster.NAME)
        return found.get("phase") == "converged"


def _moment(when, begun):
    return f"after {when - begun:.1f} s" if when else "not seen"
