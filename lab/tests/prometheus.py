"""Prometheus 3 with the files of docs/monitoring, at the controller that runs: what it scrapes, and what its rules make of it.

Run: scripts/with-controller scripts/prometheus python3 -m unittest -v lab.tests.prometheus
"""
import contextlib
import json
import re
import socket
import subprocess
import tempfile
import unittest
import urllib.parse
import urllib.request
from pathlib import Path

from .support import LAB, eventually
from .unswitched import leave
from daqlab_lib import generate
from daqlab_lib.restconf import Restconf

ROOT = LAB.parent
MONITORING = ROOT / "docs/monitoring"
CONTROLLER = "http://127.0.0.1:8181"
LOGIN = ROOT / "target/controller/data/accounts/scraper"
SIZE = generate.Size("scraped", planes=1, spines=2, pods=2, ros=1, racks=1, dcms=2, capacity=10, prefix="y-", address_base="10.85")
PATIENCE = 60  # seconds
# histograms as Prometheus 3 may keep them, with the series that alerts are made of (docs/metrics.md)
NATIVE = "\n  scrape_native_histograms: true\n  convert_classic_histograms_to_nhcb: true\n  always_scrape_classic_histograms: true"
SAMPLE = re.compile(r"^(daqfabric_\w+)[{ ]", re.MULTILINE)


class Prometheus:
    """One that runs with the example, every second. Use it as a context."""

    def __init__(self, folder, more):
        """more: settings of all that it scrapes."""
        user, password = re.search(r'"(\w+):(.*)"', LOGIN.read_text()).groups()
        (folder / "password").write_text(password)
        config = (MONITORING / "prometheus.yml").read_text()
        for old, new in (("scrape_interval: 15s", f"scrape_interval: 1s\n  evaluation_interval: 1s{more}"),
                         ("/etc/prometheus/daqfabric-password", str(folder / "password")),
                         ("- alerts.yml", f"- {MONITORING / 'alerts.yml'}"), ("username: scraper", f"username: {user}")):
            if config.count(old) != 1:
                raise AssertionError(f"docs/monitoring/prometheus.yml has no '{old}'")
            config = config.replace(old, new)
        (folder / "prometheus.yml").write_text(config)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self._folder = folder

    def __enter__(self):
        with (self._folder / "log").open("w") as log:
            self._program = subprocess.Popen(
                ["prometheus", f"--config.file={self._folder}/prometheus.yml", f"--storage.tsdb.path={self._folder}/data",
                 f"--web.listen-address=127.0.0.1:{self._port}"], stderr=log)
        return self

    def __exit__(self, *_):
        self._program.terminate()
        self._program.wait()

    def ask(self, path, **parameters):
        """What its API answers; None while it is not there."""
        if self._program.poll() is not None:
            raise AssertionError((self._folder / "log").read_text()[-2000:])
        with contextlib.suppress(OSError), urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
                f"http://127.0.0.1:{self._port}/api/v1/{path}?{urllib.parse.urlencode(parameters)}", timeout=PATIENCE) as answer:
            return json.load(answer)["data"]
        return None

    def query(self, text):
        """The values of an expression by their labels."""
        found = self.ask("query", query=text) or {"result": []}
        return [(each["metric"], float(each["value"][1])) for each in found["result"]]


class PrometheusTest(unittest.TestCase):
    def test_rules_raise_what_they_should(self):
        for arguments in ("check rules alerts.yml", "test rules alerts-test.yml", "check config prometheus.yml"):
            with self.subTest(arguments):
                done = subprocess.run(["promtool", *arguments.split()], cwd=MONITORING, text=True, check=False,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                self.assertEqual(0, done.returncode, done.stdout)
                self.assertNotIn("FAILED", done.stdout)

    def test_scrapes_all_and_its_rules_find_it(self):
        restconf = Restconf(f"{CONTROLLER}/rests")
        self.addCleanup(leave, restconf, SIZE, PATIENCE)
        restconf.put_fabric(generate.generate(SIZE))
        eventually(lambda: 'type="switch-away"' in self.metrics(), "alarms", PATIENCE)
        exported = set(SAMPLE.findall(self.metrics()))
        self.assertIn("daqfabric_event_wait_seconds_bucket", exported)
        for more in ("", NATIVE):
            with self.subTest(more), tempfile.TemporaryDirectory() as folder, Prometheus(Path(folder), more) as prometheus:
                self.scraped(prometheus, exported)

    def metrics(self):
        web = Restconf(CONTROLLER)
        with web.open(web.request("GET", "/metrics/", "text/plain"), PATIENCE) as answer:
            return answer.read().decode()

    def scraped(self, prometheus, exported):
        eventually(lambda: [value for _, value in prometheus.query("daqfabric:controller_up")] == [1.0],
                   "a target is up, and a rule knows it", PATIENCE)
        targets = prometheus.ask("targets")["activeTargets"]
        self.assertEqual([("up", "")], [(each["health"], each["lastError"]) for each in targets])
        names = {labels["__name__"] for labels, _ in prometheus.query('group by (__name__) ({__name__=~"daqfabric_.+"})')}
        self.assertLessEqual(exported, names)

        def rules():
            return [each for group in prometheus.ask("rules")["groups"] for each in group["rules"]]
        eventually(lambda: all(each["health"] != "unknown" for each in rules()), "all rules were evaluated", PATIENCE)
        self.assertEqual([], [(each["name"], each.get("lastError")) for each in rules() if each["health"] != "ok"])
        states = {each["name"]: each["state"] for each in rules() if each["type"] == "alerting"}
        self.assertEqual({"inactive"}, {states[name] for name in ("NotOneActive", "ControllerAway")})
        away = {each["name"] for each in generate.generate(SIZE)["daqfabric:fabric"][0]["switch"]}
        eventually(lambda: away == {labels["resource"].rpartition("/")[2] for labels, _ in prometheus.query(
            'ALERTS{alertname="SwitchesAway"}')}, "alarms are alerts", PATIENCE)


if __name__ == "__main__":
    unittest.main()
