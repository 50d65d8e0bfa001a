"""Known mistakes about `causal_visible`, GPT's attention mask.

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
    this is the wrong way round: each token sees those on its right. Rows are queries: query t sees keys s <=
    t.
        np.tril => np.triu
    a token does not see itself. It may: what it predicts is the next one.
        $left => np.tril(np.ones((T, T), bool), -1)
    a token sees one place too far: the very token that it is to predict. Its last key is itself.
        $left => np.tril(np.ones((T, T), bool), 1)
    padding is not hidden: `real` says which keys there are to look at.
        $keys => visible_all(real | True)
    you use `real` for the queries, which are the rows. Padding is hidden as a key: use `real[:, None, :]`.
        $keys => real[:, :, None]
    you also empty the rows of padding. These queries see the real keys on their left like any other; nobody
    reads what they find.
        $keys => $keys & real[:, :, None]
    every token sees every real one: that is BERT's visibility. Here the right side is hidden.
        $keys & $left => $keys
    you hide one of the last places for each padding token. Padding may stand anywhere: `real` says where.
        $keys => visible_all(np.arange(T) < real.sum(1, keepdims=True))
    all rows get the padding of the first. Each row has its own.
        $keys => visible_all(real[:1].repeat(len(real), 0))
    a token sees itself even where it is padding. Padding is never seen, not even by itself.
        $left => $left | np.eye(T, dtype=bool)
    everything after the first padding is hidden. Padding may stand anywhere: `real` says where.
        $keys => visible_all(np.cumprod(real, 1).astype(bool))
    once a token has come, padding behind it is seen. Padding is hidden wherever it stands.
        $keys => visible_all(np.maximum.accumulate(real, 1))
    the rows of padding see everything. They look at the real tokens on their left like any other row.
        $left => $left | ~real[:, :, None]
        or
        $left => $left | ~real[:, :, None] & real[:, None, :]
    one of the two conditions is enough in your answer. Both must hold: the key is real, and not later.
        $keys & => $keys |
    this is True where a token may not look. Turn it round: True means visible.
        return ~result
    a token sees only one place. It sees itself and everything on its left.
        $left => np.eye(T, dtype=bool)
    a token sees only one place, the one before. It sees itself and everything on its left.
        $left => np.eye(T, k=-1, dtype=bool)
    the last two axes have changed places. Rows are queries, columns are keys: visible[b, t, s].
        return result.swapaxes(1, 2)
    """,
) + pairs_of_edits(
    visible_causal,
    PIECES
    + """
    a token does not see itself
        $left => np.tril(np.ones((T, T), bool), -1)
    a token sees the one after it
        $left => np.tril(np.ones((T, T), bool), 1)
    padding is not hidden
        $keys => visible_all(real | True)
    `real` is used for the queries, not for the keys
        $keys => real[:, :, None]
    """,
)
