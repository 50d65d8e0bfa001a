"""Each noise does what the paper says, in the shares it says, and keeps the text it was given."""

import math

import numpy as np
import pytest

from minibert.data.noising import (
    document_rotation,
    sentence_permutation,
    shuffle_runs,
    span_lengths,
    split_sentences,
    text_infilling,
    token_deletion,
    token_masking,
)

MASK, STOP = 4, 9
TEXT = np.arange(10, 30)
NOISES = {
    "masking": lambda ids, rng: token_masking(ids, 0.3, MASK, rng),
    "deletion": lambda ids, rng: token_deletion(ids, 0.3, rng),
    "infilling": lambda ids, rng: text_infilling(ids, 0.3, MASK, rng),
    "permutation": lambda ids, rng: sentence_permutation(ids, [STOP], rng),
    "rotation": document_rotation,
}


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture(params=NOISES)
def noise(request):
    return NOISES[request.param]


def within(share, expected, n, sigmas=6):
    return abs(share - expected) < sigmas * math.sqrt(expected * (1 - expected) / n)


def test_a_noise_is_seeded_leaves_its_text_and_the_global_generator(noise):
    text, state = np.array([11, 12, STOP, 13, 14, 15, STOP, 16, 17, STOP]), np.random.get_state()[1].copy()
    before = text.copy()
    outcomes = [noise(text, np.random.default_rng(seed)) for seed in (3, 3, *range(20))]
    assert np.array_equal(outcomes[0], outcomes[1]) and outcomes[0].dtype == np.int64
    assert len({tuple(outcome) for outcome in outcomes}) > 2
    assert np.array_equal(text, before) and np.array_equal(state, np.random.get_state()[1])


def test_an_empty_text_stays_empty(noise, rng):
    assert noise([], rng).shape == (0,) and noise([], rng).dtype == np.int64


def test_masking_hides_tokens_in_place_at_the_rate(rng):
    ids = np.full(100_000, 7)
    seen = token_masking(ids, 0.3, MASK, rng)
    assert set(seen) == {7, MASK} and len(seen) == len(ids)
    assert within((seen == MASK).mean(), 0.3, len(ids))


def test_deletion_keeps_the_order_of_what_it_keeps_at_the_rate(rng):
    ids = np.arange(100_000)
    seen = token_deletion(ids, 0.3, rng)
    assert (np.diff(seen) > 0).all() and within(1 - len(seen) / len(ids), 0.3, len(ids))


def test_span_lengths_are_poisson_and_fill_the_budget(rng):
    budget = 60_000
    lengths = span_lengths(budget, 3, rng)
    assert lengths.sum() == budget and lengths.min() == 0
    for length in range(7):
        expected = math.exp(-3) * 3**length / math.factorial(length)
        assert within((lengths == length).mean(), expected, len(lengths)), length
    # variance of a variance: (mu4 - var^2) / n
    assert abs(lengths.var() - 3) < 6 * math.sqrt((3 + 2 * 9) / len(lengths))


def test_only_the_last_span_is_cut():
    cut = set()
    for seed in range(300):
        whole, short = (span_lengths(budget, 3, np.random.default_rng(seed)) for budget in (40, 5))
        assert short.sum() == 5
        assert np.array_equal(short[:-1], whole[: len(short) - 1])
        assert short[-1] <= whole[len(short) - 1]
        cut.add(int(whole[len(short) - 1] - short[-1]))
    assert {0, 1, 2} <= cut


def test_infilling_takes_the_share_of_tokens_and_leaves_the_rest_in_order(rng):
    for _ in range(300):
        seen = text_infilling(TEXT, 0.3, MASK, rng)
        kept = seen[seen != MASK]
        assert len(kept) == 14 and (np.diff(kept) > 0).all() and np.isin(kept, TEXT).all()


def test_each_span_becomes_one_mask_and_an_empty_span_inserts_one(rng):
    ids = np.arange(10, 40_010)
    seen = text_infilling(ids, 0.3, MASK, rng)
    spans = (seen == MASK).sum()
    assert abs(spans - 4000) < 6 * math.sqrt(4000 / 3)  # a renewal process: variance 12000 var / mean^3
    inserted = same = 0
    kept = np.flatnonzero(seen != MASK)
    for a, b in zip(kept[:-1], kept[1:]):  # between two kept tokens: masks, and how many tokens they hide
        if b - a == 2:
            same += 1
            inserted += seen[b] - seen[a] == 1
    assert within(inserted / same, math.exp(-3), same)


def test_the_hidden_tokens_lie_where_the_masks_stand():
    seen = {
        tuple(text_infilling([10, 11, 12, 13], 0.25, MASK, np.random.default_rng(seed), mean=40))
        for seed in range(200)
    }
    assert seen == {(4, 11, 12, 13), (10, 4, 12, 13), (10, 11, 4, 13), (10, 11, 12, 4)}


def test_spans_begin_in_every_gap_alike(rng):
    n, places = 8000, np.zeros(5, int)
    for _ in range(n):
        places[np.flatnonzero(text_infilling(np.arange(10, 15), 0.2, MASK, rng, mean=40) == MASK)[0]] += 1
    assert all(within(count / n, 1 / 5, n) for count in places)


def test_sentences_are_cut_after_full_stops():
    assert [s.tolist() for s in split_sentences([STOP, 5, 6, 8, 7], [STOP, 8])] == [[STOP], [5, 6, 8], [7]]


def test_sentences_stay_whole_and_every_order_is_equally_likely(rng):
    n, sentences = 6000, {(11, STOP): "a", (12, 13, STOP): "b", (14, 15): "c"}
    orders = []
    for _ in range(n):
        seen = sentence_permutation([11, STOP, 12, 13, STOP, 14, 15], [STOP], rng).tolist()
        orders.append(tuple(sorted(sentences, key=lambda sentence: seen.index(sentence[0]))))
        assert seen == [i for sentence in orders[-1] for i in sentence]
    found = {order: orders.count(order) for order in set(orders)}
    assert len(found) == 6 and all(within(count / n, 1 / 6, n) for count in found.values())


def test_rotation_begins_at_every_token_alike(rng):
    n, text = 6000, [10, 11, 12, 13, 14]
    firsts = []
    for _ in range(n):
        seen = document_rotation(text, rng).tolist()
        start = text.index(seen[0])
        assert seen == text[start:] + text[:start]
        firsts.append(seen[0])
    assert all(within(firsts.count(token) / n, 1 / 5, n) for token in text)


@pytest.mark.parametrize(
    "function",
    [
        lambda rate, rng: token_masking(TEXT, rate, MASK, rng),
        lambda rate, rng: token_deletion(TEXT, rate, rng),
        lambda rate, rng: text_infilling(TEXT, rate, MASK, rng),
    ],
)
def test_a_rate_that_is_no_share_is_an_error(function, rng):
    for rate in (-0.1, 1.2):
        with pytest.raises(ValueError, match=f"rate={rate} must be between 0 and 1"):
            function(rate, rng)


def test_rates_of_0_and_1_change_nothing_and_everything(rng):
    assert np.array_equal(text_infilling(TEXT, 0, MASK, rng), TEXT)
    assert np.array_equal(token_deletion(TEXT, 0, rng), TEXT)
    assert set(text_infilling(TEXT, 1, MASK, rng)) == {MASK} and len(token_deletion(TEXT, 1, rng)) == 0


def test_spans_without_length_are_an_error(rng):
    with pytest.raises(ValueError, match="mean=0 must be greater than 0"):
        span_lengths(3, 0, rng)


def test_shuffled_runs_stay_apart_keep_their_tokens_and_take_every_order(rng):
    ids, free = np.tile(np.arange(10, 22), (3000, 1)), np.ones((3000, 12), bool)
    free[:, 6] = False
    seen, moved = shuffle_runs(ids, free, 0.05, rng)
    assert not moved[:, 6].any() and (seen[~moved] == ids[~moved]).all()
    assert (np.sort(seen, axis=1) == ids).all() and (ids == np.arange(10, 22)).all()
    assert (moved[:, :6].sum(1) % 3 == 0).all() and (moved[:, 7:].sum(1) % 3 == 0).all()
    alone = moved[:, :3].all(1) & ~moved[:, 3]
    orders, counts = np.unique(seen[alone][:, :3], axis=0, return_counts=True)
    assert len(orders) == 6 and all(within(n / counts.sum(), 1 / 6, counts.sum()) for n in counts)
    assert within(moved[:, 7:10].all(1).mean(), 0.05, 3000)  # the first run of a section: no overlap before


def test_a_rate_of_shuffling_above_1_is_an_error(rng):
    with pytest.raises(ValueError, match="rate=2 must be between 0 and 1"):
        shuffle_runs(np.ones((1, 3), int), np.ones((1, 3), bool), 2, rng)
