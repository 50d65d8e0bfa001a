"""Masks choose what they may, in the shares the paper states, and change nothing else."""
import numpy as np
import pytest

from minibert.reference import choose_positions, corrupt_80_10_10, span_positions, whole_word_positions

WORDS = np.array([-1, 0, 0, 1, 2, 2, 2, 3, -1, 4, 5, 5, 6, 7, -1])


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def within(share, expected, n, sigmas=6):
    return abs(share - expected) < sigmas * np.sqrt(expected * (1 - expected) / n)


def test_choose_positions_takes_candidates_at_the_rate(rng):
    candidates = rng.random((400, 500)) < 0.5
    chosen = choose_positions(candidates, 0.15, rng)
    assert not (chosen & ~candidates).any()
    assert within(chosen.sum() / candidates.sum(), 0.15, candidates.sum())


def test_a_rate_outside_0_and_1_is_an_error(rng):
    with pytest.raises(ValueError, match="rate=1.5 must lie between 0 and 1"):
        choose_positions(np.ones(3, bool), 1.5, rng)


def test_fates_are_80_10_10_and_the_rest_is_untouched(rng):
    ids = np.full((300, 300), 7)
    chosen = rng.random(ids.shape) < 0.5
    seen = corrupt_80_10_10(ids, chosen, 4, np.arange(8, 97), rng)
    n = chosen.sum()
    assert (seen[~chosen] == 7).all() and (ids == 7).all()
    assert within((seen[chosen] == 4).mean(), 0.8, n)
    assert within((seen[chosen] == 7).mean(), 0.1, n)
    assert within((seen[chosen] >= 8).mean(), 0.1, n)


def test_shares_above_one_are_an_error(rng):
    with pytest.raises(ValueError, match="to_mask=0.9 and to_random=0.2"):
        corrupt_80_10_10(np.ones((1, 2), int), np.ones((1, 2), bool), 4, [5], rng, 0.9, 0.2)


@pytest.mark.parametrize("positions", [whole_word_positions, span_positions])
def test_words_are_chosen_whole_and_special_tokens_never(positions, rng):
    for _ in range(200):
        chosen = positions(WORDS, 0.3, rng)
        assert not chosen[WORDS < 0].any()
        for word in range(8):
            assert len(set(chosen[WORDS == word])) == 1


def test_whole_words_stay_within_the_budget(rng):
    for _ in range(200):
        assert 1 <= whole_word_positions(WORDS, 0.3, rng).sum() <= round(0.3 * 12)


def test_spans_never_join_across_a_special_token(rng):
    words = np.array([-1] + list(range(5)) + [-1] + list(range(5, 10)) + [-1])
    for _ in range(300):
        assert not span_positions(words, 0.2, rng)[[0, 6, 12]].any()


def test_span_lengths_are_geometric_and_cut_at_ten(rng):
    words = np.arange(4000)
    lengths = []
    for _ in range(400):                # a single span each: its rate is one piece
        chosen = span_positions(words, 1e-9, rng)
        lengths.append(chosen.sum())
    p = 0.2 * 0.8 ** np.arange(10)
    p /= p.sum()
    assert max(lengths) <= 10
    assert abs(np.mean(lengths) - (p * np.arange(1, 11)).sum()) < 6 * np.sqrt(8 / 400)


def test_a_row_of_special_tokens_has_nothing_to_choose(rng):
    assert not span_positions(np.array([-1, -1]), 0.5, rng).any()
