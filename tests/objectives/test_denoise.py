"""Denoising: the decoder writes the original, seeing the spoiled text and only what it has written so far."""
import math

import numpy as np
import pytest
import torch
from tiny import CONFIG, SPECIALS, documents

from minibert.batch import IGNORE
from minibert.model import Decoder, Encoder
from minibert.model.decoder import CrossAttention
from minibert.objectives import Denoise, bart_noise
from minibert.reference import document_rotation, split_sentences, token_deletion
from minibert.reference.attention import attention, merge_heads, split_heads
from minibert.training import TrainConfig, train

V, LENGTH, STOPS = CONFIG.vocab_size, 32, (11, 12, 13, 14, 15)


@pytest.fixture
def denoise():
    return Denoise(SPECIALS, V, LENGTH, bart_noise(SPECIALS, STOPS))


@pytest.fixture
def batch(denoise):
    rows, labels = denoise.build(documents(), np.random.default_rng(1))
    return denoise.collate(rows, labels)


@pytest.fixture
def model(denoise):
    """Larger weights than fresh ones, so that a leak cannot hide in rounding."""
    torch.manual_seed(0)
    model = denoise.model(Encoder(CONFIG)).double().eval()
    with torch.no_grad():
        for value in model.parameters():
            value.mul_(5) if value.dim() > 1 else value.add_(0.3 * torch.randn_like(value))
    return model


def run(model, inputs):
    return model(**{name: torch.from_numpy(array) for name, array in inputs.items()})["tokens"]


def test_corrupt_is_pure_and_seeded(denoise, batch):
    ids, state = batch.input_ids.copy(), np.random.get_state()[1].copy()
    (a, a_labels), (b, b_labels) = (denoise.corrupt(batch, np.random.default_rng(7)) for _ in range(2))
    assert all(np.array_equal(a[name], b[name]) for name in a) and np.array_equal(a_labels["tokens"], b_labels["tokens"])
    assert np.array_equal(ids, batch.input_ids) and np.array_equal(state, np.random.get_state()[1])
    other, _ = denoise.corrupt(batch, np.random.default_rng(8))
    assert not np.array_equal(a["input_ids"], other["input_ids"])


def test_the_labels_are_the_original_text_and_its_end_one_step_after_what_the_decoder_reads(denoise, batch):
    inputs, labels = denoise.corrupt(batch, np.random.default_rng(0))
    for ids, real, target, label in zip(batch.input_ids, batch.real, inputs["target_ids"], labels["tokens"]):
        row = ids[real].tolist()
        assert label[label != IGNORE].tolist() == row[1:] and row[-1] == SPECIALS.sep
        assert target[label != IGNORE].tolist() == row[:-1] and row[0] == SPECIALS.cls
        assert (label[len(row) - 1:] == IGNORE).all()


def test_the_source_is_the_noise_of_the_text_between_its_edges(batch):
    given = []
    def noise(ids, rng):
        given.append(ids.tolist())
        return ids[::-1]
    inputs, _ = Denoise(SPECIALS, V, LENGTH, noise).corrupt(batch, np.random.default_rng(0))
    for text, ids, real, source in zip(given, batch.input_ids, batch.real, inputs["input_ids"]):
        assert text == ids[real][1:-1].tolist()
        assert source[:real.sum()].tolist() == [SPECIALS.cls, *text[::-1], SPECIALS.sep]


def test_barts_noise_permutes_sentences_and_then_hides_three_in_ten():
    noise, text = bart_noise(SPECIALS, [11]), [20, 21, 22, 11, 30, 31, 11, 40, 41, 11]
    assert sorted(map(len, split_sentences(text, [11]))) == [3, 3, 4]
    firsts = set()
    for seed in range(200):
        seen = noise(np.array(text), np.random.default_rng(seed))
        kept = seen[seen != SPECIALS.mask]
        assert len(kept) == 7 and (seen == SPECIALS.mask).any()
        firsts.add(kept[0] // 10)
        for decade in (2, 3, 4):                                # inside a sentence the order stays
            assert (np.diff(kept[kept // 10 == decade]) > 0).all()
    assert firsts == {1, 2, 3, 4}                               # 1: a full stop, where all before it is hidden
    unspoiled = bart_noise(SPECIALS, [11], rate=0)(np.array(text), np.random.default_rng(0))
    assert sorted(unspoiled) == sorted(text)


def test_a_source_never_outgrows_a_row(batch):
    inputs, _ = Denoise(SPECIALS, V, LENGTH, lambda ids, rng: np.repeat(ids, 3)).corrupt(batch, np.random.default_rng(0))
    assert inputs["input_ids"].shape[1] == LENGTH and (inputs["input_ids"][0, -1]) == SPECIALS.sep


def test_a_source_of_which_nothing_is_left_is_still_a_row(batch):
    denoise = Denoise(SPECIALS, V, LENGTH, lambda ids, rng: token_deletion(ids, 1, rng))
    inputs, labels = denoise.corrupt(batch, np.random.default_rng(0))
    assert inputs["input_ids"].tolist() == [[SPECIALS.cls, SPECIALS.sep]] * len(batch.real)
    torch.manual_seed(0)
    loss, _ = denoise.step(denoise.model(Encoder(CONFIG)), batch, np.random.default_rng(0))
    assert torch.isfinite(loss)


def test_a_prediction_sees_the_target_before_it_and_not_the_word_it_predicts(denoise, batch, model):
    inputs, labels = denoise.corrupt(batch, np.random.default_rng(0))
    before = run(model, inputs)
    size = int((labels["tokens"][0] != IGNORE).sum())
    for t in range(size):
        changed = inputs["target_ids"].copy()
        changed[0, t] = 50 if changed[0, t] != 50 else 51
        moved = (run(model, {**inputs, "target_ids": changed}) - before).abs().amax(-1)
        assert moved[0, :t].sum() == 0 and moved[0, t:size].min() > 1e-6 and moved[1:].max() == 0


def test_every_prediction_sees_the_whole_source(denoise, batch, model):
    inputs, labels = denoise.corrupt(batch, np.random.default_rng(0))
    before, size = run(model, inputs), int((labels["tokens"][0] != IGNORE).sum())
    for s in range(3):
        changed = inputs["input_ids"].copy()
        changed[0, s] = 50 if changed[0, s] != 50 else 51
        moved = (run(model, {**inputs, "input_ids": changed}) - before).abs().amax(-1)
        assert moved[0, :size].min() > 1e-6 and moved[1:].max() == 0


def test_padding_of_source_and_target_is_seen_by_nobody(batch, model):
    denoise = Denoise(SPECIALS, V, LENGTH, lambda ids, rng: token_deletion(ids, 0.4, rng))
    inputs, labels = denoise.corrupt(batch, np.random.default_rng(0))
    counted, source_real = labels["tokens"] != IGNORE, inputs["source_visible"][:, 0]
    assert (~counted).any() and (~source_real).any()
    noise = {**inputs, "input_ids": np.where(source_real, inputs["input_ids"], 77),
             "target_ids": np.where(counted, inputs["target_ids"], 77)}
    assert (run(model, noise) - run(model, inputs))[torch.from_numpy(counted)].abs().max() == 0


def test_a_row_does_not_depend_on_its_neighbours_its_padding_or_its_place(batch, model):
    inputs, labels = Denoise(SPECIALS, V, LENGTH, lambda ids, rng: ids[2:]).corrupt(batch, np.random.default_rng(0))
    together = run(model, inputs)
    row = int(batch.real.sum(1).argmin())
    T, S = int((labels["tokens"][row] != IGNORE).sum()), int(inputs["source_visible"][row, 0].sum())
    assert T < together.shape[1] and S < inputs["input_ids"].shape[1] and T != S
    cut = {"input_ids": (S,), "token_type_ids": (S,), "visible": (S, S), "target_ids": (T,), "target_visible": (T, T),
           "source_visible": (T, S)}
    alone = run(model, {name: inputs[name][(slice(row, row + 1), *map(slice, sizes))] for name, sizes in cut.items()})
    assert (alone[0] - together[row, :T]).abs().max() < 1e-10
    turned = run(model, {name: a[::-1].copy() for name, a in inputs.items()})
    assert (turned.flip(0) - together).abs().max() < 1e-10


def test_cross_attention_equals_the_reference_on_both_paths():
    torch.manual_seed(0)
    layer, (B, T, S, D) = CrossAttention(CONFIG).double().eval(), (3, 5, 7, CONFIG.hidden_size)
    x, states = torch.randn(B, T, D).double(), torch.randn(B, S, D).double()
    visible = torch.rand(B, 1, S).expand(B, T, S) < 0.7
    p = {name: value.numpy() for name, value in layer.state_dict().items()}
    q, k, v = (split_heads(y.numpy() @ p[f"{name}.weight"].T + p[f"{name}.bias"], CONFIG.num_attention_heads)
               for name, y in (("query", x), ("key", states), ("value", states)))
    context, probs = attention(q, k, v, visible.numpy()[:, None])
    expected = merge_heads(context) @ p["out.weight"].T + p["out.bias"]
    got, got_probs = layer(x, states, visible)
    fast, none = layer(x, states, visible, with_probs=False)
    assert np.abs(got.detach().numpy() - expected).max() < 1e-12 and np.abs(got_probs.detach().numpy() - probs).max() < 1e-12
    assert (fast - got).abs().max() < 1e-12 and none is None


def test_the_decoder_shows_where_it_looks_in_the_source(denoise, batch, model):
    inputs = {name: torch.from_numpy(a) for name, a in denoise.corrupt(batch, np.random.default_rng(0))[0].items()}
    states = model.encoder(inputs["input_ids"], inputs["visible"], inputs["token_type_ids"])["hidden"]
    arguments = model.encoder.embeddings.word(inputs["target_ids"]), states, inputs["target_visible"], inputs["source_visible"]
    shown, quick = model.decoder(*arguments, with_probs=True), model.decoder(*arguments)
    assert len(shown["probs"]) == CONFIG.num_hidden_layers and quick["probs"] is None
    (B, T), S = inputs["target_ids"].shape, inputs["input_ids"].shape[1]
    for probs in shown["probs"]:
        assert probs.shape == (B, CONFIG.num_attention_heads, T, S) and (probs.sum(-1) - 1).abs().max() < 1e-12
    assert (shown["hidden"] - quick["hidden"]).abs().max() < 1e-10


def test_the_decoder_knows_where_it_writes():
    torch.manual_seed(0)
    words, states = torch.randn(1, 1, CONFIG.hidden_size).expand(1, 5, -1), torch.randn(1, 4, CONFIG.hidden_size)
    causal, all_of_it = torch.ones(1, 5, 5).tril().bool(), torch.ones(1, 5, 4).bool()
    hidden = Decoder(CONFIG).eval()(words, states, causal, all_of_it)["hidden"]     # the same word five times
    assert (hidden[0, 1:] - hidden[0, :-1]).abs().amax(-1).min() > 1e-3


def test_encoder_decoder_and_output_share_one_matrix_of_words(denoise):
    model = denoise.model(Encoder(CONFIG))
    matrices = [name for name, value in model.named_parameters() if tuple(value.shape) == (V, CONFIG.hidden_size)]
    assert matrices == ["encoder.embeddings.word.weight"]
    assert model.heads["tokens"].decoder.weight is model.encoder.embeddings.word.weight


def test_a_target_longer_than_the_position_table_is_an_error():
    seen = torch.ones(1, 41, 41, dtype=torch.bool)
    with pytest.raises(ValueError, match="a target of 41 tokens is longer than max_position_embeddings=40"):
        Decoder(CONFIG)(torch.zeros(1, 41, CONFIG.hidden_size), torch.zeros(1, 41, CONFIG.hidden_size), seen, seen)


def test_an_untrained_loss_is_that_of_guessing(denoise, batch):
    torch.manual_seed(0)
    _, parts = denoise.step(denoise.model(Encoder(CONFIG)).eval(), batch, np.random.default_rng(0))
    assert abs(parts["denoise"].item() - math.log(V)) < 0.1 * math.log(V)


def test_the_loss_of_counted_positions_is_the_loss_of_all(denoise, batch, model):
    inputs, labels = denoise.corrupt(batch, np.random.default_rng(0))
    everywhere = denoise.loss({"tokens": run(model, inputs)}, {"tokens": torch.from_numpy(labels["tokens"])})
    assert abs(everywhere.item() - denoise.step(model, batch, np.random.default_rng(0))[0].item()) < 1e-5


@pytest.mark.parametrize("noise", [bart_noise(SPECIALS, STOPS), document_rotation], ids=["bart", "rotation"])
def test_it_learns_one_batch_by_heart(noise):
    denoise = Denoise(SPECIALS, V, LENGTH, noise)
    rows, labels = denoise.build(documents(count=3), np.random.default_rng(1))
    torch.manual_seed(0)
    model = denoise.model(Encoder(CONFIG))
    once = type("Fixed", (), {"collate": denoise.collate,
                              "step": lambda self, m, b, rng: denoise.step(m, b, np.random.default_rng(0))})()
    config = TrainConfig(steps=150, batch_size=len(rows), peak_rate=5e-3, warmup=0.1)
    log = train(model, once, lambda rng: (rows, labels), config, precision=torch.float32, progress=False)
    assert log[-1]["loss"] < 0.35 * log[0]["loss"]
