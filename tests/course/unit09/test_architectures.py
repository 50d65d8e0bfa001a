"""The three models in one drawing: what reaches a prediction is what each model may use, and nothing else."""

import numpy as np
import pytest

from minibert.course.unit09.views.architectures import (
    LAYERS,
    architectures,
    edges_of,
    meets,
    reached,
    words_used,
)

TOKENS = ["a", "b", "c", "d"]
T = len(TOKENS)


@pytest.mark.parametrize("asked", range(T))
def test_each_model_uses_what_it_may_see(asked):
    others = [place for place in range(T) if place != asked]
    assert words_used("ELMo", T, asked) == words_used("BERT", T, asked) == others
    assert words_used("GPT", T, asked) == list(range(asked))


def test_the_sides_meet_below_the_prediction_in_bert_alone():
    assert [name for name in ("ELMo", "GPT", "BERT") if meets(name, T, 1, 0, 3)] == ["BERT"]
    assert meets("GPT", T, 3, 0, 2) and meets("ELMo", T, 3, 0, 2)
    assert not meets("GPT", T, 1, 0, 2)  # a state that has read both has no way to b


@pytest.mark.parametrize("name, mask", [("GPT", np.tril(np.ones((T, T)))), ("BERT", np.ones((T, T)))])
def test_a_layer_s_edges_are_the_attention_mask(name, mask):
    edges = [(start, end) for start, end in edges_of(name, T, 1) if end[1] == LAYERS]
    drawn = np.zeros((T, T))
    for start, end in edges:
        drawn[end[2], start[2]] += 1
    assert np.array_equal(drawn, mask)


def test_no_node_is_lit_without_a_way_to_the_prediction():
    lit = reached(edges_of("ELMo", T, 1))
    assert {node for node in lit if node[0] == "left"} == {("left", 1, 0), ("left", 2, 0)}
    assert {place for kind, _, place in lit if kind == "right"} == {2, 3}


def test_the_description_names_the_words_and_bert_reads_mask():
    fig, alt = architectures(TOKENS, 0, "One.")
    assert alt == (
        "One. Words from which a path leads to the prediction of “a”: ELMo: b, c, d; GPT: none; "
        "BERT: b, c, d."
    )
    written = [[text.get_text() for text in ax.texts] for ax in fig.axes]
    assert ["[MASK]" in words for words in written] == [False, False, True]
    assert all("a ?" in words for words in written)


def test_a_place_outside_is_refused():
    with pytest.raises(ValueError, match="asked=4 must be an index from 0 to 3"):
        architectures(TOKENS, 4, "One.")
