"""daqfabric-node beside NetworkManager and systemd-networkd, on a machine with nothing but Debian: scripts/test-packages."""
import unittest

from . import machines
from .machines import Machine, packages

PROFILE = "ip link set dev br-daq arp off\nip link set dev br-daq mtu 1500 up\nip address replace 10.7.1.1/32 dev br-daq\n" \
    "ip route replace 10.8.0.0/16 dev br-daq src 10.7.1.1\nip route replace 10.9.0.0/16 dev br-daq src 10.7.1.1 rto_min 20ms\n" \
    "ip neigh replace 10.8.0.1 lladdr 02:00:00:00:00:01 nud permanent dev br-daq\n"
CARD = "enp5s0"  # an ordinary name, of a port of the fabric
MANAGED = f"nmcli -t -f DEVICE,STATE device | grep '^{CARD}:connect'"
LEFT_ALONE = f"test $(nmcli -t -f DEVICE,STATE device | grep -c '^\\(br-daq\\|{CARD}\\):unmanaged') = 2"
UNMANAGED = f"test $(networkctl list --no-legend | grep -c '\\(br-daq\\|{CARD}\\) .* unmanaged') = 2"  # by networkd
# what a host often has: all interfaces are for DHCP
ALL = "[Match]\\nName=br-* en*\\n\\n[Network]\\nDHCP=yes\\n"


class NetworkManagersTest(unittest.TestCase):

    def test_left_alone(self):
        """The card is taken for DHCP before; then both programs leave card and bridge alone, until the profile is given up."""
        folder = self.enterContext(machines.folder())
        node = self.enterContext(Machine("node1", "10.0.0.2", folder))
        node.put(*packages("daqfabric-node"))
        node.run("apt-get install -y -qq ./daqfabric-node_*.deb network-manager")
        node.run(f"ip link add {CARD} type veth peer name far; ip link set far up; ip link set {CARD} up; "
                 "systemctl restart openvswitch-switch; "
                 "ovs-vsctl add-br br-daq -- set bridge br-daq datapath_type=netdev external_ids:daqfabric=first -- "
                 f"add-port br-daq {CARD}; systemctl restart NetworkManager")
        node.wait_for(MANAGED, 30, "taking the card for DHCP")

        node.run("daqfabric-node profile -", stdin=PROFILE)
        node.wait_for(LEFT_ALONE, 20, "leaving card and bridge alone")
        node.wait_for("daqfabric-node status", 10, "in force")
        node.run("nmcli networking off")
        node.run("ip route show dev br-daq | grep 10.8.0.0/16; ip neigh show dev br-daq | grep PERMANENT; nmcli networking on")
        node.wait_for(f"{LEFT_ALONE} && daqfabric-node status", 10, "in force")

        node.run(f"printf '{ALL}' > /etc/systemd/network/50-all.network; systemctl stop NetworkManager; systemctl start systemd-networkd")
        node.wait_for(UNMANAGED, 20, "leaving both alone")
        self.assertEqual(0, node.code("daqfabric-node status"), node.run("daqfabric-node status", check=False))
        # networkd of Debian 13 cannot remove a route with rto_min, and takes the whole interface for failed then
        for command in ("networkctl reconfigure br-daq || :", "systemctl restart systemd-networkd"):
            node.run(command)
            node.wait_for(UNMANAGED, 20, "leaving both alone")
            self.assertRegex(node.run("ip route show dev br-daq"), r"10\.8\.0\.0/16 [^\n]*\n10\.9\.0\.0/16 .*rto_min lock 20ms")
            self.assertEqual(0, node.code("daqfabric-node status"), node.run("daqfabric-node status", check=False))

        node.run("rm /etc/systemd/network/50-all.network; systemctl stop systemd-networkd; systemctl start NetworkManager")
        node.run("daqfabric-node profile none; "
                 "! ls /etc/NetworkManager/conf.d/daqfabric-node.conf /etc/systemd/network/00-daqfabric-node.network")
        node.wait_for(MANAGED, 30, "taking the card for DHCP again")
