"""Sends requests that Schemathesis generates from an OpenAPI document, and says what they have proven.

An answer that blames the server fails, and so does whatever would let that pass without being tried: a login that is not
taken, no request that was accepted, or an operation that should have been. The login is the lab's (Restconf). A program, whose
exit code is not 0 then: python3 -m lab.tests.generated DOCUMENT URL SEED SECONDS|each. For so many seconds requests are made
that fit the document, and others; with `each` only a few that fit, and each of its operations must be accepted once.
"""
import dataclasses
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLES = 3  # requests for each operation in each phase but that of boundary values
ENOUGH = 20  # answers of operations of a kind, after which one should have been a success


@dataclasses.dataclass
class Answers:
    """How an operation was answered."""
    sent: int = 0
    accepted: int = 0
    without_login: int = 0

    def add(self, status):
        self.sent += 1
        self.accepted += status is not None and 200 <= status < 300
        self.without_login += status == 401


def operations(document):
    """The names of a document's operations, as Schemathesis has them."""
    return [f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods
            if method in ("get", "put", "post", "delete", "patch")]


def count(document, lines):
    """The answers by operation, from the lines of Schemathesis's report of events; a request by a method that the operation
    does not have, which it also sends, is none of it."""
    found = {operation: Answers() for operation in operations(document)}
    for line in lines:
        recorder = json.loads(line).get("ScenarioFinished", {}).get("recorder", {})
        answers = found.get(recorder.get("label"))
        for each in recorder.get("interactions", {}).values() if answers else ():
            if each["request"]["method"] == recorder["label"].split()[0]:
                answers.add((each.get("response") or {}).get("status_code"))
    return found


def _kind(operation):
    method, path = operation.split()
    return "rpcs" if path.startswith("/rests/operations/") else method


def unproven(answers, each):
    """What the answers leave unproven, with what to do about it; each is whether every operation must have been accepted."""
    sent = sum(one.sent for one in answers.values())
    refused = sum(one.without_login for one in answers.values())
    if not sent:
        return ["no request was sent: give it more time (DAQFABRIC_SECONDS), or see whether the document has operations"]
    if refused:
        return [f"{refused} of {sent} requests were answered with 401: the controller does not take the login, set "
                "DAQFABRIC_USER and DAQFABRIC_PASSWORD"]
    if each:
        return [f"{operation}: none of {one.sent} requests was accepted: see what the controller answers, and whether the "
                "document still says what it takes" for operation, one in answers.items() if not one.accepted]
    kinds = {}
    for operation, one in answers.items():
        kind = kinds.setdefault(_kind(operation), Answers())
        kind.sent += one.sent
        kind.accepted += one.accepted
    return [f"{kind}: none of {one.sent} requests was accepted, so that only refusals were tried: see what the controller "
            "answers" for kind, one in kinds.items() if not one.accepted and kind in ("GET", "rpcs") and one.sent >= ENOUGH] or \
        ([] if any(one.accepted for one in kinds.values()) else
         [f"none of {sent} requests was accepted, so that only refusals were tried: see what the controller answers"])


def said(answers):
    """In a line, for whoever reads the log."""
    asked = [one for one in answers.values() if one.sent]
    return (f"{len(asked)} of {len(answers)} operations were asked, {sum(one.accepted > 0 for one in asked)} of them with "
            f"success; {sum(one.accepted for one in asked)} of {sum(one.sent for one in asked)} requests were accepted")


def main(file, url, seed, seconds):
    each = seconds == "each"
    document = json.loads(Path(file).read_text())
    user, password = (os.environ.get(f"DAQFABRIC_{name}", "admin") for name in ("USER", "PASSWORD"))
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.ndjson")
        # read from there, and not by everybody from the command line
        Path(folder, "schemathesis.toml").write_text(f"[auth.basic]\nusername = {json.dumps(user)}\npassword = {json.dumps(password)}\n")
        done = subprocess.run(
            [sys.executable, "-m", "schemathesis.cli", "run", Path(file).absolute(), "--url", url, "--checks", "not_a_server_error",
             *(["--phases", "fuzzing", "--mode", "positive"] if each else
               ["--phases", "examples,coverage,fuzzing", "--max-time", seconds]),
             "--max-examples", str(EXAMPLES), "--seed", seed, "--request-timeout", "30",
             "--generation-database", "none", "--warnings", "off", "--no-color", "--continue-on-failure", "--no-shrink",
             "--output-truncate", "true", "--report-ndjson-path", report],
            cwd=folder, text=True, capture_output=True, check=False)
        answers = count(document, report.read_text().splitlines() if report.exists() else [])
    print(f"seed {seed}:", *re.findall(r"(?m)^ *\d+ generated.*|^Test cases:\n.*|^=+ .* in [\d.]+s =+", done.stdout))
    print(said(answers))
    # Its words show what failed, and with what request.
    wrong = [f"{done.stdout[-20000:]}{done.stderr}"] if done.returncode else unproven(answers, each)
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main(*sys.argv[1:])
