"""Stands in for MIDAS: what the client that docs/run-control.md shows has registered for transitions."""
import re
import sys
import types

SUCCESS = 1
START, STOP, STARTABORT = 1, 2, 16


def block(text, section, language):
    """The first block of a language in a section of a page."""
    return re.search(rf"^## .*{section}$.*?^```{language}\n(.*?)^```$", text, re.M | re.S)[1]


def callbacks(client, name):
    """Executes a client and returns (sequence number, callback) of each transition."""
    module = types.ModuleType("midas")
    module.TR_START, module.TR_STOP, module.TR_STARTABORT, module.status_codes = START, STOP, STARTABORT, {"SUCCESS": SUCCESS}
    module.client = types.ModuleType("midas.client")
    registered = {}

    class MidasClient:
        def __init__(self, name):
            self.name = name

        def register_transition_callback(self, transition, sequence, callback):
            registered[transition] = (sequence, callback)

        def communicate(self, milliseconds):
            raise KeyboardInterrupt

    module.client.MidasClient = MidasClient
    sys.modules |= {"midas": module, "midas.client": module.client}
    try:
        exec(compile(client, name, "exec"), {})
    except KeyboardInterrupt:
        pass
    return registered
