"""Times of run control on a running controller: how soon start-run is answered, and how soon a cut is reported.

start-run is called on a prepared and armed partition while every switch's connection is monitored, so that its
messages are counted where they arrive. A cut in a run is timed until the notifications link-state and repair reach a
subscriber of the event stream.
"""
import json
import queue
import threading
import time
import uuid

from .demo import NAME
from .errors import LabError
from .faults import set_link
from .messages import Monitor
from .running import CONVERGE, REPAIR

PARTITION = "bench"
KINDS = ("link-state", "repair")
MODULE = "daqfabric-run-control"


def measure(controller, state, links, repetitions):
    """Samples of starts (ms, rules and groups modified meanwhile) and of cuts (ms until each notification)."""
    starts, cuts = [], []
    try:
        for number in range(repetitions):
            _ask(controller, "prepare", {"fabric": NAME})
            _await_done(controller)
            _ask(controller, "arm", {})
            with Monitor(state) as messages:
                begin = time.monotonic()
                _ask(controller, "start-run", {"run-number": number})
                starts.append({"ms": 1000 * (time.monotonic() - begin)})
                _await_messages(messages)
                starts[-1]["modifications"] = sum(messages.modifications())
            cuts.append(_cut(controller, links[number % len(links)]))
            _ask(controller, "abort", {})
            controller.wait(NAME, lambda s: s.get("phase") == "converged", CONVERGE, "waiting for converged")
    finally:
        # a fabric with a run cannot be deleted
        _ask(controller, "abort", {})
    return starts, cuts


def _ask(controller, rpc, leaves):
    return controller.rpc(MODULE, rpc, {"request-id": str(uuid.uuid4()), "partition": PARTITION} | leaves)


def _await_done(controller):
    end = time.monotonic() + CONVERGE
    while time.monotonic() < end:
        partition = controller.get(f"/data/{MODULE}:run-control/partition={PARTITION}?content=nonconfig")
        if partition[f"{MODULE}:partition"][0]["operation"]["status"] == "done":
            return
        time.sleep(0.02)  # polling interval
    raise LabError(f"partition {PARTITION} was not prepared within {CONVERGE} s")


def _await_messages(messages):
    """Connections keep the order: messages of start-run to a switch come before later ones."""
    end = time.monotonic() + CONVERGE
    while not messages.all_active():
        if time.monotonic() > end:
            raise LabError(f"some switch exchanged nothing with its controller for {CONVERGE} s")
        time.sleep(0.1)  # polling interval


def _cut(controller, link):
    events = _subscribe(controller)
    begin = time.monotonic()
    set_link(link["switch"], link["port"], False, NAME)
    try:
        came = {}
        while len(came) < len(KINDS):
            kind, at = events.get(timeout=REPAIR)
            came.setdefault(kind, 1000 * (at - begin))
    except queue.Empty:
        raise LabError(f"the cut of {link['switch']}:{link['port']} was not notified within {REPAIR} s") from None
    finally:
        set_link(link["switch"], link["port"], True, NAME)
    return {"link": f"{link['switch']}:{link['port']}"} | came


def _subscribe(controller):
    names = [f"(urn:daqfabric:run-control?revision=2026-11-21){kind}" for kind in KINDS]
    stream = controller.rpc("sal-remote", "create-notification-stream", {"notifications": names})["notification-stream-identifier"]
    answer = controller.open(controller.request("GET", f"/streams/json/{stream}", "text/event-stream"))
    events = queue.Queue()

    def read():
        for line in answer:
            if line.startswith(b"data:"):
                for key in json.loads(line[5:])["ietf-restconf:notification"]:
                    events.put((key.removeprefix(f"{MODULE}:"), time.monotonic())) if MODULE in key else None

    threading.Thread(target=read, daemon=True).start()
    return events
