"""The gateway: what controllers answer is served, the newest at any time."""
import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from .epics import EpicsServer
from .opcua import OpcUaServer
from .reading import Answers
from .restconf import Restconf
from .settings import Settings
from .source import POLL, Source
from .values import EMPTY, Tree, difference
from .view import CONNECTED, CONTROLLER, View

LOG = logging.getLogger(__name__)
PATIENCE = 10.0  # seconds without word of the source after which what it said is not taken for the present

Change = Callable[[View, datetime], View]


class Broken(Exception):
    """An error of this program: nothing can be served any more that is true."""


class Newest:
    """Hands the newest change from threads to the event loop; older ones that were not taken are dropped."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._come = asyncio.Event()
        self._change: Change | None = None
        self._error: Exception | None = None

    def put(self, change: Change) -> None:
        """From any thread."""
        self._call(self._put, change)

    def end(self, error: Exception) -> None:
        """From any thread: there will be no more."""
        self._call(self._end, error)

    def _call(self, function: Callable[[Any], None], argument: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(function, argument)
        except RuntimeError:
            pass # the gateway has ended

    def _put(self, change: Change) -> None:
        self._change = change
        self._come.set()

    def _end(self, error: Exception) -> None:
        self._error = error
        self._come.set()

    async def take(self) -> Change:
        """Waits for one; raises Broken if there will be none."""
        await self._come.wait()
        self._come.clear()
        if self._error:
            raise Broken(f"{type(self._error).__name__}: {self._error}") from self._error
        assert self._change is not None
        return self._change


class Gateway:
    """Serves from `start` until `stop`."""

    def __init__(self, settings: Settings, poll: float = POLL):
        self._settings = settings
        self._poll = poll
        self._clients = [Restconf(url, settings.login, settings.ca) for url in settings.controllers]
        self._served: Tree = EMPTY
        self.epics: EpicsServer | None = None
        self.opcua: OpcUaServer | None = None

    async def run(self, started: Callable[[], None] = lambda: None) -> None:
        """Until it is cancelled; raises Broken, or what a server raises, if it can serve no more."""
        newest = Newest()
        try:
            if self._settings.epics:
                self.epics = EpicsServer(self._settings.epics)
            if self._settings.opcua:
                self.opcua = OpcUaServer(self._settings.opcua)
                await self.opcua.start()
            view = View.at_start(datetime.now(UTC))
            await self._serve(view)
            source = Source(self._clients, lambda url, answers: newest.put(_answered(url, answers)),
                            lambda problem: newest.put(_failed(problem)), newest.end, self._poll)
            try:
                started()
                while True:
                    view = await self._next(newest, view)
                    await self._serve(view)
            finally:
                source.end()
        finally:
            if self.epics:
                self.epics.stop()
            if self.opcua:
                await self.opcua.stop()

    async def _next(self, newest: Newest, view: View) -> View:
        try:
            async with asyncio.timeout(PATIENCE):  # wait_for of Python 3.11 can lose a cancellation: the gateway would not end
                change = await newest.take()
        except TimeoutError:
            change = _failed(f"no answer within {PATIENCE:g} s")
        now = datetime.now(UTC)
        try:
            changed = change(view, now)
        except (KeyError, TypeError, ValueError, AttributeError) as e:
            LOG.exception("the controller's answer cannot be read; is it of another release than this gateway?")
            changed = view.failed(f"the controller's answer cannot be read: {e!r}", now)
        before, after = view.values[CONNECTED], changed.values[CONNECTED]
        if (before.value, before.text) != (after.value, after.text):
            if after.value:
                LOG.info("%s answers", changed.values[CONTROLLER].value)
            else:
                LOG.warning("no controller: %s", after.text)
        return changed

    async def _serve(self, view: View) -> None:
        found = difference(self._served, view.values)
        self._served = view.values
        if self.epics:
            self.epics.apply(found)
        if self.opcua:
            await self.opcua.apply(found)


def _answered(url: str, answers: Answers) -> Change:
    return lambda view, now: view.answered(url, answers, now)


def _failed(problem: str) -> Change:
    return lambda view, now: view.failed(problem, now)
