"""Each promise of docs/security.md names the tests that show it, and these are there."""
import functools
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "security.md"
NOTHING_PROMISED = {"What is protected, against whom", "Known holes"}
LEFT_OUT = {".cache", ".git", "target", "node_modules"}
NAME = re.compile(r"`([^`]+)`")


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
    """The names by which tests can be called: classes of Java, modules and methods of Python."""
    found = set()
    for file in sources():
        if file.suffix == ".java" and "src/test/java" in file.as_posix():
            found.update([file.stem] if re.search(r"@(Parameterized|Repeated)?Test\b", file.read_text()) else [])
        elif file.suffix == ".py" and "tests" in file.parts:
            methods = re.findall(r"^ +def (test_\w+)\(", file.read_text(), re.MULTILINE)
            found.update(methods, [file.stem, file.relative_to(ROOT).as_posix()] if methods else [])
    return found


@functools.cache
def checks():
    """Checks that are no tests, as they are called."""
    kinds = re.search(r'^others="(.*)"$', (ROOT / "scripts/lint").read_text(), re.MULTILINE)[1]
    return {f"scripts/lint {kind}" for kind in kinds.split()} | {"scripts/sbom", "make test"}


def faults(text):
    """What is wrong with a page of promises."""
    for title, section in sections(text):
        found = list(promises(title, section))
        if not found and title not in NOTHING_PROMISED:
            yield f"{title}: no promise names a test: add a table of promises, or a line 'Shown by: `SomeTest`.'"
        for promise, tested in found:
            names = NAME.findall(tested)
            yield from (f"{promise}: there is no test {name}" for name in names if name not in tests() | checks())
            if not tests().intersection(names):
                yield f"{promise}: names no test that shows it"


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
                         list(faults(table.format("`AttackIT`: a flood; `NobodyIT`"))))
        # a class beside tests, and one that is no test
        for name in ("Flood", "Places", "lab/tests/support.py"):
            self.assertIn(f"A: nobody gets in: there is no test {name}", list(faults(table.format(f"`{name}`"))))
        self.assertEqual([], list(faults(table.format("`AttackIT`, `lab/tests/changes.py`"))))


if __name__ == "__main__":
    unittest.main()
