"""Known mistakes in `causal_visible`, GPT's attention mask.

Radford et al. (2018), section 3.1. Axes: B batch, T tokens.
"""

from minibert.data.batch import visible_causal

from ..checks.edits import edits, pairs_of_edits

PIECES = """
    $keys = visible_all(real)
    $left = np.tril(np.ones((T, T), bool))
    """
VISIBLE = edits(
    visible_causal,
    PIECES
    + """
    your mask is the wrong way round: each token sees the tokens on its right. Rows are
    queries: query t sees keys s <= t.
        np.tril => np.triu
    in your answer a token does not see itself. It may see itself, because it predicts the next token.
        $left => np.tril(np.ones((T, T), bool), -1)
    a token sees one position too far: the very token that it should predict. Its last key should be itself.
        $left => np.tril(np.ones((T, T), bool), 1)
    padding is visible in your answer. Use `real`, which says which keys are not padding.
        $keys => visible_all(real | True)
    you use `real` for the queries, which are the rows. Hide padding keys instead: use `real[:, None, :]`.
        $keys => real[:, :, None]
    you also hide everything from padding queries. They see the non-padding keys on their left like any other
    query; their result is not used.
        $keys => $keys & real[:, :, None]
    every token sees all non-padding tokens, as in BERT. Here, hide the tokens on the right.
        $keys & $left => $keys
    you hide one of the last positions for each padding token. Padding may be anywhere: `real` says where.
        $keys => visible_all(np.arange(T) < real.sum(1, keepdims=True))
    you use the padding of the first sequence for all. Each sequence has its own padding.
        $keys => visible_all(real[:1].repeat(len(real), 0))
    a token sees itself even if it is padding. Padding is never visible, not even to itself.
        $left => $left | np.eye(T, dtype=bool)
    you hide everything after the first padding token. Padding may be anywhere: `real` says where.
        $keys => visible_all(np.cumprod(real, 1).astype(bool))
    padding after a token is visible in your answer. Hide padding wherever it is.
        $keys => visible_all(np.maximum.accumulate(real, 1))
    padding queries see too much. They see the non-padding tokens on their left like any other query.
        $left => $left | ~real[:, :, None]
        or
        $left => $left | ~real[:, :, None] & real[:, None, :]
    in your answer one of the two conditions is enough. Both must hold: the key is
    not padding, and it is not later.
        $keys & => $keys |
    your mask is True for hidden keys. Invert it: True means visible.
        return ~result
    a token sees only itself. It should see itself and everything on its left.
        $left => np.eye(T, dtype=bool)
    a token sees only the previous token. It should see itself and everything on its left.
        $left => np.eye(T, k=-1, dtype=bool)
    you swapped the last two axes. Rows are queries, columns are keys: visible[b, t, s].
        return result.swapaxes(1, 2)
    """,
) + pairs_of_edits(
    visible_causal,
    PIECES
    + """
    a token does not see itself
        $left => np.tril(np.ones((T, T), bool), -1)
    a token sees the next token
        $left => np.tril(np.ones((T, T), bool), 1)
    padding is visible
        $keys => visible_all(real | True)
    `real` is used for the queries, not for the keys
        $keys => real[:, :, None]
    """,
)
