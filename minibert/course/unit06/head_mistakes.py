"""Students' common mistakes in `classifier_logits` and `choice_logits`, the output heads for whole sequences.

Devlin et al. (2019, arXiv 1810.04805), sections 4.1 and 4.4. Axes: B examples, T tokens, D hidden, C labels
or options.
"""

import numpy as np

from minibert.reference import gelu, softmax

from ..checks.edits import edits


def plain(hidden: np.ndarray, weights: dict[str, np.ndarray]) -> np.ndarray:
    """Return the logits of the labels (B, C), as `classifier_logits` should."""
    cls = hidden[:, 0]  # (B, D)
    x = cls @ weights["pooler.weight"].T + weights["pooler.bias"]  # (B, D)
    pooled = np.tanh(x)
    return pooled @ weights["classifier.weight"].T + weights["classifier.bias"]  # (B, C)


def plain_choice(hidden: np.ndarray, weights: dict[str, np.ndarray], num_choices: int) -> np.ndarray:
    """Return the scores of the options (B, C), as `choice_logits` should."""
    scores = plain(hidden, weights)[:, 0]  # (B * C,)
    return scores.reshape(-1, num_choices)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


PIECES = """
$pool = cls @ weights["pooler.weight"].T + weights["pooler.bias"]
$score = pooled @ weights["classifier.weight"].T + weights["classifier.bias"]
$rows = scores.reshape(-1, num_choices)
"""

CLASSIFIER = edits(
    plain,
    PIECES
    + """
the tanh is missing. Without it, the two linear maps act like a single one.
    np.tanh(x) => x
the pooler is missing. Apply a linear map and a tanh before the classifier.
    $pool => cls
    np.tanh(x) => x
the pooler's linear map is missing. Apply it before the tanh.
    $pool => cls
the pooler's activation is GELU in your answer. BERT's pooler uses tanh.
    np.tanh(x) => gelu(x)
the pooler's activation is ReLU in your answer. BERT's pooler uses tanh.
    np.tanh(x) => np.maximum(x, 0)
the pooler's activation is the sigmoid in your answer. BERT's pooler uses tanh.
    np.tanh(x) => sigmoid(x)
the pooler's activation is the softmax in your answer. BERT's pooler uses tanh.
    np.tanh(x) => softmax(x)
the pooler's activation is arctan in your answer. BERT's pooler uses tanh.
    np.tanh(x) => np.arctan(x)
the pooler's activation is a shifted sigmoid in your answer. BERT's pooler uses tanh.
    np.tanh(x) => 2 * sigmoid(x) - 1
the pooler's activation clips x at -1 and 1 in your answer. Use np.tanh.
    np.tanh(x) => np.clip(x, -1, 1)
the exponentials in your tanh overflow for large inputs. Use np.tanh, which does not overflow.
    np.tanh(x) => (np.exp(x) - np.exp(-x)) / (np.exp(x) + np.exp(-x))
you add the input to the pooler's output. The classifier reads the pooler's output only.
    np.tanh(x) => np.tanh(x) + cls
you apply the pooler twice. Only one linear map and one tanh come before the classifier.
    np.tanh(x) => np.tanh(np.tanh(x) @ weights["pooler.weight"].T + weights["pooler.bias"])
the tanh comes at the end. Put it between the two linear maps, because logits are not limited to a range.
    np.tanh(x) => x
    $score => np.tanh($score)
you apply a second tanh at the end. Return the logits as they are: they are not limited to a range.
    return np.tanh(result)
pooler.weight is not transposed. Each of its rows computes one output number.
    weights["pooler.weight"].T => weights["pooler.weight"]
you multiply in the wrong order. Each row of the input is a vector, so the transposed weights come second.
    cls @ weights["pooler.weight"].T => weights["pooler.weight"] @ cls
you add pooler.bias after the tanh. Add it before the tanh: it belongs to the linear map.
    + weights["pooler.bias"] =>
    np.tanh(x) => np.tanh(x) + weights["pooler.bias"]
classifier.weight is not transposed. Each of its rows computes one output number.
    weights["classifier.weight"].T => weights["classifier.weight"]
your answer reads the last token. Read [CLS], the first one.
    hidden[:, 0] => hidden[:, -1]
your answer reads the second token. Read [CLS], the first one.
    hidden[:, 0] => hidden[:, :2][:, -1]
you take the mean over all tokens. BERT's pooler reads only [CLS].
    hidden[:, 0] => hidden.mean(1)
you take the mean over all tokens except the first. BERT's pooler reads only [CLS].
    hidden[:, 0] => hidden[:, 1:].mean(1)
you take the maximum over all tokens. BERT's pooler reads only [CLS].
    hidden[:, 0] => hidden.max(1)
you take the sum over all tokens. BERT's pooler reads only [CLS].
    hidden[:, 0] => hidden.sum(1)
you read the first sequence of the batch. Read the first token of every sequence.
    hidden[:, 0] => hidden[0]
you return logits for every token. Read only [CLS].
    hidden[:, 0] => hidden
both biases are missing. Each linear map adds its own bias.
    + weights["pooler.bias"] =>
    + weights["classifier.bias"] =>
pooler.bias is missing. The pooler's linear map adds it.
    + weights["pooler.bias"] =>
classifier.bias is missing. The classifier's linear map adds it.
    + weights["classifier.bias"] =>
you add classifier.bias twice, or instead of pooler.bias. Each linear map adds its own bias.
    + weights["classifier.bias"] => + 2 * weights["classifier.bias"]
you return probabilities. Return the logits without a softmax, because the loss applies it.
    return softmax(result)
you apply a softmax over the sequences of the batch. Return the logits as they are.
    return softmax(result, axis=0)
you subtract the largest logit of each sequence. Return the logits as they are.
    return result - result.max(-1, keepdims=True)
you divide by the square root of D. Only attention is scaled in this way.
    return result / np.sqrt(hidden.shape[-1])
you round the logits. Return them as they are.
    return np.round(result, {0 | 1 | 2 | 3})
you return log-probabilities. Return the logits without a softmax, because the loss applies it.
    return np.log(softmax(result))
you apply a sigmoid to the logits. Return the logits as they are.
    return sigmoid(result)
you return labels. Return the logits of all labels, (B, C); the label with the largest logit is chosen later.
    return result.argmax(-1)
you return the pooled vector, (B, D). Apply the classifier to it, to get (B, C).
    $score => pooled
you return the logits transposed, (C, B). Return (B, C).
    return result.T
you remove axes of size 1. Keep the shape (B, C), even for one sequence or one label.
    return np.squeeze(result)
""",
    gelu=gelu,
    softmax=softmax,
)

CHOICE = edits(
    plain_choice,
    PIECES
    + """
you mix up the options of different examples. The options of an example are adjacent rows.
    $rows => scores.reshape(num_choices, -1).T
you return (C, B), with one row per option. Return one row per example, (B, C).
    return result.T
you return (C, B), and options of different examples share a column. Return one row per example.
    $rows => scores.reshape(num_choices, -1)
you return one score per row, (B * C, 1). Put the options of an example into one row: (B, C).
    $rows => scores[:, None]
you return all scores in one long list, (B * C,). Put the options of an example into one row: (B, C).
    $rows => scores
your result has one axis too many, (B, C, 1). Remove the last one.
    return result[..., None]
you return probabilities. Return the scores before the softmax.
    return softmax(result)
you return probabilities over all sequences of the batch. Return the scores: the softmax over the options of
an example comes later.
    scores.reshape => softmax(scores).reshape
you return probabilities over the examples. Return the scores: the softmax over the options comes later.
    return softmax(result, axis=0)
you apply a softmax to each score separately, which always gives 1. Return the scores.
    return np.ones_like(result)
you apply a sigmoid to the scores. Return the scores as they are.
    return sigmoid(result)
you subtract the largest score of each example. Return the scores as they are.
    return result - result.max(-1, keepdims=True)
you return the chosen options. Return the scores of all options, (B, C).
    return result.argmax(-1)
you return log-probabilities. Return the scores before the softmax.
    return np.log(softmax(result))
you subtract the mean score of each example. Return the scores as they are.
    return result - result.mean(-1, keepdims=True)
the options of each example are in reverse order. Keep the order of the rows of `hidden`.
    return result[:, ::-1]
the examples are in reverse order. Keep the order of the rows of `hidden`.
    return result[::-1]
you sort the scores. Keep each score at the position of its option.
    return np.sort(result, -1)
you return ranks. Return the scores themselves.
    return result.argsort(-1).argsort(-1)
you return 1 for the chosen option and 0 for the others. Return the scores of all options.
    return np.eye(num_choices)[result.argmax(-1)]
you return only the best score of each example. Return the scores of all options, (B, C).
    return result.max(-1)
you apply a second tanh at the end. Return the scores as they are: they are not limited to a range.
    return np.tanh(result)
you score only the first option of each example. Score every sequence.
    return result[:, :1]
you always use four options. Use the argument num_choices.
    $rows => scores.reshape(-1, 4)
you always use two options. Use the argument num_choices.
    $rows => scores.reshape(-1, 2)
the pooler's tanh is missing. Call your classifier_logits, which has it.
    np.tanh(x) => x
classifier.bias is missing. Call your classifier_logits, which adds it.
    + weights["classifier.bias"] =>
pooler.bias is missing. Call your classifier_logits, which adds it.
    + weights["pooler.bias"] =>
the pooler is missing. Call your classifier_logits, which has it.
    $pool => cls
    np.tanh(x) => x
you take the mean over all tokens. Read only [CLS], the first token.
    cls = hidden[:, 0] => cls = hidden.mean(1)
your answer reads the last token. Read [CLS], the first token.
    cls = hidden[:, 0] => cls = hidden[:, -1]
""",
    plain,
    softmax=softmax,
)
