"""Adapters, merging, learning rates of layers, significance: the definitions, against their twins."""

import numpy as np
import pytest

from minibert.analysis.significance import is_significant
from minibert.course.unit13.definitions import adapter, adapter_weights, layer_rates, lora_merge

D, M = 6, 4


def test_an_adapter_is_the_models():
    torch = pytest.importorskip("torch")
    from minibert.course.unit13.methods.adapters import Bottleneck

    weights = {name: 30 * x + 0.1 for name, x in adapter_weights(D, M, np.random.default_rng(0)).items()}
    hidden = np.random.default_rng(1).normal(size=(2, 3, D))
    theirs = Bottleneck(D, M).double()
    theirs.load_state_dict({name: torch.tensor(x) for name, x in weights.items()})
    assert np.allclose(theirs(torch.tensor(hidden)).detach().numpy(), adapter(hidden, weights), atol=1e-12)


def test_an_adapter_starts_near_the_identity_and_not_at_it():
    hidden = np.random.default_rng(1).normal(size=(5, 64))
    moved = adapter(hidden, adapter_weights(64, 16, np.random.default_rng(0))) - hidden
    assert 0 < abs(moved).max() < 0.01


def test_merging_is_what_low_rank_adapters_compute():
    torch = pytest.importorskip("torch")
    from minibert.model.low_rank import LowRank

    pair = LowRank(5, 7, 2).double()
    torch.nn.init.normal_(pair.b)
    weight = np.random.default_rng(0).normal(size=(5, 7))
    merged = lora_merge(
        {"w": weight, "other": np.ones(3)},
        {"w": {name: p.detach().numpy() for name, p in pair.named_parameters()}},
        alpha=2.0,
    )
    assert np.allclose(merged["w"], pair(torch.tensor(weight)).detach().numpy(), atol=1e-12)
    assert merged["other"].tolist() == [1, 1, 1]


def test_alpha_is_divided_by_each_adapters_own_rank_and_the_input_stays():
    weights = {"one": np.zeros((2, 2)), "four": np.zeros((2, 2))}
    adapters = {
        name: {"a": np.ones((rank, 2)), "b": np.ones((2, rank))} for name, rank in (("one", 1), ("four", 4))
    }
    merged = lora_merge(weights, adapters, alpha=8.0)
    assert (merged["one"] == 8).all() and (merged["four"] == 8).all() and not weights["one"].any()


@pytest.mark.parametrize(
    "name, said", [("v", "missing"), ("w", r"\(3, 2\), but the weights have shape \(2, 2\)")]
)
def test_an_adapter_that_fits_nowhere_is_refused(name, said):
    with pytest.raises(ValueError, match=said):
        lora_merge({"w": np.eye(2)}, {name: {"a": np.ones((1, 2)), "b": np.ones((3, 1))}}, 1.0)


def test_layer_rates_are_those_of_the_parameter_groups():
    pytest.importorskip("torch")
    from tiny import CONFIG

    from minibert.finetuning.layers import parameter_groups
    from minibert.model import ClassifierHead, Encoder, Model

    model = Model(Encoder(CONFIG), {"label": ClassifierHead(CONFIG, 2)})
    rates = {
        id(p): group["lr"]
        for group in parameter_groups(model, 1e-3, layer_decay=0.9)
        for p in group["params"]
    }
    parts = [model.encoder.embeddings, *model.encoder.layers, model.heads]
    assert [rates[id(next(part.parameters()))] for part in parts] == pytest.approx(layer_rates(2, 1e-3, 0.9))


@pytest.mark.parametrize("decay", [0.0, 1.1])
def test_a_decay_that_is_none_is_refused(decay):
    with pytest.raises(ValueError, match="decay="):
        layer_rates(2, 1.0, decay)


def test_significance_is_scipys_exact_test_and_stricter_for_several_comparisons():
    from scipy.stats import binomtest

    rng = np.random.default_rng(0)
    for _ in range(50):
        a, b = rng.random((2, 30)) < rng.random((2, 1))
        wins, losses = int((a & ~b).sum()), int((~a & b).sum())
        expected = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
        p, significant = is_significant(a, b, 0.05)
        assert p == pytest.approx(expected) and significant == (p <= 0.05)
    assert is_significant([True] * 8, [False] * 8, 0.05, 6) == (2 / 2**8, True)
    assert is_significant([True] * 8, [False] * 8, 0.05, 7) == (2 / 2**8, False)


def test_answers_to_different_examples_are_refused():
    with pytest.raises(ValueError, match="both must be"):
        is_significant([True], [True, False], 0.05)
