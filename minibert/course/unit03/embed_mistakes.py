"""Students' common mistakes in `embed`, the sum of word, position and segment embeddings.

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

    the position embeddings are missing. Add row t of position.weight to the token at position t.
        $position => 0
    the segment embeddings are missing. Add a row of token_type.weight for each token.
        $segment => 0
    the word embeddings are missing. Add a row of word.weight for each token.
        $word => 0
    the LayerNorm at the end is missing. Apply it to the sum of the word, position and segment embeddings.
        $norm => x
    you normalise each of the three embeddings separately. Add them first, then normalise the sum.
        $norm => x
        $word => layer_norm($word, sub(p, "norm"), eps)
        $position => layer_norm($position, sub(p, "norm"), eps)
        $segment => layer_norm($segment, sub(p, "norm"), eps)
    you normalise only the word embeddings. Add all three embeddings first, then normalise the sum.
        $norm => x
        $word => layer_norm($word, sub(p, "norm"), eps)
    you take the mean of the three embeddings. Add them instead; LayerNorm does not hide the difference
    completely, because of eps.
        $norm => layer_norm(x / 3, sub(p, "norm"), eps)
    you multiply the three embeddings. Add them instead.
        + $position => * $position
        + $segment => * $segment
    you count the positions from 1. Count them from 0.
        $position => p["position.weight"][position_ids + 1]
    you index the position table with the token ids. Use the positions instead.
        $position => p["position.weight"][{input_ids | input_ids % longest}]
    every token gets position 0. Give the token at index t the position t.
        $position => p["position.weight"][0]
    the positions are reversed. Give the first token row 0 of position.weight.
        $position => p["position.weight"][position_ids[::-1]]
    the positions start again in segment B. Continue to count them through the whole sequence.
        $position => p["position.weight"][position_ids - $before * token_type_ids]
    you use sines and cosines, as in the original Transformer. Use position.weight, BERT's learned position
    embeddings.
        $position => positional_encoding(T, p["position.weight"].shape[1])
    the segments are swapped. Use row 0 of token_type.weight for segment id 0, and row 1 for segment id 1.
        $segment => p["token_type.weight"][1 - token_type_ids]
    every token gets segment 0. Use token_type_ids.
        $segment => p["token_type.weight"][0]
    you multiply the word embeddings by the square root of D, as in the original Transformer. Leave them as
    they are.
        $word => $word * np.sqrt(p["word.weight"].shape[1])
    your LayerNorm runs over the tokens. Normalise each token by itself, along the last axis.
        (-1, =>> (1,
    your LayerNorm runs over the whole array. Normalise each token by itself, along the last axis.
        (-1, =>> (None,
    you ignore gamma. Multiply by norm.weight.
        p["weight"] * =>
    you ignore beta. Add norm.bias.
        + p["bias"] =>
    you add 1 to gamma. Multiply by norm.weight as it is.
        p["weight"] * => (1 + p["weight"]) *
    you add `eps` to the standard deviation. Add it to the variance, inside the root.
        np.sqrt(var + eps) => (np.sqrt(var) + eps)
    you square `eps`. Add it to the variance as it is.
        var + eps => var + eps**2
    your variance divides by D - 1. Divide by D.
        x.var( => x.var(ddof=1, axis=
    your LayerNorm does not subtract the mean. Use the `layer_norm` that is imported above.
        x - mean => x
    you add the position embeddings twice. Add them once.
        $position => 2 * $position
    you take the last rows of the position table. Take the first T rows.
        $position => p["position.weight"][-T:]
    all sequences of the batch get the segments of the first sequence. Use every row of token_type_ids.
        $segment => p["token_type.weight"][token_type_ids[:1]]
    all sequences of the batch get the words of the first sequence. Use every row of input_ids.
        $word => p["word.weight"][input_ids[:1]]
    you add nothing for segment id 0. Add row 0 of token_type.weight for it.
        $segment => $segment * (token_type_ids == 1)[..., None]
    you add nothing for segment id 1. Add row 1 of token_type.weight for it.
        $segment => $segment * (token_type_ids == 0)[..., None]
    you round the result. Return it with all its digits.
        return result.round({1 | 2 | 3 | 4})
    you changed the default of `eps`. Leave it at 1e-12.
        eps: float = 1e-12 =>> eps: float = 1e-5
    you ignore gamma and beta. Multiply by norm.weight, then add norm.bias.
        $last => (x - mean) / np.sqrt(var + eps)
    `eps` is hard-coded in your answer. Pass the argument `eps` on to layer_norm.
        $norm => layer_norm(x, sub(p, "norm"), {0.0 | 1e-12 | 1e-6 | 1e-5})
    you add the whole position table, which has more rows than the sequence has tokens. Take the first T
    rows.
        $position => p["position.weight"]
    """,
    layer_norm,
    positional_encoding=positional_encoding,
)
