"""What each objective does beyond the contract."""

import numpy as np
import pytest
import torch
from small import LENGTH, VOCAB, V, batch_of, model_of, tensors
from tiny import CONFIG, SPECIALS, documents

from minibert.data.batch import IGNORE
from minibert.data.masking import run_edges
from minibert.model import Encoder
from minibert.objectives import (
    CLM,
    MLM,
    NSP,
    PLM,
    RTD,
    SOP,
    BiLM,
    Capitalisation,
    Denoise,
    EntityMLM,
    NgramMLM,
    SentenceDistance,
    SentenceStructure,
    SpanBoundary,
    SpanMLM,
    StaticMasks,
    Sum,
    TokenRelation,
    WholeWordMLM,
    WordStructure,
)
from minibert.training.config import TrainConfig
from minibert.training.micro_batch import loss_of_batch
from minibert.training.pretraining import new_model, pretrain

ROW = ([10, 70, 71, 11, 12, 80, 13, 14, 15, 16, 17, 18], None)


def chosen_in(objective, batch, seed):
    return objective.corrupt(batch, np.random.default_rng(seed))[1]["tokens"] != IGNORE


@pytest.fixture
def batch():
    return batch_of(MLM(SPECIALS, V, LENGTH))


@pytest.mark.parametrize("hide_as, seen_as", [("mask", SPECIALS.mask), ("unk", SPECIALS.unk)])
def test_four_in_five_hidden_tokens_are_seen_as_mask_or_as_unk(batch, hide_as, seen_as):
    mlm, shares = MLM(SPECIALS, V, LENGTH, hide_as=hide_as), []
    for seed in range(40):
        inputs, labels = mlm.corrupt(batch, np.random.default_rng(seed))
        counted = labels["tokens"] != IGNORE
        shares.append((inputs["input_ids"][counted] == seen_as).mean())
    assert 0.75 < np.mean(shares) < 0.85


def test_another_rate_and_split_are_kept(batch):
    mlm = MLM(SPECIALS, V, LENGTH, rate=0.5, to_mask=0.0, to_random=1.0)
    inputs, labels = mlm.corrupt(batch, np.random.default_rng(0))
    counted = labels["tokens"] != IGNORE
    assert 0.4 < counted.sum() / mlm.candidates(batch).sum() < 0.6
    assert not (inputs["input_ids"][counted] == SPECIALS.mask).any()
    assert (inputs["input_ids"][counted] != batch.input_ids[counted]).mean() > 0.95


def test_hiding_as_anything_else_is_an_error():
    with pytest.raises(ValueError, match="hide_as='pad' must be 'mask' or 'unk'"):
        MLM(SPECIALS, V, LENGTH, hide_as="pad")


@pytest.mark.parametrize("rate", [0, -1, 2.0, float("nan")])
def test_a_rate_that_is_no_share_is_an_error(rate):
    for make in (
        lambda: MLM(SPECIALS, V, LENGTH, rate=rate),
        lambda: WholeWordMLM(SPECIALS, VOCAB, LENGTH, rate=rate),
    ):
        with pytest.raises(ValueError, match=f"rate={rate!r} must be above 0 and at most 1"):
            make()


def test_a_batch_with_one_ordinary_token_still_has_a_label():
    mlm = MLM(SPECIALS, V, LENGTH)
    batch = mlm.collate([([9], None)])
    for seed in range(20):
        assert chosen_in(mlm, batch, seed).sum() == 1


@pytest.mark.parametrize("kind", [WholeWordMLM, SpanMLM, NgramMLM])
def test_whole_words_are_hidden_whole(kind):
    objective = kind(SPECIALS, VOCAB, LENGTH)
    batch, seen = objective.collate([ROW]), set()
    for seed in range(200):
        chosen = chosen_in(objective, batch, seed)[0]
        assert chosen[1] == chosen[2] == chosen[3] and chosen[5] == chosen[6] and not chosen[[0, -1]].any()
        seen |= {tuple(chosen)}
    assert len(seen) >= 6


def test_a_span_has_one_fate():
    spans, fates = SpanMLM(SPECIALS, VOCAB, LENGTH, rate=0.3), []
    batch = spans.collate([ROW])
    for seed in range(300):
        inputs, labels = spans.corrupt(batch, np.random.default_rng(seed))
        chosen, hidden = labels["tokens"] != IGNORE, inputs["input_ids"] == SPECIALS.mask
        left, _ = run_edges(chosen)
        for edge in np.unique(left[chosen]):
            of_span = hidden[chosen & (left == edge)]
            assert of_span.all() or not of_span.any()
            fates.append(of_span[0])
    assert 0.7 < np.mean(fates) < 0.9


def test_both_n_grams_and_single_words_are_hidden():
    ngrams = NgramMLM(SPECIALS, VOCAB, LENGTH, rate=0.01)  # the budget is one n-gram
    batch = ngrams.collate([(list(range(10, 20)), None)])
    sizes = [int(chosen_in(ngrams, batch, seed).sum()) for seed in range(600)]
    inside = np.bincount(sizes, minlength=4)[1:] / 600
    assert set(sizes) == {1, 2, 3}
    # In 10 words a bigram or trigram is cut short at the end once or twice in ten.
    assert np.abs(inside - np.array([6 + 0.3 + 0.2, 0.9 * 3 + 0.2, 0.8 * 2]) / 11).max() < 0.09


def test_the_boundary_head_reads_the_two_tokens_around_the_span_and_the_place_only():
    spans = SpanBoundary(SPECIALS, VOCAB, LENGTH)
    head = model_of(spans).double().heads["boundary"]
    hidden = torch.randn(1, 8, CONFIG.hidden_size, dtype=torch.double)
    left, right = (torch.from_numpy(edge) for edge in run_edges(np.array([[0, 0, 1, 1, 1, 0, 0, 0]], bool)))
    before = head(hidden, left, right)[0, 2:5]  # (3, V)
    for position in range(8):
        changed = hidden.clone()
        changed[0, position] += 1
        moves = (head(changed, left, right)[0, 2:5] - before).abs().max() > 1e-9
        assert moves == (position in (1, 5))
    assert (before[0] - before[1]).abs().max() > 1e-9  # the place tells the tokens of a span apart


def test_an_entity_is_hidden_whole_and_other_words_on_their_own():
    entities = EntityMLM(SPECIALS, VOCAB, LENGTH, phrases=[(11, 12, 80), (14, 15)], rate=0.3)
    batch, seen = entities.collate([ROW]), set()
    for seed in range(300):
        chosen = chosen_in(entities, batch, seed)[0]
        assert chosen[4] == chosen[5] == chosen[6] and chosen[8] == chosen[9]
        seen |= {(chosen[4], chosen[7], chosen[8], chosen[10])}
    assert len(seen) == 16


def test_clm_predicts_the_next_token_but_no_special_one():
    clm = CLM(SPECIALS, V, LENGTH)
    inputs, labels = clm.corrupt(clm.collate([([7, 8, 9], None), ([5], None)]), np.random.default_rng(0))
    assert labels["tokens"].tolist() == [[7, 8, 9, IGNORE, IGNORE], [5, IGNORE, IGNORE, IGNORE, IGNORE]]
    assert inputs["visible"][0].tolist() == np.tril(np.ones((5, 5), bool)).tolist()


def test_both_directions_share_one_softmax_with_the_embeddings():
    encoder = Encoder(CONFIG)
    heads = BiLM(SPECIALS, V, LENGTH).heads(encoder)
    assert heads["next"].decoder.weight is heads["previous"].decoder.weight is encoder.embeddings.word.weight


@pytest.mark.parametrize(
    "inner", [lambda: WholeWordMLM(SPECIALS, VOCAB, LENGTH), lambda: SpanMLM(SPECIALS, VOCAB, LENGTH)]
)
def test_static_masks_are_few_and_do_not_depend_on_batch_or_padding(inner):
    static = StaticMasks(inner(), seed=3, copies=4)
    wide, narrow = static.collate([ROW, ([9] * 25, None)]), static.collate([([8, 9], None), ROW])
    size = len(ROW[0]) + 2
    of_row = [
        {
            (static.corrupt(batch, np.random.default_rng(seed))[0]["input_ids"][row, :size]).tobytes()
            for seed in range(80)
        }
        for batch, row in ((wide, 0), (narrow, 1))
    ]
    assert of_row[0] == of_row[1] and 2 <= len(of_row[0]) <= 4
    fresh = {
        inner().corrupt(wide, np.random.default_rng(seed))[0]["input_ids"][0].tobytes() for seed in range(80)
    }
    assert len(fresh) > 10


def test_a_single_static_mask_never_changes():
    static = StaticMasks(Sum(NSP(SPECIALS, V, LENGTH), MLM(SPECIALS, V, LENGTH)), seed=3, copies=1)
    batch = batch_of(static)
    first, second = (static.corrupt(batch, np.random.default_rng(seed))[0]["input_ids"] for seed in (0, 1))
    other = StaticMasks(static.objectives[0], seed=4, copies=1).corrupt(batch, np.random.default_rng(0))[0][
        "input_ids"
    ]
    assert np.array_equal(first, second) and not np.array_equal(first, other)


def test_static_masks_refuse_no_copies_and_rows_that_are_too_long():
    with pytest.raises(ValueError, match="copies=0 must be at least 1"):
        StaticMasks(MLM(SPECIALS, V, LENGTH), seed=0, copies=0)
    static = StaticMasks(MLM(SPECIALS, V, 10), seed=0)
    with pytest.raises(ValueError, match="a batch of 14 tokens is longer than max_length=10"):
        static.corrupt(static.collate([ROW]), np.random.default_rng(0))


def test_shuffled_trigrams_hold_the_same_tokens_and_are_labelled_with_the_right_ones(batch):
    words, moved_any = WordStructure(SPECIALS, V, LENGTH), 0
    for seed in range(30):
        inputs, labels = words.corrupt(batch, np.random.default_rng(seed))
        seen, moved = inputs["input_ids"], labels["moved"]
        assert np.array_equal(labels["tokens"][moved], batch.input_ids[moved])
        assert not (seen[moved] == SPECIALS.mask).any()
        for row in range(len(seen)):
            assert sorted(seen[row][moved[row]]) == sorted(batch.input_ids[row][moved[row]])
        moved_any += (seen[moved] != batch.input_ids[moved]).sum()
    assert moved_any > 50


def test_a_row_too_short_for_a_trigram_has_an_order_loss_of_zero():
    words = WordStructure(SPECIALS, V, LENGTH)
    _, parts = loss_of_batch(
        words, model_of(words), words.collate([([9, 8], None)]), np.random.default_rng(0)
    )
    assert parts["order"] == 0 and parts["mlm"] > 1


def test_capitals_are_labelled_but_not_seen():
    vocab = [*(f"[{i}]" for i in range(5)), "rose", "Rose", "oak", "Paris"]
    capital = Capitalisation(SPECIALS, vocab, LENGTH)
    inputs, labels = capital.corrupt(capital.collate([([5, 6, 7, 8], None)]), np.random.default_rng(0))
    assert inputs["input_ids"].tolist() == [[SPECIALS.cls, 5, 5, 7, 8, SPECIALS.sep]]
    # oak and Paris stand in one case only
    assert labels["capital"].tolist() == [[IGNORE, 0, 1, IGNORE, IGNORE, IGNORE]]


def test_a_batch_without_a_word_in_both_cases_has_a_loss_of_zero():
    capital = Capitalisation(SPECIALS, [*"[]()-", "rose", "Rose", "oak"], LENGTH)
    labels = tensors(capital.corrupt(capital.collate([([7, 7], None)]), np.random.default_rng(0))[1])
    assert capital.loss({"capital": torch.randn(1, 4, 2)}, labels) == {"capital": 0}


def test_a_vocabulary_in_one_case_is_an_error():
    with pytest.raises(ValueError, match="none of the 2 tokens is in the vocabulary both capitalised"):
        Capitalisation(SPECIALS, ["rose", "oak"], LENGTH)


def test_relation_labels_stand_at_their_tokens():
    relation = TokenRelation(SPECIALS, V, 5)
    batch = relation.collate(*relation.build([[[5, 6, 7], [7, 8]]], np.random.default_rng(0)))
    assert batch.input_ids.tolist() == [[2, 5, 6, 7, 3], [2, 7, 8, 3, 0]]
    assert batch.sequence_labels.tolist() == [[IGNORE, 0, 0, 1, IGNORE], [IGNORE, 1, 0, IGNORE, IGNORE]]


OWN = {
    "rtd": ("model and step", RTD),
    "plm": ("model", PLM),
    "denoise": ("model", lambda *sizes: Denoise(*sizes, noise=lambda ids, rng: ids)),
}


@pytest.mark.parametrize("name", OWN)
def test_a_sum_refuses_a_part_with_a_step_or_model_of_its_own(name):
    own, make = OWN[name]
    with pytest.raises(
        ValueError, match=f"objective '{name}' has its own {own}: in a sum, all objectives must share one"
    ):
        Sum(NSP(SPECIALS, V, LENGTH), make(SPECIALS, V, LENGTH))
    with pytest.raises(ValueError, match=f"objective '{name}' has its own {own}"):
        StaticMasks(make(SPECIALS, V, LENGTH), seed=0)


def test_a_sum_keeps_the_weights_of_its_parts():
    parts = NSP(SPECIALS, V, LENGTH), MLM(SPECIALS, V, LENGTH)
    parts[1].weights = {"mlm": 3.0}
    objective = Sum(*parts)
    loss, terms = loss_of_batch(objective, model_of(objective), batch_of(objective), np.random.default_rng(0))
    assert loss.item() == pytest.approx((terms["nsp"] + 3 * terms["mlm"]).item())


@pytest.mark.parametrize("name", OWN)
def test_pretraining_takes_any_objective(name):
    tokenizer, lengths = range(V), []  # all that pretrain asks of it is its length

    def make(tokenizer, max_length):
        lengths.append(max_length)
        return OWN[name][1](SPECIALS, len(tokenizer), max_length)

    phases = [
        (TrainConfig(steps=2, batch_size=8, seed=5), 14),
        (TrainConfig(steps=1, batch_size=4, seed=5), LENGTH),
    ]
    options = {"make_objective": make, "precision": torch.float32, "progress": False}
    model, log = pretrain(documents(), tokenizer, CONFIG, phases, "cpu", **options)
    start = new_model(CONFIG, make(tokenizer, LENGTH), 5).state_dict()
    assert type(model) is type(model_of(make(tokenizer, LENGTH))) and {*lengths} == {14, LENGTH}
    assert [entry["step"] for entry in log] == [1, 2, 3] and all(name in entry for entry in log)
    state = model.state_dict()
    assert start.keys() == state.keys()
    still = [key for key in start if torch.equal(state[key], start[key]) and "key.bias" not in key]
    assert not still, still


def test_a_new_model_depends_on_its_seed_alone():
    objective = PLM(SPECIALS, V, LENGTH)
    first = new_model(CONFIG, objective, 1).state_dict()
    torch.rand(3)
    again, other = (new_model(CONFIG, objective, seed).state_dict() for seed in (1, 2))
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not torch.equal(first["start"], other["start"])


@pytest.mark.parametrize(
    "kind", [NSP, SOP, MLM, SentenceStructure, SentenceDistance, RTD, PLM], ids=lambda kind: kind.name
)
def test_the_model_is_told_which_segment_each_token_is_in(kind):
    objective = kind(SPECIALS, V, LENGTH)
    batch = objective.collate([([7, 8, 9], [10, 11]), ([12], [13, 14, 15])], [0, 1])
    inputs, _ = objective.corrupt(batch, np.random.default_rng(0))
    assert np.array_equal(inputs["token_type_ids"], batch.token_type_ids) and batch.token_type_ids.any()
