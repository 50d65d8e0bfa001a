"""Low-rank adapters: nothing changes at first, the original never changes, and merging changes no value."""

import pytest
import torch
from tiny import CONFIG, ragged

from minibert.data.batch import visible_all
from minibert.model import Encoder, FastEncoder
from minibert.model.low_rank import LowRank, load_trained, merged, trained, with_low_rank


@pytest.fixture
def original():
    torch.manual_seed(0)
    return FastEncoder(CONFIG).eval()


def hidden(encoder):
    ids, real, types = ragged()
    arrays = map(torch.from_numpy, (ids, visible_all(real), types))
    return encoder(*arrays)["hidden"][torch.from_numpy(real)]


def learned(encoder, seed=1):
    """An encoder whose adapters, biases and LayerNorms have moved."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for p in trained(encoder).values():
            p += 0.1 * torch.randn(p.shape, generator=generator)
    return encoder


@pytest.mark.parametrize("kind", [Encoder, FastEncoder])
def test_an_adapter_changes_nothing_until_it_is_trained(kind):
    original = kind(CONFIG).eval()
    before = hidden(original)
    assert torch.equal(hidden(with_low_rank(original, 3)), before)


def test_one_step_of_training_moves_all_of_an_adapter_and_nothing_of_the_original(original):
    before = {name: p.clone() for name, p in original.state_dict().items()}
    adapted = learned(with_low_rank(original, 3))  # at first, `a` has no gradient
    start = {name: p.clone() for name, p in trained(adapted).items()}
    optimizer = torch.optim.AdamW([p for p in adapted.parameters() if p.requires_grad], lr=0.1)
    hidden(adapted).square().sum().backward()
    optimizer.step()
    unmoved = [name for name, p in trained(adapted).items() if torch.equal(p, start[name])]
    assert unmoved == []
    assert all(torch.equal(p, before[name]) for name, p in original.state_dict().items())


def test_adapters_share_the_original_and_no_adapter_another(original):
    first, second = with_low_rank(original, 3), with_low_rank(original, 3)
    places = {p.data_ptr() for p in original.parameters()}
    assert first.embeddings.word.weight.data_ptr() in places
    assert all(p.requires_grad for p in original.parameters())
    own = sum(p.numel() for p in first.parameters() if p.data_ptr() not in places)
    assert own == sum(p.numel() for p in trained(first).values())
    before = hidden(second)
    learned(first)
    assert torch.equal(hidden(second), before) and not torch.allclose(hidden(first), before)


def test_it_is_the_sum_of_the_weight_and_the_product(original):
    adapted = learned(with_low_rank(original, 3))
    linear = adapted.layers[0].attention.query
    product = next(module for module in linear.modules() if isinstance(module, LowRank))
    weight = original.layers[0].attention.query.weight + product.b @ product.a
    assert torch.linalg.matrix_rank(linear.weight - original.layers[0].attention.query.weight) == 3
    assert torch.equal(linear.weight, weight)


def test_an_adapter_that_is_read_again_gives_the_same_values(original):
    written = learned(with_low_rank(original, 3))
    read = with_low_rank(original, 3)
    load_trained(read, {name: p.clone() for name, p in trained(written).items()})
    assert torch.equal(hidden(read), hidden(written))


def test_a_merged_encoder_is_an_ordinary_one_with_the_same_values(original):
    adapted = learned(with_low_rank(original, 3))
    plain = merged(adapted)
    assert plain.state_dict().keys() == original.state_dict().keys()
    assert torch.equal(hidden(plain), hidden(adapted))


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda tensors: tensors.popitem(), "missing from the adapter"),
        (lambda tensors: tensors.update(other=torch.zeros(1)), "other: not in this encoder"),
        (
            lambda tensors: tensors.update({"layers.0.attention.query.a": torch.zeros(2, 32)}),
            r"layers.0.attention.query.a: shape \(2, 32\) in the adapter, but \(3, 32\) in this encoder",
        ),
    ],
)
def test_an_adapter_that_does_not_fit_is_refused_whole(change, said, original):
    adapted = with_low_rank(original, 3)
    before, tensors = hidden(adapted), {name: p + 1 for name, p in trained(adapted).items()}
    change(tensors)
    with pytest.raises(ValueError, match=said):
        load_trained(adapted, tensors)
    assert torch.equal(hidden(adapted), before)


@pytest.mark.parametrize("rank", [0, -1])
def test_a_rank_below_1_is_refused(rank, original):
    with pytest.raises(ValueError, match=f"rank={rank} must be at least 1"):
        with_low_rank(original, rank)


def test_adapters_upon_adapters_are_refused(original):
    with pytest.raises(ValueError, match="merge them first"):
        with_low_rank(with_low_rank(original, 3), 3)
