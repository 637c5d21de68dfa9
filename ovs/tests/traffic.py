"""Packets for a switch that is tested, and conditions to wait for."""
import collections
import contextlib
import multiprocessing
import os
import time
import unittest

from .switch import Switch, frame

BATCH = 1000  # packets; the switch's socket has room for 3000 large ones, which is soon full while others have the CPU
STOPPED = {"max_burst": 1, "polling_interval": 1000000}  # as good as: one packet a second


def needs_root():
    if os.geteuid() != 0:
        raise unittest.SkipTest("needs root")


def eventually(condition, what, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.02)


def send(sut, handle, frames):
    """Returns when the daqrings have counted all frames: none is lost before, however late the switch gets a CPU."""
    for first in range(0, len(frames), BATCH):
        batch = frames[first:first + BATCH]
        expected = _offered(sut) + len(batch)
        for each in batch:
            handle.send(each)
        eventually(lambda expected=expected: _offered(sut) == expected, "counted")


def _offered(sut):
    return sum(ring.get("ring_enqueued", 0) + ring.get("ring_dropped", 0) for ring in sut.stats().values())


def _feed(sut, rates, size, stop):
    """Offer packets per second of each number until stopped."""
    os.nice(-10)
    due = dict.fromkeys(rates, time.monotonic())
    sequence = collections.Counter()
    with sut.socket("far-in0") as handle:
        while not stop.is_set():
            now = time.monotonic()
            for number, rate in rates.items():
                due[number] = max(due[number], now - 0.5)
                while due[number] <= now:
                    with contextlib.suppress(OSError):  # as a full queue: sent a little later
                        handle.send(frame(number, sequence[number], size))
                        sequence[number] += 1
                    due[number] += 1 / rate
            time.sleep(0.001)


@contextlib.contextmanager
def traffic(sut, rates, size=60):
    stop = multiprocessing.Event()
    process = multiprocessing.Process(target=_feed, args=(sut, rates, size, stop))
    process.start()
    try:
        yield
    finally:
        stop.set()
        process.join(10)
        process.kill()


def with_sockets(test, **options):
    """A switch, and sockets at the far ends of in0 and out0, until the end of the test."""
    sut = Switch(**options)
    test.addCleanup(sut.close)
    sockets = [sut.socket(end) for end in ("far-in0", "far-out0")]
    for each in sockets:
        test.addCleanup(each.close)
    return sut, *sockets
