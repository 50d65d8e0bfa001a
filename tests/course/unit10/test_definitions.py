"""ALBERT's count, stacked layers, Transformer-XL's memory and SpanBERT's boundary: what their papers say."""

import numpy as np
import pytest
from tiny import CONFIG, B, D, T

from minibert.config import count_parameters, preset
from minibert.course.unit10.definitions import (
    boundary_head,
    factorised_parameters,
    memory_visible,
    receptive_field,
    span_boundary_inputs,
    stack_layers,
)
from minibert.data.batch import visible_causal
from minibert.data.masking import run_edges
from minibert.data.noising import infill


def sizes(config, embedding_size, **changes):
    return {**config.to_dict(), "embedding_size": embedding_size, **changes}


@pytest.mark.parametrize("name", ["base", "large", "class"])
def test_as_wide_embeddings_and_own_layers_are_bert(name):
    config = preset(name)
    parts = factorised_parameters(sizes(config, config.hidden_size), shared=False)
    assert sum(parts.values()) == sum(count_parameters(config).values()) and parts["projection"] == 0


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("E", [22, D])
def test_the_count_is_that_of_the_encoders(E, shared):
    pytest.importorskip("torch")
    from minibert.model.variants import ElectraConfig, ElectraEncoder, share_layers
    from minibert.model.variants.sharing import count

    encoder = ElectraEncoder(ElectraConfig(**CONFIG.to_dict(), embedding_size=E))
    if shared:
        share_layers(encoder)
    parts = factorised_parameters(sizes(CONFIG, E), shared)
    assert count(encoder) == sum(parts.values()) - parts["pooler"]


def test_a_size_below_one_is_an_error():
    with pytest.raises(ValueError, match="embedding_size=0 must be at least 1"):
        factorised_parameters(sizes(CONFIG, 0), True)


def model_of(layers):
    """Weights of a model with names that could be mistaken, and a state of Adam in which all differ."""
    rng = np.random.default_rng(layers)
    names = [
        "embeddings.words",
        "embeddings.norm.1",
        "head.layers.bias",
        *(f"layers.{i}.{part}" for i in range(layers) for part in ("attention.1.out", "norm")),
    ]
    weights, m, v = ({name: rng.normal(size=(2, 3)) for name in names} for _ in range(3))
    return weights, {"step": 7, "m": m, "v": v}


@pytest.mark.parametrize("L", [1, 2, 12])
def test_stacked_layers_are_copies_of_weights_and_moments(L):
    weights, state = model_of(L)
    deeper, memory = stack_layers(weights, state)
    assert len(deeper) == len(weights) + 2 * L and memory["step"] == 7 and memory.keys() == state.keys()
    for before, after in ((weights, deeper), (state["m"], memory["m"]), (state["v"], memory["v"])):
        assert after.keys() == deeper.keys()
        for name, array in before.items():
            assert np.array_equal(after[name], array)
        for i in range(L):
            for part in ("attention.1.out", "norm"):
                new = after[f"layers.{L + i}.{part}"]
                assert np.array_equal(new, before[f"layers.{i}.{part}"])
                assert not np.shares_memory(new, after[f"layers.{i}.{part}"])


def test_a_model_without_layers_cannot_be_stacked():
    with pytest.raises(ValueError, match=r"no name begins with 'layers.'.*\['words'\]"):
        stack_layers({"words": np.zeros(1)}, {"step": 0, "m": {}, "v": {}})


def read_by_segments(x, weights, segment, memory):
    """A Transformer-XL of means: each layer keeps its inputs of the last `memory` tokens for what follows."""
    outputs, kept = [], [np.zeros((0, x.shape[1])) for _ in weights]
    for start in range(0, len(x), segment):
        hidden = x[start : start + segment]
        for layer, w in enumerate(weights):
            context = np.concatenate([kept[layer], hidden])
            before = len(kept[layer])
            kept[layer] = context[len(context) - min(memory, len(context)) :]
            hidden = np.tanh(np.stack([context[: before + t + 1].mean(0) for t in range(len(hidden))]) @ w)
        outputs.append(hidden)
    return np.concatenate(outputs)


@pytest.mark.parametrize("segment, memory, layers", [(3, 0, 2), (3, 3, 1), (3, 3, 3), (4, 2, 2), (2, 5, 2)])
def test_the_receptive_field_is_what_moves_a_model_with_a_memory(segment, memory, layers):
    rng = np.random.default_rng(0)
    x, weights = rng.normal(size=(T, 4)), rng.normal(size=(layers, 4, 4))
    before = read_by_segments(x, weights, segment, memory)
    moved = np.zeros((T, T), bool)
    for s in range(T):
        other = x.copy()
        other[s] += 1
        moved[:, s] = (read_by_segments(other, weights, segment, memory) != before).any(-1)
    assert np.array_equal(moved, receptive_field(memory_visible(T, segment, memory), layers))


def test_one_segment_is_causal_and_no_layer_sees_only_itself():
    assert np.array_equal(memory_visible(T, T), visible_causal(np.ones((1, T), bool))[0])
    assert np.array_equal(receptive_field(memory_visible(T, 2, 2), 0), np.eye(T))


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: memory_visible(0, 1), "length=0 must be at least 1"),
        (lambda: memory_visible(1, 0), "segment=0 must be at least 1"),
        (lambda: memory_visible(1, 1, -1), "memory=-1 must be at least 0"),
        (lambda: receptive_field(np.ones((1, 1), bool), -1), "layers=-1 must be at least 0"),
    ],
)
def test_sizes_that_make_no_sense_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_the_boundary_head_reads_the_same_inputs():
    rng = np.random.default_rng(0)
    hidden, places = rng.normal(size=(B, T, D)), rng.normal(size=(T, D))
    chosen = np.zeros((B, T), bool)
    chosen[0, 1:4] = chosen[0, 7] = chosen[2, 5:10] = True
    p = {
        "place.weight": places,
        "first.weight": rng.normal(size=(D, 3 * D)),
        "second.weight": rng.normal(size=(D, D)),
        "decoder.weight": rng.normal(size=(7, D)),
        "decoder.bias": rng.normal(size=7),
        **{f"{name}.bias": rng.normal(size=D) for name in ("first", "second", "first_norm", "second_norm")},
        **{f"{name}.weight": rng.normal(size=D) for name in ("first_norm", "second_norm")},
    }
    inputs = span_boundary_inputs(hidden, chosen, places)
    for x, logits in zip(inputs, boundary_head(hidden, *run_edges(chosen), p, counted=chosen), strict=True):
        left, right, place = np.split(x, 3)
        alone = boundary_head(
            np.stack([left, right])[None],
            np.array([[0, 0]]),
            np.array([[1, 1]]),
            p | {"place.weight": np.stack([place, place])},
        )
        assert np.allclose(alone[0, 0], logits)
    x = span_boundary_inputs(hidden, chosen, places)
    assert np.array_equal(x[1], np.concatenate([hidden[0, 0], hidden[0, 4], places[2]]))
    assert np.array_equal(x[3], np.concatenate([hidden[0, 6], hidden[0, 8], places[1]]))
    assert np.array_equal(x[8], np.concatenate([hidden[2, 4], hidden[2, 10], places[5]]))


def test_a_span_at_the_edge_has_no_boundary():
    with pytest.raises(ValueError, match="a chosen span touches the edge of sequence 0"):
        span_boundary_inputs(np.zeros((1, 2, 3)), np.array([[False, True]]), np.zeros((2, 3)))


@pytest.mark.parametrize(
    "spans, expected",
    [
        ([], [5, 6, 7, 8]),
        ([(0, 2)], [4, 7, 8]),
        ([(3, 1)], [5, 6, 7, 4]),
        ([(4, 0)], [5, 6, 7, 8, 4]),
        ([(0, 0), (1, 1), (2, 2)], [4, 5, 4, 4]),
        ([(0, 4)], [4]),
    ],
)
def test_each_span_becomes_one_mask(spans, expected):
    assert infill([5, 6, 7, 8], spans, 4).tolist() == expected


@pytest.mark.parametrize("spans", [[(0, 2), (1, 1)], [(2, 1), (0, 1)], [(3, 2)], [(5, 0)], [(1, -1)]])
def test_spans_that_do_not_fit_are_errors(spans):
    with pytest.raises(ValueError, match="must be between"):
        infill([5, 6, 7, 8], spans, 4)
