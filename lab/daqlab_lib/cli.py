"""The command line."""
import argparse
import json
import os
import sys

from . import generate, hosts, lifecycle
from .errors import LabError

FAILED, BAD_USE = 1, 2  # exit codes: something is missing or lost; the command cannot be carried out


def main(arguments):
    if arguments[:1] == [hosts.DAEMON]:
        hosts.run(arguments[1])
        return 0
    options = _parser().parse_args(arguments)
    if options.run is not _generate and os.geteuid() != 0:
        print("daqlab: namespaces need root: run it as root", file=sys.stderr)
        return BAD_USE
    try:
        return options.run(options) or 0
    except LabError as error:
        print(f"daqlab: {error}", file=sys.stderr)
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
    command.add_argument("--prefix", default="", help="in front of every switch, ROS and DCM name")
    command.add_argument("--address-base", default="10.1", help="ROS at BASE, DCMs at the next /16 (default 10.1)")
    command.add_argument("--dcm-ports", action="store_true", help="each DCM behind a port of its own")

    command = add("up", _up, "make namespaces, links and switches of a fabric file")
    command.add_argument("file")
    command.add_argument("--controller", metavar="ADDR[,ADDR]", help="manager targets instead of the lab's own controller address")
    command.add_argument("--mtu", type=int, default=1500, help="of the links, bytes (default 1500)")
    command.add_argument("--control-network", metavar="A.B", help="first two octets of the control network (default 172.31)")

    command = add("down", _down, "remove a fabric, or all")
    command.add_argument("name", nargs="?")
    return parser


def _adder(commands):
    def add(name, run, text):
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(run=run)
        return command
    return add


def _generate(options):
    sizes = {"planes": 2, "spines": 2, "pods": 2, "ros": 3, "racks": 3, "dcms": 8, "capacity": 10}
    for key, default in sizes.items():
        given = getattr(options, key)
        if given is not None:
            sizes[key] = given
        elif not options.prototype and key != "capacity":
            raise LabError(f"generate: --{key} is missing (or use --prototype)")
    size = generate.Size(name=options.name or "prototype", prefix=options.prefix, address_base=options.address_base,
                         dcm_ports=options.dcm_ports, **sizes)
    document = generate.generate(size)
    lifecycle.fabric_file.parse(document)
    print(json.dumps(document, indent=2))


def _up(options):
    lifecycle.up(options.file, options.controller, options.mtu, options.control_network)


def _down(options):
    lifecycle.down(options.name)
