"""Copies of the logs of fabrics, for those who look into a test that failed: `daqlab logs`, and `down` itself.

A log that is long is copied from its middle on: its end says what went wrong.
"""
import os
import shutil
from pathlib import Path

KEPT = "DAQLAB_LOGS"  # variable of the environment: a folder to which `down` copies the logs of what it removes
NAMES = ("ovs-vswitchd.log", "ovsdb-server.log")
LIMIT = 1 << 20      # bytes of one log
FABRIC = 64 << 20    # bytes of one fabric
SOFTNET = Path("/proc/net/softnet_stat")


def keep(current, folder):
    """Copies the logs of a fabric's nodes to FOLDER/FABRIC/SWITCH/; what an earlier fabric of this name left there goes."""
    target = Path(folder) / current.name
    shutil.rmtree(target, ignore_errors=True)
    left = FABRIC
    for node in current.machines():
        for name in NAMES:
            left -= copy_end(node.rundir / name, target / node.home / name, min(LIMIT, left))


def keep_if_asked(current):
    """Before a fabric is removed; a test is not failed by a log that cannot be kept."""
    folder = os.environ.get(KEPT)
    if folder:
        try:
            keep(current, folder)
        except OSError as error:
            print(f"{current.name}: its logs are not kept in {folder}: {error}", flush=True)


def copy_end(source, target, limit):
    """Copies the last `limit` bytes of a file, whole lines of it; returns how many. A file that is not there has none."""
    try:
        with open(source, "rb") as log:
            size = os.fstat(log.fileno()).st_size
            log.seek(max(0, size - limit))
            if size > limit:
                log.readline()
            data = log.read(limit)
    except FileNotFoundError:
        return 0
    if data:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return len(data)


def dropped():
    """Packets that the kernel has dropped on each processor as too many waited there, over all namespaces; [] if it does not tell."""
    try:
        return drops_in(SOFTNET.read_text())
    except OSError:
        return []


def drops_in(text):
    """The second column of `softnet_stat`, which is hexadecimal."""
    return [int(line.split()[1], 16) for line in text.splitlines() if line.strip()]
