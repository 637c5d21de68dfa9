"""Configurations, and what is said of wrong ones."""
import re
import tempfile
import unittest
from pathlib import Path

from daqfabric_gateway.settings import Epics, OpcUa, Wrong, read_settings


class SettingsTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name, text in (("login", "watch:se:cret\n"), ("cert.pem", "-"), ("key.pem", "-"), ("two", "a:b\nc:d\n"), ("open", "a:b")):
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o644 if name == "open" else 0o640)

    def read(self, text):
        file = self.folder / "gateway.toml"
        file.write_text(text)
        return read_settings(file)

    def test_a_small_one_listens_on_loopback_only(self):
        found = self.read('login = "login"\n[epics]\n[opcua]\n')
        self.assertEqual((("http://127.0.0.1:8181/rests",), "watch:se:cret", None), (found.controllers, found.login, found.ca))
        self.assertEqual((Epics("DAQ", "127.0.0.1", 5075, 5076), OpcUa("127.0.0.1", 4840)), (found.epics, found.opcua))
        self.assertIsNone(self.read('login = "login"\n[epics]\nprefix = "LAB"\n').opcua)

    def test_addresses_of_every_form(self):
        for text, address in (("10.0.0.1", "10.0.0.1"), ("::1", "::1"), ("[fd00:73::1]", "fd00:73::1"), ("FD00:73:0::1", "fd00:73::1"),
                              ("0.0.0.0", "0.0.0.0"), ("::", "::"), ("control1.example.org", "control1.example.org")):
            found = self.read(f'login = "login"\n[epics]\naddress = "{text}"\n[opcua]\naddress = "{text}"\n')
            self.assertEqual((address, address), (found.epics.address, found.opcua.address))
        for text in ("", "[fd00:73::1", "fd00:73:::1", "[10.0.0.1]", "10.0.0.256", "10.0.0.1:5075", "[::1]:5075", "a b", "-x",
                     "fe80::1%eth0", "http://x"):
            for table in ("epics", "opcua"):
                with self.assertRaisesRegex(Wrong, f"{table}.address: {re.escape(repr(text))} is no address"):
                    self.read(f'login = "login"\n[{table}]\naddress = "{text}"\n')

    def test_passwords_are_not_shown(self):
        found = self.read('login = "login"\n[opcua]\nlogin = "login"\ncertificate = "cert.pem"\nprivate_key = "key.pem"\n')
        self.assertEqual("watch:se:cret", found.opcua.login)
        self.assertNotIn("cret", repr(found))

    def test_what_is_wrong_is_said_with_its_place(self):
        for text, expected in (
                ("x = ", "is not TOML"), ('login = "login"', "nothing is to be served"), ("[epics]", "login: name a file"),
                ('login = "none"\n[epics]', "login: there is no file"), ('login = "two"\n[epics]', "must have one line"),
                ('login = "open"\n[epics]', "everybody may read"), ('login = "login"\npoll = 1\n[epics]', "poll: there is no such setting"),
                ('login = "login"\n[epics]\nport = "5075"', "epics.port: must be a whole number"),
                ('login = "login"\n[epics]\nport = 70000', "epics.port: must be a port"),
                ('login = "login"\n[epics]\nprefix = ""', "epics.prefix: must not be empty"),
                ('login = "login"\ncontrollers = []\n[epics]', "controllers: must be a list"),
                ('login = "login"\n[opcua]\ncertificate = "cert.pem"', "certificate and private_key must be given together"),
                ('login = "login"\n[opcua]\nlogin = "login"', "opcua.login: needs certificate"),
                ('login = "login"\n[opcua]\ncertificate = "cert.pem"\nprivate_key = "open"', "opcua.private_key: everybody may read")):
            with self.assertRaisesRegex(Wrong, expected):
                self.read(text)
        with self.assertRaisesRegex(Wrong, "cannot be read"):
            read_settings(self.folder / "none.toml")
