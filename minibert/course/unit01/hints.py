"""Three hints for each exercise of unit 01, from a nudge to almost the whole line.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "choose_positions": (
        "Toss a coin for each position by itself. The coin shows heads with probability `rate`.",
        "`rng.random(shape)` draws a number between 0 and 1 for each position. How often is such a number "
        "below `rate`? And where must the result be False whatever was drawn?",
        "Two conditions at once: `candidates`, and a draw `rng.random(candidates.shape)` below `rate`. Join "
        "them with `&`, and mind the brackets around the comparison.",
    ),
    "corrupt_80_10_10": (
        "Each chosen position has exactly one of three fates. Which single draw could decide between all "
        "three?",
        "Draw one `fate` between 0 and 1 for each position: below 0.8 it is [MASK], from 0.8 to 0.9 a random "
        "token, above that the token stays. What is not chosen stays in any case.",
        "`token = rng.choice(ordinary_ids, size=input_ids.shape)`. Then two nested np.where: `mask_id` where "
        "`chosen & (fate < 0.8)`, else `token` where chosen and `fate` is from 0.8 to 0.9, else "
        "`input_ids`.",
    ),
    "colleague_shares": (
        "Do not trust the comments. Follow one chosen token through both lines, and ask what each draw can "
        "do to it.",
        "The two draws are independent, so four things can happen. In which of them does the second line "
        "overwrite a [MASK]?",
        "Random: whenever the second draw succeeds, 0.1. [MASK]: the first succeeds and the second fails, "
        "0.8 times 0.9. The rest stays; the three shares sum to 1.",
    ),
    "epoch_masks": (
        "How many masks have to be drawn altogether, with a number of `copies`, and with None? And which "
        "of them does epoch e have?",
        "Draw a list of masks first: `copies` of them, or `epochs` of them if `copies is None`. After the "
        "last one it begins again with the first: that is what % does.",
        "`masks = [one draw each for _ in range(n)]`, where n is `epochs if copies is None else copies`. "
        "Then `np.stack([masks[e % n] for e in range(epochs)])`.",
    ),
    "whole_word_positions": (
        "Draw words, not tokens. The budget, however, counts tokens, and special tokens are not words.",
        "Shuffle `np.unique(words[words >= 0])` with `rng.permutation` and go through it once. Start with a "
        "result that is False everywhere; the first word is always taken, a later one only if it fits.",
        "For each `word`: `pieces = words == word`. If nothing is chosen yet, or `chosen.sum() + "
        "pieces.sum() <= budget`, then `chosen = chosen | pieces`. The budget is `max(1, round(rate * (words "
        ">= 0).sum()))`.",
    ),
    "span_positions": (
        "One loop draws spans until the budget is reached. Inside it, a second one walks along the sequence, "
        "word by word.",
        "A span is a start (any word, all equally likely) and a length (`rng.geometric(0.2)`, drawn again "
        "while above 10). Before each word, look whether the sequence has ended or the next token is "
        "special.",
        "Begin at `t = np.argmax(words == start)`. At most `length` times: stop if `t == len(words)` or "
        "`words[t] < 0`; else `pieces = words == words[t]`, choose them, and add `pieces.sum()` to `t`. "
        "Around it: while `chosen.sum() < budget`.",
    ),
    "hide": (
        "`check.hide.examine(broken_hide)` says what holds and what does not. Take one sentence that is "
        "BROKEN, and find the line that it is about.",
        "Ask of each line: what is chosen, what does a chosen token show, and what is the label? The labels "
        "are the words that stood there, before anything was masked.",
        "Three changes: choose with `& ~special`; write random tokens only where [MASK] was not written; "
        "take the labels from `input_ids`.",
    ),
    "test_whole_words": (
        "What must hold of every right version, whatever it draws? Say it in a sentence, and turn the "
        "sentence into an `assert`.",
        "A word is masked whole or not at all; special tokens never are; and the number of masked tokens is "
        "bounded. Try several generators, and sequences with long words and with special tokens.",
        "For each word: `chosen[words == word]` is all True or all False; `chosen[words < 0]` is all False; "
        "`chosen.sum()` is at most the budget, unless one word alone is taken; and no word that is left out "
        "would still fit.",
    ),
}
