"""The walk through a calculation, moved as a browser moves it."""

import asyncio

import ipywidgets as widgets
import pytest

from minibert.course.widgets import stepper as module
from minibert.course.widgets.stepper import Stepper


def walk():
    return Stepper(lambda word, step: f"{word} {step}", 3, word=widgets.Text("go", description="Word"))


def test_next_and_back_move_one_step_and_other_controls_none():
    stepper = walk()
    assert stepper.back.disabled and not stepper.next.disabled
    stepper.next.click()
    stepper.next.click()
    stepper.back.click()
    assert stepper.view.value == "go 2"
    stepper.controls["word"].set_state({"value": "stay"})
    assert stepper.view.value == "stay 2"
    stepper.controls["step"].value = 99
    assert stepper.view.value == "stay 3" and stepper.next.disabled and not stepper.back.disabled


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(module, "PACE", 0.0)


def test_a_film_shows_each_step_and_ends_with_the_last(quick):
    seen = []

    async def watch():
        stepper = Stepper(lambda step: seen.append(step) or str(step), 3)
        stepper.play.click()
        assert stepper.play.description == "Pause"
        await stepper.film
        assert stepper.film is None and stepper.play.description == "Play"
        stepper.play.click()  # from the beginning again
        await stepper.film

    asyncio.run(watch())
    assert seen == [1, 2, 3, 1, 2, 3]


def test_a_film_stops_where_it_is_paused():
    async def watch():
        stepper = walk()
        stepper.play.click()
        await asyncio.sleep(0)
        stepper.play.click()
        await asyncio.sleep(0)
        assert stepper.view.value == "go 1" and stepper.film is None and stepper.play.description == "Play"

    asyncio.run(watch())
