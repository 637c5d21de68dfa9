"""`make experiments`: runs them, writes the numbers, plots and pages."""
import argparse
import datetime
import json
import os
import signal
import sys
import time
from dataclasses import asdict
from pathlib import Path

from .. import machine
from ..demo import WITH_RINGS
from ..errors import LabError
from ..restconf import Restconf
from . import failover, methods, pages, plots, ring_size, round_trips, shaping, tcp_paper

ALL = {"5.8": ring_size.many_dcms, "5.10": ring_size.one_dcm, "6.8": shaping.shaping, "6.9": methods.methods, "6.10": failover.failover,
       "credits": tcp_paper.credits, "windows": tcp_paper.windows, "buffers": tcp_paper.buffers,
       "round-trips": round_trips.round_trips, "first-events": round_trips.first_events}


def main(arguments):
    parser = argparse.ArgumentParser(prog="experiments", description=__doc__)
    parser.add_argument("figures", nargs="*", metavar="FIGURE", help=f"of the thesis: {', '.join(ALL)} (default: all)")
    parser.add_argument("--restconf", default="http://127.0.0.1:8181/rests", help="base URL of the controller")
    parser.add_argument("--target", default="target/experiments", type=Path, help="folder for the numbers")
    parser.add_argument("--docs", default="docs", type=Path, help="folder for experiments.md and its plots")
    options = parser.parse_args(arguments)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(143))
    unknown = [figure for figure in options.figures if figure not in ALL]
    if unknown or os.geteuid() != 0 or not os.access(WITH_RINGS, os.X_OK):
        print(f"experiments: {unknown[0]}: there are {', '.join(ALL)}" if unknown else "experiments: namespaces need root: run it as root"
              if os.geteuid() != 0 else "experiments: they need daqrings: run make ovs", file=sys.stderr)
        return 2
    options.target.mkdir(parents=True, exist_ok=True)
    lab = Restconf(options.restconf), options.target, WITH_RINGS
    try:
        for figure in options.figures or ALL:
            _run(figure, lab, options.target)
        pages.write(options.target, options.docs)
        plots.draw(options.target, options.docs / "experiments")
    except LabError as error:
        print(f"experiments: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print(f"\nexperiments: {options.docs}/experiments.md, numbers in {options.target}")
    return 0


def _run(figure, lab, target):
    started = time.monotonic()
    print(f"\nFigure {figure}", flush=True)

    def say(what, point=None):
        print(f"[{time.monotonic() - started:6.1f} s] {what}" + (f": {_text(point)}" if point else ""), flush=True)

    found = ALL[figure](lab, say)
    points = [asdict(each) if isinstance(each, failover.Run) else each.payload() for each in found]
    document = {"figure": figure, "date": datetime.date.today().isoformat(), "machine": machine.description(), "points": points}
    (target / f"figure-{figure}.json").write_text(json.dumps(document, indent=1) + "\n")


def _text(point):
    return (f"goodput {point.median('ratio'):.1%}, latency {point.median('mean'):.0f} ms, jitter {point.median('jitter'):.0f} ms, "
            f"{point.total('timeouts')} timeouts, {point.total('ring_drops')} dropped in daqrings")
