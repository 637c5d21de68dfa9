"""The configuration is read whole, and says nothing of the machine the satellite runs on."""
import unittest

from constellation.core.configuration import Configuration, ConfigurationError

from daqfabric_constellation.settings import LOCAL, Settings

LEAST = {"partition": "physics"}


class SettingsTest(unittest.TestCase):
    def test_least(self):
        self.assertEqual({}, Settings.of(Configuration(dict(LEAST))).prepare())

    def test_all_of_it_reaches_prepare(self):
        settings = Settings.of(Configuration(LEAST | {
            "fabric": "prototype", "run_type": "cosmics", "ros": ["r1-1"], "dcm": ["h1-1d1", "h1-1d2"],
            "required_bandwidth": 9.5, "accept_degraded": True, "_autonomy": {"role": "TRANSIENT"}}))
        self.assertEqual({"fabric": "prototype", "run-type": "cosmics", "ros": ["r1-1"], "dcm": ["h1-1d1", "h1-1d2"],
                          "required-bandwidth": "9.500000"}, settings.prepare())
        self.assertTrue(settings.accept_degraded)

    def test_what_is_of_the_machine_is_refused_with_where_it_belongs(self):
        for key, variable in LOCAL.items():
            for spelled in (key, key.upper()):
                self.refused(f"set {variable} where the satellite is started", LEAST | {spelled: "secret"})
                with self.assertRaisesRegex(ConfigurationError, f"{key}.*{variable}") as refused:
                    Settings.of(Configuration(dict(LEAST))).reconfigured(Configuration({spelled: "secret"}))
                self.assertNotIn("secret", str(refused.exception))

    def test_what_is_missing_or_wrong_is_named(self):
        self.refused("`partition`", {})
        self.refused("`bandwidth` is not valid: there is no such setting; here are accept_degraded, dcm,", LEAST | {"bandwidth": 1})
        for name in ("", "a/b", "physics/operation", "a b", "x" * 65, "физика"):
            self.refused("`partition` is not valid: a name has", {"partition": name})
        self.refused("`fabric", LEAST | {"fabric": {"name": "x"}})
        self.refused("`required_bandwidth`", LEAST | {"required_bandwidth": -1})
        self.refused("`required_bandwidth`", LEAST | {"required_bandwidth": float("nan")})
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
