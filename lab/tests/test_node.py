"""What `daqfabric-node keep` does on a host with real Open vSwitch, while others change what it has set."""
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from .support import LAB, eventually, needs_root

NODE = LAB.parent / "packages/daqfabric/daqfabric-node"
PROFILE = """\
# as of rpc host-profile, and a neighbour as a site may add it
ip link set dev br-daq arp off
ip link set dev br-daq mtu 1500 up
ip address replace 10.7.1.1/32 dev br-daq
ip address replace fd00::7/128 dev br-daq
ip route replace 10.8.0.0/31 dev br-daq src 10.7.1.1 rto_min 20ms quickack 1 congctl cubic
ip route replace 10.8.0.2/32 dev br-daq src 10.7.1.1 rto_min 20ms quickack 1 congctl cubic
ip route replace fd00:8::/64 dev br-daq src fd00::7 rto_min 20ms cwnd lock 2
ip neigh replace 10.8.0.1 lladdr 02:00:00:00:00:01 nud permanent dev br-daq
sysctl -w net.ipv4.tcp_slow_start_after_idle="0"
"""
PORT = "ip link add to-l1 type veth peer name peer; ip link set peer up; ip link set to-l1 up; ethtool -K to-l1 gro on"
BRIDGE = ("ovs-vsctl add-br br-daq -- set bridge br-daq datapath_type=netdev external_ids:daqfabric=first "
          "-- add-port br-daq to-l1")
# more than a socket holds
FLOOD = """
import socket
to = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
to.bind(("peer", 0))
room = to.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF)  # every socket's that asks for none, as Open vSwitch's
for _ in range(room // 1400 + 1):
    to.send(bytes(12) + b"\\x08\\x00" + bytes(1400))
"""
SECONDS = 3  # it takes a tenth of one; the machine may be busy
BACK = 1     # s in which what was taken away is back, where looking takes no more than a twentieth of that
SHOWN = (["-j", "address", "show", "br-daq"], ["route", "show", "dev", "br-daq"], ["-6", "route", "show", "dev", "br-daq"],
         ["neigh", "show", "dev", "br-daq", "nud", "permanent"])


class Host:
    """A host with a network, a /run and a /var/lib of its own, and Open vSwitch: a context manager."""

    def __enter__(self):
        self._holder = subprocess.Popen(
            ["unshare", "-nm", "--propagation", "private", "sh", "-ec",
             "mount -t tmpfs none /run; mount -t tmpfs none /var/lib; mkdir -p /run/ovs /var/lib/daqfabric-node; mount -t sysfs none /sys; "
             "for each in /etc/systemd/network /etc/NetworkManager; do [ ! -d $each ] || mount -t tmpfs none $each; done; "
             "ip link set lo up; echo ready; exec cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._holder.stdout.readline()
        self._environment = os.environ | dict.fromkeys(("OVS_RUNDIR", "OVS_DBDIR", "OVS_LOGDIR", "OVS_SYSCONFDIR"), "/run/ovs")
        self.daemons = []
        self.run("ovsdb-tool create /run/ovs/conf.db /usr/share/openvswitch/vswitch.ovsschema")
        self.daemons.append(self.start("ovsdb-server", "/run/ovs/conf.db", "--remote=punix:/run/ovs/db.sock"))
        try:
            eventually(lambda: self.run("ovs-vsctl --no-wait init", check=False) == "", "the database answers")
        except AssertionError:
            self.__exit__()
            raise
        self.daemons.append(self.start("ovs-vswitchd", "unix:/run/ovs/db.sock"))
        return self

    def __exit__(self, *_):
        for each in reversed(self.daemons):
            each.send_signal(signal.SIGCONT)
            each.kill()
            each.wait()
        self._holder.communicate()

    def _inside(self, *command):
        # the root and the folder, too: where tests run in a root of their own they are not those of the mounts
        return ["nsenter", "-t", str(self._holder.pid), "-n", "-m", "-r", "-w", *command]

    def run(self, script, check=True):
        done = subprocess.run(self._inside("sh", "-c", script), env=self._environment, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if check and done.returncode:
            raise AssertionError(f"{script}: exit code {done.returncode}: {done.stdout}")
        return done.stdout

    def start(self, *command, output=subprocess.DEVNULL):
        """nsenter executes the command: it is the process that is returned."""
        return subprocess.Popen(self._inside(*map(str, command)), env=self._environment, stdin=subprocess.DEVNULL, stdout=output,
                                stderr=subprocess.STDOUT)

    def put(self, path, text):
        subprocess.run(self._inside("sh", "-c", f"cat > {path}"), input=text, text=True, check=True)


@needs_root
class NodeTest(unittest.TestCase):
    """One host with a profile and a port, and the service."""

    def setUp(self):
        self.host = self.enterContext(Host())
        self.host.run(f"{PORT}; {BRIDGE}")
        self.host.put("/var/lib/daqfabric-node/profile.sh", PROFILE)
        self.host.put("/var/lib/daqfabric-node/node.json", json.dumps({"name": "h1", "managers": []}))
        self.log = Path(self.enterContext(tempfile.TemporaryDirectory()), "log")
        with open(self.log, "w", encoding="utf-8") as log:
            self.keep = self.host.start(NODE, "keep", output=log)
        self.addCleanup(self.end)
        eventually(lambda: self.answer() == "in force", "the profile is in force", 10)
        self.before = self.shown()

    def end(self):
        """It takes away what it has told."""
        self.keep.terminate()
        self.assertEqual(0, self.keep.wait(10), self.log.read_text())
        self.assertEqual("", self.answer())
        self.assertNotIn("drops", self.host.run("ovs-vsctl --columns=external_ids list Interface"))

    def status(self):
        """Exit code and output."""
        done = self.host.run(f"{NODE} status; echo code $?")
        return int(done.rpartition("code ")[2]), done

    def offload(self):
        return self.host.run("ethtool -k to-l1 | grep '^generic-receive-offload'", check=False).strip()

    def answer(self):
        return self.host.run("ovs-vsctl --if-exists get Open_vSwitch . external_ids:daqfabric-node").strip().strip('"')

    def shown(self):
        """Addresses, routes and neighbours as the kernel shows them, flags and mtu with them; no index, which may be another."""
        link, *rest = (self.host.run("ip " + " ".join(each), check=False) for each in SHOWN)
        if not link.startswith("["):
            return None
        found = next(each for each in json.loads(link) if each)
        addresses = sorted((each["local"], each["prefixlen"]) for each in found["addr_info"] if each["scope"] == "global")
        # what the kernel has made itself is not the profile's
        lines = [sorted(line for line in each.splitlines() if "proto kernel" not in line) for each in rest]
        return sorted(found["flags"]), found["mtu"], addresses, lines

    def test_put_back(self):
        """
        Whatever of the profile another program takes away is back within a second, on a busy machine as long as twenty looks of this
        test take; status says nothing then.
        """
        for change in ("ip route flush dev br-daq", "ip -6 route flush dev br-daq", "ip link set br-daq down",
                       "ip link set br-daq down; ip link set br-daq up", "ip address flush dev br-daq",
                       "ip neigh flush dev br-daq nud permanent",
                       # NetworkManager 1.42, networking off
                       "ip address flush dev br-daq; ip route flush dev br-daq; ip neigh flush dev br-daq nud permanent",
                       "ip link set br-daq arp on mtu 1400", "ip route replace 10.8.0.2/32 dev br-daq",
                       f"ovs-vsctl del-br br-daq; {BRIDGE}"):
            with self.subTest(change):
                self.host.run(change)
                began, looks = time.monotonic(), []
                while not looks or self.shown() != self.before:
                    looks.append(time.monotonic())
                    self.assertLess(looks[-1], began + 60, f"{change}: not within a minute")
                took, look = time.monotonic() - began, (time.monotonic() - began) / len(looks)
                self.assertLess(took, max(BACK, 20 * look), f"{change}: back after {took:.2f} s, a look takes {look:.3f} s")
                eventually(lambda: self.answer() == "in force", "told", SECONDS)
        self.assertIn("put back: routes of br-daq are gone: 10.8.0.0/31, 10.8.0.2/32", self.log.read_text())
        self.assertNotIn("another program", self.log.read_text())

    def test_status(self):
        """It compares what is: with the service stopped, it names what is gone, and its exit code says so."""
        self.host.run("rm /var/lib/daqfabric-node/node.json")  # of what has no controller
        self.assertEqual(0, self.status()[0], self.status()[1])
        self.keep.send_signal(signal.SIGSTOP)
        self.host.run("ip route flush dev br-daq; ethtool -K to-l1 gro on")
        self.assertNotIn("looked at them", self.status()[1])
        self.assertGreater(time.monotonic(), float(self.host.run("cat /run/daqfabric-node/looked")))
        self.host.put("/run/daqfabric-node/looked", f"{time.monotonic() - 60}\n")  # as after a minute
        code, text = self.status()
        self.assertEqual(1, code)
        self.assertRegex(text, "the service has not looked at them for 6[0-9] s, so it hangs: systemctl restart")
        self.assertIn("    routes of br-daq are gone: 10.8.0.0/31, 10.8.0.2/32\n", text)
        self.assertIn("    generic-receive-offload of to-l1 is on, not off\n", text)
        self.keep.send_signal(signal.SIGCONT)
        eventually(lambda: self.status()[0] == 0, "in force", SECONDS)

    def test_offloads(self):
        """Receive offload of a port that the userspace datapath reads is off, and off again when it or its device comes back."""
        self.assertEqual("generic-receive-offload: off", self.offload())
        self.host.run("ethtool -K to-l1 gro on")
        eventually(lambda: self.offload().endswith("off"), "off again", SECONDS)
        self.host.run(f"ip link del to-l1; {PORT}")
        eventually(lambda: self.offload().endswith("off"), "off on the new device", SECONDS)
        # a bridge of the kernel's datapath needs it, and one that is no fabric's is not ours
        self.host.run("ip link add other type veth peer name far; ethtool -K other gro on; "
                      "ovs-vsctl add-br br-other -- set bridge br-other datapath_type=netdev -- add-port br-other other")
        self.host.run("ethtool -K to-l1 gro on")
        eventually(lambda: self.offload().endswith("off"), "off again", SECONDS)
        self.assertIn("on", self.host.run("ethtool -k other | grep '^generic-receive-offload'"))

    def test_a_fight(self):
        """A program that takes routes away without end is opposed for a while, then seldom; it is said once, and to the controller."""
        until = time.monotonic() + 30
        while "another program" not in self.answer():
            self.assertLess(time.monotonic(), until, self.log.read_text())
            self.host.run("ip route flush dev br-daq")
            eventually(lambda: self.shown() == self.before or "another program" in self.answer(), "put back", SECONDS)
        self.host.run("ip route flush dev br-daq")
        eventually(lambda: self.answer().startswith("routes of br-daq are gone: 10.8.0.0/31"), "told", SECONDS)
        self.assertIn("another program goes on changing br-daq (routes of br-daq are gone: 10.8.0.0/31, 10.8.0.2/32)", self.answer())
        log = self.log.read_text()
        self.assertEqual(1, log.count("another program goes on"), log)
        self.host.run("ip address flush dev br-daq")  # which nobody fought for
        eventually(lambda: self.shown()[2] == self.before[2], "addresses are back", SECONDS)
        eventually(lambda: self.shown() == self.before, "routes are back later", 10)
        self.assertEqual(1, self.log.read_text().count("another program goes on"), log)

    def test_drops(self):
        """What a port's packet socket has no room for is in the database."""
        self.host.daemons[1].send_signal(signal.SIGSTOP)
        before = self.host.run("ss -0 -a -m -n | grep ':to-l1'")
        self.host.start("python3", "-c", FLOOD).wait(60)
        self.host.daemons[1].send_signal(signal.SIGCONT)
        dropped = int(self.host.run("ss -0 -a -m -n | grep ':to-l1'").rpartition(",d")[2].partition(")")[0])
        self.assertGreater(dropped, 0, before)
        key = "ovs-vsctl --if-exists get Interface to-l1 external_ids:daqfabric-socket-drops"
        eventually(lambda: self.host.run(key).strip() == f'"{dropped}"', "told", 15)
        self.assertRegex(self.host.run("ovs-vsctl get Interface br-daq external_ids:daqfabric-softnet-drops"), r'^"\d+"')


if __name__ == "__main__":
    unittest.main()
