"""
Follows docs/run-control.md for AliECS, drunc, MIDAS and operators, on a fabric of the lab. Needs
DAQFABRIC_URL, DAQFABRIC_USER, DAQFABRIC_PASSWORD and DAQFABRIC_FABRIC, a name that begins with `prototype`:

    scripts/constellation python3 -m trial.documented
"""
import json
import os
import queue
import re
import subprocess
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import yaml

from .midas_stand_in import START, STARTABORT, STOP, SUCCESS, block, callbacks
from daqfabric_constellation.control import RunControl
from daqfabric_constellation.restconf import Restconf

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "site"))
import pages_walk as walker  # noqa: E402  (is found by the path above)

PAGE = ROOT / "docs/run-control.md"
FABRIC = os.environ["DAQFABRIC_FABRIC"]
PLACE = walker.Place(restconf=os.environ["DAQFABRIC_URL"].split("/")[2], suffix=FABRIC.removeprefix("prototype"))
ALIECS = (("before_CONFIGURE", "prepared"), ("after_CONFIGURE", "ready"), ("before_START_ACTIVITY", "running"),
          ("after_STOP_ACTIVITY", "ready"), ("before_RESET", "idle"), ("DESTROY", "idle"))
BEGUN = time.monotonic()


def say(text):
    print(f"{time.monotonic() - BEGUN:6.2f} s  {text}", flush=True)


def sections(text):
    """Every command of the page prints what the page shows."""
    shell = walker.Shell()
    try:
        problems = walker.walk(walker.steps(text, PAGE.name), PLACE, shell, say)
    finally:
        shell.close()
    assert not problems, "\n\n".join(problems)


def aliecs(text, control):
    """The hooks of the workflow template, in the order of AliECS's transitions, each within its timeout."""
    workflow = yaml.safe_load(PLACE.put(block(text, "AliECS", "yaml")))
    for moment, state in ALIECS:
        hooks = [role for role in workflow["roles"] if re.fullmatch(moment + r"([+-]\d+)?", role["task"]["trigger"])]
        assert len(hooks) == 1, f"{moment}: {hooks}"
        task, command = hooks[0]["task"], hooks[0]["vars"]["shell_command"].replace("{{ run_number }}", "104")
        assert task["load"] == "shell-command", task
        subprocess.run(["sh", "-c", command], check=True, timeout=float(task["timeout"].removesuffix("s")),
                       stdout=subprocess.DEVNULL)
        say(f"AliECS {moment}: {command}")
        expect(control, state)


class Answers(BaseHTTPRequestHandler):
    """Where drunc waits for its children's answers."""

    def do_POST(self):
        self.server.answers.put((self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


def drunc(text, control):
    """The child, called as drunc calls it."""
    command = PLACE.put(re.search(r"^    (integrations/drunc/daqfabric-drunc .*)$", text, re.M)[1])
    command = command.replace("--port 3333", "--port 0")
    listener = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    listener.answers = queue.Queue()
    threading.Thread(target=listener.serve_forever, args=(0.05,), daemon=True).start()
    child = subprocess.Popen(["sh", "-c", "exec " + command], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        url = "http://" + child.stdout.readline().split()[-1] + "/command"

        def ask(name, **data):
            body = {"id": name, "data": {"modules": [{"data": data, "match": ""}]}, "entry_state": "ANY", "exit_state": "ANY"}
            urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), {
                "content-type": "application/json", "X-Answer-Port": str(listener.server_address[1]),
                "X-Answer-Host": "127.0.0.1"}), timeout=1.0)
            path, answer = listener.answers.get(timeout=60)
            assert path == "/response" and answer["appname"] == "daqfabric", (path, answer)
            say(f"drunc {name}: {answer['success']}: {answer['result'][:120]}")
            return answer

        refused = ask("start", run=105)
        assert not refused["success"] and "prepare it first" in refused["result"], refused
        for name, data, state in (("conf", {}, "ready"), ("start", {"run": 105}, "running"),
                                  ("enable_triggers", {}, "running"), ("stop", {}, "ready"), ("scrap", {}, "idle")):
            answer = ask(name, **data)
            assert answer["success"], answer
            expect(control, state)
    finally:
        child.terminate()
        child.wait()
        child.stdout.close()
        listener.shutdown()
        listener.server_close()


def midas(text, control):
    """The client, called as MIDAS calls: by transition, from low to high sequence numbers, frontends at 500."""
    registered = callbacks(PLACE.put(block(text, "MIDAS", "python")), str(PAGE))
    assert registered[START][0] < 500 < registered[STOP][0], registered
    for transition, state in (
            (STOP, "idle"),  # nothing is left to do
            (START, "running"), (START, "running"),  # as after a stop that did not come here
            (STOP, "idle"), (START, "running"), (STARTABORT, "idle")):
        answer = registered[transition][1](None, 106)
        say(f"MIDAS transition {transition}: {answer}")
        assert answer == SUCCESS, answer
        expect(control, state)


def expect(control, state):
    found = control.read().state
    assert found == state, f"the controller says {found}, not {state}"


def main():
    os.environ["DAQFABRIC_PARTITION"] = "physics"
    os.environ["PATH"] += f":{ROOT / 'integrations/shell'}"
    control = RunControl(
        Restconf(os.environ["DAQFABRIC_URL"], os.environ["DAQFABRIC_USER"], os.environ["DAQFABRIC_PASSWORD"]), "physics")
    text = PAGE.read_text()
    try:
        sections(text)
        aliecs(text, control)
        drunc(text, control)
        midas(text, control)
    finally:
        if control.read().state != "idle":
            control.clear()
    say("done")


if __name__ == "__main__":
    main()
