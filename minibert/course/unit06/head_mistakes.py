"""Known mistakes about `classifier_logits` and `choice_logits`, the heads of whole sequences.

Devlin et al. (2019, arXiv 1810.04805), sections 4.1 and 4.4. Axes: B examples, T tokens, D hidden, C labels
or options.
"""

from collections.abc import Callable

import numpy as np

from minibert.reference import classifier_head, gelu, softmax

from ..checks.exercise import Mistake


def first_token(hidden: np.ndarray) -> np.ndarray:
    return hidden[:, 0]  # (B, D)


def header(
    read: Callable = first_token,
    pool: Callable = lambda x, w, b: x @ w.T + b,
    bend: Callable = np.tanh,
    score: Callable = lambda x, w, b: x @ w.T + b,
    after: Callable = lambda logits: logits,
) -> Callable:
    """Build `classifier_logits` with some of its steps replaced."""

    def wrong(hidden, weights):
        pooled = bend(pool(read(hidden), weights["pooler.weight"], weights["pooler.bias"]))
        return after(score(pooled, weights["classifier.weight"], weights["classifier.bias"]))

    return wrong


def same(x: np.ndarray) -> np.ndarray:
    return x


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def tanh_by_parts(x: np.ndarray) -> np.ndarray:
    """tanh as its formula stands, which divides infinity by infinity for large numbers."""
    return (np.exp(x) - np.exp(-x)) / (np.exp(x) + np.exp(-x))


def residual(hidden: np.ndarray, weights: dict[str, np.ndarray]) -> np.ndarray:
    """The logits with [CLS] added to its own pooled vector."""
    cls = first_token(hidden)
    return header(bend=lambda x: np.tanh(x) + cls)(hidden, weights)


def pooled_twice(hidden: np.ndarray, weights: dict[str, np.ndarray]) -> np.ndarray:
    pool, bias = weights["pooler.weight"], weights["pooler.bias"]
    return header(bend=lambda x: np.tanh(np.tanh(x) @ pool.T + bias))(hidden, weights)


CLASSIFIER = (
    Mistake(
        "the tanh is missing. Without it, the two linear maps are one: the pooler adds nothing.",
        header(bend=same),
    ),
    Mistake(
        "the pooler is missing: a linear map and a tanh come before the classifier.",
        header(pool=lambda x, w, b: x, bend=same),
    ),
    Mistake("the pooler's linear map is missing; here is its tanh alone.", header(pool=lambda x, w, b: x)),
    *(
        Mistake(
            f"the pooler's activation is {name} in your answer. BERT's pooler takes tanh.", header(bend=bend)
        )
        for name, bend in (
            ("GELU", gelu),
            ("ReLU", lambda x: np.maximum(x, 0)),
            ("the sigmoid", sigmoid),
            ("the softmax", softmax),
            ("arctan", np.arctan),
            ("2 sigmoid(x) - 1", lambda x: 2 * sigmoid(x) - 1),
        )
    ),
    Mistake(
        "tanh is cut off at -1 and 1 in your answer, and straight between them. Take np.tanh.",
        header(bend=lambda x: np.clip(x, -1, 1)),
    ),
    Mistake(
        "the exponentials of your tanh overflow for large numbers. np.tanh does not.",
        header(bend=tanh_by_parts),
    ),
    Mistake(
        "the input is added to what the pooler gives. The classifier reads the pooler's output alone.",
        residual,
    ),
    Mistake("the pooler stands twice. One linear map and one tanh come before the classifier.", pooled_twice),
    Mistake(
        "the tanh stands at the end. It belongs between the two linear maps; logits may be any number.",
        header(bend=same, after=np.tanh),
    ),
    Mistake("there is a second tanh, at the end. Logits may be any number.", header(after=np.tanh)),
    Mistake(
        "pooler.weight is the wrong way round. A row of it makes one number: x @ W.T + b.",
        header(pool=lambda x, w, b: x @ w + b),
    ),
    Mistake(
        "W @ x is for a single vector. Here each row of x is one: x @ W.T + b.",
        header(pool=lambda x, w, b: w @ x + b),
    ),
    Mistake(
        "pooler.bias is added after the tanh. It belongs to the linear map before it.",
        header(pool=lambda x, w, b: np.tanh(x @ w.T) + b, bend=same),
    ),
    Mistake(
        "classifier.weight is the wrong way round. A row of it makes one number: x @ W.T + b.",
        header(score=lambda x, w, b: x @ w + b),
    ),
    Mistake(
        "this reads the last token. [CLS] is the first one: hidden[:, 0].", header(read=lambda h: h[:, -1])
    ),
    Mistake(
        "this reads the second token. [CLS] is the first one: hidden[:, 0].",
        header(read=lambda h: h[:, min(1, h.shape[1] - 1)]),
    ),
    Mistake(
        "this is the mean over all tokens. BERT's pooler reads [CLS] alone: hidden[:, 0].",
        header(read=lambda h: h.mean(1)),
    ),
    Mistake(
        "this is the mean over all tokens but the first. BERT's pooler reads [CLS] alone: hidden[:, 0].",
        header(read=lambda h: h[:, 1:].mean(1)),
    ),
    Mistake(
        "this is the largest value over all tokens. BERT's pooler reads [CLS] alone: hidden[:, 0].",
        header(read=lambda h: h.max(1)),
    ),
    Mistake(
        "this is the sum over all tokens. BERT's pooler reads [CLS] alone: hidden[:, 0].",
        header(read=lambda h: h.sum(1)),
    ),
    Mistake(
        "hidden[0] is the first sequence of the batch. The first token of every sequence is hidden[:, 0].",
        header(read=lambda h: h[0]),
    ),
    Mistake("there are logits for every token. Only [CLS], hidden[:, 0], is read.", header(read=same)),
    Mistake("both biases are missing.", header(pool=lambda x, w, b: x @ w.T, score=lambda x, w, b: x @ w.T)),
    Mistake("pooler.bias is missing.", header(pool=lambda x, w, b: x @ w.T)),
    Mistake("classifier.bias is missing.", header(score=lambda x, w, b: x @ w.T)),
    Mistake(
        "classifier.bias is added twice, or pooler.bias is missing and classifier.bias stands in for it.",
        header(score=lambda x, w, b: x @ w.T + 2 * b),
    ),
    Mistake(
        "these are probabilities. Heads return logits, without a softmax: the loss takes it.",
        header(after=softmax),
    ),
    Mistake(
        "there is a softmax over the sequences of the batch. Heads return logits, which may be any number.",
        header(after=lambda x: softmax(x, axis=0)),
    ),
    Mistake(
        "the largest logit of each sequence is taken away. Return the logits as they are.",
        header(after=lambda x: x - x.max(-1, keepdims=True)),
    ),
    Mistake(
        "the pooled vector, or the logits, are divided by the root of D. Only attention does that.",
        lambda hidden, weights: header()(hidden, weights) / np.sqrt(hidden.shape[-1]),
    ),
    *(
        Mistake(
            "the logits are rounded. Return them as they are.",
            header(after=lambda x, digits=digits: np.round(x, digits)),
        )
        for digits in (0, 1, 2, 3)
    ),
    Mistake(
        "these are log-probabilities. Heads return logits: the loss takes the softmax.",
        header(after=lambda x: np.log(softmax(x))),
    ),
    Mistake(
        "these went through a sigmoid. Heads return logits, which may be any number.", header(after=sigmoid)
    ),
    Mistake(
        "these are labels. Return the logits of all labels, (B, C); the largest one is looked for later.",
        header(after=lambda x: x.argmax(-1)),
    ),
    Mistake(
        "this is the pooled vector, (B, D). The classifier is still to come.", header(score=lambda x, w, b: x)
    ),
    Mistake("these are the logits transposed, (C, B). Return (B, C).", header(after=np.transpose)),
    Mistake(
        "axes of length 1 are gone. Keep (B, C), also for one sequence or one label.",
        header(after=np.squeeze),
    ),
)


def scores(hidden: np.ndarray, weights: dict[str, np.ndarray]) -> np.ndarray:
    """One score per sequence, (B * C,)."""
    return classifier_head(hidden, weights)[:, 0]


def chooser(
    score: Callable = scores, shape: Callable = lambda s, C: s.reshape(-1, C), after: Callable = lambda s: s
) -> Callable:
    """Build `choice_logits` with some of its steps replaced."""

    def wrong(hidden, weights, num_choices):
        return after(shape(score(hidden, weights), num_choices))

    return wrong


def scored(**changes: Callable) -> Callable:
    """Build the scores of a head with some of its steps replaced."""
    head = header(**changes)
    return lambda hidden, weights: head(hidden, weights)[:, 0]


def centred(hidden: np.ndarray, weights: dict[str, np.ndarray], num_choices: int) -> np.ndarray:
    logits = chooser()(hidden, weights, num_choices)
    return logits - logits.max(-1, keepdims=True)


CHOICE = (
    Mistake(
        "the options of an example are mixed up with those of others. They stand one after the other: "
        "scores.reshape(B, C), not reshape(C, B) turned round.",
        chooser(shape=lambda s, C: s.reshape(C, -1).T),
    ),
    Mistake(
        "this is (C, B): one row an option. Return one row an example, (B, C).",
        chooser(shape=lambda s, C: s.reshape(-1, C).T),
    ),
    Mistake(
        "this is (C, B), and options of different examples share a column. Return one row an example: "
        "reshape(B, C).",
        chooser(shape=lambda s, C: s.reshape(C, -1)),
    ),
    Mistake(
        "the scores are still one a row, (B * C, 1). Options of one example belong in one row: (B, C).",
        chooser(shape=lambda s, C: s[:, None]),
    ),
    Mistake(
        "the scores are still one a row, (B * C,). Options of one example belong in one row: (B, C).",
        chooser(shape=lambda s, C: s),
    ),
    Mistake(
        "there is one axis too many: (B, C, 1). Drop the last one.",
        chooser(shape=lambda s, C: s.reshape(-1, C, 1)),
    ),
    Mistake("these are probabilities. Return the scores before the softmax.", chooser(after=softmax)),
    Mistake(
        "these are probabilities over all sequences of the batch. Return the scores; a softmax over an "
        "example's options comes later.",
        chooser(score=lambda h, w: softmax(scores(h, w))),
    ),
    Mistake(
        "these are probabilities over the examples. Return the scores; the softmax that comes later runs "
        "over the options.",
        chooser(after=lambda s: softmax(s, axis=0)),
    ),
    Mistake(
        "each score went through a softmax of its own. Of one number that is always 1.",
        chooser(score=lambda h, w: np.ones(len(h), h.dtype)),
    ),
    Mistake("each score went through a sigmoid. Return the scores as they are.", chooser(after=sigmoid)),
    Mistake("the largest score of each example is taken away. Return the scores as they are.", centred),
    Mistake(
        "these are the chosen options. Return the scores of all, (B, C).",
        chooser(after=lambda s: s.argmax(-1)),
    ),
    Mistake(
        "these are log-probabilities. Return the scores before the softmax.",
        chooser(after=lambda s: np.log(softmax(s))),
    ),
    Mistake(
        "the mean of each example is taken away. Return the scores as they are.",
        chooser(after=lambda s: s - s.mean(-1, keepdims=True)),
    ),
    Mistake(
        "the options of each example stand in reverse order. Keep the order of the sequences.",
        chooser(after=lambda s: s[:, ::-1]),
    ),
    Mistake(
        "the examples stand in reverse order. Keep the order of the sequences.",
        chooser(after=lambda s: s[::-1]),
    ),
    Mistake(
        "the scores are sorted. An option's score stands at the option's place.",
        chooser(after=lambda s: np.sort(s, -1)),
    ),
    Mistake(
        "these are ranks. Return the scores themselves.", chooser(after=lambda s: s.argsort(-1).argsort(-1))
    ),
    Mistake(
        "these are 0, and 1 for the chosen option. Return the scores of all options.",
        chooser(after=lambda s: np.eye(s.shape[-1])[s.argmax(-1)]),
    ),
    Mistake(
        "this is the best score of each example. Return the scores of all options, (B, C).",
        chooser(after=lambda s: s.max(-1)),
    ),
    Mistake("there is a second tanh, at the end. Scores may be any number.", chooser(after=np.tanh)),
    Mistake(
        "only the first option of each example is scored. Each sequence has a score.",
        chooser(shape=lambda s, C: s[::C, None]),
    ),
    Mistake(
        "there are four options in your answer, whatever num_choices is.",
        chooser(shape=lambda s, C: s.reshape(-1, 4)),
    ),
    Mistake(
        "there are two options in your answer, whatever num_choices is.",
        chooser(shape=lambda s, C: s.reshape(-1, 2)),
    ),
    Mistake(
        "the tanh of the pooler is missing. Your classifier_logits has it.", chooser(score=scored(bend=same))
    ),
    Mistake(
        "classifier.bias is missing. Your classifier_logits has it.",
        chooser(score=scored(score=lambda x, w, b: x @ w.T)),
    ),
    Mistake(
        "pooler.bias is missing. Your classifier_logits has it.",
        chooser(score=scored(pool=lambda x, w, b: x @ w.T)),
    ),
    Mistake(
        "the pooler is missing. Your classifier_logits has it.",
        chooser(score=scored(pool=lambda x, w, b: x, bend=same)),
    ),
    Mistake("this reads the mean over tokens, not [CLS].", chooser(score=scored(read=lambda h: h.mean(1)))),
    Mistake("this reads the last token, not [CLS].", chooser(score=scored(read=lambda h: h[:, -1]))),
)
