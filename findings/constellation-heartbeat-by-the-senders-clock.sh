#!/bin/sh
# A satellite whose clock is ahead is seen alive for as long after its death.
#
# ConstellationDAQ 1.0.2 (PyPI), which runs detectors in test beams. Guess before: a heartbeat counts from when it arrives, as its
# protocol exists to find those that fell silent, and clocks of machines differ. Seen: a listener counts from the time that the sender
# wrote into it. With an interval of half a second a satellite counts as dead some two seconds after its last heartbeat; with a clock
# that is 8 s ahead, after some ten. A run goes on without it, unless data say so first.
# A clock that is behind does no harm here: a heartbeat that looks old costs one of three lives, and the next one gives it back.
# Who starts machines without NTP, or has one that NTP has not reached yet, meets it: `chronyc tracking` belongs before a run.
#
# Runs without root in a temporary folder, by inproc sockets. Exit code 1 if any of this is different.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
python3 -m venv "$work/venv"
"$work/venv/bin/pip" -q install ConstellationDAQ==1.0.2 > "$work/pip.log" 2>&1 || {
    cat "$work/pip.log" >&2
    exit 2
}
cat > "$work/heartbeats.py" << 'END'
import logging
import sys
import threading
import time
from importlib.metadata import version
from unittest import mock
from uuid import uuid4

import zmq
from constellation.core.chp import CHPMessageFlags, CHPTransmitter
from constellation.core.heartbeatchecker import HeartbeatChecker
from constellation.core.protocol.cscp1 import SatelliteState

logging.disable(logging.CRITICAL)
INTERVAL = 500  # ms
LIMIT = 60      # s
now = time.time_ns


class Listener(HeartbeatChecker):
    def _on_state_change(self, name, old, new):
        times[new] = time.monotonic()
        changed.set()


def awaited(state):
    while state not in times:
        if not changed.wait(LIMIT):
            sys.exit(f"{state} is not seen within {LIMIT} s")
        changed.clear()
    return times[state]


def seen_dead_after(ahead):
    """Seconds from the last heartbeat of a satellite whose clock is so many seconds ahead until it counts as dead."""
    times.clear()
    context = zmq.Context.instance()
    sender = context.socket(zmq.XPUB)
    address = f"inproc://{uuid4()}"
    sender.bind(address)
    listener = Listener("one")
    listener._com_thread_evt = threading.Event()
    listener.register_heartbeat_host(uuid4(), address, "Satellite.other", context)
    sender.recv()  # it has subscribed
    thread = threading.Thread(target=listener._run_thread, daemon=True)
    thread.start()
    with mock.patch("constellation.core.chp.time.time_ns", lambda: now() + int(ahead * 1e9)):
        CHPTransmitter("Satellite.other", sender).send(SatelliteState.ORBIT.value, INTERVAL, CHPMessageFlags.MARK_DEGRADED)
    last = time.monotonic()
    awaited(SatelliteState.ORBIT)
    dead = awaited(SatelliteState.DEAD) - last
    listener._com_thread_evt.set()
    thread.join()
    sender.close(0)
    return dead


times, changed = {}, threading.Event()
right, ahead, behind = (seen_dead_after(seconds) for seconds in (0, 8, -8))
print(f"ConstellationDAQ {version('ConstellationDAQ')}: seconds after its last heartbeat a satellite counts as dead, by its clock: "
      f"right {right:.1f}, 8 s ahead {ahead:.1f}, 8 s behind {behind:.1f}")
sys.exit(0 if 6 < ahead - right < 10 and behind <= right + 1 else 1)
END
"$work/venv/bin/python" "$work/heartbeats.py"
