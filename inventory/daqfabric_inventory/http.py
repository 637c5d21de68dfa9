"""JSON over HTTP, with what each server wants said in its header."""
import http.client
import ipaddress
import json
import os
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

from .problems import Failed

TIMEOUT = 60  # s for one answer: NetBox takes long for many devices


def address(option: str, url: str) -> str:
    """The address of a server, without a slash at the end."""
    if "@" in url.rpartition("//")[2].partition("/")[0]:
        raise Failed(f"{option}: no login belongs in an address: --help names the variables that take it")
    try:
        parts = urllib.parse.urlsplit(url)
        known = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # of a port that is none, or brackets
        known = False
    if not known:
        raise Failed(f"{option} {url}: is no address, which looks like http://HOST:PORT/..., or http://[fd00:73::1]:PORT/... with IPv6")
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


class _AsItIs(urllib.request.HTTPErrorProcessor):
    """Every answer is one: a redirection, which is not followed, would take the login to another server."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


def proxy(url: str) -> str | None:
    """The proxy that the environment names for a server; none for one on this machine."""
    parts = urllib.parse.urlsplit(url)
    if _is_here(parts.hostname or "") or urllib.request.proxy_bypass(parts.netloc):
        return None
    return urllib.request.getproxies().get(parts.scheme)


def without_login(url: str) -> str:
    """An address as it may be shown."""
    scheme, slashes, rest = url.rpartition("//")
    return scheme + slashes + rest.rpartition("@")[2]


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def exchange(url: str, headers: dict[str, str], document: Any = None, through: str | None = None) -> tuple[int, Any]:
    """Status and decoded answer, None if it is no JSON, of a GET, or of a POST of a document.

    Only a proxy that is given is used, whatever the environment says: it would see the login.
    """
    data = None if document is None else json.dumps(document).encode()
    parts = urllib.parse.urlsplit(url)
    proxies = urllib.request.ProxyHandler({parts.scheme: through} if through else {})
    opener = urllib.request.build_opener(_AsItIs, proxies)
    where = f"{parts.scheme}://{parts.netloc}" + said_of(parts.scheme, through)
    try:
        with opener.open(urllib.request.Request(url, data, headers), timeout=TIMEOUT) as answer:
            status, leads, body = answer.status, answer.headers.get("Location"), answer.read()
    except (OSError, http.client.HTTPException) as error:
        unused = "" if through or not proxy(url) else f"; the proxy of {parts.scheme}_proxy is not used for a controller"
        raise Failed(f"{where} does not answer: {getattr(error, 'reason', None) or error or type(error).__name__}{unused}") from error
    if 300 <= status < 400 and leads:
        server = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(without_login(urllib.parse.urljoin(url, leads))))
        raise Failed(f"{where} sends on to {server}: if that is right, give its address; a login is for the server that it is given for")
    return status, _decoded(status, body)


def said_of(scheme: str, through: str | None) -> str:
    """What a message adds to a server that is reached through a proxy."""
    return f" through the proxy {without_login(through)} (variable {scheme}_proxy)" if through else ""


def _decoded(status: int, body: bytes) -> Any:
    try:
        return {} if status == 204 else json.loads(body)
    except ValueError:
        return None
