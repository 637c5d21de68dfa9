"""What the run cost the machine, and what it lost: a busy machine is not a slow network."""
import json
import os
import re
import subprocess
from dataclasses import dataclass

from .. import netns, ovs
from . import rings

_DROPS = re.compile(r"\bd(\d+)\)")  # in the socket memory that `ss -m` prints
_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Sample:
    """Counters that only grow."""
    idle: float       # seconds of all CPUs together
    total: float      # the same
    emulators: float  # seconds of CPU time
    switches: float   # the same
    queues: dict      # SWITCH:PORT -> packets that found the buffer of their link full
    rings: int        # packets that found their daqring full
    lost: int         # packets that a switch or a host was too slow to take: the machine's doing, not the network's


def sample(current, emulators):
    """emulators: process ids."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(value) for value in file.readline().split()[1:9]]  # without guest time, which is in user time
    queues, lost = {}, 0
    for node in current.nodes.values():
        lost += _lost(node)
        queues |= _queues(node)
    return Sample((ticks[3] + ticks[4]) / _TICK, sum(ticks) / _TICK, sum(map(_cpu, emulators)),
                  sum(_cpu(ovs.daemon_pid(node)) for node in current.nodes.values()), queues, rings.drops(current), lost)


def _queues(node):
    with netns.inside(node.namespace):
        done = subprocess.run(["tc", "-s", "-j", "qdisc", "show"], text=True, capture_output=True, check=True)
    return {f"{node.switch.name}:{q['dev']}": q["drops"] for q in json.loads(done.stdout) if q["kind"] == "tbf"}


def _lost(node):
    """Before the switch (its packet sockets) and before its host's tap."""
    with netns.inside(node.namespace):
        done = subprocess.run(["ss", "-0", "-a", "-m", "-n"], text=True, capture_output=True, check=True)
        with open("/proc/thread-self/net/dev", encoding="ascii") as file:
            rows = [line.split(":") for line in file if ":" in line]
    tap = sum(int(values.split()[11]) for name, values in rows if name.strip() == node.switch.bridge)
    return tap + sum(map(int, _DROPS.findall(done.stdout)))


def _cpu(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICK
