"""What the bridges of fabrics on this host say about OpenFlow."""
from typing import NamedTuple

from .ports import uuids
from .system import tables


class Bridge(NamedTuple):
    """A bridge that a controller has made, with (target, whether it is connected, its last error) of each controller."""

    name: str
    fabric: str
    controllers: tuple

    @property
    def is_programmed(self):
        return any(connected for _, connected, _ in self.controllers)


def bridges():
    """In order of name."""
    found, controllers = tables(("Bridge", "name", "external_ids", "controller"),
                                ("Controller", "_uuid", "target", "is_connected", "status"))
    by_uuid = {uuids(each["_uuid"])[0]: each for each in controllers}
    return [Bridge(each["name"], each["external_ids"]["daqfabric"],
                   tuple(sorted((row["target"], row["is_connected"], row["status"].get("last_error", ""))
                                for uuid in uuids(each["controller"]) if (row := by_uuid.get(uuid)))))
            for each in sorted(found, key=lambda row: row["name"]) if "daqfabric" in each["external_ids"]]
