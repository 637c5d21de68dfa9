"""Reading NetBox, by answers in the form of NetBox 4.7.3 (netbox-answers.json; against_netbox.py can record a real one)."""
import contextlib
import copy
import json
import os
import re
import threading
import unittest
import urllib.parse
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest import mock

from daqfabric_inventory import checks, netbox, payload, reading
from daqfabric_inventory.problems import Failed
from daqlab_lib import generate

RECORDED = json.loads((Path(__file__).parent / "netbox-answers.json").read_text())
SMALL = generate.Size("small", planes=1, spines=1, pods=1, ros=1, racks=1, dcms=1, capacity=40, dcm_ports=True)
OLD, NEW = "0123456789abcdef", "nbt_key.secret"
PAGING = ("limit", "offset")


def split(address):
    """Path with query without paging, and the paging."""
    path, _, query = address.partition("?")
    parameters = urllib.parse.parse_qsl(query)
    asked = sorted(each for each in parameters if each[0] not in PAGING)
    return (path, tuple(asked)), {name: int(value) for name, value in parameters if name in PAGING}


class Replay(BaseHTTPRequestHandler):
    """Answers as in the file, two objects a page; its addresses are those of the server behind a proxy."""

    answers = {}
    seen = []

    def do_GET(self):
        self.seen.append(self.headers["Authorization"])
        what, paging = split(self.path)
        if self.headers["Authorization"] not in (f"Token {OLD}", f"Bearer {NEW}"):
            return self._say(403, {"detail": "Invalid token"})
        if what not in self.answers:
            return self._say(400, {"tag": ["Select a valid choice."]})
        results = self.answers[what]["results"]
        first = paging.get("offset", 0)
        query = urllib.parse.urlencode([*what[1], ("limit", "2"), ("offset", str(first + 2))])
        more = f"http://inside.example.org{what[0]}?{query}" if first + 2 < len(results) else None
        return self._say(200, {"count": len(results), "next": more, "previous": None, "results": results[first:first + 2]})

    def _say(self, status, document):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(document).encode())

    def log_message(self, *_):
        pass


class Elsewhere(BaseHTTPRequestHandler):
    """Sends its callers away, as a login page does."""

    def do_GET(self):
        self.send_response(302)
        self.send_header("Location", "http://127.0.0.1:1/login/")
        self.end_headers()

    def log_message(self, *_):
        pass


class NetBoxTest(unittest.TestCase):
    def setUp(self):
        self.answers = {split(address)[0]: copy.deepcopy(answer) for address, answer in RECORDED["answers"].items()}
        self.enterContext(mock.patch.dict(os.environ, {"no_proxy": "*"}))

    @contextlib.contextmanager
    def server(self, handler=Replay):
        with mock.patch.object(Replay, "answers", self.answers), mock.patch.object(Replay, "seen", []):
            server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                yield f"http://127.0.0.1:{server.server_port}"
            finally:
                server.shutdown()
                thread.join()
                server.server_close()

    def read(self, token=NEW, tag="small", handler=Replay):
        with self.server(handler) as url:
            inventory, findings, whole = reading.read(netbox.read(netbox.NetBox(url, token), tag))
            return inventory, [str(each) for each in findings + checks.check(inventory, whole)]

    def of(self, what):
        """The objects in the file."""
        return next(answer["results"] for (path, _), answer in self.answers.items() if path == f"/api/{what}/")

    def device(self, name):
        return next(device for device in self.of("dcim/devices") if device["name"] == name)

    def test_the_fabric(self):
        """Page by page, from the same server only, by tokens of both versions."""
        described = payload.inventory(generate.generate(SMALL)["daqfabric:fabric"][0])
        for token, header in ((OLD, f"Token {OLD}"), (NEW, f"Bearer {NEW}")):
            with self.server() as url:
                inventory, findings, _ = reading.read(netbox.read(netbox.NetBox(url, token), "small"))
                self.assertEqual({header}, set(Replay.seen))
            self.assertEqual([], findings)
            self.assertEqual(set(described.hosts), set(inventory.hosts))
            self.assertEqual({(cable.ends, cable.capacity) for cable in described.cables},
                             {(cable.ends, cable.capacity) for cable in inventory.cables})

    def test_an_interface_without_a_speed_has_that_of_its_type(self):
        for slug, gbps in (("100gbase-x-qsfp28", "100"), ("25gbase-x-sfp28", "25"), ("10gbase-t", "10"), ("1000base-t", "1"),
                           ("400gbase-x-qsfpdd", "400"), ("2.5gbase-t", "2.5"), ("100base-tx", "0.1"), ("800gbase-x-osfp", "800"),
                           ("1.6tbase-cr8", "1600"), ("40gbase-kr4", "40")):
            with self.subTest(slug):
                for interface in self.of("dcim/interfaces"):
                    interface |= {"speed": None, "type": {"value": slug}}
                inventory, findings = self.read()
                self.assertEqual([], [each for each in findings if "capacity" in each])
                self.assertEqual({Decimal(gbps)}, {cable.capacity for cable in inventory.cables})

    def test_a_speed_goes_before_the_type(self):
        for interface in self.of("dcim/interfaces"):
            interface |= {"speed": 25000000, "type": {"value": "100gbase-x-qsfp28"}}
        self.assertEqual({25}, {int(cable.capacity) for cable in self.read()[0].cables})

    def test_an_interface_that_tells_neither_is_a_mistake(self):
        """Of a cable between switches: that of a DCM has no capacity in a fabric."""
        uplink, = (each for each in self.of("dcim/interfaces") if (each["device"]["name"], each["name"]) == ("r1-1", "to-p1l1"))
        for slug in ("virtual", "other", "lag", "32gfc-sfp28", "ieee802.11ax", "infiniband-hdr", "sonet-oc48", "base-t"):
            with self.subTest(slug):
                for interface in self.of("dcim/interfaces"):
                    silent = interface is uplink or interface["device"]["name"] == "h1-1d1"
                    interface |= {"type": {"value": slug if silent else "40gbase-kr4"}, "speed": None}
                self.assertEqual([f"NetBox http://netbox.example.org/dcim/interfaces/{uplink['id']}/ (r1-1, to-p1l1), speed: a cable needs "
                                  f"the speed of this interface, which its type '{slug}' does not tell: enter the speed in NetBox"],
                                 self.read()[1])

    def test_places(self):
        """A mistake is told where a person corrects it."""
        page = "NetBox http://netbox.example.org/dcim/devices/"
        rack, spine, ros = (self.device(name) for name in ("h1-1", "p1s1", "r1-1"))
        rack["custom_fields"]["daqfabric_pod"] = None
        spine["custom_fields"]["daqfabric_spine"] = 0
        spine["role"]["slug"] = "spin"
        ros["name"] = None
        found = self.read()[1]
        for expected in (f"{page}{rack['id']}/ (h1-1), custom field daqfabric_pod: a rack needs its pod",
                         f"{page}{spine['id']}/, custom field daqfabric_spine: spine '0': must be a whole number from 1 to 65535",
                         f"{page}{spine['id']}/, role: there is no role 'spin'; did you mean 'spine'?",
                         f"{page}{ros['id']}/ ({ros['display']}), name: a ros needs its name"):
            self.assertIn(expected, found)

    def test_a_primary_address_takes_the_place_of_a_tagged_one(self):
        addresses = self.of("ipam/ip-addresses")
        ros = self.device("r1-1")
        mine, = (address for address in addresses if address["assigned_object"]["device"]["id"] == ros["id"])
        addresses.remove(mine)
        ros["primary_ip4"] = {"address": "10.9.9.9/24"}
        inventory, findings = self.read()
        self.assertEqual(([], "10.9.9.9"), (findings, next(host.address for host in inventory.hosts if host.name == "r1-1")))

    def test_an_ipv4_address_goes_before_one_of_ipv6(self):
        """Of those with the tag, and of primary ones: hosts with both are read as before there was IPv6 in fabrics."""
        addresses = self.of("ipam/ip-addresses")
        six = {address["assigned_object"]["device"]["name"]: copy.deepcopy(address) for address in addresses}
        for number, address in enumerate(six.values(), 1):
            address |= {"address": f"fd00::{number}/128", "family": {"value": 6, "label": "IPv6"}}
        four = list(addresses)
        addresses[:0] = six.values()
        self.assertEqual(({"10.1.1.1", "10.2.1.1"}, []), self.addresses())
        addresses[:] = six.values()
        self.assertEqual(({"fd00::1", "fd00::2"}, []), self.addresses())
        addresses[:] = [six["r1-1"], four[1]]
        found, (said,) = self.addresses()
        self.assertEqual({"fd00::1", "10.2.1.1"}, found)
        self.assertIn("is of another kind than that of", said)
        addresses.clear()
        for number, name in enumerate(("r1-1", "h1-1d1"), 1):
            self.device(name)["primary_ip6"] = {"address": f"fd00::1:{number}/64"}
        self.assertEqual(({"fd00::1:1", "fd00::1:2"}, []), self.addresses())
        for number, name in enumerate(("r1-1", "h1-1d1"), 1):
            self.device(name)["primary_ip4"] = {"address": f"10.9.9.{number}/24"}
        self.assertEqual(({"10.9.9.1", "10.9.9.2"}, []), self.addresses())

    def addresses(self):
        inventory, findings = self.read()
        return {host.address for host in inventory.hosts if host.address}, findings

    def test_refusals(self):
        for arguments, said in ((("wrong", "small"), "refuses the token (Invalid token)"), ((None, "small"), "set NETBOX_TOKEN"),
                                ((NEW, "nosuch"), "answers 400 to dcim/devices: tag: ['Select a valid choice.']"),
                                ((NEW, "small", Elsewhere), "sends on to http://127.0.0.1:1: if that is right")):
            with self.subTest(said), self.assertRaises(Failed) as failed:
                self.read(*arguments)
            self.assertIn(said, str(failed.exception))

    def test_addresses_of_every_form(self):
        for url in ("https://netbox.example.org", "http://[fd00:73::1]:8000/netbox", "http://[::1]", "http://10.0.0.1:8000"):
            netbox.NetBox(url, NEW)
        for url in ("http://[::1/x", "http://fd00:73::1", "http://fd00:73::1:8000", "http://x:99999", "http://x:y", "http://x:0", "http://",
                    "ftp://x", "netbox.example.org"):
            with self.subTest(url), self.assertRaisesRegex(Failed, f"NetBox {re.escape(url)}: is no address"):
                netbox.NetBox(url, NEW)

    def test_a_login_in_the_address(self):
        with self.assertRaises(Failed) as failed:
            netbox.NetBox("https://me:secret@netbox.example.org", NEW)
        self.assertNotIn("secret", str(failed.exception))
