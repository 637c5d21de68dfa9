"""docs/rpcs.md: requests and answers of each RPC, from a controller that runs the prototype on the lab."""
import argparse
import json
import sys
import time
import tomllib
from pathlib import Path

from daqlab_lib import generate, running
from daqlab_lib.errors import LabError
from daqlab_lib.restconf import Restconf
from pages_walk import Place, Shell

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "rpcs.md"
SHORT = 3  # entries of a list that are shown
PATIENCE = 20  # seconds to wait for a condition of an example
LONG = 300  # characters of a text that are shown
SETUP = """API=http://127.0.0.1:8181/rests
daq() { curl -su admin:admin -H 'Content-Type: application/yang-data+json' -H 'Accept: application/yang-data+json' "$@"; echo; }"""
HEAD = f"""# RPCs by example

`scripts/with-controller site/capture-rpcs` sends the requests listed in `site/rpcs.toml` to a running controller and
writes this page from its answers; a test repeats the requests and compares the answers. Long lists and texts are
shortened (`...`). The fabric is the prototype of the [tour](../README.md#five-minute-tour). The page of each module
gives the meaning, range and default of every leaf.

Every rpc that asks or changes a fabric is answered within 130 s, also if something has failed inside the controller: then
by an error that says so. Those of run control are answered within 10 s; what takes longer goes on as an operation. Those of
`daqfabric-planning` only compute, from their input and the configuration.

The controller answers invalid input with 400 `invalid-value`, a node that the rpc has not with `unknown-element`, and what is
no input at all with `malformed-message`, each with a message that begins with the node and says what to write instead. Define
these first:

```sh
{SETUP}
```
"""
MODULES = {"daqfabric-operations": "Operating a running fabric.",
           "daqfabric-backup": "Everything that is stored, as one text. See [Operations](operations.md#backup).",
           "daqfabric-alarms": "What operators say of alarms. See [Operations](operations.md#alarms).",
           "daqfabric-planning": "Computing what a fabric will do before it is built; [Planning](planning.md) explains the rpcs.",
           "daqfabric-run-control": "Controlling runs; [Run control](run-control.md) describes a run from start to end."}


def main(arguments):
    parser = argparse.ArgumentParser(prog="capture-rpcs", description=__doc__)
    parser.add_argument("--restconf", default=Place.restconf, metavar="ADDRESS:PORT", help="of the controller")
    options = parser.parse_args(arguments)
    examples = tomllib.loads((HERE / "rpcs.toml").read_text())["example"]
    shell = Shell()
    try:
        shell.run(Place(options.restconf).put(SETUP))
        PAGE.write_text(_captured(examples, Restconf(f"http://{options.restconf}/rests"), shell))
    except LabError as error:
        print(f"capture-rpcs: {error}", file=sys.stderr)
        return 1
    finally:
        shell.close()
    print(f"capture-rpcs: {len(examples)} examples in {PAGE}")
    return 0


def _captured(examples, controller, shell):
    document = generate.generate(generate.Size(name="prototype", planes=2, spines=2, pods=2, ros=3, racks=3, dcms=8, capacity=10))
    folder = HERE.parent / "target" / "rpcs"
    folder.mkdir(parents=True, exist_ok=True)
    with running.switches(controller, document, folder / "fabric.json"):
        controller.put_fabric(document)
        controller.wait("prototype", lambda state: state.get("phase") == "converged", 60, "waiting for converged")
        return page(examples, lambda example: _ask(example, shell))


def _ask(example, shell):
    end = time.monotonic() + PATIENCE
    while True:
        printed, code = shell.run(request(example))
        if code:
            raise LabError(f"{request(example)}: exit code {code}: {printed}")
        if all(part in printed for part in example.get("until", [])):
            return json.loads(printed) if printed.strip() else None
        if time.monotonic() > end:
            raise LabError(f"{request(example)}: not {' and '.join(example['until'])} within {PATIENCE} s: {printed}")
        time.sleep(0.2)  # polling interval


def request(example):
    """All that a reader types; preceding commands are in the same block, so that both can be repeated."""
    if "command" in example:
        return example["command"].strip()
    before = example["before"] + "\n" if "before" in example else ""
    return f"{before}daq $API/operations/{example['rpc']} \\\n  -d '{{\"input\":{example['input'].strip()}}}'"


def page(examples, ask):
    """The page in Markdown; ask gives the answer to an example, None where there is no body."""
    parts, module, rpc = [HEAD], None, None
    for example in examples:
        this = example["rpc"].partition(":")
        if this[0] != module:
            module = this[0]
            parts.append(f"## {module}\n\n{MODULES[module]} [Module](../{_model(module)})\n")
        if this[2] != rpc:
            rpc = this[2]
            parts.append(f"### {rpc}\n")
        parts.append(example["text"] + "\n")
        answer = ask(example)
        parts += ["<!-- walk: values vary -->"] if example.get("vary") else []
        parts += [f"<!-- walk: within {PATIENCE} s -->"] if {"before", "until", "repeat"} & set(example) else []
        shown = "" if answer is None else compact(shortened(answer)) + "\n"
        parts.append(f"```sh\n{request(example)}\n```\n```{'text' if answer is None else 'json'}\n{shown}```\n")
    return "\n".join(parts)


def _model(module):
    return next((HERE.parent / "yang").rglob(f"src/main/yang/{module}@*.yang")).relative_to(HERE.parent)


def shortened(value):
    if isinstance(value, dict):
        return {key: shortened(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shortened(each) for each in value[:SHORT]] + ["..."] * (len(value) > SHORT)
    return value[:LONG] + "..." if isinstance(value, str) and len(value) > LONG else value


def compact(value, indent=0, width=110):
    """JSON in which everything that fits on one line is on one line."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + indent <= width or not isinstance(value, (dict, list)) or not value:
        return line
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        rows = [f"{inner}{json.dumps(key)}: {compact(each, indent + 2, width)}" for key, each in value.items()]
        return "{\n" + ",\n".join(_filled(rows, width)) + "\n" + " " * indent + "}"
    return "[\n" + ",\n".join(inner + compact(each, indent + 2, width) for each in value) + "\n" + " " * indent + "]"


def _filled(rows, width):
    """Short rows side by side."""
    out = []
    for row in rows:
        if out and "\n" not in out[-1] + row and len(out[-1]) + len(row.strip()) + 2 <= width:
            out[-1] += ", " + row.strip()
        else:
            out.append(row)
    return out
