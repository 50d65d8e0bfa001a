"""Slow is not broken: who makes progress is waited for, who stands still is given up."""

import subprocess
import sys
from itertools import count

import psutil
from patience import STEP, processor_time, waited


def test_what_moves_is_waited_for_however_long_it_takes():
    ticks, calls = count(), count()
    assert waited(lambda: next(calls) == 40, lambda: next(ticks), still=0.01, pause=0.002)


def test_what_stands_still_is_given_up():
    assert not waited(lambda: False, lambda: 7, still=0.02, pause=0.001)


def test_processor_time_counts_the_processes_below():
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'while True: pass'])"
    process = subprocess.Popen([sys.executable, "-c", code])
    try:
        assert waited(
            lambda: processor_time(process.pid, own=False) >= STEP, lambda: processor_time(process.pid)
        )
    finally:
        for child in psutil.Process(process.pid).children():
            child.kill()
        process.wait()
    assert processor_time(process.pid) == 0
