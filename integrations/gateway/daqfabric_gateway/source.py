"""Asks the controllers, at once after each of their notifications and regularly in any case."""
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from .reading import Answers
from .restconf import Failed, Restconf, Stream

NOTIFICATIONS = (
    *(f"(urn:daqfabric:alarms?revision=2026-11-25){name}" for name in ("alarm-notification", "operator-action")),
    *(f"(urn:daqfabric:run-control?revision=2026-11-21){name}"
      for name in ("run-state", "run-health", "repair", "rebalanced", "link-state", "switch-state")))
ALARMS = "daqfabric-alarms:alarms?content=nonconfig"
# RESTCONF leaves out what is in a container that is named without its leaves beside one that is named with them.
FABRICS = ("daqfabric:fabrics?fields=fabric(name;state(phase;unstored(since);"
           "capacity(bandwidth;nominal-bandwidth;utilisation;bottleneck);last-repair(cause;detected);"
           "link(switch;port;oper-state;since;held-back);switch(name;ovsdb-connected;openflow-connected;last-error)))")
PARTITIONS = "daqfabric-run-control:run-control?content=nonconfig"
POLL = 2.0  # seconds between questions without a notification
PACE = 0.25  # least seconds between questions
# A notification may come before what it tells is in the datastore: for so many seconds after it questions go on.
SETTLING = 1.0


def ask(client: Restconf) -> Answers:
    """All that is served. Alarms first: without a list of them the controller has not begun yet."""
    alarms = client.get(ALARMS)
    if alarms is None:
        raise Failed(f"{client.url} has no list of alarms: its controller starts, or no member of its cluster is active")
    return Answers(alarms, client.get(FABRICS) or {}, client.get(PARTITIONS))


class Source:
    """
    Notifications are not read but make it ask, so that none can be missed. All members of a cluster are listened to, as only
    the active one notifies; the one that answered last is asked, and the others if it does not answer.
    """

    def __init__(self, clients: Sequence[Restconf], answered: Callable[[str, Answers], None], failed: Callable[[str], None],
                 broken: Callable[[Exception], None], poll: float = POLL):
        """
        answered: is given the address that answered; failed: why nobody did. Both are called by one thread of this. broken: is
        given an error of this program, after which nothing more is asked, or heard.
        """
        self._clients = list(clients)
        self._answered = answered
        self._failed = failed
        self._broken = broken
        self._poll = poll
        self._wake = threading.Event()
        self._ended = threading.Event()
        self._streams: dict[int, Stream] = {}
        self._lock = threading.Lock()
        self._noticed = time.monotonic()
        self._threads = [threading.Thread(target=self._guard, args=each, daemon=True)
                         for each in ((self._read,), *((self._listen, number, client) for number, client in enumerate(clients)))]
        for each in self._threads:
            each.start()

    def end(self) -> None:
        """Ends it; nothing is told once the question in progress has been answered."""
        with self._lock:
            self._ended.set()
            for stream in self._streams.values():
                stream.close()
        self._wake.set()

    def _guard(self, work: Callable[..., None], *arguments: Any) -> None:
        try:
            work(*arguments)
        except Exception as e:
            self._broken(e)

    def _read(self) -> None:
        while not self._ended.is_set():
            self._ask()
            settling = time.monotonic() < self._noticed + SETTLING
            if self._ended.wait(PACE):
                return
            if not settling:
                self._wake.wait(max(self._poll - PACE, 0))
            self._wake.clear()

    def _ask(self) -> None:
        problems = []
        for client in list(self._clients):
            try:
                answers = ask(client)
            except Failed as e:
                problems.append(str(e))
                continue
            self._clients.remove(client)
            self._clients.insert(0, client)
            if not self._ended.is_set():
                self._answered(client.url, answers)
            return
        if not self._ended.is_set():
            self._failed("; ".join(problems))

    def _listen(self, number: int, client: Restconf) -> None:
        while not self._ended.is_set():
            try:
                stream = client.open_stream(NOTIFICATIONS)
            except Failed:
                self._ended.wait(self._poll)
                continue
            with self._lock:
                self._streams[number] = stream
                if self._ended.is_set():
                    stream.close()
            self._notice()
            while data := stream.wait():
                if b"data:" in data:
                    self._notice()
            stream.close()
            self._notice() # the controller may have ended
            self._ended.wait(self._poll)

    def _notice(self) -> None:
        self._noticed = time.monotonic()
        self._wake.set()
