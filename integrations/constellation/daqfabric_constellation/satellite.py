"""The satellite: Constellation's transitions as calls of run control, and the fabric's health as status and metrics."""
import threading
import time
from typing import Any
from uuid import UUID

from constellation.core.chp import CHPRole
from constellation.core.commandmanager import cscp_requestable
from constellation.core.configuration import Configuration
from constellation.core.heartbeatchecker import HeartbeatState
from constellation.core.monitoring import schedule_metric
from constellation.core.protocol.cscp1 import SatelliteState
from constellation.core.satellite import Satellite

from .control import RunControl, run_number
from .reading import Reading
from .restconf import Restconf
from .settings import Settings, check_without_environment
from .watch import Watch

VERSION = "0.1.0"
PERIOD = 5  # seconds between metrics that do not change
# Seconds between heartbeats at the most. Constellation's default is 30, which many listeners lead to; others take a satellite for
# dead four and a half intervals after its last heartbeat.
HEARTBEAT = 1
HEARD = 0.2  # seconds in which others have received a heartbeat: they look every 0.05 s


class DaqFabric(Satellite, version=VERSION):
    """
    Prepares, starts and stops runs through a daqfabric network. Its role is TRANSIENT unless configured otherwise: the
    network forwards without it, so that a run goes on when it fails.
    """

    def __init__(self, *args: Any, restconf: Restconf, **kwargs: Any):
        """restconf: the controller, which nobody names over the network"""
        self._restconf = restconf
        self._values: dict[str, float] = {}
        self._shown = ""
        self._watch: Watch | None = None
        super().__init__(*args, **kwargs)
        self.role = CHPRole.TRANSIENT
        self.max_heartbeat_interval = HEARTBEAT

    @cscp_requestable(unpack_list=False)
    def initialize(self, config_dict: dict[str, Any]) -> tuple[str, Any, dict[str, Any]]:
        """Initiate 'initialize' state transition via a CSCP request."""
        check_without_environment(config_dict)
        answer: tuple[str, Any, dict[str, Any]] = super().initialize(config_dict)
        return answer

    def reconfigure(self, config_dict: dict[str, Any]) -> tuple[str, Any, dict[str, Any]]:
        """Initiate 'reconfigure' state transition via a CSCP request."""
        check_without_environment(config_dict)
        answer: tuple[str, Any, dict[str, Any]] = super().reconfigure(config_dict)
        return answer

    def _pre_initializing_hook(self, config: Configuration) -> None:
        autonomy = config.get_section("_autonomy", {})
        autonomy.set_default("role", CHPRole.TRANSIENT.name)
        autonomy.set_default("max_heartbeat_interval", HEARTBEAT)
        super()._pre_initializing_hook(config)

    def do_initializing(self, config: Configuration) -> str:
        """Checks login and fabric, and ends a run that an earlier instance left, unless other satellites run."""
        self._end_watch()
        self._settings = Settings.of(config)
        self._control = RunControl(self._restconf, self._settings.partition)
        self._control.check(self._settings.fabric)
        found = self._control.read()
        if found.state == "running" and self._others_run():
            return f"{found}; launch and start with its number to follow it"
        if found.state != "idle":
            self._control.clear()
            return f"Initialized; partition {self._settings.partition} was {found.state} and has been released"
        return "Initialized"

    def do_launching(self) -> str:
        """Prepares and arms, unless this satellite rejoins an active run."""
        if self._control.read().state != "running":
            self._prepare()
        self._watch = Watch(self._control, self._publish, self._stage)
        return str(self._control.read())

    def do_reconfigure(self, partial_config: Configuration) -> str:
        """Prepares and arms again."""
        self._settings = self._settings.reconfigured(partial_config)
        self._control.clear()
        self._prepare()
        return str(self._control.read())

    def do_starting(self, run_identifier: str) -> str:
        """Starts the run: the fabric is frozen, and only repaired."""
        self._control.start_run(run_number(run_identifier))
        return str(self._control.read())

    def do_stopping(self) -> str:
        """Stops the run."""
        run = self._control.stop_run()
        return f"Fabric: {run}" if run else "Fabric: no run to stop"

    def do_landing(self) -> str:
        """Releases the DCMs."""
        self._end_watch()
        self._control.release()
        return "Released"

    def do_interrupting(self) -> str:
        """Others failed: stops the run and releases. The switches forward as before."""
        self._end_watch()
        self._control.clear()
        return "Run stopped and partition released; the switches forward as before"

    def fail_gracefully(self) -> str:
        """
        Leaves the run as it is: others may continue it, and a frozen fabric is still repaired. 'initialize' ends what is
        left.
        """
        self._end_watch()
        return "The fabric is left as it is and forwards"

    def reentry(self) -> None:
        """
        Ends the program; the fabric is left as it is. Others mark their runs as degraded when a satellite departs whose role was
        TRANSIENT in its last heartbeat; the switches forward as before, so nothing of theirs is. A role that was given with more
        in mind stays.
        """
        self._end_watch()
        if self.role == CHPRole.TRANSIENT and self._com_thread_evt and not self._com_thread_evt.is_set():  # else the socket is closed
            self.role = CHPRole.NONE
            self._send_extrasystole(self.fsm.state)
            time.sleep(HEARD)
        super().reentry()

    def register_heartbeat_host(self, host: UUID, *args: Any, **kwargs: Any) -> threading.Event:
        """
        Another satellite is listened to. Its last heartbeat is as old as it is here, by a clock that nobody sets: ConstellationDAQ
        1.0.2 takes the time of the sender, so that one whose clock is ahead stays alive for as long after its death.
        """
        failed: threading.Event = super().register_heartbeat_host(host, *args, **kwargs)
        heard = self._get_heartbeat_state(host)
        if heard:
            heard.refresh = lambda ts=None: HeartbeatState.refresh(heard)
        return failed

    @schedule_metric("", PERIOD)
    def fabric_health(self) -> float | None:
        """0 ok, 1 degraded, 2 insufficient"""
        return self._values.get("fabric_health")

    @schedule_metric("Gbps", PERIOD)
    def fabric_bandwidth(self) -> float | None:
        """Bandwidth from ROS to DCMs at present"""
        return self._values.get("fabric_bandwidth")

    @schedule_metric("Gbps", PERIOD)
    def fabric_bandwidth_required(self) -> float | None:
        """Bandwidth the run was prepared for"""
        return self._values.get("fabric_bandwidth_required")

    @schedule_metric("", PERIOD)
    def fabric_cut_off_ros(self) -> float | None:
        """ROS that do not reach every DCM"""
        return self._values.get("fabric_cut_off_ros")

    @schedule_metric("", PERIOD)
    def fabric_cut_off_dcms(self) -> float | None:
        """DCMs that are not reached by every ROS"""
        return self._values.get("fabric_cut_off_dcms")

    @schedule_metric("", PERIOD)
    def fabric_repairs(self) -> float | None:
        """Repairs of failures in the newest run"""
        return self._values.get("fabric_repairs")

    @schedule_metric("", PERIOD)
    def fabric_controller(self) -> float | None:
        """1 if the controller answers, else 0; the switches forward without it"""
        return self._values.get("fabric_controller")

    def _prepare(self) -> None:
        self._control.prepare(self._settings.prepare(), self.fsm.set_status)
        self._control.arm(self._settings.accept_degraded)

    def _stage(self) -> object:
        """Another after each transition. Whether it is the same counts, not which is later: somebody may set the clock."""
        return self.fsm.state, self.fsm.last_changed

    def _publish(self, begun: object, reading: Reading | None, problem: str) -> None:
        state = self.fsm.state
        # A reading from before the newest transition is outdated.
        if state not in (SatelliteState.ORBIT, SatelliteState.RUN) or begun != self._stage():
            return
        # Without a reading the last values are no longer known to be true.
        values = reading.metrics() | {"fabric_controller": 1} if reading else {"fabric_controller": 0}
        for name, value in values.items():
            if self._values.get(name) != value:
                self.stat(name, value)
        self._values = values
        text = str(reading) if reading else f"Fabric unknown, it forwards without its controller: {problem}"
        if text != self._shown:
            self._shown = text
            (self.log.info if reading and reading.healthy else self.log.warning)(text)
        if state == SatelliteState.RUN and reading:
            if reading.state != "running":
                self._mark_degraded(f"somebody else ended the run: {reading}")
            elif not reading.healthy or (reading.run and reading.run.worst_health not in (None, "ok")):
                self._mark_degraded(text)
        if text != self.fsm.status:
            self.fsm.set_status(text)
            self._send_extrasystole(state)  # now, not with the next heartbeat

    def _others_run(self) -> bool:
        return any(state in (SatelliteState.starting, SatelliteState.RUN) for state in self.heartbeat_states.values())

    def _end_watch(self) -> None:
        if self._watch:
            self._watch.end()
            self._watch = None
