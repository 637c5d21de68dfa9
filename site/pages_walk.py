"""Follows a documentation page like a reader: runs its commands and compares their output with what the page shows.

Blocks of `sh` are run one after another in one shell. A block of `text` or `json` after one is the expected
output. In text `...` matches anything, on its own line any number of lines. JSON is compared by content: what is shown
must be present, more may be, and "..." is any value. Other conditions are in a comment before the command,
`<!-- walk: ... -->`: `within 20 s` (the page asks the reader to repeat it until it shows this), `exit 1`, `not here: why`,
`values vary` (of JSON only names and types are compared).
"""
import argparse
import dataclasses
import json
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.M | re.S)
MARK = re.compile(r"<!-- walk: (.*?) -->")
FABRICS = ("prototype", "testbed")  # of the pages
OWN = re.compile(r"^make (controller|stop)\b.*\n?", re.M)  # here the controller is there before and after


@dataclasses.dataclass
class Step:
    """A block of commands, what it should print (None: nothing is said), how often to try."""
    where: str
    commands: str
    shown: str = None
    language: str = "text"
    within: float = 0
    code: int = 0
    vary: bool = False


class Wrong(Exception):
    """What is wrong with a page."""


def steps(text, name, section=None):
    """The steps of a page in Markdown, or of one of its sections."""
    begin, end = _section(text, section)
    found, last = [], 0
    for block in BLOCK.finditer(text):
        between, language = text[last:block.start()], block[2]
        last = block.end()
        if not begin <= block.start() < end:
            continue
        body = "".join(line.removeprefix(block[1]) for line in block[3].splitlines(keepends=True))
        where = f"{name}:{text.count(chr(10), 0, block.start()) + 1}"
        if language == "sh":
            marks = dict(_mark(mark, where) for mark in MARK.findall(between))
            if marks.pop("not", False):
                found.append(None)
            else:
                found.append(Step(where, body, **marks))
        elif language in ("text", "json") and found and found[-1] and found[-1].shown is None and not between.strip():
            found[-1].shown, found[-1].language = body, language
    return [step for step in found if step]


def _section(text, title):
    if not title:
        return 0, len(text)
    begin = re.search(rf"^(#+) {re.escape(title)}$", text, re.M)
    if not begin:
        raise Wrong(f"there is no section {title!r}")
    after = re.compile(rf"^#{{1,{len(begin[1])}}} ", re.M).search(text, begin.end())
    return begin.end(), after.start() if after else len(text)


def _mark(mark, where):
    if found := re.fullmatch(r"within (\d+) s", mark):
        return "within", float(found[1])
    if found := re.fullmatch(r"exit (\d+)", mark):
        return "code", int(found[1])
    if mark.startswith("not here: "):
        return "not", True
    if mark == "values vary":
        return "vary", True
    raise Wrong(f"{where}: '<!-- walk: {mark} -->' is unknown: use within N s, exit N, values vary or not here: WHY")


def difference(shown, printed, language="text", vary=False):
    """The first difference between page and output, or None."""
    return _json_difference(shown, printed, vary) if language == "json" else _text_difference(shown, printed)


def _text_difference(shown, printed):
    pattern = ""
    for line in shown.splitlines():
        pattern += r"(?:.*\n)*?" if line.strip() == "..." else _line(line) + r"[ ]*\n"
    if re.fullmatch(pattern, printed.rstrip("\n") + "\n" * bool(printed.strip("\n"))):
        return None
    for line in shown.splitlines():
        if line.strip() != "..." and not re.search("^" + _line(line) + " *$", printed, re.M):
            return f"nothing is printed like: {line}"
    return "the lines differ, or their order"


def _line(shown):
    return ".*?".join(re.escape(part.rstrip()) for part in shown.split("..."))


def _json_difference(shown, printed, vary):
    try:
        wanted = json.loads(shown)
    except ValueError as error:
        return f"the page shows no JSON: {error}"
    try:
        found = json.loads(printed)
    except ValueError:
        return "what is printed is no JSON"
    return _missing(wanted, found, "", vary)


def _missing(wanted, found, at, vary):
    if isinstance(wanted, str) and "..." in wanted and not (vary and wanted != "..."):
        pattern = ".*".join(map(re.escape, wanted.split("...")))
        return None if wanted == "..." or re.fullmatch(pattern, str(found), re.S) else f"{at} is {json.dumps(found)}, not {wanted}"
    if isinstance(wanted, dict) and isinstance(found, dict):
        lacking = [key for key in wanted if key not in found]
        if lacking:
            return f"{at}/{lacking[0]} is not there"
        return next(filter(None, (_missing(wanted[key], found[key], f"{at}/{key}", vary) for key in wanted)), None)
    if isinstance(wanted, list) and isinstance(found, list):
        for each in wanted:
            if each != "..." and not (vary and not found) and all(_missing(each, one, at, vary) for one in found):
                return f"{at} has no entry {json.dumps(each)}"
        return None if wanted or not found else f"{at} is not empty"
    if vary and type(wanted) is type(found):
        return None
    return None if wanted == found else f"{at} is {json.dumps(found)}, not {json.dumps(wanted)}"


class Shell:
    """One bash for all steps, so that they share variables."""

    def __init__(self, command=("bash",), folder=ROOT):
        self._bash = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      text=True, cwd=folder)

    def with_stand_ins(self, homes, nodes):
        """For pages that reach machines by ssh: `stand-ins.sh` says what takes their place."""
        settings = {"WALK_LAB": ROOT / "lab", "WALK_HOMES": homes, "WALK_NODES": nodes}
        words = [f"{name}={shlex.quote(str(value))}" for name, value in settings.items()]
        self.run("\n".join([*words, f"source {shlex.quote(str(ROOT / 'site/stand-ins.sh'))}"]))
        return self

    def run(self, commands):
        """The output and the exit code of the last command."""
        end = f"end-of-step-{time.monotonic_ns()}"
        # output without a final line end, or a command that reads its input, must not swallow the mark
        self._bash.stdin.write(f"{{ {commands.rstrip()}\n}} < /dev/null\nprintf '\\n{end} %s\\n' $?\n")
        self._bash.stdin.flush()
        out = []
        for line in self._bash.stdout:
            if line.startswith(end):
                return "".join(out).removesuffix("\n"), int(line.split()[1])
            out.append(line)
        raise Wrong(f"the shell has ended: {''.join(out)}")

    def close(self):
        self._bash.stdin.close()
        self._bash.wait()
        self._bash.stdout.close()


@dataclasses.dataclass(frozen=True)
class Place:
    """The environment of a walk: addresses and fabric names that replace those of the page."""
    restconf: str = "127.0.0.1:8181"
    for_switches: str = None
    suffix: str = ""
    home: str = "target/controller"
    others: tuple = ()  # of what is in a page, and what takes its place

    def put(self, text):
        for each in self.others:
            text = text.replace(*each)
        text = OWN.sub("", text).replace("127.0.0.1:8181", self.restconf).replace("target/controller", self.home)
        if self.for_switches:
            text = text.replace("lab/daqlab up ", f"lab/daqlab up --controller {self.for_switches} ")
        if self.suffix:
            text = re.sub(rf"(?<!-)\b({'|'.join(FABRICS)})\b(?!\.)", rf"\1{self.suffix}", text)
            text = text.replace("generate --prototype", f"generate --prototype --name prototype{self.suffix}")
        return text


def walk(texts, place, shell, say=print, verbose=False):
    """Follow all steps; returns the problem of each that failed."""
    problems = [_do(step, place, shell, say, verbose) for step in texts]
    return [problem for problem in problems if problem]


def _do(step, place, shell, say, verbose):
    commands, shown = place.put(step.commands), None if step.shown is None else place.put(step.shown)
    begin, problem = time.monotonic(), None
    if not commands.strip():
        return None
    while True:
        printed, code = shell.run(commands)
        took = time.monotonic() - begin
        if code != step.code:
            problem = f"exit code {code} instead of {step.code}"
        else:
            problem = shown is not None and difference(shown, printed, step.language, step.vary)
        if not problem or took > step.within:
            break
        time.sleep(0.2)  # polling interval
    say(f"{step.where}: {took:.1f} s: {commands.strip().splitlines()[0][:100]}")
    if verbose:
        say(printed)
    if not problem:
        return None
    return f"{step.where}: {problem}\n--- commands\n{commands}--- shown\n{shown or ''}--- printed\n{printed}"


def main(arguments):
    parser = argparse.ArgumentParser(prog="walk-page",
                                     description="Follows pages on a running controller and compares what their commands print.")
    parser.add_argument("pages", nargs="+", metavar="FILE[#Section]")
    parser.add_argument("--before", nargs="+", metavar="SECTION FILE", help="in the first page before this section, follow these pages")
    parser.add_argument("--restconf", default=Place.restconf, metavar="ADDRESS:PORT", help="of the controller, instead of the page's")
    parser.add_argument("--for-switches", metavar="ADDRESS", help="at which the lab's switches reach it")
    parser.add_argument("--suffix", default=Place.suffix, help="behind the names of fabrics")
    parser.add_argument("--home", default=Place.home, help="folder of the controller, instead of target/controller")
    parser.add_argument("--machines", metavar="FOLDER", help="run the commands in FOLDER, which the files of nodes are put into; what "
                        "pages do by ssh is done to the controller of --home and the lab's nodes (stand-ins.sh)")
    parser.add_argument("--first", metavar="COMMANDS", help="run these before, such as what another section sets")
    parser.add_argument("--instead", nargs=2, action="append", default=[], metavar=("TEXT", "OTHER"), help="of a page's text")
    parser.add_argument("--verbose", action="store_true", help="show what is printed")
    options = parser.parse_args(arguments)
    place = Place(options.restconf, options.for_switches, options.suffix, options.home, tuple(options.instead))
    shell = Shell(folder=options.machines or ROOT)
    if options.machines:
        shell.with_stand_ins(options.home, options.machines)
    if options.first:
        shell.run(options.first)
    try:
        found = _all(options.pages, *(options.before or [None]))
        if not found:
            raise Wrong("nothing is tried, none of the pages has a command")
        problems = walk(found, place, shell, verbose=options.verbose)
    except (Wrong, OSError) as error:
        print(f"walk-page: {error}", file=sys.stderr)
        return 1
    finally:
        shell.close()
    print("\n".join(problems), file=sys.stderr)
    return 1 if problems else 0


def _all(pages, section=None, *inner):
    """The steps of all pages, those of the inner ones in the first before the section."""
    first, *others = [page(each) for each in pages]
    last = page(f"{pages[0].partition('#')[0]}#{section}") if section else []
    at = first.index(last[0]) if last else len(first)
    between = [step for each in inner for step in page(each)]
    return first[:at] + between + first[at:] + [step for each in others for step in each]


def page(name):
    """The steps of a page, `FILE` or `FILE#Section`."""
    file, _, section = name.partition("#")
    found = steps((ROOT / file).read_text(), file, section or None)
    if section and not found:
        raise Wrong(f"{name}: nothing is tried, no command of this section is for here")
    return found
