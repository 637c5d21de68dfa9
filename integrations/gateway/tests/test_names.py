"""Names of PVs and nodes can be told from each other, and read back."""
import random
import re
import unittest

from daqfabric_gateway.names import decode, encode, join, split

ALPHABET = "aZ09_-.+@:/ %\u00e4\u20ac\U0001f980"


class NamesTest(unittest.TestCase):
    def test_examples(self):
        for name, expected in (("p1l1", "p1l1"), ("to-p1s1", "to-p1s1"), ("eth0.100", "eth0+2E100"), ("a+b", "a+2Bb"),
                               ("a:b", "a+3Ab"), ("\u00e4", "+C3+A4")):
            self.assertEqual(expected, encode(name))

    def test_every_name_comes_back_and_holds_what_a_pv_may(self):
        generator = random.Random(20261125)
        paths = {tuple("".join(generator.choices(ALPHABET, k=generator.randint(1, 12))) for _ in range(generator.randint(1, 5)))
                 for _ in range(3000)}
        for path in paths:
            self.assertRegex(join(path), re.compile(r"\A[A-Za-z0-9_+:-]+\Z"))
            self.assertEqual(path, split(join(path)))
            self.assertEqual(path[0], decode(encode(path[0])))
        self.assertEqual(len(paths), len({join(path) for path in paths}))
