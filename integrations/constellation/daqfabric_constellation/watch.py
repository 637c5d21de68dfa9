"""Reads a partition after every notification of the controller, and each second in any case."""
import threading
from collections.abc import Callable

from .control import RunControl
from .reading import Reading
from .restconf import Refused, Stream, Unreachable

Publish = Callable[[object, Reading | None, str], None]


class Watch:
    """
    Notifications only trigger a reading, and the reading is published. So none can be missed, and without a stream a
    change is seen within a second.
    """

    def __init__(self, control: RunControl, publish: Publish, stage: Callable[[], object], pause: float = 1):
        """Publishes the stage in which the reading began, and the reading; or None, and why it failed."""
        self._control = control
        self._publish = publish
        self._stage = stage
        self._pause = pause
        self._wake = threading.Event()
        self._ended = threading.Event()
        self._stream: Stream | None = None
        self._lock = threading.Lock()
        for each in (self._read, self._listen):
            threading.Thread(target=each, daemon=True).start()

    def end(self) -> None:
        """Ends it; nothing is published after this returns."""
        with self._lock:
            self._ended.set()
            if self._stream:
                self._stream.close()
        self._wake.set()

    def _read(self) -> None:
        while not self._ended.is_set():
            begun = self._stage()
            try:
                reading, problem = self._control.read(), ""
            except (Refused, Unreachable) as e:
                reading, problem = None, str(e)
            with self._lock:
                if not self._ended.is_set():
                    self._publish(begun, reading, problem)
            self._wake.wait(self._pause)
            self._wake.clear()

    def _listen(self) -> None:
        while not self._ended.is_set():
            try:
                stream = self._control.open_stream()
            except (Refused, Unreachable):
                self._ended.wait(self._pause)
                continue
            with self._lock:
                self._stream = stream
                if self._ended.is_set():
                    stream.close()
            self._wake.set()
            while stream.wait():
                self._wake.set()
            stream.close()
            self._ended.wait(self._pause)
