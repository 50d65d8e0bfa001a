"""Ctrl-C, and SIGTERM from job schedulers: a run stops only between two steps.

A step that is interrupted halfway cannot be saved.
"""

import signal
import threading
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupt:
    """A context in which Ctrl-C or SIGTERM only sets `asked` the first time, and interrupts the second time.

    It does nothing if active=False, or outside the main thread, where Python handles no signals.
    """

    def __init__(self, active: bool = True):
        self.active = active and threading.current_thread() is threading.main_thread()
        self.asked = False
        self.before: dict[int, Any] = {}

    def __enter__(self) -> "Interrupt":
        if self.active:
            self.before = {number: signal.signal(number, self.on_signal) for number in SIGNALS}
        return self

    def on_signal(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        self.restore(number)

    def restore(self, number: int) -> None:
        """Restore a signal's previous handler, or the default if that handler was not set from Python."""
        signal.signal(number, self.before[number] or signal.SIG_DFL)

    def __exit__(self, *_: object) -> None:
        for number in self.before:
            self.restore(number)
