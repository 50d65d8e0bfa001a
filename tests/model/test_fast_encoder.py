"""The fast encoder says what the readable one says: values and gradients, both dtypes, every option."""

import copy
import sys

import numpy as np
import pytest
import torch
from tiny import CONFIG, B, D, H, K, T, ragged

from minibert.data.batch import visible_all, visible_causal
from minibert.model import (
    BiLSTM,
    ClassifierHead,
    Encoder,
    FastEncoder,
    Model,
    TokenClassifierHead,
    TokenHead,
    attention,
    attention_fast,
)
from minibert.model.fast import attention_products, fast_layer
from minibert.model.fast_dropout import FastDropout
from minibert.model.heads import tokens_read
from minibert.model.variants import (
    AlbertEncoder,
    ElectraConfig,
    ElectraEncoder,
    FactorisedConfig,
    FastAlbertEncoder,
    FastElectraEncoder,
    FastRobertaEncoder,
    RobertaEncoder,
)

IDS, REAL, TYPES = ragged()
VISIBLE = {
    "everything": None,
    "padding": visible_all(REAL),
    "the past": visible_causal(REAL),
    "a window": visible_all(REAL)  # and the first token, so that every query sees something
    & ((np.abs(np.subtract.outer(np.arange(T), np.arange(T))) <= 2) | (np.arange(T) == 0)),
}
COUNTED = torch.from_numpy(REAL & (np.arange(T) % 3 == 1))
KINDS = {
    "BERT": (Encoder, FastEncoder, CONFIG),
    "ALBERT": (AlbertEncoder, FastAlbertEncoder, FactorisedConfig(**CONFIG.to_dict(), embedding_size=22)),
    "ELECTRA": (ElectraEncoder, FastElectraEncoder, ElectraConfig(**CONFIG.to_dict(), embedding_size=22)),
    "RoBERTa": (RobertaEncoder, FastRobertaEncoder, CONFIG),
}


def tensor_of(array):
    return None if array is None else torch.from_numpy(array)


@pytest.fixture(params=VISIBLE)
def visible(request):
    return tensor_of(VISIBLE[request.param])


def two_of(kind="BERT"):
    """A readable and a fast encoder with the same weights, in float64, of a size that matters."""
    readable, fast, config = KINDS[kind]
    torch.manual_seed(0)
    pair = [readable(config).double(), fast(config).double()]
    with torch.no_grad():
        for value in pair[0].parameters():
            value.copy_(torch.randn_like(value) / 4)
    pair[1].load_state_dict(pair[0].state_dict())
    return pair


def shaken_sum(tensor):
    """A scalar in which every number counts differently."""
    return (tensor * torch.arange(tensor.numel()).view_as(tensor).cos()).sum()


def outputs_and_gradients(encoder, *arguments, **options):
    """All that an encoder returns, and the gradients of its parameters from all its hidden states."""
    encoder.zero_grad()
    out = encoder(tensor_of(IDS), *arguments, tensor_of(TYPES), **options)
    (shaken_sum(out["hidden"]) + sum(map(shaken_sum, out["layers"]))).backward()
    return out, {name: value.grad for name, value in encoder.named_parameters() if value.grad is not None}


# Attention alone


@pytest.mark.parametrize("function", [attention_fast, attention_products])
def test_both_kernels_equal_attention_in_value_and_gradient(function, visible):
    torch.manual_seed(0)
    q, k, v, d_out = (torch.randn(B, H, T, K, dtype=torch.float64, requires_grad=True) for _ in range(4))
    mask = None if visible is None else visible[:, None]
    results = [
        [context, *torch.autograd.grad((context * d_out).sum(), (q, k, v))]
        for context in (attention(q, k, v, mask)[0], function(q, k, v, mask))
    ]
    for readable, fast in zip(*results):
        assert readable.abs().max() > 0 and (readable - fast).abs().max() < 1e-12


@pytest.mark.parametrize("function", [attention_fast, attention_products])
def test_dropped_probabilities_keep_the_mean_of_the_context(function):
    torch.manual_seed(0)
    q, k, v = (torch.randn(B, H, T, K, dtype=torch.float64) for _ in range(3))
    exact, draws = attention(q, k, v)[0], torch.stack([function(q, k, v, None, 0.3) for _ in range(600)])
    assert (draws[0] - exact).abs().max() > 0.1
    assert ((draws.mean(0) - exact).abs() < 6 * draws.std(0) / 600**0.5).all()


# The whole encoder


@pytest.mark.parametrize("with_probs", [False, True])
@pytest.mark.parametrize("gated", [False, True])
@pytest.mark.parametrize("placed", [False, True])
def test_values_and_gradients_are_the_same_in_float64(visible, gated, placed, with_probs):
    readable, fast = two_of()
    options = (
        {"position_ids": torch.from_numpy(np.random.default_rng(0).integers(0, 40, (B, T)))} if placed else {}
    )
    results = []
    for encoder, more in ((readable, {}), (fast, {"with_probs": with_probs})):
        torch.manual_seed(1)
        gate = (
            torch.rand(CONFIG.num_hidden_layers, H, dtype=torch.float64, requires_grad=True)
            if gated
            else None
        )
        out = encoder(tensor_of(IDS), visible, tensor_of(TYPES), gate=gate, **options, **more)
        shown = out["probs"] if with_probs else None
        encoder.zero_grad()
        (
            shaken_sum(out["hidden"])
            + sum(map(shaken_sum, out["layers"]))
            + (sum(map(shaken_sum, shown)) if shown else 0)
        ).backward()
        gradients = [value.grad for value in encoder.parameters() if value.grad is not None]
        results.append(
            [out["hidden"], *out["layers"], *(shown or ()), *gradients, *([gate.grad] if gated else ())]
        )
    assert len(results[0]) == len(results[1])
    assert with_probs or fast(tensor_of(IDS), visible, tensor_of(TYPES))["probs"] is None
    for a, b in zip(*results):
        assert a.shape == b.shape and a.abs().max() > 0
        assert torch.allclose(a, b, rtol=1e-9, atol=1e-9), (a - b).abs().max()


@pytest.mark.parametrize("kind", KINDS)
def test_every_architecture_has_its_fast_form_with_the_same_names(kind, visible):
    readable, fast = two_of(kind)
    assert [*readable.state_dict()] == [*fast.state_dict()]
    (expected, gradients), (got, fast_gradients) = (
        outputs_and_gradients(encoder, visible, **more)
        for encoder, more in ((readable, {}), (fast, {"with_probs": True}))
    )
    assert torch.allclose(expected["hidden"], got["hidden"], atol=1e-9)
    assert gradients.keys() == fast_gradients.keys()
    assert all(
        torch.allclose(gradients[name], fast_gradients[name], rtol=1e-9, atol=1e-9) for name in gradients
    )


def test_it_agrees_in_bfloat16(visible):
    results = {}
    for encoder in two_of():
        for dtype in (torch.bfloat16, torch.float64):
            encoder = encoder.to(torch.bfloat16).to(dtype)  # the same rounded weights for both
            out, gradients = outputs_and_gradients(encoder, visible)
            results[type(encoder), dtype] = [
                out["hidden"].detach().double(),
                *(
                    gradients[name].double()
                    for name in ("layers.0.attention.query.weight", "embeddings.word.weight")
                ),
            ]
    exact = results[Encoder, torch.float64]
    for kind in (Encoder, FastEncoder):  # 0.015 was seen, for both alike
        assert all(
            (half - value).norm() < 0.03 * value.norm()
            for half, value in zip(results[kind, torch.bfloat16], exact)
        )
    for a, b in zip(results[FastEncoder, torch.float64], exact):
        assert torch.allclose(a, b, rtol=1e-9, atol=1e-9)


def test_fresh_weights_depend_on_the_seed_as_those_of_the_readable_one():
    both = []
    for kind in (Encoder, FastEncoder):
        torch.manual_seed(5)
        both.append(kind(CONFIG).state_dict())
    assert all(torch.equal(both[0][name], both[1][name]) for name in both[0])


@pytest.mark.parametrize(
    "real, masked", [(np.ones((B, T), bool), False), (REAL, True)], ids=["full rows", "padding"]
)
def test_the_kernel_gets_a_mask_only_where_it_hides_something(monkeypatch, real, masked):
    got = []
    monkeypatch.setattr(
        sys.modules["minibert.model.fast"],
        "attention_fast",
        lambda q, k, v, visible, dropout: got.append(visible) or attention_fast(q, k, v, visible, dropout),
    )
    two_of()[1](tensor_of(IDS), tensor_of(visible_all(real)), tensor_of(TYPES))
    assert [mask is not None for mask in got] == [masked] * CONFIG.num_hidden_layers


def test_of_shares_the_parameters_of_a_plain_encoder_and_leaves_others_alone():
    encoder, state = Encoder(CONFIG.replace(hidden_dropout_prob=0.5)).eval(), torch.get_rng_state()
    fast = FastEncoder.of(encoder)
    assert torch.equal(state, torch.get_rng_state()) and type(fast) is FastEncoder and not fast.training
    assert all(a is b for a, b in zip(encoder.parameters(), fast.parameters(), strict=True))
    for other in (fast, BiLSTM(CONFIG)):
        assert FastEncoder.of(other) is other
    assert isinstance(fast.embeddings.dropout, FastDropout) and not fast.embeddings.dropout.training


def test_it_is_copied_with_its_own_weights():
    fast = two_of()[1]
    twin = copy.deepcopy(fast)
    assert twin.layer_pass is fast_layer and twin.layers[0] is not fast.layers[0]


# Only the tokens that a head reads


def tokens(encoder):
    return TokenHead(CONFIG, encoder.embeddings.word)


def pair(encoder):
    return ClassifierHead(CONFIG, 2)


def tags(encoder):
    return TokenClassifierHead(CONFIG, 3)


@pytest.mark.parametrize("heads", ({"tokens": tokens, "pair": pair}, {"pair": pair}, {"tokens": tokens}))
def test_logits_and_gradients_are_those_of_all_tokens(heads, visible):
    results, computed = [], []
    for encoder in two_of():
        torch.manual_seed(2)
        model = Model(encoder, {name: make(encoder) for name, make in heads.items()}).double().eval()
        encoder.layers[-1].feed_forward.register_forward_hook(
            lambda module, given, out: computed.append(out[..., 0].numel())
        )
        visible_now = torch.ones(B, T, T, dtype=torch.bool) if visible is None else visible
        out = model(
            tensor_of(IDS),
            visible_now,
            tensor_of(TYPES),
            **({"counted": COUNTED} if "tokens" in heads else {}),
        )
        sum(map(shaken_sum, out.values())).backward()
        results.append({**out, **{name: value.grad for name, value in model.named_parameters()}})
    read = COUNTED.sum() * ("tokens" in heads) + B * ("pair" in heads)
    assert computed == [B * T, read]
    for name, value in results[0].items():
        other = results[1][name]
        assert (value is None) == (other is None) and (
            value is None or torch.allclose(other, value, atol=1e-9)
        ), name


def test_what_is_not_wanted_is_zero_and_the_other_layers_are_whole():
    encoder, wanted = two_of()[1], torch.zeros(B, T, dtype=torch.bool)
    wanted[1, 2] = True
    inputs = tensor_of(IDS), tensor_of(VISIBLE["padding"]), tensor_of(TYPES)
    whole, some = encoder(*inputs), encoder(*inputs, wanted=wanted)
    assert some["hidden"].shape == (B, T, D) and some["hidden"] is some["layers"][-1]
    assert torch.allclose(some["hidden"][1, 2], whole["hidden"][1, 2]) and not some["hidden"][~wanted].any()
    assert all(map(torch.equal, some["layers"][:-1], whole["layers"][:-1]))
    assert len(some["layers"]) == len(whole["layers"])


def test_a_head_that_reads_all_tokens_gets_them():
    encoder, ids = Encoder(CONFIG), tensor_of(IDS)
    assert tokens_read([tags(encoder), pair(encoder)], ids, COUNTED) is None
    assert tokens_read([tokens(encoder)], ids, None) is None
    first = tokens_read([pair(encoder)], ids, None)
    assert first[:, 0].all() and first.sum() == B
    both = tokens_read([pair(encoder), tokens(encoder)], ids, COUNTED)
    assert torch.equal(both, first | COUNTED) and not COUNTED[:, 0].any()
