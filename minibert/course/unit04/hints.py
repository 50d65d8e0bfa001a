"""Three hints for each exercise of unit 04, from a nudge to nearly the full line of code.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "mlm_loss": (
        "Only positions with a label count: select them first, and ignore the rest. How do you compute log "
        "p of one token from the logits at its position?",
        "`logits[labels != -100]` keeps the positions with a label, as an array (N, V). log p is the logit "
        "minus log(sum of exp(logits)). First subtract the largest logit of each position: the result does "
        "not change, and exp cannot overflow.",
        "Let `scores` (N, V) be the logits minus their largest, and `ids` (N,) the labels. Then `logs = "
        "scores - np.log(np.exp(scores).sum(-1, keepdims=True))`, and `logs[np.arange(len(ids)), ids]` "
        "picks one number from each row. The loss is minus their mean.",
    ),
    "colleague_losses": (
        "There are two kinds of positions. What is -log p in each of them? Which of them does her function "
        "average, and which does the correct loss?",
        "At positions that were not chosen, her label is [PAD], which has the probability 0.99. A chosen "
        "token is one of 30,521 that share 0.01. Her mean runs over both kinds of positions.",
        "-log p is `-np.log(0.99)` for [PAD] and `-np.log(0.01 / 30521)` for a chosen token. Her number is "
        "the average, weighted with the shares of the two kinds of positions; the correct loss has only "
        "one kind.",
    ),
    "test_mlm_loss": (
        "What is true of every masked loss, and of no other function? Say it in a sentence, and turn it "
        "into an `assert`.",
        "Use the logarithms of small integers as logits, such as 1, 2 and 5: then p is 1/8, 2/8 and 5/8. "
        "Give two sequences different numbers of labels, include the label 0, and leave some positions "
        "without a label.",
        "Compare the loss with -np.mean(np.log([...])) of the expected probabilities, using `np.isclose`. "
        "Logits 1000 and 0 have the loss 0 with label 0, and 1000 with label 1. And compare the logits "
        "with a copy that you made before the call.",
    ),
    "nsp_loss": (
        "Think of the two labels as a very small vocabulary.",
        "It is the same loss: a softmax over the last axis, -log p of the label, the mean over the "
        "examples. Every example counts, with either label.",
        "If your `mlm_loss` uses only the last axis and the labels, you can call it as it is. If it needs "
        "a sequence of tokens, add an axis: `logits[None]` is (1, B, 2), and `labels[None]` is (1, B).",
    ),
    "pretraining_loss": (
        "`check.pretraining_loss.examine(...)` lists what works and what does not. Take one line marked "
        "BROKEN, and follow the data: which states are gathered, which state does next sentence prediction "
        "use, and how are the two losses combined?",
        "After the reshape, which sequences of the batch can a position from 0 to T - 1 reach? Which state "
        "is that of [CLS]? And what happens to the two means if each is weighted by its number of labels?",
        "`hidden[np.arange(B)[:, None], places]` takes the positions of each sequence from that sequence; "
        "next sentence prediction uses `hidden[:, 0]`; and the loss is `mlm + nsp`.",
    ),
    "nsp_examples": (
        "Let i be the index of A in its document. What is the index of the next A after a pair with label "
        "0, and after a pair with label 1?",
        "`for d, doc in enumerate(docs)`, and inside it `while i < len(doc)`: increase i by 2 after label "
        "0, and by 1 after label 1. For another document, draw `e = rng.integers(len(docs))`, and draw "
        "again while e is d.",
        "Label 0 if `i + 1 < len(doc) and rng.random() < 0.5`: B is `doc[i + 1]`. Otherwise label 1: B is "
        "a sentence of `docs[e]`, at the index `rng.integers(len(docs[e]))`.",
    ),
    "sop_examples": (
        "Which sentences are the first of a pair, in a document of one, two, three or four sentences? And "
        "what does the coin decide about a pair?",
        "`range(0, len(doc) - 1, 2)` gives the index of the first sentence of each pair. Try it for "
        "lengths 1, 2 and 3.",
        "For each of these i, let `a, b = doc[i], doc[i + 1]`. If `rng.random() < 0.5`, the pair is (a, b) "
        "with label 0; otherwise it is (b, a) with label 1.",
    ),
    "structbert_examples": (
        "Let A be at index i of a document. Which labels are possible if i is the first index, the last "
        "one, both, or neither?",
        "Collect the possible labels: 2 always, 0 if `i + 1 < len(doc)`, 1 if `i > 0`. Then draw one of "
        "them: `rng.choice(possible)` or `possible[rng.integers(len(possible))]`.",
        "B is `doc[i + 1]` for label 0, `doc[i - 1]` for label 1. For label 2, draw a document e until it "
        "is not A's own, and take `docs[e][rng.integers(len(docs[e]))]`.",
    ),
}
