"""RESTCONF as far as run control needs it: reading data, calling RPCs, reading an event stream."""
import base64
import http.client
import json
import socket
import ssl
import urllib.parse
from typing import Any

TYPE = "application/yang-data+json"
QUIET = 60  # seconds without data or keepalive after which a stream counts as dead


class Refused(RuntimeError):
    """The controller refused the request; the message says why."""


class Unreachable(RuntimeError):
    """No answer, or one of a controller that is starting: a retry may succeed."""


class Restconf:
    """A client; every request has its own connection, so one object serves several threads."""

    def __init__(self, url: str, user: str, password: str, timeout: float = 10):
        parts = _parts(url)
        # With a port in any case: http.client takes the end of an IPv6 address for one where there is none.
        self._address = (parts.hostname, parts.port or (443 if parts.scheme == "https" else 80))
        self._context = ssl.create_default_context() if parts.scheme == "https" else None
        self.url = url
        self.user = user
        self._root = parts.path.rstrip("/")
        self._login = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()
        self._timeout = timeout

    def get(self, path: str) -> dict[str, Any] | None:
        """What is at data/PATH; None if there is nothing."""
        return self._request("GET", "data/" + path, None)

    def call(self, rpc: str, given: dict[str, Any]) -> dict[str, Any]:
        """Calls module:rpc and returns its output."""
        answer = self._request("POST", "operations/" + rpc, {"input": given})
        return next(iter(answer.values())) if answer else {}

    def open_stream(self, *notifications: str) -> "Stream":
        """Opens a stream of these notifications, each as (NAMESPACE?revision=REVISION)NAME."""
        name = self.call("sal-remote:create-notification-stream",
                         {"notifications": list(notifications)})["notification-stream-identifier"]
        connection = self._connection()
        try:
            connection.request("GET", f"{self._root}/streams/json/{name}",
                               headers={"Authorization": self._login, "Accept": "text/event-stream"})
            own = connection.sock
            answered = connection.getresponse()
        except (OSError, http.client.HTTPException) as e:
            connection.close()
            raise Unreachable(f"{self.url} cannot be reached: {e}") from e
        if answered.status != 200:
            connection.close()
            raise Unreachable(f"{self.url} gave no event stream: HTTP {answered.status}")
        own.settimeout(QUIET)
        return Stream(own, answered)

    def _connection(self) -> http.client.HTTPConnection:
        if self._context:
            return http.client.HTTPSConnection(*self._address, timeout=self._timeout, context=self._context)
        return http.client.HTTPConnection(*self._address, timeout=self._timeout)

    def _request(self, method: str, path: str, body: dict[str, Any] | None) -> dict[str, Any] | None:
        connection = self._connection()
        try:
            connection.request(method, f"{self._root}/{path}", None if body is None else json.dumps(body),
                               {"Authorization": self._login, "Accept": TYPE, "Content-Type": TYPE})
            answer = connection.getresponse()
            return self._result(answer.status, answer.read(), answer.getheader("Location"))
        except (OSError, http.client.HTTPException) as e:
            raise Unreachable(f"{self.url} cannot be reached: {e or type(e).__name__}") from e
        finally:
            connection.close()

    def _result(self, status: int, body: bytes, leads: str | None) -> dict[str, Any] | None:
        try:
            content = {} if status == 204 else json.loads(body)  # an empty answer is none
        except ValueError:
            content = None
        if 300 <= status < 400 and leads:
            raise Refused(f"{self.url} sends on to {leads.partition('?')[0].rpartition('@')[2]}, where no login goes: correct the address")
        if status in (401, 403):
            raise Refused(f"{self.url} refuses the login of {self.user}: check user and password")
        if 200 <= status < 300 and isinstance(content, dict):
            return content
        errors = errors_of(content)
        if any(error.get("error-tag") == "data-missing" for error in errors):
            return None
        said = "; ".join(one_line(str(error.get("error-message", error.get("error-tag")))) for error in errors)
        if errors and status < 500 and not any(error.get("error-app-tag") == "try-again" for error in errors):
            raise Refused(said)
        # A controller answers so while it starts, and while another one becomes active.
        raise Unreachable(f"{self.url} answers HTTP {status}: "
                          + (said or "is it the address of a controller that runs?"))


def _parts(url: str) -> urllib.parse.SplitResult:
    try:
        parts = urllib.parse.urlsplit(url)
        # an address is shown to all, so it must have no login in it
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and "@" not in parts.netloc:
            return parts
        why = ""
    except ValueError as e:  # of a port that is none, or brackets
        why = f" ({e})"
    shown = f"{url.partition('//')[0]}//...{url.rpartition('@')[2]}" if "@" in url else url
    raise ValueError(f"url {shown!r} is no address of RESTCONF{why}, which looks like http://controller:8181/rests")


def one_line(message: str) -> str:
    """A message that may list something line by line, as a status shows it."""
    first, *items = message.split("\n")
    return f"{first} {'; '.join(items)}" if items else first


def errors_of(content: Any) -> list[dict[str, Any]]:
    """The errors of a RESTCONF answer; none if it is something else."""
    try:
        return [dict(error) for error in content["errors"]["error"]]
    except (KeyError, TypeError, ValueError):
        return []


class Stream:
    """An open event stream. Read by one thread, closed by any."""

    def __init__(self, own: socket.socket, answer: http.client.HTTPResponse):
        self._socket = own
        self._answer = answer

    def wait(self) -> bool:
        """Waits for data, which may be only a keepalive; False if the stream ended."""
        try:
            return bool(self._answer.read1(65536))
        except (OSError, http.client.HTTPException, ValueError):
            return False

    def close(self) -> None:
        """Closes it; a waiting thread gets False."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()
