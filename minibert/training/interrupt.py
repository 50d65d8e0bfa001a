"""Ctrl-C between two steps, never inside one: a step that is half done cannot be saved. SIGTERM, as job
schedulers send it, too.
"""
import signal
import threading

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupt:
    """A context in which the first of each of SIGNALS only sets `asked`; the second one acts at once, as
    before.

    Outside the main thread, where Python handles no signals, and with active=False it changes nothing.
    """

    def __init__(self, active=True):
        self.active = active and threading.current_thread() is threading.main_thread()
        self.asked, self.before = False, {}

    def __enter__(self):
        if self.active:
            self.before = {number: signal.signal(number, self.note) for number in SIGNALS}
        return self

    def note(self, number, frame):
        self.asked = True
        self.restore(number)

    def restore(self, number):
        """Let whoever handled this signal before do so again; one that is no Python function is not known,
        nor can be kept.
        """
        signal.signal(number, self.before[number] or signal.SIG_DFL)

    def __exit__(self, *_):
        for number in self.before:
            self.restore(number)
