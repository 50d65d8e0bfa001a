"""Hints for the exercises of unit 01, from a nudge to a nearly complete line of code."""

HINTS = {
    "choose_positions": (
        "Imagine a separate toss of a biased coin for each position, with probability `rate` of heads.",
        "`rng.random(shape)` draws a number between 0 and 1 for each position. How often is such a number "
        "below `rate`? And at which positions must the result be False, whatever was drawn?",
        "Two conditions must hold: `candidates` is True, and the draw `rng.random(candidates.shape)` is "
        "below `rate`. Combine them with `&`, and put brackets around the comparison.",
    ),
    "corrupt_80_10_10": (
        "Exactly one of three things happens to each chosen position. How can a single draw decide between "
        "all three?",
        "Draw a number `fate` between 0 and 1 for each position. Below 0.8 a chosen token becomes [MASK], "
        "from 0.8 to 0.9 it becomes a random token, and otherwise it stays. All other tokens always stay.",
        "Draw `token = rng.choice(ordinary_ids, size=input_ids.shape)`. Then nest two calls of np.where: "
        "`mask_id` where `chosen & (fate < 0.8)`, else `token` where `chosen` is True and `fate` is "
        "between 0.8 and 0.9, else `input_ids`.",
    ),
    "colleague_shares": (
        "Do not trust the comments. Follow one chosen token through both steps, and ask what each draw can "
        "do to it.",
        "The two draws are independent, so there are four cases. In which of them does the second step "
        "overwrite a [MASK]?",
        "A token becomes random whenever the second draw succeeds, with probability 0.1. It becomes [MASK] "
        "if the first draw succeeds and the second fails: 0.8 times 0.9. The remaining share is kept.",
    ),
    "epoch_masks": (
        "How many masks do you have to draw in total if `copies` is a number, and how many if it is None? "
        "And which mask does epoch e use?",
        "First draw a list of masks: `copies` of them, or `epochs` of them if `copies is None`. After the "
        "last mask, start again with the first: the operator % finds the index.",
        "Let `masks = [a new draw for _ in range(n)]`, where n is `epochs if copies is None else copies`. "
        "Then return `np.stack([masks[e % n] for e in range(epochs)])`.",
    ),
    "whole_word_positions": (
        "Draw words, not tokens. But the budget counts tokens, and special tokens are not words.",
        "Shuffle the word numbers (`np.unique` lists them) with `rng.permutation` and go through them "
        "once. Start with a result that is False everywhere. Always take the first word, and each later "
        "one only if it fits.",
        "For each `word`, let `pieces = words == word`. If nothing is chosen yet, or `chosen.sum() + "
        "pieces.sum() <= budget`, set `chosen = chosen | pieces`. The budget is `max(1, round(rate * (words "
        ">= 0).sum()))`.",
    ),
    "span_positions": (
        "The outer loop draws spans until the budget is reached. The inner loop walks along the sequence, "
        "word by word.",
        "A span is a start (any word, all equally likely) and a length (`rng.geometric(0.2)`, drawn again "
        "while it is above 10). Before each word, check whether the sequence has ended or the next token "
        "is special.",
        "In a loop `while chosen.sum() < budget`, start at `t = np.argmax(words == start)`. Up to `length` "
        "times, stop if `t == len(words)` or `words[t] < 0`; otherwise choose all `pieces = words == "
        "words[t]`, and add `pieces.sum()` to `t`.",
    ),
    "hide": (
        "`check.hide.examine(broken_hide)` lists what works and what does not. Take one line marked "
        "BROKEN, and find the line of code that causes it.",
        "For each line of code, ask which positions it chooses, what the model sees there, and what the "
        "label is. The labels are the original tokens, before any masking.",
        "Make three changes: choose with `& ~special`; write random tokens only where there is no [MASK]; "
        "and take the labels from `input_ids`.",
    ),
    "test_whole_words": (
        "What is true of every correct version, whatever it draws? Say it in a sentence, and turn the "
        "sentence into an `assert`.",
        "A word is masked completely or not at all, special tokens are never masked, and the number "
        "of masked tokens is limited. Try several generators, and sequences with long words and "
        "special tokens.",
        "For each word, `chosen[words == word]` is all True or all False. `chosen[words < 0]` is all "
        "False. `chosen.sum()` is at most the budget, unless only one word is chosen. None of the "
        "remaining words would still fit.",
    ),
}
