"""The controller's RESTCONF interface (RFC 8040), as far as the lab needs it."""
import base64
import json
import os
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request

from .errors import LabError

TIMEOUT = 30  # seconds for one request


class Restconf:
    """A controller at a base URL such as http://127.0.0.1:8181/rests.

    User and password come from DAQFABRIC_USER and DAQFABRIC_PASSWORD; without them, those every new OpenDaylight has. The file
    with the CA of controllers that speak HTTPS is `ca`, or comes from DAQFABRIC_CA.
    """

    def __init__(self, base, timeout=TIMEOUT, ca=None):
        self.base = base.rstrip("/")
        self._timeout = timeout
        ca = ca or os.environ.get("DAQFABRIC_CA")
        self.context = ssl.create_default_context(cafile=ca) if ca else None
        user = os.environ.get("DAQFABRIC_USER", "admin")
        password = os.environ.get("DAQFABRIC_PASSWORD", "admin")
        self._login = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()

    def put_fabric(self, document):
        """Store a fabric file (decoded); raise LabError with the controller's message if it is refused."""
        self._call("PUT", f"/data/{_fabric(document['daqfabric:fabric'][0]['name'])}", document)

    def patch_fabric(self, name, parts):
        """Merge parts into a stored fabric, such as {"switch": [{"name": ..., "admin-state": "drained"}]}."""
        self._call("PATCH", f"/data/{_fabric(name)}", {"daqfabric:fabric": [{"name": name} | parts]})

    def rebalance(self, name):
        """Use links again that are up but held back."""
        self.rpc("daqfabric-operations", "rebalance", {"fabric": name})

    def rpc(self, module, name, leaves):
        """What an rpc answers, {} for nothing; raise LabError with the controller's message if it is refused."""
        body = self._call("POST", f"/operations/{module}:{name}", {f"{module}:input": leaves})
        return json.loads(body)[f"{module}:output"] if body else {}

    def get(self, path):
        """A node of the data tree."""
        return json.loads(self._call("GET", path, None))

    def delete_fabric(self, name):
        """Delete a fabric; does nothing if there is none of that name."""
        status, _ = self._exchange("DELETE", f"/data/{_fabric(name)}", None)
        if status not in (204, 404, 409):
            raise LabError(f"DELETE of fabric {name}: the controller answered {status}; if a run is active in it, which "
                           "the page and daqfabric:run show, stop or abort it first")

    def state(self, name):
        """The fabric's state container, {} while there is none."""
        status, body = self._exchange("GET", f"/data/{_fabric(name)}/state?content=nonconfig", None)
        if status in (404, 409):
            return {}
        if status != 200:
            raise LabError(f"GET of the state of fabric {name}: {_words(status, body)}")
        return json.loads(body)["daqfabric:state"]

    def wait(self, name, condition, seconds, what):
        """The first state that meets the condition; raise LabError with the last one's summary when time is up."""
        end = time.monotonic() + seconds
        while True:
            state = self.state(name)
            if condition(state):
                return state
            if time.monotonic() > end:
                raise LabError(f"{what}: not within {seconds} s; {problems(state)}")
            time.sleep(0.02)  # polling interval

    def _call(self, method, path, document):
        status, body = self._exchange(method, path, document)
        if status >= 300:
            raise LabError(f"{method} {path}: {_words(status, body)}")
        return body

    def request(self, method, path, accept="application/yang-data+json", document=None):
        """A request as it must be made, with the login."""
        data = None if document is None else json.dumps(document).encode()
        return urllib.request.Request(self.base + path, data, method=method, headers={
            "Authorization": self._login, "Content-Type": "application/yang-data+json", "Accept": accept})

    def _exchange(self, method, path, document):
        request = self.request(method, path, document=document)
        try:
            with urllib.request.urlopen(request, timeout=self._timeout, context=self.context) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError as error:
            raise LabError(f"no controller answers at {self.base} ({error}): start it with make controller") from error


def _fabric(name):
    return "daqfabric:fabrics/fabric=" + urllib.parse.quote(name, safe="")


def _words(status, body):
    try:
        return "; ".join(error.get("error-message", error["error-tag"]) for error in json.loads(body)["errors"]["error"])
    except (ValueError, KeyError):
        return f"status {status}: {body[:500]}"


def problems(state):
    """What keeps a fabric from being converged, in words."""
    if not state:
        return "the controller shows no state of it: see its log"
    away = [s["name"] for s in state.get("switch", []) if not (s.get("ovsdb-connected") and s.get("openflow-connected"))]
    down = [f"{li['switch']}:{li['port']}" for li in state.get("link", []) if li.get("oper-state") == "down"]
    errors = [f"{s['name']}: {s['last-error']}" for s in state.get("switch", []) if s.get("last-error")]
    parts = [f"phase {state.get('phase')}"]
    parts += [f"not connected: {', '.join(away)}"] if away else []
    parts += [f"links down: {', '.join(down)}"] if down else []
    return "; ".join(parts + errors)
