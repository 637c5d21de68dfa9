"""Three controllers by addresses of IPv6 and by name, over TLS, in a network of their own.

Takes some minutes and 4 GB. Run as root, after `make build`: make test-cluster
"""
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from .cluster import BOOT, ROOT
from .support import eventually, needs_root
from daqlab_lib import netns, processes
from daqlab_lib.errors import LabError
from daqlab_lib.restconf import Restconf

NETWORK = "dq-ipv6"
HOSTS = Path("/etc/netns") / NETWORK / "hosts"  # for what runs in it: `ip netns exec`
NAME = "control3.daqfabric.test"
# the forms in which the pages let a member be given
MEMBERS = ("fd00:73::1", "[fd00:73::2]", NAME)
FABRIC = {"daqfabric:fabric": [{"name": "six"}]}


class Member:
    """A controller of the cluster, in the same network as the others: what only its machine reaches has ports of its own."""

    def __init__(self, folder, number):
        self.number = number
        self.given = MEMBERS[number - 1]
        self.address = f"fd00:73::{number}"
        self.home = folder / str(number)
        self.pki = folder / "pki"
        self.process = None
        self.second = None  # the port of the second RESTCONF server

    def make(self, built):
        self.home.mkdir()
        for entry in built.iterdir():
            subprocess.run(["cp", "-rl" if entry.name in ("system", "lib") else "-r", entry, self.home], check=True)
        self.run("bin/cluster", str(self.number), *MEMBERS)
        if not self.pki.exists():
            self.run("bin/certificates", self.pki, *MEMBERS[:2], f"{NAME},fd00:73::3")
        self.run("bin/tls", self.pki / self.given.strip("[]"))
        loopback = [line.split()[:2] for line in self.run("bin/ports").splitlines() if re.match("restconf2|ssh|jmx", line)]
        loopback = {name: int(port) + 100 * self.number for name, port in loopback}
        self.second = loopback["restconf2"]
        self.run("bin/ports", *(f"{name}={port}" for name, port in loopback.items()))
        for file, keys in (("org.daqfabric.cfg", "openflow-address|ovsdb-address"),
                           ("org.ops4j.pax.web.cfg", "jetty\\.host|org\\.ops4j\\.pax\\.web\\.listening\\.addresses")):
            settings = self.home / "etc" / file
            settings.write_text(re.sub(rf"^({keys}) *=.*", rf"\1={self.address}", settings.read_text(), flags=re.MULTILINE))
        accounts = self.home / "data/accounts"
        accounts.mkdir(parents=True)
        (accounts / "admin").write_text('user = "admin:admin"\n')

    def run(self, *command):
        done = subprocess.run(["ip", "netns", "exec", NETWORK, *command], cwd=self.home, capture_output=True, text=True, check=False)
        if done.returncode:
            raise AssertionError(f"{command}: {done.stdout}{done.stderr}")
        return done.stdout

    def start(self):
        java = re.search(r"^DAQ_JAVA=(.*)$", (ROOT / ".cache/env.sh").read_text(), re.MULTILINE)[1]
        with open(self.home / "console.log", "ab") as log:
            self.process = subprocess.Popen(
                ["ip", "netns", "exec", NETWORK, "bin/karaf", "server"], cwd=self.home, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True, env=os.environ | {"JAVA_HOME": java, "DAQFABRIC_HEAP": "1g"})

    def kill(self):
        """Its Java alone would be started again."""
        for pid in netns.processes_in([NETWORK]):
            if Path(f"/proc/{pid}/cwd").resolve() == self.home:
                processes.send(pid, signal.SIGKILL)

    def ask(self, path, send=lambda client, path: client.get(path)):
        """What it answers at its address; None if it does not."""
        try:
            with netns.inside(NETWORK):
                return send(Restconf(f"https://[{self.address}]:8181/rests", 5, self.pki / "ca.pem"), path)
        except LabError:
            return None

    def ask_second(self, scheme):
        """The status of its second RESTCONF server, by the name that is in every certificate; 0 without an answer."""
        asked = subprocess.run(
            ["ip", "netns", "exec", NETWORK, "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-m", "10", "-u", "admin:admin",
             "--cacert", self.pki / "ca.pem", "--connect-to", f"daqfabric-controller::127.0.0.1:{self.second}",
             f"{scheme}://daqfabric-controller/restconf/data/daqfabric-cluster:active?content=nonconfig"],
            capture_output=True, text=True, check=False)
        return int(asked.stdout)

    def active(self):
        """Whom it says to be active; None if it says nobody."""
        answer = self.ask("/data/daqfabric-cluster:active?content=nonconfig") or {}
        return answer.get("daqfabric-cluster:active", {}).get("member")


@needs_root
class Ipv6Test(unittest.TestCase):
    def setUp(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory(dir=ROOT / "target", prefix="ipv6-")))
        self.addCleanup(self.take_down)
        netns.ip_batch([f"netns add {NETWORK}"])
        with netns.inside(NETWORK):
            netns.ip_batch(["link set lo up", *(f"addr add fd00:73::{number}/128 dev lo nodad" for number in (1, 2, 3))])
        HOSTS.parent.mkdir(parents=True)
        HOSTS.write_text(f"127.0.0.1 localhost\n::1 localhost\nfd00:73::3 {NAME}\n")
        self.members = [Member(folder, number) for number in (1, 2, 3)]
        for each in self.members:
            each.make(ROOT / "karaf/target/assembly")

    def take_down(self):
        for pid in netns.processes_in([NETWORK]):
            processes.send(pid, signal.SIGKILL)
        for each in getattr(self, "members", []):
            if each.process:
                each.process.wait()
            log = each.home / "data/log/karaf.log"
            if log.exists():
                shutil.copy(log, ROOT / f"target/ipv6-{each.number}.log")
        eventually(lambda: not netns.processes_in([NETWORK]), "all have ended")
        netns.ip_batch([f"netns del {NETWORK}"], force=True)
        shutil.rmtree(HOSTS.parent, ignore_errors=True)

    def agree(self, members):
        """The number of the member that these say to be active; 0 if they do not agree."""
        said = {each.active() for each in members}
        return int(said.pop().rpartition("-")[2]) if len(said) == 1 and None not in said else 0

    def test_they_are_a_cluster(self):
        """They find each other, take a fabric anywhere, and another one goes on when the active one has died."""
        for each in self.members:
            each.start()
        eventually(lambda: self.agree(self.members), "all members agree who is active", BOOT)
        for each in self.members:
            self.assertEqual((each.ask_second("https"), each.ask_second("http")), (200, 0), f"member {each.number}")
        first = self.agree(self.members)
        standby = next(each for each in self.members if each.number != first)
        self.assertIsNotNone(standby.ask("", lambda client, path: client.put_fabric(FABRIC) or True))
        for each in self.members:
            eventually(lambda: each.ask("/data/daqfabric:fabrics/fabric=six?content=config") == FABRIC, f"member {each.number} has it", 30)
        self.members[first - 1].kill()
        left = [each for each in self.members if each.number != first]
        killed = time.monotonic()
        eventually(lambda: self.agree(left) not in (0, first), "another one is active", BOOT)
        print(f"    another one is active after {time.monotonic() - killed:.1f} s", flush=True)
