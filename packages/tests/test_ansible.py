"""The Ansible role for nodes, against machines with nothing but Debian and Python: scripts/test-packages."""
import json
import os
import subprocess
import unittest

from . import ROOT, machines
from .machines import Machine, packages

PLAY = [{"hosts": "all", "gather_facts": False, "roles": ["daqfabric_node"]}]


class AnsibleTest(unittest.TestCase):
    """One controller, and a node that the role makes."""

    def setUp(self):
        self.folder = self.enterContext(machines.folder())
        self.controller = self.enterContext(Machine("control1", "10.0.0.1", self.folder))
        self.node = self.enterContext(Machine("node1", "10.0.0.2", self.folder))

    def play(self, **variables):
        """Plays the role; returns the node's counts and what Ansible printed."""
        play, inventory = self.folder / "play.yml", self.folder / "inventory.json"
        play.write_text(json.dumps(PLAY))
        inventory.write_text(json.dumps({"all": {"hosts": {"p1s1": {
            "ansible_connection": "machine", "machine_leader": self.node.leader(), "ansible_python_interpreter": "/usr/bin/python3",
            "daqfabric_packages": str(machines.PACKAGES), **variables}}}}))
        done = subprocess.run(
            ["ansible-playbook", "-i", str(inventory), str(play)], text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, check=False,
            env={**os.environ, "ANSIBLE_ROLES_PATH": str(ROOT / "packages/ansible/roles"), "ANSIBLE_NOCOLOR": "1",
                 "ANSIBLE_CONNECTION_PLUGINS": str(ROOT / "packages/tests/connection_plugins"), "HOME": str(self.folder)})
        recap = done.stdout.rpartition("PLAY RECAP")[2].partition("p1s1")[2]
        return {word.partition("=")[0]: int(word.partition("=")[2]) for word in recap.split() if "=" in word}, done.stdout

    def test_role(self):
        """The role installs and joins a node; a second time it changes nothing; what is missing is said."""
        self.controller.put(*packages("daqfabric", "daqfabric-java"))
        self.controller.run("apt-get install -y -qq ./*.deb && sed -i 's/^\\(openflow\\|ovsdb\\)-address=.*/\\1-address=10.0.0.1/' "
                            "/etc/daqfabric/org.daqfabric.cfg && systemctl restart daqfabric && daqfabric status 120")
        self.node.run("apt-get install -y -qq python3")
        counts, text = self.play()
        self.assertEqual(1, counts["failed"], text)
        self.assertIn("give daqfabric_controllers", text)

        # as an INI inventory and `-e` give it
        counts, text = self.play(daqfabric_controllers=["10.0.0.1"], daqfabric_openvswitch="false")
        self.assertEqual(0, counts["failed"], text)
        self.assertNotEqual(0, self.node.code("dpkg -s daqfabric-openvswitch"))

        counts, text = self.play(daqfabric_controllers=["10.0.0.1"])
        self.assertEqual(0, counts["failed"], text)
        self.assertGreater(counts["changed"], 0)
        self.node.wait_for("daqfabric-node status", 30, "connected")
        self.assertIn("with daqrings", self.node.run("daqfabric-node status"))
        self.controller.wait_for("daqfabric shell daqfabric:doctor | grep p1s1", 30, "aware of the node")

        counts, text = self.play(daqfabric_controllers=["10.0.0.1"])
        self.assertEqual((0, 0), (counts["failed"], counts["changed"]), text)
