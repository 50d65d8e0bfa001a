"""Masks choose what they may, in the shares the paper states, and change nothing else."""

import numpy as np
import pytest

from minibert.data.masking import (
    choose_positions,
    choose_repeated_words,
    choose_whole_words,
    corrupt_80_10_10,
    corrupt_spans,
    epoch_masks,
    ngram_positions,
    phrase_continues,
    run_edges,
    span_positions,
    whole_word_positions,
    word_index,
)

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
    with pytest.raises(ValueError, match="rate=1.5 must be between 0 and 1"):
        choose_positions(np.ones(3, bool), 1.5, rng)
    with pytest.raises(ValueError, match="rate=nan must be between 0 and 1"):
        choose_whole_words(np.ones((1, 3), bool), np.zeros((1, 3), bool), float("nan"), rng)


@pytest.mark.parametrize(
    "epochs, copies, expected",
    [(5, 2, [0, 1, 0, 1, 0]), (3, 1, [0, 0, 0]), (2, 4, [0, 1]), (4, None, [0, 1, 2, 3])],
)
def test_stored_masks_take_turns_and_fresh_ones_do_not_come_back(epochs, copies, expected, rng):
    candidates = rng.random((10, 80)) < 0.5
    masks = epoch_masks(candidates, 0.4, epochs, copies, rng)  # (epochs, 10, 80)
    assert masks.shape == (epochs, 10, 80) and not (masks & ~candidates).any()
    assert [next(f for f in range(epochs) if (masks[f] == mask).all()) for mask in masks] == expected


@pytest.mark.parametrize("epochs, copies", [(0, 2), (2, 0), (0, None)])
def test_less_than_one_epoch_or_stored_mask_is_an_error(epochs, copies, rng):
    with pytest.raises(ValueError, match=f"epochs={epochs} and copies={copies} must be at least 1"):
        epoch_masks(np.ones(3, bool), 0.15, epochs, copies, rng)


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


def test_a_row_of_special_tokens_has_nothing_to_choose(rng):
    assert not span_positions(np.array([-1, -1]), 0.5, rng).any()


@pytest.mark.parametrize("corrupt", [corrupt_80_10_10, corrupt_spans])
def test_shares_above_one_are_an_error_for_tokens_and_spans(corrupt, rng):
    with pytest.raises(ValueError, match="to_mask=0.9 and to_random=0.2"):
        corrupt(np.ones((1, 3), int), np.array([[False, True, False]]), 4, [5], rng, 0.9, 0.2)


def test_a_span_shares_its_fate_and_the_shares_are_80_10_10(rng):
    chosen = np.tile([False, True, True, True, False, True, True, False], (4000, 1))
    seen = corrupt_spans(np.full(chosen.shape, 7), chosen, 4, np.arange(8, 97), rng)
    assert (seen[~chosen] == 7).all()
    spans = np.concatenate([seen[:, 1:4].min(1), seen[:, 5:7].min(1)])
    for span in (seen[:, 1:4], seen[:, 5:7]):
        fate = np.where(span == 4, 0, np.where(span == 7, 1, 2))
        assert (fate == fate[:, :1]).all()
    for share, expected in ((spans == 4, 0.8), (spans == 7, 0.1), (spans > 7, 0.1)):
        assert within(share.mean(), expected, len(spans))
    random = seen[:, 1:4][seen[:, 1] > 7]
    assert (random[:, 0] != random[:, 1]).mean() > 0.9  # each token its own random token


def test_a_span_at_the_edge_of_a_row_is_an_error():
    with pytest.raises(ValueError, match="edge of sequence 1"):
        run_edges(np.array([[False, True, False], [False, True, True]]))


def test_n_gram_lengths_are_as_one_to_a_half_to_a_third(rng):
    words = np.arange(3000)
    # a budget of one piece: a single n-gram
    sizes = [ngram_positions(words, 1e-9, rng).sum() for _ in range(1500)]
    for n, share in enumerate(np.array([6, 3, 2]) / 11, start=1):
        assert within(np.mean(np.array(sizes) == n), share, 1500)


def test_n_grams_are_whole_words_within_a_budget_and_never_cross_a_special_token(rng):
    seen = set()
    for _ in range(300):
        chosen = ngram_positions(WORDS, 0.4, rng)
        alone = len(np.unique(WORDS[chosen])) <= 3  # a single n-gram may overshoot
        assert not chosen[WORDS < 0].any() and (1 <= chosen.sum() <= round(0.4 * 12) or alone)
        assert all(len(set(chosen[WORDS == word])) == 1 for word in range(8))
        seen.add(tuple(chosen))
    single = {tuple(np.flatnonzero(ngram_positions(WORDS, 1e-9, rng))) for _ in range(800)}
    assert len(seen) > 20 and (7, 9) not in single and (6, 7) not in single and (7,) in single


def test_a_row_of_special_tokens_has_no_n_gram(rng):
    assert not ngram_positions(np.array([-1, -1]), 0.5, rng).any()


def test_a_piece_that_goes_on_a_special_token_starts_a_word():
    candidates = np.array([[False, True, True, False, True, True]])
    continues = np.array([[False, True, True, False, True, False]])
    assert word_index(candidates, continues).tolist() == [[-1, 0, 0, -1, 1, 2]]


def test_the_longest_phrase_wins_from_left_to_right_and_no_word_is_cut():
    ids = np.array([[5, 6, 7, 8, 5, 6, 9, 5, 6]])
    continues = np.array([[False] * 6 + [True] + [False] * 2])  # 9 goes on the word of 6
    found = phrase_continues(ids, continues, [(5, 6), (5, 6, 7), (7, 8)])
    assert np.flatnonzero(found[0]).tolist() == [1, 2, 8]  # 5 6 7, not 7 8, not 5 6 inside 6 9, 5 6


def test_a_phrase_of_one_token_is_an_error():
    with pytest.raises(ValueError, match="the phrase \\(5,\\) has fewer than 2 ids"):
        phrase_continues(np.ones((1, 2), int), np.zeros((1, 2), bool), [(5,)])


def test_of_repeated_words_one_of_a_kind_always_stays_and_they_are_hidden_whole(rng):
    ids = rng.integers(5, 15, size=(300, 40))  # 10 pieces: words repeat in every row
    continues = (ids >= 12) & (np.arange(40) > 0)
    candidates = np.ones(ids.shape, bool)
    words = word_index(candidates, continues)
    chosen = choose_repeated_words(ids, candidates, continues, ids != 7, 1.0, rng)
    for row, index, hidden in zip(ids, words, chosen):
        by_kind = {}
        for word in range(index.max() + 1):
            place = index == word
            assert len(set(hidden[place])) == 1  # whole
            by_kind.setdefault(tuple(row[place]), []).append(bool(hidden[place][0]))
        for pieces, fates in by_kind.items():
            stay = len(fates) if pieces == (7,) else 1  # a piece that tells nothing is left alone
            assert fates.count(False) == min(stay, len(fates))


def repeated_word_positions(input_ids, words, telling, share, rng):
    """The readable version for one sequence: group the words by their subwords, and leave one of each out."""
    draws = rng.random(len(words))  # a word uses the draw of its first subword
    chosen = np.zeros(len(words), bool)
    places = {}  # the subwords of a word -> its positions
    for word in np.unique(words[words >= 0]):
        place = np.flatnonzero(words == word)
        if telling[place].any():
            places.setdefault(tuple(input_ids[place]), []).append(place)
    for same in places.values():
        *repeated, _ = sorted(same, key=lambda place: draws[place[0]])  # the last one is left out
        for place in repeated:
            chosen[place] = draws[place[0]] < share
    return chosen


@pytest.mark.parametrize("share", [0.0, 0.3, 0.8, 1.0])
def test_repeated_words_of_a_batch_are_those_of_its_rows(share, rng):
    ids = rng.integers(5, 15, size=(200, 40))
    candidates, continues = rng.random(ids.shape) < 0.9, ids >= 11  # words of up to many pieces, and cut ones
    words = word_index(candidates, continues)
    readable, fast = np.random.default_rng(1), np.random.default_rng(1)
    expected = [
        repeated_word_positions(row, index, row != 7, share, readable) for row, index in zip(ids, words)
    ]
    assert np.array_equal(expected, choose_repeated_words(ids, candidates, continues, ids != 7, share, fast))
    assert np.any(expected) == (share > 0)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.8])
def test_repeated_words_are_hidden_at_their_share(share, rng):
    ids = np.full((400, 101), 9)  # one word, 101 times: 100 may go, one stays
    everywhere = np.ones(ids.shape, bool)
    chosen = choose_repeated_words(ids, everywhere, ~everywhere, everywhere, share, rng)
    assert abs(chosen.sum() / (400 * 101) - share) < 0.02
    assert not choose_repeated_words(ids, ~everywhere, ~everywhere, everywhere, 1.0, rng).any()


def test_a_share_of_repeated_words_outside_0_and_1_is_an_error(rng):
    row = np.ones((1, 3), int)
    with pytest.raises(ValueError, match="share=-0.1 must be between 0 and 1"):
        choose_repeated_words(row, row > 0, row > 1, row > 0, -0.1, rng)
