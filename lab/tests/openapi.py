"""OpenDaylight's OpenAPI documents of our models are valid, and requests generated from them never meet a failing server.

The requests go to a fabric that runs, so that they reach the checks of a configuration and not only of its form. What is
theirs to change they may change; at the end the fabric is configured as it was, and runs. Refusals alone prove nothing: see
generated.py. DAQFABRIC_SEED repeats the requests that were made, or `fresh` makes others; DAQFABRIC_SECONDS is how long they
are made, 10 by default. What the controller keeps for itself (daqfabric-store) is left alone. Run as root: scripts/openapi
"""
import base64
import http.server
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock
import urllib.error
import urllib.request
from pathlib import Path

from openapi_spec_validator import OpenAPIV30SpecValidator

from .support import LAB, needs_root
from daqlab_lib import generate, running
from daqlab_lib.restconf import Restconf

NAME = "openapi"
SIZE = generate.Size(NAME, planes=2, spines=2, pods=2, ros=1, racks=1, dcms=2, capacity=10)
WEB = "http://127.0.0.1:8181"
MODELS = LAB.parent / "yang/src/main/yang"
SEED = os.environ.get("DAQFABRIC_SEED", "1")
SECONDS = os.environ.get("DAQFABRIC_SECONDS", "10")  # after which no more are made
# The datastore as a whole is no node of ours: OpenDaylight answers a body there that names no node of anyone by a 500.
NOT_OURS = {"/rests/data"}
# What the controller keeps for itself: what is written there, it believes.
STORE = "/rests/data/daqfabric-store:"


class Document:
    """All our modules in one document, of which the operations name the fabric that runs."""

    def __init__(self, documents):
        first, *_ = documents
        self.content = first | {"paths": {}, "components": first["components"] | {"schemas": {}}}
        for each in documents:
            self.content["components"]["schemas"] |= each["components"].get("schemas", {})
            for path, operations in each["paths"].items():
                if path not in NOT_OURS and not path.startswith(STORE):
                    self.content["paths"][path.replace("/fabric={name}", f"/fabric={NAME}")] = _with_name(path, operations)
        for name, schema in self.content["components"]["schemas"].items():
            if name.endswith("_input") and "fabric" in schema.get("properties", {}):
                schema["properties"]["fabric"]["enum"] = [NAME, "nobody"]

    def reads(self, fabric):
        """Only reads of what this fabric's configuration has, without choices: none of them can fail."""
        return self.content | {"paths": {path: {"get": operations["get"] | {"parameters": []}}
                                         for path, operations in self.content["paths"].items()
                                         if "get" in operations and _has(fabric, path)}}


def _has(fabric, path):
    """Whether a path leads to the fabric or to a container of its configuration; a leaf has no path in the documents."""
    _before, named, rest = path.partition(f"/rests/data/daqfabric:fabrics/fabric={NAME}")
    node = fabric
    for step in rest.split("/")[1:] if named else ():
        node = node.get(step) if isinstance(node, dict) else None
    return bool(named) and isinstance(node, dict)


def _with_name(path, operations):
    if "/fabric={name}" not in path:
        return operations
    return {method: operation | {"parameters": [each for each in operation.get("parameters", []) if each["name"] != "name"]}
            for method, operation in operations.items()}


def fetch(controller, path, login=True):
    request = controller.request("GET", "", accept="application/json")
    plain = urllib.request.Request(f"{WEB}/openapi/{path}", headers=request.headers if login else {})
    with controller.open(plain, 30) as answer:
        return answer.read()


def send(document, file, url, seed, seconds):
    """Sends requests that are generated from a document (generated.py); what has become of that program."""
    file.write_text(json.dumps(document))
    return subprocess.run([sys.executable, "-m", "lab.tests.generated", file, url, str(seed), seconds], cwd=LAB.parent,
                          text=True, capture_output=True, check=False)


class Refusing(http.server.BaseHTTPRequestHandler):
    """In place of a controller: takes one login, and serves /a."""

    def do_GET(self):
        login = "Basic " + base64.b64encode(b"somebody:sesame").decode()
        self.send_response(401 if self.headers["Authorization"] != login else 200 if self.path == "/a" else 404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_arguments):
        pass


class GeneratedTest(unittest.TestCase):
    """What sends generated requests ends with 1 where they prove nothing."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.server = self.enterContext(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Refusing))
        threading.Thread(target=self.server.serve_forever).start()
        self.addCleanup(self.server.shutdown)

    def send(self, password, *paths):
        document = {"openapi": "3.0.3", "info": {"title": "a stand-in", "version": "1"},
                    "paths": {path: {"get": {"responses": {"200": {"description": "It is there."}}}} for path in paths}}
        with unittest.mock.patch.dict(os.environ, DAQFABRIC_USER="somebody", DAQFABRIC_PASSWORD=password):
            return send(document, self.folder / "stand-in.json", f"http://127.0.0.1:{self.server.server_port}", 1, "each")

    def test_requests_that_are_accepted_pass(self):
        done = self.send("sesame", "/a")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("1 of 1 operations were asked, 1 of them with success", done.stdout)

    def test_a_wrong_login_fails(self):
        done = self.send("guessed", "/a")
        self.assertEqual(1, done.returncode)
        self.assertIn("the controller does not take the login", done.stderr)

    def test_an_operation_that_is_never_accepted_fails(self):
        done = self.send("sesame", "/a", "/b")
        self.assertEqual(1, done.returncode)
        self.assertRegex(done.stderr, r"^GET /b: none of \d+ requests was accepted")


@needs_root
class OpenApiTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.controller = Restconf(f"{WEB}/rests")
        cls.documents = {}
        for file in sorted(MODELS.glob("*.yang")):
            module, revision = file.stem.split("@")
            cls.documents[module] = json.loads(fetch(cls.controller, f"api/v3/{module}?revision={revision}"))
        if not cls.documents:
            raise AssertionError(f"no models in {MODELS}, so that no document would be tried")

    def test_documents_are_valid(self):
        for module, document in self.documents.items():
            with self.subTest(module):
                self.assertEqual([], [f"{'/'.join(map(str, error.absolute_path))}: {error.message}"
                                      for error in OpenAPIV30SpecValidator(document).iter_errors()])
                self.assertTrue(document["paths"])

    def test_documents_and_explorer_need_the_login(self):
        for path in ("api/v3/single", "explorer/index.html"):
            with self.subTest(path):
                self.assertTrue(fetch(self.controller, path))
                with self.assertRaises(urllib.error.HTTPError) as refused:
                    fetch(self.controller, path, login=False)
                self.assertEqual(401, refused.exception.code)

    def test_generated_requests(self):
        seed = random.randrange(1 << 31) if SEED == "fresh" else int(SEED)
        fabric = generate.generate(SIZE)
        document = Document(list(self.documents.values()))
        reads = document.reads(fabric["daqfabric:fabric"][0])
        self.assertTrue(reads["paths"], "the documents name no part of the fabric")
        with running.switches(self.controller, fabric, self.folder / "fabric.json"):
            self.converge(fabric)
            self.send(seed, "each", reads)
            self.send(seed, SECONDS, document.content)
            self.converge(fabric)

    def send(self, seed, seconds, document):
        done = send(document, self.folder / "openapi.json", WEB, seed, seconds)
        print(done.stdout.strip())
        self.assertEqual(0, done.returncode, f"seed {seed}: {done.stderr}")

    def converge(self, document):
        self.controller.put_fabric(document)
        # links that flapped while the requests took the processors wait up to a minute before they are used again
        self.controller.wait(NAME, lambda state: state.get("phase") == "converged", 3 * running.CONVERGE, "the fabric runs")
