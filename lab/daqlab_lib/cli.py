"""The command line."""
import argparse
import json
import os
import subprocess
import sys

from . import capacity, controllers, delay, faults, generate, hosts, lifecycle, logs, ping, pki, probe, profile, state, status, trace
from .errors import LabError
from .events import child, command as events_command
from .restconf import Restconf

FAILED, BAD_USE = 1, 2  # exit codes: something is missing or lost; the command cannot be carried out


def main(arguments):
    if arguments[:1] == [delay.DAEMON]:
        delay.run(arguments[1], float(arguments[2]), arguments[3:])
        return 0
    if arguments[:1] == [hosts.DAEMON]:
        hosts.run(arguments[1])
        return 0
    if arguments[:1] in ([child.ROS], [child.DCMS]):
        return child.main(arguments[0])
    options = _parser().parse_args(arguments)
    if options.run is not _generate and os.geteuid() != 0:
        print("daqlab: namespaces need root: run it as root", file=sys.stderr)
        return BAD_USE
    try:
        return options.run(options) or 0
    except LabError as error:
        print(f"daqlab: {error}", file=sys.stderr)
        return BAD_USE
    except subprocess.CalledProcessError as error:
        print(f"daqlab: {' '.join(map(str, error.cmd))}: exit code {error.returncode} {(error.stderr or '').strip()}", file=sys.stderr)
        return BAD_USE
    except KeyboardInterrupt:
        print("daqlab: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 141


def _parser():
    parser = argparse.ArgumentParser(prog="daqlab", description="Emulates a daqfabric fabric with real Open vSwitch.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    add = _adder(commands)
    command = add("generate", _generate, "write a fabric file to stdout")
    command.add_argument("--prototype", action="store_true", help="2 planes, 2 spines, 2 pods, 3 ROS, 3 racks, 8 DCMs each")
    command.add_argument("--name")
    for name, what in (("planes", "planes"), ("spines", "spines per plane"), ("pods", "pods"), ("ros", "ROS per pod"),
                       ("racks", "HLT racks per pod"), ("dcms", "DCMs per rack"), ("capacity", "Gbps per link")):
        command.add_argument(f"--{name}", type=int, metavar="N", help=what)
    command.add_argument("--prefix", default="", help="prefix of every switch, ROS and DCM name")
    command.add_argument("--address-base", default="10.1", help="ROS at BASE, DCMs at the next /16 (default 10.1)")
    command.add_argument("--ipv6", action="store_true", help="IPv6 addresses: 10.1.2.3 becomes fd00::a:1:2:3")
    command.add_argument("--dcm-ports", action="store_true", help="each DCM behind its own port")
    command.add_argument("--builders", action="store_true", help="nodes read out and build: as many racks as ROS, on the same nodes")

    command = add("up", _up, "make namespaces, links and switches of a fabric file")
    command.add_argument("file")
    command.add_argument("--controller", metavar="ADDR[,ADDR]", help="manager targets instead of the lab's own controller address")
    command.add_argument("--mtu", type=int, help="of the links, bytes (default: mtu of the fabric, or 1500)")
    command.add_argument("--control-network", metavar="A.B", help="first two octets of the control network (default 172.31)")
    command.add_argument("--ovs", metavar="PATH", default=os.environ.get("DAQ_OVS"),
                         help="ovs-vswitchd to run instead of the installed one (default: $DAQ_OVS)")
    command.add_argument("--tls", metavar="FOLDER", help="switches use TLS, with certificates of the CA in FOLDER (see pki)")

    _add_limits(command)

    command = add("capacity", _capacity, "limit the rate of all links, or show the limits")
    command.add_argument("name", metavar="NAME")
    _add_limits(command)
    command.add_argument("--off", action="store_true", help="remove the limits")

    command = add("delay", _delay, "put racks far away, or show what is far away")
    command.add_argument("name", metavar="NAME")
    command.add_argument("--rtt", type=float, metavar="MS", help="by which round trips become longer")
    command.add_argument("--racks", nargs="+", default=(), metavar="SWITCH", help="of HLT racks (default: all)")
    command.add_argument("--off", action="store_true", help="no rack is far away")

    command = add("profile", _profile, "set the hosts up as the controller's rpc host-profile prints it")
    command.add_argument("name", metavar="NAME")
    command.add_argument("--fragment-size", type=int, default=131072, metavar="BYTES", help="of a ROS and event (default 131072)")
    command.add_argument("--cwnd", type=int, default=0, metavar="SEGMENTS", help="at which ROS lock their congestion window")
    command.add_argument("--restconf", default="http://127.0.0.1:8181/rests", help="base URL of the controller")

    command = add("pki", _pki, "make a CA and the controller's certificate for `up --tls`")
    command.add_argument("folder", metavar="FOLDER")

    command = add("down", _down, "remove a fabric, or all")
    command.add_argument("name", nargs="?", metavar="NAME")

    command = add("status", _status, "show what every switch is doing")
    command.add_argument("name", nargs="?", metavar="NAME")
    command.add_argument("--json", action="store_true")

    command = add("logs", _logs, "copy the logs of all switches, as FOLDER/FABRIC/SWITCH/ovs-vswitchd.log and ovsdb-server.log")
    command.add_argument("folder", metavar="FOLDER")
    command.add_argument("name", nargs="?", metavar="NAME")

    command = add("ping", _ping, "echo requests from every ROS to every DCM and back")
    command.add_argument("name", nargs="?", metavar="NAME")
    command.add_argument("--json", action="store_true")
    command.add_argument("--count", type=int, help="rounds of one request per pair (default 1)")
    command.add_argument("--interval", type=float, default=1.0, help="from round to round, seconds (default 1)")
    command.add_argument("--timeout", type=float, default=1.0, help="to wait for the last answers, seconds (default 1)")
    command.add_argument("--duration", type=float, help="run for this many seconds, 0: until stopped; instead of --count")
    command.add_argument("--rate", type=float, default=1.0, help="with --duration: requests per second and pair (default 1)")
    command.add_argument("--pace", type=float, default=ping.PACE, help=f"requests per second within a round (default {ping.PACE})")
    command.add_argument("--control", action="store_true", help="between the ends of flows of control instead")

    command = add("controllers", _controllers, "bring a controller or a cluster of them up, or show it")
    command.add_argument("count", nargs="?", type=int, metavar="COUNT", help="1, 3 or 5; 0 takes them down")
    command.add_argument("--distribution", metavar="FOLDER", help="instead of karaf/target/assembly")
    command.add_argument("--heap", default="1g", help="of each (default 1g)")
    command.add_argument("--json", action="store_true")
    command = add("controller", _controller, "stop, start or cut off one of the controllers")
    command.add_argument("action", choices=list(_CONTROLLER_ACTIONS), metavar="|".join(_CONTROLLER_ACTIONS))
    command.add_argument("number", type=int, metavar="NUMBER")

    add = _adder(commands, fabric=True)
    for name, run, text in (("cut", _cut, "cut the link at a port: both ends lose carrier"),
                            ("restore", _restore, "undo cut"), ("flap", _flap, "cut and restore several times")):
        command = add(name, run, text)
        command.add_argument("switch", metavar="SWITCH")
        command.add_argument("port", metavar="PORT")
    command.add_argument("--times", type=int, default=5, help="default 5")
    command.add_argument("--interval", type=float, default=0.2, help="seconds cut and seconds restored (default 0.2)")
    for name, run, text in (("kill", _kill, "SIGKILL a switch's ovs-vswitchd"),
                            ("freeze", _freeze, "SIGSTOP a switch's ovs-vswitchd"), ("thaw", _thaw, "SIGCONT after freeze"),
                            ("isolate", _isolate, "cut a switch from the control network"), ("rejoin", _rejoin, "undo isolate"),
                            ("dump", _dump, "print a switch's rules and groups"),
                            ("restart", _restart, "start or restart a switch's ovs-vswitchd")):
        command = add(name, run, text)
        command.add_argument("switch", metavar="SWITCH")
    command.add_argument("--empty", action="store_true", help="with a new database: only manager and system-id")

    command = add("exec", _exec, "run a command in the namespace of a switch, ROS or DCM")
    command.add_argument("node", metavar="NODE")
    command.add_argument("command", nargs=argparse.REMAINDER, metavar="-- COMMAND")

    command = add("probe", _probe, "numbered packets in one direction: losses and outages")
    command.add_argument("names", nargs="+", metavar="SRC DST", help="pairs of ROS or DCMs")
    command.add_argument("--rate", type=float, default=2000.0, help="packets per second and pair (default 2000)")
    command.add_argument("--duration", type=float, help="seconds (default: until SIGINT or SIGTERM)")
    command.add_argument("--json", action="store_true")

    command = commands.add_parser("events", help=events_command.TEXT, description=events_command.TEXT)
    events_command.add_options(command)

    command = add("trace", _trace, "follow a packet from one ROS or DCM to another, hop by hop")
    command.add_argument("source", metavar="SOURCE")
    command.add_argument("destination", metavar="DESTINATION")
    command.add_argument("--json", action="store_true")
    return parser


def _add_limits(command):
    command.add_argument("--rate", type=float, nargs="?", const=capacity.RATE, metavar="MBIT",
                         help=f"of links with the fabric's link-capacity; others in proportion (without MBIT {capacity.RATE:g})")
    command.add_argument("--buffer", type=int, metavar="PACKETS", help=f"of each port of a leaf or spine (default {capacity.BUFFER})")
    command.add_argument("--edge-buffer", type=int, metavar="PACKETS",
                             help="of each port of a leaf to an edge switch (default as --buffer)")


def _adder(commands, fabric=False):
    def add(name, run, text):
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(run=run)
        if fabric:
            command.add_argument("--fabric", metavar="NAME", help="needed when several fabrics have that name in them")
        return command
    return add


def _generate(options):
    sizes = {"planes": 2, "spines": 2, "pods": 2, "ros": 3, "racks": 3, "dcms": 8, "capacity": 10}
    for key in list(sizes):
        given = getattr(options, key)
        if given is not None:
            sizes[key] = given
        elif not options.prototype and key != "capacity":
            raise LabError(f"generate: --{key} is missing (or use --prototype)")
    size = generate.Size(name=options.name or "prototype", prefix=options.prefix, address_base=options.address_base,
                         dcm_ports=options.dcm_ports, builders=options.builders, ipv6=options.ipv6, **sizes)
    document = generate.generate(size)
    lifecycle.fabric_file.parse(document)
    print(json.dumps(document, indent=2))


def _up(options):
    lifecycle.up(options.file, options.controller, options.mtu, options.control_network, options.tls, options.ovs, _limits(options))


def _limits(options):
    for option, packets in (("--buffer", options.buffer), ("--edge-buffer", options.edge_buffer)):
        if options.rate is None and packets is not None:
            raise LabError(f"{option}: a link without a limit needs no buffer: add --rate")
    return None if options.rate is None else capacity.Capacity(
        options.rate, capacity.BUFFER if options.buffer is None else options.buffer, options.edge_buffer)


def _capacity(options):
    current = state.load_up(options.name)[0]
    wanted = _limits(options)
    with state.lock():
        if options.off:
            capacity.lift(current)
        elif wanted:
            capacity.limit(current, wanted)
    print(capacity.text(current))


def _delay(options):
    current = state.load_up(options.name)[0]
    with state.lock():
        if options.off:
            delay.stop(current.name)
        elif options.rtt is not None:
            delay.start(current, options.rtt, options.racks)
    print(delay.shown(current.name))


def _profile(options):
    current = state.load_up(options.name)[0]
    left_out = profile.apply(Restconf(options.restconf), current, options.fragment_size, options.cwnd)
    print(f"{current.name}: hosts are set up; left out, as their interfaces are virtual: {', '.join(left_out) or 'nothing'}")


def _pki(options):
    folder = pki.ensure(options.folder)
    for setting, file in (("private-key", "controller-key"), ("certificate", "controller-cert"), ("ca-certificate", "ca-cert")):
        print(f"tls-{setting}={folder}/{file}.pem")


def _down(options):
    lifecycle.down(options.name)


def _status(options):
    states = [state.load(n) for n in ([options.name] if options.name else state.names())]
    reports = [status.fabric_status(s) for s in states]
    if options.json:
        _print_json(options, reports)
    else:
        print("\n".join(status.text(r) for r in reports) or "no fabric is up")
    return 0 if reports and all(r["healthy"] and r["complete"] for r in reports) else FAILED


def _logs(options):
    for name in [options.name] if options.name else state.names():
        logs.keep(state.load(name), options.folder)


def _controllers(options):
    if options.count is not None:
        if options.count:
            controllers.up(options.count, options.distribution, options.heap)
        else:
            controllers.down()
        return 0
    reports = controllers.status()
    if options.json:
        print(json.dumps({"controllers": reports}, indent=2))
    else:
        print(controllers.text(reports) if reports else "no controllers are up")
    return 0 if reports and all(each["active-member"] for each in reports) else FAILED


def _restart_controller(controller):
    controllers.stop(controller)
    controllers.start(controller)
    controllers.await_ready([controller])


_CONTROLLER_ACTIONS = {
    "kill": controllers.kill, "stop": controllers.stop, "start": controllers.start, "restart": _restart_controller,
    "partition": controllers.partition, "cut": controllers.cut, "heal": controllers.heal,
}


def _controller(options):
    _CONTROLLER_ACTIONS[options.action](controllers.find(options.number))


def _ping(options):
    states = state.load_up(options.name)
    if options.duration is not None:
        if options.rate <= 0:
            raise LabError(f"--rate {options.rate}: must be above 0")
        rounds = max(1, round(options.duration * options.rate)) if options.duration else None
        schedule = ping.Schedule(rounds, 1 / options.rate, options.timeout, pace=None)
    else:
        schedule = ping.Schedule(options.count or 1, options.interval, options.timeout, options.pace)
    if schedule.rounds != 1 and len(states) > 1:
        raise LabError(f"several fabrics are up: say which one to ping: {', '.join(s.name for s in states)}")
    reports = [ping.run(s, schedule, _ping_progress, ping.control_pairs_of(s.fabric) if options.control else None) for s in states]
    if options.json:
        _print_json(options, reports)
    else:
        print("\n".join(ping.text(r) for r in reports))
    return 0 if all(ping.complete(r) for r in reports) else FAILED


def _ping_progress(sent, received):
    print(f"{sent} sent, {received} answered", file=sys.stderr, flush=True)


def _print_json(options, reports):
    """The object itself when a fabric was named, else all of them."""
    print(json.dumps(reports[0] if options.name else {"fabrics": reports}, indent=2))


def _cut(options):
    faults.set_link(options.switch, options.port, False, options.fabric)


def _restore(options):
    faults.set_link(options.switch, options.port, True, options.fabric)


def _flap(options):
    faults.flap(options.switch, options.port, options.times, options.interval, options.fabric)


def _kill(options):
    faults.kill(options.switch, options.fabric)


def _restart(options):
    faults.restart(options.switch, options.empty, options.fabric)


def _freeze(options):
    faults.freeze(options.switch, True, options.fabric)


def _thaw(options):
    faults.freeze(options.switch, False, options.fabric)


def _isolate(options):
    faults.set_control(options.switch, False, options.fabric)


def _rejoin(options):
    faults.set_control(options.switch, True, options.fabric)


def _exec(options):
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        raise LabError("exec: the command is missing: daqlab exec NODE -- COMMAND")
    argv, environment = faults.command_in(options.node, command, options.fabric)
    os.execvpe(argv[0], argv, environment)


def _dump(options):
    print(faults.dump(options.switch, options.fabric), end="")


def _probe(options):
    if options.duration is not None and not 0 < options.duration <= 86400:
        raise LabError(f"--duration {options.duration:g}: use up to 86400 seconds (leave it out to probe until stopped)")
    report = probe.run(_fabric_of(options.names[0], options.fabric), options.names, options.rate, options.duration, probe.say_started)
    print(json.dumps(report, indent=2) if options.json else probe.text(report))
    return FAILED if report["lost"] else 0


def _trace(options):
    result = trace.trace(_fabric_of(options.source, options.fabric), options.source, options.destination)
    print(json.dumps(result, indent=2) if options.json else trace.text(result))
    return 0 if result["result"] == "delivered" else FAILED


def _fabric_of(name, fabric):
    """The state of the one fabric that has this ROS or DCM."""
    found = [s for s in state.load_up(fabric) if s.fabric.endpoint(name)]
    if not found:
        raise LabError(f"no ROS or DCM {name} in {fabric or 'any fabric that is up'}")
    if len(found) > 1:
        raise LabError(f"{name} is in fabrics {', '.join(s.name for s in found)}: add --fabric NAME")
    return found[0]
