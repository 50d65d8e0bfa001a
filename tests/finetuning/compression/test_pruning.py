"""Pruning: masks, and heads, columns and layers that are really removed."""

import numpy as np
import pytest
import torch
from small_task import EXAMPLES, accuracy, tuned
from small_teacher import some_batch, teacher

from minibert.finetuning.compression.gradual import EVERY, MaskedEncoder, MovementMask, pruned_share
from minibert.finetuning.compression.importance import column_importance, head_importance, least_important
from minibert.finetuning.compression.pruning import (
    PrunedEncoder,
    drop_layers,
    largest_mask,
    magnitude_mask,
    prune_columns,
    prune_heads,
)
from minibert.model import FastEncoder
from minibert.model.low_rank import merged
from minibert.model.variants.sharing import count


def test_exactly_the_smallest_weights_are_removed():
    weights = np.random.default_rng(0).normal(size=(5, 7))
    for share in (0.0, 0.3, 0.5, 1.0):
        kept = magnitude_mask(weights, share)
        assert kept.dtype == bool and kept.shape == (5, 7)
        assert (~kept).sum() == round(share * 35)
        if kept.any() and not kept.all():
            assert np.abs(weights[~kept]).max() < np.abs(weights[kept]).min()


def test_of_equal_weights_the_first_are_removed():
    assert magnitude_mask(np.array([[2, -2], [2, 1]]), 0.5).tolist() == [[False, True], [True, False]]
    assert largest_mask(np.array([-3.0, 1.0, 2.0]), 1 / 3).tolist() == [False, True, True]
    with pytest.raises(ValueError, match=r"share=1\.1 must be between 0 and 1"):
        magnitude_mask(np.zeros(3), 1.1)


HEADS = [(0, 1), (0, 3), (2, 0)]


def test_removed_heads_equal_gated_ones():
    encoder, (inputs, _) = teacher().model.encoder, some_batch()
    gate = torch.ones(4, 4)
    for place in HEADS:
        gate[place] = 0
    pruned = prune_heads(encoder, HEADS)
    found = pruned(**inputs, with_probs=True)
    torch.testing.assert_close(found["hidden"], encoder(**inputs, gate=gate)["hidden"])
    assert [probs.shape[1] for probs in found["probs"]] == [2, 4, 3, 4]
    head = 4 * 8 * 32 + 3 * 8  # K rows of q, k, v with biases, and K columns of the output
    assert count(encoder) - count(pruned) == 3 * head
    assert encoder.layers[0].attention.num_heads == 4
    again = prune_heads(pruned, [(0, 0)])  # heads are numbered anew
    assert again.layers[0].attention.num_heads == 1


def test_removed_columns_equal_masked_ones():
    encoder, (inputs, _) = teacher().model.encoder, some_batch()
    columns = [(1, 0), (1, 47), (3, 5)]
    masked = PrunedEncoder.of(encoder)
    with torch.no_grad():
        for layer, column in columns:
            masked.layers[layer].feed_forward.down.weight[:, column] = 0
    pruned = prune_columns(encoder, columns)
    torch.testing.assert_close(pruned(**inputs)["hidden"], masked(**inputs)["hidden"])
    assert [layer.feed_forward.up.out_features for layer in pruned.layers] == [48, 46, 48, 47]
    assert count(encoder) - count(pruned) == 3 * (2 * 32 + 1)


def test_dropped_layers_are_the_top_ones():
    encoder, (inputs, _) = teacher().model.encoder, some_batch()
    dropped = drop_layers(encoder, 1)
    torch.testing.assert_close(dropped.eval()(**inputs)["hidden"], encoder(**inputs)["layers"][3])
    assert dropped.config.num_hidden_layers == 3 and len(encoder.layers) == 4
    with pytest.raises(ValueError, match="count=4 must be between 0 and 3"):
        drop_layers(encoder, 4)


def test_what_is_not_there_cannot_be_removed():
    encoder = teacher().model.encoder
    with pytest.raises(ValueError, match="there is no head 4 in layer 0 of 4"):
        prune_heads(encoder, [(0, 4)])
    with pytest.raises(ValueError, match="there is no column 0 in layer 7 of 4"):
        prune_columns(encoder, [(7, 0)])
    with pytest.raises(ValueError, match="layer 1 would have no heads left: keep at least one of its 4"):
        prune_heads(encoder, [(1, head) for head in range(4)])


def test_a_pruned_model_can_be_trained_on_and_is_not_saved_in_a_wrong_format(tmp_path):
    pruned = prune_columns(prune_heads(teacher().model.encoder, HEADS), [(0, i) for i in range(24)])
    found = tuned(pruned, epochs=3, heads=teacher().model.heads, peak_rate=2e-3)
    assert accuracy(found.model, found.task) >= 95
    with pytest.raises(ValueError, match="no published format for an encoder of class PrunedEncoder"):
        found.save(tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_the_importance_of_a_head_is_the_gradient_of_its_gate():
    model, task = teacher().model, teacher().task
    rows, labels, _ = task.encode(EXAMPLES[::5])
    scores = head_importance(model, task, rows, labels)
    assert scores.shape == (4, 4)
    np.testing.assert_allclose(np.linalg.norm(scores, axis=1), 1, rtol=1e-5)

    def loss(row, label, gate):
        inputs, targets = task.corrupt(task.collate([row], [label]))
        outputs = model(**{name: torch.from_numpy(x) for name, x in inputs.items()}, gate=gate)
        return task.loss(outputs, {"label": torch.from_numpy(targets["label"])})["label"].item()

    slopes = np.zeros((4, 4))
    for row, label in zip(rows, labels):
        for place in np.ndindex(4, 4):
            up, down = torch.ones(4, 4), torch.ones(4, 4)
            up[place], down[place] = 1.05, 0.95
            slopes[place] += abs(loss(row, label, up) - loss(row, label, down))
    slopes /= np.linalg.norm(slopes, axis=1, keepdims=True)
    np.testing.assert_allclose(scores, slopes, atol=0.05)


def test_columns_that_read_or_write_nothing_are_unimportant():
    encoder = PrunedEncoder.of(teacher().model.encoder)
    with torch.no_grad():
        encoder.layers[1].feed_forward.up.weight[3] = 0
        encoder.layers[2].feed_forward.down.weight[:, 4] = 0
    scores = column_importance(encoder)
    assert scores.shape == (4, 48)
    assert [tuple(place) for place in np.argwhere(scores == 0)] == [(1, 3), (2, 4)]


def test_the_least_important_are_chosen_but_one_stays_in_each_layer():
    scores = np.array([[0.1, 0.2, 0.3], [0.9, 0.8, 0.7]])
    assert least_important(scores, 2) == [(0, 0), (0, 1)]
    assert least_important(scores, 3) == [(0, 0), (0, 1), (1, 2)]
    assert len(least_important(scores, 4)) == 4
    with pytest.raises(ValueError, match="count=5 must be between 0 and 4"):
        least_important(scores, 5)


def test_gradual_pruning_ends_at_its_share_and_zeros_stay_zeros():
    steps = 2 * EVERY
    start = MaskedEncoder.of(teacher().model.encoder, 0.5, steps)
    found = tuned(start, steps=steps + EVERY, heads=teacher().model.heads, peak_rate=2e-3)
    plain = merged(found.model.encoder, FastEncoder)
    for layer in plain.layers:
        for name, weight in layer.named_parameters():
            if weight.dim() == 2:
                assert (weight == 0).sum() == round(0.5 * weight.numel()), name
    assert type(plain) is FastEncoder
    assert accuracy(found.model.with_part("encoder", plain), found.task) >= 95


def test_the_share_of_removed_weights_grows_faster_at_first():
    shares = [pruned_share(step, 10, 0.8) for step in range(12)]
    assert shares[0] == 0 and shares[10] == shares[11] == 0.8
    assert np.all(np.diff(shares[:11]) > 0) and np.all(np.diff(shares[:11], 2) < 0)


def test_movement_scores_have_the_gradient_of_the_mask_and_the_weight_that_of_the_kept_part():
    weight = torch.tensor([[1.0, -2.0], [0.5, 3.0]], requires_grad=True)
    mask = MovementMask(weight)
    with torch.no_grad():
        mask.scores.copy_(torch.tensor([[0.2, -0.1], [0.3, 0.1]]))
    mask.update(weight, 0.5)
    assert mask.kept.tolist() == [[True, False], [True, False]]
    slope = torch.tensor([[1.0, 10.0], [100.0, 1000.0]])
    (mask(weight) * slope).sum().backward()
    assert mask(weight).tolist() == [[1.0, 0.0], [0.5, 0.0]]
    assert torch.equal(mask.scores.grad, slope * weight.detach())
    assert torch.equal(weight.grad, slope * mask.kept)


def test_movement_pruning_removes_other_weights_than_magnitude():
    kept = []
    for mask in (MovementMask, None):
        options = {} if mask is None else {"mask": mask}
        start = MaskedEncoder.of(teacher().model.encoder, 0.4, EVERY, **options)
        found = tuned(start, steps=2 * EVERY, heads=teacher().model.heads, peak_rate=2e-3)
        assert accuracy(found.model, found.task) >= 90
        kept.append(merged(found.model.encoder, FastEncoder).layers[0].attention.query.weight != 0)
    assert kept[0].sum() == kept[1].sum() and not torch.equal(*kept)


def test_masks_need_a_valid_share():
    with pytest.raises(ValueError, match="share=2 must be between 0 and 1"):
        MaskedEncoder.of(teacher().model.encoder, 2, 10)
