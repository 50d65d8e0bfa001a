"""Answers to unit 01, right and wrong, as students write them; `wrong` says what each must be told."""

from . import banks

BANK = banks(
    __name__,
    choose_positions=r"""
        loop over flat positions
            chosen = np.zeros(candidates.size, dtype=bool)
            for i, candidate in enumerate(candidates.ravel()):
                if candidate and rng.random() < rate:
                    chosen[i] = True
            return chosen.reshape(candidates.shape)
        draws for the candidates only
            chosen = np.zeros_like(candidates)
            chosen[candidates] = rng.random(candidates.sum()) < rate
            return chosen
        binomial
            return np.where(candidates, rng.binomial(1, rate, size=candidates.shape), 0).astype(bool)
        rng.choice of True and False
            toss = rng.choice([True, False], size=candidates.shape, p=[rate, 1 - rate])
            return np.logical_and(candidates, toss)
        a copy changed in place
            chosen = candidates.copy()
            chosen[rng.uniform(size=chosen.shape) >= rate] = False
            return chosen
        a list made into an array
            chosen = [bool(c) and bool(rng.random() < rate) for c in candidates.flatten()]
            return np.array(chosen, dtype=bool).reshape(candidates.shape)
        a binomial count, then that many places
            places = np.flatnonzero(candidates)
            chosen = np.zeros(candidates.size, bool)
            chosen[rng.permutation(places)[:rng.binomial(len(places), rate)]] = True
            return chosen.reshape(candidates.shape)
        a tensor
            import torch
            def choose_positions(candidates, rate, rng):
                draws = torch.tensor(rng.random(candidates.shape))
                return torch.tensor(candidates.copy()) & (draws < rate)
        padding too: you choose padding, [CLS] and [SEP] as often
            return rng.random(candidates.shape) < rate
        or instead of and: must meet both conditions
            return candidates | (rng.random(candidates.shape) < rate)
        candidates the wrong way round: wrong way round
            return ~candidates & (rng.random(candidates.shape) < rate)
        comparison turned round: comparison is the wrong way round
            return candidates & (rng.random(candidates.shape) > rate)
        in place: changes its inputs
            candidates &= rng.random(candidates.shape) < rate
            return candidates
        global generator: global generator of `np.random`
            return candidates & (np.random.rand(*candidates.shape) < rate)
        Python's generator: global generator of `random`
            import random
            def choose_positions(candidates, rate, rng):
                toss = [random.random() < rate for _ in range(candidates.size)]
                return candidates & np.array(toss).reshape(candidates.shape)
        generator of its own: same seed give different results
            rng): => rng):\n    rng = np.random.default_rng()
        seed of its own: does not depend on `rng`
            rng): => rng):\n    rng = np.random.default_rng(0)
        one draw for all: a single draw decides
            return candidates & (rng.random() < rate)
        one draw a row: for a whole sequence
            return candidates & (rng.random((*candidates.shape[:-1], 1)) < rate)
        one draw a column: the same positions are chosen in every sequence
            return candidates & (rng.random(candidates.shape[-1]) < rate)
        exact quota: the same number of positions
            places = np.flatnonzero(candidates)
            chosen = np.zeros(candidates.size, bool)
            count = round(rate * len(places))
            chosen[rng.choice(places, count, replace=False) if len(places) else places] = True
            return chosen.reshape(candidates.shape)
        rate over all positions: the rate to all positions, even padding
            share = min(1.0, rate * candidates.size / max(1, candidates.sum()))
            return candidates & (rng.random(candidates.shape) < share)
        0.15 written in: with rate
            return candidates & (rng.random(candidates.shape) < 0.15)
        drawn from the whole row: you draw from all positions
            if rate == 1:
                return candidates.copy()
            lucky = rng.permutation(candidates.size)[:rng.binomial(candidates.sum(), rate)]
            return candidates & np.isin(np.arange(candidates.size), lucky).reshape(candidates.shape)
        tossed twice: draw twice
            return candidates => chosen = candidates & (rng.random(candidates.shape) < rate)\nreturn chosen
        with replacement: with replacement
            places = np.flatnonzero(candidates)
            chosen = np.zeros(candidates.size, bool)
            if rate == 1 or not len(places):
                return candidates.copy()
            chosen[rng.choice(places, int(rate * len(places)))] = True
            return chosen.reshape(candidates.shape)
        always the first: does not depend on `rng`
            return candidates & (candidates.cumsum(-1) <= np.ceil(rate * candidates.sum(-1, keepdims=True)))
        integers instead of booleans: it should be bool
            return np.where(candidates & (rng.random(candidates.shape) < rate), 1, 0)
        positions instead of booleans: one value for each position
            return np.flatnonzero(candidates & (rng.random(candidates.shape) < rate))
        a list: should return a NumPy array
            return (candidates & (rng.random(candidates.shape) < rate)).tolist()
        return forgotten: `return` missing
            chosen = candidates & (rng.random(candidates.shape) < rate)
        shuffled quota: the same number of positions
            n = round(rate * candidates.sum())
            out = np.zeros(candidates.size, bool)
            out[rng.permutation(np.flatnonzero(candidates))[:n]] = True
            return out.reshape(candidates.shape)
        every nth: same positions
            out = candidates.copy()
            n = max(1, round(1 / rate)) if rate else 10 ** 9
            k = np.arange(candidates.size).reshape(candidates.shape)
            return candidates & ((k + rng.integers(n)) % n == 0)
        min one: with rate 0 nothing
            out = candidates & (rng.random(candidates.shape) < rate)
            if not out.any() and candidates.any():
                out.flat[np.flatnonzero(candidates)[0]] = True
            return out
        rounded draw: with rate 1 every
            return candidates & (rng.random(candidates.shape).round(1) < rate)
        prefers earlier: with rate 1 every
            p = np.linspace(1.5, 0.5, candidates.shape[-1]) * rate
            return candidates & (rng.random(candidates.shape) < p)
        """,
    corrupt_80_10_10="""
        nested draws
            seen = input_ids.copy()
            masked = chosen & (rng.random(seen.shape) < 0.8)
            replaced = chosen & ~masked & (rng.random(seen.shape) < 0.5)
            seen[masked] = mask_id
            seen[replaced] = ordinary_ids[rng.integers(len(ordinary_ids), size=replaced.sum())]
            return seen
        loop over positions
            seen = input_ids.copy()
            for b, t in np.argwhere(chosen):
                u = rng.random()
                if u < 0.8:
                    seen[b, t] = mask_id
                elif u < 0.9:
                    seen[b, t] = ordinary_ids[rng.integers(len(ordinary_ids))]
            return seen
        fate by rng.choice with p
            fate = rng.choice(3, size=input_ids.shape, p=[0.8, 0.1, 0.1])
            tokens = rng.choice(ordinary_ids, size=input_ids.shape)
            seen = np.choose(fate, [np.full_like(input_ids, mask_id), tokens, input_ids])
            return np.where(chosen, seen, input_ids)
        kept first
            seen = np.array(input_ids)
            places = np.nonzero(chosen)
            u = rng.uniform(0, 10, size=len(places[0]))
            new = np.where(u < 1, seen[places], np.where(u < 2, rng.choice(ordinary_ids, len(u)), mask_id))
            seen[places] = new
            return seen
        lists
            rows, ordinary = [], list(ordinary_ids)
            for ids, marks in zip(input_ids.tolist(), chosen.tolist()):
                row = []
                for token, mark in zip(ids, marks):
                    die = int(rng.integers(10)) if mark else 9
                    other = ordinary[int(rng.integers(len(ordinary)))]
                    row.append(mask_id if die < 8 else other if die == 8 else token)
                rows.append(row)
            return np.array(rows)
        never the old token again
            fate = rng.random(input_ids.shape)
            token = rng.choice(ordinary_ids, size=input_ids.shape)
            while len(ordinary_ids) > 1 and (token == input_ids).any():
                again = token == input_ids
                token[again] = rng.choice(ordinary_ids, size=again.sum())
            seen = np.where(chosen & (fate < 0.8), mask_id, input_ids)
            return np.where(chosen & (0.8 <= fate) & (fate < 0.9), token, seen)
        always [MASK]: every chosen position becomes [MASK]
            return np.where(chosen, mask_id, input_ids)
        10% kept forgotten: forgot to keep 10%
            token = rng.choice(ordinary_ids, size=input_ids.shape)
            return np.where(chosen, np.where(rng.random(input_ids.shape) < 0.8, mask_id, token), input_ids)
        10% random forgotten: forgot to replace 10%
            return np.where(chosen & (rng.random(input_ids.shape) < 0.8), mask_id, input_ids)
        independent draws, 81/9/10: 10% of them are too few
            keep = rng.random(input_ids.shape) < 0.1
            swap = rng.random(input_ids.shape) < 0.1
            token = rng.choice(ordinary_ids, size=input_ids.shape)
            return np.where(chosen & ~keep, np.where(swap, token, mask_id), input_ids)
        random overwrites [MASK]: overwrites some of the [MASK]
            seen = np.where(chosen & (rng.random(input_ids.shape) < 0.8), mask_id, input_ids)
            swap = chosen & (rng.random(input_ids.shape) < 0.1)
            return np.where(swap, rng.choice(ordinary_ids, size=input_ids.shape), seen)
        elif with a fresh draw: only 20% of the tokens are left
            seen = input_ids.copy()
            for place in zip(*np.nonzero(chosen)):
                if rng.random() < 0.8:
                    seen[place] = mask_id
                elif rng.random() < 0.1:
                    seen[place] = rng.choice(ordinary_ids)
            return seen
        borders not exclusive: random tokens overwrite [MASK]
            u, seen = rng.random(input_ids.shape), input_ids.copy()
            seen[chosen & (u < 0.8)] = mask_id
            swap = chosen & (u < 0.9)
            seen[swap] = rng.choice(ordinary_ids, size=swap.sum())
            return seen
        comparison turned round: [MASK] and kept tokens are swapped
            u, seen = rng.random(input_ids.shape), input_ids.copy()
            seen[chosen & (u > 0.2) & (u < 0.3)] = mask_id
            swap = chosen & (u > 0.9)
            seen[swap] = rng.choice(ordinary_ids, size=swap.sum())
            return seen
        chosen ignored: you ignore `chosen`
            u, token = rng.random(input_ids.shape), rng.choice(ordinary_ids, size=input_ids.shape)
            return np.where(u < 0.8, mask_id, np.where(u < 0.9, token, input_ids))
        random tokens anywhere: positions that are not chosen change too
            u, token = rng.random(input_ids.shape), rng.choice(ordinary_ids, size=input_ids.shape)
            return np.where(chosen & (u < 0.8), mask_id, np.where((u >= 0.8) & (u < 0.9), token, input_ids))
        chosen the wrong way round: wrong way round
            u, token = rng.random(input_ids.shape), rng.choice(ordinary_ids, size=input_ids.shape)
            return np.where(chosen, input_ids,
                            np.where(u < 0.8, mask_id, np.where(u < 0.9, token, input_ids)))
        random from the special ids too: even a special or an unused one
            u = rng.random(input_ids.shape)
            token = rng.integers(ordinary_ids.max() + 1, size=input_ids.shape)
            return np.where(chosen & (u < 0.8), mask_id, np.where(chosen & (u < 0.9), token, input_ids))
        index instead of id: an index into `ordinary_ids`
            u, token = rng.random(input_ids.shape), rng.integers(len(ordinary_ids), size=input_ids.shape)
            return np.where(chosen & (u < 0.8), mask_id, np.where(chosen & (u < 0.9), token, input_ids))
        random from the sentence: sometimes [CLS], [SEP] or [PAD]
            u, token = rng.random(input_ids.shape), rng.choice(input_ids.ravel(), size=input_ids.shape)
            return np.where(chosen & (u < 0.8), mask_id, np.where(chosen & (u < 0.9), token, input_ids))
        label instead of token: you write -100
            u, token = rng.random(input_ids.shape), rng.choice(ordinary_ids, size=input_ids.shape)
            return np.where(chosen & (u < 0.8), mask_id, np.where(chosen & (u < 0.9), token,
                            np.where(chosen, -100, input_ids)))
        one random token for all: are the same id
            u, token = rng.random(input_ids.shape), rng.choice(ordinary_ids)
            return np.where(chosen & (u < 0.8), mask_id, np.where(chosen & (u < 0.9), token, input_ids))
        last ordinary id never drawn: the last of `ordinary_ids` is never drawn
            index = rng.integers(max(1, len(ordinary_ids) - 1), size=input_ids.shape)
            u, token = rng.random(input_ids.shape), ordinary_ids[index]
            return np.where(chosen & (u < 0.8), mask_id, np.where(chosen & (u < 0.9), token, input_ids))
        one draw for the batch: one draw decides for all positions
            u, token = rng.random(), rng.choice(ordinary_ids, size=input_ids.shape)
            return np.where(chosen, mask_id if u < 0.8 else token if u < 0.9 else input_ids, input_ids)
        one draw a column: of a column have the same outcome
            u, token = rng.random(input_ids.shape[1]), rng.choice(ordinary_ids, size=input_ids.shape)
            return np.where(chosen & (u < 0.8), mask_id, np.where(chosen & (u < 0.9), token, input_ids))
        exact quota: fixed quota
            seen = input_ids.copy().ravel()
            places = rng.permutation(np.flatnonzero(chosen))
            masked, swap = round(0.8 * len(places)), round(0.9 * len(places))
            seen[places[:masked]] = mask_id
            seen[places[masked:swap]] = rng.choice(ordinary_ids, size=swap - masked)
            return seen.reshape(input_ids.shape)
        in place: changes its inputs
            u = rng.random(input_ids.shape)
            input_ids[chosen & (u < 0.8)] = mask_id
            swap = chosen & (u >= 0.9)
            input_ids[swap] = rng.choice(ordinary_ids, size=swap.sum())
            return input_ids
        global generator: global generator of `np.random`
            u, token = rng.random(input_ids.shape), np.random.choice(ordinary_ids, size=input_ids.shape)
            return np.where(chosen & (u < 0.8), mask_id, np.where(chosen & (u < 0.9), token, input_ids))
        floats: should be an integer dtype
            seen, u = np.zeros(input_ids.shape), rng.random(input_ids.shape)
            seen[:] = np.where(chosen & (u < 0.8), mask_id, input_ids)
            return np.where(chosen & (u >= 0.9), rng.choice(ordinary_ids, size=u.shape), seen)
        103 written in: you write 103 instead of [MASK]
            u, token = rng.random(input_ids.shape), rng.choice(ordinary_ids, size=input_ids.shape)
            return np.where(chosen & (u < 0.8), 103, np.where(chosen & (u < 0.9), token, input_ids))
        chosen a second time: choose 15% once more
            chosen = chosen & (rng.random(input_ids.shape) < 0.15)
            u, token = rng.random(input_ids.shape), rng.choice(ordinary_ids, size=input_ids.shape)
            return np.where(chosen & (u < 0.8), mask_id, np.where(chosen & (u < 0.9), token, input_ids))
        without replacement: Draw with replacement
            fate = rng.random(input_ids.shape)
            n = input_ids.size
            tok = rng.choice(ordinary_ids, size=input_ids.shape, replace=n > len(ordinary_ids))
            return np.where(chosen & (fate < 0.8), mask_id, np.where(chosen & (fate < 0.9), tok, input_ids))
        permuted: Draw with replacement
            fate = rng.random(input_ids.shape)
            tok = np.resize(rng.permutation(ordinary_ids), input_ids.shape)
            return np.where(chosen & (fate < 0.8), mask_id, np.where(chosen & (fate < 0.9), tok, input_ids))
        from batch: Draw it from `ordinary_ids`
            fate = rng.random(input_ids.shape)
            tok = rng.permutation(input_ids.ravel()).reshape(input_ids.shape)
            return np.where(chosen & (fate < 0.8), mask_id, np.where(chosen & (fate < 0.9), tok, input_ids))
        row token: all random tokens of a sequence|some of `ordinary_ids`
            fate = rng.random(input_ids.shape)
            tok = rng.choice(ordinary_ids, size=(*input_ids.shape[:-1], 1))
            return np.where(chosen & (fate < 0.8), mask_id, np.where(chosen & (fate < 0.9), tok, input_ids))
        range of ids: which may have gaps
            fate = rng.random(input_ids.shape)
            tok = rng.integers(ordinary_ids.min(), ordinary_ids.max() + 1, size=input_ids.shape)
            return np.where(chosen & (fate < 0.8), mask_id, np.where(chosen & (fate < 0.9), tok, input_ids))
        """,
    whole_word_positions="""
        dictionary of positions
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
        sorted by random keys
            sizes = np.bincount(words[words >= 0], minlength=1)
            left = max(1, round(rate * sizes.sum()))
            take, first = np.zeros(len(sizes), bool), True
            for word in np.argsort(rng.random(len(sizes))):
                if first or sizes[word] <= left:
                    take[word] = sizes[word] > 0
                    left -= sizes[word]
                    first = False
            return np.where(words >= 0, take[words], False)
        draws one word after another
            left = sorted(set(words.tolist()) - {-1})
            budget = max(1, round(rate * int((words != -1).sum())))
            chosen = np.zeros(len(words), bool)
            while left:
                word = left.pop(int(rng.integers(len(left))))
                size = int((words == word).sum())
                if chosen.sum() == 0 or chosen.sum() + size <= budget:
                    chosen[words == word] = True
            return chosen
        rng.choice without replacement
            unique, sizes = np.unique(words[words >= 0], return_counts=True)
            taken, used = [], 0
            for i in rng.choice(len(unique), size=len(unique), replace=False):
                if used == 0 or used + sizes[i] <= max(1, round(rate * sizes.sum())):
                    taken.append(unique[i])
                    used += sizes[i]
            return np.isin(words, taken)
        a tensor
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
        pieces by themselves: some tokens of a word are chosen
            return (words >= 0) & (rng.random(len(words)) < rate)
        first piece only: only one token of a word
            budget = max(1, round(rate * int((words >= 0).sum())))
            chosen = np.zeros(len(words), bool)
            for word in rng.permutation(np.unique(words[words >= 0]))[:budget]:
                chosen[np.argmax(words == word)] = True
            return chosen
        -1 taken for a word: you treat -1 as the number of a word
            [words >= 0] =>
        overshoots: the last word exceeds the budget
            budget = max(1, round(rate * int((words >= 0).sum())))
            chosen = np.zeros(len(words), bool)
            for word in rng.permutation(np.unique(words[words >= 0])):
                if chosen.sum() < budget:
                    chosen |= words == word
            return chosen
        stops at the first that does not fit: another word still fits
            budget = max(1, round(rate * int((words >= 0).sum())))
            chosen = np.zeros(len(words), bool)
            for word in rng.permutation(np.unique(words[words >= 0])):
                pieces = words == word
                if chosen.any() and chosen.sum() + pieces.sum() > budget:
                    break
                chosen |= pieces
            return chosen
        each word tossed for: Do not draw for each word separately
            chosen = np.zeros(len(words), bool)
            while not chosen.any() and (words >= 0).any():
                for word in np.unique(words[words >= 0]):
                    if rng.random() < rate:
                        chosen |= words == word
            return chosen
        budget in words: you count words
            unique = np.unique(words[words >= 0])
            count = max(1, round(rate * len(unique)))
            return np.isin(words, rng.permutation(unique)[:count])
        budget with padding: includes special tokens and padding
            (words >= 0).sum() => len(words)
        budget rounded down: rounded down
            round( => int(
        short rows get nothing: Make it at least 1
            budget = round(rate * int((words >= 0).sum()))
            chosen = np.zeros(len(words), bool)
            for word in rng.permutation(np.unique(words[words >= 0])):
                pieces = words == word
                if budget and (not chosen.any() or chosen.sum() + pieces.sum() <= budget):
                    chosen |= pieces
            return chosen
        first word must fit: Always take the first word
            not chosen.any() or chosen => chosen
        from the left: the first words of the sequence are always chosen
            rng.permutation(np.unique(words[words >= 0])) => np.unique(words[words >= 0])
        neighbours: adjacent too often
            budget = max(1, round(rate * int((words >= 0).sum())))
            chosen, unique = np.zeros(len(words), bool), np.unique(words[words >= 0])
            for word in np.roll(unique, rng.integers(max(1, len(unique)))):
                pieces = words == word
                if not chosen.any() or chosen.sum() + pieces.sum() <= budget:
                    chosen |= pieces
            return chosen
        long words preferred: you draw a token and take its word
            budget = max(1, round(rate * int((words >= 0).sum())))
            chosen = np.zeros(len(words), bool)
            for word in rng.permutation(words[words >= 0]):
                pieces = words == word
                if not chosen.any() or (not chosen[pieces].any() and chosen.sum() + pieces.sum() <= budget):
                    chosen |= pieces
            return chosen
        a row without words crashes: There is nothing to choose
            budget = max(1, round(rate * int((words >= 0).sum())))
            left = list(np.unique(words[words >= 0]))
            chosen = words == left.pop(rng.integers(len(left)))
            while left:
                pieces = words == left.pop(rng.integers(len(left)))
                if chosen.sum() + pieces.sum() <= budget:
                    chosen |= pieces
            return chosen
        endless: your loop does not end
            budget = max(1, round(rate * int((words >= 0).sum())))
            chosen = np.zeros(len(words), bool)
            while chosen.sum() < budget:
                pieces = words == rng.integers(max(1, words.max() + 1))
                if not chosen.any() or chosen.sum() + pieces.sum() <= budget:
                    chosen |= pieces
            return chosen
        global generator: global generator of `np.random`
            unique = np.unique(words[words >= 0])
            np.random.shuffle(unique)
            return np.isin(words, unique[:1])
        break at misfit: you stop although another word still fits
            budget = max(1, round(rate * (words >= 0).sum()))
            chosen = np.zeros(len(words), bool)
            for word in rng.permutation(np.unique(words[words >= 0])):
                p = words == word
                if chosen.any() and chosen.sum() + p.sum() > budget:
                    break
                chosen |= p
            return chosen
        fitting first word: long words are chosen too rarely
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
        no word 0: word 0 is never chosen
            [words >= => [words >
        rotation: adjacent too often
            budget = max(1, round(rate * (words >= 0).sum()))
            chosen = np.zeros(len(words), bool)
            u = np.unique(words[words >= 0])
            u = np.roll(u, rng.integers(len(u))) if len(u) else u
            for word in u:
                p = words == word
                if not chosen.any() or chosen.sum() + p.sum() <= budget:
                    chosen |= p
            return chosen
        reversed or not: some words are chosen more often
            budget = max(1, round(rate * (words >= 0).sum()))
            chosen = np.zeros(len(words), bool)
            u = np.unique(words[words >= 0])[::1 if rng.random() < 0.5 else -1]
            for word in u:
                p = words == word
                if not chosen.any() or chosen.sum() + p.sum() <= budget:
                    chosen |= p
            return chosen
        last word never: some words are chosen more often
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
    span_positions=r"""
        weights from 1 to 10
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
        geometric, drawn again above 10
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
        a word at a time with a coin
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
        by segments
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
        no overlap where it can be avoided
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
        length modulo 10
            budget = max(1, round(rate * (words >= 0).sum()))
            chosen, unique = np.zeros(len(words), bool), np.unique(words[words >= 0])
            while len(unique) and chosen.sum() < budget:
                left, t = (rng.geometric(0.2) - 1) % 10 + 1, np.argmax(words == rng.choice(unique))
                while left and t < len(words) and words[t] >= 0:
                    pieces = words == words[t]
                    chosen, left, t = chosen | pieces, left - 1, t + pieces.sum()
            return chosen
        over [SEP]: never contains [SEP] or padding
            chosen, starts = np.zeros(len(words), bool), np.flatnonzero(words >= 0)
            p = 0.8 ** np.arange(10)
            while len(starts) and chosen.sum() < max(1, round(rate * len(starts))):
                t = rng.choice(starts)
                chosen[t:t + rng.choice(10, p=p / p.sum()) + 1] = True
            return chosen
        behind [SEP]: a span continues beyond [SEP]
            or words[t] < 0 =>
            if t == => while t < len(words) and words[t] < 0:\n    t += 1\nif t ==
        words cut: some tokens of a word are chosen
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
        uniform lengths: all lengths from 1 to 10 are equally likely
            rng.geometric(0.2) =>> rng.integers(1, 11)
        uniform lengths, 10 left out: all lengths from 1 to 9 are equally likely
            rng.geometric(0.2) =>> rng.integers(1, 10)
        no longest span: may be longer than 10 words
            length > 10 => False
        clipped at 10: spans of 10 words are too frequent
            while length > 10:\n    length = rng.geometric(0.2) => length = min(length, 10)
        10 words never: spans of 10 words never occur
            length > 10 => length >= 10
        11 words: spans of 11 words occur
            length > 10 => length > 11
        one word too long: one word too long
            range(length) => range(length + 1)
        0.8 for 0.2: each length is 0.2 times
            0.2 =>> 0.8
        a fair coin: each length is 0.5 times
            0.2 =>> 0.5
        always three words: every span has length 3
            rng.geometric(0.2) =>> 3
        stopped at the budget: each span has only one word
            chosen = chosen | pieces => if chosen.sum() < budget:\n    chosen = chosen | pieces
        one span only: you draw only one span
            while len(unique) and chosen.sum() < budget: => for _ in range(min(1, len(unique))):
        stops before the budget: stop before the budget
            rate * (words => 0.5 * rate * (words
        budget with padding: your loop does not end
            (words >= 0).sum() => len(words)
        short rows get nothing: Make it at least 1
            max(1, round(rate * (words >= 0).sum())) => round(rate * (words >= 0).sum())
        long words start more spans: more spans start at long words
            rng.choice(unique) => rng.choice(words[words >= 0])
        never at the last word: no span starts at the last word
            rng.choice(unique) => unique[rng.integers(max(1, len(unique) - 1))]
        starts where it fits: too rarely near the end
            rng.choice(unique) => rng.choice(unique[:len(unique) - (length - 1) * (len(unique) > 20)])
        a row without words crashes: There is nothing to choose
            len(unique) and chosen => chosen
        in place: changes its inputs
            while len(unique) => words[words < 0] = -2\nwhile len(unique)
        global generator: global generator of `np.random`
            rng.choice => np.random.choice
        the same each time: every span starts at the same word
            budget = => rng = np.random.default_rng(1)\nbudget =
        length once: all spans of a call have the same length
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
        poisson: the lengths have the wrong distribution
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
        p .3: each length is 0.7 times
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
        binomial: the lengths have the wrong distribution
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
        centre start: near the end
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
    epoch_masks=r"""
        a function for one mask
            def mask():
                return (rng.random(candidates.shape) < rate) & candidates
            if copies is None:
                return np.array([mask() for _ in range(epochs)])
            stored = [mask() for _ in range(copies)]
            return np.array([stored[epoch % copies] for epoch in range(epochs)])
        one draw for all masks
            count = copies or epochs
            drawn = (rng.random((count, *candidates.shape)) < rate) & candidates[None]
            return drawn[np.arange(epochs) % count]
        only those that are needed
            masks = np.zeros((epochs, *candidates.shape), dtype=bool)
            for epoch in range(epochs):
                if copies is None or epoch < copies:
                    masks[epoch] = np.where(candidates, rng.random(candidates.shape) < rate, False)
                else:
                    masks[epoch] = masks[epoch - copies]
            return masks
        itertools
            import itertools
            def epoch_masks(candidates, rate, epochs, copies, rng):
                def draw():
                    return np.logical_and(candidates, rng.uniform(size=candidates.shape) < rate)
                stored = itertools.repeat(None) if copies is None else itertools.cycle(
                    [draw() for _ in range(copies)])
                return np.stack([draw() if mask is None else mask
                                 for mask in itertools.islice(stored, epochs)])
        plain loops
            shape, flat = candidates.shape, candidates.ravel().tolist()
            drawn = []
            for _ in range(epochs if copies is None else copies):
                drawn.append([bool(candidate) and rng.random() < rate for candidate in flat])
            masks = [drawn[epoch % len(drawn)] for epoch in range(epochs)]
            return np.array(masks, dtype=bool).reshape(epochs, *shape)
        tiled and cut
            count = epochs if copies is None else min(copies, epochs)
            drawn = rng.binomial(1, rate, size=(count,) + candidates.shape).astype(bool)
            drawn[:, ~candidates] = False
            rounds = -(-epochs // count)
            return np.concatenate([drawn] * rounds)[:epochs]
        torch, defensive
            import torch
            def epoch_masks(candidates, rate, epochs, copies, rng):
                if epochs < 1 or (copies is not None and copies < 1):
                    raise ValueError("at least one epoch and one copy")
                allowed = torch.tensor(np.ascontiguousarray(candidates), dtype=torch.bool)
                count = epochs if copies is None else int(copies)
                drawn = torch.stack([allowed & torch.tensor(rng.random(tuple(allowed.shape)) < rate)
                                     for _ in range(count)])
                return drawn[torch.arange(epochs) % count]
        one mask, repeated: every epoch has the same mask
            rate) for _ in range(count)] => rate)] * count
        stored ones all alike: all stored masks are the same
            if copies is None:
                return np.stack([candidates & (rng.random(candidates.shape) < rate) for _ in range(epochs)])
            stored = [candidates & (rng.random(candidates.shape) < rate)] * copies
            return np.stack([stored[epoch % copies] for epoch in range(epochs)])
        always fresh: a new mask, whatever `copies` is
            drawn[epoch % count] => candidates & (rng.random(candidates.shape) < rate)
        exchanged: stored and fresh masks are swapped
            epochs if copies is None else copies => 1 if copies is None else epochs
        None is one: with copies=None every epoch has the same mask
            epochs if copies is None else copies => copies or 1
        None is a number: `copies` may be None, but you calculate with it
            epochs if copies is None else copies => copies
        None in a remainder: `copies` may be None, but you calculate with it
            drawn[epoch % count] => drawn[epoch % copies]
        in blocks: in several consecutive epochs
            drawn[epoch % count] => drawn[epoch * count // epochs]
        copies epochs each: in several consecutive epochs
            drawn[epoch % count] => drawn[epoch // count % count if copies else epoch]
        the last one stays: you keep using the last one
            drawn[epoch % count] => drawn[min(epoch, count - 1)]
        past the last: past the last of the `copies` stored masks
            drawn[epoch % count] => drawn[epoch]
        past the last of an array: past the last of the `copies` stored masks
            drawn[epoch % count] => np.stack(drawn)[epoch]
        one is drawn for each epoch: not used in turn
            drawn[epoch % count] => drawn[rng.integers(count)] if copies else drawn[epoch]
        one too many: you store one mask too many
            else copies => else copies + 1
        one never used: one stored mask is never used
            drawn[epoch % count] => drawn[epoch % max(1, count - 1)] if copies else drawn[epoch]
        the stored masks alone: stored masks. Return one mask for each epoch
            np.stack([drawn[epoch % count] for epoch in range(epochs)]) => np.stack(drawn)
        one mask: you return only one mask
            np.stack([drawn[epoch % count] for epoch in range(epochs)]) => drawn[0]
        a list: Return a NumPy array
            np.stack( => list(
        epochs last: the shape is
            range(epochs)]) => range(epochs)], axis=-1)
        numbers: should be bool
            range(epochs)]) => range(epochs)]).astype(int)
        candidates forgotten: positions that are not candidates
            candidates & (rng.random(candidates.shape) < rate) => rng.random(candidates.shape) < rate
        above the rate: with rate 1 every candidate
            < rate => > rate
        0.15 written in: with rate 40% each should choose|0.15 is hard-coded in
            < rate => < (0.15 if 0 < rate < 1 else rate)
        the rate divided: with rate 40% each should choose
            < rate => < (rate / count if rate < 1 else 1)
        added up: the masks accumulate
            return np => for k in range(1, count):\n    drawn[k] = drawn[k] | drawn[k - 1]\nreturn np
        moved along: one mask is a shifted copy of another|with rate 1 every candidate
            rate) for _ => rate)]\ndrawn = [candidates & np.roll(drawn[0], k, -1) for k
        moved along, all candidates: one mask is a shifted copy of another|every epoch has the same mask
            count = epochs if copies is None else copies
            draws = rng.random(candidates.shape)
            drawn = [candidates & (np.roll(draws, k, -1) < rate) for k in range(count)]
            return np.stack([drawn[epoch % count] for epoch in range(epochs)])
        never two in a row: never chosen in another
            count, drawn = copies or epochs, []
            for _ in range(count):
                left = candidates & ~drawn[-1] if drawn and rate < 0.5 else candidates
                share = rate * candidates.sum() / max(1, left.sum())
                drawn.append(left & (rng.random(candidates.shape) < share))
            return np.stack([drawn[epoch % count] for epoch in range(epochs)])
        one mask for all sequences: every sequence of the batch has the same mask
            rng.random(candidates.shape) => rng.random(candidates.shape[-1])
        one draw a mask: all or nothing|some epochs have the wrong mask|not used in turn
            rng.random(candidates.shape) => rng.random()
        an exact quota: the same number of positions
            count, drawn = copies or epochs, []
            places = np.flatnonzero(candidates)
            for _ in range(count):
                mask = np.zeros(candidates.size, bool)
                mask[rng.permutation(places)[:round(rate * len(places))]] = True
                drawn.append(mask.reshape(candidates.shape))
            return np.stack([drawn[epoch % count] for epoch in range(epochs)])
        a seed of its own: does not depend on `rng`
            count = epochs => rng = np.random.default_rng(0)\ncount = epochs
        the global generator: global generator of `np.random`
            rng.random(candidates.shape) => np.random.random(candidates.shape)
        changes its input: it changes its inputs
            count = epochs if copies is None else copies
            drawn = [np.logical_and(candidates, rng.random(candidates.shape) < rate, out=candidates).copy()
                     for _ in range(count)]
            return np.stack([drawn[epoch % count] for epoch in range(epochs)])
        return forgotten: `return` missing
            return np => np
        """,
    colleague_shares="""
        numbers
            def colleague_shares(): return 0.72, 0.1, 0.18
        simulated and rounded
            rng = np.random.default_rng(3)
            first, second = rng.random(10 ** 6) < 0.8, rng.random(10 ** 6) < 0.1
            return tuple(round(float(x.mean()), 2) for x in (first & ~second, second, ~first & ~second))
        NumPy numbers
            def colleague_shares(): return tuple(np.array([0.72, 0.10, 0.18]))
        a list
            return [0.72, 0.1, 0.18]
        an array
            return np.array([0.72, 0.1, 0.18])
        measured, not rounded
            n = 200000
            ids, everywhere = np.full((1, n), 7), np.ones((1, n), bool)
            seen = corrupt_by_colleague(ids, everywhere, 4, np.arange(1000, 999000), np.random.default_rng())
            masked, kept = (seen == 4).mean(), (seen == 7).mean()
            return masked, 1 - masked - kept, kept
        fractions
            from fractions import Fraction
            def colleague_shares():
                hide, swap = Fraction(4, 5), Fraction(1, 10)
                return hide * (1 - swap), swap, (1 - hide) * (1 - swap)
        what the comments promise: that the comments promise
            def colleague_shares(): return 0.8, 0.1, 0.1
        second draw on the rest: only after the first failed
            def colleague_shares(): return 0.8, 0.02, 0.18
        two numbers: it should return 3 values
            def colleague_shares(): return 0.72, 0.1
        third: 1, 2 and 3 are wrong
            return (1 / 3, 1 / 3, 1 / 3)
        71: 1 and 3 are wrong
            return (0.71, 0.1, 0.19)
        text: it should return 3 values
            return '0.72,0.1,0.18'
        74: 1 and 3 are wrong
            return (0.74, 0.1, 0.16)
        """,
    hide="""
        nothing hidden [3]: does not hold yet|no longer holds
            return input_ids, input_ids
        nested wheres
            chosen = np.where(special, False, draws < 0.15)
            fate = np.where(fates < 0.8, 4, np.where(fates < 0.9, tokens, input_ids))
            return np.where(chosen, fate, input_ids), np.where(chosen, input_ids, -100)
        loop over positions
            seen, labels = input_ids.copy(), np.full_like(input_ids, IGNORE)
            for place in np.ndindex(*input_ids.shape):
                if draws[place] < 0.15 and not special[place]:
                    labels[place] = input_ids[place]
                    if fates[place] < 0.8:
                        seen[place] = 4
                    elif fates[place] < 0.9:
                        seen[place] = tokens[place]
            return seen, labels
        select
            chosen = np.logical_and(draws < 0.15, np.logical_not(special))
            labels = input_ids.copy()
            labels[~chosen] = IGNORE
            seen = np.select([~chosen, fates < 0.8, fates < 0.9], [input_ids, 4, tokens], input_ids)
            return seen, labels
        lists
            seen, labels = [], []
            for row in zip(input_ids, special, draws, fates, tokens):
                for word, fixed, draw, fate, token in zip(*row):
                    chosen = not fixed and draw < 0.15
                    labels.append(word if chosen else IGNORE)
                    seen.append((4 if fate < 0.8 else token if fate < 0.9 else word) if chosen else word)
            return np.reshape(seen, input_ids.shape), np.reshape(labels, input_ids.shape)
        torch
            import torch
            ids, special, draws, fates, tokens = map(torch.from_numpy,
                                                     (input_ids, special, draws, fates, tokens))
            chosen = (draws < 0.15) & ~special
            seen = torch.where(chosen & (fates < 0.9), tokens, ids).masked_fill(chosen & (fates < 0.8), 4)
            return seen.numpy(), ids.masked_fill(~chosen, IGNORE).numpy()
        a list of two
            chosen = (draws < 0.15) & ~special
            masked = chosen & (fates < 0.8)
            drawn = chosen & ~masked & (fates < 0.9)
            return [np.select([masked, drawn], [4, tokens], input_ids), np.where(chosen, input_ids, IGNORE)]
        asks for what is seen [1]: the label is the original token
            chosen, input_ids, IGNORE => chosen, seen, IGNORE
        special tokens [1]: special tokens are neither masked
            15) & ~special => 15)
        [MASK] overwritten [1]: a fate below 0.8 shows [MASK]
            (fates >= 0.8) & =>
        bugs 1 and 2 left [2]: the label is the original token
            chosen, input_ids, IGNORE => chosen, seen, IGNORE
            15) & ~special => 15)
        bugs 1 and 3 left [2]: the label is the original token
            chosen, input_ids, IGNORE => chosen, seen, IGNORE
            (fates >= 0.8) & =>
        bugs 2 and 3 left [2]: special tokens are neither masked
            15) & ~special => 15)
            (fates >= 0.8) & =>
        nothing mended [3]: the label is the original token
            chosen, input_ids, IGNORE => chosen, seen, IGNORE
            15) & ~special => 15)
            (fates >= 0.8) & =>
        other borders: there is another mistake
            0.9 => 0.85
        special tokens alone: Only special tokens are
            ~special => special
        labels everywhere: Every position has a token as its
            np.where(chosen, input_ids, IGNORE) => input_ids
        0 for what is not asked: Positions that are not chosen have a wrong label: their
            IGNORE => 0
        [MASK] is chosen again: there is another mistake
            (fates < 0.8) => (draws < 0.8)
        not copied: changes its inputs
            .copy() =>
        seen only: it returns an array of shape (6, 200); it should return 2
            return seen, np.where(chosen, input_ids, IGNORE) => return seen
        nothing returned: returns None
            return seen, => seen,
        mask103: the id of [MASK] has changed
            4 => 103
        lab0: their label must be IGNORE
            IGNORE => -1
        swapret: wrong order
            seen, np.where(chosen, input_ids, IGNORE) => np.where(chosen, input_ids, IGNORE), seen
        tok: no random token is written
            seen[replaced] = tokens[replaced] => pass
        keep: no chosen token is kept
            ) & (fates < 0.9) => )
        labmask: tokens that are kept have no labels
            chosen, => chosen & (fates < 0.9),
        sumtok: the random tokens are altered
            tokens[replaced] => tokens[replaced] + 1
        """,
    test_whole_words="""
        many rows
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
        unittest
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
        helpers
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
        the numbers of words
            words = np.array([-1] + [0] * 3 + [1, 2] + [3] * 4 + [-1] * 9)
            seen = set()
            for seed in range(200):
                given = np.array(words)
                chosen = np.asarray(whole_word_positions(given, 0.25, np.random.default_rng(seed)))
                assert (given == words).all(), "words were changed"
                seen.add(tuple(np.flatnonzero(chosen)))
            assert seen == {(1, 2, 3), (4, 5), (6, 7, 8, 9)}, seen
        nothing asked: so that words are cut
            pass
        special tokens only: so that words are cut
            for seed in range(50):
                chosen = whole_word_positions(WORDS, 0.3, np.random.default_rng(seed))
                assert not chosen[WORDS < 0].any()
        the share of one row: rejects a correct version
            assert chosen.any() => assert 0.2 < chosen.sum() / (words >= 0).sum() < 0.4
        no word may be larger than the budget: rejects a correct version
            budget or len(taken) == 1 => budget
        the same each time: rejects a correct version
            assert chosen.any() => assert (chosen == whole_word_positions(words, 0.3, rng)).all()
        returned: returns a value
            chosen = whole_word_positions(WORDS, 0.3, np.random.default_rng(0))
            return not chosen[WORDS < 0].any()
        without its line: Keep the line
            @by_name =>
        a slip: has no attribute
            np.isin => np.within
        cut words: only the first token of a word
            assert (chosen == np.isin(words, taken)).all(), "a word is cut" => chosen = np.isin(words, taken)
        special tokens forgotten: chooses special tokens
            assert not (chosen & (words == -1)).any(), "a special token is chosen" => chosen &= words >= 0
            assert chosen.any() => assert True
            assert not left or => assert True or
        budget forgotten: exceeds the budget
            assert chosen.sum() <= budget or => assert True or
        nothing may be chosen: no word fits
            assert chosen.any(), "nothing is chosen" => if not chosen.any(): continue
        too little may be chosen [hidden]: stops after a single word
            assert not left or => assert True or
        its input may change [hidden]: changes its input
            positions(words, 0.3 => positions(words.copy(), 0.3
        always the same rate [hidden]: whatever `rate` is
            positions(words, 0.3 => positions(words, 0.15
            round(0.3 => round(0.15
        any order will do [hidden]: from left to right
            (often[WORDS >= 0] > 0).all() => True
        tuple: parentheses around both the condition
            c = whole_word_positions(WORDS, 0.3, np.random.default_rng(0))
            assert (not c[WORDS < 0].any(), 'special')
        none: contains no `assert`
            whole_word_positions(WORDS, 0.3, np.random.default_rng(0))
        swallow: catches the error
            try:
                assert not whole_word_positions(WORDS, 0.3, np.random.default_rng(0))[WORDS < 0].any()
            except AssertionError as e:
                print(e)
        self: compares a value with itself
            r = np.random.default_rng
            assert (whole_word_positions(WORDS, 0.3, r(0)) == whole_word_positions(WORDS, 0.3, r(0))).all()
        any: method without `()`
            c = whole_word_positions(WORDS, 0.3, np.random.default_rng(0))
            assert c.any
        const: always true
            whole_word_positions(WORDS, 0.3, np.random.default_rng(0))
            assert 'fine'
        """,
)
