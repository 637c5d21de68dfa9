"""The OCI image, in containers of podman: scripts/test-image."""
import json
import re
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IMAGE = "localhost/daqfabric"
COMPOSE = ROOT / "packages/image/compose.yaml"
MEMBERS = [1, 2, 3]
FABRIC = {"daqfabric:fabric": [{
    "name": "first", "plane": [{"id": 1, "spine": [{"id": 1, "switch": "s1"}], "leaf": [{"pod": 1, "switch": "l1"}]}],
    "pod": [{"id": 1, "ros": [{"name": "r1", "address": "10.7.1.1", "switch": "r1"}]}],
    "switch": [{"name": "s1"}, {"name": "l1"}, {"name": "r1"}],
    "link": [{"switch": "l1", "port": "to-s1", "peer-switch": "s1", "peer-port": "to-l1"},
             {"switch": "r1", "port": "to-l1", "peer-switch": "l1", "peer-port": "to-r1"}]}]}
START = 180  # s for three controllers to start on two busy processors


def run(*command, check=True):
    done = subprocess.run(command, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if check and done.returncode:
        raise AssertionError(f"{' '.join(command)}: exit code {done.returncode}: {done.stdout[-2000:]}")
    return done.stdout


def restconf(address, login, path, *arguments):
    """The answer, or None."""
    text = run("curl", "-s", "-m", "10", "--noproxy", "*", "-u", login, "-H", "Content-Type: application/yang-data+json",
               "-H", "Accept: application/yang-data+json", *arguments, f"http://{address}:8181/rests/data/{path}", check=False)
    try:
        return json.loads(text) if text else {}
    except ValueError:
        return None


def wait_for(condition, seconds, what):
    until = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > until:
            raise AssertionError(f"no {what} after {seconds} s:\n{run('podman', 'ps', '-a')}\n"
                                 + "\n".join(run("podman", "logs", "--tail", "15", name, check=False)
                                             for name in run("podman", "ps", "-aq").split()))
        time.sleep(0.5)  # polling interval
    return found


class ImageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        run("podman", "load", "-i", str(ROOT / "target/image/daqfabric.oci.tar"))

    def tearDown(self):
        run("podman", "rm", "-f", "settings", check=False)
        run("podman-compose", "-f", str(COMPOSE), "down", "-v", check=False)

    def test_three_controllers(self):
        """The compose file brings up a cluster; it takes a configuration, keeps it, and goes on without its active member."""
        run("podman-compose", "-f", str(COMPOSE), "up", "-d")
        active = wait_for(lambda: self.active(MEMBERS), START, "active member")
        self.assertEqual("daqfabric", run("podman", "exec", self.container(1), "id", "-un").strip())
        fabric = "daqfabric:fabrics/fabric=first"
        wait_for(lambda: self.restconf(1, fabric, "-X", "PUT", "-d", json.dumps(FABRIC)) == {}, 30, "configuration accepted")
        for member in MEMBERS:
            wait_for(lambda of=member: self.has_fabric(of), 30, f"fabric at control{member}")
        run("podman", "stop", "-t", "60", self.container(active))
        left = [member for member in MEMBERS if member != active]
        self.assertIn(wait_for(lambda: self.active(left), 60, "new active member"), left)
        self.assertTrue(self.has_fabric(left[0]))
        self.assertIn("is active", "".join(run("podman", "logs", self.container(member)) for member in left))

    def test_a_file_of_settings(self):
        """A file of the host takes the place of one of the image, and is only read."""
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        folder.chmod(0o755)
        file = folder / "org.daqfabric.cfg"
        file.write_text((ROOT / "features/daqfabric/src/main/config/org.daqfabric.cfg").read_text() + "\ncompare-interval=77\n")
        before = file.read_text()
        run("podman", "run", "-d", "--name", "settings", "-e", "DAQFABRIC_ADDRESS=127.0.0.2",
            "-v", f"{file}:/etc/daqfabric/org.daqfabric.cfg:ro", IMAGE)
        # what the controller works with, made just before it starts
        wait_for(lambda: re.search(r"^openflow-address=127.0.0.2$(?s:.*)^compare-interval=77$",
                                   run("podman", "exec", "settings", "cat", "/var/lib/daqfabric/etc/org.daqfabric.cfg", check=False),
                                   re.MULTILINE), 30, "settings of the file")
        self.assertEqual(before, file.read_text())

    def has_fabric(self, member):
        return "daqfabric:fabric" in (self.restconf(member, "daqfabric:fabrics/fabric=first?content=config") or {})

    def restconf(self, member, *arguments):
        return restconf(self.address(member), self.login(member), *arguments)

    def login(self, member):
        """What the first start of a member has made, or none yet."""
        text = run("podman", "exec", self.container(member), "cat", "/var/lib/daqfabric/data/accounts/admin", check=False)
        found = re.search(r'^user = "(admin:.+)"$', text, re.MULTILINE)
        return found[1] if found else "admin:"

    @staticmethod
    def container(number):
        """The name of a member's container."""
        return next(name for name in run("podman", "ps", "-a", "--format", "{{.Names}}").split() if f"control{number}" in name)

    def address(self, member):
        """A member's address in the network of the containers."""
        return run("podman", "inspect", "--format", "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}",
                   self.container(member)).strip()

    def active(self, members):
        """The number of the active member, if one of these is."""
        for member in members:
            found = (self.restconf(member, "daqfabric-cluster:active?content=nonconfig") or {}).get("daqfabric-cluster:active", {})
            number = int(found.get("member", "member-0").removeprefix("member-"))
            if number in members:
                return number
        return None
