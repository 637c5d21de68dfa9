"""JSON over HTTP, with what each server wants said in its header."""
import http.client
import json
import os
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

from .problems import Failed

TIMEOUT = 60  # s for one answer: NetBox takes long for many devices


def address(option: str, url: str) -> str:
    """The address of a server, without a slash at the end."""
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Failed(f"{option} {url}: is no address, which looks like http://HOST:PORT/...")
    if parts.username or parts.password:
        raise Failed(f"{option}: no login belongs in an address: --help names the variables that take it")
    return url.rstrip("/")


def secret(variable: str) -> str | None:
    """What the variable says, or the file that VARIABLE_FILE names; None if neither is set."""
    path = os.environ.get(f"{variable}_FILE")
    if path is None:
        return os.environ.get(variable)
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise Failed(f"{variable}_FILE: {path} cannot be read: {error.strerror}") from error


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirection would take the login to another server."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> None:
        return None


OPENER = urllib.request.build_opener(_NoRedirect)


def exchange(url: str, headers: dict[str, str], document: Any = None) -> tuple[int, Any]:
    """Status and decoded answer, None if it is no JSON, of a GET, or of a POST of a document."""
    data = None if document is None else json.dumps(document).encode()
    request = urllib.request.Request(url, data, headers)
    try:
        with OPENER.open(request, timeout=TIMEOUT) as answer:
            return answer.status, _decoded(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, _decoded(error.read())
    except (OSError, http.client.HTTPException) as error:
        where = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(url))
        raise Failed(f"{where} does not answer: {getattr(error, 'reason', None) or error or type(error).__name__}") from error


def _decoded(body: bytes) -> Any:
    try:
        return json.loads(body) if body else {}
    except ValueError:
        return None
