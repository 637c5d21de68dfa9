"""bin/certificates, bin/tls and bin/cluster on the files of a distribution, without a controller."""
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from .support import LAB

DISTRIBUTION = LAB.parent / "karaf/src/main/assembly"
MEMBERS = ("10.0.0.1", "10.0.0.2", "10.0.0.3")
# as far as the commands look at OpenDaylight's
PEKKO = """odl-cluster-data {
  pekko {
    remote {
      artery {
        transport = tcp
        canonical.hostname = "127.0.0.1"
        canonical.port = 2550
      }
    }
    cluster {
      seed-nodes = ["pekko://opendaylight-cluster-data@127.0.0.1:2550"]
      roles = [
        "member-1"
      ]
    }
  }
}
"""


def run(*command):
    done = subprocess.run([*map(str, command)], text=True, capture_output=True, check=False)
    return done.returncode, done.stdout + done.stderr


class CertificatesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.home = cls.folder / "home"
        shutil.copytree(DISTRIBUTION, cls.home)
        cls.pekko = cls.home / "configuration/initial/pekko.conf"
        cls.pekko.parent.mkdir(parents=True)
        shutil.copy(LAB.parent / "features/daqfabric/src/main/config/org.daqfabric.cfg", cls.home / "etc")
        cls.pki = cls.folder / "pki"
        cls.made = cls.command("certificates", cls.pki, "10.0.0.1,control1.example.org", "control2")
        cls.foreign = cls.folder / "foreign"
        cls.command("certificates", cls.foreign, "10.0.0.1")

    def setUp(self):
        self.pekko.write_text(PEKKO)
        self.web = self.home / "etc/org.ops4j.pax.web.cfg"
        shutil.copy(DISTRIBUTION / "etc/org.ops4j.pax.web.cfg", self.web)

    @classmethod
    def command(cls, name, *arguments):
        return run(cls.home / "bin" / name, *arguments)

    def own(self, **instead):
        """A copy of a controller's files, with others in the place of some."""
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        for name in ("key", "cert", "ca"):
            shutil.copy(instead.get(name, self.pki / "10.0.0.1" / f"{name}.pem"), folder / f"{name}.pem")
        return folder

    def test_a_certificate_is_for_all_names_of_a_controller(self):
        self.assertEqual(0, self.made[0], self.made[1])
        for address, names in (("10.0.0.1", "IP Address:10.0.0.1, DNS:control1.example.org"), ("control2", "DNS:control2")):
            self.assertIn(f"DNS:daqfabric-controller, {names}\n",
                          run("openssl", "x509", "-in", self.pki / address / "cert.pem", "-noout", "-ext", "subjectAltName")[1])
        for file in self.pki.rglob("*.pem"):
            self.assertEqual(0, file.stat().st_mode & 0o077, file)

    def test_what_is_there_is_kept(self):
        before = {file: file.read_bytes() for file in self.pki.rglob("*.pem")}
        self.assertIn("is kept", self.command("certificates", self.pki, "10.0.0.1")[1])
        self.assertEqual(before, {file: file.read_bytes() for file in self.pki.rglob("*.pem")})

    def test_what_is_no_address_is_refused(self):
        for each in ("", "../x", "-x", "a b", "a\nb", "x,DNS:y;"):
            with self.subTest(each):
                self.assertIn("is no address", self.command("certificates", self.pki, each)[1])

    def test_order_and_repetition_do_not_matter(self):
        own = self.own()
        found = set()
        for order in (("cluster", "tls"), ("tls", "cluster"), ("cluster", "tls", "cluster", "tls", "tls"), ("cluster", "cluster", "tls")):
            self.pekko.write_text(PEKKO)
            for each in order:
                code, said = self.command(each, *((2, *MEMBERS) if each == "cluster" else (own,)))
                self.assertEqual(0, code, said)
            found.add("\n".join(sorted(self.pekko.read_text().splitlines())))
            self.assertEqual(1, self.web.read_text().count("ssl.keystore.password"))
        self.assertEqual(1, len(found), found)
        self.assertIn("transport = tls-tcp", found.pop())
        self.assertIn(f'key "{own}/key.pem"', self.command("tls")[1])

    def test_https_is_on_the_port_that_http_had(self):
        self.command("ports", "restconf=8282")
        own = self.own()
        self.command("tls", own)
        self.assertIn(f"\ncontroller-certificate={own}/cert.pem\n", (self.home / "etc/org.daqfabric.cfg").read_text())
        self.assertIn("org.osgi.service.http.enabled = false\norg.osgi.service.http.secure.enabled = true\n"
                      "org.osgi.service.http.port.secure = 8282\n", self.web.read_text())
        self.command("ports", "restconf=8383")
        self.assertIn("org.osgi.service.http.port.secure = 8383\n", self.web.read_text())
        self.assertEqual(0, self.web.stat().st_mode & 0o007)

    def test_files_that_would_not_work_are_refused(self):
        """Or would let others in than controllers: nothing is changed then."""
        before = self.pekko.read_text(), self.web.read_text()
        made = self.folder / "made"
        made.mkdir(exist_ok=True)

        def issue(name, *options):
            run("openssl", "req", "-x509", "-nodes", "-subj", f"/CN={name}", "-CA", self.pki / "ca.pem", "-CAkey", self.pki / "ca-key.pem",
                "-keyout", made / f"{name}-key.pem", "-out", made / f"{name}.pem", *options)
            return {"key": made / f"{name}-key.pem", "cert": made / f"{name}.pem"}

        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256")
        wrong = {
            "is not for the key": {"key": self.pki / "control2/key.pem"},
            "is not by the CA": {"ca": self.foreign / "ca.pem"},
            "lacks the DNS name daqfabric-controller": issue("p1s1", "-newkey", "rsa:2048", "-addext",
                                                             "subjectAltName=DNS:not-daqfabric-controller,DNS:daqfabric-controller.x"),
            "is no RSA key": issue("curve", *curve, "-addext", "subjectAltName=DNS:daqfabric-controller"),
            "is no key without a password": {"key": self.pki / "ca.pem"},
        }
        for message, files in wrong.items():
            with self.subTest(message):
                code, said = self.command("tls", self.own(**files))
                self.assertEqual(1, code)
                self.assertIn(message, said)
        self.assertIn("ca.pem is missing", self.command("tls", self.folder)[1].replace("key.pem", "ca.pem"))
        self.assertEqual(before, (self.pekko.read_text(), self.web.read_text()))
