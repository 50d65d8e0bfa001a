"""The stand-in of the lessons: it answers anything, and leaves a lesson's random numbers alone."""

import pytest
import torch

from minibert.course.models.class_model import untrained_model


def test_an_untaught_model_marks_a_place_of_the_text():
    text = "Zoë was born in 1904."
    answer = untrained_model("qa").predict(question="Who?", context=text)
    assert answer and answer in text


def test_an_untaught_tagger_has_the_tags_that_it_is_given():
    found = untrained_model("ner", tags=["B-PER", "I-PER"]).predict("Zoë left.")
    assert {entity.type for entity in found} == {"PER"}


def test_an_untaught_model_is_the_same_each_time_and_draws_nothing():
    before = torch.random.get_rng_state()
    first, second = (untrained_model("qa").model.heads["span"].state_dict() for _ in range(2))
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert torch.equal(torch.random.get_rng_state(), before)


def test_an_untaught_model_needs_a_known_task():
    with pytest.raises(ValueError, match="unknown task 'weather'"):
        untrained_model("weather")
