"""Packets for benchmarks of a switch between veth pairs."""
import ctypes
import itertools
import multiprocessing
import os
import struct
import time
from pathlib import Path

from .switch import frame

BATCH = 64  # frames per system call
WINDOW = 1024  # frames in flight; a ring has room for 4096
SOL_PACKET, PACKET_STATISTICS = 263, 6  # packets since the last call, including those there was no room for


class Iovec(ctypes.Structure):
    _fields_ = [("base", ctypes.c_char_p), ("length", ctypes.c_size_t)]


class Message(ctypes.Structure):  # struct mmsghdr
    _fields_ = [("name", ctypes.c_void_p), ("name_length", ctypes.c_uint), ("iov", ctypes.POINTER(Iovec)),
                ("iov_length", ctypes.c_size_t), ("control", ctypes.c_void_p), ("control_length", ctypes.c_size_t),
                ("flags", ctypes.c_int), ("sent", ctypes.c_uint)]


class Sender:
    """Keeps a switch busy without flooding it: sends more packets only as earlier ones arrive.

    numbers: whom to send to, in turn. size: bytes of a frame.
    """

    def __init__(self, switch, numbers, size, window=WINDOW):
        self._switch = switch
        self._window = window
        self._go, self._stop = multiprocessing.Event(), multiprocessing.Event()
        self._process = multiprocessing.Process(target=self._run, args=(numbers, size), daemon=True)
        self._process.start()

    def _run(self, numbers, size):
        os.nice(-10)
        frames = [Iovec(frame(number, 0, size), size) for number in numbers]
        messages = (Message * BATCH)(*(Message(iov=ctypes.pointer(each), iov_length=1)
                                       for each in itertools.islice(itertools.cycle(frames), BATCH)))
        send = ctypes.CDLL(None).sendmmsg
        with self._switch.socket("far-in0") as near, self._switch.socket("far-out0", buffer=1) as far:
            under_way, moved = 0, 0
            while not self._stop.is_set():
                if not self._go.wait(0.1):
                    continue
                arrived = struct.unpack("II", far.getsockopt(SOL_PACKET, PACKET_STATISTICS, 8))[0]
                now = time.monotonic()
                if arrived or now > moved + 0.1:  # later than that they are lost
                    under_way, moved = max(0, under_way - arrived) if arrived else 0, now
                if under_way + BATCH <= self._window:
                    under_way += max(0, send(near.fileno(), messages, BATCH, 0))
                else:
                    time.sleep(0.00002)

    def measure(self, settle, seconds):
        """(packets per second, seconds of CPU per second of the switch's main thread)"""
        self._go.set()
        time.sleep(settle)
        before = self._counters()
        time.sleep(seconds)
        after = self._counters()
        self._go.clear()
        took, packets, cpu = (b - a for a, b in zip(before, after))
        return packets / took, cpu / took

    def _counters(self):
        pid = self._switch.daemon.pid
        return (time.monotonic(), self._switch.counter("far-out0", "rx_packets"),
                int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[0]) / 1e9)

    def close(self):
        self._stop.set()
        self._process.join(5)
        self._process.kill()
