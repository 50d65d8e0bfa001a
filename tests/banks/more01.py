"""More answers to the assignment of unit 01, written from its text; see `unit01`."""

from . import Bank

RIGHT = {
    "colleague_shares": {
        "a list": """
            def colleague_shares():
                return [0.72, 0.1, 0.18]
            """,
        "an array": """
            def colleague_shares():
                return np.array([0.72, 0.1, 0.18])
            """,
        "measured, not rounded": """
            def colleague_shares():
                n = 200000
                ids, everywhere = np.full((1, n), 7), np.ones((1, n), bool)
                seen = corrupt_by_colleague(ids, everywhere, 4, np.arange(1000, 999000),
                    np.random.default_rng())
                masked, kept = (seen == 4).mean(), (seen == 7).mean()
                return masked, 1 - masked - kept, kept
            """,
        "fractions": """
            from fractions import Fraction

            def colleague_shares():
                hide, swap = Fraction(4, 5), Fraction(1, 10)
                return hide * (1 - swap), swap, (1 - hide) * (1 - swap)
            """,
    },
    "choose_positions": {
        "a tensor": """
            import torch

            def choose_positions(candidates, rate, rng):
                draws = torch.tensor(rng.random(candidates.shape))
                return torch.tensor(candidates.copy()) & (draws < rate)
            """,
    },
    "whole_word_positions": {
        "a tensor": """
            import torch

            def whole_word_positions(words, rate, rng):
                rows = torch.tensor(words)
                budget = max(1, round(rate * int((rows >= 0).sum())))
                chosen = torch.zeros(len(words), dtype=torch.bool)
                for word in rng.permutation(np.unique(words[words >= 0])):
                    pieces = rows == int(word)
                    if not chosen.any() or chosen.sum() + pieces.sum() <= budget:
                        chosen = chosen | pieces
                return chosen
            """,
    },
    "span_positions": {
        "length modulo 10": """
            def span_positions(words, rate, rng):
                budget = max(1, round(rate * (words >= 0).sum()))
                chosen, unique = np.zeros(len(words), bool), np.unique(words[words >= 0])
                while len(unique) and chosen.sum() < budget:
                    left, t = (rng.geometric(0.2) - 1) % 10 + 1, np.argmax(words == rng.choice(unique))
                    while left and t < len(words) and words[t] >= 0:
                        pieces = words == words[t]
                        chosen, left, t = chosen | pieces, left - 1, t + pieces.sum()
                return chosen
            """,
    },
    "hide": {
        "a list of two": """
            def hide(input_ids, special, draws, fates, tokens):
                chosen = (draws < 0.15) & ~special
                masked = chosen & (fates < 0.8)
                drawn = chosen & ~masked & (fates < 0.9)
                return [np.select([masked, drawn], [4, tokens], input_ids), np.where(chosen, input_ids,
                    IGNORE)]
            """,
    },
}
WRONG = {
    "choose_positions": {
        "shuffled quota": (
            """
            def choose_positions(candidates, rate, rng):
                n = round(rate * candidates.sum())
                out = np.zeros(candidates.size, bool)
                out[rng.permutation(np.flatnonzero(candidates))[:n]] = True
                return out.reshape(candidates.shape)
            """,
            "exact quota",
        ),
        "every nth": (
            """
            def choose_positions(candidates, rate, rng):
                out = candidates.copy()
                n = max(1, round(1 / rate)) if rate else 10 ** 9
                k = np.arange(candidates.size).reshape(candidates.shape)
                return candidates & ((k + rng.integers(n)) % n == 0)
            """,
            "same positions",
        ),
        "min one": (
            """
            def choose_positions(candidates, rate, rng):
                out = candidates & (rng.random(candidates.shape) < rate)
                if not out.any() and candidates.any():
                    out.flat[np.flatnonzero(candidates)[0]] = True
                return out
            """,
            "with rate 0 nothing",
        ),
        "rounded draw": (
            """
            def choose_positions(candidates, rate, rng):
                return candidates & (rng.random(candidates.shape).round(1) < rate)
            """,
            "with rate 1 every",
        ),
        "prefers earlier": (
            """
            def choose_positions(candidates, rate, rng):
                p = np.linspace(1.5, 0.5, candidates.shape[-1]) * rate
                return candidates & (rng.random(candidates.shape) < p)
            """,
            "with rate 1 every",
        ),
    },
    "corrupt_80_10_10": {
        "without replacement": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                fate = rng.random(input_ids.shape)
                n = input_ids.size
                tok = rng.choice(ordinary_ids, size=input_ids.shape, replace=n > len(ordinary_ids))
                return np.where(chosen & (fate < 0.8), mask_id, np.where(chosen & (fate < 0.9), tok,
                    input_ids))
            """,
            "without replacement",
        ),
        "permuted": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                fate = rng.random(input_ids.shape)
                tok = np.resize(rng.permutation(ordinary_ids), input_ids.shape)
                return np.where(chosen & (fate < 0.8), mask_id, np.where(chosen & (fate < 0.9), tok,
                    input_ids))
            """,
            "without replacement",
        ),
        "from batch": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                fate = rng.random(input_ids.shape)
                tok = rng.permutation(input_ids.ravel()).reshape(input_ids.shape)
                return np.where(chosen & (fate < 0.8), mask_id, np.where(chosen & (fate < 0.9), tok,
                    input_ids))
            """,
            "Draw it from `ordinary_ids`",
        ),
        "row token": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                fate = rng.random(input_ids.shape)
                tok = rng.choice(ordinary_ids, size=(*input_ids.shape[:-1], 1))
                return np.where(chosen & (fate < 0.8), mask_id, np.where(chosen & (fate < 0.9), tok,
                    input_ids))
            """,
            "all random tokens of a sequence|some of `ordinary_ids`",
        ),
        "range of ids": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                fate = rng.random(input_ids.shape)
                tok = rng.integers(ordinary_ids.min(), ordinary_ids.max() + 1, size=input_ids.shape)
                return np.where(chosen & (fate < 0.8), mask_id, np.where(chosen & (fate < 0.9), tok,
                    input_ids))
            """,
            "which may have gaps",
        ),
    },
    "colleague_shares": {
        "third": (
            """
            def colleague_shares():
                return (1 / 3, 1 / 3, 1 / 3)
            """,
            "1, 2 and 3 are wrong",
        ),
        "71": (
            """
            def colleague_shares():
                return (0.71, 0.1, 0.19)
            """,
            "1 and 3 are wrong",
        ),
        "text": (
            """
            def colleague_shares():
                return '0.72,0.1,0.18'
            """,
            "it should return 3 values",
        ),
        "74": (
            """
            def colleague_shares():
                return (0.74, 0.1, 0.16)
            """,
            "1 and 3 are wrong",
        ),
    },
    "whole_word_positions": {
        "break at misfit": (
            """
            def whole_word_positions(words, rate, rng):
                budget = max(1, round(rate * (words >= 0).sum()))
                chosen = np.zeros(len(words), bool)
                for word in rng.permutation(np.unique(words[words >= 0])):
                    p = words == word
                    if chosen.any() and chosen.sum() + p.sum() > budget:
                        break
                    chosen |= p
                return chosen
            """,
            "you stop too early",
        ),
        "fitting first word": (
            """
            def whole_word_positions(words, rate, rng):
                budget = max(1, round(rate * (words >= 0).sum()))
                chosen = np.zeros(len(words), bool)
                u = rng.permutation(np.unique(words[words >= 0]))
                for word in u:
                    p = words == word
                    if p.sum() <= budget and chosen.sum() + p.sum() <= budget:
                        chosen |= p
                if not chosen.any() and len(u):
                    chosen = words == u[0]
                return chosen
            """,
            "long words are chosen too rarely",
        ),
        "no word 0": (
            """
            def whole_word_positions(words, rate, rng):
                budget = max(1, round(rate * (words >= 0).sum()))
                chosen = np.zeros(len(words), bool)
                for word in rng.permutation(np.unique(words[words > 0])):
                    p = words == word
                    if not chosen.any() or chosen.sum() + p.sum() <= budget:
                        chosen |= p
                return chosen
            """,
            "word 0 is never chosen",
        ),
        "rotation": (
            """
            def whole_word_positions(words, rate, rng):
                budget = max(1, round(rate * (words >= 0).sum()))
                chosen = np.zeros(len(words), bool)
                u = np.unique(words[words >= 0])
                u = np.roll(u, rng.integers(len(u))) if len(u) else u
                for word in u:
                    p = words == word
                    if not chosen.any() or chosen.sum() + p.sum() <= budget:
                        chosen |= p
                return chosen
            """,
            "adjacent too often",
        ),
        "reversed or not": (
            """
            def whole_word_positions(words, rate, rng):
                budget = max(1, round(rate * (words >= 0).sum()))
                chosen = np.zeros(len(words), bool)
                u = np.unique(words[words >= 0])[::1 if rng.random() < 0.5 else -1]
                for word in u:
                    p = words == word
                    if not chosen.any() or chosen.sum() + p.sum() <= budget:
                        chosen |= p
                return chosen
            """,
            "some positions in the sequence",
        ),
        "last word never": (
            """
            def whole_word_positions(words, rate, rng):
                budget = max(1, round(rate * (words >= 0).sum()))
                chosen = np.zeros(len(words), bool)
                u = np.unique(words[words >= 0])
                u = u[:-1] if len(u) > 1 else u
                for word in rng.permutation(u):
                    p = words == word
                    if not chosen.any() or chosen.sum() + p.sum() <= budget:
                        chosen |= p
                return chosen
            """,
            "some positions in the sequence",
        ),
    },
    "span_positions": {
        "length once": (
            """
            def span_positions(words, rate, rng):
                budget = max(1, round(rate * (words >= 0).sum()))
                chosen = np.zeros(len(words), bool)
                unique = np.unique(words[words >= 0])
                L = rng.geometric(0.2)
                while L > 10:
                    L = rng.geometric(0.2)
                while len(unique) and chosen.sum() < budget:
                    length = L
                    t = np.argmax(words == rng.choice(unique))
                    for _ in range(length):
                        if t == len(words) or words[t] < 0:
                            break
                        p = words == words[t]
                        chosen = chosen | p
                        t += p.sum()
                return chosen
            """,
            "draw it once, before the loop",
        ),
        "poisson": (
            """
            def span_positions(words, rate, rng):
                budget = max(1, round(rate * (words >= 0).sum()))
                chosen = np.zeros(len(words), bool)
                unique = np.unique(words[words >= 0])
                while len(unique) and chosen.sum() < budget:
                    length = 1 + rng.poisson(2.8)
                    while length > 10:
                        length = 1 + rng.poisson(2.8)
                    t = np.argmax(words == rng.choice(unique))
                    for _ in range(length):
                        if t == len(words) or words[t] < 0:
                            break
                        p = words == words[t]
                        chosen = chosen | p
                        t += p.sum()
                return chosen
            """,
            "the lengths do not follow",
        ),
        "p .3": (
            """
            def span_positions(words, rate, rng):
                budget = max(1, round(rate * (words >= 0).sum()))
                chosen = np.zeros(len(words), bool)
                unique = np.unique(words[words >= 0])
                while len(unique) and chosen.sum() < budget:
                    length = rng.geometric(0.3)
                    while length > 10:
                        length = rng.geometric(0.3)
                    t = np.argmax(words == rng.choice(unique))
                    for _ in range(length):
                        if t == len(words) or words[t] < 0:
                            break
                        p = words == words[t]
                        chosen = chosen | p
                        t += p.sum()
                return chosen
            """,
            "0.7^(n - 1)",
        ),
        "binomial": (
            """
            def span_positions(words, rate, rng):
                budget = max(1, round(rate * (words >= 0).sum()))
                chosen = np.zeros(len(words), bool)
                unique = np.unique(words[words >= 0])
                while len(unique) and chosen.sum() < budget:
                    length = 1 + rng.binomial(9, 0.31)
                    t = np.argmax(words == rng.choice(unique))
                    for _ in range(length):
                        if t == len(words) or words[t] < 0:
                            break
                        p = words == words[t]
                        chosen = chosen | p
                        t += p.sum()
                return chosen
            """,
            "the lengths do not follow",
        ),
        "centre start": (
            """
            def span_positions(words, rate, rng):
                budget = max(1, round(rate * (words >= 0).sum()))
                chosen = np.zeros(len(words), bool)
                unique = np.unique(words[words >= 0])
                while len(unique) and chosen.sum() < budget:
                    length = rng.geometric(0.2)
                    while length > 10:
                        length = rng.geometric(0.2)
                    t = np.argmax(words == max(rng.choice(unique) - 2, 0))
                    for _ in range(length):
                        if t == len(words) or words[t] < 0:
                            break
                        p = words == words[t]
                        chosen = chosen | p
                        t += p.sum()
                return chosen
            """,
            "near the end",
        ),
    },
    "hide": {
        "mask103": (
            """
            def hide(input_ids, special, draws, fates, tokens):
                MASK = 103
                seen = input_ids.copy()
                chosen = (draws < 0.15) & ~special
                seen[chosen & (fates < 0.8)] = MASK
                replaced = chosen & (fates >= 0.8) & (fates < 0.9)
                seen[replaced] = tokens[replaced]
                return (seen, np.where(chosen, input_ids, IGNORE))
            """,
            "the id of [MASK] has changed",
        ),
        "lab0": (
            """
            def hide(input_ids, special, draws, fates, tokens):
                MASK = 4
                seen = input_ids.copy()
                chosen = (draws < 0.15) & ~special
                seen[chosen & (fates < 0.8)] = MASK
                replaced = chosen & (fates >= 0.8) & (fates < 0.9)
                seen[replaced] = tokens[replaced]
                return (seen, np.where(chosen, input_ids, -1))
            """,
            "their label must be IGNORE",
        ),
        "swapret": (
            """
            def hide(input_ids, special, draws, fates, tokens):
                MASK = 4
                seen = input_ids.copy()
                chosen = (draws < 0.15) & ~special
                seen[chosen & (fates < 0.8)] = MASK
                replaced = chosen & (fates >= 0.8) & (fates < 0.9)
                seen[replaced] = tokens[replaced]
                return (np.where(chosen, input_ids, IGNORE), seen)
            """,
            "wrong order",
        ),
        "tok": (
            """
            def hide(input_ids, special, draws, fates, tokens):
                MASK = 4
                seen = input_ids.copy()
                chosen = (draws < 0.15) & ~special
                seen[chosen & (fates < 0.8)] = MASK
                replaced = chosen & (fates >= 0.8) & (fates < 0.9)
                pass
                return (seen, np.where(chosen, input_ids, IGNORE))
            """,
            "no random token is written",
        ),
        "keep": (
            """
            def hide(input_ids, special, draws, fates, tokens):
                MASK = 4
                seen = input_ids.copy()
                chosen = (draws < 0.15) & ~special
                seen[chosen & (fates < 0.8)] = MASK
                replaced = chosen & (fates >= 0.8)
                seen[replaced] = tokens[replaced]
                return (seen, np.where(chosen, input_ids, IGNORE))
            """,
            "no chosen token is kept",
        ),
        "labmask": (
            """
            def hide(input_ids, special, draws, fates, tokens):
                MASK = 4
                seen = input_ids.copy()
                chosen = (draws < 0.15) & ~special
                seen[chosen & (fates < 0.8)] = MASK
                replaced = chosen & (fates >= 0.8) & (fates < 0.9)
                seen[replaced] = tokens[replaced]
                return (seen, np.where(chosen & (fates < 0.9), input_ids, IGNORE))
            """,
            "tokens that are kept have no labels",
        ),
        "sumtok": (
            """
            def hide(input_ids, special, draws, fates, tokens):
                MASK = 4
                seen = input_ids.copy()
                chosen = (draws < 0.15) & ~special
                seen[chosen & (fates < 0.8)] = MASK
                replaced = chosen & (fates >= 0.8) & (fates < 0.9)
                seen[replaced] = tokens[replaced] + 1
                return (seen, np.where(chosen, input_ids, IGNORE))
            """,
            "the random tokens are altered",
        ),
    },
    "test_whole_words": {
        "tuple": (
            """
            @by_name
            def test_whole_words(whole_word_positions):
                c = whole_word_positions(WORDS, 0.3, np.random.default_rng(0))
                assert (not c[WORDS < 0].any(), 'special')
            """,
            "parentheses around both the condition",
        ),
        "none": (
            """
            @by_name
            def test_whole_words(whole_word_positions):
                whole_word_positions(WORDS, 0.3, np.random.default_rng(0))
            """,
            "contains no `assert`",
        ),
        "swallow": (
            """
            @by_name
            def test_whole_words(whole_word_positions):
                try:
                    assert not whole_word_positions(WORDS, 0.3, np.random.default_rng(0))[WORDS < 0].any()
                except AssertionError as e:
                    print(e)
            """,
            "catches the error",
        ),
        "self": (
            """
            @by_name
            def test_whole_words(whole_word_positions):
                r = np.random.default_rng
                assert (whole_word_positions(WORDS, 0.3, r(0)) == whole_word_positions(WORDS, 0.3,
                    r(0))).all()
            """,
            "compares a value with itself",
        ),
        "any": (
            """
            @by_name
            def test_whole_words(whole_word_positions):
                c = whole_word_positions(WORDS, 0.3, np.random.default_rng(0))
                assert c.any
            """,
            "method without `()`",
        ),
        "const": (
            """
            @by_name
            def test_whole_words(whole_word_positions):
                whole_word_positions(WORDS, 0.3, np.random.default_rng(0))
                assert 'fine'
            """,
            "always true",
        ),
    },
}
MORE = {
    exercise: Bank(right=RIGHT.get(exercise, {}), wrong=WRONG.get(exercise, {}))
    for exercise in RIGHT.keys() | WRONG.keys()
}
