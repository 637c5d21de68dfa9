"""The Ansible role as a text: what is a string where a variable comes from an INI inventory or from `-e name=value`."""
import re
import unittest

from . import ROOT

ROLE = ROOT / "packages/ansible/roles/daqfabric_node"


class Role(unittest.TestCase):
    def setUp(self):
        self.defaults = dict(re.findall(r"^(\w+): *(.*)$", (ROLE / "defaults/main.yml").read_text(), re.MULTILINE))
        # messages are no expressions
        self.texts = {file: re.sub(r"( +)fail_msg: >-\n(?:\1 .*\n)+", lambda found: "\n" * found[0].count("\n"), file.read_text())
                      for part in ("tasks", "handlers") for file in (ROLE / part).glob("*.yml")}

    def uses(self, name):
        """What follows the variable wherever it is used."""
        return [(file.name, text[:found.start()].count("\n") + 1, text[found.end():found.end() + 24])
                for file, text in self.texts.items() for found in re.finditer(rf"\b{name}\b", text)]

    def test_false_is_false_as_a_string(self):
        """A string that says false is true, unless it is taken through `bool` wherever it is used."""
        booleans = [name for name, value in self.defaults.items() if value.lower() in ("true", "false", "yes", "no")]
        self.assertIn("daqfabric_openvswitch", booleans)
        for name in booleans:
            self.assertTrue(self.uses(name), name)
            for file, line, after in self.uses(name):
                with self.subTest(f"{file}:{line}: {name}"):
                    self.assertRegex(after, r"^ \| (bool\b|string \| lower in )")

    def test_a_list_is_none_as_a_string(self):
        """Joined, a string gives its letters: it is refused."""
        lists = [name for name, value in self.defaults.items() if value == "[]"]
        self.assertIn("daqfabric_controllers", lists)
        for name in lists:
            self.assertTrue(any(after.startswith(" is not string") for _, _, after in self.uses(name)), name)


if __name__ == "__main__":
    unittest.main()
