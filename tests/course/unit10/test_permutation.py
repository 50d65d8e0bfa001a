"""The matrix of an order, as Python sees it; tests/lessons moves its tokens in a browser."""

import itertools

import numpy as np
import pytest

from minibert.course.unit10.views.permutation import Permutation
from minibert.data.permutation import permutation_visible

TOKENS = ["New", "York", "is", "a"]


@pytest.mark.parametrize("order", list(itertools.permutations(range(4)))[::5])
def test_a_query_sees_what_stands_before_it_in_the_order_and_content_itself_too(order):
    one = Permutation(TOKENS, permutation_visible, order)
    for place, token in enumerate(order):
        assert {s for s in range(4) if one.query[token][s]} == set(order[:place])
        assert {s for s in range(4) if one.content[token][s]} == set(order[: place + 1])


def test_a_new_order_gives_new_matrices():
    one = Permutation(TOKENS, permutation_visible)
    assert np.array_equal(one.content, np.tri(4, dtype=bool))  # left to right: GPT's mask
    one.order = [3, 2, 1, 0]
    assert np.array_equal(one.content, np.tri(4, dtype=bool).T)


def test_a_page_without_a_kernel_says_what_each_is_predicted_from():
    page = Permutation(["<a>", "b"], permutation_visible, [1, 0])._repr_mimebundle_()[0]["text/html"]
    assert page == "<p>b from nothing; &lt;a&gt; from b.</p>"


@pytest.mark.parametrize("order", [[0, 1, 2], [0, 1, 2, 2], [1, 2, 3, 4]])
def test_what_is_no_order_is_refused(order):
    with pytest.raises(ValueError, match="must contain each of the 4 token positions once"):
        Permutation(TOKENS, permutation_visible, order)
