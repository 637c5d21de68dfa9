"""The state of a partition, as text and as metrics. Pure."""
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

HEALTH = ("ok", "degraded", "insufficient")
SHOWN = 5  # concerns in a status; the rest are counted
NAMES = {"ros": "ROS", "dcm": "DCM"}


@dataclass(frozen=True)
class Run:
    """A run as the fabric saw it."""

    number: int
    ended: bool
    aborted: bool
    repairs: int
    moved_dcms: int
    lowest_bandwidth: float | None
    worst_health: str | None
    link_loss: int  # packets
    daqring_drops: int  # packets

    @staticmethod
    def of(data: Mapping[str, Any]) -> "Run":
        """From the container 'run' of an answer."""
        return Run(int(data.get("run-number", 0)), "ended" in data, bool(data.get("aborted")),
                   int(data.get("repairs", 0)), int(data.get("moved-dcms", 0)),
                   _number(data.get("lowest-bandwidth")), data.get("worst-health"),
                   sum(int(each["packets"]) for each in data.get("link-loss", [])), int(data.get("daqring-drops", 0)))

    def __str__(self) -> str:
        how = "aborted" if self.aborted else "stopped" if self.ended else "running"
        text = f"run {self.number} {how}: {_count(self.repairs, 'repair')}, {_count(self.moved_dcms, 'DCM')} moved"
        if self.lowest_bandwidth is not None:
            text += f", lowest bandwidth {self.lowest_bandwidth:g} Gbps"
        if self.worst_health not in (None, "ok"):
            text += f", was {self.worst_health}"
        if self.link_loss:
            text += f", links lost {_count(self.link_loss, 'packet')}"
        if self.daqring_drops:
            text += f", daqrings dropped {_count(self.daqring_drops, 'packet')}"
        return text


@dataclass(frozen=True)
class Operation:
    """Work that a request started."""

    request: str
    status: str
    progress: int
    detail: str

    @staticmethod
    def of(data: Mapping[str, Any]) -> "Operation":
        """From a container 'operation'."""
        return Operation(data.get("request-id", ""), data.get("status", ""), int(data.get("progress", 0)),
                         data.get("detail", ""))


@dataclass(frozen=True)
class Reading:
    """A partition at one moment."""

    state: str = "idle"
    reason: str | None = None
    health: str | None = None
    required: float | None = None
    achievable: float | None = None
    concerns: tuple[tuple[str, str, str], ...] = ()
    operation: Operation | None = None
    run: Run | None = None

    @staticmethod
    def of(data: Mapping[str, Any] | None) -> "Reading":
        """From an entry of list 'partition'; an empty one is idle."""
        data = data or {}
        return Reading(
            data.get("state", "idle"), data.get("reason"), data.get("health"),
            _number(data.get("required-bandwidth")), _number(data.get("achievable-bandwidth")),
            tuple((each.get("kind", ""), each.get("name", ""), each.get("detail", ""))
                  for each in data.get("concern", ())),
            Operation.of(data["operation"]) if "operation" in data else None,
            Run.of(data["run"]) if "run" in data else None)

    @property
    def healthy(self) -> bool:
        """Whether no problem is known."""
        return self.health in (None, "ok")

    def cut_off(self, kind: str) -> int:
        """How many ROS or DCMs are cut off."""
        return sum(1 for each in self.concerns if each[0] == kind)

    def __str__(self) -> str:
        doing = f"run {self.run.number}" if self.state == "running" and self.run else self.state
        text = f"Fabric {self.health}, {doing}" if self.health else f"Fabric {doing}"
        if self.reason:
            text += f": {self.reason}"
        if self.achievable is not None:
            text += f"; {self.achievable:g} Gbps"
            if self.required is not None:
                text += f" of {self.required:g} required"
        for kind, name, detail in self.concerns[:SHOWN]:
            if kind != "bandwidth":  # said above
                text += f"; {NAMES.get(kind, kind)} {name}: {detail}"
        if len(self.concerns) > SHOWN:
            text += f"; and {len(self.concerns) - SHOWN} more"
        if self.run and self.run.ended:
            text += f"; {self.run}"
        return text

    def metrics(self) -> dict[str, float]:
        """Numbers for the satellite's metrics of the same names; what is not known is left out."""
        values = {
            "fabric_health": HEALTH.index(self.health) if self.health in HEALTH else None,
            "fabric_bandwidth": self.achievable,
            "fabric_bandwidth_required": self.required,
            "fabric_cut_off_ros": self.cut_off("ros"),
            "fabric_cut_off_dcms": self.cut_off("dcm"),
            "fabric_repairs": self.run.repairs if self.run else None,
        }
        return {name: value for name, value in values.items() if value is not None}


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
