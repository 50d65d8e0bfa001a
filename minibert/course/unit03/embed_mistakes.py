"""Known mistakes about `embed`, the sum of word, position and segment embeddings.

Devlin et al. (2019, arXiv 1810.04805), section 3 and figure 2. Axes: B batch, T tokens, D hidden.
"""

from minibert.reference import embeddings, layer_norm, positional_encoding

from ..checks.edits import edits

EMBED = edits(
    embeddings,
    """
    $word = p["word.weight"][input_ids]
    $position = p["position.weight"][position_ids]
    $segment = p["token_type.weight"][token_type_ids]
    $before = (1 - token_type_ids).sum(1, keepdims=True)
    $norm = layer_norm(x, sub(p, "norm"), eps)
    $last = p["weight"] * (x - mean) / np.sqrt(var + eps) + p["bias"]

    the positions are missing: the same word gets the same vector at each place.
        $position => 0
    the segments are missing: add a row of token_type.weight for each token.
        $segment => 0
    the words are missing: add a row of word.weight for each token.
        $word => 0
    the LayerNorm at the end is missing.
        $norm => x
    each part is normalised by itself. Add the three first, then normalise the sum.
        $norm => x
        $word => layer_norm($word, sub(p, "norm"), eps)
        $position => layer_norm($position, sub(p, "norm"), eps)
        $segment => layer_norm($segment, sub(p, "norm"), eps)
    only the words are normalised. Add the three first, then normalise the sum.
        $norm => x
        $word => layer_norm($word, sub(p, "norm"), eps)
    this is the mean of the three; add them. (LayerNorm hides the factor, except for eps.)
        $norm => layer_norm(x / 3, sub(p, "norm"), eps)
    the parts are multiplied; add them.
        + $position => * $position
        + $segment => * $segment
    the positions are counted from 1. The first token has position 0.
        $position => p["position.weight"][position_ids + 1]
    the position table is indexed by the tokens' ids. Row t of the table belongs to place t.
        $position => p["position.weight"][{input_ids | input_ids % longest}]
    every token has the first position. Position t belongs to the token at place t.
        $position => p["position.weight"][0]
    the positions are reversed: the first token takes row 0.
        $position => p["position.weight"][position_ids[::-1]]
    the positions start again in segment B. In BERT they count on through the sequence.
        $position => p["position.weight"][position_ids - $before * token_type_ids]
    these are sines and cosines, as in the Transformer. BERT learns its positions: position.weight.
        $position => positional_encoding(T, p["position.weight"].shape[1])
    the segments are swapped: segment id 0 takes row 0 of token_type.weight.
        $segment => p["token_type.weight"][1 - token_type_ids]
    every token has segment 0: use token_type_ids.
        $segment => p["token_type.weight"][0]
    the words are multiplied by the square root of D, as in the Transformer. BERT does not.
        $word => $word * np.sqrt(p["word.weight"].shape[1])
    LayerNorm runs over the tokens. It looks at one token at a time: the last axis.
        (-1, =>> (1,
    LayerNorm runs over the whole array. It looks at one token at a time: the last axis.
        (-1, =>> (None,
    gamma is ignored: norm.weight multiplies.
        p["weight"] * =>
    beta is ignored: norm.bias is added.
        + p["bias"] =>
    1 is added to gamma. Multiply by norm.weight as it is.
        p["weight"] * => (1 + p["weight"]) *
    `eps` is added to the standard deviation. It is added to the variance, under the root.
        np.sqrt(var + eps) => (np.sqrt(var) + eps)
    `eps` is squared. Add it to the variance as it is.
        var + eps => var + eps**2
    the variance is divided by D - 1 (ddof=1). LayerNorm divides by D.
        x.var( => x.var(ddof=1, axis=
    the mean is not subtracted in the LayerNorm.
        x - mean => x
    the positions are added twice.
        $position => 2 * $position
    the positions are those of the table's end. The first token takes row 0.
        $position => p["position.weight"][-T:]
    all sequences of the batch get the segments of the first one.
        $segment => p["token_type.weight"][token_type_ids[:1]]
    all sequences of the batch get the words of the first one.
        $word => p["word.weight"][input_ids[:1]]
    segment id 0 adds nothing in your answer. It has a row of token_type.weight, too.
        $segment => $segment * (token_type_ids == 1)[..., None]
    segment id 1 adds nothing in your answer. It has a row of token_type.weight, too.
        $segment => $segment * (token_type_ids == 0)[..., None]
    the result is rounded. Return all its digits.
        return result.round({1 | 2 | 3 | 4})
    without the argument `eps`, it is 1e-12: leave the default as it is.
        eps: float = 1e-12 =>> eps: float = 1e-5
    gamma and beta are ignored: norm.weight multiplies, norm.bias is added.
        $last => (x - mean) / np.sqrt(var + eps)
    `eps` is a fixed number in your answer. Pass the argument on.
        $norm => layer_norm(x, sub(p, "norm"), {1e-12 | 1e-6 | 1e-5})
    the whole position table is added, also the places after the end of the sequence. Take the first T rows.
        $position => p["position.weight"]
    """,
    layer_norm,
    positional_encoding=positional_encoding,
)
