"""The controller's RESTCONF, as far as it is read here: nothing is written."""
import base64
import re
import urllib.parse
from typing import Any

from . import http
from .problems import Failed

TYPE = "application/yang-data+json"


class Refused(Exception):
    """The controller refuses the fabric: for each problem its path and message."""

    def __init__(self, problems: list[tuple[str, str]]):
        super().__init__("; ".join(message for _, message in problems))
        self.problems = problems


class Controller:
    """A controller at the address of its RESTCONF, such as http://127.0.0.1:8181/rests."""

    def __init__(self, url: str):
        self._url = http.address("--controller", url)
        user, password = http.secret("DAQFABRIC_USER"), http.secret("DAQFABRIC_PASSWORD")
        if not user or password is None:
            raise Failed("the controller wants a login: set DAQFABRIC_USER, and DAQFABRIC_PASSWORD or DAQFABRIC_PASSWORD_FILE")
        login = base64.b64encode(f"{user}:{password}".encode()).decode()
        self._headers = {"Authorization": f"Basic {login}", "Content-Type": TYPE, "Accept": TYPE}

    def configured(self, fabric: str) -> dict[str, Any] | None:
        """The configuration of a fabric; None if there is none."""
        answer = self._get(f"{_fabric(fabric)}?content=config")
        return answer["daqfabric:fabric"][0] if answer else None

    def state(self, fabric: str) -> dict[str, Any]:
        """The links and switches of its state; nothing while there is none."""
        answer = self._get(f"{_fabric(fabric)}/state?content=nonconfig&fields=link(switch;port;seen-peer-switch;seen-peer-port);"
                           "switch(name;ovsdb-connected)")
        return answer["daqfabric:state"] if answer else {}

    def plan(self, fabric: str, candidate: dict[str, Any]) -> dict[str, Any]:
        """What the candidate would do; raises Refused."""
        document = {"daqfabric-operations:input": {"fabric": fabric, "candidate": {
            name: value for name, value in candidate.items() if name != "name"}}}
        status, answer = http.exchange(f"{self._url}/operations/daqfabric-operations:plan", self._headers, document)
        if status == 200 and isinstance(answer, dict) and "daqfabric-operations:output" in answer:
            return dict(answer["daqfabric-operations:output"])
        errors = self._errors(status, answer)
        if status >= 500 or not errors or any(error.get("error-app-tag") == "try-again" for error in answer["errors"]["error"]):
            raise Failed(f"{self._url} answers {status} to rpc plan: {_said(errors)}")  # of another time, and not of the candidate
        raise Refused(errors)

    def _get(self, path: str) -> dict[str, Any] | None:
        status, answer = http.exchange(f"{self._url}/data/{path}", self._headers)
        if status == 200 and isinstance(answer, dict):
            return answer
        errors = self._errors(status, answer)
        if errors and all(error["error-tag"] == "data-missing" for error in answer["errors"]["error"]):
            return None  # OpenDaylight says so with 409, RFC 8040 with 404
        raise Failed(f"{self._url} answers {status}: {_said(errors)}")

    def _errors(self, status: int, answer: Any) -> list[tuple[str, str]]:
        if status in (401, 403):
            raise Failed(f"{self._url} refuses the login: check DAQFABRIC_USER and the password")
        try:
            return [each for error in answer["errors"]["error"]
                    for each in problems(str(error.get("error-path", "")), str(error.get("error-message", error["error-tag"])))]
        except (KeyError, TypeError, AttributeError):
            return []


LINE = re.compile(r"(/\S+): (.*)")  # of a message that tells several problems


def problems(path: str, message: str) -> list[tuple[str, str]]:
    """The problems of one error: an rpc tells all of them in its message, a line each that begins with the path."""
    found: list[tuple[str, str]] = []
    for line in message.split("\n"):
        named = LINE.fullmatch(line)
        if named or not found:
            found.append((named[1], named[2]) if named else (path, line))
        else:
            found[-1] = (found[-1][0], f"{found[-1][1]}; {line}")
    return found


def _said(errors: list[tuple[str, str]]) -> str:
    return "; ".join(message for _, message in errors) or "is it the address of RESTCONF?"


def _fabric(name: str) -> str:
    return "daqfabric:fabrics/fabric=" + urllib.parse.quote(name, safe="")


STEP = re.compile(r"/(?:[\w-]+:)?([\w-]+)((?:\[[^\]]*\])*)")
KEY = re.compile(r"\[(?:[\w-]+:)?[\w-]+=['\"]([^'\"]*)['\"]\]")


def steps(path: str) -> list[tuple[str, list[str]]]:
    """The nodes of an instance path with the values of their keys."""
    return [(node, KEY.findall(keys)) for node, keys in STEP.findall(path)]
