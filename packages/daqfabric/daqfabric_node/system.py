"""Commands of this host."""
import json
import subprocess


class Refused(Exception):
    """What is wrong, and what to do."""


def run(*command, stdin=None):
    """What the command prints."""
    try:
        done = subprocess.run(command, input=stdin, text=True, capture_output=True, check=False)
    except FileNotFoundError:
        raise Refused(f"there is no {command[0]}: install the package it is of") from None
    if done.returncode:
        raise Refused(f"{' '.join(command[:4])} ...: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def vsctl(*words, timeout=10):
    """One transaction with this host's Open vSwitch."""
    try:
        return run("ovs-vsctl", f"--timeout={timeout}", "--no-wait", *words).strip()
    except Refused as refused:
        if "database connection failed" in str(refused) or "signal 14" in str(refused):
            raise Refused("Open vSwitch does not answer on this host: systemctl status openvswitch-switch") from None
        raise


def rows(table, *columns, timeout=10):
    """The rows of a table as dictionaries; sets and maps as Python's."""
    return tables((table, *columns), timeout=timeout)[0]


def tables(*wanted, timeout=10):
    """The rows of some tables, each given as (name, columns...), at one time."""
    words = []
    for name, *columns in wanted:
        words += [*(["--"] if words else []), f"--columns={','.join(columns)}", "list", name]
    answers = vsctl("--format=json", "--", *words, timeout=timeout).splitlines()
    return [[dict(zip(data["headings"], map(_plain, row))) for row in data["data"]] for data in map(json.loads, answers)]


def _plain(value):
    if isinstance(value, list) and value and value[0] == "map":
        return dict(value[1])
    if isinstance(value, list) and value and value[0] == "set":
        return value[1]
    return value
