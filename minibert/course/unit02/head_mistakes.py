"""Known mistakes about `split_heads` and `multi_head_attention`.

Axes: B batch, T tokens, H heads, K head size, D hidden.
"""

from minibert.reference import merge_heads, multi_head_attention, split_heads

from ..checks.edits import edits, pairs_of_edits

PIECES = """
$cut = x.reshape(B, T, num_heads, D // num_heads)
$split = $cut.swapaxes(1, 2)
$merge = x.swapaxes(1, 2).reshape(B, T, H * K)
$interleaved = x.reshape(B, T, -1, num_heads).transpose(0, 3, 1, 2)
$weight = p[f"{name}.weight"].T
$bias = + p[f"{name}.bias"]
$out = p["out.weight"].T + p["out.bias"]
"""

SPLIT_HEADS = edits(
    split_heads,
    PIECES
    + """
one reshape to (B, H, T, K) mixes tokens and heads, because it reads the numbers row by row. Reshape to
(B, T, H, K), then swap the axes T and H.
    $split => x.reshape(B, num_heads, T, -1)
the axes are still (B, T, H, K). Swap T and H, so that each head is a matrix of its own.
    $split => $cut
the heads are interleaved: head 0 has the columns 0, H, 2H ... It should have the first K columns. Reshape to
(B, T, H, K), not (B, T, K, H).
    $split => $interleaved
the last two axes are (K, T); they should be (T, K).
    $split => $cut.transpose(0, 2, 3, 1)
the head axis comes first; the batch should: (B, H, T, K).
    $split => $cut.transpose(2, 0, 1, 3)
you made heads of size num_heads. There are H = num_heads heads, each of size K = D / H.
    $split => x.reshape(B, T, -1, num_heads).swapaxes(1, 2)
every head got all columns. Each head gets only K = D / H of them.
    $split => np.stack([x] * num_heads, 1)
""",
)

MULTI_HEAD_ATTENTION = (
    *edits(
        multi_head_attention,
        PIECES
        + """
you multiply by W. The weights are stored as (out, in), so a projection is x @ W.T + b.
    .weight"].T =>> .weight"]
you multiply by W in query, key and value. The weights are stored as (out, in): x @ W.T + b.
    $weight => p[f"{name}.weight"]
you multiply by W in the output projection. The weights are stored as (out, in): x @ W.T + b.
    p["out.weight"].T => p["out.weight"]
all biases are missing: x @ W.T + b.
    $bias =>
    + p["out.bias"] =>
the biases of query, key and value are missing: x @ W.T + b.
    $bias =>
the bias of the output projection is missing.
    + p["out.bias"] =>
the output projection is missing. After joining the heads, multiply by `out.weight` and add `out.bias`.
    @ $out =>
queries and keys are swapped.
    ("query", x), ("key", memory) => ("key", x), ("query", memory)
keys and values are swapped.
    ("key", memory), ("value", memory) => ("value", memory), ("key", memory)
the values are made with the key weights. They have their own: `value.weight` and `value.bias`.
    ("value", => ("key",
queries, keys and values are all made with the query weights.
    ("key", => ("query",
    ("value", => ("query",
the heads are split by one reshape to (B, H, T, K), which mixes tokens and heads. Use your split_heads.
    $split => x.reshape(B, num_heads, T, -1)
the heads are interleaved. Each takes K neighbouring columns. Use your split_heads.
    $split => $interleaved
the heads are joined without swapping the axes back. From (B, H, T, K), swap to (B, T, H, K), then reshape to
(B, T, D).
    $merge => x.reshape(B, T, H * K)
the heads are joined interleaved. They belong side by side: swap to (B, T, H, K), then reshape to (B, T, D).
    $merge => x.transpose(0, 2, 3, 1).reshape(B, T, H * K)
there is one head of size D instead of H heads of size K. Split q, k and v with split_heads.
    .bias"], num_heads) => .bias"], 1)
    p["out.bias"], probs => p["out.bias"], probs[:, 0]
the scores are divided by sqrt(D). Each head divides by sqrt(K), the root of its own size.
    attention(q, => attention(q / num_heads**0.5,
the scores are not divided by sqrt(K).
    attention(q, => attention(q * q.shape[-1] ** 0.5,
`visible` is ignored. Pass it on to attention.
    else visible[:, None] => else None
`visible` is read the wrong way round. True means that the query may look at the key.
    else visible => else ~visible
`visible` is (B, T, T), but the scores are (B, H, T, T). Give it a head axis: visible[:, None].
    else visible[:, None] => else visible
the values are made with the query weights. They have their own: `value.weight` and `value.bias`.
    ("value", => ("query",
the output projection is applied twice.
    merge_heads(context) @ $out => (merge_heads(context) @ $out) @ $out
every place of a head is filled with the first head. Join all heads, side by side.
    merge_heads(context) => merge_heads(np.repeat(context[:, :1], num_heads, 1))
the heads are joined in reverse order.
    merge_heads(context) => merge_heads(context[:, ::-1])
the probabilities come with the heads in reverse order.
    return result[0], result[1][:, ::-1]
`visible` has its two token axes swapped. Its rows are the queries, its columns the keys.
    else visible => else visible.swapaxes(-2, -1)
the visibility of the first sequence is used for the whole batch. Each has its own.
    else visible => else visible[:1]
the visibility of one query is used for all of them. Pass the whole of `visible` on.
    else visible => else visible[:, -1:]
you added the input x to the output. That residual belongs to the encoder layer.
    return result[0] + x, result[1]
you return the mean of the heads' probabilities. Return them all: (B, H, T, T).
    return result[0], result[1].mean(1)
you return the output only; return (output, probs).
    return result[0]
""",
        split_heads,
        merge_heads,
    ),
    *pairs_of_edits(
        multi_head_attention,
        PIECES
        + """
query, key and value are multiplied by W instead of its transpose, W.T
    y @ $weight $bias => y @ p[f"{name}.weight"] $bias
the biases of query, key and value are missing
    y @ $weight $bias => y @ $weight
the output projection multiplies by W instead of W.T
    @ $out => @ p["out.weight"] + p["out.bias"]
the bias of the output projection is missing
    @ $out => @ p["out.weight"].T
the output projection is missing
    @ $out =>
queries and keys are swapped
    ("query", x), ("key", memory), ("value", => ("key", x), ("query", memory), ("value",
the values are made with the key weights
    ("key", memory), ("value", => ("key", memory), ("key",
the heads are split by one reshape, which mixes tokens and heads
    $split => x.reshape(B, num_heads, T, -1)
the heads are split interleaved
    $split => $interleaved
the heads are joined without swapping the axes back
    $merge => x.reshape(B, T, H * K)
the scores are not divided by sqrt(K)
    attention(q, => attention(q * q.shape[-1] ** 0.5,
the scores are divided by sqrt(D) instead of sqrt(K)
    attention(q, => attention(q / num_heads**0.5,
`visible` is ignored
    else visible[:, None] => else None
""",
        split_heads,
        merge_heads,
    ),
)
