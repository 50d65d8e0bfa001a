"""Students' common mistakes in `split_heads` and `multi_head_attention`.

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
a single reshape mixes tokens and heads, because it never reorders the numbers. Split the last axis first,
then swap the token and head axes.
    $split => x.reshape(B, num_heads, T, -1)
the token axis still comes before the head axis. Swap them, so that each head has its own matrix.
    $split => $cut
the heads are interleaved: the first has the columns 0, H, 2H and so on. Give it the first K columns instead.
    $split => $interleaved
the last two axes are (K, T). Swap them to (T, K).
    $split => $cut.transpose(0, 2, 3, 1)
the head axis comes before the batch axis. Swap only the token and head axes.
    $split => $cut.transpose(2, 0, 1, 3)
each of your heads has size num_heads. Make H = num_heads heads, each of size K = D / H.
    $split => x.reshape(B, T, -1, num_heads).swapaxes(1, 2)
every head has all D columns. Give each head only K = D / H of them.
    $split => np.stack([x] * num_heads, 1)
""",
)

MULTI_HEAD_ATTENTION = (
    *edits(
        multi_head_attention,
        PIECES
        + """
the weights are stored as (out, in), so transpose them before you multiply.
    .weight"].T =>> .weight"]
the weights are stored as (out, in). Transpose those of query, key and value before you multiply.
    $weight => p[f"{name}.weight"]
the weights are stored as (out, in). Transpose those of the output projection before you multiply.
    p["out.weight"].T => p["out.weight"]
all biases are missing. Add one after each of the four products.
    $bias =>
    + p["out.bias"] =>
the biases of query, key and value are missing. Add them after the products.
    $bias =>
the bias of the output projection is missing. Add it after the product.
    + p["out.bias"] =>
the output projection is missing. Apply it after you concatenate the heads.
    @ $out =>
queries and keys are swapped. Check the order of the arguments of `attention`.
    ("query", x), ("key", memory) => ("key", x), ("query", memory)
keys and values are swapped. Check the order of the arguments of `attention`.
    ("key", memory), ("value", memory) => ("value", memory), ("key", memory)
you compute the values with the key weights. Use `value.weight` and `value.bias`.
    ("value", => ("key",
you compute queries, keys and values with the query weights. Use the weights of each projection.
    ("key", => ("query",
    ("value", => ("query",
you split the heads with a single reshape, which mixes tokens and heads. Use your split_heads.
    $split => x.reshape(B, num_heads, T, -1)
the heads are interleaved, but each head should have K adjacent columns. Use your split_heads.
    $split => $interleaved
you concatenate the heads without swapping the axes back. Swap the head and token axes first, then reshape.
    $merge => x.reshape(B, T, H * K)
you interleave the heads when you concatenate them. Swap the head and token axes first, then reshape.
    $merge => x.transpose(0, 2, 3, 1).reshape(B, T, H * K)
there is a single head of size D instead of H heads of size K. Split q, k and v with split_heads.
    .bias"], num_heads) => .bias"], 1)
    p["out.bias"], probs => p["out.bias"], probs[:, 0]
you scale the scores by the size of the whole hidden state. Use the size of one head instead.
    attention(q, => attention(q / num_heads**0.5,
you do not scale the scores. Use your attention.
    attention(q, => attention(q * q.shape[-1] ** 0.5,
you ignore `visible`. Pass it on to attention.
    else visible[:, None] => else None
you use `visible` the wrong way round. Where it is True, the query may attend to the key.
    else visible => else ~visible
`visible` has no head axis, but the scores have one. Give it a head axis of size 1.
    else visible[:, None] => else visible
you compute the values with the query weights. Use `value.weight` and `value.bias`.
    ("value", => ("query",
you apply the output projection twice. Apply it once.
    merge_heads(context) @ $out => (merge_heads(context) @ $out) @ $out
you concatenate copies of the first head. Concatenate all heads, side by side.
    merge_heads(context) => merge_heads(np.repeat(context[:, :1], num_heads, 1))
you concatenate the heads in reverse order. Put head 0 first.
    merge_heads(context) => merge_heads(context[:, ::-1])
the probabilities have the heads in reverse order. Put head 0 first.
    return result[0], result[1][:, ::-1]
you swap the two token axes of `visible`. Keep the queries as its rows and the keys as its columns.
    else visible => else visible.swapaxes(-2, -1)
you use the mask of the first sequence for the whole batch. Use all of `visible`, which has a mask for each
sequence.
    else visible => else visible[:1]
you use one row of `visible`, that of a single query, for all queries. Pass on the whole array.
    else visible => else visible[:, -1:]
you add the input x to the output. Leave this residual connection to the encoder layer.
    return result[0] + x, result[1]
you return the mean of the probabilities over the heads. Return the probabilities of every head, (B, H, T, T).
    return result[0], result[1].mean(1)
you return only the output. Return (output, probs).
    return result[0]
""",
        split_heads,
        merge_heads,
    ),
    *pairs_of_edits(
        multi_head_attention,
        PIECES
        + """
you multiply by W instead of W.T for query, key and value
    y @ $weight $bias => y @ p[f"{name}.weight"] $bias
the biases of query, key and value are missing
    y @ $weight $bias => y @ $weight
you multiply by W instead of W.T in the output projection
    @ $out => @ p["out.weight"] + p["out.bias"]
the bias of the output projection is missing
    @ $out => @ p["out.weight"].T
the output projection is missing
    @ $out =>
queries and keys are swapped
    ("query", x), ("key", memory), ("value", => ("key", x), ("query", memory), ("value",
you compute the values with the key weights
    ("key", memory), ("value", => ("key", memory), ("key",
you split the heads with a single reshape, which mixes tokens and heads
    $split => x.reshape(B, num_heads, T, -1)
the columns of the heads are interleaved
    $split => $interleaved
you concatenate the heads without swapping the axes back
    $merge => x.reshape(B, T, H * K)
you do not divide the scores by sqrt(K)
    attention(q, => attention(q * q.shape[-1] ** 0.5,
you divide the scores by sqrt(D) instead of sqrt(K)
    attention(q, => attention(q / num_heads**0.5,
you ignore `visible`
    else visible[:, None] => else None
""",
        split_heads,
        merge_heads,
    ),
)
