"""The configuration is read whole, and secrets come from where they are kept."""
import os
import tempfile
import unittest
from unittest import mock

from constellation.core.configuration import Configuration, ConfigurationError

from daqfabric_constellation.settings import Settings

LEAST = {"user": "shift", "password": "secret", "partition": "physics"}


class SettingsTest(unittest.TestCase):
    def test_least(self):
        settings = Settings.of(Configuration(dict(LEAST)))
        self.assertEqual("http://127.0.0.1:8181/rests", settings.url)
        self.assertEqual({}, settings.prepare())

    def test_all_of_it_reaches_prepare(self):
        settings = Settings.of(Configuration(LEAST | {
            "fabric": "prototype", "run_type": "cosmics", "ros": ["r1-1"], "dcm": ["h1-1d1", "h1-1d2"],
            "required_bandwidth": 9.5, "accept_degraded": True}))
        self.assertEqual({"fabric": "prototype", "run-type": "cosmics", "ros": ["r1-1"], "dcm": ["h1-1d1", "h1-1d2"],
                          "required-bandwidth": "9.500000"}, settings.prepare())
        self.assertTrue(settings.accept_degraded)

    def test_password_from_a_file(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("from a file\n")
            file.flush()
            config = {"user": "shift", "password_file": file.name, "partition": "physics"}
            self.assertEqual("from a file", Settings.of(Configuration(config)).password)
            self.refused("`password` too", LEAST | {"password_file": file.name})

    def test_login_from_the_environment(self):
        with mock.patch.dict(os.environ, DAQFABRIC_USER="me", DAQFABRIC_PASSWORD="hidden"):
            settings = Settings.of(Configuration({"partition": "physics"}))
        self.assertEqual(("me", "hidden"), (settings.user, settings.password))

    def test_password_is_not_shown(self):
        self.assertNotIn("secret", repr(Settings.of(Configuration(dict(LEAST)))))

    def test_what_is_missing_or_wrong_is_named(self):
        with mock.patch.dict(os.environ):
            os.environ.pop("DAQFABRIC_PASSWORD", None)
            self.refused("`password` or environment variable `DAQFABRIC_PASSWORD`",
                         {"user": "shift", "partition": "physics"})
        self.refused("`partition`", {"user": "shift", "password": "secret"})
        self.refused("`password_file`", {"user": "shift", "partition": "physics", "password_file": "/nowhere"})
        self.refused("`required_bandwidth`", LEAST | {"required_bandwidth": -1})
        self.refused("`ros", LEAST | {"ros": [1]})
        self.refused("`accept_degraded`", LEAST | {"accept_degraded": "perhaps"})

    def test_reconfigure_changes_what_a_run_needs_and_nothing_else(self):
        settings = Settings.of(Configuration(LEAST | {"ros": ["r1-1"], "required_bandwidth": 5}))
        changed = settings.reconfigured(Configuration({"required_bandwidth": 7}))
        self.assertEqual({"ros": ["r1-1"], "required-bandwidth": "7.000000"}, changed.prepare())
        with self.assertRaisesRegex(ConfigurationError, "partition.*land and initialize"):
            settings.reconfigured(Configuration({"partition": "other"}))

    def refused(self, message, config):
        with self.assertRaises(ConfigurationError) as caught:
            Settings.of(Configuration(config))
        self.assertIn(message, str(caught.exception))
