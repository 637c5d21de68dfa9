"""The entry point of the image without a container: its folders are in one of the test."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "packages/image/daqfabric-container"
GIVEN = {"org.daqfabric.cfg": "openflow-address=127.0.0.1\novsdb-address=127.0.0.1\ncompare-interval=7\n",
         "org.ops4j.pax.web.cfg": "jetty.host = 127.0.0.1\norg.ops4j.pax.web.listening.addresses = 127.0.0.1\n",
         "pekko.conf": "canonical.hostname = \"127.0.0.1\"\n"}
# shows its arguments, and at `run` the settings with which the controller would start
DAQFABRIC = """\
#!/bin/sh
echo "$@"
[ "$1" != run ] || cat "$DAQFABRIC_SETTINGS/etc/"*.cfg "$DAQFABRIC_SETTINGS/configuration/initial/pekko.conf"
[ "$1" = run ] || echo "# $1" >> "$DAQFABRIC_SETTINGS/configuration/initial/pekko.conf"
ls "$DAQFABRIC_SETTINGS/bin" > /dev/null
"""


class ContainerTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        text = SCRIPT.read_text()
        for path in ("/etc/daqfabric", "/var/lib/daqfabric", "/usr/share/daqfabric/bin"):
            text = text.replace(path, f"{self.folder}{path}")
            (self.folder / path[1:]).mkdir(parents=True)
        self.script = self.put("container", text)
        self.put("bin/daqfabric", DAQFABRIC)
        self.settings = self.folder / "etc/daqfabric"
        for name, text in GIVEN.items():
            self.put(f"etc/daqfabric/{name}", text).chmod(0o444)

    def put(self, name, text):
        file = self.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)
        return file

    def start(self, **environment):
        copy = self.folder / "var/lib/daqfabric/container"
        done = subprocess.run([self.script], text=True, capture_output=True, check=False, env=os.environ | {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "DAQFABRIC_SETTINGS": str(copy), **environment})
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        return done.stdout.splitlines()

    def test_what_is_mounted_is_read_and_not_touched(self):
        """A mounted file can neither be replaced nor, in most cases, be written: it is the host's."""
        before = {each.name: (each.stat().st_ino, each.stat().st_mtime_ns, each.read_text()) for each in self.settings.iterdir()}
        for _ in range(2):  # a container is started anew with the same volume
            self.assertEqual([
                "cluster 2 control1 control2 control3", "tls /keys", "run",
                "openflow-address=10.0.0.1", "ovsdb-address=10.0.0.1", "compare-interval=7",
                "jetty.host = 10.0.0.1", "org.ops4j.pax.web.listening.addresses = 10.0.0.1",
                'canonical.hostname = "127.0.0.1"', "# cluster", "# tls"],
                self.start(DAQFABRIC_ADDRESS="10.0.0.1", DAQFABRIC_CLUSTER="2 control1 control2 control3", DAQFABRIC_TLS="/keys"))
        self.assertEqual(before, {each.name: (each.stat().st_ino, each.stat().st_mtime_ns, each.read_text())
                                  for each in self.settings.iterdir()})

    def test_without_variables_it_listens_everywhere(self):
        self.assertEqual(["run", "openflow-address=0.0.0.0", "ovsdb-address=0.0.0.0", "compare-interval=7", "jetty.host = 0.0.0.0"],
                         self.start()[:5])


if __name__ == "__main__":
    unittest.main()
