"""The Ansible role, played by Ansible 2.19, which refuses what older ones took for true or for a text.

The host is a folder, and what the role runs there are stand-ins. By Debian's Ansible, the oldest that it is for on Debian 12, it is
played in test_ansible, against machines with nothing but Debian.
Run: scripts/ansible python3 -m unittest -v packages.tests.test_plays
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from . import ROOT

ROLE = ROOT / "packages/ansible/roles/daqfabric_node"
# What the role runs, by bash, with the host's folder as $HOST: it notes what changes the host.
PROGRAMS = {
    "dpkg-deb": 'for last; do :; done; name=$(basename "$last" .deb); [ -s "$last" ] && echo "$name $(cat "$last")"',
    "dpkg-query": 'shift 3; result=0; for each; do grep "^$each " "$HOST/installed" || result=1; done; exit $result',
    "apt-get": 'echo "apt-get $*" >> "$HOST/log"; for each; do case $each in *.deb) name=$(basename "$each" .deb); '
               'sed -i "/^$name /d" "$HOST/installed"; echo "$name $(cat "$each")" >> "$HOST/installed" ;; esac; done',
    "daqfabric-node": 'echo "daqfabric-node $*" >> "$HOST/log"; [ "$1" != join ] || echo "$*" > "$HOST/var/lib/daqfabric-node/node.json"',
}


class Host:
    """A folder in whose place the role sees a host."""

    def __init__(self, folder):
        self.folder = folder
        for each in ("bin", "packages", "var/cache", "var/lib/daqfabric-node"):
            (folder / each).mkdir(parents=True)
        for name, text in PROGRAMS.items():
            (folder / "bin" / name).write_text(f"#!/bin/bash\n{text}\n")
            (folder / "bin" / name).chmod(0o755)
        for name in ("daqfabric-node", "daqfabric-openvswitch"):
            (folder / f"packages/{name}_1.0_amd64.deb").write_text("1.0")
        (folder / "installed").touch()
        (folder / "profile.sh").write_text("profile\n")
        for file in ROLE.rglob("*.yml"):
            copy = folder / "roles/daqfabric_node" / file.relative_to(ROLE)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(re.sub(r"(?<![\w.])/var/", f"{folder}/var/", file.read_text()))
        # the stand-in of a service that is this machine's otherwise
        (folder / "roles/daqfabric_node/handlers/main.yml").write_text(
            "- name: Restart Open vSwitch\n  ansible.builtin.command: daqfabric-node stands-in-for-a-restart\n")
        (folder / "play.yml").write_text(json.dumps([{"hosts": "all", "gather_facts": False, "roles": ["daqfabric_node"]}]))
        (folder / "inventory.ini").write_text(
            f"p1s1 ansible_connection=local ansible_python_interpreter={sys.executable} daqfabric_packages={folder}/packages\n")

    def play(self, *arguments, **variables):
        """Counts of the play, and its words. Variables are given as with -e name=value, if they are strings."""
        given = [f"{name}={value}" if isinstance(value, str) else json.dumps({name: value}) for name, value in variables.items()]
        done = subprocess.run(
            [sys.executable, "-m", "ansible", "playbook", "-i", self.folder / "inventory.ini", self.folder / "play.yml", *arguments,
             *(word for each in given for word in ("-e", each))], text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, check=False, cwd=self.folder,
            env={"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "HOME": str(self.folder), "HOST": str(self.folder), "LC_ALL": "C.UTF-8",
                 "PYTHONPATH": os.environ["PYTHONPATH"], "ANSIBLE_NOCOLOR": "1", "ANSIBLE_DEPRECATION_WARNINGS": "1"})
        recap = done.stdout.rpartition("PLAY RECAP")[2].partition("p1s1")[2]
        return {name: int(count) for name, count in re.findall(r"(\w+)=(\d+)", recap)}, done.stdout

    def log(self):
        """What has changed the host since the last call, in lines without its folder."""
        log = self.folder / "log"
        text = log.read_text().replace(f"{self.folder}/", "/") if log.exists() else ""
        log.unlink(missing_ok=True)
        return text.splitlines()


class Plays(unittest.TestCase):
    def setUp(self):
        self.host = Host(Path(self.enterContext(tempfile.TemporaryDirectory())).resolve())

    def play(self, *arguments, **variables):
        counts, text = self.host.play(*arguments, **variables)
        self.assertEqual((0, 0), (counts.get("failed"), counts.get("unreachable")), text)
        self.assertNotRegex(text, "(?i)deprecat", "what the next Ansible refuses")
        return counts["changed"]

    def test_what_is_not_given_as_it_must_be_is_refused(self):
        for wrong in ({"daqfabric_controllers": "10.0.0.1"}, {"daqfabric_controllers": ["10.0.0.1"], "daqfabric_openvswitch": "perhaps"}):
            with self.subTest(wrong):
                counts, text = self.host.play(**wrong)
                self.assertEqual((1, 0), (counts.get("failed"), counts["changed"]), text)
                self.assertIn("give daqfabric_controllers, a list as", text)
                self.assertEqual([], self.host.log())

    def test_a_node_is_made_once(self):
        given = {"daqfabric_controllers": ["10.0.0.1", "10.0.0.2:6640"]}
        self.assertGreater(self.play("--check", "--diff", **given), 0)
        self.assertEqual([], self.host.log())
        self.assertGreater(self.play(**given, daqfabric_openvswitch="false"), 0)
        join = "daqfabric-node join --name p1s1 10.0.0.1 10.0.0.2:6640"
        self.assertEqual(["apt-get install -y -q /var/cache/daqfabric/daqfabric-node.deb", "daqfabric-node stands-in-for-a-restart", join],
                         self.host.log())
        given |= {"daqfabric_profile": str(self.host.folder / "profile.sh")}
        self.assertGreater(self.play(**given), 0)
        self.assertEqual(["apt-get install -y -q /var/cache/daqfabric/daqfabric-node.deb /var/cache/daqfabric/daqfabric-openvswitch.deb",
                          "daqfabric-node stands-in-for-a-restart", join, "daqfabric-node profile /var/cache/daqfabric/profile.sh"],
                         self.host.log())
        self.assertEqual(0, self.play(**given))
        self.assertEqual([join], self.host.log())


if __name__ == "__main__":
    unittest.main()
