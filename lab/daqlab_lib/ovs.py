"""One private Open vSwitch per node: database server, switch daemon, and questions to both."""
import functools
import json
import os
import platform
import shutil
import signal
import socket
import subprocess
import threading

from . import netns, pki, processes
from .errors import LabError
from .fabric import CONTROL_INTERFACE

SCHEMA = "/usr/share/openvswitch/vswitch.ovsschema"
ANSWER_TIMEOUT = 2.0  # seconds
SSL_COLUMNS = {"private-key": "private_key", "certificate": "certificate", "ca-cert": "ca_cert"}
_template_lock = threading.Lock()


def environment(node):
    """Variables that make the ovs tools talk to this node's instance."""
    folder = str(node.rundir)
    return os.environ | dict.fromkeys(("OVS_RUNDIR", "OVS_DBDIR", "OVS_LOGDIR", "OVS_SYSCONFDIR"), folder)


def database_pid(node):
    return processes.recorded(node.rundir / "ovsdb-server.pid", f"{node.rundir}/")


def daemon_pid(node):
    return processes.recorded(node.rundir / "ovs-vswitchd.pid", f"{node.rundir}/")


def start_database(node, managers):
    """Start ovsdb-server; a new database gets what an installed switch has, its system-id and its managers."""
    if database_pid(node):
        return False
    folder = node.rundir
    folder.mkdir(parents=True, exist_ok=True)
    fresh = not (folder / "conf.db").exists()
    if fresh:
        _empty_database(folder)
    with netns.inside(node.namespace):
        _run(node, ["ovsdb-server", f"{folder}/conf.db", f"--remote=punix:{folder}/db.sock",
                    "--remote=db:Open_vSwitch,Open_vSwitch,manager_options", f"--unixctl={folder}/ovsdb-server.ctl",
                    *(f"--{option}=db:Open_vSwitch,SSL,{column}" for option, column in SSL_COLUMNS.items()),
                    *_daemon_options(folder, "ovsdb-server")])
        if not _initialised(node):
            kind, version = _system()
            ssl = pki.files_of(folder)
            if ssl:  # before the manager: ovsdb-server connects immediately, with the files it has
                _run(node, ["ovs-vsctl", "--no-wait", "init", "--", "set-ssl", *ssl])
            _run(node, ["ovs-vsctl", "--no-wait", "init", "--", "set", "Open_vSwitch", ".",
                        f"ovs-version={_ovs_version()}", f"db-version={_schema_version()}",
                        f"system-type={kind}", f'system-version="{version}"',
                        f'external-ids:system-id="{node.switch.system_id}"',
                        f'external-ids:hostname="{node.switch.name}"', f'external-ids:rundir="{folder}"',
                        "--", "set-manager", *managers])
    return True


def start_daemon(node):
    """Start ovs-vswitchd unless it runs; true if it did not."""
    if daemon_pid(node):
        return False
    folder = node.rundir
    with netns.inside(node.namespace):
        # ahead of the rest of this machine: a switch of hardware of its own would not miss BFD packets either
        _run(node, ["nice", "-n", "-10", node.vswitchd, f"unix:{folder}/db.sock", f"--unixctl={folder}/ovs-vswitchd.ctl",
                    *_daemon_options(folder, "ovs-vswitchd")])
    return True


def kill_daemon(node):
    """SIGKILL, as a crash; true if it ran."""
    pid = daemon_pid(node)
    if pid:
        processes.end([pid], f"{node.rundir}/")
    return bool(pid)


def restart(node, managers, empty=False):
    """Restart the switch daemon; empty: as a node whose disk was replaced."""
    pid = daemon_pid(node)
    if pid:
        patience = 0.0 if empty or processes.is_stopped(pid) else 2.0
        processes.end([pid], f"{node.rundir}/", patience)
    if empty:
        pid = database_pid(node)
        if pid:
            processes.end([pid], f"{node.rundir}/")
        _remove_devices(node)
        (node.rundir / "conf.db").unlink(missing_ok=True)
        (node.rundir / ".conf.db.~lock~").unlink(missing_ok=True)
    start_database(node, managers)
    start_daemon(node)


def freeze(node, frozen):
    """SIGSTOP or SIGCONT of the switch daemon."""
    pid = daemon_pid(node)
    if not pid:
        raise LabError(f"ovs-vswitchd of {node.switch.name} does not run: `daqlab restart {node.switch.name}` first")
    processes.send(pid, signal.SIGSTOP if frozen else signal.SIGCONT)


def run_first(node):
    """The switch daemon gets the CPU before all ordinary processes, as on a machine of its own; needs the right to ask for it."""
    pid = daemon_pid(node)
    for thread in os.listdir(f"/proc/{pid}/task"):
        os.sched_setscheduler(int(thread), os.SCHED_FIFO, os.sched_param(1))


def select(node, table, columns):
    """Rows of a table, as OVSDB JSON."""
    operation = {"op": "select", "table": table, "where": [], "columns": columns}
    request = {"method": "transact", "params": ["Open_vSwitch", operation], "id": 0}
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(ANSWER_TIMEOUT)
        connection.connect(f"{node.rundir}/db.sock")
        connection.sendall(json.dumps(request).encode())
        text = b""
        while True:
            data = connection.recv(1 << 16)
            if not data:
                raise OSError("ovsdb-server closed the connection")
            text += data
            try:
                answer = json.loads(text)
            except ValueError:
                continue
            return answer["result"][0]["rows"]


def ofctl(node, command, *arguments):
    """Output of `ovs-ofctl -O OpenFlow13 COMMAND BRIDGE ARGUMENTS`."""
    return ask(node, ["ovs-ofctl", "-O", "OpenFlow13", command, f"unix:{node.rundir}/{node.switch.bridge}.mgmt", *arguments])


def vsctl(node, *arguments):
    """Output of `ovs-vsctl`, which waits until the switch daemon has done it."""
    return ask(node, ["ovs-vsctl", f"--db=unix:{node.rundir}/db.sock", *arguments])


def appctl(node, *arguments):
    """Output of `ovs-appctl` to the switch daemon."""
    return ask(node, ["ovs-appctl", "-t", f"{node.rundir}/ovs-vswitchd.ctl", *arguments])


def ask(node, command):
    """Output of a command that may hang when the switch daemon is frozen."""
    try:
        done = subprocess.run(command, text=True, capture_output=True, env=environment(node), timeout=ANSWER_TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        raise LabError(f"{node.switch.name} does not answer {command[0]}: is it frozen? (`daqlab thaw {node.switch.name}`)") from None
    if done.returncode:
        raise LabError(f"{node.switch.name}: {command[0]}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def _daemon_options(folder, name):
    return [f"--pidfile={folder}/{name}.pid", f"--log-file={folder}/{name}.log", "--no-chdir", "--detach",
            "-vconsole:off", "-vsyslog:off"]


def _run(node, command):
    done = subprocess.run(command, text=True, stdin=subprocess.DEVNULL, capture_output=True, env=environment(node), check=False)
    if done.returncode:
        raise LabError(f"{node.switch.name}: {command[0]}: {done.stderr.strip() or _last_log(node, command[0])}")


def _last_log(node, name):
    """The last words of a daemon that did not start."""
    try:
        return (node.rundir / f"{name}.log").read_text().splitlines()[-1]
    except (OSError, IndexError):
        return "did not start and left no log"


def _empty_database(folder):
    """A copy of one made per fabric: quicker than a process per switch."""
    template = folder.parent / "empty.db"
    with _template_lock:
        if not template.exists():
            new = folder.parent / "empty.db.new"
            new.unlink(missing_ok=True)
            subprocess.run(["ovsdb-tool", "create", new, SCHEMA], check=True, capture_output=True, text=True)
            new.replace(template)
    new = folder / "conf.db.new"
    shutil.copyfile(template, new)
    new.replace(folder / "conf.db")


def _initialised(node):
    """Whether an interrupted start got as far as the manager."""
    return any(row["manager_options"] != ["set", []] for row in select(node, "Open_vSwitch", ["manager_options"]))


def _remove_devices(node):
    """The taps a killed userspace datapath leaves behind."""
    doomed = [name for name in interfaces(node) if name in (*node.bridges, "ovs-netdev")]
    with netns.inside(node.namespace):
        netns.ip_batch([f"link del {name}" for name in doomed], force=True)


def interfaces(node):
    """Names of the interfaces in the node's namespace, without the control network's."""
    with netns.inside(node.namespace):
        return [name for _, name in socket.if_nameindex() if name not in ("lo", CONTROL_INTERFACE)]


@functools.cache
def _ovs_version():
    text = subprocess.run(["ovs-vswitchd", "--version"], text=True, capture_output=True, check=True).stdout
    return text.splitlines()[0].split()[-1]


@functools.cache
def _schema_version():
    return subprocess.run(["ovsdb-tool", "schema-version", SCHEMA], text=True, capture_output=True, check=True).stdout.strip()


@functools.cache
def _system():
    release = platform.freedesktop_os_release()
    return release.get("ID", "unknown"), release.get("VERSION_ID", "unknown")
