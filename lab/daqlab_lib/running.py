"""A fabric's switches for the duration of a demonstration or measurement."""
import contextlib
import json

from . import lifecycle, state
from .errors import LabError

CONVERGE, REPAIR = 60, 20  # seconds after which waiting for the controller makes no sense

@contextlib.contextmanager
def switches(controller, document, file, vswitchd=None, starting=lambda: None, ending=lambda: None):
    """Up and unconfigured. All is removed at the end, and what an earlier run left at the start.

    file: where the document is written. vswitchd: if not Debian's. starting, ending: called before it takes time.
    """
    name = document["daqfabric:fabric"][0]["name"]
    file.write_text(json.dumps(document, indent=2) + "\n")
    controller.delete_fabric(name)
    if name in state.names():
        lifecycle.down(name)
    starting()
    try:
        lifecycle.up(str(file), vswitchd=vswitchd and str(vswitchd))
        yield
    finally:
        ending()
        with contextlib.suppress(LabError):
            controller.delete_fabric(name)
        lifecycle.down(name)
