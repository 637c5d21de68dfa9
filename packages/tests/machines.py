"""Machines for tests: Debian with its own systemd in a container, in an overlay over a clean root, on one control network.

The caller has mounts and a network of its own (scripts/test-packages): what is made here ends with it.
"""
import contextlib
import os
import shutil
import subprocess
import time
from pathlib import Path

import pages_walk
from . import ROOT

SUITE = os.environ.get("DAQ_SUITE", "bookworm")
PACKAGES = ROOT / "target/packages" / SUITE
BRIDGE = "control"
CGROUPS = Path("/sys/fs/cgroup")
READY = 30  # s for a machine to boot


class Machine:
    """One machine: a context manager that boots it and shuts it down."""

    def __init__(self, name, address, folder):
        self.name, self.address = name, address
        self._folder = Path(folder) / name
        self.root = self._folder / "root"
        self._nspawn = None

    def __enter__(self):
        for part in ("changes", "work", "root"):
            (self._folder / part).mkdir(parents=True, exist_ok=True)
        base = ROOT / ".cache/roots" / SUITE
        _run("mount", "-t", "overlay", "overlay", "-o",
             f"lowerdir={base},upperdir={self._folder}/changes,workdir={self._folder}/work", str(self.root))
        (self.root / "etc/hostname").write_text(self.name + "\n")
        (self.root / "etc/hosts").write_text(f"127.0.0.1 localhost\n127.0.1.1 {self.name}\n")
        (self.root / "etc/machine-id").write_text("")
        try:
            self._boot()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self._shut_down()
        _run("umount", str(self.root))
        shutil.rmtree(self._folder)

    def _boot(self):
        _bridge()
        inside, outside = f"{self.name}-in", f"{self.name}-out"
        _run("ip", "link", "add", inside, "type", "veth", "peer", "name", outside)
        _run("ip", "link", "set", outside, "master", BRIDGE, "up")
        group = CGROUPS / f"daqfabric-{os.getpid()}-{self.name}"
        group.mkdir(exist_ok=True)
        with open(self._folder / "console.log", "ab") as log:
            self._nspawn = subprocess.Popen(
                ["sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"', str(group), "systemd-nspawn", "--quiet",
                 f"--directory={self.root}", f"--machine={self.name}", "--register=no", "--keep-unit",
                 "--private-network", "--bind=/dev/net/tun", "--resolv-conf=off", "--link-journal=no",
                 "--console=pipe", "--boot", "systemd.unit=multi-user.target"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        self._wait_for(lambda: self.run("systemctl is-system-running", check=False).strip() in ("running", "degraded"), READY, "booted")
        _run("ip", "link", "set", inside, "netns", self.leader())
        _run("nsenter", "-t", self.leader(), "-n", "sh", "-ec",
             f"ip address add {self.address}/24 dev {inside}; ip link set {inside} up; ip link set lo up")

    def _shut_down(self):
        self.run("systemctl poweroff", check=False)
        try:
            self._nspawn.wait(timeout=90)
        except subprocess.TimeoutExpired:
            self._nspawn.kill()
            self._nspawn.wait()
            raise

    def restart(self):
        """Shuts it down and boots it."""
        self._shut_down()
        self._boot()

    def leader(self):
        """Process id of the machine's systemd."""
        pid = self._nspawn.pid
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0]

    def _inside(self, *command):
        return ["nsenter", "-t", self.leader(), "-m", "-u", "-i", "-n", "-p", "-r", "-w", "env", "-i",
                "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", *command]

    def run(self, script, check=True, stdin=None):
        """What a script prints, both outputs, as root in folder /root."""
        try:
            command = self._inside("sh", "-c", f"cd /root; {script}")
        except (IndexError, OSError):
            if check:
                raise
            return ""
        done = subprocess.run(command, input=stdin, stdin=None if stdin else subprocess.DEVNULL, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        if check and done.returncode:
            raise AssertionError(f"{self.name}: {script}: exit code {done.returncode}: {done.stdout}")
        return done.stdout

    def listening(self):
        """Addresses with ports where it listens to TCP."""
        out = subprocess.run(["nsenter", "-t", self.leader(), "-n", "ss", "-Hltn"], text=True, capture_output=True, check=True).stdout
        return sorted(line.split()[3].replace("[::ffff:", "").replace("]", "") for line in out.splitlines())

    def code(self, script):
        """The exit code of a script."""
        return subprocess.run(self._inside("sh", "-c", f"cd /root; {script}"), stdin=subprocess.DEVNULL, capture_output=True,
                              check=False).returncode

    def put(self, *files):
        """Copies files into the machine's /root."""
        for file in files:
            shutil.copy(file, self.root / "root")

    def walk(self, page, section, change=lambda text: text):
        """Follows a section of a page; returns what is wrong with it."""
        steps = pages_walk.steps(change((ROOT / page).read_text()), page, section)
        shell = pages_walk.Shell(self._inside("bash", "-c", "cd /root; exec bash"))
        try:
            return pages_walk.walk(steps, pages_walk.Place(), shell)
        finally:
            shell.close()

    def wait_for(self, script, seconds, what):
        """Until a script ends with 0."""
        self._wait_for(lambda: self.code(script) == 0, seconds, what, lambda: self.run(script, check=False))

    def _wait_for(self, condition, seconds, what, explain=lambda: ""):
        until = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > until or self._nspawn.poll() is not None:
                log = (self._folder / "console.log").read_text(errors="replace")[-2000:]
                raise AssertionError(f"{self.name} is not {what} after {seconds} s: {explain()}\n{log}")
            time.sleep(0.2)  # polling interval


@contextlib.contextmanager
def folder():
    """Where machines keep their files: on disk, as Java's distribution is unpacked there."""
    path = ROOT / "target/machines" / str(os.getpid())
    path.mkdir(parents=True)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def packages(*names):
    """The built packages of these names."""
    found = [PACKAGES.glob(f"{name}_*.deb") for name in names]
    return [str(file) for each in found for file in each]


def _bridge():
    if not Path(f"/sys/class/net/{BRIDGE}").exists():
        _run("ip", "link", "add", BRIDGE, "type", "bridge")
        _run("ip", "link", "set", BRIDGE, "up")


def _run(*command):
    subprocess.run(command, check=True)
