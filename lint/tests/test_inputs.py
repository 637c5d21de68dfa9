"""What lint/inputs.py finds."""
import json
import unittest

from lint import inputs

HASH = "--hash=sha256:" + "0" * 64


class Inputs(unittest.TestCase):

    def test_requirement_needs_version_and_hash(self):
        well = f"# made by\na==1 \\\n    {HASH} \\\n    {HASH}\nb==2 ; x < '3' \\\n    {HASH}\n"
        self.assertEqual([], list(inputs.requirements(well, "a==1\n")))
        for text, expected in (("a==1\n", "has no hash"), (f"a==1 --hash=md5:00 {HASH}\n", "has no hash"),
                               (f"a>=1 {HASH}\n", "names no version"), ("--extra-index-url x\n", "names no version"),
                               (f"a @ https://x/a.whl {HASH}\n", "names no version")):
            with self.subTest(text):
                self.assertIn(expected, "".join(inputs.requirements(text, "")))

    def test_list_follows_what_it_is_made_of(self):
        self.assertEqual(["'A_b==2' is in the .in only"], list(inputs.requirements(f"a-b==1 {HASH}\n", "# x\nA_b==2\n")))

    def test_lock_has_a_hash_for_every_package(self):
        package = json.dumps({"devDependencies": {"a": "1"}})
        lock = {"packages": {"": {"devDependencies": {"a": "1"}}, "node_modules/a": {"integrity": "sha512-x"}}}
        self.assertEqual([], list(inputs.package_lock(json.dumps(lock), package)))
        lock["packages"]["node_modules/b"] = {"resolved": "https://x/b.tgz"}
        self.assertEqual(["'node_modules/b' has no hash"], list(inputs.package_lock(json.dumps(lock), package)))
        self.assertIn("wants other", "".join(inputs.package_lock(json.dumps({"packages": {"": {}}}), package)))

    def test_modules_of_go_have_hashes(self):
        module = "module x\n\ngo 1.26.7\n\nrequire (\n\texample.org/a v1.0.0\n\texample.org/b v2.0.0 // indirect\n)\n"
        a, b = (f"example.org/{each} v{number}.0.0/go.mod h1:{'A' * 43}=\n" for number, each in enumerate("ab", 1))
        self.assertEqual([], list(inputs.go_sums(a + b, module)))
        self.assertEqual(["'example.org/b v2.0.0' has no hash: run go mod tidy"], list(inputs.go_sums(a, module)))
        self.assertIn("no module with a hash", "".join(inputs.go_sums(a + b + "example.org/c v1.0.0 x\n", module)))

    def test_checksums_are_in_order_and_whole(self):
        first, second = (f"{'0' * 64}  g/{each}/1/{each}-1.jar\n" for each in "ab")
        self.assertEqual([], list(inputs.checksums(first + second)))
        self.assertEqual(1, len(list(inputs.checksums(second + first))))
        self.assertEqual(1, len(list(inputs.checksums(first + first))))
        self.assertIn("no SHA-256", "".join(inputs.checksums("00  g/a\n")))

    def test_maven_must_be_strict(self):
        self.assertEqual([], list(inputs.settings("\n".join(inputs.MAVEN))))
        self.assertEqual(["'--strict-checksums' is missing"], list(inputs.settings("\n".join(inputs.MAVEN[1:]))))

    def test_downloads_past_the_functions_are_found(self):
        for line in ("python3 -m pip install x", "npm install", "npx eslint", "wget http://x", "curl -sO https://x/y.tar.gz",
                     '"$own.venv/bin/pip" install x', "mvn -q dependency:get -Dartifact=x", "git clone https://x/y", "go install x@latest",
                     "pip --trusted-host x"):
            with self.subTest(line):
                self.assertEqual(1, len(list(inputs.fetching("scripts/x", line))))
        for line in ("# pip install x", 'curl -s "$(url)/data"', "want npm npm", 'git clone -q "$ROOT" "$clone.new"',
                     "curl http://127.0.0.1:1/"):
            with self.subTest(line):
                self.assertEqual([], list(inputs.fetching("scripts/x", line)))
        self.assertEqual([], list(inputs.fetching("scripts/lib.sh", "python3 -m pip install x")))


if __name__ == "__main__":
    unittest.main()
