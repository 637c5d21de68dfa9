"""Where the controller is and who asks it: from the environment of the program, never from Constellation's network."""
import os
import stat
from collections.abc import MutableMapping
from pathlib import Path

from .restconf import Restconf

DEFAULT_URL = "http://127.0.0.1:8181/rests"
PASSWORD, PASSWORD_FILE = "DAQFABRIC_PASSWORD", "DAQFABRIC_PASSWORD_FILE"


class Wrong(ValueError):
    """The environment cannot be used; the message names the variable and says what to change."""


def client(environment: MutableMapping[str, str] = os.environ) -> Restconf:
    """
    A client of the controller that the environment names. The password is taken out of it: what Constellation is sent may
    name variables.
    """
    user, password = environment.get("DAQFABRIC_USER"), _password(environment)
    if not user:
        raise Wrong("DAQFABRIC_USER: set it to the user of RESTCONF")
    try:
        return Restconf(environment.get("DAQFABRIC_URL", DEFAULT_URL), user, password)
    except ValueError as e:
        raise Wrong(str(e)) from e


def _password(environment: MutableMapping[str, str]) -> str:
    password, file = environment.pop(PASSWORD, None), environment.get(PASSWORD_FILE)
    if password and file:
        raise Wrong(f"{PASSWORD_FILE}: there is {PASSWORD}, too: set one of them")
    if not file:
        if not password:
            raise Wrong(f"{PASSWORD_FILE}: set it to a file that has the password of RESTCONF, or set {PASSWORD}")
        return password
    path = Path(file)
    try:
        if path.stat().st_mode & stat.S_IROTH:
            raise Wrong(f"{PASSWORD_FILE}: everybody may read {path}: chmod o-r {path}")
        password = path.read_text().rstrip("\n")
    except (OSError, UnicodeDecodeError) as e:
        raise Wrong(f"{PASSWORD_FILE}: {path} cannot be read: {e}") from e
    if not password or "\n" in password:
        raise Wrong(f"{PASSWORD_FILE}: {path} must have one line, the password")
    return password
