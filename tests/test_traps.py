"""Mistakes that BERT code makes again and again, and that no test of shapes or falling losses notices."""

from functools import partial

import numpy as np
import pytest
import torch
from tiny import CONFIG, SPECIALS, B, K, T, documents
from torch import nn

from minibert.data.batch import IGNORE
from minibert.data.masking import corrupt_80_10_10, corrupt_spans, span_positions
from minibert.model import BiLSTM, Encoder, EncoderLayer, Model, attention
from minibert.model.fast import fast_layer
from minibert.model.variants import (
    AlbertEncoder,
    ElectraConfig,
    ElectraEncoder,
    FactorisedConfig,
    RobertaEncoder,
)
from minibert.objectives import (
    CLM,
    MLM,
    NSP,
    PLM,
    RTD,
    SOP,
    BiLM,
    Denoise,
    SentenceDistance,
    SentenceReordering,
    SentenceStructure,
    SpanBoundary,
    Sum,
    TokenRelation,
    WordStructure,
    bart_noise,
)
from minibert.training.micro_batch import loss_of_batch

V, LENGTH, VOCAB = CONFIG.vocab_size, 32, ["x"] * CONFIG.vocab_size
OBJECTIVES = {
    "BERT": lambda: Sum(NSP(SPECIALS, V, LENGTH), MLM(SPECIALS, V, LENGTH)),
    "span boundary": lambda: SpanBoundary(SPECIALS, VOCAB, LENGTH),
    "token relation": lambda: TokenRelation(SPECIALS, V, LENGTH),
    "clm": lambda: CLM(SPECIALS, V, LENGTH),
    "denoise": lambda: Denoise(SPECIALS, V, LENGTH, bart_noise(SPECIALS, (11, 12))),
    "plm": lambda: PLM(SPECIALS, V, LENGTH),
    "rtd": lambda: RTD(SPECIALS, V, LENGTH),
}


def model_of(objective, config, trunk=Encoder):
    """A fresh model of an objective."""
    torch.manual_seed(0)
    encoder = trunk(config)
    return (
        objective.model(encoder) if hasattr(objective, "model") else Model(encoder, objective.heads(encoder))
    )


MODELS = {name: lambda config, make=make: model_of(make(), config) for name, make in OBJECTIVES.items()} | {
    "bilm": lambda config: model_of(BiLM(SPECIALS, V, LENGTH), config, BiLSTM),
    "ALBERT": lambda config: model_of(
        MLM(SPECIALS, V, LENGTH), FactorisedConfig(**config.to_dict(), embedding_size=22), AlbertEncoder
    ),
    "ELECTRA": lambda config: model_of(
        MLM(SPECIALS, V, LENGTH), ElectraConfig(**config.to_dict(), embedding_size=22), ElectraEncoder
    ),
    "RoBERTa": lambda config: model_of(MLM(SPECIALS, V, LENGTH), config, RobertaEncoder),
}


@pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
def test_every_layer_norm_has_the_epsilon_of_the_configuration(make):
    norms = [
        module
        for module in make(CONFIG.replace(layer_norm_eps=1e-3)).modules()
        if isinstance(module, nn.LayerNorm)
    ]
    assert all(norm.eps == 1e-3 for norm in norms)  # PyTorch's own is 1e-5, BERT's 1e-12


@pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
def test_every_fresh_matrix_has_the_deviation_of_the_configuration(make):
    std = 0.03  # far from PyTorch's own, 1 for tables and here about 0.1
    for name, module in make(CONFIG.replace(initializer_range=std)).named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            tolerance = 6 * std / np.sqrt(2 * module.weight.numel())
            assert abs(module.weight.std().item() - std) < tolerance, name
            assert not isinstance(module, nn.Linear) or module.bias is None or not module.bias.any(), name


@pytest.mark.parametrize(
    "make",
    [make for name, make in MODELS.items() if name != "token relation"],
    ids=[name for name in MODELS if name != "token relation"],
)
def test_every_output_matrix_is_the_table_of_word_embeddings(make):
    model = make(CONFIG)
    tied = [head.decoder.weight for head in model.heads.values() if hasattr(head, "decoder")]
    assert all(weight is model.encoder.embeddings.word.weight for weight in tied)
    tables = [name for name, value in model.named_parameters() if V in value.shape and value.dim() == 2]
    assert tables == ["encoder.embeddings.word.weight"]  # and there is no second one, in the generator either


def loss(objective, model):
    """The loss of the same step, whatever is drawn inside PyTorch."""
    batch = objective.collate(*objective.build(documents(count=3), np.random.default_rng(1)))
    with torch.no_grad():
        return loss_of_batch(objective, model, batch, np.random.default_rng(2))[0].item()


@pytest.mark.parametrize("prob", ["hidden_dropout_prob", "attention_probs_dropout_prob"])
@pytest.mark.parametrize("name", OBJECTIVES)
def test_dropout_acts_in_training_and_nowhere_else(name, prob):
    objective = OBJECTIVES[name]()
    plain, dropping = (model_of(objective, config) for config in (CONFIG, CONFIG.replace(**{prob: 0.4})))
    with torch.no_grad():
        for value in plain.parameters():  # fresh weights hardly attend: nothing would move
            value.add_(0.2 * torch.randn_like(value))
    dropping.load_state_dict(plain.state_dict())
    assert loss(objective, dropping.eval()) == loss(objective, plain.eval())
    dropping.train()
    assert loss(objective, dropping) != loss(objective, dropping)


@pytest.mark.parametrize("run", [lambda layer, x: layer(x), fast_layer, partial(fast_layer, with_probs=True)])
def test_every_path_of_attention_drops_in_training_only(run):
    torch.manual_seed(0)
    layer, x = (
        EncoderLayer(CONFIG.replace(attention_probs_dropout_prob=0.4)),
        torch.randn(B, T, CONFIG.hidden_size),
    )
    assert not torch.equal(run(layer, x)[0], run(layer, x)[0])
    layer.eval()
    assert torch.equal(run(layer, x)[0], run(layer, x)[0])


def test_dropout_follows_the_embeddings_and_every_sublayer():
    objective, calls = OBJECTIVES["denoise"](), []
    model = model_of(objective, CONFIG)
    for name, module in model.named_modules():
        if isinstance(module, nn.Dropout):
            module.register_forward_hook(lambda *_, name=name: calls.append(name))
    loss(objective, model)
    expected = {"encoder.embeddings.dropout": 1, "decoder.dropout": 1}
    expected |= {
        f"{side}.layers.{i}.attention.dropout": 1 for side in ("encoder", "decoder") for i in range(2)
    }
    expected |= {f"decoder.layers.{i}.cross_attention.dropout": 1 for i in range(2)}
    expected |= {f"encoder.layers.{i}.dropout": 2 for i in range(2)} | {
        f"decoder.layers.{i}.dropout": 3 for i in range(2)
    }
    assert {name: calls.count(name) for name in calls} == expected


def test_the_probabilities_shown_are_those_before_dropout():
    torch.manual_seed(0)
    q = torch.randn(B, T, K)
    context, probs = attention(q, q, q, dropout=nn.Dropout(0.4))
    assert (probs.sum(-1) - 1).abs().max() < 1e-6 and (probs > 0).all()
    assert (context - probs @ q).abs().max() > 0.1  # and the context is that after it


def test_a_query_that_sees_nothing_gets_the_mean_of_the_values_and_finite_gradients():
    torch.manual_seed(0)
    q, k, v = (torch.randn(B, T, K, requires_grad=True) for _ in range(3))
    visible = torch.ones(B, T, T, dtype=torch.bool)
    visible[0, 3] = False
    context, _ = attention(q, k, v, visible)
    assert (context[0, 3] - v[0].mean(0)).abs().max() < 1e-6
    context.sum().backward()
    assert all(x.grad.isfinite().all() for x in (q, k, v))


def test_a_hidden_key_has_no_weight_however_well_it_fits():
    q, k = torch.full((1, K), 300.0), torch.tensor([[300.0], [0.0]]).expand(2, K)  # scores of 254,558 and 0
    _, probs = attention(q, k, k, torch.tensor([[False, True]]))
    assert probs.tolist() == [[0, 1]]  # 10,000 less would still be the larger one


CLASSES = [(NSP, 2), (SOP, 2), (SentenceStructure, 3), (SentenceDistance, 3), (SentenceReordering, 9)]


@pytest.mark.parametrize("kind, classes", CLASSES, ids=lambda x: getattr(x, "name", x))
def test_every_class_of_a_row_counts_also_the_first(kind, classes):
    objective, logits = (
        kind(SPECIALS, V, LENGTH),
        torch.randn(4, classes, generator=torch.Generator().manual_seed(0)),
    )
    name = next(iter(objective.heads(Encoder(CONFIG))))
    for label in range(classes):
        labels = torch.tensor([label, 0, 0, label])
        expected = -logits.log_softmax(-1)[torch.arange(4), labels].mean()
        (loss,) = objective.loss({name: logits}, {name: labels}).values()
        assert abs(loss - expected) < 1e-6


@pytest.mark.parametrize(
    "kind, name, classes",
    [(MLM, "tokens", V), (CLM, "tokens", V), (PLM, "tokens", V), (TokenRelation, "relation", 2)],
    ids=lambda x: getattr(x, "name", x),
)
def test_a_token_loss_is_the_mean_over_all_labels_but_ignore(kind, name, classes):
    logits = torch.randn(2, 5, classes, generator=torch.Generator().manual_seed(0))
    labels = torch.tensor([[IGNORE, 0, 1, IGNORE, IGNORE], [0, IGNORE, IGNORE, IGNORE, IGNORE]])
    expected = -(logits.log_softmax(-1)[[0, 0, 1], [1, 2, 0], [0, 1, 0]]).mean()
    (loss,) = kind(SPECIALS, V, LENGTH).loss({name: logits}, {name: labels}).values()
    assert abs(loss - expected) < 1e-6


def test_the_loss_of_a_sum_is_the_sum_of_its_parts_each_a_mean():
    parts = NSP(SPECIALS, V, LENGTH), WordStructure(SPECIALS, V, LENGTH)
    whole = Sum(*parts)
    batch = whole.collate(*whole.build(documents(), np.random.default_rng(1)))
    model = model_of(whole, CONFIG)
    inputs, labels = (
        {key: torch.from_numpy(value) for key, value in arrays.items()}
        for arrays in whole.corrupt(batch, np.random.default_rng(2))
    )
    outputs = model(**inputs)
    each = [loss for part in parts for loss in part.loss(outputs, labels).values()]
    assert list(whole.loss(outputs, labels).values()) == each
    assert abs(loss_of_batch(whole, model, batch, np.random.default_rng(2))[0] - sum(each)) < 1e-5


def test_the_discriminator_is_asked_about_every_real_token():
    rtd, heard = RTD(SPECIALS, V, LENGTH), []
    batch = rtd.collate([([9, 8, 7], None), ([6], None)])
    rtd.loss = lambda outputs, labels: heard.append((outputs, labels)) or RTD.loss(rtd, outputs, labels)
    _, terms = loss_of_batch(rtd, model_of(rtd, CONFIG), batch, np.random.default_rng(0))
    ((outputs, labels),) = heard
    signs = 2.0 * labels["replaced"] - 1
    assert len(signs) == batch.real.sum() == 5 + 3
    assert abs(terms["rtd"] + (signs * outputs["replaced"]).sigmoid().log().mean()) < 1e-6


@pytest.mark.parametrize("corrupt", [corrupt_80_10_10, corrupt_spans])
def test_shares_are_exact_and_random_tokens_are_all_ordinary_ones_alike(corrupt):
    ids, ordinary = np.full((900, 401), 7), np.arange(10, 90, 4)  # 20 of them
    chosen = np.arange(401)[None].repeat(900, 0) % 2 == 1  # 200 spans of one token each a row
    seen = corrupt(ids, chosen, 4, ordinary, np.random.default_rng(0))
    assert (seen[~chosen] == 7).all() and (ids == 7).all()
    seen = seen[chosen]
    for share, expected in [((seen == 4).mean(), 0.8), ((seen == 7).mean(), 0.1)] + [
        ((seen == token).mean(), 0.1 / len(ordinary)) for token in ordinary
    ]:
        assert abs(share - expected) < 6 * np.sqrt(expected * (1 - expected) / len(seen))


def test_spans_start_at_every_word_alike_and_each_length_has_its_share():
    rng, n, size = np.random.default_rng(0), 6000, 60
    spans = [np.flatnonzero(span_positions(np.arange(size), 1e-9, rng)) for _ in range(n)]  # one span each
    starts, lengths = (
        np.bincount([span[0] for span in spans], minlength=size),
        [len(span) for span in spans if span[0] <= 50],
    )
    assert np.abs(starts / n - 1 / size).max() < 6 * np.sqrt(1 / size / n)
    # geometric with p = 0.2; longer ones are drawn again, not cut to ten words
    expected = 0.2 * 0.8 ** np.arange(10)
    expected /= expected.sum()
    got = np.bincount(lengths, minlength=11)[1:] / len(lengths)
    assert len(got) == 10 and (np.abs(got - expected) < 6 * np.sqrt(expected / len(lengths))).all()
    assert abs((expected * np.arange(1, 11)).sum() - 3.8) < 0.01  # the mean that the paper names, section 3.1


@pytest.mark.parametrize("name", [name for name in OBJECTIVES if name not in ("clm", "token relation")])
def test_another_generator_hides_other_tokens_and_rows_are_drawn_apart(name):
    # what PLM hides, it hides by order
    objective, what = OBJECTIVES[name](), "query_visible" if name == "plm" else "input_ids"
    batch = objective.collate([(list(range(20, 44)), None)] * 6, [0] * 6)
    first, other, again = (
        objective.corrupt(batch, np.random.default_rng(seed))[0][what] for seed in (0, 1, 0)
    )
    assert not np.array_equal(first, other) and np.array_equal(first, again)
    assert len({row.tobytes() for row in first}) >= 5  # of six equal rows
