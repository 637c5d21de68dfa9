"""The controller's RESTCONF interface (RFC 8040), as far as the lab needs it."""
import base64
import http.client
import json
import os
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request

from .errors import LabError

TIMEOUT = 30  # seconds for one request


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirection would take the login elsewhere."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        return None


class Restconf:
    """A controller at a base URL such as http://127.0.0.1:8181/rests.

    User and password come from DAQFABRIC_USER and DAQFABRIC_PASSWORD; without them, those every new OpenDaylight has. The file
    with the CA of controllers that speak HTTPS is `ca`, or comes from DAQFABRIC_CA.
    """

    def __init__(self, base, timeout=TIMEOUT, ca=None):
        self.base = base.rstrip("/")
        self._timeout = timeout
        ca = ca or os.environ.get("DAQFABRIC_CA")
        tls = [urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=ca))] if ca else []
        # no proxy of the environment, which would see the login
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirect, *tls)
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
        status, body = self._call("POST", f"/operations/{module}:{name}", {f"{module}:input": leaves})
        return {} if status == 204 else self._decoded(body, f"{module}:output")

    def get(self, path):
        """A node of the data tree."""
        return self._decoded(self._call("GET", path, None)[1])

    def delete_fabric(self, name):
        """Delete a fabric; does nothing if there is none of that name."""
        status, body = self._exchange("DELETE", f"/data/{_fabric(name)}", None)
        if status != 204 and not _is_missing(status, body):
            raise LabError(f"DELETE of fabric {name}: the controller answered {status}: {_words(status, body)}; if a run is active in "
                           "it, which the page and daqfabric:run show, stop or abort it first")

    def state(self, name):
        """The fabric's state container, {} while there is none."""
        status, body = self._exchange("GET", f"/data/{_fabric(name)}/state?content=nonconfig", None)
        if _is_missing(status, body):
            return {}
        if status != 200:
            raise LabError(f"GET of the state of fabric {name}: {_words(status, body)}")
        return self._decoded(body, "daqfabric:state")

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
        return status, body

    def _decoded(self, body, part=None):
        try:
            answer = json.loads(body)
            return answer[part] if part else answer
        except (ValueError, KeyError, TypeError):
            raise LabError(f"{self.base} is no address of a controller: '{body[:100]}' is no answer of RESTCONF") from None

    def request(self, method, path, accept="application/yang-data+json", document=None):
        """A request as it must be made, with the login."""
        data = None if document is None else json.dumps(document).encode()
        return urllib.request.Request(self.base + path, data, method=method, headers={
            "Authorization": self._login, "Content-Type": "application/yang-data+json", "Accept": accept})

    def open(self, request, timeout=None):
        """The open answer to a request, which is waited for without end if no time is given."""
        return self._opener.open(request, timeout=timeout)

    def _answer(self, request):
        try:
            return self.open(request, self._timeout)
        except urllib.error.HTTPError as error:
            return error  # is an answer, which may still be cut off

    def _exchange(self, method, path, document):
        request = self.request(method, path, document=document)
        try:
            with self._answer(request) as answer:
                return answer.status, answer.read().decode(errors="replace")
        except (OSError, http.client.HTTPException) as error:
            raise LabError(f"no controller answers at {self.base} ({error}): start it with make controller") from error


def _fabric(name):
    return "daqfabric:fabrics/fabric=" + urllib.parse.quote(name, safe="")


def _is_missing(status, body):
    """Whether there is no such node: 409 with a tag of OpenDaylight, 404 of RFC 8040 and of a controller that starts."""
    return status == 404 or (status == 409 and '"data-missing"' in body)


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
