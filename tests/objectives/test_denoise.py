"""Denoising: the decoder writes the original, seeing the spoiled text and only what it has written so far."""

import numpy as np
import pytest
import torch
from small import LENGTH, V, batch_of, loud, model_of, tensors, token_logits
from tiny import CONFIG, SPECIALS

from minibert.data.batch import IGNORE
from minibert.data.noising import split_sentences, token_deletion
from minibert.model import Decoder
from minibert.objectives import Denoise, bart_noise
from minibert.training.micro_batch import loss_of_batch

STOPS = (11, 12, 13, 14, 15)


@pytest.fixture
def denoise():
    return Denoise(SPECIALS, V, LENGTH, bart_noise(SPECIALS, STOPS))


@pytest.fixture
def batch(denoise):
    return batch_of(denoise)


@pytest.fixture
def model(denoise):
    return loud(model_of(denoise).double())


def test_the_labels_are_the_original_text_and_its_end_one_step_after_what_the_decoder_reads(denoise, batch):
    inputs, labels = denoise.corrupt(batch, np.random.default_rng(0))
    for ids, real, target, label in zip(batch.input_ids, batch.real, inputs["target_ids"], labels["tokens"]):
        row = ids[real].tolist()
        assert label[label != IGNORE].tolist() == row[1:] and row[-1] == SPECIALS.sep
        assert target[label != IGNORE].tolist() == row[:-1] and row[0] == SPECIALS.cls
        assert (label[len(row) - 1 :] == IGNORE).all()


def test_the_source_is_the_noise_of_the_text_between_its_edges(batch):
    given = []

    def noise(ids, rng):
        given.append(ids.tolist())
        return ids[::-1]

    inputs, _ = Denoise(SPECIALS, V, LENGTH, noise).corrupt(batch, np.random.default_rng(0))
    for text, ids, real, source in zip(given, batch.input_ids, batch.real, inputs["input_ids"]):
        assert text == ids[real][1:-1].tolist()
        assert source[: real.sum()].tolist() == [SPECIALS.cls, *text[::-1], SPECIALS.sep]


def test_barts_noise_permutes_sentences_and_then_hides_three_in_ten():
    noise, text = bart_noise(SPECIALS, [11]), [20, 21, 22, 11, 30, 31, 11, 40, 41, 11]
    assert sorted(map(len, split_sentences(text, [11]))) == [3, 3, 4]
    firsts = set()
    for seed in range(200):
        seen = noise(np.array(text), np.random.default_rng(seed))
        kept = seen[seen != SPECIALS.mask]
        assert len(kept) == 7 and (seen == SPECIALS.mask).any()
        firsts.add(kept[0] // 10)
        for decade in (2, 3, 4):  # inside a sentence the order stays
            assert (np.diff(kept[kept // 10 == decade]) > 0).all()
    assert firsts == {1, 2, 3, 4}  # 1: a full stop, where all before it is hidden
    unspoiled = bart_noise(SPECIALS, [11], rate=0)(np.array(text), np.random.default_rng(0))
    assert sorted(unspoiled) == sorted(text)


def test_a_source_never_outgrows_a_row(batch):
    inputs, _ = Denoise(SPECIALS, V, LENGTH, lambda ids, rng: np.repeat(ids, 3)).corrupt(
        batch, np.random.default_rng(0)
    )
    assert inputs["input_ids"].shape[1] == LENGTH and (inputs["input_ids"][0, -1]) == SPECIALS.sep


def test_a_source_of_which_nothing_is_left_is_still_a_row(batch):
    denoise = Denoise(SPECIALS, V, LENGTH, lambda ids, rng: token_deletion(ids, 1, rng))
    inputs, labels = denoise.corrupt(batch, np.random.default_rng(0))
    assert inputs["input_ids"].tolist() == [[SPECIALS.cls, SPECIALS.sep]] * len(batch.real)
    loss, _ = loss_of_batch(denoise, model_of(denoise), batch, np.random.default_rng(0))
    assert torch.isfinite(loss)


def test_a_prediction_sees_the_target_before_it_and_not_the_word_it_predicts(denoise, batch, model):
    inputs, labels = denoise.corrupt(batch, np.random.default_rng(0))
    before = token_logits(model, inputs)
    size = int((labels["tokens"][0] != IGNORE).sum())
    for t in range(size):
        changed = inputs["target_ids"].copy()
        changed[0, t] = 50 if changed[0, t] != 50 else 51
        moved = (token_logits(model, {**inputs, "target_ids": changed}) - before).abs().amax(-1)
        assert moved[0, :t].sum() == 0 and moved[0, t:size].min() > 1e-6 and moved[1:].max() == 0


def test_every_prediction_sees_the_whole_source(denoise, batch, model):
    inputs, labels = denoise.corrupt(batch, np.random.default_rng(0))
    before, size = token_logits(model, inputs), int((labels["tokens"][0] != IGNORE).sum())
    for s in range(3):
        changed = inputs["input_ids"].copy()
        changed[0, s] = 50 if changed[0, s] != 50 else 51
        moved = (token_logits(model, {**inputs, "input_ids": changed}) - before).abs().amax(-1)
        assert moved[0, :size].min() > 1e-6 and moved[1:].max() == 0


def test_the_decoder_shows_where_it_looks_in_the_source(denoise, batch, model):
    inputs = tensors(denoise.corrupt(batch, np.random.default_rng(0))[0])
    states = model.encoder(inputs["input_ids"], inputs["visible"], inputs["token_type_ids"])["hidden"]
    arguments = (
        model.encoder.embeddings.word(inputs["target_ids"]),
        states,
        inputs["target_visible"],
        inputs["source_visible"],
    )
    shown = model.decoder(*arguments)
    assert len(shown["probs"]) == CONFIG.num_hidden_layers
    (B, T), S = inputs["target_ids"].shape, inputs["input_ids"].shape[1]
    for probs in shown["probs"]:
        assert probs.shape == (B, CONFIG.num_attention_heads, T, S)
        assert (probs.sum(-1) - 1).abs().max() < 1e-12


def test_the_decoder_knows_where_it_writes():
    torch.manual_seed(0)
    words, states = (
        torch.randn(1, 1, CONFIG.hidden_size).expand(1, 5, -1),
        torch.randn(1, 4, CONFIG.hidden_size),
    )
    causal, all_of_it = torch.ones(1, 5, 5).tril().bool(), torch.ones(1, 5, 4).bool()
    hidden = Decoder(CONFIG).eval()(words, states, causal, all_of_it)["hidden"]  # the same word five times
    assert (hidden[0, 1:] - hidden[0, :-1]).abs().amax(-1).min() > 1e-3


def test_encoder_decoder_and_output_share_one_matrix_of_words(denoise):
    model = model_of(denoise)
    matrices = [
        name for name, value in model.named_parameters() if tuple(value.shape) == (V, CONFIG.hidden_size)
    ]
    assert matrices == ["encoder.embeddings.word.weight"]
    assert model.heads["tokens"].decoder.weight is model.encoder.embeddings.word.weight


def test_a_target_longer_than_the_position_table_is_an_error():
    seen = torch.ones(1, 41, 41, dtype=torch.bool)
    with pytest.raises(ValueError, match="a target of 41 tokens is longer than max_position_embeddings=40"):
        Decoder(CONFIG)(
            torch.zeros(1, 41, CONFIG.hidden_size), torch.zeros(1, 41, CONFIG.hidden_size), seen, seen
        )
