"""daqfabric-node without a kernel and without Open vSwitch: what it compares, how long it fights, what it writes."""
import json
import os
import random
import signal
import socket
import struct
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "daqfabric"))

from daqfabric_node import events, keeping, ledger, others, ports, service, settings
from daqfabric_node.kernel import Kernel
from daqfabric_node.system import Refused

PROFILE = """\
# arp: off
ip link set dev br-daq arp off
ip link set dev br-daq mtu 9000 up
ip address replace 10.7.1.1/32 dev br-daq
ip route replace 10.8.0.0/31 dev br-daq src 10.7.1.1 rto_min 20ms cwnd lock 2 congctl cubic
ip route replace 10.8.0.2/32 dev br-daq src 10.7.1.1 rto_min 20ms cwnd lock 2 congctl cubic
sysctl -w net.ipv4.tcp_rmem="4096 131072 6291456"
ethtool -C to-l1 adaptive-rx off rx-usecs 50
ethtool -A to-l1 autoneg off rx off tx off
ethtool -G to-l1 rx 4096
for each in /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor; do [ ! -w $each ] || echo performance > $each; done
"""
LINKS = [{"ifindex": 7, "ifname": "br-daq", "flags": ["NOARP", "UP"], "mtu": 9000, "address": "02:00:00:00:00:01",
          "txqlen": 1000, "addr_info": [{"local": "10.7.1.1", "prefixlen": 32}]},
         {"ifindex": 8, "ifname": "to-l1", "flags": ["UP"], "mtu": 9000, "address": "02:00:00:00:00:02",
          "txqlen": 1000, "addr_info": []}]
# what ethtool 6.1 prints for a card with all of it
CARD = {
    ("ethtool", "-a", "to-l1"): "Pause parameters for to-l1:\nAutonegotiate:\toff\nRX:\t\toff\nTX:\t\toff\n\n",
    ("ethtool", "-c", "to-l1"): "Coalesce parameters for to-l1:\nAdaptive RX: off  TX: on\nstats-block-usecs:\tn/a\n\n"
                                "rx-usecs:\t50\nrx-frames:\t128\nrx-usecs-irq:\tn/a\n",
    ("ethtool", "-g", "to-l1"): "Ring parameters for to-l1:\nPre-set maximums:\nRX:\t\t8192\nRX Mini:\tn/a\nTX:\t\t8192\n"
                                "Current hardware settings:\nRX:\t\t4096\nRX Mini:\tn/a\nTX:\t\t1024\n",
    ("ethtool", "-k", "to-l1"): "Features for to-l1:\nrx-checksumming: on\ngeneric-receive-offload: off\n"
                                "large-receive-offload: on [fixed]\nrx-gro-hw: off [requested on]\n"}
HOST = {("ip", "-j", "address", "show"): json.dumps(LINKS),
        ("ip", "route", "show", "dev", "br-daq"): "10.8.0.0/31 scope link src 10.7.1.1 cwnd lock 2 rto_min lock 20ms congctl cubic \n"
                                                  "10.8.0.2 scope link src 10.7.1.1 cwnd lock 2 rto_min lock 20ms congctl cubic \n", **CARD}


def kernel(answers=None, rmem="4096 131072 6291456", governors=("performance",)):
    """A kernel with what the profile sets, but for some answers."""
    recorded = HOST | (answers or {})
    return Kernel(lambda *command: recorded.get(command, ""), lambda _: rmem, lambda _: set(governors))


def told(text, *answers, **values):
    return settings.told(settings.differences(settings.commands(text), kernel(*answers, **values)))


class Settings(unittest.TestCase):
    def test_in_force(self):
        """All that the profile sets is there, in the kernel's own way to write it."""
        self.assertEqual([], told(PROFILE))
        self.assertTrue(all(each.compared() for each in settings.commands(PROFILE)))

    def test_what_differs(self):
        """The first words name the cause."""
        def links(**changes):
            return {("ip", "-j", "address", "show"): json.dumps([{**LINKS[0], **changes}, LINKS[1]])}

        routes = ("ip", "route", "show", "dev", "br-daq")
        for answers, texts in (
                (links(flags=["NOARP"]), ["br-daq is down"]),
                (links(flags=["UP"]), ["br-daq has ARP on"]),
                (links(mtu=1500), ["br-daq has an mtu of 1500, not 9000"]),
                (links(addr_info=[]), ["address 10.7.1.1/32 of br-daq gone"]),
                ({routes: ""}, ["routes of br-daq are gone: 10.8.0.0/31, 10.8.0.2/32"]),
                ({routes: HOST[routes].replace("rto_min lock 20ms", "")},
                 [f"route {each} of br-daq has rto_min not set, not 20ms" for each in ("10.8.0.0/31", "10.8.0.2/32")]),
                ({("ethtool", "-c", "to-l1"): CARD["ethtool", "-c", "to-l1"].replace("RX: off", "RX: on")},
                 ["adaptive-rx of to-l1 is on, not off"]),
                ({("ethtool", "-a", "to-l1"): CARD["ethtool", "-a", "to-l1"].replace("TX:\t\toff", "TX:\t\ton")},
                 ["tx of to-l1 is on, not off"]),
                ({("ethtool", "-g", "to-l1"): CARD["ethtool", "-g", "to-l1"].replace("4096", "512")}, ["rx of to-l1 is 512, not 4096"]),
                ({("ethtool", "-a", "to-l1"): ""}, []),  # a veth pair has none
                ({("ip", "-j", "address", "show"): json.dumps(LINKS[1:])}, ["br-daq does not exist"])):
            with self.subTest(texts):
                self.assertEqual(texts, told(PROFILE, answers))
        self.assertEqual(["net.ipv4.tcp_rmem is 4096 87380 6291456, not 4096 131072 6291456"],
                         told(PROFILE, rmem="4096 87380 6291456"))

        self.assertEqual(["scaling_governor is powersave, not performance"], told(PROFILE, governors=("performance", "powersave")))
        self.assertEqual([], told(PROFILE, governors=()))  # of a virtual machine

    def test_largest_ring(self):
        """As rpc host-profile writes it; of a card that does not tell its largest one nothing is known."""
        line = "ethtool -G to-l1 rx $(ethtool -g to-l1 | awk '/^RX:/{print $2; exit}')"
        self.assertEqual(["rx of to-l1 is 4096, not 8192"], told(line))
        rings = CARD["ethtool", "-g", "to-l1"]
        self.assertEqual([], told(line, {("ethtool", "-g", "to-l1"): rings.replace("4096", "8192")}))
        self.assertEqual([], told(line, {("ethtool", "-g", "to-l1"): rings.replace("RX:\t\t8192", "RX:\t\tn/a")}))
        self.assertEqual([], told(line, {("ethtool", "-g", "to-l1"): ""}))

    def test_offloads(self):
        """What a card cannot change is not asked of it; what it does not say is not either."""
        wanted = [settings.offloads_off("to-l1")]
        self.assertEqual([], settings.differences(wanted, kernel()))
        on = {("ethtool", "-k", "to-l1"): "Features for to-l1:\ngeneric-receive-offload: on\n"}
        self.assertEqual(["generic-receive-offload of to-l1 is on, not off"], settings.told(settings.differences(wanted, kernel(on))))

    def test_many_routes(self):
        lines = "".join(f"ip route replace 10.8.{each}.0/24 dev br-daq\n" for each in range(9))
        self.assertEqual(["routes of br-daq are gone: 10.8.0.0/24, 10.8.1.0/24, 10.8.2.0/24 and 6 more"], told(lines))


class Fights(unittest.TestCase):
    def test_bounded(self):
        """However often something is taken away, it is put back BURST times immediately and at most every MOST seconds in the end."""
        for seed in range(50):
            choose, patience, now, done = random.Random(seed), keeping.Patience(), 0.0, []
            while now < 1000:
                now += choose.uniform(0.01, 1)
                if patience.wait(now) <= 0:
                    patience.put_back(now)
                    done.append(now)
            late = [each for each in done if each > 500]
            self.assertLessEqual(len(late), 500 / keeping.MOST + 1, seed)
            self.assertLessEqual(sum(each < keeping.WINDOW for each in done), keeping.BURST + 4, seed)

    def test_now_and_then(self):
        """What is taken away every ten seconds or more seldom is put back immediately, for ever."""
        patience = keeping.Patience()
        for each in range(100):
            self.assertEqual(0, patience.wait(each * 10.5))
            self.assertFalse(patience.put_back(each * 10.5))

    def test_peace(self):
        """After a fight has ended it is put back immediately again."""
        patience = keeping.Patience()
        self.assertEqual(1, sum([patience.put_back(each / 4) for each in range(20)]))
        self.assertFalse(patience.is_over(5))
        self.assertTrue(patience.is_over(200))
        self.assertFalse(patience.put_back(200))
        self.assertEqual(0, patience.wait(200.1))

    def test_a_command_that_fails(self):
        """It is no fight, is said once, and is left over."""
        self.enterContext(mock.patch.object(keeping, "AGAIN", 0))
        said, now = [], [0.0]
        keeper = keeping.Keeper(lambda: kernel({("ip", "route", "show", "dev", "br-daq"): ""}), lambda _: "no such thing", said.append,
                                lambda: now[0])
        for _ in range(200):
            keeper.look(settings.commands("ip route replace 10.8.0.0/31 dev br-daq"))
            now[0] += 1
        self.assertEqual(["failed: ip route replace 10.8.0.0/31 dev br-daq: no such thing", "br-daq: 1 settings made"], said)
        self.assertEqual(["routes of br-daq are gone: 10.8.0.0/31"], keeper.left)


class Events(unittest.TestCase):
    def message(self, kind, body):
        return struct.pack("=IHHII", 16 + len(body), kind, 0, 0, 0) + body + bytes(-len(body) % 4)

    def test_which_concern(self):
        address = struct.pack("=BBBBI", 2, 32, 0, 0, 7)
        learned, permanent = (struct.pack("=BBHIHBB", 2, 0, 0, 7, state, 0, 0) for state in (0x2, 0x80))
        route = struct.pack("=BBBBBBBBI", 2, 32, 0, 0, 254, 4, 0, 1, 0) + struct.pack("=HHI", 8, 1, 1) + struct.pack("=HHI", 8, 4, 7)
        for kind, body, mine in ((events.NEW_ADDRESS, address, True), (events.DEL_NEIGHBOUR, permanent, True),
                                 (events.NEW_NEIGHBOUR, learned, False), (events.DEL_ROUTE, route, True), (99, address, False)):
            with self.subTest(kind=kind, mine=mine):
                data = self.message(kind, body)
                self.assertEqual(mine, events.concerns(data, {7}))
                self.assertFalse(events.concerns(data, {8}))
                self.assertEqual(mine, events.concerns(self.message(99, b"x") + data, {7}))
        self.assertTrue(events.concerns(self.message(events.NEW_LINK, bytes(16)), ()))


BRIDGES = [{"name": "br-daq", "external_ids": {"daqfabric": "first"}, "datapath_type": "netdev",
            "ports": [["uuid", "p1"], ["uuid", "p2"], ["uuid", "p3"]]},
           {"name": "br-kernel", "external_ids": {"daqfabric": "first"}, "datapath_type": "", "ports": ["uuid", "p4"]},
           {"name": "br-other", "external_ids": {}, "datapath_type": "netdev", "ports": ["uuid", "p5"]}]
PORTS = [{"_uuid": ["uuid", f"p{each}"], "interfaces": ["uuid", f"i{each}"]} for each in range(1, 6)]
TYPES = {"br-daq": "internal", "to-l1": "", "to-l2": "dpdk", "to-l3": "system", "eth0": ""}
INTERFACES = [{"_uuid": ["uuid", f"i{number}"], "name": name, "type": kind, "external_ids": {}}
              for number, (name, kind) in enumerate(TYPES.items(), 1)]
# of ss of iproute2 6.1: a port that Open vSwitch reads, the same one with a capture, and one whose bridge is no fabric's
SOCKETS = """\
Netid State  Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
p_raw UNCONN 0      0                  *:to-l1            *
\tbpf filter (4):  0x28 0 0 4294963204, 0x15 0 1 4, 0x06 0 0 0, 0x06 0 0 65535, skmem:(r0,rb8388608,t0,tb8388608,f0,w0,o176,bl0,d1711)
p_raw UNCONN 0      0                  *:to-l1            *     skmem:(r0,rb212992,t0,tb212992,f0,w0,o0,bl0,d99)
p_raw UNCONN 0      0                  *:eth0             *
\tbpf filter (4):  0x28 0 0 4294963204, 0x15 0 1 4, 0x06 0 0 0, 0x06 0 0 262144, skmem:(r0,rb8388608,t0,tb8388608,f0,w0,o176,bl0,d3)
"""
SOFTNET = "0000000d 0000000a 00000000\n00007b40 00000001 00000000\n"


class Ports(unittest.TestCase):
    def test_ours(self):
        """Bridges of fabrics and their ports; of these, ports of a userspace datapath that the kernel has."""
        switch = ports.of(BRIDGES, PORTS, INTERFACES)
        self.assertEqual({"br-daq": "first", "br-kernel": "first"}, switch.bridges)
        self.assertEqual(("br-daq", "br-kernel", "to-l1", "to-l3"), switch.devices)
        self.assertEqual(("to-l1",), switch.userspace)

    def test_drops(self):
        """Drops of Open vSwitch's sockets, not of a capture's; of processors all together, at each bridge."""
        switch = ports.of(BRIDGES, PORTS, INTERFACES)
        self.assertEqual({"to-l1": {ledger.SOCKETS: "1711"}, "br-daq": {ledger.HOST: "11"}, "br-kernel": {ledger.HOST: "11"}},
                         ledger.drops(switch, SOCKETS, SOFTNET))

    def test_writes_what_is_different(self):
        commands = ports.words({"a": {"k": "1"}, "gone": {"k": "1"}}, {"a": {"k": "0", "other": "x"}, "b": {"k": "3"}, "c": {}}, ("k",))
        self.assertEqual("-- --if-exists set Interface a external_ids:k=\"1\" -- --if-exists remove Interface b external_ids k",
                         " ".join(commands))


class Others(unittest.TestCase):
    def test_told_once(self):
        """A file is written, not written again, changed and taken away; a name with a sign that means something is left out."""
        lines = ("unmanaged-devices+=interface-name:=br-daq;interface-name:=to-l1", "Name=br-daq to-l1")
        with tempfile.TemporaryDirectory() as folder:
            for each, line in zip(others.MANAGERS, lines):
                file = Path(folder, each.file.name)
                manager = others.Manager(each.name, "no-such.service", file, each._text, each._named, each._listing)
                self.assertFalse(manager.tell([]))
                self.assertTrue(manager.tell(["br-daq", "to-l1", "a;b", "*"]))
                self.assertIn(line, file.read_text().splitlines())
                self.assertFalse(manager.tell(["br-daq", "to-l1"]))
                self.assertTrue(manager.tell(["br-daq"]))
                self.assertTrue(manager.tell([]))
                self.assertEqual([], list(Path(folder).iterdir()))

    def test_before_the_profile(self):
        """
        systemd-networkd (257) takes away all that is on an interface when it gives it up, so it must have done that before the
        profile is put in force; also if Open vSwitch does not answer. Interfaces that were told before stay told.
        """
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        managers = [others.Manager(each.name, "no-such.service", folder / each.file.name, each._text, each._named, each._listing)
                    for each in others.MANAGERS]
        for each in managers:
            each.tell(["to-l1"])
        (folder / "profile.sh").write_text("ip link set dev br-daq arp off\n")
        seen = []

        class Looking:
            left, failed = (), {}

            def __init__(self, say):
                pass

            def look(self, _wanted):
                seen.append([each.file.read_text() for each in managers])
                running._stop()

            def indices(self):
                return ()

        silent = mock.patch.object(ports.Switch, "read", side_effect=Refused("Open vSwitch does not answer"))
        for each in (mock.patch.object(others, "MANAGERS", managers), mock.patch.object(service, "PROFILE", folder / "profile.sh"),
                     mock.patch.object(service, "JOINED", folder / "none"), mock.patch.object(service, "STATE", folder / "none"),
                     mock.patch.object(service, "LOOKED", folder / "run/looked"), mock.patch.object(service, "Keeper", Looking),
                     mock.patch.object(service, "say", lambda _: None), silent):
            self.enterContext(each)
        for number in (signal.SIGTERM, signal.SIGINT):
            self.addCleanup(signal.signal, number, signal.getsignal(number))
        self.addCleanup(signal.set_wakeup_fd, -1)
        running = service.Service()
        for each in (running._wake, running._waker):
            self.addCleanup(each.close)
        running.run()
        self.assertEqual(["unmanaged-devices+=interface-name:=br-daq;interface-name:=to-l1", "Name=br-daq to-l1"],
                         [line for text in seen[0] for line in text.splitlines() if "br-daq" in line])
        self.assertIn("Unmanaged=yes", seen[0][1])

    def test_a_service_that_hangs(self):
        """It is active for systemd; status knows since when it has not looked, by the clock that nobody sets."""
        looked = Path(self.enterContext(tempfile.TemporaryDirectory()), "looked")
        self.enterContext(mock.patch.object(service, "LOOKED", looked))
        running = self.enterContext(mock.patch.object(service, "is_running", return_value=True))
        self.assertEqual([], service.not_kept())
        for ago, words in ((0, ""), (service.LATE - 1, ""), (service.LATE + 1, f"has not looked at them for {service.LATE + 1} s"),
                           (86400, "has not looked at them for 86400 s, so it hangs: systemctl restart")):
            with mock.patch.object(service.time, "monotonic", return_value=100_000.0):
                looked.write_text(f"{100_000.0 - ago}\n")
                self.assertIn(words, "".join(service.not_kept()), ago)
                self.assertEqual(bool(words), bool(service.not_kept()), ago)
        looked.write_text("")
        self.assertEqual([], service.not_kept())
        running.return_value = False
        self.assertEqual([f"nothing keeps them: systemctl restart {service.UNIT}"], service.not_kept())

    def test_systemd_is_told_that_it_works(self):
        """As systemd starts the service anew otherwise; by the name of a socket in either form, and nobody where there is none."""
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name in (str(folder / "notify"), f"@{folder}/notify"):
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
                systemd.bind(name.replace("@", "\0"))
                with mock.patch.dict(os.environ, NOTIFY_SOCKET=name):
                    service.watchdog()
                self.assertEqual(b"WATCHDOG=1", systemd.recv(100))
            with mock.patch.dict(os.environ, NOTIFY_SOCKET=name):
                service.watchdog()  # nobody is there


if __name__ == "__main__":
    unittest.main()
