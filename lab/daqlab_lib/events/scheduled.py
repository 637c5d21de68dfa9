"""DCMs that ask ROS in the phases of rpc schedule: the next phase begins when all fragments of one have come, and all DCMs begin
their next events together."""
import json

from ..errors import LabError
from .dcm import Collection


class Scheduled(Collection):
    def __init__(self, current, load, config):
        super().__init__(current, load, config)
        self._order = self._ordered(config["schedule"])
        self._newer = None          # the order from the next round on
        self._phase = len(self._order)
        self._in_flight = 0         # requests of this phase
        self._event_of = {}         # DCM -> its event
        if not self._order:
            raise LabError("--schedule: there is nothing to send")

    def answer(self, line):
        if line.startswith("schedule "):
            self._newer = self._ordered(json.loads(line.split(" ", 1)[1]))
        elif line == "go":
            self._running = True
            self._go_on()
            return {}
        return super().answer(line)

    def _ordered(self, schedule):
        """The connections of each phase; those that it does not name ask first if they stay on their node, else last."""
        open_ends = {}
        for connection in self._connections.values():
            open_ends.setdefault((connection.ros.name, connection.dcm.end.name), []).append(connection)
        own = [pair for pair, (one, *_) in open_ends.items() if one.ros.switch == one.dcm.end.switch]
        phases = [own]
        for phase in zip(*schedule.values(), strict=True):
            phases.append([(ros, dcm) for ros, dcm in zip(schedule, phase, strict=True) if (ros, dcm) in open_ends])
        named = {pair for phase in phases for pair in phase}
        phases += [[pair] for pair in open_ends if pair not in named]
        return [[each for pair in phase for each in open_ends[pair]] for phase in phases if phase]

    def _ask(self, event, connections):
        self._event_of[event.dcm] = event
        event.missing = len(connections)

    def _received(self, connection):
        self._in_flight -= 1
        super()._received(connection)
        self._go_on()

    def _next(self, dcm):
        """It begins with the others."""

    def _go_on(self):
        while not self._in_flight:
            if self._phase == len(self._order):
                if not self._running:
                    return
                self._order, self._newer, self._phase = self._newer or self._order, None, 0
                for dcm in self._dcms:
                    self._begin(dcm)
            phase = self._order[self._phase]
            self._phase += 1
            self._in_flight = len(phase)
            for connection in phase:
                connection.dcm.requests.append((connection, self._event_of[connection.dcm], self._load.fragments))
                self._send(connection.dcm)
