"""Controllers on the control network, one or a cluster: each in its own namespace, from the built distribution."""
import functools
import json
import os
import re
import shutil
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import control, netns, processes, state
from .errors import LabError
from .restconf import TIMEOUT, Restconf

ROOT = Path(__file__).resolve().parent.parent.parent
RECORD = state.RUN / "controllers.json"
INTERFACE = "dq-ctl"
TABLE = "daqlab"
WEB_PORT = 8181
BOOT = 240  # seconds
NICE = -8  # each represents a separate machine, which nothing else keeps busy
START = 20  # seconds until there is a Java process
STOP = 60  # seconds until a controller that does not stop is killed
SIZES = (1, 3, 5)  # members
# All that a controller keeps, besides its settings: what docs/upgrade.md has copied.
KEPT = ("state", "segmented-journal", "snapshots", "data/idmlight.db.mv.db")


class Controller:
    """A controller, numbered from 1. All its files are in its folder."""

    def __init__(self, number, record):
        folder, network = record["folder"], record["network"]
        self.number = number
        self.ca = Path(folder) / "pki/ca.pem" if record["tls"] else None
        self.home = Path(folder) / str(number)
        self.namespace = f"dq-controller{number}"
        self.address = f"{network}.0.{10 + number}"
        self.control_port = f"m{number}"  # on the control bridge

    @property
    def web(self):
        return f"http{'s' if self.ca else ''}://{self.address}:{WEB_PORT}"

    @property
    def restconf(self):
        return f"{self.web}/rests"

    def client(self, timeout=TIMEOUT, path="/rests"):
        return Restconf(self.web + path, timeout, self.ca)

    @property
    def mark(self):
        return f"-Dkaraf.home={self.home}\0"

    def pid(self):
        """The id of its Java process, or None. The parent is bin/karaf, which restarts it when OpenDaylight asks for that."""
        if not netns.exists(self.namespace):
            return None
        return next((pid for pid in netns.processes_in([self.namespace]) if processes.is_ours(pid, self.mark)), None)


def recorded():
    """The controllers that were made, [] if there are none."""
    if not RECORD.exists():
        return []
    record = json.loads(RECORD.read_text())
    return [Controller(n, record) for n in range(1, record["count"] + 1)]


def find(number):
    found = next((each for each in recorded() if each.number == number), None)
    if not found:
        raise LabError(f"there is no controller {number}: run `daqlab controllers 3`")
    return found


def up(count, distribution=None, heap="1g"):
    """Bring up a cluster of `count` members and wait until each answers; members that run already are left alone."""
    started = time.monotonic()
    with state.lock():
        present = _make(count, _built(distribution), heap, _configure)
        for each in present:
            if not each.pid():
                start(each)
    await_ready(present)
    print(f"{count} controllers up ({time.monotonic() - started:.1f} s): {', '.join(c.address for c in present)}", flush=True)


def unpack(count, distribution=None, heap="1g"):
    """The machines of a cluster with the distribution on each, as it is when it is unpacked; none is started."""
    with state.lock():
        return _make(count, _built(distribution), heap, lambda each, members: None)


def _make(count, built, heap, configure):
    """The members, made unless they are there: namespaces, and folders that `configure` has been called for."""
    if count not in SIZES:
        raise LabError(f"there is one controller, or a cluster of {' or '.join(map(str, SIZES[1:]))} members")
    present = recorded()
    if present and len(present) != count:
        raise LabError(f"{len(present)} controllers are up: take them down first, with `daqlab controllers 0`")
    control.ensure()
    if not present:
        folder = ROOT / "target/cluster"
        shutil.rmtree(folder, ignore_errors=True)
        # those of releases before 0.2.0 cannot
        tls = count > 1 and (built / "bin/tls").exists()
        state.write_json(RECORD, {"count": count, "folder": str(folder), "network": control.network(), "heap": heap, "tls": tls})
        present = recorded()
    for each in present:
        if not netns.exists(each.namespace):
            _connect(each)
        if not each.home.exists():
            _unpack(built, each)
            configure(each, present)
    return present


def down():
    """Stop all controllers and remove everything made for them; the fabrics stay."""
    with state.lock():
        present = recorded()
        for each in present:
            _end(each)
        namespaces = [each.namespace for each in present if netns.exists(each.namespace)]
        netns.ip_batch([f"netns del {name}" for name in namespaces], force=True)
        for each in present:
            shutil.rmtree(each.home, ignore_errors=True)
        RECORD.unlink(missing_ok=True)
        if not state.names():
            control.remove()


def start(controller):
    """Start a member with the data in its folder."""
    _await_exit(controller)
    if controller.pid():
        return
    java = _java()
    log = open(controller.home / "console.log", "ab")  # noqa: SIM115  (closed below, opened in this namespace)
    heap = json.loads(RECORD.read_text())["heap"]
    with log, netns.inside(controller.namespace):
        subprocess.Popen(["nice", "-n", str(NICE), "bin/karaf", "server"], cwd=controller.home,
                         stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                         env=os.environ | {"JAVA_HOME": java, "DAQFABRIC_HEAP": heap})
    deadline = time.monotonic() + START
    while not controller.pid():
        if time.monotonic() > deadline:
            raise LabError(f"controller {controller.number} did not start: see {controller.home}/console.log")
        time.sleep(0.1)  # bin/karaf takes a moment


def _await_exit(controller):
    """bin/karaf outlives its Java process by a moment, to exit or to start it again."""
    deadline = time.monotonic() + START
    while netns.processes_in([controller.namespace]) and not controller.pid() and time.monotonic() < deadline:
        time.sleep(0.05)  # polling interval


def replace(controller, distribution=None):
    """Put another version's distribution in the place of a stopped controller, as docs/upgrade.md says it, and start it."""
    built = _built(distribution)
    former = controller.home.with_suffix(".former")
    shutil.rmtree(former, ignore_errors=True)
    controller.home.rename(former)
    _unpack(built, controller)
    _configure(controller, recorded())
    for kept in KEPT:
        (controller.home / kept).parent.mkdir(exist_ok=True)
        subprocess.run(["cp", "-r", former / kept, controller.home / kept], check=True)
    start(controller)


def stop(controller):
    """Stop it as an operator does."""
    pid = controller.pid()
    if pid:
        _end_parent(pid)
        processes.end([pid], controller.mark, patience=STOP)


def kill(controller):
    pid = controller.pid()
    if not pid:
        raise LabError(f"controller {controller.number} does not run")
    processes.send(pid, signal.SIGKILL)


def partition(controller):
    """Cut it off from the other controllers; it keeps its switches, and RESTCONF answers."""
    others = ", ".join(each.address for each in recorded() if each.number != controller.number)
    _filter(controller, f"ip saddr {{ {others} }} drop", f"ip daddr {{ {others} }} drop")


def cut(controller):
    """Cut it off from everything."""
    _filter(controller, 'iifname != "lo" drop', 'oifname != "lo" drop')


def heal(controller):
    """Undo partition and cut."""
    subprocess.run(["ip", "netns", "exec", controller.namespace, "nft", "delete", "table", "inet", TABLE], capture_output=True, check=False)


def await_ready(members, seconds=BOOT):
    """Wait until each answers, has our modules and reports an active member, which a controller alone is itself."""
    deadline = time.monotonic() + seconds
    with ThreadPoolExecutor(len(members)) as pool:
        while any(missing := list(pool.map(_missing, members))):
            dead = [each for each in members if not each.pid()]
            if dead:
                raise LabError(f"controller {dead[0].number} ended: see {dead[0].home}/console.log and data/log/karaf.log")
            if time.monotonic() > deadline:
                raise LabError(f"the controllers are not ready after {seconds} s, see {members[0].home.parent}/*/data/log/karaf.log: "
                               + "; ".join(f"controller {each.number}: {what}" for each, what in zip(members, missing) if what))
            time.sleep(0.5)  # polling interval


def _missing(controller):
    """What keeps a member from being ready, "" when it is."""
    try:
        _active_member(controller)
    except LabError as error:
        return str(error)
    return ""


def report(controller):
    """One member, as `controllers --json` prints it. What it reports itself is null when it does not answer."""
    result = {"number": controller.number, "member": f"member-{controller.number}", "address": controller.address,
              "restconf": controller.restconf, "namespace": controller.namespace, "pid": controller.pid(),
              "home": str(controller.home), "active-member": None, "active": False}
    if result["pid"]:
        try:
            result["active-member"] = _active_member(controller)
            result["active"] = result["active-member"] == result["member"]
        except LabError:
            pass
    return result


def _active_member(controller):
    """Whom it says to be active; raises LabError while it does not."""
    rest = controller.client(timeout=3)
    if len(recorded()) > 1:
        active = rest.get("/data/daqfabric-cluster:active?content=nonconfig").get("daqfabric-cluster:active", {})
        if "member" not in active:
            raise LabError("it names no active member")
        return active["member"]
    rest.rpc("daqfabric-operations", "orphans", {})  # which the active member answers
    return f"member-{controller.number}"


def status():
    members = recorded()
    with ThreadPoolExecutor(max(1, len(members))) as pool:
        return list(pool.map(report, members))


def text(reports):
    lines = [f"{'controller':<11} {'address':<14} {'process':<8} active member"]
    for each in reports:
        lines.append(f"{each['member']:<11} {each['address']:<14} {each['pid'] or 'stopped':<8} "
                     f"{each['active-member'] or '-'}{' (itself)' if each['active'] else ''}")
    return "\n".join(lines)


def _built(distribution):
    built = Path(distribution or ROOT / "karaf/target/assembly").resolve()
    if not os.access(built / "bin/cluster", os.X_OK):
        raise LabError(f"{built} has no distribution: run `make build`")
    return built


def _connect(controller):
    """A namespace with an address on the control network."""
    netns.ip_batch([f"netns add {controller.namespace}",
                    f"link add {INTERFACE} netns {controller.namespace} type veth "
                    f"peer name {controller.control_port} netns {control.NAMESPACE}"])
    with netns.inside(control.NAMESPACE):
        netns.ip_batch([f"link set {controller.control_port} master {control.BRIDGE} up"])
        netns.offloads_off([controller.control_port])
    with netns.inside(controller.namespace):
        netns.quiet()
        netns.ip_batch(["link set lo up", f"addr add {controller.address}/16 dev {INTERFACE}", f"link set {INTERFACE} up"])
        netns.offloads_off([INTERFACE])


def _unpack(built, controller):
    """A copy of the distribution; bundles are never written to, so hard links suffice for them."""
    controller.home.mkdir(parents=True)
    for entry in built.iterdir():
        command = ["cp", "-rl" if entry.name in ("system", "lib") else "-r", entry, controller.home]
        subprocess.run(command, check=True)


def _configure(controller, members):
    """What docs/cluster.md has set before the first start."""
    run = functools.partial(subprocess.run, cwd=controller.home, check=True, stdout=subprocess.DEVNULL)
    addresses = [each.address for each in members]
    if len(members) > 1:
        run(["bin/cluster", str(controller.number), *addresses])
    if controller.ca:
        pki = controller.ca.parent
        if not pki.exists():
            run(["bin/certificates", pki, *addresses])
        run(["bin/tls", pki / controller.address])
    _set(controller.home / "etc/org.daqfabric.cfg", r"^(openflow-address|ovsdb-address)=.*", rf"\1={controller.address}")
    _set(controller.home / "etc/org.ops4j.pax.web.cfg", r"^(jetty\.host|org\.ops4j\.pax\.web\.listening\.addresses) *=.*",
         rf"\1 = {controller.address}")
    # the login of the lab and of all its tests, at every member; without it each member makes a password that nobody knows
    accounts = controller.home / "data/accounts"
    accounts.mkdir(parents=True)
    (accounts / "admin").write_text('user = "admin:admin"\n')


def _set(file, pattern, replacement):
    file.write_text(re.sub(pattern, replacement, file.read_text(), flags=re.MULTILINE))


def _java():
    """The Java that `make setup` found."""
    environment = ROOT / ".cache/env.sh"
    found = re.search(r"^DAQ_JAVA=(.*)$", environment.read_text(), re.MULTILINE) if environment.exists() else None
    if not found:
        raise LabError("no Java is set up: run `make setup`")
    return found[1]


def _filter(controller, incoming, outgoing):
    heal(controller)
    rules = f"""table inet {TABLE} {{
  chain incoming {{ type filter hook input priority filter; policy accept; {incoming}; }}
  chain outgoing {{ type filter hook output priority filter; policy accept; {outgoing}; }}
}}
"""
    done = subprocess.run(["ip", "netns", "exec", controller.namespace, "nft", "-f", "-"],
                          input=rules, text=True, capture_output=True, check=False)
    if done.returncode:
        raise LabError(f"nft: {done.stderr.strip()}")


def _end(controller):
    """Kill it, and what `exec` left in its namespace."""
    if netns.exists(controller.namespace):
        pid = controller.pid()
        if pid:
            _end_parent(pid)
            processes.end([pid], controller.mark)
        for left in netns.processes_in([controller.namespace]):
            processes.send(left, signal.SIGKILL)


def _end_parent(pid):
    """Kill bin/karaf, so that nothing restarts the controller."""
    parent = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    if processes.is_ours(parent, "bin/karaf"):
        processes.send(parent, signal.SIGKILL)
