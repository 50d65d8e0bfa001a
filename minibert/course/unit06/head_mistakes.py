"""Known mistakes about `classifier_logits` and `choice_logits`, the heads of whole sequences.

Devlin et al. (2019, arXiv 1810.04805), sections 4.1 and 4.4. Axes: B examples, T tokens, D hidden, C labels
or options.
"""

import numpy as np

from minibert.reference import gelu, softmax

from ..checks.edits import edits


def plain(hidden: np.ndarray, weights: dict[str, np.ndarray]) -> np.ndarray:
    """`classifier_logits`, step by step."""
    cls = hidden[:, 0]  # (B, D)
    x = cls @ weights["pooler.weight"].T + weights["pooler.bias"]  # (B, D)
    pooled = np.tanh(x)
    return pooled @ weights["classifier.weight"].T + weights["classifier.bias"]  # (B, C)


def plain_choice(hidden: np.ndarray, weights: dict[str, np.ndarray], num_choices: int) -> np.ndarray:
    """`choice_logits`, step by step."""
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
the tanh is missing. Without it, the two linear maps are one: the pooler adds nothing.
    np.tanh(x) => x
the pooler is missing: a linear map and a tanh come before the classifier.
    $pool => cls
    np.tanh(x) => x
the pooler's linear map is missing; here is its tanh alone.
    $pool => cls
the pooler's activation is GELU in your answer. BERT's pooler takes tanh.
    np.tanh(x) => gelu(x)
the pooler's activation is ReLU in your answer. BERT's pooler takes tanh.
    np.tanh(x) => np.maximum(x, 0)
the pooler's activation is the sigmoid in your answer. BERT's pooler takes tanh.
    np.tanh(x) => sigmoid(x)
the pooler's activation is the softmax in your answer. BERT's pooler takes tanh.
    np.tanh(x) => softmax(x)
the pooler's activation is arctan in your answer. BERT's pooler takes tanh.
    np.tanh(x) => np.arctan(x)
the pooler's activation is 2 sigmoid(x) - 1 in your answer. BERT's pooler takes tanh.
    np.tanh(x) => 2 * sigmoid(x) - 1
tanh is cut off at -1 and 1 in your answer, and straight between them. Take np.tanh.
    np.tanh(x) => np.clip(x, -1, 1)
the exponentials of your tanh overflow for large numbers. np.tanh does not.
    np.tanh(x) => (np.exp(x) - np.exp(-x)) / (np.exp(x) + np.exp(-x))
the input is added to what the pooler gives. The classifier reads the pooler's output alone.
    np.tanh(x) => np.tanh(x) + cls
the pooler is applied twice. One linear map and one tanh come before the classifier.
    np.tanh(x) => np.tanh(np.tanh(x) @ weights["pooler.weight"].T + weights["pooler.bias"])
the tanh comes at the end. It belongs between the two linear maps; logits may be any number.
    np.tanh(x) => x
    $score => np.tanh($score)
there is a second tanh, at the end. Logits may be any number.
    return np.tanh(result)
pooler.weight is the wrong way round. A row of it makes one number: x @ W.T + b.
    weights["pooler.weight"].T => weights["pooler.weight"]
W @ x is for a single vector. Here each row of x is one: x @ W.T + b.
    cls @ weights["pooler.weight"].T => weights["pooler.weight"] @ cls
pooler.bias is added after the tanh. It belongs to the linear map before it.
    + weights["pooler.bias"] =>
    np.tanh(x) => np.tanh(x) + weights["pooler.bias"]
classifier.weight is the wrong way round. A row of it makes one number: x @ W.T + b.
    weights["classifier.weight"].T => weights["classifier.weight"]
this reads the last token. [CLS] is the first one: hidden[:, 0].
    hidden[:, 0] => hidden[:, -1]
this reads the second token. [CLS] is the first one: hidden[:, 0].
    hidden[:, 0] => hidden[:, :2][:, -1]
this is the mean over all tokens. BERT's pooler reads [CLS] alone: hidden[:, 0].
    hidden[:, 0] => hidden.mean(1)
this is the mean over all tokens but the first. BERT's pooler reads [CLS] alone: hidden[:, 0].
    hidden[:, 0] => hidden[:, 1:].mean(1)
this is the largest value over all tokens. BERT's pooler reads [CLS] alone: hidden[:, 0].
    hidden[:, 0] => hidden.max(1)
this is the sum over all tokens. BERT's pooler reads [CLS] alone: hidden[:, 0].
    hidden[:, 0] => hidden.sum(1)
hidden[0] is the first sequence of the batch. The first token of every sequence is hidden[:, 0].
    hidden[:, 0] => hidden[0]
there are logits for every token. Only [CLS], hidden[:, 0], is read.
    hidden[:, 0] => hidden
both biases are missing.
    + weights["pooler.bias"] =>
    + weights["classifier.bias"] =>
pooler.bias is missing.
    + weights["pooler.bias"] =>
classifier.bias is missing.
    + weights["classifier.bias"] =>
classifier.bias is added twice, or classifier.bias is added in place of pooler.bias.
    + weights["classifier.bias"] => + 2 * weights["classifier.bias"]
these are probabilities. Heads return logits, without a softmax: the loss takes it.
    return softmax(result)
there is a softmax over the sequences of the batch. Heads return logits, which may be any number.
    return softmax(result, axis=0)
the largest logit of each sequence is taken away. Return the logits as they are.
    return result - result.max(-1, keepdims=True)
the pooled vector, or the logits, are divided by the root of D. Only attention does that.
    return result / np.sqrt(hidden.shape[-1])
the logits are rounded. Return them as they are.
    return np.round(result, {0 | 1 | 2 | 3})
these are log-probabilities. Heads return logits: the loss takes the softmax.
    return np.log(softmax(result))
these went through a sigmoid. Heads return logits, which may be any number.
    return sigmoid(result)
these are labels. Return the logits of all labels, (B, C); the largest one is looked for later.
    return result.argmax(-1)
this is the pooled vector, (B, D). The classifier is still to come.
    $score => pooled
these are the logits transposed, (C, B). Return (B, C).
    return result.T
axes of length 1 are gone. Keep (B, C), also for one sequence or one label.
    return np.squeeze(result)
""",
    gelu=gelu,
    softmax=softmax,
)

CHOICE = edits(
    plain_choice,
    PIECES
    + """
the options of an example are mixed up with those of others. They follow one another: scores.reshape(B, C),
not reshape(C, B) transposed.
    $rows => scores.reshape(num_choices, -1).T
this is (C, B): one row an option. Return one row an example, (B, C).
    return result.T
this is (C, B), and options of different examples share a column. Return one row an example: reshape(B, C).
    $rows => scores.reshape(num_choices, -1)
the scores are still one a row, (B * C, 1). Options of one example belong in one row: (B, C).
    $rows => scores[:, None]
the scores are still one a row, (B * C,). Options of one example belong in one row: (B, C).
    $rows => scores
there is one axis too many: (B, C, 1). Drop the last one.
    return result[..., None]
these are probabilities. Return the scores before the softmax.
    return softmax(result)
these are probabilities over all sequences of the batch. Return the scores; a softmax over an example's
options comes later.
    scores.reshape => softmax(scores).reshape
these are probabilities over the examples. Return the scores; the softmax that comes later runs over the
options.
    return softmax(result, axis=0)
each score went through a softmax of its own. Of one number that is always 1.
    return np.ones_like(result)
each score went through a sigmoid. Return the scores as they are.
    return sigmoid(result)
the largest score of each example is taken away. Return the scores as they are.
    return result - result.max(-1, keepdims=True)
these are the chosen options. Return the scores of all, (B, C).
    return result.argmax(-1)
these are log-probabilities. Return the scores before the softmax.
    return np.log(softmax(result))
the mean of each example is taken away. Return the scores as they are.
    return result - result.mean(-1, keepdims=True)
the options of each example are in reverse order. Keep the order of the sequences.
    return result[:, ::-1]
the examples are in reverse order. Keep the order of the sequences.
    return result[::-1]
the scores are sorted. An option's score belongs at the option's place.
    return np.sort(result, -1)
these are ranks. Return the scores themselves.
    return result.argsort(-1).argsort(-1)
these are 0, and 1 for the chosen option. Return the scores of all options.
    return np.eye(num_choices)[result.argmax(-1)]
this is the best score of each example. Return the scores of all options, (B, C).
    return result.max(-1)
there is a second tanh, at the end. Scores may be any number.
    return np.tanh(result)
only the first option of each example is scored. Each sequence has a score.
    return result[:, :1]
there are four options in your answer, whatever num_choices is.
    $rows => scores.reshape(-1, 4)
there are two options in your answer, whatever num_choices is.
    $rows => scores.reshape(-1, 2)
the tanh of the pooler is missing. Your classifier_logits has it.
    np.tanh(x) => x
classifier.bias is missing. Your classifier_logits has it.
    + weights["classifier.bias"] =>
pooler.bias is missing. Your classifier_logits has it.
    + weights["pooler.bias"] =>
the pooler is missing. Your classifier_logits has it.
    $pool => cls
    np.tanh(x) => x
this reads the mean over tokens, not [CLS].
    cls = hidden[:, 0] => cls = hidden.mean(1)
this reads the last token, not [CLS].
    cls = hidden[:, 0] => cls = hidden[:, -1]
""",
    plain,
    softmax=softmax,
)
