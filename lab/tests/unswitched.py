"""A fabric without switches: enough for tests of what the controller says to others."""
import contextlib

from .support import eventually
from daqlab_lib import generate
from daqlab_lib.errors import LabError


def leave(restconf, size, patience):
    """Deletes it; there are no switches, on which something would be to be removed."""
    restconf.delete_fabric(size.name)
    names = [each["name"] for each in generate.generate(size)["daqfabric:fabric"][0]["switch"]]

    def forgets():
        with contextlib.suppress(LabError):  # they are not pending yet
            restconf.rpc("daqfabric-operations", "forget-removals", {"node": names})
            return True
        return False
    eventually(lambda: not restconf.state(size.name) and forgets(), "nothing is left to be removed", patience)
