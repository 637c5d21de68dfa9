"""The command daqfabric without a controller: its folders are in one of the test, and what it calls is written down."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "packages/daqfabric/daqfabric"
FOLDERS = {"/usr/share/daqfabric": "home", "/etc/daqfabric": "conf", "/var/lib/daqfabric": "base"}
# what Karaf's own makes of its settings, and that it leaves a file there, as a native library
CLIENT = """\
[ -d "$KARAF_DATA/tmp" ] || exit 9
touch "$KARAF_DATA/tmp/library"
stat -c %a "$KARAF_DATA" "$KARAF_DATA/tmp"
echo "$KARAF_DATA" "$KARAF_LOG"
cat
exit 3
"""

NOBODY = 65534

class ControllerTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        text = SCRIPT.read_text()
        for path, name in FOLDERS.items():
            text = text.replace(f"={path} ", f"={self.folder / name} ")
            (self.folder / name).mkdir()
        self.script = self.put("daqfabric", text)
        self.put("home/version", "2\n")
        for each in (ROOT / "karaf/src/main/assembly/bin").glob("*.sh"):  # which others include
            self.put(f"home/bin/{each.name}", each.read_text())

    def put(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)
        return file

    def run_it(self, *arguments, given="", before=(), **environment):
        return subprocess.run([*before, self.script, *arguments], input=given, text=True, capture_output=True, check=False,
                              env=os.environ | {"JAVA_HOME": "/none", "TMPDIR": str(self.folder / "shared"), **environment})


class Run(ControllerTest):
    def test_a_folder_that_somebody_else_has_made(self):
        """As by copying accounts into it as root, before the first start: Karaf would end with a trace, again and again."""
        self.put("base/data/accounts/admin", "")
        (self.folder / "base/data").chmod(0o555)
        (self.folder / "base/lost+found").mkdir(mode=0o700)  # of a file system of its own, which is nobody's to read
        self.folder.chmod(0o755)
        if os.geteuid() == 0:
            os.chown(self.folder / "base", NOBODY, NOBODY)
        done = self.run_it("run", before=["setpriv", f"--reuid={NOBODY}", "--clear-groups"] if os.geteuid() == 0 else [])
        self.assertEqual(1, done.returncode, done.stderr)
        self.assertIn(f"{self.folder}/base/data is not this user's to write: chown -R daqfabric: {self.folder}/base\n", done.stderr)


class Shell(ControllerTest):
    def setUp(self):
        super().setUp()
        self.put("base/etc/users.properties", "")
        self.put("home/bin/client", "#!/bin/sh\n" + CLIENT)
        (self.folder / "shared").mkdir(mode=0o777)
        (self.folder / "shared/tmp").mkdir()  # whoever came first

    def test_a_folder_that_nobody_else_writes_to(self):
        """For one command and for the shell; nothing is left of it, and the exit code is the client's."""
        for arguments, given in ((("daqfabric:show", "first"), ""), ((), "daqfabric:show first\n")):
            with self.subTest(arguments):
                done = self.run_it("shell", *arguments, given=given)
                private, temporary, folders, command = done.stdout.splitlines()
                self.assertEqual((3, "daqfabric:show first", ""), (done.returncode, command, done.stderr))
                self.assertEqual((0, 0), (int(private, 8) & 0o77, int(temporary, 8) & 0o77))
                data, log = map(Path, folders.split())
                self.assertEqual((self.folder / "shared", data), (data.parent, log))
                self.assertFalse(data.exists())
        self.assertEqual([], list((self.folder / "shared/tmp").iterdir()))

    def test_nothing_is_left_after_an_end_by_a_signal(self):
        self.put("home/bin/client", "#!/bin/sh\n! tr '\\0' ' ' < /proc/$PPID/cmdline | grep -q 'daqfabric shell' || kill -TERM $PPID\n")
        self.assertEqual(143, self.run_it("shell").returncode)
        self.assertEqual(["tmp"], [each.name for each in (self.folder / "shared").iterdir()])


class Status(ControllerTest):
    def setUp(self):
        super().setUp()
        self.put("conf/org.ops4j.pax.web.cfg", "jetty.host = 127.0.0.1\n")
        self.put("home/settings/bin/ports", "#!/bin/sh\necho 'restconf 8181 x'; echo 'openflow 6653 x'\n")
        self.put("bin/curl", "#!/bin/sh\nprintf 401\n")
        self.put("bin/grep", "#!/bin/sh\ncase \"$*\" in *proc/net*) exit 0 ;; esac\nexec /bin/grep \"$@\"\n")

    def status(self, *seconds, **environment):
        done = self.run_it("status", *seconds, PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}", **environment)
        return done.returncode, done.stdout

    def test_names_the_version_that_runs(self):
        self.put("base/version", "2\n")
        self.assertEqual((0, "daqfabric 2 answers at http://127.0.0.1:8181/rests, its page is http://127.0.0.1:8181/daqfabric/\n"),
                         self.status())

    def test_waits_until_restconf_is_there(self):
        """The web server asks for a login before it has anything to show."""
        self.put("base/data/accounts/viewer", 'user = "viewer:x"\n')
        self.put("bin/sleep", f"#!/bin/sh\necho >> {self.folder}/slept\n")
        self.put("bin/curl", "#!/bin/sh\ncase \"$*\" in *accounts/viewer*) ;; *) printf 401; exit ;; esac\n"
                 f"[ -e {self.folder}/slept ] && printf '404 application/yang-data+json' || printf '404 text/html;charset=iso-8859-1'\n")
        self.assertEqual(1, self.status()[0])
        self.assertIn("answers at", self.status("2")[1])
        self.assertEqual("\n", (self.folder / "slept").read_text(encoding="ascii"))

    def test_says_that_another_is_installed(self):
        self.put("base/version", "1\n")
        code, said = self.status()
        self.assertEqual(0, code)
        self.assertRegex(said, r"^daqfabric 1 answers at .*\n.* 1 runs, 2 is installed: .*systemctl restart daqfabric")

    def test_a_container_has_settings_of_its_own(self):
        self.put("base/version", "2\n")
        self.put("copy/etc/org.ops4j.pax.web.cfg", "jetty.host = 10.0.0.1\norg.osgi.service.http.secure.enabled = true\n")
        self.put("copy/bin/ports", "#!/bin/sh\necho 'restconf 8281 x'; echo 'openflow 6653 x'\n")
        self.assertIn("answers at https://10.0.0.1:8281/rests", self.status(DAQFABRIC_SETTINGS=str(self.folder / "copy"))[1])

    def test_does_not_say_what_it_may_not_read(self):
        self.assertRegex(self.status()[1], r"^daqfabric answers at .*\n.*2 is installed; .*sudo daqfabric status")




if __name__ == "__main__":
    unittest.main()
