"""What the satellite is told over Constellation's network: what runs need, and nothing about the machine it runs on."""
import dataclasses
import math
import re
from collections.abc import Iterator
from typing import Any

from constellation.core.configuration import Configuration, InvalidValueError

LOCAL = {"url": "DAQFABRIC_URL", "user": "DAQFABRIC_USER", "password": "DAQFABRIC_PASSWORD",
         "password_file": "DAQFABRIC_PASSWORD_FILE"}
FIXED = ("partition", "fabric")
KEYS = (*FIXED, "run_type", "ros", "dcm", "required_bandwidth", "accept_degraded")
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]{0,63}", re.ASCII)


@dataclasses.dataclass(frozen=True)
class Settings:
    """What runs need."""

    partition: str
    fabric: str | None
    run_type: str | None = None
    ros: tuple[str, ...] = ()
    dcm: tuple[str, ...] = ()
    required_bandwidth: float | None = None
    accept_degraded: bool = False

    @staticmethod
    def of(config: Configuration) -> "Settings":
        """Reads a whole configuration."""
        _check_keys(config)
        return Settings(
            partition=_name(config, "partition"),
            fabric=_name(config, "fabric") if "fabric" in config else None,
        ).changed(config)

    def changed(self, config: Configuration) -> "Settings":
        """These settings with what a configuration says about runs."""
        changes: dict[str, Any] = {}
        if "run_type" in config:
            changes["run_type"] = config.get_str("run_type")
        if "ros" in config:
            changes["ros"] = tuple(config.get_array("ros", element_type=str))
        if "dcm" in config:
            changes["dcm"] = tuple(config.get_array("dcm", element_type=str))
        if "required_bandwidth" in config:
            changes["required_bandwidth"] = float(config.get_num("required_bandwidth", min_val=0))
            if not math.isfinite(changes["required_bandwidth"]):
                raise InvalidValueError(config, "required_bandwidth", "must be a number of Gbps")
        if "accept_degraded" in config:
            changes["accept_degraded"] = config.get_bool("accept_degraded")
        return dataclasses.replace(self, **changes)

    def reconfigured(self, config: Configuration) -> "Settings":
        """The same, where nothing may change that only 'initialize' can."""
        _check_keys(config)
        for key in FIXED:
            if key in config:
                raise InvalidValueError(config, key, "cannot be changed by 'reconfigure': land and initialize")
        return self.changed(config)

    def prepare(self) -> dict[str, Any]:
        """What rpc prepare is asked for."""
        wanted = {"fabric": self.fabric, "run-type": self.run_type, "ros": list(self.ros), "dcm": list(self.dcm),
                  # a decimal64 in JSON is a string
                  "required-bandwidth": f"{self.required_bandwidth:.6f}" if self.required_bandwidth else None}
        return {name: value for name, value in wanted.items() if value}


def check_without_environment(given: Any) -> None:
    """
    Constellation puts variables of the satellite's environment in place of ${NAME}, and what becomes of a value is seen by all:
    so who configures could read them.
    """
    for key, value in _values(given, ""):
        if isinstance(value, str) and "${" in value:
            raise ValueError(f"Value of key `{key}` is not valid: give it without ${{...}}, as the environment of this satellite"
                             " is not for others to read")


def _values(given: Any, key: str) -> Iterator[tuple[str, Any]]:
    if isinstance(given, dict):
        for name, value in given.items():
            yield from _values(value, f"{key}.{name}" if key else str(name))
    elif isinstance(given, list):
        for value in given:
            yield from _values(value, key)
    else:
        yield key, given


def _check_keys(config: Configuration) -> None:
    """Keys that begin with _ are Constellation's own."""
    for key in config.get_keys():
        if key in LOCAL:
            raise InvalidValueError(config, key, f"set {LOCAL[key]} where the satellite is started instead, and remove it here")
        if key not in KEYS and not key.startswith("_"):
            raise InvalidValueError(config, key, f"there is no such setting; here are {', '.join(sorted(KEYS))}")


def _name(config: Configuration, key: str) -> str:
    name = config.get_str(key)
    if not NAME.fullmatch(name):
        raise InvalidValueError(config, key, "a name has 1 to 64 letters, digits, _ . - and begins with none of the last two")
    return name
