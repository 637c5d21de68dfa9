"""Package daqfabric-inventory on a machine with nothing but Debian."""
import json
import unittest

from . import machines
from .machines import Machine, packages
from .test_packages import FABRIC


class InventoryTest(unittest.TestCase):

    def test_from_nothing_to_purge(self):
        """It works with tables of both kinds by Debian's own Python, has its page, and goes without a trace."""
        folder = self.enterContext(machines.folder())
        machine = self.enterContext(Machine("desk", "10.0.0.3", folder))
        machine.put(*packages("daqfabric-inventory"))
        machine.run("apt-get install -y -qq ./daqfabric-inventory_*.deb")
        self.assertIn("3 hosts, 2 cables", machine.run("daqfabric-inventory tables - -o tables", stdin=json.dumps(FABRIC)))
        self.assertIn("no mistake", machine.run("daqfabric-inventory check tables --fabric first"))
        machine.run("cat > first.yaml", stdin=json.dumps({"hosts": [{"name": "s1", "role": "spine", "plane": 1, "spine": 1}]}))
        self.assertIn("no mistake", machine.run("daqfabric-inventory check first.yaml --fabric first"))
        machine.run("apt-get purge -y -qq daqfabric-inventory")
        machine.run("! ls -d /usr/share/daqfabric-inventory /usr/bin/daqfabric-inventory")
