"""scripts/unpack: a new build in place of the former one, with what was set, without a controller."""
import shutil
import subprocess
import tempfile
import unittest
import zipfile
from pathlib import Path

from .support import LAB
from .test_certificates import DISTRIBUTION, PEKKO, run

SWITCHES = "etc/org.daqfabric.cfg"
WEB = "etc/org.ops4j.pax.web.cfg"
ACCOUNTS = "etc/users.properties"


class UnpackTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pki = Path(cls.enterClassContext(tempfile.TemporaryDirectory())) / "pki"
        code, said = run(DISTRIBUTION / "bin/certificates", cls.pki, "10.0.0.1")
        assert code == 0, said

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.built = self.folder / "assembly"
        self.home = self.folder / "controller"
        shutil.copytree(DISTRIBUTION, self.built)
        (self.built / "configuration/initial").mkdir(parents=True)
        (self.built / "configuration/initial/pekko.conf").write_text(PEKKO)
        shutil.copy(LAB.parent / "features/daqfabric/src/main/config/org.daqfabric.cfg", self.built / "etc")
        self.model("2026-01-01")

    def model(self, revision):
        """The built distribution has this revision of a YANG model with stored data."""
        jar = self.built / "system/org/daqfabric/daqfabric-yang/1/daqfabric-yang-1.jar"
        shutil.rmtree(jar.parent, ignore_errors=True)
        jar.parent.mkdir(parents=True)
        with zipfile.ZipFile(jar, "w") as file:
            file.writestr(f"META-INF/yang/daqfabric@{revision}.yang", "")

    def unpack(self):
        code, said = run(LAB.parent / "scripts/unpack", self.built, self.home)
        self.assertEqual(0, code, said)
        return said

    def command(self, name, *arguments):
        code, said = run(self.home / "bin" / name, *arguments)
        self.assertEqual(0, code, said)
        return said

    def text(self, file):
        return (self.home / file).read_text()

    def edit(self, folder, file, old, new):
        text = (folder / file).read_text()
        self.assertIn(old, text)
        (folder / file).write_text(text.replace(old, new))

    def set_tls(self):
        """What the page on TLS and somebody who adds an account do."""
        shutil.copytree(self.pki / "10.0.0.1", self.home / "etc/tls")
        self.command("tls", self.home / "etc/tls")
        self.command("ports", "openflow=0", "openflow-tls=6653")
        self.edit(self.home, SWITCHES, "tls-certificate=\n", f"tls-certificate={self.home}/etc/tls/cert.pem\n")
        with (self.home / ACCOUNTS).open("a") as file:
            file.write("anna = SECRET,_g_:admingroup\n")
        (self.home / ACCOUNTS).chmod(0o600)
        (self.home / "state").mkdir()
        (self.home / "state/stored").write_text("stored")

    def assert_tls(self):
        subprocess.run(["openssl", "pkcs12", "-in", self.home / "etc/https.p12", "-noout", "-passin",
                        "pass:" + self.text(WEB).split("ssl.keystore.password = ")[1].splitlines()[0]], check=True)
        self.assertIn("org.osgi.service.http.secure.enabled = true", self.text(WEB))
        self.assertIn(f'ca-cert "{self.home}/etc/tls/ca.pem"', self.command("tls"))
        self.assertIn("openflow-tls 6653 ", self.command("ports"))
        self.assertNotIn("openflow ", self.command("ports"))
        self.assertIn(f"tls-certificate={self.home}/etc/tls/cert.pem\n", self.text(SWITCHES))
        self.assertIn("anna = SECRET", self.text(ACCOUNTS))
        self.assertEqual(0, (self.home / ACCOUNTS).stat().st_mode & 0o077)
        self.assertEqual(0, (self.home / WEB).stat().st_mode & 0o007)

    def test_a_new_build_keeps_what_was_set(self):
        self.unpack()
        self.set_tls()
        for _ in range(2):
            self.edit(self.built, SWITCHES, "history-size=", "#\nhistory-size=1")
            (self.built / "bin/new").write_text("of the new build")
            self.assertEqual("", self.unpack())
            self.assert_tls()
        self.assertIn("#\n#\nhistory-size=11", self.text(SWITCHES))
        self.assertEqual("of the new build", self.text("bin/new"))
        self.assertEqual("stored", self.text("state/stored"))

    def test_what_was_not_set_is_that_of_the_new_build(self):
        self.unpack()
        self.edit(self.built, SWITCHES, "compare-interval=", "compare-interval=9")
        self.unpack()
        self.assertEqual((self.built / SWITCHES).read_text(), self.text(SWITCHES))
        self.assertEqual((self.built / WEB).read_text(), self.text(WEB))

    def test_where_both_have_changed_a_line_what_was_set_stays(self):
        self.unpack()
        self.command("ports", "openflow=7653")
        self.edit(self.built, SWITCHES, "openflow-port=6654", "openflow-port=6699")
        self.assertIn(f"{SWITCHES} where something is set here", self.unpack())
        self.assertIn("openflow-port=7653", self.text(SWITCHES))
        self.assertNotIn("<<<<", self.text(SWITCHES))
        self.assertIn("openflow-port=6699", self.text(SWITCHES + ".new"))

    def test_other_revisions_start_empty_with_what_was_set(self):
        self.unpack()
        self.set_tls()
        self.model("2026-02-02")
        self.assertIn("starting empty", self.unpack())
        self.assert_tls()
        self.assertFalse((self.home / "state").exists())
        self.assertEqual("stored", (self.folder / "controller.old/state/stored").read_text())

    def test_a_folder_of_an_older_script_is_replaced(self):
        self.unpack()
        shutil.rmtree(self.home / "as-built")
        self.edit(self.home, SWITCHES, "openflow-port=6654", "openflow-port=7653")
        self.assertEqual("", self.unpack())
        self.assertEqual((self.built / SWITCHES).read_text(), self.text(SWITCHES))
