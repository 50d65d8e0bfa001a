"""The end of the last layer is computed for the tokens that a head reads, and nothing else changes."""
import pytest
import torch
from tiny import CONFIG, B, D, T, ragged

from minibert.batch import visible_all
from minibert.model import ClassifierHead, Encoder, Model, TokenClassifierHead, TokenHead
from minibert.model.encoder import PreNormEncoder
from minibert.model.heads import tokens_read

IDS, REAL = map(torch.from_numpy, ragged()[:2])
INPUTS = IDS, torch.from_numpy(visible_all(ragged()[1])), torch.zeros_like(IDS)
COUNTED = REAL & (torch.arange(T) % 3 == 1)


def model_of(kind, **heads):
    """A model in float64 without dropout, with weights that are not too small."""
    torch.manual_seed(0)
    trunk = kind(CONFIG)
    model = Model(trunk, {name: make(trunk) for name, make in heads.items()}).double().eval()
    with torch.no_grad():
        for value in model.parameters():
            value.copy_(torch.randn_like(value) / 4)
    return model


def tokens(trunk):
    return TokenHead(CONFIG, trunk.embeddings.word)


def pair(trunk):
    return ClassifierHead(CONFIG, 2)


def tags(trunk):
    return TokenClassifierHead(CONFIG, 3)


def logits_and_gradients(model, **more):
    """What the model says, and the gradient of all its parameters."""
    model.zero_grad()
    out = model(*INPUTS, **more)
    sum((logits * torch.arange(logits.numel()).view_as(logits).cos()).sum()
        for logits in out.values()).backward()
    return {**out, **{name: value.grad for name, value in model.named_parameters()}}


@pytest.mark.parametrize("kind", (Encoder, PreNormEncoder))
@pytest.mark.parametrize("heads", ({"tokens": tokens, "pair": pair}, {"pair": pair}, {"tokens": tokens}))
def test_logits_and_gradients_are_those_of_all_tokens(kind, heads, monkeypatch):
    model, counted = model_of(kind, **heads), {"counted": COUNTED} if "tokens" in heads else {}
    rows = []
    model.encoder.layers[-1].feed_forward.register_forward_hook(lambda module, given, out:
                                                                rows.append(out[..., 0].numel()))
    some = logits_and_gradients(model, **counted)
    monkeypatch.setattr("minibert.model.heads.tokens_read", lambda *_: None)
    everything = logits_and_gradients(model, **counted)
    read = COUNTED.sum() * ("tokens" in heads) + B * ("pair" in heads)
    assert rows == [read, B * T]
    for name, value in everything.items():
        assert (value is None) == (some[name] is None) and (value is None or torch.allclose(some[name], value,
                                                                                            atol=1e-12)), name


def test_what_is_not_wanted_is_zero_and_the_other_layers_are_whole():
    trunk, wanted = model_of(Encoder, pair=pair).encoder, torch.zeros(B, T, dtype=torch.bool)
    wanted[1, 2] = True
    whole, some = trunk(*INPUTS), trunk(*INPUTS, wanted=wanted)
    assert some["hidden"].shape == (B, T, D) and some["hidden"] is some["layers"][-1]
    assert torch.allclose(some["hidden"][1, 2], whole["hidden"][1, 2]) and not some["hidden"][~wanted].any()
    assert all(map(torch.equal, some["layers"][:-1],
                   whole["layers"][:-1])) and len(some["layers"]) == len(whole["layers"])


def test_a_head_that_reads_all_tokens_gets_them():
    trunk = Encoder(CONFIG)
    assert tokens_read([tags(trunk), pair(trunk)], IDS, COUNTED) is None
    assert tokens_read([tokens(trunk)], IDS, None) is None
    first = tokens_read([pair(trunk)], IDS, None)
    assert first[:, 0].all() and first.sum() == B
    both = tokens_read([pair(trunk), tokens(trunk)], IDS, COUNTED)
    assert torch.equal(both, first | COUNTED) and not COUNTED[:, 0].any()
