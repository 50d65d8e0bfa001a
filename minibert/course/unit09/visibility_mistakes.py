"""Students' common mistakes in `causal_visible`, which returns GPT's attention mask.

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
    each token sees the tokens on its right in your answer. It should see those on its left, and itself.
        np.tril => np.triu
    a token does not see itself in your answer. It may see itself, because it predicts the next token.
        $left => np.tril(np.ones((T, T), bool), -1)
    a token sees one position too far, and so it sees the token that it should predict. The last token that it
    sees should be itself.
        $left => np.tril(np.ones((T, T), bool), 1)
    padding is visible in your answer. Hide it with `real`, which is True for keys that are not padding.
        $keys => visible_all(real | True)
    you use `real` for the queries, which are the rows. Use it for the keys, which are the columns.
        $keys => real[:, :, None]
    you hide all keys from padding queries. Treat these queries like any other; their results are ignored.
        $keys => $keys & real[:, :, None]
    each token sees all tokens that are not padding, as in BERT. Also hide the tokens on its right.
        $keys & $left => $keys
    you hide as many positions at the end as there are padding tokens. Padding may be anywhere, and `real`
    says where.
        $keys => visible_all(np.arange(T) < real.sum(1, keepdims=True))
    you use the padding of the first sequence for the whole batch. Use each sequence's own padding.
        $keys => visible_all(real[:1].repeat(len(real), 0))
    a padding token sees itself in your answer. Hide padding from all tokens, even from itself.
        $left => $left | np.eye(T, dtype=bool)
    you hide everything after the first padding token. Padding may be anywhere, and `real` says where.
        $keys => visible_all(np.cumprod(real, 1).astype(bool))
    in your answer, padding is visible if a real token precedes it. Hide padding everywhere.
        $keys => visible_all(np.maximum.accumulate(real, 1))
    padding queries see too much in your answer. Treat them like any other query: they see the tokens up to
    their position that are not padding.
        $left => $left | ~real[:, :, None]
        or
        $left => $left | ~real[:, :, None] & real[:, None, :]
    in your answer, one of the two conditions is enough. Both must hold: the key is not padding, and not later
    than the query.
        $keys & => $keys |
    your mask is True for hidden keys. Invert it, because True means visible.
        return ~result
    a token sees only itself in your answer. It should also see everything on its left.
        $left => np.eye(T, dtype=bool)
    a token sees only the previous token in your answer. It should see itself and everything on its left.
        $left => np.eye(T, k=-1, dtype=bool)
    you swapped the last two axes. Rows are queries, and columns are keys.
        return result.swapaxes(1, 2)
    """,
) + pairs_of_edits(
    visible_causal,
    PIECES
    + """
    a token does not see itself, but it should
        $left => np.tril(np.ones((T, T), bool), -1)
    a token sees the next token, which it should predict
        $left => np.tril(np.ones((T, T), bool), 1)
    padding is visible, although `real` should hide it
        $keys => visible_all(real | True)
    `real` is used for the queries, not for the keys
        $keys => real[:, :, None]
    """,
)
