"""Builds the program of `model/` with the ns-3 of `$DAQ_NS3` and runs it."""
import hashlib
import json
import os
import statistics
import subprocess
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

MODEL = Path(__file__).resolve().parent / "model"
LIBRARIES = ("virtual-net-device", "internet", "traffic-control", "stats", "network", "core")


@dataclass(frozen=True)
class Run:
    """What one run came to, in the words of daqlab_lib.experiments."""
    goodput: float      # Gbps of event data
    ratio: float        # of what could arrive
    events: int
    mean: float         # ms of latency, and so on to longest
    jitter: float
    p50: float
    p99: float
    longest: float
    retransmits: int
    timeouts: int
    ring_drops: int     # packets
    port_drops: dict    # kind of port -> packets
    fullest: dict       # kind of port -> most packets that waited at one
    ring_most: int      # packets in a daqring at most
    forwarded: int      # packets over links, those before the time that counts too


def build():
    """The program, built unless there is one of these sources; g++ must be there."""
    ns3 = Path(os.environ["DAQ_NS3"], "ns3")
    sources = sorted(MODEL.iterdir())
    known = hashlib.sha256(str(ns3).encode() + b"".join(each.read_bytes() for each in sources)).hexdigest()[:16]
    program = ns3.parent / f"model-{known}"
    if not program.exists():
        with tempfile.TemporaryDirectory(dir=ns3.parent) as folder:
            made = Path(folder, "model")
            subprocess.run(["g++", "-std=c++20", "-O2", "-Wall", "-Wextra", "-Werror", "-isystem", ns3 / "include", MODEL / "main.cc",
                            "-o", made, f"-L{ns3 / 'lib64'}", f"-Wl,-rpath,{ns3 / 'lib64'}",
                            *(f"-lns3.44-{name}" for name in LIBRARIES)], check=True)
            made.rename(program)
    return program


def simulate(lines):
    """What the program says of a network."""
    done = subprocess.run([build()], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the simulation ended with {done.returncode}: {done.stderr[-2000:]}")
    return json.loads(done.stdout)


def several(jobs):
    """What functions without arguments return, as many at a time as there are processors."""
    build()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [future.result() for future in [pool.submit(job) for job in jobs]]


def run(lines, allowed):
    """allowed: Gbps of event data that could arrive."""
    return evaluate(simulate(lines), allowed)


def evaluate(answer, allowed):
    latencies = sorted(ns / 1e6 for ns in answer["latencies"])
    goodput = answer["received"] * 8 / answer["seconds"] / 1e9
    if answer["lost"]:
        raise RuntimeError(f"{answer['lost']} packets had no way to go")
    drops, fullest = Counter(), Counter()
    for _name, kind, _bytes, dropped, most in answer["ports"]:
        drops[kind] += dropped
        fullest[kind] = max(fullest[kind], most)

    def at(part):
        return round(latencies[min(len(latencies) - 1, int(part * len(latencies)))], 3) if latencies else float("nan")

    return Run(round(goodput, 4), round(goodput / allowed, 4), len(latencies),
               round(statistics.fmean(latencies), 3) if latencies else float("nan"),
               round(statistics.pstdev(latencies), 3) if latencies else float("nan"),
               at(0.5), at(0.99), at(1), answer["retransmissions"], answer["timeouts"], answer["ring-drops"],
               {kind: count for kind, count in drops.items() if count}, dict(fullest), answer["ring-most"], answer["forwarded"])
