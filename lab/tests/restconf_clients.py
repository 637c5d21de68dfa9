"""Clients of RESTCONF that others wrote, at the controller that runs: Ansible's modules restconf_get, restconf_config and uri, and
sseclient for event streams.

Run: scripts/with-controller scripts/restconf-clients python3 -m unittest -v lab.tests.restconf_clients
"""
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import sseclient

from .unswitched import leave
from daqlab_lib import generate
from daqlab_lib.restconf import Restconf

CONTROLLER = "127.0.0.1:8181"
SIZE = generate.Size("foreign", planes=1, spines=2, pods=2, ros=1, racks=1, dcms=2, capacity=10, prefix="z-", address_base="10.86")
LINK = ("z-p1l1", "to-z-p1s1")
FABRIC = f"/data/daqfabric:fabrics/fabric={SIZE.name}"
PATIENCE = 60  # seconds
HOST = {"ansible_connection": "ansible.netcommon.httpapi", "ansible_network_os": "ansible.netcommon.restconf",
        "ansible_host": CONTROLLER.partition(":")[0], "ansible_httpapi_port": int(CONTROLLER.partition(":")[2]),
        "ansible_httpapi_use_ssl": False, "ansible_httpapi_restconf_root": "/rests", "ansible_user": "admin", "ansible_password": "admin"}


def restconf_config(method, path=FABRIC, content=None):
    """A task."""
    given = {} if content is None else {"content": json.dumps(content)}
    return {"ansible.netcommon.restconf_config": {"path": path, "method": method, **given}, "register": "answer"}


def uri(method, content=None, status=200, **headers):
    """A task, which asks from here."""
    given = {} if content is None else {"body": content, "body_format": "json"}
    return {"ansible.builtin.uri": {
        "url": f"http://{CONTROLLER}/rests{FABRIC}" + ("?content=config" if method == "GET" else ""), "method": method, "user": "admin",
        "password": "admin", "force_basic_auth": True, "status_code": status, **given,
        "headers": {"Accept": "application/yang-data+json", "Content-Type": "application/yang-data+json", **headers}},
        "vars": {"ansible_connection": "local", "ansible_python_interpreter": sys.executable}, "register": "answer"}


def check(*conditions):
    """A task."""
    return {"ansible.builtin.assert": {"that": list(conditions), "fail_msg": "{{ answer | to_json }}"}}


class RestconfClientsTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.restconf = Restconf(f"http://{CONTROLLER}/rests")
        self.fabric = generate.generate(SIZE)
        self.addCleanup(leave, self.restconf, SIZE, PATIENCE)

    def play(self, *tasks):
        """All must succeed."""
        (self.folder / "play.yml").write_text(json.dumps([{"hosts": "all", "gather_facts": False, "tasks": tasks}]))
        (self.folder / "inventory.json").write_text(json.dumps({"all": {"hosts": {"controller": HOST}}}))
        done = subprocess.run(
            [sys.executable, "-m", "ansible", "playbook", "-i", self.folder / "inventory.json", self.folder / "play.yml"], text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, cwd=self.folder,
            env={**os.environ, "HOME": str(self.folder), "LC_ALL": "C.UTF-8", "ANSIBLE_NOCOLOR": "1"})
        self.assertRegex(done.stdout, rf"controller +: ok={len(tasks)} .*failed=0", done.stdout)
        return done.stdout

    def test_ansible(self):
        """Its modules put what is new, read, change and delete it, and say what the controller does."""
        policy = {"daqfabric:fabric": [{"name": SIZE.name, "policy": {"protection": {"bfd": False}}}]}
        wrong = {"daqfabric:fabric": [{"name": SIZE.name, "link-capacity": 0}]}
        self.play(
            restconf_config("delete"), check("answer is not changed"),
            restconf_config("put", content=self.fabric), check("answer is changed"),
            {"ansible.netcommon.restconf_get": {"path": FABRIC, "content": "config"}, "register": "answer"},
            check(f"answer.response['daqfabric:fabric'][0].name == '{SIZE.name}'"),
            restconf_config("patch", content=policy), check("answer is changed"),
            restconf_config("patch", content=wrong) | {"failed_when": "'link-capacity: a link capacity is above 0' not in answer.msg"},
            uri("GET"), check("not answer.json['daqfabric:fabric'][0].policy.protection.bfd"),
            {"ansible.builtin.set_fact": {"tag": "{{ answer.etag }}"}},
            uri("PUT", self.fabric, 204, **{"If-Match": "{{ tag }}"}),
            uri("PUT", self.fabric, 412, **{"If-Match": "{{ tag }}"}),
            uri("PUT", self.fabric, 412, **{"If-None-Match": "*"}),
            restconf_config("delete"), check("answer is changed"),
            restconf_config("delete"), check("answer is not changed"))
        self.assertEqual({}, self.restconf.state(SIZE.name))

    def test_sseclient(self):
        """An event arrives while the stream goes on, and is one of the standard's."""
        name = self.restconf.rpc("sal-remote", "create-notification-stream", {
            "notifications": ["(urn:daqfabric:run-control?revision=2026-11-21)link-state"]})["notification-stream-identifier"]
        answer = self.restconf.open(self.restconf.request("GET", f"/streams/json/{name}", "text/event-stream"), PATIENCE)
        self.addCleanup(answer.close)
        events = queue.Queue()
        threading.Thread(target=lambda: events.put(next(sseclient.SSEClient(answer).events())), daemon=True).start()
        links = self.fabric["daqfabric:fabric"][0]["link"]
        next(link for link in links if (link["switch"], link["port"]) == LINK)["admin-state"] = "drained"
        self.restconf.put_fabric(self.fabric)
        event = events.get(timeout=PATIENCE)
        told = json.loads(event.data)["ietf-restconf:notification"]["daqfabric-run-control:link-state"]
        self.assertEqual(("message", SIZE.name, *LINK, "drained"),
                         (event.event, *(told[leaf] for leaf in ("fabric", "switch", "port", "oper-state"))))


if __name__ == "__main__":
    unittest.main()
