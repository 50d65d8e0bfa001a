"""Shares of languages are smoothed as the papers say, and fertility counts tokens per word."""

import numpy as np
import pytest

from minibert.data.languages import fertility, sampling_shares
from minibert.tokenizer import train_wordpiece


def test_the_exponent_moves_shares_from_their_sizes_to_equality():
    counts = [900, 90, 10, 0]
    np.testing.assert_allclose(sampling_shares(counts, 1), [0.9, 0.09, 0.01, 0])
    np.testing.assert_allclose(sampling_shares(counts, 0), [1 / 3, 1 / 3, 1 / 3, 0])
    smooth = sampling_shares(counts, 0.7)
    np.testing.assert_allclose(smooth[0] / smooth[2], 90**0.7)
    assert smooth.sum() == pytest.approx(1) and 0.01 < smooth[2] < 1 / 3


def test_only_ratios_of_the_counts_matter():
    np.testing.assert_allclose(sampling_shares([3, 1], 0.3), sampling_shares([3e300, 1e300], 0.3))


@pytest.mark.parametrize("counts", [[0, 0], [3, -1], []])
def test_counts_that_are_no_sizes_are_refused(counts):
    with pytest.raises(ValueError, match="must be at least 0, and not all 0"):
        sampling_shares(counts, 0.7)


def test_words_in_the_vocabulary_are_one_token_each():
    from minibert.tokenizer import WordPiece

    tokenizer = WordPiece(train_wordpiece({"wind": 5, "window": 5}, 30))
    assert fertility(lambda text: tokenizer.encode(text).ids, ["wind window", "wind"]) == 1
    assert fertility(lambda text: tokenizer.encode(text).ids, ["wow wind"]) > 1


def test_texts_without_words_are_refused():
    with pytest.raises(ValueError, match="no words"):
        fertility(list, [" "])
