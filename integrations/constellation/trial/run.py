"""
Constellation's own controller drives our satellite and two of its stock satellites through runs on a fabric of the
lab, while links are cut. Needs DAQFABRIC_URL, DAQFABRIC_USER, DAQFABRIC_PASSWORD, DAQFABRIC_FABRIC, and `lab/daqlab`:

    scripts/constellation python3 -m trial.run lab/daqlab
"""
import os
import subprocess
import sys
import tempfile
import threading
import time

from constellation.core.controller import ScriptableController
from constellation.core.listener import StandaloneListener
from constellation.core.protocol.cscp1 import SatelliteState as State

from daqfabric_constellation.control import RunControl
from daqfabric_constellation.restconf import Restconf

NETWORK, SOURCE, SINK = "DaqFabric.network", "PyRandomTransmitter.source", "PyDevNullReceiver.sink"
MODULES = {NETWORK: "daqfabric_constellation", SOURCE: "constellation.satellites.PyRandomTransmitter",
           SINK: "constellation.satellites.PyDevNullReceiver"}
DATA = (SOURCE, SINK)
PARTITION = "constellation"
INTERFACE = ["lo"]
BEGUN = time.monotonic()


def say(text):
    print(f"{time.monotonic() - BEGUN:6.2f} s  {text}", flush=True)


class Metrics(StandaloneListener):
    """The newest values of the network's metrics."""

    def __init__(self, group):
        self.values = {}
        super().__init__(name="metrics", group=group, interface=INTERFACE, mon_port=0)
        self.set_topics(["STAT/"])

    def receive_metric(self, sender, metric, timestamp, value):
        if sender == NETWORK:
            self.values[metric.name.lower()] = value


class Trial:
    """A constellation and a fabric."""

    def __init__(self, daqlab):
        self.daqlab = daqlab
        self.fabric = os.environ["DAQFABRIC_FABRIC"]
        self.group = f"trial{os.getpid()}"
        self.restconf = Restconf(os.environ["DAQFABRIC_URL"], os.environ["DAQFABRIC_USER"], os.environ["DAQFABRIC_PASSWORD"])
        self.partition = RunControl(self.restconf, PARTITION)
        self.processes = {}
        self.down = set()

    def __enter__(self):
        self.logs = tempfile.TemporaryDirectory()
        for name in MODULES:
            self.begin(name)
        self.controller = ScriptableController(self.group, log_level="CRITICAL", interface=INTERFACE)
        self.metrics = Metrics(self.group)
        self.listening = threading.Thread(target=self.metrics.run_listener, daemon=True)
        self.listening.start()
        return self

    def __exit__(self, kind, *_):
        for process in self.processes.values():
            process.terminate()
        for name, process in self.processes.items():
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if kind:
                with open(self.log(name)) as log:
                    print(f"--- {name}\n{log.read()}", flush=True)
        self.metrics._com_thread_evt.set()
        self.listening.join(10)
        self.controller.reentry()
        self.logs.cleanup()
        for end in list(self.down):
            self.restore(*end)
        self.partition.clear()

    def log(self, name):
        return os.path.join(self.logs.name, name)

    def begin(self, name):
        with open(self.log(name), "a") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", MODULES[name], "-g", self.group, "-n", name.split(".")[1], "-i", *INTERFACE],
                stdout=log, stderr=subprocess.STDOUT)

    # --- Constellation

    def command(self, transition, *names, payload=None):
        """Sends a command to satellites, to all by default."""
        for name in names or MODULES:
            answer = self.ask(name, transition, payload)
            assert answer.success, f"{name} {transition}: {answer.errmsg}"

    def ask(self, name, transition, payload):
        kind, own = name.split(".")
        satellite = getattr(getattr(self.controller.constellation, kind), own)
        return getattr(satellite, transition)(payload[name] if isinstance(payload, dict) else payload)

    def initialize(self, network, *names):
        """Brings satellites to INIT, as soon as they have found those they are to wait for."""
        payload = config(network, self)
        for name in names or MODULES:
            eventually(lambda: self.ask(name, "initialize", payload).success, lambda: f"{name} takes its configuration")
        self.await_states(State.INIT, *names)

    def bring(self, transition, state, *names, payload=None):
        """Sends a command and waits until they are in a state."""
        self.command(transition, *names, payload=payload)
        self.await_states(state, *names)

    def await_states(self, state, *names):
        eventually(lambda: all(self.controller.states.get(name) == state for name in names or MODULES),
                   lambda: f"{names or 'all'} in {state.name}: {self.controller.states} {self.controller.heartbeat_status}")

    def is_connected(self, name):
        kind, own = name.split(".")
        return hasattr(getattr(self.controller.constellation, kind, None), own)

    def status(self):
        return self.controller.heartbeat_status.get(NETWORK, "")

    def await_status(self, *parts):
        eventually(lambda: all(part in self.status() for part in parts), lambda: f"{parts} in status: {self.status()}")
        say(f"status: {self.status()}")

    def await_metric(self, name, value):
        eventually(lambda: self.metrics.values.get(name) == value, lambda: f"{name} {value}: {self.metrics.values}")

    def assert_states(self, state):
        assert all(self.controller.states[name] == state for name in MODULES), self.controller.states

    # --- the fabric

    def cut(self, switch, port):
        subprocess.run([self.daqlab, "cut", "--fabric", self.fabric, switch, port], check=True, stdout=subprocess.DEVNULL)
        self.down.add((switch, port))
        return time.monotonic()

    def restore(self, switch, port):
        subprocess.run([self.daqlab, "restore", "--fabric", self.fabric, switch, port], check=True,
                       stdout=subprocess.DEVNULL)
        self.down.discard((switch, port))

    def await_whole(self):
        """All links are back, and used."""
        path = f"daqfabric:fabrics/fabric={self.fabric}/state/phase?content=nonconfig"
        eventually(lambda: self.restconf.get(path) == {"daqfabric:phase": "converged"}, lambda: str(self.restconf.get(path)))

    def assert_partition(self, state):
        eventually(lambda: self.partition.read().state == state, lambda: f"the controller says {self.partition.read()}, not {state}")


def eventually(condition, what, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what()}")
        time.sleep(0.02)


def config(network, trial):
    return {
        NETWORK: {"partition": PARTITION, "fabric": trial.fabric} | network,
        # data flows only once the network is there
        SOURCE: {"_conditions": {"require_launching_after": [NETWORK]}},
        SINK: {"_data": {"receive_from": [SOURCE]}},
    }


def run_with_failures(trial):
    """A run continues, whatever happens to the fabric, and everybody is notified."""
    trial.initialize({"accept_degraded": True, "required_bandwidth": 1.0})
    trial.bring("launch", State.ORBIT)
    trial.await_status("Fabric ok", "required")
    trial.assert_partition("ready")
    trial.bring("start", State.RUN, payload="run_1")
    trial.assert_partition("running")
    trial.await_metric("fabric_health", 0)
    trial.await_metric("fabric_bandwidth_required", 1)

    cut = trial.cut("p1l1", "to-p1s1")
    trial.await_metric("fabric_health", 1)
    say(f"degraded: notified {1000 * (time.monotonic() - cut):.0f} ms after the cut")
    trial.await_status("Fabric degraded, run 1", "p1l1:to-p1s1")

    trial.cut("r1-1", "to-p1l1")
    trial.cut("r1-1", "to-p2l1")
    trial.await_metric("fabric_health", 2)
    trial.await_metric("fabric_cut_off_ros", 1)
    trial.await_status("Fabric insufficient, run 1", "ROS r1-1")
    trial.assert_states(State.RUN)

    for end in sorted(trial.down):
        trial.restore(*end)
    eventually(lambda: trial.metrics.values.get("fabric_cut_off_ros") == 0, lambda: f"{trial.metrics.values}")
    trial.assert_states(State.RUN)
    trial.bring("stop", State.ORBIT)
    trial.await_status("ready", "run 1 stopped", "was insufficient")
    trial.bring("land", State.INIT)
    trial.assert_partition("idle")


def refused_start(trial):
    """What is missing keeps a run from being started, is said, and can be mended."""
    trial.await_whole()
    trial.initialize({})
    trial.bring("launch", State.ORBIT)
    trial.cut("p1l1", "to-p1s1")
    trial.await_status("Fabric degraded, ready", "p1l1:to-p1s1")
    trial.command("start", NETWORK, payload="run_2")
    trial.await_states(State.ERROR, NETWORK)
    trial.await_status("Refused", "start-run", "p1l1:to-p1s1")
    trial.assert_partition("ready")
    trial.bring("land", State.INIT, *DATA)

    trial.restore("p1l1", "to-p1s1")
    trial.await_whole()
    trial.initialize({})
    trial.bring("launch", State.ORBIT)
    trial.bring("start", State.RUN, payload="run_3")
    trial.await_status("Fabric ok, run 3")


def lost_satellite(trial):
    """The network's satellite dies in a run: the run goes on, and a new one follows it."""
    trial.processes[NETWORK].kill()
    trial.processes[NETWORK].wait()
    trial.begin(NETWORK)
    eventually(lambda: trial.is_connected(NETWORK) and trial.controller.states.get(NETWORK) == State.NEW,
               lambda: f"{NETWORK} anew: {trial.controller.states}")
    trial.assert_partition("running")
    trial.initialize({}, NETWORK)
    trial.bring("launch", State.ORBIT, NETWORK)
    trial.bring("start", State.RUN, NETWORK, payload="run_3")
    trial.await_status("Fabric ok, run 3")
    trial.assert_states(State.RUN)
    trial.bring("stop", State.ORBIT)
    trial.await_status("run 3 stopped")
    trial.bring("land", State.INIT)
    trial.assert_partition("idle")


def main(daqlab):
    with Trial(daqlab) as trial:
        trial.controller.await_satellites(list(MODULES), 20)
        eventually(lambda: len(trial.controller.states) == len(MODULES), lambda: f"{trial.controller.states}")
        for part in (run_with_failures, refused_start, lost_satellite):
            say(part.__doc__)
            part(trial)
    say("done")


if __name__ == "__main__":
    main(*sys.argv[1:])
