"""`daqlab events`."""
import contextlib
import json
import signal
import sys
from dataclasses import fields

from ..errors import LabError
from ..restconf import Restconf
from . import load, report, run

TEXT = "event traffic: ROS answer DCMs with fragments over TCP; reports rate, goodput, latency, losses"
DEFAULT = load.Load()


def add_options(command):
    command.set_defaults(run=execute)
    command.add_argument("name", metavar="NAME")
    command.add_argument("--duration", type=float, default=10.0, help="seconds that are measured (default 10)")
    command.add_argument("--warmup", type=float, default=run.WARM_UP, help=f"seconds before (default {run.WARM_UP:g})")
    command.add_argument("--fragments", type=int, default=DEFAULT.fragments, help="per ROS and event (default 1)")
    command.add_argument("--size", type=int, default=DEFAULT.size, help=f"of a fragment, bytes (default {DEFAULT.size})")
    command.add_argument("--applications", type=int, default=1, help="readout applications on each ROS (default 1)")
    command.add_argument("--credits", type=int, default=0, help="fragments a DCM may wait for at once (default 0: all)")
    command.add_argument("--congestion", default=DEFAULT.congestion, metavar="|".join(load.CONGESTION), help="default cubic")
    command.add_argument("--ecn", action="store_true", help="TCP knows ECN, the marks of daqrings with ecn-threshold")
    command.add_argument("--window", type=int, default=0, metavar="SEGMENTS", help="in flight per connection (default 0: as TCP decides)")
    command.add_argument("--cwnd", type=int, default=0, metavar="SEGMENTS",
                         help="the same, by the congestion window of the ROS, locked on its route")
    command.add_argument("--gwnd", type=int, default=0, metavar="SEGMENTS", help="in flight to a DCM: a window that its connections share")
    command.add_argument("--rto-min", type=int, default=0, metavar="MS",
                         help="TCP's smallest timeout (default 0: as the hosts have it; on limited links Linux's own 200)")
    command.add_argument("--rate", type=float, default=0.0, metavar="HZ",
                         help="events assigned per second (default 0: the next when complete)")
    command.add_argument("--l2", type=float, default=0.0, metavar="FRACTION", help="of the ROS asked first (default 0: all at once)")
    command.add_argument("--accept", type=float, default=1.0, metavar="PROBABILITY", help="that the rest is asked then (default 1)")
    command.add_argument("--dcms", nargs="+", default=(), metavar="DCM", help="default: all")
    command.add_argument("--ros", nargs="+", default=(), metavar="ROS", help="default: all")
    command.add_argument("--schedule", action="store_true", help="DCMs ask ROS in the phases of rpc schedule, all in step")
    command.add_argument("--restconf", default="http://127.0.0.1:8181/rests", help="base URL of the controller, for --schedule")
    command.add_argument("--events-log", metavar="FILE", help="a line of JSON per event")
    command.add_argument("--json", action="store_true")


def execute(options):
    for name, value in (("--duration", options.duration), ("--warmup", options.warmup)):
        if not 0 <= value <= load.MAX_DURATION:
            raise LabError(f"{name} {value:g}: use up to {load.MAX_DURATION} seconds")
    given = {field.name: getattr(options, field.name) for field in fields(load.Load) if hasattr(options, field.name)}
    wanted = load.Load(**given | {"dcms": tuple(options.dcms), "ros": tuple(options.ros), "limit": options.duration + options.warmup + 60})
    # Ctrl-C ends it also where a script has started it in the background, which hands on that it is ignored.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    controller = Restconf(options.restconf) if options.schedule else None
    with run.start(options.name, wanted, options.warmup, options.events_log, controller) as traffic:
        with contextlib.suppress(KeyboardInterrupt):  # ends it early, with the report
            traffic.follow(options.duration)
        result = traffic.stop()
    print(json.dumps(result.payload(), indent=2) if options.json else report.text(result))
    if result.limited_by.startswith("the machine"):
        print("daqlab: this measured the machine, not the network", file=sys.stderr)
    return 0
