"""Long attention: what the matrices say, and that linear attention equals the full one under them."""

import numpy as np
import pytest
import torch

from minibert.model import attention
from minibert.model.long import (
    bigbird_visible,
    global_visible,
    long_attention,
    longformer_visible,
    random_visible,
    sliding_window_visible,
)

B, H, K = 2, 3, 5


def tensors(T, dtype, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(B, H, T, K, dtype=dtype, generator=generator) for _ in range(3)]


def test_a_window_has_reach_tokens_on_each_side_and_grows_by_layers():
    visible = sliding_window_visible(9, 2)
    assert (visible == visible.T).all() and visible[4].nonzero()[0].tolist() == [2, 3, 4, 5, 6]
    two_layers = visible.astype(int) @ visible.astype(int) > 0
    assert (two_layers == sliding_window_visible(9, 4)).all()
    assert (sliding_window_visible(4, 0) == np.eye(4)).all() and sliding_window_visible(4, 9).all()


def test_global_tokens_are_a_row_and_a_column():
    visible = global_visible(6, [1, 4])
    assert visible[[1, 4]].all() and visible[:, [1, 4]].all()
    assert visible.sum() == 6 * 6 - 4 * 4 and not global_visible(3, []).any()


def test_bigbird_adds_the_same_number_of_random_keys_to_each_query():
    draw = random_visible(40, 3, np.random.default_rng(0))
    assert (draw.sum(1) == 3).all() and (draw != random_visible(40, 3, np.random.default_rng(1))).any()
    visible = bigbird_visible(40, 2, [0], 3, np.random.default_rng(0))
    assert (visible == longformer_visible(40, 2, [0]) | draw).all()
    assert (visible.sum(1)[1:] <= 5 + 1 + 3).all() and visible[0].all()


@pytest.mark.parametrize("dtype, tolerance", [(torch.float32, 1e-5), (torch.float64, 1e-12)])
@pytest.mark.parametrize("T, reach, positions", [
    (24, 4, []), (24, 4, [0]),
    (23, 4, [0, 7, 22]), (25, 4, [3]), (7, 9, [0]), (9, 1, [8]), (130, 16, [0, 64]),
])  # fmt: skip
def test_linear_attention_equals_the_full_one(dtype, tolerance, T, reach, positions):
    q, k, v = tensors(T, dtype)
    visible = torch.from_numpy(longformer_visible(T, reach, positions))
    full, _ = attention(q, k, v, visible)
    assert (long_attention(q, k, v, reach, positions) - full).abs().max() < tolerance


def test_gradients_are_equal_too():
    full, linear = ([x.requires_grad_() for x in tensors(21, torch.float64)] for _ in range(2))
    weight = torch.randn(B, H, 21, K, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    (attention(*full, torch.from_numpy(longformer_visible(21, 4, [0, 9])))[0] * weight).sum().backward()
    (long_attention(*linear, 4, [0, 9]) * weight).sum().backward()
    assert all((x.grad - y.grad).abs().max() < 1e-12 for x, y in zip(full, linear))


def test_a_token_outside_the_window_changes_nothing_and_a_global_one_does():
    q, k, v = tensors(30, torch.float64)
    far = v.clone()
    far[:, :, 25] += 1.0
    for positions, reached in (([0], []), ([25], [3])):
        moved = (
            (long_attention(q, k, far, 4, positions) != long_attention(q, k, v, 4, positions)).any(-1).any(1)
        )
        assert moved[:, 3].all() == bool(reached) and moved[:, 22].all() and moved[:, 0].all()


def test_no_tensor_grows_with_the_square_of_the_length():
    largest = {}
    for T in (64, 256):
        sizes = []

        class Watch(torch.utils._python_dispatch.TorchDispatchMode):
            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                out = func(*args, **(kwargs or {}))
                sizes.extend(x.numel() for x in torch.utils._pytree.tree_leaves(out) if torch.is_tensor(x))  # noqa: B023
                return out

        q, k, v = tensors(T, torch.float32)
        with Watch():
            long_attention(q, k, v, 8, [0])
        largest[T] = max(sizes)
    assert largest[256] < 4.4 * largest[64]


def test_a_window_of_nothing_is_refused():
    with pytest.raises(ValueError, match="reach=0 must be at least 1"):
        long_attention(*tensors(8, torch.float32), 0)
