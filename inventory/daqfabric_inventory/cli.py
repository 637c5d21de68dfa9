"""The commands."""
import argparse
import json
import os
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import checks, columns, comparing, http, netbox, payload, planned, reading, tables
from .controller import Controller, Refused
from .model import Inventory
from .problems import Failed, Finding, Place

CONFIGURED = "configured fabric"
WORDS = """\
INVENTORY is a folder with hosts.csv and cables.csv, a YAML file with the lists hosts and cables, or the address of a NetBox
(http://... or https://...). The first row of a CSV table names its columns. A row that begins with # is none.

columns of hosts:
{hosts}

columns of cables:
{cables}

A cable between a dcm and a rack puts the dcm behind that port of the rack; a dcm without one runs on the rack's own node.

environment:
  DAQFABRIC_USER, DAQFABRIC_PASSWORD   login at the controller (--controller)
  NETBOX_TOKEN                         token of NetBox, which needs to read only
  DAQFABRIC_PASSWORD_FILE, NETBOX_TOKEN_FILE   files that hold them, instead
  SSL_CERT_FILE                        certificates of the CA of https servers, if it is not known to this host

exit status: 0 nothing is wrong or different, 1 something is, 2 it could not be done (wrong arguments, a file that is
missing, a server that does not answer or refuses the login).
"""


def main(arguments: Sequence[str]) -> int:
    """Runs a command; returns its exit status."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except Failed as failed:
        print(f"daqfabric-inventory: {failed}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # a pager that was closed
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2


def _parser() -> argparse.ArgumentParser:
    words = WORDS.format(**{name: "\n".join(f"  {column:<14} {text}" for column, text in known.items())
                            for name, known in (("hosts", columns.HOSTS), ("cables", columns.CABLES))})
    form = {"formatter_class": argparse.RawDescriptionHelpFormatter, "epilog": words}
    parser = argparse.ArgumentParser(prog="daqfabric-inventory", description="A fabric from the tables or the NetBox of an experiment: "
                                     "written for the controller, checked, and compared with what runs.", **form)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run: Any, summary: str, detail: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=summary, description=textwrap.fill(detail, 110), **form)
        added.set_defaults(run=run)
        return added

    def inventory(added: argparse.ArgumentParser) -> None:
        added.add_argument("inventory", metavar="INVENTORY", help="folder of tables, YAML file, or address of a NetBox")
        added.add_argument("--fabric", required=True, metavar="NAME", help="name of the fabric")
        added.add_argument("--tag", metavar="SLUG", help="of NetBox: the tag of the fabric's devices, if it is not the fabric's name")

    added = command("payload", _payload, "print the fabric as the controller takes it",
                    "Prints the fabric, to be written with PUT to .../data/daqfabric:fabrics/fabric=NAME. This command writes nothing.")
    inventory(added)
    added.add_argument("--controller", metavar="URL", help="address of RESTCONF, such as http://127.0.0.1:8181/rests: keep what is "
                       "configured there and has no column, such as the policy, admin-state and port-settings")
    _output(added)
    added = command("check", _check, "find mistakes, each with its row and column",
                    "Finds all mistakes, each with its place. With --controller it asks rpc plan, too, which finds what contradicts other "
                    "fabrics, and says what a change of the configured fabric to this one would do.")
    inventory(added)
    added.add_argument("--controller", metavar="URL", help="address of RESTCONF, such as http://127.0.0.1:8181/rests")
    added = command("compare", _compare, "compare what is documented, configured, and seen",
                    "Compares the inventory, the configuration of the controller, and what its cabling checks see. One line for each host "
                    "or cable that is not the same in all three.")
    inventory(added)
    added.add_argument("--controller", metavar="URL", required=True, help="address of RESTCONF, such as http://127.0.0.1:8181/rests")
    added.add_argument("--json", action="store_true", help="for programs")
    _output(added)
    added = command("tables", _tables, "write the tables of a fabric that is configured",
                    "Writes hosts.csv and cables.csv of a fabric as RESTCONF has it.")
    added.add_argument("file", metavar="FABRIC", help="file with the fabric, or - for the standard input")
    added.add_argument("-o", "--output", metavar="FOLDER", required=True, help="where the tables are written; those there are replaced")
    return parser


def _output(added: argparse.ArgumentParser) -> None:
    added.add_argument("-o", "--output", metavar="FILE", help="write it there, not to the standard output")


def _write(options: argparse.Namespace, text: str) -> None:
    if not options.output:
        print(text)
        return
    try:
        Path(options.output).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise Failed(f"{options.output} cannot be written: {error.strerror}") from error


def _read(options: argparse.Namespace) -> tuple[Inventory, list[Finding]]:
    if options.inventory.startswith(("http://", "https://")):
        rows = netbox.read(netbox.NetBox(options.inventory, http.secret("NETBOX_TOKEN")), options.tag or options.fabric)
        findings: list[Finding] = []
    elif options.tag:
        raise Failed(f"--tag is for NetBox, and {options.inventory} is none")
    else:
        rows, findings = tables.read(Path(options.inventory))
    inventory, more, whole = reading.read(rows)
    return inventory, findings + more + checks.check(inventory, whole)


def _tell(findings: list[Finding]) -> bool:
    """Prints them in the order of the tables; whether one is an error."""
    for finding in sorted(set(findings), key=Finding.order):
        print(finding, file=sys.stderr)
    return any(finding.error for finding in findings)


def _right(options: argparse.Namespace) -> Inventory | None:
    """The inventory, if nothing is wrong with it."""
    inventory, findings = _read(options)
    return None if _tell([finding for finding in findings if finding.error]) else inventory


def _payload(options: argparse.Namespace) -> int:
    controller = Controller(options.controller) if options.controller else None
    inventory = _right(options)
    if inventory is None:
        return 1
    fabric = payload.fabric(options.fabric, inventory)
    if controller:
        fabric = payload.keep(fabric, controller.configured(options.fabric))
    _write(options, json.dumps({"daqfabric:fabric": [fabric]}, indent=2))
    return 0


def _check(options: argparse.Namespace) -> int:
    controller = Controller(options.controller) if options.controller else None
    inventory, findings = _read(options)
    wrong = _tell(findings)
    counts = f"{len(inventory.hosts)} hosts, {len(inventory.cables)} cables between switches"
    if wrong:
        print(f"{counts}: {sum(finding.error for finding in set(findings))} mistakes"
              + (", the controller is not asked before they are corrected" if controller else ""))
        return 1
    print(f"{counts}: no mistake")
    if controller:
        return _plan(controller, options.fabric, inventory)
    return 0


def _plan(controller: Controller, name: str, inventory: Inventory) -> int:
    candidate = payload.keep(payload.fabric(name, inventory), controller.configured(name))
    try:
        text, findings = planned.effect(controller.plan(name, candidate), inventory)
    except Refused as refused:
        findings = planned.refusals(refused, inventory, Place(CONFIGURED))
        if not _tell([finding for finding in findings if finding.error]):
            print(f"fabric {name} is not configured yet: the controller checks the rest when it is written")
            return 0
        print(f"the controller refuses it: {len(findings)} mistakes")
        return 1
    _tell(findings)
    print(f"the controller takes it: {text}")
    return 0


def _compare(options: argparse.Namespace) -> int:
    controller = Controller(options.controller)
    documented = _right(options)
    if documented is None:
        return 1
    present = controller.configured(options.fabric)
    if present is None:
        raise Failed(f"the controller has no fabric {options.fabric}: is the name right? If it is new, write its payload first")
    configured = payload.inventory(present)
    state = controller.state(options.fabric)
    found = comparing.compare(documented, configured, comparing.seen(state, configured),
                              {entry["name"]: entry.get("ovsdb-connected", False) for entry in state.get("switch", ())})
    _write(options, _json(options.fabric, found) if options.json else _lines(found))
    return 1 if found.differences else 0


def _json(fabric: str, found: comparing.Comparison) -> str:
    return json.dumps({"fabric": fabric, "hosts": found.hosts, "cables": found.cables,
                       "differences": [difference.json() for difference in found.differences], "unseen": found.unseen}, indent=2)


def _lines(found: comparing.Comparison) -> str:
    lines = [str(difference) for difference in found.differences]
    lines += [f"not seen, so compared with nothing: {unseen}" for unseen in found.unseen]
    return "\n".join([*lines,
                      f"{found.hosts} hosts and {found.cables} cables: {len(found.differences)} differ, {len(found.unseen)} not seen"])


def _tables(options: argparse.Namespace) -> int:
    try:
        document = json.loads(sys.stdin.read() if options.file == "-" else Path(options.file).read_text(encoding="utf-8"))
        fabric, = document["daqfabric:fabric"]
        written = payload.tables(payload.inventory(fabric))
    except OSError as error:
        raise Failed(f"{options.file} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise Failed(f"{options.file} holds no fabric as RESTCONF has it, {{\"daqfabric:fabric\": [...]}}: {error!r}") from error
    try:
        tables.write_csv(Path(options.output), written)
    except OSError as error:
        raise Failed(f"{options.output} cannot be written: {error.strerror}") from error
    print(", ".join(f"{len(rows)} {name}" for name, rows in written.items()) + f" in {options.output}")
    return 0
