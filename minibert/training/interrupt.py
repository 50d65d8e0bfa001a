"""Ctrl-C takes effect between two steps, never inside one: a step that is half done cannot be saved.

So does SIGTERM, which job schedulers send.
"""

import signal
import threading
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupt:
    """A context in which the first Ctrl-C or SIGTERM only sets `asked`; the second one acts at once.

    Outside the main thread, where Python handles no signals, and with active=False it changes nothing.
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
        """Set `asked`; the next signal of this number acts as before."""
        self.asked = True
        self.restore(number)

    def restore(self, number: int) -> None:
        """Restore the former handler of this signal, or the default if that was no Python function."""
        signal.signal(number, self.before[number] or signal.SIG_DFL)

    def __exit__(self, *_: object) -> None:
        for number in self.before:
            self.restore(number)
