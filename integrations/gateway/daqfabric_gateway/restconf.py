"""RESTCONF as far as the gateway needs it: reading data and an event stream."""
import base64
import http.client
import json
import socket
import ssl
import urllib.parse
from pathlib import Path
from typing import Any

TYPE = "application/yang-data+json"
TIMEOUT = 3  # seconds without data of an answer
QUIET = 60  # seconds without data or keepalive after which a stream counts as dead


class Failed(RuntimeError):
    """No answer, or not the one asked for; the message says what. A later request may succeed."""


class Restconf:
    """A client; every request has its own connection, so one object serves several threads."""

    def __init__(self, url: str, login: str, ca: Path | None = None):
        """login: USER:PASSWORD; ca: certificates to trust instead of the system's."""
        self.url = url
        parts = _parts(url)
        # With a port in any case: http.client takes the end of an IPv6 address for one where there is none.
        self._address = (parts.hostname, parts.port or (443 if parts.scheme == "https" else 80))
        self._root = parts.path.rstrip("/")
        try:
            self._context = ssl.create_default_context(cafile=ca) if parts.scheme == "https" else None
        except ssl.SSLError as e:
            raise ValueError(f"ca: {ca} has no certificates in PEM: {e.reason}") from e
        self._login = "Basic " + base64.b64encode(login.encode()).decode()

    def get(self, path: str) -> dict[str, Any] | None:
        """The one thing that is at data/PATH; None if there is nothing."""
        answer = self._request("GET", "data/" + path, None)
        return next(iter(answer.values())) if answer else None

    def open_stream(self, notifications: tuple[str, ...]) -> "Stream":
        """Opens a stream of these notifications, each as (NAMESPACE?revision=REVISION)NAME."""
        answer = self._request("POST", "operations/sal-remote:create-notification-stream",
                               {"input": {"notifications": list(notifications)}})
        try:
            name = (answer or {})["sal-remote:output"]["notification-stream-identifier"]
        except (KeyError, TypeError):
            raise Failed(f"{self.url} gave no event stream: is it the address of a controller that runs?") from None
        connection = self._connection()
        try:
            connection.request("GET", f"{self._root}/streams/json/{name}",
                               headers={"Authorization": self._login, "Accept": "text/event-stream"})
            own = connection.sock
            answered = connection.getresponse()
        except (OSError, http.client.HTTPException) as e:
            connection.close()
            raise Failed(f"{self.url} cannot be reached: {e}") from e
        if answered.status != 200:
            connection.close()
            raise Failed(f"{self.url} gave no event stream: HTTP {answered.status}")
        own.settimeout(QUIET)
        return Stream(own, answered)

    def _connection(self) -> http.client.HTTPConnection:
        if self._context:
            return http.client.HTTPSConnection(*self._address, timeout=TIMEOUT, context=self._context)
        return http.client.HTTPConnection(*self._address, timeout=TIMEOUT)

    def _request(self, method: str, path: str, body: dict[str, Any] | None) -> dict[str, Any] | None:
        connection = self._connection()
        try:
            connection.request(method, f"{self._root}/{path}", None if body is None else json.dumps(body),
                               {"Authorization": self._login, "Accept": TYPE, "Content-Type": TYPE})
            answer = connection.getresponse()
            return self._result(answer.status, answer.read(), answer.getheader("Location"))
        except (OSError, http.client.HTTPException) as e:
            raise Failed(f"{self.url} cannot be reached: {e or type(e).__name__}") from e
        finally:
            connection.close()

    def _result(self, status: int, body: bytes, leads: str | None) -> dict[str, Any] | None:
        try:
            content = {} if status == 204 else json.loads(body)  # an empty answer is none
        except ValueError:
            content = None
        if 300 <= status < 400 and leads:
            raise Failed(f"{self.url} sends on to {leads.partition('?')[0].rpartition('@')[2]}, where no login goes: correct the address")
        if status == 401:
            raise Failed(f"{self.url} refuses the login: correct the file that `login` names; a controller that starts does so, too")
        if 200 <= status < 300 and isinstance(content, dict):
            return content
        errors = _errors_of(content)
        if any(error.get("error-tag") == "data-missing" for error in errors):
            return None
        said = "; ".join(str(error.get("error-message", error.get("error-tag"))) for error in errors)
        raise Failed(f"{self.url} answers HTTP {status}: {said or 'is it the address of a controller that runs?'}")


def _errors_of(content: Any) -> list[dict[str, Any]]:
    """The errors of a RESTCONF answer; none if it is something else, as a proxy's own."""
    try:
        return [dict(error) for error in content["errors"]["error"]]
    except (KeyError, TypeError, ValueError):
        return []


def _parts(url: str) -> urllib.parse.SplitResult:
    try:
        parts = urllib.parse.urlsplit(url)
        # an address is served to all, so it must have no login in it
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and "@" not in parts.netloc:
            return parts
        why = ""
    except ValueError as e:  # of a port that is none, or brackets
        why = f" ({e})"
    shown = f"{url.partition('//')[0]}//...{url.rpartition('@')[2]}" if "@" in url else url
    raise ValueError(f"controllers: {shown!r} is no address of RESTCONF{why}, which looks like http://controller:8181/rests")


class Stream:
    """An open event stream. Read by one thread, closed by any."""

    def __init__(self, own: socket.socket, answer: http.client.HTTPResponse):
        self._socket = own
        self._answer = answer

    def wait(self) -> bytes:
        """Waits for data, which may be only a keepalive; nothing if the stream ended."""
        try:
            return self._answer.read1(65536)
        except (OSError, http.client.HTTPException, ValueError):
            return b""

    def close(self) -> None:
        """Closes it; a waiting thread gets nothing."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass # it has ended
        self._socket.close()
