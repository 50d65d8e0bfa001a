"""The walk through a calculation, moved as a browser moves it."""
import ipywidgets as widgets

from minibert.viz.stepper import Stepper


def walk():
    return Stepper(lambda word, step: f"{word} {step}", 3, word=widgets.Text("go", description="Word"))


def test_next_and_back_move_one_step():
    stepper = walk()
    stepper.next.click()
    stepper.next.click()
    stepper.back.click()
    assert stepper.view.value == "go 2"


def test_the_button_that_leads_nowhere_is_off():
    stepper = walk()
    assert stepper.back.disabled and not stepper.next.disabled
    stepper.controls["step"].value = 3
    assert stepper.next.disabled and not stepper.back.disabled


def test_a_step_beyond_the_last_is_the_last():
    stepper = walk()
    stepper.controls["step"].value = 99
    assert stepper.view.value == "go 3"


def test_other_controls_keep_the_step():
    stepper = walk()
    stepper.next.click()
    stepper.controls["word"].set_state({"value": "stay"})
    assert stepper.view.value == "stay 2"
