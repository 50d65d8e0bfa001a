"""Norms before the sublayers: equal to the definition and to `transformers`, a free way for the residuals."""

import math

import numpy as np
import pytest
import torch
import transformers
from tiny import CONFIG, SPECIALS, H, T, documents, fit, ragged

from minibert import reference
from minibert.data.batch import visible_all, visible_causal
from minibert.model import Encoder, Model, PreNormEncoder
from minibert.model.checkpoints.names import LAYER, rename
from minibert.model.checkpoints.published import save_model
from minibert.model.two_stream import TwoStream
from minibert.objectives import MLM
from minibert.training.config import TrainConfig

IDS, REAL, TYPES = ragged()
V = CONFIG.vocab_size


def trunk(kind=PreNormEncoder, config=CONFIG):
    """In float64, with every parameter of a size that matters."""
    torch.manual_seed(0)
    module = kind(config).double().eval()
    with torch.no_grad():
        for value in module.parameters():
            value.add_(0.2 * torch.randn_like(value))
    return module


def inputs(visibility=visible_all):
    return [torch.from_numpy(array) for array in (IDS, visibility(REAL), TYPES)]


@pytest.mark.parametrize("visibility", [visible_all, visible_causal])
def test_it_equals_the_reference_in_float64(visibility):
    module, gate = trunk(), np.random.default_rng(1).random((CONFIG.num_hidden_layers, H))
    p = {name: value.numpy() for name, value in module.state_dict().items()}
    expected = reference.pre_norm_encoder(IDS, visibility(REAL), TYPES, p, CONFIG, gate)
    got = module(*inputs(visibility), torch.from_numpy(gate))
    for name in ("hidden", "layers", "probs"):
        value = got[name] if name == "hidden" else torch.stack(got[name], 1)
        assert np.abs(value.detach().numpy() - expected[name]).max() < 1e-12, name
    after = trunk(Encoder)
    after.load_state_dict(module.state_dict(), strict=False)
    assert (after(*inputs(visibility))["hidden"] - got["hidden"]).abs().max() > 0.1


def test_it_equals_that_of_transformers():
    config = transformers.RobertaPreLayerNormConfig(
        **CONFIG.replace(max_position_embeddings=T).to_dict(), pad_token_id=0
    )
    torch.manual_seed(0)
    theirs = transformers.RobertaPreLayerNormModel(config, add_pooling_layer=False).double().eval()
    with torch.no_grad():
        for value in theirs.parameters():
            value.add_(0.2 * torch.randn_like(value))
    rows = (
        ("embeddings.word_embeddings", "embeddings.word"),
        ("embeddings.position_embeddings", "embeddings.position"),
        ("embeddings.token_type_embeddings", "embeddings.token_type"),
        ("embeddings.LayerNorm", "embeddings.norm"),
        (".attention.LayerNorm", ".attention_norm"),
        (".intermediate.LayerNorm", ".feed_forward_norm"),
        *LAYER,
        ("encoder.layer", "layers"),
        ("LayerNorm", "norm"),
    )
    ours = PreNormEncoder(CONFIG.replace(max_position_embeddings=T)).double().eval()
    ours.load_state_dict({rename(name, rows): value for name, value in theirs.state_dict().items()})
    ids, visible, types = inputs()
    real, place = torch.from_numpy(REAL), torch.arange(T).expand(ids.shape)
    expected = theirs(
        input_ids=ids,
        attention_mask=real.long(),
        token_type_ids=types,
        position_ids=place,
        output_hidden_states=True,
    )
    got = ours(ids, visible, types)
    assert (got["hidden"] - expected.last_hidden_state)[real].abs().max() < 1e-10
    for mine, other in zip(got["layers"][:-1], expected.hidden_states[:-1]):
        assert (mine - other)[real].abs().max() < 1e-10


def test_sublayers_that_give_nothing_leave_the_embeddings_as_they_are():
    module = trunk()
    with torch.no_grad():
        for layer in module.layers:
            for last in (layer.attention.out, layer.feed_forward.down):
                last.weight.zero_(), last.bias.zero_()
    out = module(*inputs())
    assert torch.equal(out["layers"][1], out["layers"][0]) and torch.equal(out["layers"][-1], out["hidden"])
    assert torch.equal(out["hidden"], module.norm(out["layers"][0]))


def last_gradient(kind, depth, seed):
    """Norm of the gradient of the last matrix, in a fresh model whose sublayers give as much as they take."""
    torch.manual_seed(seed)
    module = kind(
        CONFIG.replace(num_hidden_layers=depth, initializer_range=CONFIG.hidden_size**-0.5)
    ).double()
    hidden = module(*inputs())["hidden"]
    (hidden * torch.randn_like(hidden)).sum().backward()
    return module.layers[-1].feed_forward.down.weight.grad.norm().item()


def test_the_last_layers_gradient_shrinks_with_depth_only_where_norms_come_first():
    """Xiong et al., theorem 1: as 1 / sqrt(L), here to about a quarter; with post-norm L plays no part."""
    share = {
        kind: np.mean([last_gradient(kind, 32, seed) / last_gradient(kind, 2, seed) for seed in range(4)])
        for kind in (Encoder, PreNormEncoder)
    }
    assert share[PreNormEncoder] < 0.5 and 0.8 < share[Encoder] < 1.6


def test_a_gradient_reaches_every_parameter():
    module = trunk()
    module(*inputs())["hidden"].pow(3).sum().backward()
    keys = [
        name for name, p in module.named_parameters() if name.endswith("key.bias")
    ]  # softmax does not move with them
    assert keys
    assert all(p.grad.abs().max() > 1e-6 for name, p in module.named_parameters() if name not in keys)


def test_dropout_acts_on_both_sublayers_in_training_only():
    module = PreNormEncoder(CONFIG.replace(num_hidden_layers=1, hidden_dropout_prob=0.5))
    module.embeddings.dropout.p = 0.0
    layer = module.layers[0]
    for silent in (layer.attention.out, layer.feed_forward.down):
        kept = silent.weight.detach().clone()
        torch.nn.init.zeros_(silent.weight)
        assert not torch.equal(module.train()(*inputs())["hidden"], module(*inputs())["hidden"])
        assert torch.equal(module.eval()(*inputs())["hidden"], module(*inputs())["hidden"])
        silent.weight.data.copy_(kept)


def test_an_objective_starts_at_guessing_and_learns_a_batch_by_heart():
    objective = MLM(SPECIALS, V, 32)
    rows, labels = objective.build(documents(count=3), np.random.default_rng(1))
    torch.manual_seed(0)
    encoder = PreNormEncoder(CONFIG)
    corrupt = objective.corrupt
    objective.corrupt = lambda batch, rng: corrupt(batch, np.random.default_rng(0))
    config = TrainConfig(steps=100, batch_size=len(rows), peak_rate=5e-3, warmup=0.1)
    log = fit(Model(encoder, objective.heads(encoder)), objective, config, (rows, labels))
    assert abs(log[0]["loss"] - math.log(V)) < 0.15 * math.log(V) and log[-1]["loss"] < 0.35 * log[0]["loss"]


def test_it_is_neither_saved_as_a_bert_nor_read_by_two_streams(tmp_path):
    with pytest.raises(ValueError, match="no published format for an encoder of class PreNormEncoder"):
        save_model(Model(trunk(), {}), tmp_path)
    with pytest.raises(ValueError, match="PreNormEncoder has its norms before the sublayers, but the query"):
        TwoStream(trunk(), {})
