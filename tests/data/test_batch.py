"""Rows become batches; visibility says who may look at whom."""

import numpy as np
import pytest
from tiny import SPECIALS, B, T, ragged

from minibert.data.batch import Specials, collate, visible_all, visible_causal


def test_a_pair_is_cls_a_sep_b_sep_with_segments():
    batch = collate([([7, 8], [9]), ([7], None)], SPECIALS)
    assert batch.input_ids.tolist() == [[2, 7, 8, 3, 9, 3], [2, 7, 3, 0, 0, 0]]
    assert batch.token_type_ids.tolist() == [[0, 0, 0, 0, 1, 1], [0] * 6]
    assert batch.real.tolist() == [[True] * 6, [True] * 3 + [False] * 3]


def test_a_token_with_the_id_of_padding_inside_a_row_stays_real():
    assert collate([([0, 0], None)], SPECIALS).real.all()


def test_no_rows_is_an_error():
    with pytest.raises(ValueError, match="there are no sequences"):
        collate([], SPECIALS)


def test_a_row_longer_than_the_batch_is_an_error():
    with pytest.raises(ValueError, match="a sequence of 5 tokens is longer than the batch length 4"):
        collate([([7, 8, 9], None)], SPECIALS, length=4)


def test_some_rows_of_a_batch_keep_their_padding_and_their_labels():
    batch = collate([([7, 8], [9]), ([7], None), ([8], None)], SPECIALS, sequence_labels=[4, 5, 6])
    some = batch.some(slice(1, None, 2))
    assert some.input_ids.tolist() == [[2, 7, 3, 0, 0, 0]]
    assert some.real.sum() == 3
    assert some.sequence_labels.tolist() == [5]
    assert some.token_type_ids.shape == (1, 6)
    assert collate([([7], None)] * 3, SPECIALS).some(slice(2)).sequence_labels is None


def test_visibility_hides_padding_and_causal_also_the_right():
    real = np.array([[True, True, True, False]])
    assert visible_all(real)[0].tolist() == [[True, True, True, False]] * 4
    assert visible_causal(real)[0].astype(int).tolist() == [
        [1, 0, 0, 0],
        [1, 1, 0, 0],
        [1, 1, 1, 0],
        [1, 1, 1, 0],
    ]


def test_a_vocabulary_without_a_special_token_is_an_error():
    with pytest.raises(ValueError, match=r"lacks \[MASK\]"):
        Specials.of(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a"])


REAL = ragged()[1]


def test_every_visibility_is_boolean_hides_padding_and_leaves_its_argument_alone():
    before = REAL.copy()
    for visible in (visible_all(REAL), visible_causal(REAL)):
        assert visible.shape == (B, T, T) and visible.dtype == bool
        assert not visible.transpose(0, 2, 1)[~REAL].any()
    assert np.array_equal(before, REAL)
