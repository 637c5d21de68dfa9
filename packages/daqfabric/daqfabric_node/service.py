"""The service: follows the kernel's events, keeps everything in force, and tells the controller."""
import contextlib
import hashlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from . import ledger, others, ports, settings
from .events import Events
from .keeping import Keeper
from .kernel import Kernel
from .system import Refused, rows, run, vsctl

STATE = Path("/var/lib/daqfabric-node")
JOINED = STATE / "node.json"
PROFILE = STATE / "profile.sh"
FAILED = STATE / "failed"  # commands of the profile that failed, with what they said
LOOKED = Path("/run/daqfabric-node/looked")  # when the service last compared, by the clock that counts from the start of the host
UNIT = "daqfabric-node.service"
ANSWER = "daqfabric-node"  # key in external_ids of the Open_vSwitch row: what is not in force on this node
LONGEST = 250   # characters of it
INTERVAL = 10   # s between readings of Open vSwitch and of settings that have no events, as often as the controller reads
SETTLE = 0.05   # s after an event: most come together
PAUSE = 0.2     # s between two comparisons at the least
NEW_PORTS = 2   # s between readings of Open vSwitch at the least: an interface that came may be a new port of it
LATE = 3 * INTERVAL  # s without a comparison, after which the service hangs: it makes one in each INTERVAL, and waits for Open vSwitch
PATIENCE = 2    # s for an answer of Open vSwitch: the profile must not wait for it
IN_FORCE = "in force"
NOTHING = ports.Switch({}, (), (), {})


def joined():
    """What `join` has noted, or nothing."""
    return json.loads(JOINED.read_text()) if JOINED.exists() else {}


def fingerprint(text):
    return hashlib.sha256(text.strip().encode()).hexdigest()[:12]


def wanted(profile, switch):
    """All commands that are kept in force."""
    return settings.commands(profile) + [settings.offloads_off(each) for each in switch.userspace]


def of_fabric(commands, switch):
    """Interfaces that no other program may set up."""
    return sorted({*settings.devices(commands), *switch.devices})


class Service:
    """Runs until it is stopped."""

    def __init__(self):
        self._profile = PROFILE.read_text() if PROFILE.exists() else ""
        self._joined = bool(joined())
        self._events = Events()
        self._keeper = Keeper(say=say)
        self._switch = NOTHING
        self._read_at, self._read_next, self._looked_at = -NEW_PORTS, 0.0, 0.0
        self._published = self._failed = self._problem = None
        self._stopped = False
        self._wake, waker = socket.socketpair()
        waker.setblocking(False)
        self._waker = waker
        signal.set_wakeup_fd(waker.fileno())
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, self._stop)

    def _stop(self, *_):
        self._stopped = True

    def run(self):
        self._try(self._before_the_profile)
        while not self._stopped:
            soon = self._keeper.look(wanted(self._profile, self._switch))  # before Open vSwitch, which may not answer
            self._note_looked()
            self._note_failed()
            if self._looked_at >= self._read_next:
                self._database()
                continue
            self._publish()
            self._wait(min(self._read_next, self._looked_at + (INTERVAL if soon is None else soon)))
        self._try(self._take_away)

    def _before_the_profile(self):
        """
        A program that gives an interface up may take all away that is on it (systemd-networkd 257), so it does that first. What else
        is of the fabric, Open vSwitch tells later.
        """
        names = settings.devices(settings.commands(self._profile))
        for each in others.tell_also(names):
            say(f"{each} is told to leave {', '.join(names)} alone")

    def _database(self):
        self._read_at = time.monotonic()
        self._read_next = self._read_at + INTERVAL
        self._try(self._read)

    def _read(self):
        self._switch = ports.Switch.read(PATIENCE)
        if self._joined:
            ports.write(ports.words(ledger.read(self._switch), self._switch.external_ids, ledger.KEYS), PATIENCE)
            self._published = rows("Open_vSwitch", "external_ids", timeout=PATIENCE)[0]["external_ids"].get(ANSWER)
        names = of_fabric(wanted(self._profile, self._switch), self._switch)
        for each in others.tell(names):
            say(f"{each} is told to leave {', '.join(names) or 'nothing'} alone")

    def _publish(self):
        """The controller shows it."""
        text = short("; ".join(self._keeper.left) or IN_FORCE)
        if self._joined and text != self._published:
            self._published = text
            self._try(lambda: vsctl("set", "Open_vSwitch", ".", f"external_ids:{ANSWER}={json.dumps(text)}", timeout=PATIENCE))

    def _take_away(self):
        """What would not be true any more."""
        if self._joined:
            switch = ports.Switch.read(PATIENCE)
            ports.write(["--", "remove", "Open_vSwitch", ".", "external_ids", ANSWER,
                         *ports.words({}, switch.external_ids, ledger.KEYS)], PATIENCE)

    def _try(self, action):
        """A trouble of Open vSwitch is said once, and does not keep the profile from being kept."""
        try:
            action()
            self._problem = None
        except (Refused, OSError, ValueError) as problem:
            if str(problem) != self._problem:
                say(f"{problem}; trying again every {INTERVAL} s")
            self._problem = str(problem)

    def _note_looked(self):
        """A service that hangs is active for systemd until its watchdog barks: status must know since when it does nothing."""
        self._looked_at = time.monotonic()
        watchdog()
        with contextlib.suppress(OSError):  # settings are kept although no file can be written
            LOOKED.parent.mkdir(mode=0o755, exist_ok=True)
            new = LOOKED.with_suffix(".new")
            new.write_text(f"{self._looked_at}\n")
            new.replace(LOOKED)

    def _note_failed(self):
        if self._keeper.failed != self._failed:
            self._failed = dict(self._keeper.failed)
            if STATE.is_dir():
                FAILED.write_text("".join(f"{line}: {error}\n" for line, error in self._failed.items()))

    def _wait(self, until):
        """Until then, or until something has happened."""
        while not self._stopped and (left := until - time.monotonic()) > 0:
            ready, _, _ = select.select([self._events, self._wake], [], [], left)
            if self._events in ready and self._events.concern(self._keeper.indices()):
                time.sleep(max(SETTLE, self._looked_at + PAUSE - time.monotonic()))
                self._events.concern(())
                self._read_next = min(self._read_next, max(time.monotonic(), self._read_at + NEW_PORTS))
                return


def watchdog():
    """Tells systemd that the service does not hang (sd_notify(3)): one that says nothing for WatchdogSec is restarted."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.setblocking(False)
            sender.sendto(b"WATCHDOG=1", "\0" + address[1:] if address.startswith("@") else address)


def short(text):
    """As much as is kept in the database."""
    return text if len(text) <= LONGEST else text[:LONGEST - 3] + "..."


def say(text):
    print(text, flush=True)


def keep(_options):
    """Runs the service."""
    Service().run()
    return 0


def apply():
    """Starts the service anew where there is something to keep, and ends it where there is nothing."""
    if not Path("/run/systemd/system").is_dir():
        print("systemd does not run here, so nothing keeps the settings of this host: run 'daqfabric-node keep'", file=sys.stderr)
    elif JOINED.exists() or PROFILE.exists():
        run("systemctl", "enable", "--quiet", UNIT)
        run("systemctl", "restart", UNIT)
    else:
        run("systemctl", "disable", "--quiet", "--now", UNIT)
        others.tell([])
        FAILED.unlink(missing_ok=True)


def is_running():
    """Whether the service does, where systemd does."""
    return not Path("/run/systemd/system").is_dir() or subprocess.run(
        ["systemctl", "is-active", "--quiet", UNIT], check=False).returncode == 0


def not_kept():
    """Why nothing keeps the settings, in words; nothing if the service does."""
    if not is_running():
        return [f"nothing keeps them: systemctl restart {UNIT}"]
    try:
        since = time.monotonic() - float(LOOKED.read_text())
    except (OSError, ValueError):
        return []  # it has just begun
    return [f"the service has not looked at them for {since:.0f} s, so it hangs: systemctl restart {UNIT}"] if since > LATE else []


def findings():
    """What is not in force on this host, in words."""
    profile = PROFILE.read_text() if PROFILE.exists() else ""
    try:
        switch = ports.Switch.read()
    except Refused:
        switch = NOTHING  # status says it itself
    commands = wanted(profile, switch)
    found = settings.differences(commands, Kernel())
    texts = settings.told(found)
    differ = {each.command.line for each in found}
    for failure in FAILED.read_text().splitlines() if FAILED.exists() else []:
        line, _, error = failure.partition(": ")
        if line in differ or not any(each.line == line and each.compared() for each in commands):
            texts.append(f"failed: {line}: {error}")
    for program, taken in others.takers(of_fabric(commands, switch)).items():
        texts.append(f"{program} sets up {', '.join(taken)}, which is the fabric's")
    return texts
