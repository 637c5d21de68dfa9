"""Which Javas a controller starts on, without starting it."""
import os
import shutil
import tempfile
import unittest
from pathlib import Path

from .support import LAB
from .test_certificates import DISTRIBUTION, run

GOOD = ("21.0.8", "22", "23.0.2")
BAD = ("1.8.0_402", "17.0.12", "24", "25.0.1")


class JavaTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def java(self, version):
        """The home of a Java that can only tell its version."""
        program = self.folder / version / "bin/java"
        program.parent.mkdir(parents=True)
        program.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2025-07-15' >&2\n")
        program.chmod(0o755)
        return self.folder / version

    def test_the_distribution(self):
        script = self.folder / "karaf"
        script.write_text(f"KARAF_SCRIPT=karaf\n. {DISTRIBUTION}/bin/setenv\necho goes on\n")
        for version in GOOD:
            self.assertEqual((0, "goes on\n"), run("env", f"JAVA_HOME={self.java(version)}", "sh", script))
        for version in BAD:
            code, said = run("env", f"JAVA_HOME={self.java(version)}", "sh", script)
            self.assertEqual(1, code)
            self.assertIn(f"karaf: {self.folder}/{version}/bin/java is Java {version.split('.')[0]}, but the controller needs", said)
            self.assertIn("set JAVA_HOME", said)

    def test_the_heap_has_its_size_from_the_beginning(self):
        script = self.folder / "karaf"
        script.write_text(f'KARAF_SCRIPT=karaf\n. {DISTRIBUTION}/bin/setenv\necho $EXTRA_JAVA_OPTS\n')
        java = f"JAVA_HOME={self.java(GOOD[0])}"
        for settings, options in (((), "-Xms1g -Xmx1g -X"), (("DAQFABRIC_HEAP=512m",), "-Xms512m -Xmx512m -X")):
            self.assertEqual((0, f"{options}\n"), run("env", java, "EXTRA_JAVA_OPTS=-X", *settings, "sh", script))
        self.assertEqual((0, "-Xmx2g\n"), run("env", java, "EXTRA_JAVA_OPTS=-Xmx2g", "sh", script))

    def test_the_package(self):
        """Its own folder is this test's, and its distribution says with which Java it is started."""
        base, home, script = self.folder / "base", self.folder / "home", self.folder / "daqfabric"
        base.mkdir()
        for each in ("etc", "configuration", "bin"):
            (home / each).mkdir(parents=True)
        (home / "version").write_text("1\n")
        (home / "models").write_text("")
        (home / "bin/karaf").write_text('#!/bin/sh\necho "on $JAVA_HOME"\n')
        (home / "bin/karaf").chmod(0o755)
        shutil.copy(LAB.parent / "karaf/src/main/assembly/bin/addresses.sh", home / "bin")
        text = (LAB.parent / "packages/daqfabric/daqfabric").read_text()
        for old, new in (("/usr/share/daqfabric", home), ("/etc/daqfabric ", f"{self.folder}/conf "),
                         ("/var/lib/daqfabric", base), ("/usr/lib/jvm/", f"{self.folder}/jvms/")):
            self.assertIn(old, text)
            text = text.replace(old, str(new))
        script.write_text(text)
        for version in GOOD:
            self.assertEqual((0, f"on {self.java(version)}\n"), run("env", f"JAVA_HOME={self.folder}/{version}", "sh", script, "run"))
        for version in BAD:
            code, said = run("env", f"JAVA_HOME={self.java(version)}", "sh", script, "run")
            self.assertEqual(1, code)
            self.assertIn(f"daqfabric: JAVA_HOME is {self.folder}/{version}, of version '{version.split('.')[0]}', but", said)
            self.assertIn("/etc/default/daqfabric", said)
        (self.folder / "jvms").mkdir()
        for version in BAD:
            os.rename(self.folder / version, self.folder / "jvms" / version)
        code, said = run("env", "--unset=JAVA_HOME", "sh", script, "run")
        self.assertEqual(1, code)
        self.assertIn("no Java 21, 22 or 23 in", said)
        for version in GOOD[::-1]:
            os.rename(self.folder / version, self.folder / "jvms" / version)
            self.assertEqual((0, f"on {self.folder}/jvms/{version}\n"), run("env", "--unset=JAVA_HOME", "sh", script, "run"))
