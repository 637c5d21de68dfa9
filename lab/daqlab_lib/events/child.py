"""The emulators as processes: one for all ROS, one for all DCMs, with sockets in many namespaces.

They read commands as lines on standard input and answer each with a line of JSON. They exit when it is closed, so that
they never outlive the process that started them, and in any case after a time limit.
"""
import contextlib
import json
import os
import resource
import select
import signal
import sys
import time

from .. import state
from ..errors import LabError
from . import dcm, ros, scheduled
from .load import Load

ROS, DCMS = "events-ros", "events-dcms"  # arguments of the lab's executable
_KINDS = {ROS: lambda _config: ros.Readout, DCMS: lambda config: scheduled.Scheduled if config.get("schedule") else dcm.Collection}


def main(kind):
    """The process itself; the first line is its configuration."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one, which then says `stop`
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    try:
        config = json.loads(sys.stdin.buffer.raw.readline())
        current = state.load_up(config["fabric"])[0]
        load = Load(**config["load"])
        if load.first:
            with contextlib.suppress(PermissionError):
                os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))  # as ovs.run_first
        emulator = _KINDS[kind](config)(current, load, config)
        _say({"ready": True})
        _serve(emulator, time.monotonic() + load.limit)
        return 0
    except (LabError, OSError) as error:
        _say({"error": str(error)})
        return 1


def _serve(emulator, deadline):
    os.set_blocking(0, False)
    emulator.epoll.register(0, select.EPOLLIN | select.EPOLLHUP)
    pending = b""
    while time.monotonic() < deadline:
        ready = emulator.epoll.poll(min(emulator.patience(), deadline - time.monotonic()))
        for number, mask in ready:
            if number:
                emulator.handle(number, mask)
        if any(number == 0 for number, _ in ready):
            data = os.read(0, 4096)
            if not data:
                return
            *lines, pending = (pending + data).split(b"\n")
            for line in lines:
                _say(emulator.answer(line.decode()))
        emulator.tick()


def _say(answer):
    try:
        print(json.dumps(answer), flush=True)
    except BrokenPipeError:
        os._exit(0)  # the reader is gone
