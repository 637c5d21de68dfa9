"""The satellite's configuration."""
import dataclasses
import os
from typing import Any

from constellation.core.configuration import Configuration, InvalidValueError, MissingKeyError

DEFAULT_URL = "http://127.0.0.1:8181/rests"
FIXED = ("url", "user", "password", "password_file", "partition", "fabric")


@dataclasses.dataclass(frozen=True)
class Settings:
    """What to connect to, and what runs need."""

    url: str
    user: str
    password: str = dataclasses.field(repr=False)
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
        return Settings(
            url=config.get_str("url", DEFAULT_URL),
            user=_secret(config, "user", "DAQFABRIC_USER"),
            password=_password(config),
            partition=config.get_str("partition"),
            fabric=config.get_str("fabric") if "fabric" in config else None,
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
        if "accept_degraded" in config:
            changes["accept_degraded"] = config.get_bool("accept_degraded")
        return dataclasses.replace(self, **changes)

    def reconfigured(self, config: Configuration) -> "Settings":
        """The same, where nothing may change that only 'initialize' can."""
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


def _secret(config: Configuration, key: str, variable: str) -> str:
    if key in config:
        return config.get_str(key)
    value = os.environ.get(variable)
    if value is None:
        raise MissingKeyError(config, f"{key}` or environment variable `{variable}")
    return value


def _password(config: Configuration) -> str:
    if "password_file" not in config:
        return _secret(config, "password", "DAQFABRIC_PASSWORD")
    if "password" in config:
        raise InvalidValueError(config, "password_file", "there is a `password` too: give one of them")
    path = config.get_path("password_file", check_exists=True)
    try:
        return path.read_text().rstrip("\n")
    except OSError as e:
        raise InvalidValueError(config, "password_file", str(e)) from e
