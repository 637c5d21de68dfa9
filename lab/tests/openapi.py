"""OpenDaylight's OpenAPI documents of our models are valid, and requests generated from them never meet a failing server.

The requests go to a fabric that runs, so that they reach the checks of a configuration and not only of its form. What is
theirs to change they may change; at the end the fabric is configured as it was, and runs. DAQFABRIC_SEED repeats the requests
that were made, or `fresh` makes others; DAQFABRIC_SECONDS is how long they are made, 10 by default. What the controller keeps
for itself (daqfabric-store) is left alone. Run as root: scripts/openapi
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
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
EXAMPLES = 3  # requests for each operation in each phase but that of boundary values
SECONDS = int(os.environ.get("DAQFABRIC_SECONDS", "10"))  # after which no more are made
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
        document = generate.generate(SIZE)
        file = self.folder / "openapi.json"
        file.write_text(json.dumps(Document(list(self.documents.values())).content))
        with running.switches(self.controller, document, self.folder / "fabric.json"):
            self.converge(document)
            # Its words show what failed, and with what request.
            done = subprocess.run(
                [sys.executable, "-m", "schemathesis.cli", "run", file, "--url", WEB, "--auth", "admin:admin", "--checks",
                 "not_a_server_error", "--phases", "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES), "--seed",
                 str(seed), "--max-time", str(SECONDS), "--request-timeout", "30", "--generation-database", "none",
                 "--warnings", "off", "--no-color", "--continue-on-failure", "--no-shrink", "--output-truncate", "true"],
                cwd=self.folder, text=True, capture_output=True, check=False)
            print(f"seed {seed}:", *re.findall(r"(?m)^ *\d+ generated.*|^Test cases:\n.*|^=+ .* in [\d.]+s =+", done.stdout))
            self.assertEqual(0, done.returncode, f"seed {seed}: {done.stdout[-20000:]}{done.stderr}")
            self.converge(document)

    def converge(self, document):
        self.controller.put_fabric(document)
        # links that flapped while the requests took the processors wait up to a minute before they are used again
        self.controller.wait(NAME, lambda state: state.get("phase") == "converged", 3 * running.CONVERGE, "the fabric runs")
