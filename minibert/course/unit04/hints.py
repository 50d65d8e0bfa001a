"""Three hints for each exercise of unit 04, from a nudge to almost the whole line.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "mlm_loss": (
        "Only positions with a label count: take them out first, and forget the rest. What is log p of one "
        "token, in terms of the logits there?",
        "`logits[labels != -100]` keeps the positions that count, as an array (N, V). log p is the logit "
        "minus log(sum of exp(logits)). Subtract each position's largest logit first: nothing changes, and "
        "no exp overflows.",
        "With scores (N, V), the largest subtracted, and ids (N,): `logs = scores - "
        "np.log(np.exp(scores).sum(-1, keepdims=True))`. One number of each row is "
        "`logs[np.arange(len(ids)), ids]`. The loss is minus their mean.",
    ),
    "colleague_losses": (
        "There are two kinds of positions. What is -log p in each? Which of them does she average, and which "
        "does the right loss?",
        "Where nothing was chosen she asks for [PAD], which has 0.99. A chosen token is one of 30,521 that "
        "share 0.01. Her mean runs over both kinds.",
        "-log p is `-np.log(0.99)` for [PAD] and `-np.log(0.01 / 30521)` for a chosen token. Weigh them for "
        "her with the shares of both kinds of positions; the right loss knows one kind only.",
    ),
    "test_mlm_loss": (
        "What must hold of every masked loss, and of no other function? Say it in a sentence, and turn it "
        "into an `assert`.",
        "Make the logits the logarithms of small whole numbers, such as 1, 2 and 5: then p is 1/8, 2/8 and "
        "5/8. Ask for different numbers of tokens in two sequences, for id 0 among them, and for nothing at "
        "some places.",
        "Compare with `np.isclose` to -np.mean(np.log([...])) of the right p's. Logits 1000 and 0 with label "
        "0 give the loss 0, with label 1 the loss 1000. And compare the logits with a copy made before.",
    ),
    "nsp_loss": (
        "Two labels are a very small vocabulary.",
        "It is the same loss: a softmax over the last axis, -log p of the label, the mean over the examples. "
        "No example is left out, and both labels count.",
        "If your `mlm_loss` looks at the last axis and at the labels only, it can be called as it is. If it "
        "wants a sequence of tokens, give it one: `logits[None]` is (1, B, 2), and `labels[None]` is (1, "
        "B).",
    ),
    "pretraining_loss": (
        "`check.pretraining_loss.examine(...)` says what holds and what does not. Take one sentence that is "
        "BROKEN, and follow the data: whose states are gathered, what does the second question read, and how "
        "do two losses become one?",
        "After the reshape, which sequences of the batch can a place from 0 to T - 1 reach? Which state is "
        "that of [CLS]? And what do two means become, when each is weighted by its number of labels?",
        "`hidden[np.arange(B)[:, None], places]` takes each sequence's own places; the second question reads "
        "`hidden[:, 0]`; and the loss is `mlm + nsp`.",
    ),
    "nsp_examples": (
        "Let i be the place of A in its document. Where is the next A after a pair with label 0, and where "
        "after one with label 1?",
        "`for d, doc in enumerate(docs)`, and inside it `while i < len(doc)`: i goes on by 2 after label 0, "
        "by 1 after label 1. For another document draw `e = rng.integers(len(docs))`, and draw again while e "
        "is d.",
        "Label 0 if `i + 1 < len(doc) and rng.random() < 0.5`: B is `doc[i + 1]`. Else label 1: B is a "
        "sentence of `docs[e]`, at the place `rng.integers(len(docs[e]))`.",
    ),
    "sop_examples": (
        "Which sentences begin a pair, in a document of one, two, three, four? And what does the coin decide "
        "about a pair?",
        "`range(0, len(doc) - 1, 2)` are the places of the first sentence of each pair. Try it for lengths "
        "1, 2 and 3.",
        "For each such i let `a, b = doc[i], doc[i + 1]`. If `rng.random() < 0.5`, the pair is (a, b) with "
        "label 0; else turn it round, with the other label.",
    ),
    "structbert_examples": (
        "For A at place i of a document: which labels are possible, if i is the first place, the last one, "
        "both, or neither?",
        "Collect the labels that are possible: 2 always, 0 if `i + 1 < len(doc)`, 1 if `i > 0`. Then one "
        "draw among them: `rng.choice(possible)` or `possible[rng.integers(len(possible))]`.",
        "B is `doc[i + 1]` for label 0, `doc[i - 1]` for label 1. For label 2 draw e among the documents, "
        "again while it is A's own, and take `docs[e][rng.integers(len(docs[e]))]`.",
    ),
}
