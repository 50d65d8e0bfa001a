"""Ctrl-C between two steps, never inside one: a step that is half done cannot be saved."""
import signal
import threading


class Interrupt:
    """A context in which the first Ctrl-C only sets `asked`; the second one interrupts at once, as always.

    Outside the main thread, where Python handles no signals, and with active=False it changes nothing.
    """

    def __init__(self, active=True):
        self.active = active and threading.current_thread() is threading.main_thread()
        self.asked = False

    def __enter__(self):
        if self.active:
            self.before = signal.signal(signal.SIGINT, self.note)
        return self

    def note(self, number, frame):
        self.asked = True
        signal.signal(signal.SIGINT, self.before)

    def __exit__(self, *_):
        if self.active:
            signal.signal(signal.SIGINT, self.before)
