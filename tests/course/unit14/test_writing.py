"""What BERT and GPT write is judged by the exact reader."""

import numpy as np
import pytest

from minibert.course.unit14.experiments import writing
from minibert.course.unit14.experiments.writing import (
    WAYS,
    biographies,
    full_stop,
    judge,
    material,
    writing_run,
)


@pytest.mark.parametrize("task", writing.TASKS)
def test_real_text_is_grammatical_and_possible(task):
    run = writing_run("real text", task, count=10)
    assert run["grammatical"] == run["sentences"] and all(np.ravel(run["documents"]))
    assert np.sum(run["sentences"]) == 10 if task == "last" else np.sum(run["sentences"]) > 40


def test_a_changed_word_makes_its_sentence_wrong_and_a_swapped_fact_only_the_document():
    _, _, tokenizer, _ = material()
    ids, _ = biographies("whole", 1, 10)[0]
    broken = ids.copy()
    broken[2] = tokenizer.encode("the").ids[0]
    before, after = judge(ids, 1), judge(broken, 1)
    assert [right for _, right in after["sentences"]].count(False) == 1 and not after["document"]
    assert before["document"] and all(right for _, right in before["sentences"])
    first = np.concatenate([ids[:1], ids[1 : list(ids).index(full_stop()) + 1]] * 2)
    one, two = judge(np.delete(first, len(first) // 2), 1)["sentences"]  # the same sentence twice
    assert one[1] and two[1] and not judge(np.delete(first, len(first) // 2), 1)["document"]


def test_an_unfinished_sentence_is_wrong():
    ids, _ = biographies("whole", 1, 10)[0]
    found = judge(ids[: list(ids).index(full_stop()) + 3], 1)["sentences"]
    assert [right for _, right in found] == [True, False]


@pytest.mark.parametrize("way", WAYS)
def test_every_way_keeps_the_context_and_writes_without_masks(way, monkeypatch):
    monkeypatch.setattr(writing, "SWEEPS", 1)
    monkeypatch.setattr(writing, "ITERATIONS", 2)
    _, _, tokenizer, _ = material()
    (ids, begin), *_ = biographies("last", 1, 10)
    (text,) = writing.write(way, "last", ids, begin, np.random.default_rng(0))
    assert (text[:begin] == ids[:begin]).all() and tokenizer.specials.mask not in text
    assert way == "GPT" or len(text) == len(ids) and text[-1] == tokenizer.specials.sep


def test_a_run_depends_on_its_seed_alone():
    one, same, other = (writing_run("Mask-Predict, drawn", "last", seed, 2) for seed in (1, 1, 2))
    assert one == same != other
