"""Releases: file `releases` and the changelog agree, and scripts/release makes one."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from .support import LAB

ROOT = LAB.parent
VERSION = re.compile(r"^ {2}<version>(.*)</version>", re.MULTILINE)


def released(root):
    return [line.split() for line in (root / "releases").read_text().splitlines() if not line.startswith("#")]


def poms(root):
    """Those of the sources; what was built comes and goes beside them."""
    found = []
    for folder, inner, files in os.walk(root):
        inner[:] = [each for each in inner if each not in ("target", ".cache", ".git", "node_modules")]
        found += [Path(folder, each) for each in files if each == "pom.xml"]
    return found


def version(root):
    """Of all modules, which have one and the same."""
    found, = {VERSION.search(each.read_text())[1] for each in poms(root)}
    return found


def numbers(text):
    return [int(each) for each in text.removesuffix("-SNAPSHOT").split(".")]


class ReleasesTest(unittest.TestCase):

    def test_changelog_has_every_release(self):
        sections = re.findall(r"^## ([0-9.]+), ([0-9-]+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
        self.assertEqual([(number, date) for number, date, _ in reversed(released(ROOT))], sections)

    def test_versions_ascend(self):
        order = [numbers(each) for each, *_ in released(ROOT)] + [numbers(version(ROOT))]
        self.assertEqual(sorted(order), order)
        self.assertEqual(len(order), len({tuple(each) for each in order}))


class ReleaseTest(unittest.TestCase):
    """In a repository of its own, with the files that a release changes."""

    def setUp(self):
        self.root = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for each in [*poms(ROOT), *ROOT.glob("it/src/**/PlainOpenDaylightIT.java"), ROOT / "docs/install.md", ROOT / "CHANGELOG.md",
                     ROOT / "releases", ROOT / "scripts/release", ROOT / "scripts/lib.sh", ROOT / ".mvn/maven.config"]:
            copy = self.root / each.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(each, copy)
        changelog = self.root / "CHANGELOG.md"
        changelog.write_text(changelog.read_text().replace("## Unreleased\n", "## Unreleased\n\n- Something.\n"))
        self.git("init", "-q")
        self.git("config", "user.name", "somebody")
        self.git("config", "user.email", "somebody@example.org")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "before")
        self.snapshot = version(self.root)
        self.number = self.snapshot.removesuffix("-SNAPSHOT")

    def git(self, *arguments):
        return subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, text=True, check=True).stdout.strip()

    def release(self, *arguments, code=0):
        done = subprocess.run(["scripts/release", *arguments], cwd=self.root, capture_output=True, text=True, check=False)
        self.assertEqual(code, done.returncode, done.stderr)
        return done.stdout + done.stderr

    def test_release(self):
        self.release("99.0.0")
        tagged = self.git("rev-parse", f"v{self.number}^{{commit}}")
        self.assertEqual(self.git("rev-parse", "HEAD~"), tagged)
        self.assertEqual([self.number, tagged], released(self.root)[-1][::2])
        self.assertEqual("99.0.0-SNAPSHOT", version(self.root))
        for file in ("pom.xml", "docs/install.md"):
            self.assertIn("99.0.0-SNAPSHOT", (self.root / file).read_text())
            self.assertNotIn("SNAPSHOT", self.git("show", f"v{self.number}:{file}"))
        self.assertNotIn(self.snapshot, "".join((self.root / each).read_text() for each in self.git("ls-files", "*.java", "*.xml").split()))
        setting = "postProcessor.trustedChecksums={}\n"
        self.assertIn(setting.format("false"), self.git("show", f"v{self.number}:.mvn/maven.config"))
        self.assertEqual((ROOT / ".mvn/maven.config").read_text(), (self.root / ".mvn/maven.config").read_text())
        sections = re.findall(r"^## ([^,\n]+)", (self.root / "CHANGELOG.md").read_text(), re.MULTILINE)
        self.assertEqual(["Unreleased", self.number], sections[:2])
        self.assertIn("no line under", self.release(code=1))

    def test_what_is_not_committed_is_refused(self):
        (self.root / "releases").write_text("")
        self.assertIn("not committed", self.release(code=1))

    def test_lower_version_is_refused(self):
        self.assertIn("is not after", self.release("0.0.1", code=1))
        self.assertIn("is no version", self.release("next", code=1))
        self.assertEqual("before", self.git("log", "-1", "--format=%s"))


if __name__ == "__main__":
    unittest.main()
