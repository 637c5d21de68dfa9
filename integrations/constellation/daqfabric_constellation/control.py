"""The RPCs of run control, repeated until they are answered."""
import re
import time
import urllib.parse
import uuid
from collections.abc import Callable
from typing import Any, TypeVar

from .reading import Reading, Run
from .restconf import Refused, Restconf, Stream, Unreachable

MODULE = "daqfabric-run-control"
NOTIFICATIONS = tuple(f"(urn:daqfabric:run-control?revision=2026-11-21){name}" for name in ("run-state", "run-health"))
LARGEST_RUN = 4294967295

T = TypeVar("T")


class RunControl:
    """
    One partition. A call without an answer is repeated with the same request-id, so that a lost answer does no harm. Every
    call has its own request-id, so that a call that was refused can succeed later.
    """

    def __init__(self, restconf: Restconf, partition: str, patience: float = 45, pause: float = 0.2):
        """patience: seconds to wait for an answer, longer than a controller takes to start; pause: seconds between calls."""
        self._restconf = restconf
        self._partition = partition
        self._patience = patience
        self._pause = pause

    def check(self, fabric: str | None) -> None:
        """Fails without a controller, with a wrong login, or for an unknown fabric."""
        data = self._restconf.get("daqfabric:fabrics?content=config&fields=fabric(name)") or {}
        fabrics = sorted(each["name"] for each in data.get("daqfabric:fabrics", {}).get("fabric", []))
        if fabric is None and len(fabrics) != 1:
            raise Refused(f"{len(fabrics)} fabrics are configured{_names(fabrics)}: set `fabric` to one of them")
        if fabric is not None and fabric not in fabrics:
            raise Refused(f"There is no fabric {fabric!r}{_names(fabrics)}: correct `fabric`, or configure it")

    def read(self) -> Reading:
        """The partition as it is now."""
        path = f"{MODULE}:run-control/partition={urllib.parse.quote(self._partition, safe='')}?content=nonconfig"
        data = self._restconf.get(path)
        if data is None:  # nobody has used it yet, or the controller starts: it answers this once it knows its partitions
            self._retrying(lambda: self._restconf.call(f"{MODULE}:missed-events", {}))
            data = self._restconf.get(path)
        return Reading.of(((data or {}).get(f"{MODULE}:partition") or [{}])[0])

    def open_stream(self) -> Stream:
        """A stream with data whenever the partition may have changed."""
        return self._restconf.open_stream(*NOTIFICATIONS)

    def prepare(self, wanted: dict[str, Any], progress: Callable[[str], None]) -> None:
        """Prepares and waits until all switches are programmed."""
        operation = self._call("prepare", wanted).get("operation")
        end = time.monotonic() + self._patience
        while operation is not None:
            newest = self._retrying(self.read).operation
            if newest is None or newest.request != operation:
                if time.monotonic() > end:
                    raise Refused("somebody else changed the partition while it was prepared: initialize again")
                time.sleep(self._pause)
                continue
            if newest.status == "failed":
                raise Refused(newest.detail)
            if newest.status == "done":
                return
            progress(f"Programming switches, {newest.progress} %: {newest.detail}")
            time.sleep(self._pause)

    def arm(self, accept_degraded: bool) -> None:
        """Refused unless everything that a run needs is available."""
        self._call("arm", {"accept-degraded": accept_degraded})

    def start_run(self, number: int) -> None:
        """Freezes the fabric."""
        self._call("start-run", {"run-number": number})

    def stop_run(self) -> Run | None:
        """Unfreezes the fabric and returns the summary of the run."""
        run = self._call("stop-run", {}).get("run")
        return Run.of(run) if run else None

    def release(self) -> None:
        """Releases the partition's DCMs."""
        self._call("release", {})

    def clear(self) -> None:
        """Brings it to idle from any state; a run is stopped, not aborted."""
        if self._retrying(self.read).state == "running":
            self.stop_run()
        self.release()

    def _call(self, rpc: str, given: dict[str, Any]) -> dict[str, Any]:
        request = {"request-id": str(uuid.uuid4()), "partition": self._partition, **given}
        return self._retrying(lambda: self._restconf.call(f"{MODULE}:{rpc}", request))

    def _retrying(self, ask: Callable[[], T]) -> T:
        end = time.monotonic() + self._patience
        while True:
            try:
                return ask()
            except Unreachable:
                if time.monotonic() > end:
                    raise
                time.sleep(self._pause)


def run_number(identifier: str) -> int:
    """The number at the end of Constellation's run identifier."""
    found = re.search(r"\d+$", identifier, re.ASCII)
    if not found or int(found[0]) > LARGEST_RUN:
        raise Refused(f"run identifier {identifier!r} must end in a number up to {LARGEST_RUN}, as run_12 does")
    return int(found[0])


def _names(fabrics: list[str]) -> str:
    return f" ({', '.join(fabrics)})" if fabrics else ""
