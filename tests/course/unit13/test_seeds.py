"""The grid of seeds: what explains the spread, on tables whose answer is known, and in real fine-tuning."""

import numpy as np
import pytest
import torch
from test_approaches import SENTENCES, tuned

from minibert.course.unit13.methods.seeds import agreement, anova, failed, grid, variance_shares
from minibert.data.batch import SPECIAL_TOKENS
from minibert.tokenizer.fast import FastWordPiece


def table(rng, rows, columns, noise, W=8, O=9):
    return (
        80
        + rows * rng.normal(size=(W, 1))
        + columns * rng.normal(size=(1, O))
        + noise * rng.normal(size=(W, O))
    )


def test_a_grid_goes_on_where_it_was_and_grows_square():
    whole = list(grid(3, 4))
    assert len(set(whole)) == 12 and set(whole[:4]) == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert list(grid(3, 4, whole[:5])) == whole[5:]


def test_anova_finds_the_kind_of_seed_that_matters():
    rows_matter = anova(table(np.random.default_rng(0), 3.0, 0.0, 1.0))
    assert rows_matter["WI"][1] < 1e-4 and rows_matter["DO"][1] > 0.05
    assert anova(table(np.random.default_rng(0), 3.0, 0.0, 1.0).T)["DO"][1] < 1e-4


def test_anova_is_its_definition():
    scores = table(np.random.default_rng(1), 1.0, 1.0, 1.0, 4, 5)
    between = 5 * ((scores.mean(1) - scores.mean()) ** 2).sum() / 3
    within = ((scores - scores.mean(1, keepdims=True)) ** 2).sum() / (20 - 4)
    assert anova(scores)["WI"][0] == pytest.approx(between / within)


def test_shares_of_the_variance_add_up_and_find_their_source():
    shares = variance_shares(table(np.random.default_rng(2), 3.0, 1.0, 0.1, 30, 30))
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["WI"] > 0.8 > 0.2 > shares["DO"] > shares["both"]
    assert variance_shares(np.ones((2, 3))) == {"WI": 0, "DO": 0, "both": 0}


def test_seeds_that_are_good_everywhere_are_found_and_chance_is_not():
    rng = np.random.default_rng(0)
    good = rng.normal(size=(8, 1))
    one, other = (80 + 3 * good + 0.3 * rng.normal(size=(8, 5)) for _ in range(2))
    r, p = agreement(one, other, rng, 300)
    assert r > 0.8 and p < 0.02
    chance = [agreement(rng.normal(size=(6, 3)), rng.normal(size=(6, 3)), rng, 60)[1] for _ in range(60)]
    assert 0.3 < np.mean(chance) < 0.7


def test_runs_at_the_most_frequent_label_have_failed():
    scores = np.array([[52.7, 47.3], [66.0, 68.0]])
    assert failed(scores, 52.7).tolist() == [[True, True], [False, False]]


@pytest.mark.parametrize(
    "scores, said",
    [
        (np.ones(4), "shape"),
        (np.ones((1, 4)), "at least 2"),
        (np.array([[1.0, np.nan], [1.0, 1.0]]), "1 of 4 runs"),
    ],
)
def test_a_table_with_gaps_is_refused(scores, said):
    with pytest.raises(ValueError, match=said):
        anova(scores)
    with pytest.raises(ValueError, match="the numbers must be equal"):
        agreement(np.ones((2, 2)), np.ones((3, 2)), np.random.default_rng(0))


def test_the_two_seeds_of_a_run_decide_its_head_and_its_order_apart():
    tokenizer = FastWordPiece([*SPECIAL_TOKENS, *sorted({w.lower() for s in SENTENCES for w in s.words})])

    def run(init, order):
        found, log = tuned(tokenizer, steps=3, batch_size=1, head_seed=init, seed=order)
        return found.model.heads["tags"].classifier.weight.detach(), [entry["tokens"] for entry in log]

    (first, order), (same, again) = run(0, 1), run(0, 1)
    assert torch.equal(first, same) and order == again
    other_init, other_order = run(5, 1), run(0, 2)
    assert not torch.equal(first, other_init[0]) and other_init[1] == order
    assert other_order[1] != order or not torch.equal(first, other_order[0])
