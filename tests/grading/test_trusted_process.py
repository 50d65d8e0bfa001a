"""The trusted process computes a check's unusual inputs once, for all notebooks of a class."""

import os

import pytest

from minibert import reference
from minibert.course import unit02
from minibert.course.checks import climb
from minibert.grading.run.trusted_process_main import inherit_inputs, report_inputs


@pytest.fixture
def pipe():
    ends = os.pipe()
    for end in ends:
        os.set_blocking(end, False)
    yield ends
    for end in ends:
        os.close(end)


def test_what_one_child_computes_the_next_ones_find_in_the_cache(pipe):
    reported, computed = pipe
    climb.COMPUTED.clear()
    climb.beyond.cache_clear()
    for seed in (3, 4):
        climb.beyond(unit02.softmax, seed)
    report_inputs(computed)
    climb.beyond.cache_clear()  # as in a process that has not run the check
    inherit_inputs(reported)
    before = climb.beyond.cache_info()
    assert before.currsize == 2 and climb.COMPUTED == []
    climb.beyond(unit02.softmax, 4)
    assert climb.beyond.cache_info().misses == before.misses


def test_nothing_is_reported_twice_and_an_unknown_check_is_skipped(pipe):
    reported, computed = pipe
    climb.COMPUTED[:] = [(reference.softmax, 1)]  # has no number that a check has
    climb.beyond.cache_clear()
    for _ in range(2):
        report_inputs(computed)
        inherit_inputs(reported)
    assert climb.beyond.cache_info().currsize == 0


def test_a_full_pipe_stops_nobody(pipe):
    reported, computed = pipe
    while True:
        try:
            os.write(computed, b"0 0\n" * 1000)
        except BlockingIOError:
            break
    climb.COMPUTED[:] = [(unit02.softmax, seed) for seed in range(1000)]
    report_inputs(computed)
    assert climb.COMPUTED == []
