"""What the commands have in common that measure one thing with a running controller and daqrings."""
import argparse
import os
import signal
import sys
from pathlib import Path

from ..demo import WITH_RINGS
from ..errors import LabError
from ..restconf import Restconf


def run(program, description, target, arguments, measure):
    """Calls measure(controller, folder) and returns the exit code. target: the folder unless another one is given."""
    parser = argparse.ArgumentParser(prog=program, description=description)
    parser.add_argument("--restconf", default="http://127.0.0.1:8181/rests", help="base URL of the controller")
    parser.add_argument("--target", default=target, type=Path, help="folder for what is written")
    options = parser.parse_args(arguments)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(143))
    if os.geteuid() != 0 or not os.access(WITH_RINGS, os.X_OK):
        print(f"{program}: needs root, and daqrings: run make ovs", file=sys.stderr)
        return 2
    options.target.mkdir(parents=True, exist_ok=True)
    try:
        measure(Restconf(options.restconf), options.target)
    except LabError as error:
        print(f"{program}: {error}", file=sys.stderr)
        return 1
    return 0
