"""Answers to unit 01, right and wrong, as students write them; `wrong` says what each must be told."""

from functools import partial

from . import Bank, changed

CHOOSE = Bank(
    right={
        "vectorised": """
            def choose_positions(candidates, rate, rng):
                return candidates & (rng.random(candidates.shape) < rate)
            """,
        "loop over flat positions": """
            def choose_positions(candidates, rate, rng):
                chosen = np.zeros(candidates.size, dtype=bool)
                for i, candidate in enumerate(candidates.ravel()):
                    if candidate and rng.random() < rate:
                        chosen[i] = True
                return chosen.reshape(candidates.shape)
            """,
        "draws for the candidates only": """
            def choose_positions(candidates, rate, rng):
                chosen = np.zeros_like(candidates)
                chosen[candidates] = rng.random(candidates.sum()) < rate
                return chosen
            """,
        "binomial": """
            def choose_positions(candidates, rate, rng):
                return np.where(candidates, rng.binomial(1, rate, size=candidates.shape), 0).astype(bool)
            """,
        "rng.choice of True and False": """
            def choose_positions(candidates, rate, rng):
                toss = rng.choice([True, False], size=candidates.shape, p=[rate, 1 - rate])
                return np.logical_and(candidates, toss)
            """,
        "a copy changed in place": """
            def choose_positions(candidates, rate, rng):
                chosen = candidates.copy()
                chosen[rng.uniform(size=chosen.shape) >= rate] = False
                return chosen
            """,
        "a list made into an array": """
            def choose_positions(candidates, rate, rng):
                chosen = [bool(c) and bool(rng.random() < rate) for c in candidates.flatten()]
                return np.array(chosen, dtype=bool).reshape(candidates.shape)
            """,
        "a binomial count, then that many places": """
            def choose_positions(candidates, rate, rng):
                places = np.flatnonzero(candidates)
                chosen = np.zeros(candidates.size, bool)
                chosen[rng.permutation(places)[:rng.binomial(len(places), rate)]] = True
                return chosen.reshape(candidates.shape)
            """,
    },
    wrong={
        "padding too": (
            """
            def choose_positions(candidates, rate, rng):
                return rng.random(candidates.shape) < rate
            """,
            "the rate applies to all positions",
        ),
        "or instead of and": (
            """
            def choose_positions(candidates, rate, rng):
                return candidates | (rng.random(candidates.shape) < rate)
            """,
            "`&`, not",
        ),
        "candidates the wrong way round": (
            """
            def choose_positions(candidates, rate, rng):
                return ~candidates & (rng.random(candidates.shape) < rate)
            """,
            "wrong way round",
        ),
        "comparison turned round": (
            """
            def choose_positions(candidates, rate, rng):
                return candidates & (rng.random(candidates.shape) > rate)
            """,
            "comparison is the wrong way round",
        ),
        "in place": (
            """
            def choose_positions(candidates, rate, rng):
                candidates &= rng.random(candidates.shape) < rate
                return candidates
            """,
            "changes its inputs",
        ),
        "global generator": (
            """
            def choose_positions(candidates, rate, rng):
                return candidates & (np.random.rand(*candidates.shape) < rate)
            """,
            "global generator of `np.random`",
        ),
        "Python's generator": (
            """
            import random
            def choose_positions(candidates, rate, rng):
                toss = [random.random() < rate for _ in range(candidates.size)]
                return candidates & np.array(toss).reshape(candidates.shape)
            """,
            "global generator of `random`",
        ),
        "generator of its own": (
            """
            def choose_positions(candidates, rate, rng):
                rng = np.random.default_rng()
                return candidates & (rng.random(candidates.shape) < rate)
            """,
            "same seed give different results",
        ),
        "seed of its own": (
            """
            def choose_positions(candidates, rate, rng):
                rng = np.random.default_rng(0)
                return candidates & (rng.random(candidates.shape) < rate)
            """,
            "does not depend on `rng`",
        ),
        "one draw for all": (
            """
            def choose_positions(candidates, rate, rng):
                return candidates & (rng.random() < rate)
            """,
            "a single draw decides",
        ),
        "one draw a row": (
            """
            def choose_positions(candidates, rate, rng):
                return candidates & (rng.random((*candidates.shape[:-1], 1)) < rate)
            """,
            "for a whole sequence",
        ),
        "one draw a column": (
            """
            def choose_positions(candidates, rate, rng):
                return candidates & (rng.random(candidates.shape[-1]) < rate)
            """,
            "chooses the same positions",
        ),
        "exact quota": (
            """
            def choose_positions(candidates, rate, rng):
                places = np.flatnonzero(candidates)
                chosen = np.zeros(candidates.size, bool)
                count = round(rate * len(places))
                chosen[rng.choice(places, count, replace=False) if len(places) else places] = True
                return chosen.reshape(candidates.shape)
            """,
            "exact quota",
        ),
        "rate over all positions": (
            """
            def choose_positions(candidates, rate, rng):
                share = min(1.0, rate * candidates.size / max(1, candidates.sum()))
                return candidates & (rng.random(candidates.shape) < share)
            """,
            "all positions, padding included",
        ),
        "0.15 written in": (
            """
            def choose_positions(candidates, rate, rng):
                return candidates & (rng.random(candidates.shape) < 0.15)
            """,
            "with rate",
        ),
        "drawn from the whole row": (
            """
            def choose_positions(candidates, rate, rng):
                if rate == 1:
                    return candidates.copy()
                lucky = rng.permutation(candidates.size)[:rng.binomial(candidates.sum(), rate)]
                return candidates & np.isin(np.arange(candidates.size), lucky).reshape(candidates.shape)
            """,
            "from the whole sequence",
        ),
        "tossed twice": (
            """
            def choose_positions(candidates, rate, rng):
                chosen = candidates & (rng.random(candidates.shape) < rate)
                return chosen & (rng.random(candidates.shape) < rate)
            """,
            "draw twice",
        ),
        "with replacement": (
            """
            def choose_positions(candidates, rate, rng):
                places = np.flatnonzero(candidates)
                chosen = np.zeros(candidates.size, bool)
                if rate == 1 or not len(places):
                    return candidates.copy()
                chosen[rng.choice(places, int(rate * len(places)))] = True
                return chosen.reshape(candidates.shape)
            """,
            "with replacement",
        ),
        "always the first": (
            """
            def choose_positions(candidates, rate, rng):
                return candidates & (candidates.cumsum(-1)
                                     <= np.ceil(rate * candidates.sum(-1, keepdims=True)))
            """,
            "does not depend on `rng`",
        ),
        "integers instead of booleans": (
            """
            def choose_positions(candidates, rate, rng):
                return np.where(candidates & (rng.random(candidates.shape) < rate), 1, 0)
            """,
            "it should be bool",
        ),
        "positions instead of booleans": (
            """
            def choose_positions(candidates, rate, rng):
                return np.flatnonzero(candidates & (rng.random(candidates.shape) < rate))
            """,
            "one value for each position",
        ),
        "a list": (
            """
            def choose_positions(candidates, rate, rng):
                return (candidates & (rng.random(candidates.shape) < rate)).tolist()
            """,
            "should return a NumPy array",
        ),
        "return forgotten": (
            """
            def choose_positions(candidates, rate, rng):
                chosen = candidates & (rng.random(candidates.shape) < rate)
            """,
            "`return` missing",
        ),
    },
)

CORRUPT = Bank(
    right={
        "one draw, two wheres": """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                fate = rng.random(input_ids.shape)
                token = rng.choice(ordinary_ids, size=input_ids.shape)
                return np.where(chosen & (fate < 0.8), mask_id,
                                np.where(chosen & (fate >= 0.9), token, input_ids))
            """,
        "nested draws": """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                seen = input_ids.copy()
                masked = chosen & (rng.random(seen.shape) < 0.8)
                replaced = chosen & ~masked & (rng.random(seen.shape) < 0.5)
                seen[masked] = mask_id
                seen[replaced] = ordinary_ids[rng.integers(len(ordinary_ids), size=replaced.sum())]
                return seen
            """,
        "loop over positions": """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                seen = input_ids.copy()
                for b, t in np.argwhere(chosen):
                    u = rng.random()
                    if u < 0.8:
                        seen[b, t] = mask_id
                    elif u < 0.9:
                        seen[b, t] = ordinary_ids[rng.integers(len(ordinary_ids))]
                return seen
            """,
        "fate by rng.choice with p": """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                fate = rng.choice(3, size=input_ids.shape, p=[0.8, 0.1, 0.1])
                tokens = rng.choice(ordinary_ids, size=input_ids.shape)
                seen = np.choose(fate, [np.full_like(input_ids, mask_id), tokens, input_ids])
                return np.where(chosen, seen, input_ids)
            """,
        "kept first": """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                seen = np.array(input_ids)
                places = np.nonzero(chosen)
                u = rng.uniform(0, 10, size=len(places[0]))
                new = np.where(u < 1, seen[places],
                               np.where(u < 2, rng.choice(ordinary_ids, len(u)), mask_id))
                seen[places] = new
                return seen
            """,
        "lists": """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                rows, ordinary = [], list(ordinary_ids)
                for ids, marks in zip(input_ids.tolist(), chosen.tolist()):
                    row = []
                    for token, mark in zip(ids, marks):
                        die = int(rng.integers(10)) if mark else 9
                        other = ordinary[int(rng.integers(len(ordinary)))]
                        row.append(mask_id if die < 8 else other if die == 8 else token)
                    rows.append(row)
                return np.array(rows)
            """,
        "never the old token again": """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                fate = rng.random(input_ids.shape)
                token = rng.choice(ordinary_ids, size=input_ids.shape)
                while len(ordinary_ids) > 1 and (token == input_ids).any():
                    again = token == input_ids
                    token[again] = rng.choice(ordinary_ids, size=again.sum())
                seen = np.where(chosen & (fate < 0.8), mask_id, input_ids)
                return np.where(chosen & (0.8 <= fate) & (fate < 0.9), token, seen)
            """,
    },
    wrong={
        "always [MASK]": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                return np.where(chosen, mask_id, input_ids)
            """,
            "every chosen position becomes [MASK]",
        ),
        "10% kept forgotten": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                token = rng.choice(ordinary_ids, size=input_ids.shape)
                return np.where(chosen, np.where(rng.random(input_ids.shape) < 0.8, mask_id, token),
                                input_ids)
            """,
            "forgot to keep 10%",
        ),
        "10% random forgotten": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                return np.where(chosen & (rng.random(input_ids.shape) < 0.8), mask_id, input_ids)
            """,
            "forgot to replace 10%",
        ),
        "independent draws: 81/9/10": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                keep = rng.random(input_ids.shape) < 0.1
                swap = rng.random(input_ids.shape) < 0.1
                token = rng.choice(ordinary_ids, size=input_ids.shape)
                return np.where(chosen & ~keep, np.where(swap, token, mask_id), input_ids)
            """,
            "10% of the remaining 90% are only 9%",
        ),
        "random overwrites [MASK]": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                seen = np.where(chosen & (rng.random(input_ids.shape) < 0.8), mask_id, input_ids)
                swap = chosen & (rng.random(input_ids.shape) < 0.1)
                return np.where(swap, rng.choice(ordinary_ids, size=input_ids.shape), seen)
            """,
            "overwrites some of the [MASK]",
        ),
        "elif with a fresh draw": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                seen = input_ids.copy()
                for place in zip(*np.nonzero(chosen)):
                    if rng.random() < 0.8:
                        seen[place] = mask_id
                    elif rng.random() < 0.1:
                        seen[place] = rng.choice(ordinary_ids)
                return seen
            """,
            "only 20% are left for it",
        ),
        "borders not exclusive": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                u, seen = rng.random(input_ids.shape), input_ids.copy()
                seen[chosen & (u < 0.8)] = mask_id
                swap = chosen & (u < 0.9)
                seen[swap] = rng.choice(ordinary_ids, size=swap.sum())
                return seen
            """,
            "overwritten by random tokens",
        ),
        "comparison turned round": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                u, seen = rng.random(input_ids.shape), input_ids.copy()
                seen[chosen & (u > 0.2) & (u < 0.3)] = mask_id
                swap = chosen & (u > 0.9)
                seen[swap] = rng.choice(ordinary_ids, size=swap.sum())
                return seen
            """,
            "[MASK] and kept tokens are swapped",
        ),
        "chosen ignored": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                u, token = rng.random(input_ids.shape), rng.choice(ordinary_ids, size=input_ids.shape)
                return np.where(u < 0.8, mask_id, np.where(u < 0.9, token, input_ids))
            """,
            "you ignore `chosen`",
        ),
        "random tokens anywhere": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                u, token = rng.random(input_ids.shape), rng.choice(ordinary_ids, size=input_ids.shape)
                return np.where(chosen & (u < 0.8), mask_id,
                                np.where((u >= 0.8) & (u < 0.9), token, input_ids))
            """,
            "positions that are not chosen change too",
        ),
        "chosen the wrong way round": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                u, token = rng.random(input_ids.shape), rng.choice(ordinary_ids, size=input_ids.shape)
                return np.where(chosen, input_ids,
                                np.where(u < 0.8, mask_id, np.where(u < 0.9, token, input_ids)))
            """,
            "wrong way round",
        ),
        "random from the special ids too": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                u = rng.random(input_ids.shape)
                token = rng.integers(ordinary_ids.max() + 1, size=input_ids.shape)
                return np.where(chosen & (u < 0.8), mask_id, np.where(chosen & (u < 0.9), token, input_ids))
            """,
            "even a special or an unused one",
        ),
        "index instead of id": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                u, token = rng.random(input_ids.shape), rng.integers(len(ordinary_ids), size=input_ids.shape)
                return np.where(chosen & (u < 0.8), mask_id, np.where(chosen & (u < 0.9), token, input_ids))
            """,
            "an index into `ordinary_ids`",
        ),
        "random from the sentence": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                u, token = rng.random(input_ids.shape), rng.choice(input_ids.ravel(), size=input_ids.shape)
                return np.where(chosen & (u < 0.8), mask_id, np.where(chosen & (u < 0.9), token, input_ids))
            """,
            "sometimes [CLS], [SEP] or [PAD]",
        ),
        "label instead of token": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                u, token = rng.random(input_ids.shape), rng.choice(ordinary_ids, size=input_ids.shape)
                return np.where(chosen & (u < 0.8), mask_id, np.where(chosen & (u < 0.9), token,
                                np.where(chosen, -100, input_ids)))
            """,
            "you write -100",
        ),
        "one random token for all": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                u, token = rng.random(input_ids.shape), rng.choice(ordinary_ids)
                return np.where(chosen & (u < 0.8), mask_id, np.where(chosen & (u < 0.9), token, input_ids))
            """,
            "are the same id",
        ),
        "last ordinary id never drawn": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                index = rng.integers(max(1, len(ordinary_ids) - 1), size=input_ids.shape)
                u, token = rng.random(input_ids.shape), ordinary_ids[index]
                return np.where(chosen & (u < 0.8), mask_id, np.where(chosen & (u < 0.9), token, input_ids))
            """,
            "the last of `ordinary_ids` is never drawn",
        ),
        "one draw for the batch": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                u, token = rng.random(), rng.choice(ordinary_ids, size=input_ids.shape)
                return np.where(chosen, mask_id if u < 0.8 else token if u < 0.9 else input_ids, input_ids)
            """,
            "one draw decides for all positions",
        ),
        "one draw a column": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                u, token = rng.random(input_ids.shape[1]), rng.choice(ordinary_ids, size=input_ids.shape)
                return np.where(chosen & (u < 0.8), mask_id, np.where(chosen & (u < 0.9), token, input_ids))
            """,
            "of a column have the same outcome",
        ),
        "exact quota": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                seen = input_ids.copy().ravel()
                places = rng.permutation(np.flatnonzero(chosen))
                masked, swap = round(0.8 * len(places)), round(0.9 * len(places))
                seen[places[:masked]] = mask_id
                seen[places[masked:swap]] = rng.choice(ordinary_ids, size=swap - masked)
                return seen.reshape(input_ids.shape)
            """,
            "fixed quota",
        ),
        "in place": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                u = rng.random(input_ids.shape)
                input_ids[chosen & (u < 0.8)] = mask_id
                swap = chosen & (u >= 0.9)
                input_ids[swap] = rng.choice(ordinary_ids, size=swap.sum())
                return input_ids
            """,
            "changes its inputs",
        ),
        "global generator": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                u, token = rng.random(input_ids.shape), np.random.choice(ordinary_ids, size=input_ids.shape)
                return np.where(chosen & (u < 0.8), mask_id, np.where(chosen & (u < 0.9), token, input_ids))
            """,
            "global generator of `np.random`",
        ),
        "floats": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                seen, u = np.zeros(input_ids.shape), rng.random(input_ids.shape)
                seen[:] = np.where(chosen & (u < 0.8), mask_id, input_ids)
                return np.where(chosen & (u >= 0.9), rng.choice(ordinary_ids, size=u.shape), seen)
            """,
            "should be an integer dtype",
        ),
        "103 written in": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                u, token = rng.random(input_ids.shape), rng.choice(ordinary_ids, size=input_ids.shape)
                return np.where(chosen & (u < 0.8), 103, np.where(chosen & (u < 0.9), token, input_ids))
            """,
            "you write 103 instead of [MASK]",
        ),
        "chosen a second time": (
            """
            def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
                chosen = chosen & (rng.random(input_ids.shape) < 0.15)
                u, token = rng.random(input_ids.shape), rng.choice(ordinary_ids, size=input_ids.shape)
                return np.where(chosen & (u < 0.8), mask_id, np.where(chosen & (u < 0.9), token, input_ids))
            """,
            "choose 15% once more",
        ),
    },
)

WHOLE = Bank(
    right={
        "permutation of the words": """
            def whole_word_positions(words, rate, rng):
                budget = max(1, round(rate * np.count_nonzero(words >= 0)))
                chosen = np.zeros(words.shape, bool)
                for word in rng.permutation(np.unique(words[words >= 0])):
                    pieces = words == word
                    if not chosen.any() or chosen.sum() + pieces.sum() <= budget:
                        chosen |= pieces
                return chosen
            """,
        "dictionary of positions": """
            def whole_word_positions(words, rate, rng):
                places = {}
                for t, word in enumerate(words.tolist()):
                    if word != -1:
                        places.setdefault(word, []).append(t)
                total = sum(len(p) for p in places.values())
                budget, taken = max(1, int(total * rate + 0.5)), []
                order = list(places)
                rng.shuffle(order)
                for word in order:
                    if taken and len(taken) + len(places[word]) > budget:
                        continue
                    taken += places[word]
                return np.array([t in taken for t in range(len(words))])
            """,
        "sorted by random keys": """
            def whole_word_positions(words, rate, rng):
                sizes = np.bincount(words[words >= 0], minlength=1)
                left = max(1, round(rate * sizes.sum()))
                take, first = np.zeros(len(sizes), bool), True
                for word in np.argsort(rng.random(len(sizes))):
                    if first or sizes[word] <= left:
                        take[word] = sizes[word] > 0
                        left -= sizes[word]
                        first = False
                return np.where(words >= 0, take[words], False)
            """,
        "draws one word after another": """
            def whole_word_positions(words, rate, rng):
                left = sorted(set(words.tolist()) - {-1})
                budget = max(1, round(rate * int((words != -1).sum())))
                chosen = np.zeros(len(words), bool)
                while left:
                    word = left.pop(int(rng.integers(len(left))))
                    size = int((words == word).sum())
                    if chosen.sum() == 0 or chosen.sum() + size <= budget:
                        chosen[words == word] = True
                return chosen
            """,
        "rng.choice without replacement": """
            def whole_word_positions(words, rate, rng):
                unique, sizes = np.unique(words[words >= 0], return_counts=True)
                taken, used = [], 0
                for i in rng.choice(len(unique), size=len(unique), replace=False):
                    if used == 0 or used + sizes[i] <= max(1, round(rate * sizes.sum())):
                        taken.append(unique[i])
                        used += sizes[i]
                return np.isin(words, taken)
            """,
    },
    wrong={
        "pieces by themselves": (
            """
            def whole_word_positions(words, rate, rng):
                return (words >= 0) & (rng.random(len(words)) < rate)
            """,
            "words are cut",
        ),
        "first piece only": (
            """
            def whole_word_positions(words, rate, rng):
                budget = max(1, round(rate * int((words >= 0).sum())))
                chosen = np.zeros(len(words), bool)
                for word in rng.permutation(np.unique(words[words >= 0]))[:budget]:
                    chosen[np.argmax(words == word)] = True
                return chosen
            """,
            "only one token of a word",
        ),
        "-1 taken for a word": (
            """
            def whole_word_positions(words, rate, rng):
                budget = max(1, round(rate * int((words >= 0).sum())))
                chosen = np.zeros(len(words), bool)
                for word in rng.permutation(np.unique(words)):
                    pieces = words == word
                    if not chosen.any() or chosen.sum() + pieces.sum() <= budget:
                        chosen |= pieces
                return chosen
            """,
            "you treat -1 as the number of a word",
        ),
        "overshoots": (
            """
            def whole_word_positions(words, rate, rng):
                budget = max(1, round(rate * int((words >= 0).sum())))
                chosen = np.zeros(len(words), bool)
                for word in rng.permutation(np.unique(words[words >= 0])):
                    if chosen.sum() < budget:
                        chosen |= words == word
                return chosen
            """,
            "the last word exceeds the budget",
        ),
        "stops at the first that does not fit": (
            """
            def whole_word_positions(words, rate, rng):
                budget = max(1, round(rate * int((words >= 0).sum())))
                chosen = np.zeros(len(words), bool)
                for word in rng.permutation(np.unique(words[words >= 0])):
                    pieces = words == word
                    if chosen.any() and chosen.sum() + pieces.sum() > budget:
                        break
                    chosen |= pieces
                return chosen
            """,
            "a word that still fits is left out",
        ),
        "each word tossed for": (
            """
            def whole_word_positions(words, rate, rng):
                chosen = np.zeros(len(words), bool)
                while not chosen.any() and (words >= 0).any():
                    for word in np.unique(words[words >= 0]):
                        if rng.random() < rate:
                            chosen |= words == word
                return chosen
            """,
            "Instead of a separate draw for each word",
        ),
        "budget in words": (
            """
            def whole_word_positions(words, rate, rng):
                unique = np.unique(words[words >= 0])
                count = max(1, round(rate * len(unique)))
                return np.isin(words, rng.permutation(unique)[:count])
            """,
            "you count words",
        ),
        "budget with padding": (
            """
            def whole_word_positions(words, rate, rng):
                budget = max(1, round(rate * len(words)))
                chosen = np.zeros(len(words), bool)
                for word in rng.permutation(np.unique(words[words >= 0])):
                    pieces = words == word
                    if not chosen.any() or chosen.sum() + pieces.sum() <= budget:
                        chosen |= pieces
                return chosen
            """,
            "includes special tokens and padding",
        ),
        "budget rounded down": (
            """
            def whole_word_positions(words, rate, rng):
                budget = max(1, int(rate * (words >= 0).sum()))
                chosen = np.zeros(len(words), bool)
                for word in rng.permutation(np.unique(words[words >= 0])):
                    pieces = words == word
                    if not chosen.any() or chosen.sum() + pieces.sum() <= budget:
                        chosen |= pieces
                return chosen
            """,
            "rounded down",
        ),
        "short rows get nothing": (
            """
            def whole_word_positions(words, rate, rng):
                budget = round(rate * int((words >= 0).sum()))
                chosen = np.zeros(len(words), bool)
                for word in rng.permutation(np.unique(words[words >= 0])):
                    pieces = words == word
                    if budget and (not chosen.any() or chosen.sum() + pieces.sum() <= budget):
                        chosen |= pieces
                return chosen
            """,
            "Make the budget at least 1",
        ),
        "first word must fit": (
            """
            def whole_word_positions(words, rate, rng):
                budget = max(1, round(rate * int((words >= 0).sum())))
                chosen = np.zeros(len(words), bool)
                for word in rng.permutation(np.unique(words[words >= 0])):
                    pieces = words == word
                    if chosen.sum() + pieces.sum() <= budget:
                        chosen |= pieces
                return chosen
            """,
            "Always take the first word",
        ),
        "from the left": (
            """
            def whole_word_positions(words, rate, rng):
                budget = max(1, round(rate * int((words >= 0).sum())))
                chosen = np.zeros(len(words), bool)
                for word in np.unique(words[words >= 0]):
                    pieces = words == word
                    if not chosen.any() or chosen.sum() + pieces.sum() <= budget:
                        chosen |= pieces
                return chosen
            """,
            "the first words of the sequence are always chosen",
        ),
        "neighbours": (
            """
            def whole_word_positions(words, rate, rng):
                budget = max(1, round(rate * int((words >= 0).sum())))
                chosen, unique = np.zeros(len(words), bool), np.unique(words[words >= 0])
                for word in np.roll(unique, rng.integers(max(1, len(unique)))):
                    pieces = words == word
                    if not chosen.any() or chosen.sum() + pieces.sum() <= budget:
                        chosen |= pieces
                return chosen
            """,
            "adjacent too often",
        ),
        "long words preferred": (
            """
            def whole_word_positions(words, rate, rng):
                budget = max(1, round(rate * int((words >= 0).sum())))
                chosen = np.zeros(len(words), bool)
                for word in rng.permutation(words[words >= 0]):
                    pieces = words == word
                    if not chosen.any() or (not chosen[pieces].any()
                                            and chosen.sum() + pieces.sum() <= budget):
                        chosen |= pieces
                return chosen
            """,
            "you draw a token and take its word",
        ),
        "a row without words crashes": (
            """
            def whole_word_positions(words, rate, rng):
                budget = max(1, round(rate * int((words >= 0).sum())))
                left = list(np.unique(words[words >= 0]))
                chosen = words == left.pop(rng.integers(len(left)))
                while left:
                    pieces = words == left.pop(rng.integers(len(left)))
                    if chosen.sum() + pieces.sum() <= budget:
                        chosen |= pieces
                return chosen
            """,
            "There is nothing to choose",
        ),
        "endless": (
            """
            def whole_word_positions(words, rate, rng):
                budget = max(1, round(rate * int((words >= 0).sum())))
                chosen = np.zeros(len(words), bool)
                while chosen.sum() < budget:
                    pieces = words == rng.integers(max(1, words.max() + 1))
                    if not chosen.any() or chosen.sum() + pieces.sum() <= budget:
                        chosen |= pieces
                return chosen
            """,
            "your loop does not end",
        ),
        "global generator": (
            """
            def whole_word_positions(words, rate, rng):
                unique = np.unique(words[words >= 0])
                np.random.shuffle(unique)
                return np.isin(words, unique[:1])
            """,
            "global generator of `np.random`",
        ),
    },
)

SPANS = Bank(
    right={
        "weights from 1 to 10": """
            def span_positions(words, rate, rng):
                words = np.asarray(words)
                chosen = np.zeros(len(words), bool)
                real = words >= 0
                firsts = np.flatnonzero(real & np.r_[True, words[1:] != words[:-1]])
                weights = 0.8 ** np.arange(10)
                while len(firsts) and chosen.sum() < max(1, round(rate * real.sum())):
                    t = firsts[rng.integers(len(firsts))]
                    for _ in range(rng.choice(np.arange(1, 11), p=weights / weights.sum())):
                        if t >= len(words) or not real[t]:
                            break
                        word = words[t]
                        chosen |= words == word
                        while t < len(words) and words[t] == word:
                            t += 1
                return chosen
            """,
        "geometric, drawn again above 10": """
            def span_positions(words, rate, rng):
                spans, current = [], []
                for t, word in enumerate(list(words) + [-1]):
                    if word < 0:
                        spans += [current] if current else []
                        current = []
                    elif current and words[t - 1] == word:
                        current[-1].append(t)
                    else:
                        current.append([t])
                starts = [(sentence, i) for sentence in spans for i in range(len(sentence))]
                budget, taken = max(1, round(rate * sum(1 for w in words if w >= 0))), set()
                while starts and len(taken) < budget:
                    length = rng.geometric(0.2)
                    while length > 10:
                        length = rng.geometric(0.2)
                    sentence, i = starts[rng.integers(len(starts))]
                    for pieces in sentence[i:i + length]:
                        taken.update(pieces)
                return np.array([t in taken for t in range(len(words))])
            """,
        "a word at a time with a coin": """
            def span_positions(words, rate, rng):
                chosen = np.zeros(len(words), bool)
                unique = np.unique(words[words >= 0])
                budget = max(1, round(rate * int((words >= 0).sum())))
                while len(unique) and chosen.sum() < budget:
                    word, length = rng.choice(unique), 11
                    while length > 10:
                        length = 1
                        while rng.random() < 0.8:
                            length += 1
                    for w in range(word, word + length):
                        if not (words == w).any() or (w > word and words[np.argmax(words == w) - 1] < 0):
                            break
                        chosen[words == w] = True
                return chosen
            """,
        "by segments": """
            def span_positions(words, rate, rng):
                edges = np.r_[words[0] >= 0, (words[1:] != words[:-1]) & (words[1:] >= 0)]
                firsts = np.flatnonzero(edges)
                segment = np.cumsum(words < 0)
                chosen = np.zeros(words.size, dtype=bool)
                p = 0.2 * 0.8 ** np.arange(10)
                p /= p.sum()
                budget = max(1, round(float(rate) * int(np.sum(words > -1))))
                while firsts.size and np.count_nonzero(chosen) < budget:
                    i, n = rng.integers(firsts.size), 1 + np.searchsorted(np.cumsum(p)[:-1], rng.random())
                    inside = (words >= words[firsts[i]]) & (words < words[firsts[i]] + n)
                    chosen |= inside & (segment == segment[firsts[i]])
                return chosen
            """,
        "no overlap where it can be avoided": """
            def span_positions(words, rate, rng):
                budget = max(1, round(rate * (words >= 0).sum()))
                chosen = np.zeros(len(words), bool)
                left = list(rng.permutation(np.unique(words[words >= 0])))
                while left and chosen.sum() < budget:
                    first = left.pop()
                    if chosen[words == first].any():
                        continue
                    n = rng.geometric(0.2)
                    while n > 10:
                        n = rng.geometric(0.2)
                    for word in range(first, first + n):
                        place = np.flatnonzero(words == word)
                        if not len(place) or (word > first and words[place[0] - 1] == -1):
                            break
                        chosen[place] = True
                return chosen
            """,
    },
    wrong={},
)

# The right answer in pieces: most wrong ones change one of them.
SPAN_ANSWER = """
    def span_positions(words, rate, rng):
        budget = max(1, round(rate * int((words >= 0).sum())))
        chosen, real = np.zeros(len(words), bool), np.unique(words[words >= 0])
        while len(real) and chosen.sum() < budget:
            first = rng.choice(real)
            n = rng.geometric(0.2)
            while n > 10:
                n = rng.geometric(0.2)
            for word in range(first, first + n):
                places = np.flatnonzero(words == word)
                if not len(places) or (word > first and words[places[0] - 1] == -1):
                    break
                chosen[places] = True
        return chosen
    """
LENGTH = """        n = rng.geometric(0.2)
        while n > 10:
            n = rng.geometric(0.2)
"""
spans = partial(changed, SPAN_ANSWER)


def length(expression):
    return spans((LENGTH, f"        n = {expression}\n"))


SPANS.right["the answer that the wrong ones change"] = SPAN_ANSWER
SPANS.wrong.update(
    {
        "over [SEP]": (
            """
        def span_positions(words, rate, rng):
            chosen, starts = np.zeros(len(words), bool), np.flatnonzero(words >= 0)
            p = 0.8 ** np.arange(10)
            while len(starts) and chosen.sum() < max(1, round(rate * len(starts))):
                t = rng.choice(starts)
                chosen[t:t + rng.choice(10, p=p / p.sum()) + 1] = True
            return chosen
        """,
            "never contains [SEP] or padding",
        ),
        "behind [SEP]": (
            spans((" or (word > first and words[places[0] - 1] == -1)", "")),
            "a span continues beyond [SEP]",
        ),
        "words cut": (
            """
        def span_positions(words, rate, rng):
            chosen, starts = np.zeros(len(words), bool), np.flatnonzero(words >= 0)
            p = 0.8 ** np.arange(10)
            while len(starts) and chosen.sum() < max(1, round(rate * len(starts))):
                t = rng.choice(starts)
                for _ in range(rng.choice(10, p=p / p.sum()) + 1):
                    if t < len(words) and words[t] >= 0:
                        chosen[t] = True
                        t += 1
                    else:
                        break
            return chosen
        """,
            "words are cut",
        ),
        "uniform lengths": (length("rng.integers(1, 11)"), "all lengths from 1 to 10 are equally likely"),
        "uniform lengths, 10 left out": (
            length("rng.integers(1, 10)"),
            "all lengths from 1 to 9 are equally likely",
        ),
        "no longest span": (length("rng.geometric(0.2)"), "may be longer than 10 words"),
        "clipped at 10": (length("min(rng.geometric(0.2), 10)"), "spans of 10 words are too frequent"),
        "10 words never": (spans(("while n > 10", "while n >= 10")), "spans of 10 words never occur"),
        "11 words": (spans(("while n > 10", "while n > 11")), "spans of 11 words occur"),
        "one word too long": (spans(("first + n)", "first + n + 1)")), "one word too long"),
        "0.8 for 0.2": (length("min(rng.geometric(0.8), 10)"), "0.2 and 0.8 are swapped"),
        "a fair coin": (spans(("0.2", "0.5", 2)), "your lengths follow P(n) ~ 0.5^"),
        "always three words": (length("3"), "every span has length 3"),
        "stopped at the budget": (
            spans(
                (
                    "                break\n            chosen[places] = True",
                    "                break\n            if chosen.sum() < budget:\n"
                    "                chosen[places] = True",
                )
            ),
            "each span has only one word",
        ),
        "one span only": (
            spans(("while len(real) and chosen.sum() < budget:", "for _ in range(min(1, len(real))):")),
            "only one span is drawn",
        ),
        "stops before the budget": (spans(("rate * int", "0.5 * rate * int")), "stop before the budget"),
        "budget with padding": (spans(("int((words >= 0).sum())", "len(words)")), "your loop does not end"),
        "short rows get nothing": (
            spans(("max(1, round(rate * int((words >= 0).sum())))", "round(rate * int((words >= 0).sum()))")),
            "Make the budget at least 1",
        ),
        "long words start more spans": (
            spans(("first = rng.choice(real)", "first = rng.choice(words[words >= 0])")),
            "more spans start at long words",
        ),
        "never at the last word": (
            spans(("first = rng.choice(real)", "first = real[rng.integers(max(1, len(real) - 1))]")),
            "no span starts at the last word",
        ),
        "starts where it fits": (
            spans(
                (
                    "        for word in",
                    "        if len(real) > 20:\n            "
                    "first = rng.integers(len(real) - n + 1)\n        for word in",
                )
            ),
            "too rarely near the end",
        ),
        "a row without words crashes": (spans(("len(real) and ", "")), "There is nothing to choose"),
        "in place": (
            spans(
                ("    while len(real)", "    words[words < 0] = -2\n    while len(real)"), ("== -1", "== -2")
            ),
            "changes its inputs",
        ),
        "global generator": (
            spans(("rng.choice(real)", "np.random.choice(real)")),
            "global generator of `np.random`",
        ),
        "the same each time": (
            spans(("    budget =", "    rng = np.random.default_rng(1)\n    budget =")),
            "every span starts at the same word",
        ),
    }
)

SHARES = Bank(
    right={
        "numbers": "def colleague_shares(): return 0.72, 0.1, 0.18",
        "products": """
            def colleague_shares():
                first, second = 0.8, 0.1
                return first * (1 - second), second, (1 - first) * (1 - second)
            """,
        "simulated and rounded": """
            def colleague_shares():
                rng = np.random.default_rng(3)
                first, second = rng.random(10 ** 6) < 0.8, rng.random(10 ** 6) < 0.1
                return tuple(round(float(x.mean()), 2) for x in (first & ~second, second, ~first & ~second))
            """,
        "NumPy numbers": "def colleague_shares(): return tuple(np.array([0.72, 0.10, 0.18]))",
    },
    wrong={
        "what the comments promise": (
            "def colleague_shares(): return 0.8, 0.1, 0.1",
            "that the comments promise",
        ),
        "second draw on the rest": (
            "def colleague_shares(): return 0.8, 0.02, 0.18",
            "only after the first failed",
        ),
        "two numbers": ("def colleague_shares(): return 0.72, 0.1", "it should return 3 values"),
    },
)

MENDED = """
    def hide(input_ids, special, draws, fates, tokens):
        seen = input_ids.copy()
        chosen = (draws < 0.15) & ~special
        masked = chosen & (fates < 0.8)
        seen[masked] = 4
        replaced = chosen & (fates < 0.9) & ~masked
        seen[replaced] = tokens[replaced]
        labels = np.where(chosen, input_ids, IGNORE)
        return seen, labels
    """
ASKS = ("chosen, input_ids, IGNORE", "chosen, seen, IGNORE")
SPECIAL = (" & ~special", "")
OVERWRITES = (" & ~masked", "")

HIDE = Bank(
    right={
        "the answer that the wrong ones change": MENDED,
        "nested wheres": """
            def hide(input_ids, special, draws, fates, tokens):
                chosen = np.where(special, False, draws < 0.15)
                fate = np.where(fates < 0.8, 4, np.where(fates < 0.9, tokens, input_ids))
                return np.where(chosen, fate, input_ids), np.where(chosen, input_ids, -100)
            """,
        "loop over positions": """
            def hide(input_ids, special, draws, fates, tokens):
                seen, labels = input_ids.copy(), np.full_like(input_ids, IGNORE)
                for place in np.ndindex(*input_ids.shape):
                    if draws[place] < 0.15 and not special[place]:
                        labels[place] = input_ids[place]
                        if fates[place] < 0.8:
                            seen[place] = 4
                        elif fates[place] < 0.9:
                            seen[place] = tokens[place]
                return seen, labels
            """,
        "select": """
            def hide(input_ids, special, draws, fates, tokens):
                chosen = np.logical_and(draws < 0.15, np.logical_not(special))
                labels = input_ids.copy()
                labels[~chosen] = IGNORE
                seen = np.select([~chosen, fates < 0.8, fates < 0.9], [input_ids, 4, tokens], input_ids)
                return seen, labels
            """,
        "lists": """
            def hide(input_ids, special, draws, fates, tokens):
                seen, labels = [], []
                for row in zip(input_ids, special, draws, fates, tokens):
                    for word, fixed, draw, fate, token in zip(*row):
                        chosen = not fixed and draw < 0.15
                        labels.append(word if chosen else IGNORE)
                        seen.append((4 if fate < 0.8 else token if fate < 0.9 else word) if chosen else word)
                return np.reshape(seen, input_ids.shape), np.reshape(labels, input_ids.shape)
            """,
        "torch": """
            def hide(input_ids, special, draws, fates, tokens):
                import torch
                ids, special, draws, fates, tokens = map(torch.from_numpy,
                                                         (input_ids, special, draws, fates, tokens))
                chosen = (draws < 0.15) & ~special
                seen = torch.where(chosen & (fates < 0.9), tokens, ids).masked_fill(chosen & (fates < 0.8), 4)
                return seen.numpy(), ids.masked_fill(~chosen, IGNORE).numpy()
            """,
    },
    wrong={
        "asks for what is seen": (changed(MENDED, ASKS), "the label is the original token", 1),
        "special tokens": (changed(MENDED, SPECIAL), "special tokens are neither masked", 1),
        "[MASK] overwritten": (changed(MENDED, OVERWRITES), "a fate below 0.8 shows [MASK]", 1),
        "bugs 1 and 2 left": (changed(MENDED, ASKS, SPECIAL), "the label is the original token", 2),
        "bugs 1 and 3 left": (changed(MENDED, ASKS, OVERWRITES), "the label is the original token", 2),
        "bugs 2 and 3 left": (changed(MENDED, SPECIAL, OVERWRITES), "special tokens are neither masked", 2),
        "nothing mended": (
            changed(MENDED, ASKS, SPECIAL, OVERWRITES),
            "the label is the original token",
            3,
        ),
        "other borders": (changed(MENDED, ("0.9", "0.85")), "something else has changed"),
        "special tokens alone": (changed(MENDED, ("~special", "special")), "something else has changed"),
        "labels everywhere": (
            changed(MENDED, ("np.where(chosen, input_ids, IGNORE)", "input_ids")),
            "something else has changed",
        ),
        "0 for what is not asked": (changed(MENDED, ("IGNORE", "0")), "something else has changed"),
        "[MASK] is chosen anew": (
            changed(MENDED, ("(fates < 0.8)", "(draws < 0.8)")),
            "something else has changed",
        ),
        "not copied": (changed(MENDED, (".copy()", "")), "changes its inputs"),
        "seen only": (changed(MENDED, ("return seen, labels", "return seen")), "something else has changed"),
        "nothing returned": (changed(MENDED, ("return seen, labels", "labels")), "returns None"),
    },
)

TEST = """
    @by_name
    def test_whole_words(whole_word_positions):
        rng, first = np.random.default_rng(5), set()
        rows = [np.array([-1, 0, 0, 0, 1, 2, 2, -1, 3, 4, 4, 4, 4, 5, -1, -1, -1]),
                np.array([-1, 0, 0, 0, 0, -1])]
        for words in 150 * rows:
            kept = words.copy()
            chosen = whole_word_positions(words, 0.3, rng)
            assert np.array_equal(kept, words)
            assert not np.any(chosen & (words < 0))
            assert chosen.any()
            for word in range(words.max() + 1):
                assert len(set(chosen[words == word])) == 1
            budget = max(1, round(0.3 * np.sum(words >= 0)))
            sizes = np.bincount(words[words >= 0])
            taken = np.bincount(words[chosen], minlength=len(sizes)) > 0
            assert sizes[taken].sum() <= budget or taken.sum() == 1
            assert taken.all() or sizes[taken].sum() + sizes[~taken].min() > budget
            first.add(int(np.argmax(taken)))
        assert len(first) >= 3
    """

TEST_WHOLE_WORDS = Bank(
    right={
        "many rows": TEST,
        "unittest": """
            import unittest
            @by_name
            def test_whole_words(whole_word_positions):
                case, rng, results = unittest.TestCase(), np.random.default_rng(1), []
                for _ in range(100):
                    words = np.array([0, 0, -1, 1, 1, 1, 2, 3, 3, -1])
                    chosen = whole_word_positions(words, 0.4, rng).tolist()
                    case.assertEqual(words.tolist(), [0, 0, -1, 1, 1, 1, 2, 3, 3, -1])
                    taken = {w for w, c in zip(words.tolist(), chosen) if c}
                    case.assertNotIn(-1, taken)
                    case.assertEqual([w in taken for w in words.tolist()], chosen)
                    case.assertTrue(len(taken) == 1 or sum(chosen) <= 3)
                    case.assertIn(taken, [{0, 2}, {1}, {2, 3}])
                    results.append(tuple(chosen))
                    case.assertEqual(whole_word_positions(np.array([0, 0, 0]), 0.1, rng).sum(), 3)
                case.assertGreater(len(set(results)), 1)
            """,
        "helpers": """
            def always(whole_word_positions, words, rate, holds):
                rng = np.random.default_rng(7)
                return all(holds(whole_word_positions(words.copy(), rate, rng)) for _ in range(120))
            @by_name
            def test_whole_words(whole_word_positions):
                words = np.array([-1, 0, 1, 1, 2, 2, 2, 3, -1, -1, -1, -1])
                whole = [np.isin(words, taken) for taken in ([0, 3], [1], [2])]
                assert always(whole_word_positions, words, 0.3,
                              lambda got: any((got == w).all() for w in whole))
                assert always(whole_word_positions, np.array([0, 0, 0]), 0.15, np.all)
                rows = [whole_word_positions(words, 0.3, np.random.default_rng(seed)) for seed in range(60)]
                assert not all((row == rows[0]).all() for row in rows)
                assert words[0] == -1 and words.max() == 3
            """,
        "the numbers of words": """
            @by_name
            def test_whole_words(whole_word_positions):
                words = np.array([-1] + [0] * 3 + [1, 2] + [3] * 4 + [-1] * 9)
                seen = set()
                for seed in range(200):
                    given = np.array(words)
                    chosen = np.asarray(whole_word_positions(given, 0.25, np.random.default_rng(seed)))
                    assert (given == words).all(), "words were changed"
                    seen.add(tuple(np.flatnonzero(chosen)))
                assert seen == {(1, 2, 3), (4, 5), (6, 7, 8, 9)}, seen
            """,
    },
    wrong={
        "nothing asked": (
            "@by_name\ndef test_whole_words(whole_word_positions):\n    pass",
            "so that words are cut",
        ),
        "special tokens only": (
            """
            @by_name
            def test_whole_words(whole_word_positions):
                for seed in range(50):
                    chosen = whole_word_positions(WORDS, 0.3, np.random.default_rng(seed))
                    assert not chosen[WORDS < 0].any()
            """,
            "so that words are cut",
        ),
        "the share of one row": (
            changed(TEST, ("assert chosen.any()", "assert 0.2 < chosen.sum() / (words >= 0).sum() < 0.4")),
            "rejects a correct version",
        ),
        "no word may be larger than the budget": (
            changed(TEST, (" or taken.sum() == 1", "")),
            "rejects a correct version",
        ),
        "the same each time": (
            changed(
                TEST,
                ("assert chosen.any()", "assert (chosen == whole_word_positions(words, 0.3, rng)).all()"),
            ),
            "rejects a correct version",
        ),
        "returned": (
            """
            @by_name
            def test_whole_words(whole_word_positions):
                chosen = whole_word_positions(WORDS, 0.3, np.random.default_rng(0))
                return not chosen[WORDS < 0].any()
            """,
            "returns a value",
        ),
        "without its line": (changed(TEST, ("@by_name", "")), "Keep the line"),
        "a slip": (changed(TEST, ("np.any", "np.some")), "has no attribute"),
        "cut words": (
            changed(TEST, ("assert len(set(chosen[words == word])) == 1", "pass")),
            "only the first token of a word",
        ),
        "special tokens forgotten": (
            changed(
                TEST,
                ("assert not np.any(chosen & (words < 0))", "chosen &= words >= 0"),
                ("assert taken.all() or", "assert True or"),
                ("assert chosen.any()", "pass"),
            ),
            "chooses special tokens",
        ),
        "budget forgotten": (
            changed(TEST, ("assert sizes[taken].sum() <= budget or taken.sum() == 1", "pass")),
            "exceeds the budget",
        ),
        "nothing may be chosen": (
            changed(TEST, ("assert chosen.any()", "if not chosen.any(): continue")),
            "no word fits",
        ),
        "too little may be chosen": (
            changed(TEST, ("assert taken.all() or sizes", "assert True or sizes")),
            "stops after a single word",
            "hidden",
        ),
        "its input may change": (
            changed(TEST, ("positions(words, 0.3", "positions(words.copy(), 0.3")),
            "changes its input",
            "hidden",
        ),
        "any order will do": (
            changed(TEST, ("assert len(first) >= 3", "pass")),
            "from left to right",
            "hidden",
        ),
    },
)

EPOCH = """
    def epoch_masks(candidates, rate, epochs, copies, rng):
        count = epochs if copies is None else copies
        drawn = [candidates & (rng.random(candidates.shape) < rate) for _ in range(count)]
        return np.stack([drawn[epoch % count] for epoch in range(epochs)])
    """
DRAWN = "[candidates & (rng.random(candidates.shape) < rate) for _ in range(count)]"
ONE, TURN = "candidates & (rng.random(candidates.shape) < rate)", "drawn[epoch % count]"

EPOCHS = Bank(
    right={
        "a list and %": EPOCH,
        "a function for one mask": """
            def epoch_masks(candidates, rate, epochs, copies, rng):
                def mask():
                    return (rng.random(candidates.shape) < rate) & candidates
                if copies is None:
                    return np.array([mask() for _ in range(epochs)])
                stored = [mask() for _ in range(copies)]
                return np.array([stored[epoch % copies] for epoch in range(epochs)])
            """,
        "one draw for all masks": """
            def epoch_masks(candidates, rate, epochs, copies, rng):
                count = copies or epochs
                drawn = (rng.random((count, *candidates.shape)) < rate) & candidates[None]
                return drawn[np.arange(epochs) % count]
            """,
        "only those that are needed": """
            def epoch_masks(candidates, rate, epochs, copies, rng):
                masks = np.zeros((epochs, *candidates.shape), dtype=bool)
                for epoch in range(epochs):
                    if copies is None or epoch < copies:
                        masks[epoch] = np.where(candidates, rng.random(candidates.shape) < rate, False)
                    else:
                        masks[epoch] = masks[epoch - copies]
                return masks
            """,
        "itertools": """
            import itertools
            def epoch_masks(candidates, rate, epochs, copies, rng):
                def draw():
                    return np.logical_and(candidates, rng.uniform(size=candidates.shape) < rate)
                stored = itertools.repeat(None) if copies is None else itertools.cycle(
                    [draw() for _ in range(copies)])
                return np.stack([draw() if mask is None else mask
                                 for mask in itertools.islice(stored, epochs)])
            """,
        "plain loops": """
            def epoch_masks(candidates, rate, epochs, copies, rng):
                shape, flat = candidates.shape, candidates.ravel().tolist()
                drawn = []
                for _ in range(epochs if copies is None else copies):
                    drawn.append([bool(candidate) and rng.random() < rate for candidate in flat])
                masks = [drawn[epoch % len(drawn)] for epoch in range(epochs)]
                return np.array(masks, dtype=bool).reshape(epochs, *shape)
            """,
        "tiled and cut": """
            def epoch_masks(candidates, rate, epochs, copies, rng):
                count = epochs if copies is None else min(copies, epochs)
                drawn = rng.binomial(1, rate, size=(count,) + candidates.shape).astype(bool)
                drawn[:, ~candidates] = False
                rounds = -(-epochs // count)
                return np.concatenate([drawn] * rounds)[:epochs]
            """,
        "torch, defensive": """
            import torch
            def epoch_masks(candidates, rate, epochs, copies, rng):
                if epochs < 1 or (copies is not None and copies < 1):
                    raise ValueError("at least one epoch and one copy")
                allowed = torch.tensor(np.ascontiguousarray(candidates), dtype=torch.bool)
                count = epochs if copies is None else int(copies)
                drawn = torch.stack([allowed & torch.tensor(rng.random(tuple(allowed.shape)) < rate)
                                     for _ in range(count)])
                return drawn[torch.arange(epochs) % count]
            """,
    },
    wrong={
        "one mask, repeated": (changed(EPOCH, (DRAWN, f"[{ONE}] * count")), "every epoch has the same mask"),
        "stored ones all alike": (
            """
            def epoch_masks(candidates, rate, epochs, copies, rng):
                if copies is None:
                    return np.stack([candidates & (rng.random(candidates.shape) < rate)
                                     for _ in range(epochs)])
                stored = [candidates & (rng.random(candidates.shape) < rate)] * copies
                return np.stack([stored[epoch % copies] for epoch in range(epochs)])
            """,
            "[mask] * copies repeats one mask",
        ),
        "always fresh": (changed(EPOCH, (TURN, ONE)), "a new mask, whatever `copies` is"),
        "exchanged": (
            changed(EPOCH, ("epochs if copies is None else copies", "1 if copies is None else epochs")),
            "stored and fresh masks are swapped",
        ),
        "None is one": (
            changed(EPOCH, ("epochs if copies is None else copies", "copies or 1")),
            "with copies=None every epoch has the same mask",
        ),
        "None is a number": (
            changed(EPOCH, ("epochs if copies is None else copies", "copies")),
            "`copies` may be None, but you calculate with it",
        ),
        "None in a remainder": (
            changed(EPOCH, (TURN, "drawn[epoch % copies]")),
            "`copies` may be None, but you calculate with it",
        ),
        "in blocks": (
            changed(EPOCH, (TURN, "drawn[epoch * count // epochs]")),
            "in several consecutive epochs",
        ),
        "copies epochs each": (
            changed(EPOCH, (TURN, "drawn[epoch // count % count if copies else epoch]")),
            "in several consecutive epochs",
        ),
        "the last one stays": (
            changed(EPOCH, (TURN, "drawn[min(epoch, count - 1)]")),
            "you keep using the last one",
        ),
        "past the last": (
            changed(EPOCH, (TURN, "drawn[epoch]")),
            "past the last of the `copies` stored masks",
        ),
        "past the last of an array": (
            changed(
                EPOCH,
                (
                    "np.stack([drawn[epoch % count] for epoch in range(epochs)])",
                    "np.stack([np.stack(drawn)[epoch] for epoch in range(epochs)])",
                ),
            ),
            "past the last of the `copies` stored masks",
        ),
        "one is drawn for each epoch": (
            changed(EPOCH, (TURN, "drawn[rng.integers(count)] if copies else drawn[epoch]")),
            "not used in turn",
        ),
        "one too many": (changed(EPOCH, ("else copies", "else copies + 1")), "you store one mask too many"),
        "one never used": (
            changed(EPOCH, (TURN, "drawn[epoch % max(1, count - 1)] if copies else drawn[epoch]")),
            "one stored mask is never used",
        ),
        "the stored masks alone": (
            changed(
                EPOCH, ("np.stack([drawn[epoch % count] for epoch in range(epochs)])", "np.stack(drawn)")
            ),
            "stored masks. Return one mask for each epoch",
        ),
        "one mask": (
            changed(EPOCH, ("np.stack([drawn[epoch % count] for epoch in range(epochs)])", "drawn[0]")),
            "you return only one mask",
        ),
        "a list": (changed(EPOCH, ("np.stack(", "list(")), "not a NumPy array"),
        "epochs last": (changed(EPOCH, ("range(epochs)])", "range(epochs)], axis=-1)")), "the shape is"),
        "numbers": (changed(EPOCH, ("range(epochs)])", "range(epochs)]).astype(int)")), "should be bool"),
        "candidates forgotten": (
            changed(EPOCH, (ONE, "rng.random(candidates.shape) < rate")),
            "positions that are not candidates",
        ),
        "above the rate": (changed(EPOCH, ("< rate", "> rate")), "with rate 1 every candidate"),
        "0.15 written in": (
            changed(EPOCH, ("< rate", "< (0.15 if 0 < rate < 1 else rate)")),
            "with rate 40% each should choose|0.15 is hard-coded in",
        ),
        "the rate divided": (
            changed(EPOCH, ("< rate", "< (rate / count if rate < 1 else 1)")),
            "with rate 40% each should choose",
        ),
        "added up": (
            changed(
                EPOCH,
                (
                    "    return np",
                    "    for k in range(1, count):\n"
                    "        drawn[k] = drawn[k] | drawn[k - 1]\n    return np",
                ),
            ),
            "the masks accumulate",
        ),
        "moved along": (
            changed(
                EPOCH,
                (
                    DRAWN,
                    f"[{ONE}]\n    drawn = [candidates & np.roll(drawn[0], k, -1) for k in range(count)]",
                ),
            ),
            "one mask is a shifted copy of another|with rate 1 every candidate",
        ),
        "moved along, all candidates": (
            """
            def epoch_masks(candidates, rate, epochs, copies, rng):
                count = epochs if copies is None else copies
                draws = rng.random(candidates.shape)
                drawn = [candidates & (np.roll(draws, k, -1) < rate) for k in range(count)]
                return np.stack([drawn[epoch % count] for epoch in range(epochs)])
            """,
            "one mask is a shifted copy of another|every epoch has the same mask",
        ),
        "never two in a row": (
            """
            def epoch_masks(candidates, rate, epochs, copies, rng):
                count, drawn = copies or epochs, []
                for _ in range(count):
                    left = candidates & ~drawn[-1] if drawn and rate < 0.5 else candidates
                    share = rate * candidates.sum() / max(1, left.sum())
                    drawn.append(left & (rng.random(candidates.shape) < share))
                return np.stack([drawn[epoch % count] for epoch in range(epochs)])
            """,
            "never chosen in another",
        ),
        "one mask for all sequences": (
            changed(EPOCH, ("rng.random(candidates.shape)", "rng.random(candidates.shape[-1])")),
            "every sequence of the batch has the same mask",
        ),
        "one draw a mask": (
            changed(EPOCH, ("rng.random(candidates.shape)", "rng.random()")),
            "all or nothing|some epochs have the wrong mask|not used in turn",
        ),
        "an exact quota": (
            """
            def epoch_masks(candidates, rate, epochs, copies, rng):
                count, drawn = copies or epochs, []
                places = np.flatnonzero(candidates)
                for _ in range(count):
                    mask = np.zeros(candidates.size, bool)
                    mask[rng.permutation(places)[:round(rate * len(places))]] = True
                    drawn.append(mask.reshape(candidates.shape))
                return np.stack([drawn[epoch % count] for epoch in range(epochs)])
            """,
            "an exact quota",
        ),
        "a seed of its own": (
            changed(EPOCH, ("count = epochs", "rng = np.random.default_rng(0)\n    count = epochs")),
            "does not depend on `rng`",
        ),
        "the global generator": (
            changed(EPOCH, ("rng.random(candidates.shape)", "np.random.random(candidates.shape)")),
            "global generator of `np.random`",
        ),
        "changes its input": (
            changed(
                EPOCH,
                (
                    ONE,
                    "np.logical_and(candidates, rng.random(candidates.shape) < rate, out=candidates).copy()",
                ),
            ),
            "it changes its inputs",
        ),
        "return forgotten": (changed(EPOCH, ("return np", "np")), "`return` missing"),
    },
)

BANK = {
    "choose_positions": CHOOSE,
    "corrupt_80_10_10": CORRUPT,
    "whole_word_positions": WHOLE,
    "span_positions": SPANS,
    "epoch_masks": EPOCHS,
    "colleague_shares": SHARES,
    "hide": HIDE,
    "test_whole_words": TEST_WHOLE_WORDS,
}
