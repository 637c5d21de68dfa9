"""Processes by recorded id, ended only after checking that the id is still ours."""
import contextlib
import os
import signal
import time


def recorded(pid_file, mark):
    """The live process id in a pid file, or None; its command line must contain the mark."""
    try:
        pid = int(pid_file.read_text())
    except (OSError, ValueError):
        return None
    return pid if is_ours(pid, mark) else None


def is_ours(pid, mark):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return mark.encode() in file.read()  # empty for a zombie
    except OSError:
        return False


def is_stopped(pid):
    """Whether the process is frozen by SIGSTOP."""
    return _status(pid) == "T"


def _status(pid):
    """The letter `ps` shows; Z for one that is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "Z"


def send(pid, number):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def end(pids, mark, patience=0.0):
    """SIGTERM, after `patience` seconds SIGKILL (at once if 0), and wait until all are gone."""
    left = [p for p in pids if is_ours(p, mark)]
    if patience:
        for pid in left:
            send(pid, signal.SIGTERM)
        left = _wait(left, patience)
    for pid in left:
        send(pid, signal.SIGKILL)
    return _wait(left, 5.0)


def _wait(pids, seconds):
    """Those that are not gone after so many seconds; a dying process has lost its command line already."""
    deadline = time.monotonic() + seconds
    while (pids := [p for p in pids if _lives(p)]) and time.monotonic() < deadline:
        time.sleep(0.005)
    return pids


def _lives(pid):
    """Its first thread may be gone while others still hold its sockets."""
    try:
        return len(os.listdir(f"/proc/{pid}/task")) > 1 or _status(pid) not in "ZX"
    except OSError:
        return False
