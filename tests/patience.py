"""Waiting without a clock that decides a result: a test waits for as long as something moves.

On a machine with other work everything takes longer, yet it goes on. So what is watched is progress: the
processor time of the processes waited for, or whatever else tells that they are at work. Only what stands
still is given up.
"""

import time

import psutil

STILL = 300  # seconds without any progress: it hangs
STEP = 2  # seconds of processor time that count as progress; what waits takes less within STILL
HANG = 1800  # seconds for what shows no progress while it works; a safety net, not a limit


def processor_time(pid, own=True):
    """Seconds of processor time of a process, if `own`, and of all below it; 0 where it has ended.

    Rounded down to `STEP`: what waits uses some, too, but not that much before it is given up.
    """
    try:
        process = psutil.Process(pid)
        tree = [process] * own + process.children(recursive=True)
    except psutil.NoSuchProcess:
        return 0
    seconds = 0.0
    for each in tree:
        try:
            seconds += sum(each.cpu_times()[:2])
        except psutil.NoSuchProcess:
            pass
    return STEP * (seconds // STEP)


class Patience:
    """`lasts()` is True until progress() has returned the same value for `still` seconds."""

    def __init__(self, progress, still=STILL):
        self.progress, self.still = progress, still
        self.seen, self.since = None, time.monotonic()

    def lasts(self):
        now = self.progress()
        if now != self.seen:
            self.seen, self.since = now, time.monotonic()
        return time.monotonic() - self.since < self.still


def waited(done, progress, still=STILL, pause=0.02):
    """Whether done() comes true: waits for it as long as progress() returns other values."""
    patience = Patience(progress, still)
    while not done():
        if not patience.lasts():
            return False
        time.sleep(pause)
    return True
