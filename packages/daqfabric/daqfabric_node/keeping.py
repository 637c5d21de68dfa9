"""Keeps what a profile sets in force: put back whenever it is not, ever more seldom while another program fights it."""
import subprocess
import time
from pathlib import Path

from . import settings
from .kernel import Kernel

BURST = 8       # times that a command is put back immediately, within
WINDOW = 10     # s
LEAST = 2       # s between two times after that, doubled each time up to
MOST = 60       # s
AGAIN = 0.1     # s until a command that failed is run again: the kernel checks a new IPv6 address before routes may have it
HOST = "this host"  # of settings that are no interface's
# programs that set up interfaces, by the name of their process, which the kernel cuts off at 15 characters
RIVALS = ("NetworkManager", "systemd-network", "dhclient", "dhcpcd", "connmand", "wickedd", "netifd", "cloud-init")


class Patience:
    """How soon something may be put back again."""

    def __init__(self):
        self._times, self.delay = [], 0

    def wait(self, now):
        """Seconds from now."""
        return max(0, self._times[-1] + self.delay - now) if self._times else 0

    def put_back(self, now):
        """Notes that it was done. Returns whether a fight begins with it."""
        before = self.delay
        if self._times and now - self._times[-1] > max(WINDOW, 2 * self.delay):
            self._times, self.delay = [], 0
        self._times = [each for each in self._times if now - each < WINDOW][-BURST:] + [now]
        if self.delay or len(self._times) > BURST:
            self.delay = min(MOST, max(LEAST, 2 * self.delay))
        return bool(self.delay and not before)

    def is_over(self, now):
        """Whether nothing was to be done for so long that a fight has ended."""
        return not self._times or now - self._times[-1] > max(WINDOW, 2 * self.delay)


class Keeper:
    """Compares and puts back."""

    def __init__(self, kernel=Kernel, execute=None, say=print, clock=time.monotonic):
        self._kernel, self._execute, self._say, self._clock = kernel, execute or run, say, clock
        self._indices = {}   # of interfaces that have all that is wanted: name -> index; an interface made anew has another
        self._patience = {}  # line -> how soon it may be put back
        self._fights = {}    # line -> what another program goes on changing
        self.failed = {}     # line -> what it printed
        self.left = []       # what is not in force, in words

    def indices(self):
        """Of interfaces that are kept."""
        return {each for each in self._indices.values() if each}

    def look(self, wanted):
        """Puts back what is not in force. Returns in how many seconds to look again at the latest, None if nothing waits."""
        kernel, now = self._kernel(), self._clock()
        by_device = {}
        for each in wanted:
            by_device.setdefault(each.device or HOST, []).append(each)
        found = [self._keep(device, lines, kernel, now) for device, lines in by_device.items()]
        waits = [each for each in found if each]
        if 0 in found:
            kernel = self._kernel()
        self._end_fights(now)
        self._remember(wanted, settings.differences(wanted, kernel))
        return min(waits, default=None)

    def _keep(self, device, lines, kernel, now):
        """Returns 0 if something was done, the seconds to wait if it was put off, None otherwise."""
        index = _index(kernel, device)
        anew = index is not None and self._indices.get(device) != index
        self._indices[device] = index
        if index is None:
            return None
        if anew:
            self._put_back(lines, now)
            self._say(f"{device}: {len(lines)} settings made")
            return 0
        found = settings.differences(lines, kernel)
        due = [each for each in found if self._wait(each.command, now) <= 0]
        if not due:
            return min((self._wait(each.command, now) for each in found), default=None)
        fights = self._put_back([each.command for each in due], now)
        if done := [each for each in due if each.command.line not in self.failed]:
            self._say("put back: " + "; ".join(settings.told(done)))
        self._fight(device, [each for each in done if each.command.line in fights])
        return 0

    def _wait(self, command, now):
        patience = self._patience.get(command.line)
        return patience.wait(now) if patience else 0

    def _put_back(self, commands, now):
        """Runs them. Returns the lines with which a fight begins."""
        errors = {each.line: self._execute(each.line) for each in commands}
        again = [line for line, error in errors.items() if error is not None]
        if again:
            time.sleep(AGAIN)
            errors |= {line: self._execute(line) for line in again}
        for line, error in errors.items():
            if error is None:
                self.failed.pop(line, None)
            elif self.failed.get(line) != error:
                self.failed[line] = error
                self._say(f"failed: {line}: {error}")
        return {line for line in errors if self._patience.setdefault(line, Patience()).put_back(now)}

    def _fight(self, device, found):
        if not found:
            return
        text = f"another program goes on changing {device} ({'; '.join(settings.told(found))})"
        self._fights |= dict.fromkeys((each.command.line for each in found), text)
        rivals = running(RIVALS)
        self._say(f"{text}: it is put back every {LEAST} s and then more seldom, up to {MOST} s. "
                  + (f"Here runs {', '.join(rivals)}: have it leave {device} alone" if rivals else
                     "Find that program, and have it leave the interface alone"))

    def _end_fights(self, now):
        over = {line for line in self._fights if self._patience[line].is_over(now)}
        for text in sorted({self._fights.pop(line) for line in over}):
            if text not in self._fights.values():
                self._say(f"no more: {text}")

    def _remember(self, wanted, found):
        lines, compared = {each.line for each in wanted}, {each.line for each in wanted if each.compared()}
        self.failed = {line: error for line, error in self.failed.items() if line in lines}
        self.left = settings.told(found) + sorted(set(self._fights.values())) + [
            f"failed: {line}: {error}" for line, error in self.failed.items() if line not in compared]


def _index(kernel, device):
    if device == HOST:
        return 0
    link = kernel.link(device)
    return link and link["ifindex"]


def run(line):
    """Runs a command of a profile: what it printed if it failed, otherwise None."""
    done = subprocess.run(["sh", "-c", line], text=True, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    return (done.stderr or done.stdout).strip() or f"exit code {done.returncode}" if done.returncode else None


def running(names):
    """Those of the programs that run on this host."""
    found = set()
    for comm in Path("/proc").glob("[0-9]*/comm"):
        try:
            found.add(comm.read_text().strip())
        except OSError:
            continue  # it has just ended
    return [name for name in names if name in found]
