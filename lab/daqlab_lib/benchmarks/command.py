"""Writes docs/benchmarks.md from the numbers in docs/benchmarks/.

Benchmarks named are first copied there from target/, condensed to what the page shows, with the date and the machine.
Copy on the machine that measured.
"""
import argparse
import datetime
import json
import sys
from pathlib import Path

from .. import machine
from ..errors import LabError
from . import condense, pages

ROOT = Path(__file__).resolve().parents[3]


def main(arguments):
    parser = argparse.ArgumentParser(prog="bench-docs", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="BENCHMARK", help=f"numbers to copy: {', '.join(condense.RESULTS)} (default: none)")
    parser.add_argument("--target", default=ROOT / "target", type=Path, help="folder the benchmarks wrote to (default target)")
    parser.add_argument("--docs", default=ROOT / "docs", type=Path, help="folder of benchmarks.md (default docs)")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in condense.RESULTS]
    if unknown:
        parser.error(f"{unknown[0]}: the benchmarks are {', '.join(condense.RESULTS)}")
    try:
        for name in options.names:
            copy(name, options.target, options.docs / "benchmarks")
        (options.docs / "benchmarks.md").write_text(pages.page(read(options.docs / "benchmarks")))
    except LabError as error:
        print(f"bench-docs: {error}", file=sys.stderr)
        return 1
    print(f"bench-docs: {options.docs}/benchmarks.md")
    return 0


def copy(name, target, numbers):
    """Copies what a full run left behind; the date is that of the run."""
    result = condense.RESULTS[name]
    file = target / result.file
    try:
        condensed = result.read(file.read_text())
    except FileNotFoundError:
        raise LabError(f"{file} does not exist: run {result.command} first") from None
    except (LookupError, ValueError) as error:
        raise LabError(f"{file} is not from a full run ({type(error).__name__}: {error}): run {result.command}") from error
    date = datetime.date.fromtimestamp(file.stat().st_mtime)
    document = {"date": date.isoformat(), "machine": machine.description(), "numbers": condensed}
    (numbers / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n")


def read(folder):
    """All numbers kept: name -> document."""
    found = {}
    for name in condense.RESULTS:
        try:
            found[name] = json.loads((folder / f"{name}.json").read_text())
        except FileNotFoundError:
            raise LabError(f"{folder}/{name}.json does not exist: run {condense.RESULTS[name].command}") from None
    return found
