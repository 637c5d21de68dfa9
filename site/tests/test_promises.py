"""Each promise of docs/security.md names the tests that show it; these are there, and the page says which `make test` leaves out."""
import functools
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "security.md"
NOTHING_PROMISED = {"What is protected, against whom", "Known holes"}
LEFT_OUT = {".cache", ".git", "target", "node_modules"}
NAME = re.compile(r"`([^`]+)`")
ELSEWHERE = re.compile(r"`make test-\w+`")
NAMED_ALONE = {"ovs", "packages"}  # whose other tests `make test` leaves out
SUITES = {"others", "controlled", "uncontrolled"}  # of scripts/test, which `make test` consists of beside Maven's


def sections(text):
    """Titles and texts, each to the next title of any level."""
    parts = re.split(r"^##+ (.+)$", text, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def promises(title, text):
    """What a section promises, each with what says how that is tested: rows of its tables, and the section for its prose."""
    for table in re.findall(r"^\| promise \|.*\n\|[-|]+\n((?:\|.*\n)+)", text, re.MULTILINE):
        for row in table.splitlines():
            promise, tested = re.fullmatch(r"\| (.+) \| (.*) \|", row).groups()
            yield f"{title}: {promise[:80]}", tested
    for paragraph in re.findall(r"\b[Ss]hown by: ((?:.+\n)+)", text):
        yield title, paragraph


@functools.cache
def sources():
    """The files in which tests are."""
    return [file for folder in ROOT.iterdir() if folder.is_dir() and folder.name not in LEFT_OUT
            for file in folder.rglob("*") if file.suffix in (".java", ".py") and not LEFT_OUT.intersection(file.parts)]


@functools.cache
def tests():
    """The names by which tests can be called, classes of Java, modules and methods of Python: whether `make test` has them."""
    found = {}

    def add(file, *names):
        for name in names:
            found[name] = found.get(name, False) or is_made(file)

    for file in sources():
        text = file.read_text()
        if file.suffix == ".java" and "src/test/java" in file.as_posix():
            add(file, *[file.stem] if re.search(r"@(Parameterized|Repeated)?Test\b", text) else [])
        elif file.suffix == ".py" and "tests" in file.parts:
            methods = re.findall(r"^ +def (test_\w+)\(", text, re.MULTILINE)
            add(file, *methods, *[file.stem, file.relative_to(ROOT).as_posix()] if methods else [])
    return found


def is_made(file):
    """Whether `make test` runs a file of tests."""
    if file.suffix == ".java":
        return not re.search(r'^@Tag\("long"\)', file.read_text(), re.MULTILINE)
    module = file.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
    return module in named() or (file.stem.startswith("test_") and module.split(".")[0] not in NAMED_ALONE)


@functools.cache
def named():
    """The modules of Python that `make test` runs by their names."""
    script = (ROOT / "scripts/test").read_text()
    others = re.compile(r'^if \[ "\$what" = (\w+) \]; then\n.*?^fi\n', re.MULTILINE | re.DOTALL)
    script = others.sub(lambda block: block[0] if block[1] in SUITES else "", script)
    classes = re.search(r"^ +set -- (test_.+)$", script, re.MULTILINE)[1].split()
    return set(re.findall(r"\b\w+\.tests\.\w+", script)) | {f"ovs.tests.{name.split('.')[0]}" for name in classes}


@functools.cache
def checks():
    """Checks that are no tests, as they are called."""
    kinds = re.search(r'^others="(.*)"$', (ROOT / "scripts/lint").read_text(), re.MULTILINE)[1]
    return {f"scripts/lint {kind}" for kind in kinds.split()} | {"scripts/sbom", "make test"}


def faults(text):
    """What is wrong with a page of promises."""
    for title, section in sections(text):
        if "**Promised" in section:
            yield f"{title}: what is promised stands in a table of promises, each with its tests"
        found = list(promises(title, section))
        if not found and title not in NOTHING_PROMISED:
            yield f"{title}: no promise names a test: add a table of promises, or a line 'Shown by: `SomeTest`.'"
        for promise, tested in found:
            names = NAME.findall(tested)
            yield from (f"{promise}: there is no test {name}" for name in names if name not in tests() and name not in checks()
                        and not ELSEWHERE.fullmatch(f"`{name}`"))
            shown = [tests()[name] for name in names if name in tests()]
            if not shown:
                yield f"{promise}: names no test that shows it"
            elif not any(shown) and not ELSEWHERE.search(tested):
                yield f"{promise}: `make test` has none of its tests: say what has them, such as `make test-long`"


class PromisesTest(unittest.TestCase):

    def test_every_promise_names_tests_that_are_there(self):
        text = PAGE.read_text()
        self.assertGreater(len([each for title, section in sections(text) for each in promises(title, section)]), 30)
        self.assertGreater(len(tests()), 500)
        self.assertEqual([], list(faults(text)))

    def test_a_section_that_promises_something_and_names_no_test_is_found(self):
        self.assertEqual(["A: no promise names a test: add a table of promises, or a line 'Shown by: `SomeTest`.'"],
                         list(faults("# Page\n\n## A\n\nNobody gets in.\n\n## Known holes\n\nNone.\n")))
        self.assertEqual([], list(faults("## A\n\nNobody gets in.\n\nShown by: `AttackIT`,\n`test_sbom`.\n\n`other`\n")))

    def test_a_promise_without_a_test_or_with_one_that_is_not_there_is_found(self):
        table = "## A\n\n| promise | tested by |\n|---|---|\n| nobody gets in | {} |\n"
        self.assertEqual(["A: nobody gets in: names no test that shows it"], list(faults(table.format("by design"))))
        self.assertEqual(["A: nobody gets in: names no test that shows it"], list(faults(table.format("`scripts/lint inputs`"))))
        self.assertEqual(["A: nobody gets in: there is no test NobodyIT"],
                         list(faults(table.format("`ImpostorIT`: a flood; `NobodyIT`"))))
        # a class beside tests, and one that is no test
        for name in ("Flood", "Places", "lab/tests/support.py"):
            self.assertIn(f"A: nobody gets in: there is no test {name}", list(faults(table.format(f"`{name}`"))))
        self.assertEqual([], list(faults(table.format("`ImpostorIT`, `lab/tests/proxies.py`"))))

    def test_a_promise_that_make_test_leaves_out_says_so(self):
        table = "## A\n\n| promise | tested by |\n|---|---|\n| nobody gets in | {} |\n"
        for left_out in ("`AttackIT`", "`lab/tests/changes.py`", "`test_all_members_have_the_same_users`", "`test_network_managers`"):
            self.assertEqual(["A: nobody gets in: `make test` has none of its tests: say what has them, such as `make test-long`"],
                             list(faults(table.format(left_out))))
            self.assertEqual([], list(faults(table.format(f"{left_out} in `make test-long`"))))
            self.assertEqual([], list(faults(table.format(f"{left_out}, `ImpostorIT`"))))

    def test_a_promise_outside_a_table_is_found(self):
        self.assertEqual(["A: what is promised stands in a table of promises, each with its tests"],
                         list(faults("## A\n\n**Promised.** All is well:\n\n- nobody gets in\n\nShown by: `ImpostorIT`\n")))


if __name__ == "__main__":
    unittest.main()
