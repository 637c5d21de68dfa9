"""`make simulate`: runs the simulations, writes their numbers, plots and page."""
import argparse
import datetime
import json
import subprocess
import sys
import time
from pathlib import Path

from . import farms, figures, pages, plots
from daqlab_lib import machine
from daqlab_lib.errors import LabError

ALL = {"5.8": figures.many_dcms, "5.10": figures.one_dcm, "6.8": figures.shaping, "6.9": figures.methods,
       "causes": figures.causes, "6.4": farms.figure_6_4, "atlas-whole": farms.atlas_whole,
       "atlas": farms.atlas}


def main(arguments):
    parser = argparse.ArgumentParser(prog="simulate", description=__doc__)
    parser.add_argument("figures", nargs="*", metavar="FIGURE", help=f"{', '.join(ALL)} (default: all)")
    parser.add_argument("--docs", default="docs", type=Path, help="folder for simulation.md, and simulation/ with numbers and plots")
    options = parser.parse_args(arguments)
    unknown = [figure for figure in options.figures if figure not in ALL]
    if unknown:
        print(f"simulate: {unknown[0]}: there are {', '.join(ALL)}", file=sys.stderr)
        return 2
    numbers = options.docs / "simulation"
    numbers.mkdir(parents=True, exist_ok=True)
    try:
        for figure in options.figures or ALL:
            _simulate(figure, numbers)
        pages.write(numbers, options.docs)
        plots.draw(numbers)
    except (LabError, RuntimeError, subprocess.CalledProcessError) as error:
        print(f"simulate: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print(f"\nsimulate: {options.docs}/simulation.md, numbers in {numbers}")
    return 0


def _simulate(figure, numbers):
    started = time.monotonic()
    print(f"\nFigure {figure}", flush=True)

    def say(what, point):
        print(f"[{time.monotonic() - started:6.1f} s] {what}: goodput {point.median('ratio'):.1%}, latency {point.median('mean'):.1f} ms, "
              f"p99 {point.median('p99'):.1f} ms, {point.total('timeouts')} timeouts, {point.total('ring_drops')} dropped in daqrings, "
              f"{[each.port_drops for each in point.repeats]} at ports", flush=True)

    points = [point.payload() for point in ALL[figure](say)]
    document = {"figure": figure, "date": datetime.date.today().isoformat(), "machine": machine.description(),
                "minutes": round((time.monotonic() - started) / 60, 1), "points": points}
    (numbers / f"figure-{figure}.json").write_text(json.dumps(document, indent=1) + "\n")


sys.exit(main(sys.argv[1:]))
