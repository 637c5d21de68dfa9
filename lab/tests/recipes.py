"""Follows pages of the documentation that set up controllers on machines, on the machines of the lab."""
import sys

from .support import LAB
from daqlab_lib.errors import LabError

sys.path.insert(0, str(LAB.parent / "site"))

import pages_walk

SECRET = "$(openssl rand -hex 16)"
ADDRESSES = "10.0.0."  # of the pages; what follows is the number of the controller


def follow(pages, machines):
    """Run all commands of pages such as docs/cluster.md#Setting up, in this order, for these controllers; raise what differs."""
    homes = machines[0].home.parent
    network = machines[0].address.removesuffix("1")
    place = pages_walk.Place(others=(("/opt/daqfabric/bin/", f"{machines[0].home}/bin/"), (ADDRESSES, network),
                                     (SECRET, "$name")))  # the login of the lab is admin / admin
    shell = pages_walk.Shell(folder=homes).with_stand_ins(homes, homes)
    try:
        problems = pages_walk.walk([step for each in pages for step in pages_walk.page(each)], place, shell)
    finally:
        shell.close()
    if problems:
        raise LabError("\n".join(problems))
