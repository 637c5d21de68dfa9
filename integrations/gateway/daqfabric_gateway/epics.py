"""Serves values as process variables over PVAccess."""
from p4p.server import Server, StaticProvider
from p4p.server.thread import SharedPV

from .addresses import is_loopback
from .names import encode, join
from .records import record_of
from .settings import Epics
from .values import Difference, Path


class EpicsServer:
    """Runs from construction until `stop`. What clients write is refused, as no PV has a handler for it."""

    def __init__(self, settings: Epics):
        self._prefix = encode(settings.prefix) + ":"
        self._provider = StaticProvider("daqfabric")
        self._pvs: dict[Path, SharedPV] = {}
        # Beacons make clients look again for what they miss; they are broadcast.
        beacons = "NO" if is_loopback(settings.address) else "YES"
        try:
            self._server = Server(providers=[self._provider], useenv=False, conf={
                "EPICS_PVAS_INTF_ADDR_LIST": settings.address,
                "EPICS_PVAS_SERVER_PORT": str(settings.port),
                "EPICS_PVAS_BROADCAST_PORT": str(settings.search_port),
                "EPICS_PVAS_AUTO_BEACON_ADDR_LIST": beacons,
            })
        except RuntimeError as e:  # as p4p names every failure of the library below it
            raise OSError(f"PVAccess cannot listen on {settings.address}: {e}. Give epics.address an address of this machine") from e
        if settings.port and self.address()["EPICS_PVAS_SERVER_PORT"] != str(settings.port):  # it takes another then
            self.stop()
            raise OSError(f"another program has port {settings.port} of {settings.address}: end it, or set another epics.port")

    def address(self) -> dict[str, str]:
        """Where it listens, in the words of EPICS's environment."""
        return self._server.conf()

    def apply(self, difference: Difference) -> None:
        """Serves what the difference leads to. Clients of what has gone are disconnected."""
        for path in difference.gone:
            self._provider.remove(self._prefix + join(path))
            self._pvs.pop(path).close()
        for value in difference.come:
            pv = SharedPV(initial=record_of(value))
            self._pvs[value.path] = pv
            self._provider.add(self._prefix + join(value.path), pv)
        for value in difference.changed:
            self._pvs[value.path].post(record_of(value))

    def stop(self) -> None:
        """Disconnects all clients."""
        self._server.stop()
