"""Particular checks of unit 14; test_units.py compares them with their bank."""

import numpy as np
import pytest
import torch
from banks.trial import unit

from minibert.course import unit14 as check
from minibert.course.checks.compare import close
from minibert.course.unit14 import (
    bug_hunt,
    chain_mistakes,
    definitions,
    mask_mistakes,
    pair_mistakes,
    share_mistakes,
    versions,
    writing_mistakes,
)
from minibert.course.unit14.table_models import fits, table_model
from minibert.finetuning import search, sentences
from minibert.model import long

UNIT = unit("unit14")


def test_the_gradients_of_the_definition_are_those_of_pytorch():
    for case in pair_mistakes.cases(np.random.default_rng(1)):
        ours = definitions.loss_and_gradients(*case)
        assert close(pair_mistakes.used(pair_mistakes.in_batch_loss, *case), ours)
        assert close(pair_mistakes.used(sentences.in_batch_loss, *case), ours)


def test_the_cell_of_the_notebook_calls_a_loss_as_the_mistakes_are_called():
    theirs = UNIT.answer("in_batch_loss")
    for case in pair_mistakes.cases(np.random.default_rng(2)):
        assert close(theirs(*case), definitions.loss_and_gradients(*case))


def test_some_probabilities_are_0_in_a_computer():
    *_, case, _ = pair_mistakes.cases(np.random.default_rng(0))
    queries, answers = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in case[:2])
    scores = queries @ answers.T / case[2]
    assert (np.exp(scores - scores.max(1, keepdims=True)).min(1) == 0).any()


@pytest.mark.parametrize(
    "plain, name, cases",
    [
        (chain_mistakes.gibbs, "gibbs_step", chain_mistakes.gibbs_cases),
        (chain_mistakes.accept, "metropolis_accept", chain_mistakes.accept_cases),
        (writing_mistakes.number, "number_masked", writing_mistakes.number_cases),
        (writing_mistakes.write, "mask_predict", writing_mistakes.text_cases),
        (mask_mistakes.window, "sliding_window_visible", mask_mistakes.window_cases),
        (mask_mistakes.longformer, "longformer_visible", mask_mistakes.long_cases),
        (share_mistakes.shares, "sampling_shares", share_mistakes.cases),
    ],
)
def test_what_the_mistakes_are_edits_of_is_the_definition(plain, name, cases):
    exercise = getattr(check, name)
    for ours, again in zip(cases(np.random.default_rng(5)), cases(np.random.default_rng(5)), strict=True):
        assert close(plain(*ours), exercise.reference(*again))


def test_masks_are_those_of_the_library():
    for case in mask_mistakes.window_cases(np.random.default_rng(0)):
        assert np.array_equal(definitions.sliding_window_visible(*case), long.sliding_window_visible(*case))
    for case in mask_mistakes.long_cases(np.random.default_rng(0)):
        assert np.array_equal(definitions.longformer_visible(*case), long.longformer_visible(*case))


def test_the_mended_hunt_is_attention_with_longformers_mask():
    for q, k, v, reach, positions in bug_hunt.cases(np.random.default_rng(3)):
        ours = bug_hunt.version(frozenset())(q, k, v, reach, positions)
        tensors = (torch.from_numpy(x)[None, None] for x in (q, k, v))
        assert close(ours, long.long_attention(*tensors, reach, positions)[0, 0].numpy())


def test_a_table_model_gives_probabilities_and_never_predicts_the_mask():
    model = table_model(np.random.default_rng(0), 6, 2)
    ids = np.array([[0, 1, 2], [5, 4, 3]])
    logs = model(ids)
    assert logs.shape == (2, 3, 6) and np.isneginf(logs[..., 2]).all()
    np.testing.assert_allclose(np.exp(logs).sum(-1), 1)
    changed = ~np.isclose(model(np.array([[0, 1, 3], [5, 4, 3]])), logs).all(-1)
    assert changed.tolist() == [[True] * 3, [False] * 3]  # each token depends on all others of its text
    assert fits(ids, model, 2) and not fits(ids, model, 3) and not fits(ids + 1, model, 2)
    with pytest.raises(ValueError, match=r"a model reads whole numbers \(N, T\), not int64 of shape \(3,\)"):
        model(ids[0])
    with pytest.raises(ValueError, match="the ids must be from 0 to 5"):
        model(ids + 1)


def test_no_number_that_decides_is_close_to_another():
    for seed in range(20):
        for ids, position, log_probs, mask, rng in chain_mistakes.gibbs_cases(np.random.default_rng(seed)):
            masked = ids.copy()
            masked[:, position] = mask
            sums = np.exp(log_probs(masked)[:, position]).cumsum(1)
            assert abs(sums - rng.random(len(ids))[:, None]).min() > 1e-7
        for ids, free, log_probs, mask, iterations in writing_mistakes.text_cases(
            np.random.default_rng(seed)
        ):
            for text in definitions.mask_predict(ids, free, log_probs, mask, iterations):
                best = np.sort(log_probs(text[None])[0], 1)[:, -2:]  # (T, 2)
                assert best.shape[1] == 1 or (np.diff(best) > 1e-7).all()
                assert len(text) == 1 or np.diff(np.sort(best[:, -1])).min() > 1e-7


def test_right_versions_are_the_definition_and_wrong_ones_are_not():
    for version in versions.RIGHT + versions.WRONG + versions.MORE:
        rng, alike = np.random.default_rng(0), True
        for _ in range(20):
            first, second, constant = rng.normal(size=6), rng.random(6), rng.uniform(1, 9)
            given = first.copy(), second.copy()
            found = version.function(*given, constant)
            alike &= close(np.asarray(found), search.combined(first, second, constant=constant))
            alike &= all(map(np.array_equal, given, (first, second)))
        assert alike == (version in versions.RIGHT), version.words


def test_a_message_about_a_model_has_no_address():
    said = UNIT.message("gibbs_step", UNIT.wrong("gibbs_step", "sharper"))
    assert "log_probs a function" in said and "0x" not in said
