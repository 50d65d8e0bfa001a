"""What the classifier reads: each pool against a loop, and heads that learn."""

import pytest
import torch
from small_task import EXAMPLES, TOKENIZER, accuracy, small_encoder
from tiny import CONFIG, fit, ragged

from minibert.course.unit13.methods.pooling import POOLS, DeepAndOutputHead, MixedHead, PooledHead, replaced
from minibert.data.batch import visible_all
from minibert.finetuning.registry import REGISTRY
from minibert.model import ClassifierHead, FastEncoder, Model
from minibert.training.config import TrainConfig

C = 3


def inputs():
    ids, real, types = ragged()
    return [torch.from_numpy(x) for x in (ids, visible_all(real), types)], torch.from_numpy(real)


@pytest.mark.parametrize("name", POOLS)
def test_a_pool_is_its_definition_and_ignores_padding(name):
    hidden, real = torch.randn(3, 11, 5), inputs()[1]
    expected = []
    for row, is_token in zip(hidden, real):
        tokens = row[is_token]
        expected.append(
            {
                "cls": row[0],
                "mean": tokens.mean(0),
                "max": tokens.max(0).values,
                "normalised cls": (row[0] - row[0].mean()) / (row[0].var(correction=0) + 1e-5).sqrt(),
            }[name]
        )
    assert torch.allclose(POOLS[name](hidden, real), torch.stack(expected), atol=1e-4)
    other = torch.where(real[..., None], hidden, torch.tensor(99.0))
    assert torch.equal(POOLS[name](other, real), POOLS[name](hidden, real))


@pytest.mark.parametrize(
    "make",
    [
        lambda c, n: PooledHead(c, n, "mean"),
        lambda c, n: MixedHead(c, n),
        lambda c, n: DeepAndOutputHead(c, n),
    ],
)
def test_a_head_gives_logits_that_do_not_depend_on_the_batch(make):
    torch.manual_seed(0)
    model = Model(FastEncoder(CONFIG), {"label": make(CONFIG, C)}).eval()
    (ids, visible, types), real = inputs()
    logits = model(ids, visible, types)["label"]
    alone = model(ids[1:2, :7], visible[1:2, :7, :7], types[1:2, :7])["label"]
    assert logits.shape == (3, C) and torch.allclose(logits[1:2], alone, atol=1e-5)


def test_a_mix_begins_with_equal_shares_and_can_be_one_layer():
    head = MixedHead(CONFIG, C).eval()
    assert head.shares == pytest.approx([1 / 3] * 3)
    layers = [torch.randn(2, 4, CONFIG.hidden_size) for _ in range(3)]
    with torch.no_grad():
        head.mix.weights[1] = 50.0
    assert torch.allclose(head(layers), head.head(layers[1]), atol=1e-5)


def test_layer_dropout_leaves_layers_out_in_training_only_and_never_all():
    torch.manual_seed(0)
    head = MixedHead(CONFIG, C, dropout=0.6)
    layers = [torch.randn(2, 4, CONFIG.hidden_size) for _ in range(3)]
    drawn = {tuple(head(layers).flatten().tolist()) for _ in range(40)}
    assert 3 < len(drawn) <= 7 and all(x == x for row in drawn for x in row)  # no nan: some layer stays
    head.eval()
    assert torch.equal(head(layers), head(layers))


def test_the_deep_head_reads_a_deep_layer_too():
    head = DeepAndOutputHead(CONFIG, C).eval()
    layers = [torch.randn(2, 4, CONFIG.hidden_size) for _ in range(3)]
    before = head(layers)
    layers[head.deep] = layers[head.deep] + 1
    assert not torch.allclose(head(layers), before)


def test_an_unknown_pool_is_refused():
    with pytest.raises(ValueError, match="unknown pool 'sum'"):
        PooledHead(CONFIG, C, "sum")


def test_a_task_learns_with_another_head():
    task = REGISTRY["sst2"].task.fit(TOKENIZER, 12, EXAMPLES)
    encoder = FastEncoder.of(small_encoder())
    heads = replaced(task.heads(encoder), encoder.config, lambda c, n: PooledHead(c, n, "mean"))
    model = Model(encoder, heads)
    fit(model, task, TrainConfig(steps=60, batch_size=8, peak_rate=2e-3), task.encode(EXAMPLES)[:2])
    assert accuracy(model, task) == 100
    assert not isinstance(next(iter(heads.values())), ClassifierHead)
