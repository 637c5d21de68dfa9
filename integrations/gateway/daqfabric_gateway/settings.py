"""The gateway's configuration."""
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .addresses import host_of

DEFAULT_URL = "http://127.0.0.1:8181/rests"
LOOPBACK = "127.0.0.1"


class Wrong(ValueError):
    """The configuration cannot be used; the message says where, and what to change."""


@dataclass(frozen=True)
class Epics:
    """Where PVAccess is served; a port 0 is any that is free."""

    prefix: str = "DAQ"
    address: str = LOOPBACK
    port: int = 5075
    search_port: int = 5076


@dataclass(frozen=True)
class OpcUa:
    """Where OPC UA is served, and to whom."""

    address: str = LOOPBACK
    port: int = 4840
    certificate: Path | None = None
    private_key: Path | None = None
    login: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Settings:
    """What to ask and what to serve."""

    controllers: tuple[str, ...]
    login: str = field(repr=False)
    ca: Path | None
    epics: Epics | None
    opcua: OpcUa | None


def read_settings(file: Path) -> Settings:
    """Reads a configuration; relative paths in it begin at its folder."""
    try:
        with file.open("rb") as opened:
            content = tomllib.load(opened)
    except OSError as e:
        raise Wrong(f"{file} cannot be read: {e.strerror}") from e
    except tomllib.TOMLDecodeError as e:
        raise Wrong(f"{file} is not TOML: {e}") from e
    try:
        return settings_of(content, file.parent)
    except Wrong as e:
        raise Wrong(f"{file}: {e}") from e


def settings_of(content: Mapping[str, Any], folder: Path) -> Settings:
    """Settings from the tables of a file."""
    top = _Table(content, "", folder, {"controllers", "login", "ca", "epics", "opcua"})
    epics, opcua = top.table("epics", {"prefix", "address", "port", "search_port"}), top.table(
        "opcua", {"address", "port", "certificate", "private_key", "login"})
    if epics is None and opcua is None:
        raise Wrong("nothing is to be served: add a table [epics], [opcua], or both")
    controllers = top.get("controllers", list, [DEFAULT_URL])
    if not controllers or not all(isinstance(each, str) for each in controllers):
        raise Wrong(f'controllers: must be a list of addresses, as ["{DEFAULT_URL}"]')
    login = top.login("login")
    if login is None:
        raise Wrong("login: name a file that has USER:PASSWORD of RESTCONF in one line")
    return Settings(tuple(controllers), login, top.path("ca"), epics and _epics(epics), opcua and _opcua(opcua))


def _epics(table: "_Table") -> Epics:
    prefix = table.get("prefix", str, Epics.prefix)
    if not prefix:
        raise Wrong("epics.prefix: must not be empty")
    return Epics(prefix, table.address("address"), table.port("port", Epics.port), table.port("search_port", Epics.search_port))


def _opcua(table: "_Table") -> OpcUa:
    found = OpcUa(table.address("address"), table.port("port", OpcUa.port), table.path("certificate"),
                  table.secret("private_key"), table.login("login"))
    if (found.certificate is None) != (found.private_key is None):
        raise Wrong("opcua: certificate and private_key must be given together")
    if found.login and not found.certificate:
        raise Wrong("opcua.login: needs certificate and private_key, as passwords would not be encrypted without")
    return found


class _Table:
    """A table of the file, of which all keys are known."""

    def __init__(self, content: Mapping[str, Any], place: str, folder: Path, keys: set[str]):
        self._content = content
        self._place = place
        self._folder = folder
        for key in content:
            if key not in keys:
                raise Wrong(f"{place}{key}: there is no such setting; here are {', '.join(sorted(keys))}")

    def table(self, key: str, keys: set[str]) -> "_Table | None":
        content = self.get(key, dict, None)
        return None if content is None else _Table(content, f"{self._place}{key}.", self._folder, keys)

    def get(self, key: str, kind: type, default: Any) -> Any:
        value = self._content.get(key, default)
        if value is not default and type(value) is not kind:
            raise Wrong(f"{self._place}{key}: must be a {NAMES[kind]}")
        return value

    def address(self, key: str) -> str:
        try:
            return host_of(self.get(key, str, LOOPBACK))
        except ValueError as e:
            raise Wrong(f"{self._place}{key}: {e}") from e

    def port(self, key: str, default: int) -> int:
        value = self.get(key, int, default)
        if not 0 <= value <= 65535:
            raise Wrong(f"{self._place}{key}: must be a port, 0 to 65535")
        return value

    def path(self, key: str) -> Path | None:
        value = self.get(key, str, None)
        if value is None:
            return None
        path = self._folder / value
        if not path.is_file():
            raise Wrong(f"{self._place}{key}: there is no file {path}")
        return path

    def secret(self, key: str) -> Path | None:
        """A file that not everybody may read."""
        path = self.path(key)
        if path is not None and path.stat().st_mode & stat.S_IROTH:
            raise Wrong(f"{self._place}{key}: everybody may read {path}: chmod o-r {path}")
        return path

    def login(self, key: str) -> str | None:
        path = self.secret(key)
        if path is None:
            return None
        try:
            login = path.read_text().rstrip("\n")
        except (OSError, UnicodeDecodeError) as e:
            raise Wrong(f"{self._place}{key}: {path} cannot be read: {e}") from e
        if "\n" in login or not login.partition(":")[2]:
            raise Wrong(f"{self._place}{key}: {path} must have one line, USER:PASSWORD")
        return login


NAMES = {str: "text", int: "whole number", list: "list", dict: "table"}
