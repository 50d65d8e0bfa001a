"""Hints for the exercises of unit 04, from a nudge to a nearly complete line of code."""

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
        "Some positions were chosen, and the others were not. What is -log p at a position of each kind? "
        "Which positions does your colleague's loss average, and which does the correct loss?",
        "Your colleague gives [PAD], with the probability 0.99, as the label of each position that was not "
        "chosen. A chosen token is one of 30,521 tokens that share 0.01. The colleague's mean runs over both "
        "kinds of positions.",
        "-log p is `-np.log(0.99)` for [PAD] and `-np.log(0.01 / 30521)` for a chosen token. Your "
        "colleague's loss is their average, weighted with the shares of the two kinds of positions; the "
        "correct loss counts only chosen positions.",
    ),
    "test_mlm_loss": (
        "What is true of every masked loss, and of no other function? Say it in a sentence, and turn it "
        "into an `assert`.",
        "Use the logarithms of small integers as logits, such as 1, 2 and 5: then p is 1/8, 2/8 and 5/8. "
        "Give two sequences different numbers of labels, include the label 0, and leave some positions "
        "without a label.",
        "Compare the loss with -np.mean(np.log([...])) of the expected probabilities, using `np.isclose`. "
        "The logits 1000 and 0 have the loss 0 with label 0, and 1000 with label 1. Compare the logits "
        "with a copy that you made before the call.",
    ),
    "nsp_loss": (
        "Think of the two labels as a very small vocabulary.",
        "It is the same loss as in `mlm_loss`: a softmax over the last axis, -log p of the label, and the "
        "mean over the examples. Every example counts, whether its label is 0 or 1.",
        "If your `mlm_loss` works with any number of axes, you can call it as it is. If it needs "
        "a sequence of tokens, add an axis: `logits[None]` is (1, B, 2), and `labels[None]` is (1, B).",
    ),
    "pretraining_loss": (
        "`check.pretraining_loss.examine(...)` lists what works and what does not. Take one line marked "
        "BROKEN, and follow the data: which states are gathered, which state does next sentence prediction "
        "use, and how are the two losses combined?",
        "After the reshape, which sequences of the batch can an index from 0 to T - 1 reach? Which state "
        "is that of [CLS]? What happens to the two means if each is weighted by its number of labels?",
        "Make three changes: gather with `hidden[np.arange(B)[:, None], places]`, so that each sequence uses "
        "its own states; use `hidden[:, 0]` for next sentence prediction; and return `mlm + nsp`.",
    ),
    "nsp_examples": (
        "Let i be the index of A in its document. What is the index of the next A after a pair with label "
        "0, and after a pair with label 1?",
        "Loop `for d, doc in enumerate(docs)`, and inside it `while i < len(doc)`. Increase i by 2 after "
        "label 0, and by 1 after label 1. To draw another document, draw `e = rng.integers(len(docs))` again "
        "while e equals d.",
        "If `i + 1 < len(doc) and rng.random() < 0.5`, the label is 0 and B is `doc[i + 1]`. Otherwise, the "
        "label is 1 and B is the sentence of `docs[e]` at the index `rng.integers(len(docs[e]))`.",
    ),
    "sop_examples": (
        "Which sentences come first in a pair, in a document of one, two, three or four sentences? And "
        "what does the coin decide about a pair?",
        "`range(0, len(doc) - 1, 2)` gives the index of the first sentence of each pair. Try it for "
        "lengths 1, 2 and 3.",
        "For each of these i, let `a, b = doc[i], doc[i + 1]`. If `rng.random() < 0.5`, the pair is (a, b) "
        "with label 0; otherwise it is (b, a) with label 1.",
    ),
    "structbert_examples": (
        "Let A be at index i of a document. Which labels are possible if i is the first index, the last "
        "index, both, or neither?",
        "Collect the possible labels: 2 always, 0 if `i + 1 < len(doc)`, and 1 if `i > 0`. Then draw one of "
        "them: `rng.choice(possible)` or `possible[rng.integers(len(possible))]`.",
        "B is `doc[i + 1]` for label 0, and `doc[i - 1]` for label 1. For label 2, draw an index e until it "
        "is not that of A's document, and take `docs[e][rng.integers(len(docs[e]))]`.",
    ),
}
