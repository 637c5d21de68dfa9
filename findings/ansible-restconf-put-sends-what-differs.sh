#!/bin/sh
# A PUT by Ansible's restconf_config takes away what was right already, and cannot take away what is too much.
#
# ansible.netcommon 8.2.0, in ansible 12.3.0 (PyPI), of ansible-core 2.19. Guess before: `put` "is used to replace the target data
# resource", as the module's documentation has it, so the content is what is there afterwards. Seen:
# - Of content that differs in one leaf only that leaf is sent. The server replaces the resource by it, as RFC 8040, 4.5, has it: all
#   that was the same is gone, and the play says "changed". Played again it sends the rest, and loses the leaf: it never ends.
# - Of content that has less than is there nothing is sent. What is too much stays, and the play says "ok".
# - Lists whose entries do not all have the same leaves, as where one is drained, end the module by "dictionaries do not match".
# Who writes a configuration by PUT, so that nothing else is there, meets it. With `patch` the first two do no harm; the module uri
# sends what it is given.
#
# Runs without root in a temporary folder, on a port of loopback; brings 520 MB. Exit code 1 if any of this is different.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
python3 -m venv "$work/venv"
"$work/venv/bin/pip" -q install ansible==12.3.0 ansible-core==2.19.14 > "$work/pip.log" 2>&1 || {
    cat "$work/pip.log" >&2
    exit 2
}
cat > "$work/put.py" << 'END'
import http.server
import json
import os
import subprocess
import sys
import threading

folder, playbook = sys.argv[1:]
stored, puts = {}, []


class Server(http.server.BaseHTTPRequestHandler):
    """One resource, which a PUT replaces."""

    def do_GET(self):
        self.answer(200, json.dumps(stored["now"]).encode())

    def do_PUT(self):
        stored["now"] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        puts.append(stored["now"])
        self.answer(204, b"")

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
with open(f"{folder}/hosts.json", "w") as file:
    json.dump({"all": {"hosts": {"device": {
        "ansible_connection": "ansible.netcommon.httpapi", "ansible_network_os": "ansible.netcommon.restconf", "ansible_user": "u",
        "ansible_password": "p", "ansible_host": "127.0.0.1", "ansible_httpapi_port": server.server_port}}}}, file)


def put(content):
    """Whether the play says that it has changed something, or the end of what it says; what was sent."""
    with open(f"{folder}/play.yml", "w") as file:
        json.dump([{"hosts": "all", "gather_facts": False, "tasks": [{"ansible.netcommon.restconf_config": {
            "path": "/data/m:c", "method": "put", "content": json.dumps({"m:c": content})}}]}], file)
    puts.clear()
    done = subprocess.run([playbook, "-i", f"{folder}/hosts.json", f"{folder}/play.yml"], text=True, capture_output=True, check=False,
                          stdin=subprocess.DEVNULL, env={**os.environ, "HOME": folder, "ANSIBLE_NOCOLOR": "1"})
    if done.returncode:
        said = "dictionaries do not match" if "dictionaries do not match" in done.stdout + done.stderr else done.stdout
    else:
        said = "changed" if "changed=1" in done.stdout else "ok"
    print(f"PUT of {content}: {said}; sent {[each['m:c'] for each in puts]}, there is now {stored['now']['m:c']}")
    return said, list(puts), stored["now"]["m:c"]


wanted = {"name": "a", "rate": {"least": 1, "most": 3}}
stored["now"] = {"m:c": {"name": "a", "rate": {"least": 1, "most": 2}}}
lost = {"rate": {"most": 3}}
expected = [put(wanted) == ("changed", [{"m:c": lost}], lost)]
rest = {"name": "a", "rate": {"least": 1}}
expected.append(put(wanted) == ("changed", [{"m:c": rest}], rest))
stored["now"] = {"m:c": wanted}
expected.append(put({"name": "a"}) == ("ok", [], wanted))
stored["now"] = {"m:c": {"entry": [{"id": 1}, {"id": 2}]}}
expected.append(put({"entry": [{"id": 1}, {"id": 2, "drained": True}]})[:2] == ("dictionaries do not match", []))
sys.exit(0 if all(expected) else 1)
END
"$work/venv/bin/python" "$work/put.py" "$work" "$work/venv/bin/ansible-playbook"
