"""Replaced token detection: two models, and no gradient between them but through the shared embeddings."""

import numpy as np
import pytest
import torch
from small import LENGTH, V, batch_of, model_of, tensors
from tiny import CONFIG, SPECIALS

from minibert.config import preset
from minibert.data.batch import IGNORE
from minibert.model.electra import Generator, generator_config
from minibert.model.variants import AlbertEncoder, ElectraConfig, ElectraEncoder
from minibert.objectives import RTD
from minibert.objectives.rtd import replaced_token_labels, sample, sample_by_row
from minibert.training.micro_batch import loss_of_batch


@pytest.fixture
def rtd():
    return RTD(SPECIALS, V, LENGTH)


@pytest.fixture
def batch(rtd):
    return batch_of(rtd)


@pytest.fixture
def model(rtd):
    return model_of(rtd)


def replaced(rtd, model, batch, seed=0):
    """What the discriminator sees, the labels of it, and where the generator wrote; as arrays."""
    with torch.no_grad():
        inputs, labels = map(tensors, rtd.corrupt(batch, np.random.default_rng(seed)))
        logits, seen = rtd.replace(model, inputs, labels)
    judged = replaced_token_labels(inputs["original"], seen, labels["replaced"] != IGNORE)
    return seen.numpy(), judged.numpy(), labels["tokens"].numpy() != IGNORE, logits


def test_the_generator_sees_only_masks_where_it_predicts(rtd, batch):
    inputs, labels = rtd.corrupt(batch, np.random.default_rng(0))
    chosen = labels["tokens"] != IGNORE
    assert chosen.any() and (inputs["input_ids"][chosen] == SPECIALS.mask).all()
    assert np.array_equal(inputs["input_ids"][~chosen], batch.input_ids[~chosen])
    assert not np.isin(batch.input_ids[chosen], SPECIALS.ids).any()
    assert np.array_equal(labels["tokens"][chosen], batch.input_ids[chosen])


def test_the_discriminator_sees_no_mask_and_other_tokens_only_where_something_was_hidden(rtd, batch, model):
    seen, labels, chosen, _ = replaced(rtd, model, batch)
    assert np.array_equal(seen[~chosen], batch.input_ids[~chosen])
    assert not np.array_equal(seen, batch.input_ids)


def test_every_real_token_has_a_label_and_padding_has_none(rtd, batch, model):
    seen, labels, _, _ = replaced(rtd, model, batch)
    assert (~batch.real).any() and (labels[~batch.real] == IGNORE).all()
    assert np.array_equal(labels[batch.real], (seen != batch.input_ids)[batch.real])


def test_a_sampled_token_that_equals_the_original_counts_as_original(rtd, batch, model):
    with torch.no_grad():
        model.generator.bias.fill_(-30.0)[batch.input_ids[0, 1]] = 30.0  # it always says this one word
    seen, labels, chosen, _ = replaced(RTD(SPECIALS, V, LENGTH, rate=1.0), model, batch)
    assert chosen.sum() == (batch.real & ~np.isin(batch.input_ids, SPECIALS.ids)).sum()
    right = chosen & (batch.input_ids == batch.input_ids[0, 1])
    assert right.any() and (labels[right] == 0).all() and (labels[chosen & ~right] == 1).all()


def at_once(logits, counts, seeds):
    return sample(logits, torch.from_numpy(np.random.default_rng(seeds[0]).random(len(logits), np.float32)))


@pytest.mark.parametrize("drawn_by", [sample_by_row, at_once])
def test_samples_follow_the_softmax(drawn_by):
    n, probs = 20_000, torch.tensor([0.5, 0.3, 0.15, 0.05])
    drawn = drawn_by(probs.log().expand(n, 4) + 2, [n], [0])
    shares = torch.bincount(drawn, minlength=4) / n
    assert ((shares - probs).abs() < 6 * (probs * (1 - probs) / n).sqrt()).all()
    same = [drawn_by(torch.zeros(50, 4), [50], [seed]).tolist() for seed in (1, 1, 2)]
    assert same[0] == same[1] != same[2]


def test_the_ends_of_the_uniform_numbers_draw_the_first_and_the_last_possible_id():
    logits = torch.tensor([[-torch.inf, 0.0, 0.0, -torch.inf]] * 3)
    assert sample(logits, torch.tensor([0.0, 0.49, 1 - 2**-24])).tolist() == [1, 1, 2]


def test_a_rows_words_do_not_depend_on_the_rows_beside_it():
    logits = torch.randn(9, 7, generator=torch.Generator().manual_seed(0))
    whole = sample_by_row(logits, [2, 4, 3], [5, 6, 7])
    assert whole[2:].tolist() == sample_by_row(logits[2:], [4, 3], [6, 7]).tolist()


def test_each_step_samples_anew(batch, model):
    every = RTD(SPECIALS, V, LENGTH, rate=1.0)  # the same positions are chosen, so only the samples differ
    a, b, c = (replaced(every, model, batch, seed)[0] for seed in (1, 1, 2))
    assert np.array_equal(a, b) and (a != c).mean() > 0.5


def test_the_generator_teaches_the_words_it_could_have_said(rtd, batch, model):
    absent = np.setdiff1d(np.arange(V), [*np.unique(batch.input_ids), SPECIALS.mask])
    _, parts = loss_of_batch(rtd, model, batch, np.random.default_rng(0))
    (gradient,) = torch.autograd.grad(parts["mlm"], [model.encoder.embeddings.word.weight])
    assert len(absent) and (gradient[absent].abs().amax(-1) > 0).all()


def test_the_discriminator_teaches_the_embeddings_but_never_the_generator(rtd, batch, model):
    _, parts = loss_of_batch(rtd, model, batch, np.random.default_rng(0))
    own = list(model.generator.parameters())
    assert all(
        gradient is None
        for gradient in torch.autograd.grad(parts["rtd"], own, retain_graph=True, allow_unused=True)
    )
    assert all(
        gradient.abs().max() > 0 for gradient in torch.autograd.grad(parts["mlm"], own, retain_graph=True)
    )
    shared = list(model.encoder.embeddings.parameters())
    for part in parts.values():
        assert all(
            gradient.abs().max() > 0 for gradient in torch.autograd.grad(part, shared, retain_graph=True)
        )
    layers = [*model.encoder.layers.parameters(), *model.heads.parameters()]
    assert all(
        gradient is None
        for gradient in torch.autograd.grad(parts["mlm"], layers, retain_graph=True, allow_unused=True)
    )


def test_the_loss_is_the_generators_plus_fifty_times_the_discriminators(rtd, batch, model):
    total, parts = loss_of_batch(rtd, model, batch, np.random.default_rng(0))
    assert abs(total.item() - (parts["mlm"] + 50 * parts["rtd"]).item()) < 1e-5


def test_the_generator_has_no_embeddings_of_its_own(model):
    assert max(value.numel() for value in model.generator.parameters()) < V * CONFIG.hidden_size
    names = [name for name, _ in model.named_parameters(remove_duplicate=False)]
    assert len([name for name in names if name.endswith("word.weight")]) == 1


def test_the_published_generators():
    base = generator_config(preset("base"), 1 / 3)
    large = generator_config(preset("large"), 1 / 4)
    for config, layers in ((base, 12), (large, 24)):
        assert (config.hidden_size, config.num_attention_heads) == (256, 4)
        assert (config.intermediate_size, config.num_hidden_layers) == (1024, layers)
    small = generator_config(
        preset("base", hidden_size=256, num_attention_heads=4, intermediate_size=1024),
        1 / 4,
    )
    assert (small.hidden_size, small.num_attention_heads, small.intermediate_size) == (64, 1, 256)


@pytest.mark.parametrize("size", [0, 1.5])
def test_a_size_that_is_no_share_is_an_error(size):
    with pytest.raises(ValueError, match=f"size={size} must be above 0 and at most 1"):
        generator_config(CONFIG, size)


def test_a_generator_as_wide_as_its_embeddings_is_allowed():
    generator = Generator(generator_config(CONFIG, 1), CONFIG.hidden_size)
    assert generator.project.weight.shape == (CONFIG.hidden_size, CONFIG.hidden_size)


FACTORISED = ElectraConfig(**CONFIG.to_dict(), embedding_size=24)


@pytest.mark.parametrize("trunk", [ElectraEncoder, AlbertEncoder])
def test_the_generator_shares_factorised_embeddings_before_their_projection(rtd, batch, trunk):
    model = model_of(rtd, trunk, FACTORISED)
    assert model.generator.project.weight.shape == (8, 24)
    assert model.generator.transform.weight.shape == (24, 8)
    _, parts = loss_of_batch(rtd, model, batch, np.random.default_rng(0))
    table, projection = model.encoder.embeddings.word.weight, model.encoder.embeddings.project.weight
    for part in parts.values():
        assert torch.autograd.grad(part, table, retain_graph=True)[0].abs().max() > 0
    assert torch.autograd.grad(parts["mlm"], projection, retain_graph=True, allow_unused=True) == (None,)
    assert torch.autograd.grad(parts["rtd"], projection)[0].abs().max() > 0
    names = [name for name, _ in model.named_parameters(remove_duplicate=False)]
    assert len([name for name in names if name.endswith("word.weight")]) == 1
