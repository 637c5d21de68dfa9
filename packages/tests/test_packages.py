"""The Debian packages on machines with nothing but Debian: scripts/test-packages."""
import json
import unittest

from . import machines
from .machines import Machine, packages

PAGE = "docs/install.md"
FABRIC = {"daqfabric:fabric": [{
    "name": "first",
    "plane": [{"id": 1, "spine": [{"id": 1, "switch": "p1s1"}], "leaf": [{"pod": 1, "switch": "l1"}]}],
    "pod": [{"id": 1, "ros": [{"name": "r1", "address": "10.7.1.1", "switch": "r1"}]}],
    "switch": [{"name": "p1s1", "datapath-type": "netdev"}, {"name": "l1"}, {"name": "r1"}],
    "link": [{"switch": "l1", "port": "to-s1", "peer-switch": "p1s1", "peer-port": "to-l1"},
             {"switch": "r1", "port": "to-l1", "peer-switch": "l1", "peer-port": "to-r1"}]}]}
DATA = "http://127.0.0.1:8181/rests/data/daqfabric:fabrics/fabric=first"
CURL = "curl -s --noproxy '*' --fail-with-body -K /var/lib/daqfabric/data/accounts/admin -H 'Content-Type: application/yang-data+json'"
SETTING = "compare-interval=59"  # not the package's
SETTINGS = "/etc/daqfabric/org.daqfabric.cfg"


def of_suite(text):
    """The page for Debian 12 as it is for Debian 13, which has a Java of its own."""
    return text if machines.SUITE == "bookworm" else text.replace(" ./daqfabric-java_*.deb", "")


class PackagesTest(unittest.TestCase):
    """One controller and one node, from nothing to purge."""

    def setUp(self):
        folder = self.enterContext(machines.folder())
        self.controller = self.enterContext(Machine("control1", "10.0.0.1", folder))
        self.node = self.enterContext(Machine("node1", "10.0.0.2", folder))

    def test_by_the_page(self):
        """What docs/install.md says gets a controller and a node that find each other, and goes again without a trace."""
        self.controller.put(*packages("daqfabric", "daqfabric-java"))
        self.node.put(*packages("daqfabric-node", "daqfabric-openvswitch"))
        self.walk(self.controller, "A controller")
        self.walk(self.node, "A node", lambda text: text.partition("The controller knows the node now")[0])
        self.controller.wait_for("daqfabric shell daqfabric:doctor | grep p1s1", 30, "aware of the node")
        self.confined()
        self.fabric()
        self.by_name()
        self.load()
        self.node_restarts()
        self.profile()
        self.refusals()
        self.upgrade()
        self.leave()
        self.purge()

    def walk(self, machine, section, change=lambda text: text):
        self.assertEqual([], machine.walk(PAGE, section, lambda text: of_suite(change(text))))

    def confined(self):
        """The controller has a user of its own, and systemd finds little that it could do."""
        user = self.controller.run("ps -o user:20= -p $(systemctl show -P MainPID daqfabric)").strip()
        self.assertEqual("daqfabric", user)
        self.controller.run("systemd-analyze verify daqfabric.service && "
                            "systemd-analyze security --offline=yes --threshold=20 daqfabric.service")
        self.assertEqual("", self.controller.run("find /etc/daqfabric /usr/share/daqfabric -user daqfabric"))
        self.controller.run("grep -q 'org.daqfabric' /var/log/daqfabric/karaf.log")
        for path in ("/tmp/x.json", "/var/tmp/x.json", "/home/x.json"):  # of its own: nobody would find the file
            self.assertIn("PrivateTmp", self.controller.run(f"daqfabric shell daqfabric:backup {path}", check=False))
        self.controller.run("daqfabric shell daqfabric:backup x.json; rm /var/lib/daqfabric/x.json; ! ls -d /tmp/tmp")
        beyond = [each for each in self.controller.listening() if not each.startswith("127.")]
        self.assertEqual(["10.0.0.1:6640", "10.0.0.1:6653"], beyond)

    def fabric(self):
        """The controller makes the node's bridge, and programs it."""
        self.controller.run(f"{CURL} -X PUT {DATA} -d @-", stdin=json.dumps(FABRIC))
        self.node.wait_for("ovs-vsctl br-exists br-daq", 30, "given its bridge")
        wanted = '"ovsdb-connected":true,"openflow-connected":true'
        self.controller.wait_for(f"{CURL} '{DATA}/state/switch=p1s1?content=nonconfig&fields=ovsdb-connected;openflow-connected' | "
                                 f"tr -d ' \\n' | grep '{wanted}'", 30, "connected to the node")
        self.assertIn("bridge br-daq of fabric first", self.node.run("daqfabric-node status"))

    def by_name(self):
        """A controller may be given by name: the Open vSwitch of the package looks it up, for OVSDB and for OpenFlow."""
        self.node.run("ldd /usr/lib/daqfabric-openvswitch/ovs-vswitchd | grep libunbound")
        self.node.run("echo 10.0.0.1 control1 >> /etc/hosts; systemctl restart openvswitch-switch; daqfabric-node join control1")
        self.node.wait_for("daqfabric-node status", 30, "connected by name")
        self.assertIn("tcp:control1:6653: connected by OpenFlow", self.node.run("daqfabric-node status"))
        self.node.run("daqfabric-node join 10.0.0.1")
        self.node.wait_for("daqfabric-node status | grep tcp:10.0.0.1:6653 && daqfabric-node status", 30, "connected by address")

    def load(self):
        """The service that tells the load is confined and takes away what is not true: this node has no PMD thread."""
        self.node.run("systemd-analyze verify --man=no daqfabric-node-load.service && "
                      "systemd-analyze security --offline=yes --threshold=30 daqfabric-node-load.service")
        self.node.run("ovs-vsctl set Interface br-daq external_ids:daqfabric-queues=0:1:0:5:5")
        self.node.run("systemctl enable -q --now daqfabric-node-load")
        self.node.wait_for("! ovs-vsctl get Interface br-daq external_ids | grep daqfabric-queues", 20, "told its load")
        # systemd must not end the commands of the last change with the service: here they take long enough to be met
        self.node.run("""set -e; mkdir -p /opt/slow /run/systemd/system/daqfabric-node-load.service.d
            printf '#!/bin/sh\\nsleep 0.3\\nexec /usr/bin/ovs-vsctl "$@"\\n' > /opt/slow/ovs-vsctl; chmod +x /opt/slow/ovs-vsctl
            printf '[Service]\\nEnvironment=PATH=/opt/slow:/usr/bin\\n' > /run/systemd/system/daqfabric-node-load.service.d/slow.conf
            systemctl daemon-reload; systemctl restart daqfabric-node-load
            ovs-vsctl set Interface br-daq external_ids:daqfabric-queues=0:1:0:5:5""")
        self.node.run("systemctl disable -q --now daqfabric-node-load && ! systemctl is-failed daqfabric-node-load && "
                      "! journalctl -u daqfabric-node-load | grep 'daqfabric-node-load: '")
        self.node.run("! ovs-vsctl get Interface br-daq external_ids | grep daqfabric-queues; rm -r /opt/slow "
                      "/run/systemd/system/daqfabric-node-load.service.d; systemctl daemon-reload")

    def node_restarts(self):
        """Debian's service sets the system-id whenever it starts: it is the node's name."""
        self.node.restart()
        self.node.wait_for("daqfabric-node status", 30, "connected again")
        self.assertIn("p1s1", self.node.run("ovs-vsctl get open_vswitch . external_ids:system-id"))
        before = self.node.run("daqfabric-node status").splitlines()[0]
        self.assertIn("with daqrings", before)
        self.node.run("daqfabric-node join 10.0.0.1")
        self.assertEqual(before, self.node.run("daqfabric-node status").splitlines()[0])

    def profile(self):
        """What a profile sets is set again when its interface was made anew or changed, and when the host was restarted."""
        lines = "ip link set dev daq0 arp off\nip address replace 10.7.1.1/32 dev daq0\nip route replace 10.8.0.0/16 dev nosuch\n"
        self.node.run("daqfabric-node profile -", stdin=lines)
        for _ in range(2):
            self.node.run("ip link add daq0 type veth peer name daq1; ip link set daq0 up")
            self.node.wait_for("ip -o address show dev daq0 | grep 10.7.1.1/32", 20, "set up")
            self.assertIn("NOARP", self.node.run("ip link show dev daq0"))
            self.node.run("ip address flush dev daq0")
            self.node.wait_for("ip -o address show dev daq0 | grep 10.7.1.1/32", 5, "set up again")
            self.node.run("ip link del daq0")
        self.node.wait_for("daqfabric-node status | grep '^    nosuch does not exist'", 20, "telling what is missing")
        self.assertEqual(1, self.node.code("daqfabric-node status"))
        self.node.restart()
        self.node.run("ip link add daq0 type veth peer name daq1; ip link set daq0 up")
        self.node.wait_for("ip -o address show dev daq0 | grep 10.7.1.1/32", 20, "set up")
        self.node.run("systemctl kill -s STOP daqfabric-node; ip address flush dev daq0")
        self.node.wait_for("ip -o address show dev daq0 | grep 10.7.1.1/32", 120, "set up again, by a service started anew")
        self.node.run("daqfabric-node profile none")

    def refusals(self):
        """Each says what is wrong and what to do, and changes nothing."""
        for command, said in {
            "join --name 'a b' 10.0.0.1": "is no name of a switch",
            "join 10.0.0.1:99999": "is no controller",
            "join 10.0.0.1 10.0.0.1:6640": "given twice",
            "certificate /etc/hostname /etc/hostname": "has no key",
            "profile /etc/hostname": "no script of rpc host-profile",
        }.items():
            with self.subTest(command):
                self.assertEqual(2, self.node.code(f"daqfabric-node {command}"))
                self.assertIn(said, self.node.run(f"daqfabric-node {command}", check=False))
        self.node.run("ovs-vsctl -- --id=@m create Manager target='\"tcp:10.0.0.9:6640\"' -- add Open_vSwitch . manager_options @m")
        self.assertIn("add --replace", self.node.run("daqfabric-node join 10.0.0.1", check=False))
        self.node.run("daqfabric-node join --replace 10.0.0.1")
        self.assertEqual("tcp:10.0.0.1:6640\n", self.node.run("ovs-vsctl get-manager"))

    def upgrade(self):
        """A setting survives an upgrade; so does what is stored, and the bridge is not touched."""
        self.controller.run(f"sed -i 's/^compare-interval=.*/{SETTING}/' {SETTINGS}")
        bridge = self.node.run("ovs-vsctl get bridge br-daq _uuid external_ids")
        pid = self.node.run("cat /run/openvswitch/ovs-vswitchd.pid")
        self.newer(self.controller, "daqfabric", f"echo '# new' >> new{SETTINGS}")
        self.assertNotEqual(0, self.controller.code("apt-get install -y -qq ./new.deb"))  # asks about the file, and nobody answers
        self.assertRegex(self.controller.run("daqfabric status"), "version .* runs, 9999 is installed")
        self.controller.run("dpkg --force-confdef --force-confold --configure -a")
        self.upgrade_to_newer(self.node, "daqfabric-node", "daqfabric-openvswitch")
        self.controller.run("daqfabric status 120")
        self.assertIn(SETTING, self.controller.run("cat /etc/daqfabric/org.daqfabric.cfg"))
        self.assertIn("9999", self.controller.run("daqfabric status"))
        self.controller.wait_for(f"{CURL} '{DATA}?content=config'", 30, "showing what was stored")
        self.node.wait_for("daqfabric-node status", 30, "connected to the new one")
        self.assertEqual((bridge, pid), (self.node.run("ovs-vsctl get bridge br-daq _uuid external_ids"),
                                         self.node.run("cat /run/openvswitch/ovs-vswitchd.pid")))

    def upgrade_to_newer(self, machine, *names):
        """Installs the same packages with a higher version."""
        for name in names:
            self.newer(machine, name)
            machine.run("apt-get install -y -qq ./new.deb")

    def newer(self, machine, name, change=":"):
        """Makes new.deb, the same package with a higher version and a change, in the machine's own /root."""
        machine.run(f"""set -e; rm -rf new; dpkg-deb -R {name}_*.deb new; {change}
                sed -i 's/^Version: .*/Version: 9999/' new/DEBIAN/control
                if [ -f new/usr/share/daqfabric/version ]; then echo 9999 > new/usr/share/daqfabric/version; fi
                sed -i '/usr.share.daqfabric.version/d' new/DEBIAN/md5sums
                dpkg-deb --root-owner-group -Znone -b new new.deb
                rm -r new""")

    def leave(self):
        """The controller removes the bridge of a node that its fabric no longer names; then the node leaves."""
        self.controller.run(f"{CURL} -X DELETE {DATA}")
        self.node.wait_for("! ovs-vsctl br-exists br-daq", 30, "without the bridge")
        self.node.run("daqfabric-node leave")
        self.assertEqual("", self.node.run("ovs-vsctl get-manager"))
        self.assertNotIn("p1s1", self.node.run("ovs-vsctl get open_vswitch . external_ids:system-id"))
        self.assertIn("is no node", self.node.run("daqfabric-node status", check=False))

    def purge(self):
        """Removing keeps settings and data, purging neither; Debian's own daemon is back."""
        self.controller.run("apt-get remove -y -qq daqfabric")
        self.controller.run(f"grep '^{SETTING}' /etc/daqfabric/org.daqfabric.cfg && test -d /var/lib/daqfabric/segmented-journal")
        self.controller.run("apt-get purge -y -qq daqfabric")
        self.controller.run("! ls -d /etc/daqfabric /etc/default/daqfabric /var/lib/daqfabric /var/log/daqfabric /usr/share/daqfabric")
        self.node.run("apt-get purge -y -qq daqfabric-node daqfabric-openvswitch")
        self.node.run("! ls -d /var/lib/daqfabric-node /usr/lib/daqfabric-openvswitch")
        self.node.run("systemctl restart openvswitch-switch; ovs-vsctl show; ! ovs-appctl list-commands | grep daqring")
