"""Answers to unit 03, right and wrong, as students write them; `wrong` says what each must be told."""

from . import banks

BANK = banks(
    __name__,
    ("my_text",),
    wordpiece_encode=r"""
        cut the rest shorter and shorter
            if len(word) > longest:
                return ["[UNK]"]
            pieces, rest = [], word
            while rest:
                head = rest
                while head and ("##" + head if pieces else head) not in vocab:
                    head = head[:-1]
                if not head:
                    return ["[UNK]"]
                pieces.append("##" + head if pieces else head)
                rest = rest[len(head):]
            return pieces
        recursion
            def split(rest, mark):
                if not rest:
                    return []
                for size in range(len(rest), 0, -1):
                    if mark + rest[:size] in vocab:
                        more = split(rest[size:], "##")
                        return None if more is None else [mark + rest[:size]] + more
                return None
            found = split(word, "") if len(word) <= longest else None
            return ["[UNK]"] if found is None else found
        the longest of all fitting pieces, as a tuple
            if len(word) > longest:
                return ("[UNK]",)
            begins = [p for p in vocab if not p.startswith("##")]
            goes_on = [p[2:] for p in vocab if p.startswith("##")]
            out, rest = (), word
            while rest != "":
                fitting = [p for p in (goes_on if out else begins) if p and rest.startswith(p)]
                if fitting == []:
                    return ("[UNK]",)
                best = max(fitting, key=len)
                out += ("##" + best if out else best,)
                rest = rest[len(best):]
            return out
        an array
            start, out = 0, []
            while start < len(word) and len(word) <= longest:
                ends = [e for e in range(start + 1, len(word) + 1)
                        if ("##" if start else "") + word[start:e] in vocab]
                if not ends:
                    out, start = ["[UNK]"], len(word)
                else:
                    out.append(("##" if start else "") + word[start:max(ends)])
                    start = max(ends)
            return np.array(out if out else ["[UNK]"])
        generator, again
            def go(rest, mark):
                while rest:
                    n = next(n for n in range(len(rest), 0, -1) if mark + rest[:n] in vocab)
                    yield mark + rest[:n]
                    rest, mark = rest[n:], "##"
            if len(word) > longest: return ["[UNK]"]
            try:
                return list(go(word, ""))
            except (StopIteration, RuntimeError):
                return ["[UNK]"]
        tuple, again
            ["[UNK]"] =>> ("[UNK]",)
            return pieces => return tuple(pieces)
        limit by longest piece, again
            len(word), => min(len(word), start + max(map(len, vocab))),
        unknown letters become [UNK]: return [UNK] for a single letter that has no token
            pieces, start = [], 0
            while start < len(word):
                end = len(word)
                mark = "##" if start else ""
                while end > start and mark + word[start:end] not in vocab:
                    end -= 1
                if end == start:
                    pieces.append("[UNK]")
                    start += 1
                else:
                    pieces.append(mark + word[start:end])
                    start = end
            return pieces
        unknown letters skipped: you skip
            pieces, start = [], 0
            while start < len(word):
                end = len(word)
                mark = "##" if start else ""
                while end > start and mark + word[start:end] not in vocab:
                    end -= 1
                if end > start:
                    pieces.append(mark + word[start:end])
                start = max(end, start + 1)
            return pieces
        backtracking: never goes back
            def search(start):
                if start == len(word):
                    return []
                for end in range(len(word), start, -1):
                    piece = ("##" if start else "") + word[start:end]
                    if piece in vocab:
                        rest = search(end)
                        if rest is not None:
                            return [piece] + rest
            found = search(0) if len(word) <= longest else None
            return found or ["[UNK]"]
        from the end: start at the end
            if len(word) > longest:
                return ["[UNK]"]
            pieces, end = [], len(word)
            while end > 0:
                for start in range(end):
                    piece = ("##" if start else "") + word[start:end]
                    if piece in vocab:
                        break
                else:
                    return ["[UNK]"]
                pieces.insert(0, piece)
                end = start
            return pieces
        ids: you return ids
            pieces.append(mark + word[start:end]) => pieces.append(vocab[mark + word[start:end]])
            return ["[UNK]"] =>> return [vocab["[UNK]"]]
        joined: join the tokens into one string
            return pieces => return " ".join(pieces)
            return ["[UNK]"] =>> return "[UNK]"
        return forgotten: `return` missing
            return pieces => pieces
        cut at 100, again: you cut off a long word, although it has at most `longest`
            =200): => =200):\n    pieces, start = [], 0
            pieces, start = [], 0\nwhile => word = word[:100]\nwhile
        whole word first, again: a word of the vocabulary stays
            =200): => =200):\n    pieces, start = [], 0
            pieces, start = [], 0\nwhile => if '##' + word in vocab: return ['##' + word]\nwhile
        as long as a continuation: wordpiece_encode: With word|fresh input
            if len(word) > longest:
                return ["[UNK]"]
            most = max((len(token) - 2 for token in vocab if token.startswith("##")), default=1)
            pieces, start = [], 0
            while start < len(word):
                for end in range(min(len(word), start + most), start, -1):
                    piece = ("##" if start else "") + word[start:end]
                    if piece in vocab:
                        break
                else:
                    return ["[UNK]"]
                pieces.append(piece)
                start = end
            return pieces
        longest ignores equal default, again: wordpiece_encode: With word|fresh input
            <= longest => <= max(longest, 5)
        """,
    revealing_words="""
        six words
            return ['hugs', 'hu', 'pub', 'huggy', 'gs', 'pus']
        a tuple
            return ('hugsx', 'hugs', 'huggy', 'ings')
        built
            return sorted({'hug' + end for end in ('s', 'z', 'gy')}) + ['ging', 'gy', 'us']
        list, again
            return ['huggy', 'hugs', 'gs', 'us', 'hugx']
        array, again
            return np.array(['hugs', 'hugx', 'huggy', 'gs'])
        ordinary words: looks up tokens inside a word without ##
            return ['hug', 'pu']
        nothing gets stuck: keeps the tokens found
            return ['hugs', 'gs']
        no word to go back in: goes back and tries
            return ['hugs', 'hugx', 'gs']
        no word of inner pieces: start a word
            return ['hugs', 'hugx', 'huggy']
        one letter: takes the shortest
            return ['h', 's']
        too many: you return 7 words
            return ['hugs', 'hugx', 'huggy', 'gs', 'pus', 'h', 'p']
        no list: do not return a list of words
            return 'hugs hugx huggy gs'
        empty: you return 0 words
            return []
        pieces: letters only
            return ['hug ##s', 'hugx']
        empty word: letters only
            return ['', 'hugs']
        no return: `return` missing
            words = ['hugs']
        """,
    pair_scores=r"""
        counters, by index
            from collections import Counter
            def pair_scores(splits, counts, score="frequency"):
                pairs, pieces = Counter(), Counter()
                for word in splits:
                    for i in range(len(splits[word])):
                        pieces[splits[word][i]] += counts[word]
                        if i + 1 < len(splits[word]):
                            pairs[splits[word][i], splits[word][i + 1]] += counts[word]
                if score == "likelihood":
                    for left, right in pairs:
                        pairs[left, right] /= pieces[left] * pieces[right]
                return pairs
        divided twice, float32
            from collections import defaultdict
            def pair_scores(splits, counts, score="frequency"):
                pieces, pairs = defaultdict(int), defaultdict(int)
                for word, n in counts.items():
                    split = splits[word]
                    for piece in split:
                        pieces[piece] += n
                    for left, right in zip(split[:-1], split[1:]):
                        pairs[(left, right)] += n
                if score != "frequency":
                    return {(a, b): np.float32(n) / pieces[a] / pieces[b] for (a, b), n in pairs.items()}
                return dict(pairs)
        the corpus written out
            corpus = [splits[word] for word in splits for _ in range(counts[word])]
            flat = [piece for split in corpus for piece in split]
            met = [(split[i - 1], split[i]) for split in corpus for i in range(1, len(split))]
            if score == "frequency":
                return {pair: met.count(pair) for pair in set(met)}
            return {(a, b): met.count((a, b)) / (flat.count(a) * flat.count(b)) for a, b in set(met)}
        defaultdict, again
            def => from collections import defaultdict\ndef
            = {}, {} => = defaultdict(int), defaultdict(int)
            items(): => items():\n    n = counts[word]
            piece, 0) + counts[word] => piece, 0) + n
            + counts[word] => + n
        fraction, again
            def => from fractions import Fraction\ndef
            items(): => items():\n    n = counts[word]
            piece, 0) + counts[word] => piece, 0) + n
            + counts[word] => + n
            n / (pieces => Fraction(n, pieces
        counter, again
            def => from collections import Counter\ndef
            = {}, {} => = Counter(), Counter()
            items(): => items():\n    n = counts[word]
            piece, 0) + counts[word] => piece, 0) + n
            + counts[word] => + n
        always likelihood: you return likelihoods
            score == "frequency" => False
        swapped: you return likelihoods
            score == "frequency" => score == "likelihood"
        pieces of pairs only: only where it begins a pair
            pairs, lefts, rights = {}, {}, {}
            for word, split in splits.items():
                for a, b in zip(split, split[1:]):
                    pairs[a, b] = pairs.get((a, b), 0) + counts[word]
                    lefts[a] = lefts.get(a, 0) + counts[word]
                    rights[b] = rights.get(b, 0) + counts[word]
            if score == "frequency":
                return pairs
            return {(a, b): n / (lefts[a] * rights[b]) for (a, b), n in pairs.items()}
        shares: divide the scores by their sum
            return pairs => return {p: n / sum(pairs.values()) for p, n in pairs.items()}
        glued keys: keys are concatenated strings
            return pairs => return {''.join(p): n for p, n in pairs.items()}
        new pieces as keys: keys are the merged tokens
            return pairs => return {a + b.removeprefix('##'): n for (a, b), n in pairs.items()}
        a list: it should return a dict
            return pairs => return list(pairs.items())
        splits changed: changes its inputs
            if score => for split in splits.values():\n    split.pop()\nif score
        both orders, again: this should hold, but it cannot be tested on your result
            pairs, pieces = {}, {}
            for word, split in splits.items():
                n = counts[word]
                for piece in split:
                    pieces[piece] = pieces.get(piece, 0) + n
                for pair in zip(split, split[1:]):
                    pair = tuple(sorted(pair))
                    pairs[pair] = pairs.get(pair, 0) + n
            if score == "frequency":
                return pairs
            return {pair: n / (pieces[pair[0]] * pieces[pair[1]]) for pair, n in pairs.items()}
        overlap non, again: you skip every second pair of adjacent tokens
            items(): => items():\n    n = counts[word]
            piece, 0) + counts[word] => piece, 0) + n
            split, split[1:] => split[::2], split[1::2]
            + counts[word] => + n
        pmi squared, again: you square the count of the pair. Leave it as it
            items(): => items():\n    n = counts[word]
            piece, 0) + counts[word] => piece, 0) + n
            + counts[word] => + n
            pair: n / => pair: n * n /
        max, again: you divide by the larger of the counts of the two tokens.
            items(): => items():\n    n = counts[word]
            piece, 0) + counts[word] => piece, 0) + n
            + counts[word] => + n
            / (pieces[pair[0]] * => / max(pieces[pair[0]],
        rounded, again: you round the scores. Return them with all their
            items(): => items():\n    n = counts[word]
            piece, 0) + counts[word] => piece, 0) + n
            + counts[word] => + n
            n / (pieces[pair[0]] * pieces[pair[1]]) => round(n / (pieces[pair[0]] * pieces[pair[1]]), 3)
        rounded 6, again: with a thousand times as many words, the frequency is a thousand
            items(): => items():\n    n = counts[word]
            piece, 0) + counts[word] => piece, 0) + n
            + counts[word] => + n
            n / (pieces[pair[0]] * pieces[pair[1]]) => round(n / (pieces[pair[0]] * pieces[pair[1]]), 6)
        """,
    train_wordpiece=r"""
        scores rounded: expected|differ from the reference
            (-scores[pair], pair) => (-round(scores[pair], 6), pair)
        sorted candidates, lists
            words = list(counts)
            splits = [[c if i == 0 else "##" + c for i, c in enumerate(word)] for word in words]
            vocab = list(SPECIAL_TOKENS) + alphabet(counts)
            for _ in range(vocab_size - len(vocab)):
                scores = pair_scores(dict(zip(words, splits)), counts, score)
                ranked = sorted(sorted(scores), key=lambda pair: scores[pair], reverse=True)
                if ranked == []:
                    return vocab
                a, b = ranked[0]
                vocab.append(a + b[2:])
                for split in splits:
                    i = 0
                    while i < len(split) - 1:
                        if split[i] == a and split[i + 1] == b:
                            split[i:i + 2] = [vocab[-1]]
                        i += 1
            return vocab
        its own scores, nothing of exercise 3
            from collections import Counter
            corpus = {tuple([w[0]] + ["##" + c for c in w[1:]]): n for w, n in counts.items()}
            vocab = [*SPECIAL_TOKENS, *alphabet(counts)]
            while len(vocab) < vocab_size:
                met, seen = Counter(), Counter()
                for split, n in corpus.items():
                    seen.update({piece: n * split.count(piece) for piece in set(split)})
                    for pair in zip(split, split[1:]):
                        met[pair] += n
                if not met:
                    break
                worth = {(a, b): n / (seen[a] * seen[b]) if score == "likelihood" else n
                         for (a, b), n in met.items()}
                top = max(worth.values())
                a, b = sorted(pair for pair in worth if worth[pair] == top)[0]
                new, fresh = a + b.replace("##", "", 1), {}
                for split, n in corpus.items():
                    parts, rest = [], list(split)
                    while rest:
                        if rest[:2] == [a, b]:
                            parts, rest = parts + [new], rest[2:]
                        else:
                            parts, rest = parts + rest[:1], rest[1:]
                    fresh[tuple(parts)] = n
                corpus = fresh
                vocab += [new]
            return vocab
        a helper that joins by recursion
            def join(split, a, b, new):
                if len(split) < 2:
                    return split
                if split[0] == a and split[1] == b:
                    return [new] + join(split[2:], a, b, new)
                return [split[0]] + join(split[1:], a, b, new)
            def train_wordpiece(counts, vocab_size, score="frequency"):
                vocab = (*SPECIAL_TOKENS, *alphabet(counts))
                splits = {word: [word[0]] + ["##" + c for c in word[1:]] for word in counts}
                scores = pair_scores(splits, counts, score)
                while scores and len(vocab) < vocab_size:
                    (a, b), _ = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[0]
                    vocab += (a + b.lstrip("#"),)
                    splits = {word: join(split, a, b, vocab[-1]) for word, split in splits.items()}
                    scores = pair_scores(splits, counts, score)
                return vocab
        tuple, again
            return vocab => return tuple(vocab)
        array, again
            return vocab => return np.array(vocab)
        replace with sort, again
            vocab = [*SPECIAL_TOKENS, *alphabet(counts)]
            splits = {word: [word[0], *("##" + c for c in word[1:])] for word in counts}
            while len(vocab) < vocab_size:
                scores = pair_scores(splits, counts, score)
                if not scores:
                    break
                left, right = sorted(scores.items(), key=lambda e: (-e[1], e[0]))[0][0]
                new = left + right.removeprefix("##")
                vocab.append(new)
                for word in splits:
                    split, out, i = splits[word], [], 0
                    while i < len(split):
                        if split[i:i + 2] == [left, right]:
                            out.append(new)
                            i += 2
                        else:
                            out.append(split[i])
                            i += 1
                    splits[word] = out
            return vocab
        from the right: overlapping pairs from the right
            vocab = [*SPECIAL_TOKENS, *alphabet(counts)]
            splits = {word: [word[0], *("##" + c for c in word[1:])] for word in counts}
            while len(vocab) < vocab_size:
                scores = pair_scores(splits, counts, score)
                if not scores:
                    break
                left, right = min(scores, key=lambda pair: (-scores[pair], pair))
                vocab.append(left + right.removeprefix("##"))
                for split in splits.values():
                    i = len(split) - 2
                    while i >= 0:
                        if split[i:i + 2] == [left, right]:
                            split[i:i + 2] = [vocab[-1]]
                            i -= 1
                        i -= 1
            return vocab
        no pair left: if every word is a single token
            score)\nif not scores:\n    break\nleft => score)\nleft
        a set: it should return a list
            return vocab => return set(vocab)
        no return: `return` missing
            return vocab => vocab
        stop freq 1, again: you never merge pairs that occur only once. Continue until the list is
            :\n    break => :\n    break\nif max(scores.values()) <= 1 and score == 'frequency': break
        split cut to 20, again: you cut off long words, so their ends are never merged. Split
            word[1:] => word[1:20]
        ties by new, again: if scores are equal, you compare the right parts first.
            [pair], pair => [pair], pair[1], pair[0]
        ties by length, again: if scores are equal, you compare the lengths of the tokens.
            [pair], pair => [pair], len(pair[0] + pair[1]), pair
        score default, again: you ignore `score`: you always merge the most frequent
            counts, score => counts
        vocab_size min, again: you make vocab_size merges. Stop when the whole list
            while len(vocab) < vocab_size => for _ in range(vocab_size)
        one merge min, again: the shorter list equals the start|fresh input
            vocab = [*SPECIAL_TOKENS, *alphabet(counts)]
            splits = {word: [word[0], *("##" + c for c in word[1:])] for word in counts}
            while True:
                scores = pair_scores(splits, counts, score)
                if not scores:
                    break
                left, right = min(scores, key=lambda pair: (-scores[pair], pair))
                new = left + right.removeprefix("##")
                vocab.append(new)
                for word in splits:
                    split, out, i = splits[word], [], 0
                    while i < len(split):
                        if split[i:i + 2] == [left, right]:
                            out.append(new)
                            i += 2
                        else:
                            out.append(split[i])
                            i += 1
                    splits[word] = out
                if len(vocab) >= vocab_size: break
            return vocab
        """,
    pack_pair="""
        sizes first, arrays filled
            n, m = len(a), 0 if b is None else len(b)
            room = max_length - 2 - (b is not None)
            while n + m > room:
                if n > m:
                    n -= 1
                else:
                    m -= 1
            ids = np.full(max_length, PAD)
            types = np.zeros(max_length, int)
            real = np.zeros(max_length, bool)
            ids[0], ids[1:n + 1], ids[n + 1] = CLS, a[:n], SEP
            end = n + 2
            if b is not None:
                ids[end:end + m], ids[end + m] = b[:m], SEP
                types[end:end + m + 1] = 1
                end += m + 1
            real[:end] = True
            return ids, types, real
        a formula instead of a loop
            if b is None:
                row = [CLS] + list(a[:max_length - 2]) + [SEP]
                types = [0] * len(row)
            else:
                room = max_length - 3
                keep_b = min(len(b), max(room // 2, room - len(a)))
                keep_a = min(len(a), room - keep_b)
                row = [CLS] + list(a[:keep_a]) + [SEP]
                types = [0] * len(row) + [1] * (keep_b + 1)
                row = row + list(b[:keep_b]) + [SEP]
            real = [True] * len(row) + [False] * (max_length - len(row))
            return (np.array(row + [PAD] * (max_length - len(row)), np.int32),
                    np.pad(types, (0, max_length - len(types))),
                    np.array(real))
        token by token
            a, b = a[:], None if b is None else b[:]
            while len(a) + 2 + (0 if b is None else len(b) + 1) > max_length:
                if b is None or len(a) > len(b):
                    a.pop()
                else:
                    b.pop()
            tokens = [(CLS, 0)] + [(x, 0) for x in a] + [(SEP, 0)]
            if b is not None:
                tokens += [(x, 1) for x in b] + [(SEP, 1)]
            real = np.array([i < len(tokens) for i in range(max_length)])
            while len(tokens) < max_length:
                tokens.append((PAD, 0))
            ids, types = np.array(tokens).T
            return ids, types, real
        list of arrays, again
            first, second = list(a), list(b or [])
            room = max_length - (2 if b is None else 3)
            while len(first) + len(second) > room:
                (first if len(first) > len(second) else second).pop()
            first = [CLS, *first, SEP]
            second = [] if b is None else [*second, SEP]
            gap = max_length - len(first) - len(second)
            ids = np.array(first + second + [PAD] * gap)
            types = np.array([0] * len(first) + [1] * len(second) + [0] * gap)
            real = np.arange(max_length) < max_length - gap
            return [ids, types, real]
        torch, again
            import torch
            def pack_pair(a, b, max_length):
                first, second = list(a), list(b or [])
                room = max_length - (2 if b is None else 3)
                while len(first) + len(second) > room:
                    (first if len(first) > len(second) else second).pop()
                first = [CLS, *first, SEP]
                second = [] if b is None else [*second, SEP]
                gap = max_length - len(first) - len(second)
                ids = np.array(first + second + [PAD] * gap)
                types = np.array([0] * len(first) + [1] * len(second) + [0] * gap)
                real = np.arange(max_length) < max_length - gap
                return torch.tensor(ids), torch.tensor(types), torch.tensor(real)
        int32, again
            first, second = list(a), list(b or [])
            room = max_length - (2 if b is None else 3)
            while len(first) + len(second) > room:
                (first if len(first) > len(second) else second).pop()
            first = [CLS, *first, SEP]
            second = [] if b is None else [*second, SEP]
            gap = max_length - len(first) - len(second)
            ids = np.array(first + second + [PAD] * gap)
            types = np.array([0] * len(first) + [1] * len(second) + [0] * gap)
            real = np.arange(max_length) < max_length - gap
            return ids.astype(np.int32), types.astype(np.int8), real
        half each: half of the available length
            first, second = list(a), list(b or [])
            room = max_length - (2 if b is None else 3)
            if b is None:
                first = first[:room]
            else:
                first, second = first[:room // 2], second[:room - room // 2]
            first = [CLS, *first, SEP]
            second = [] if b is None else [*second, SEP]
            gap = max_length - len(first) - len(second)
            input_ids = np.array(first + second + [PAD] * gap)
            token_type_ids = np.array([0] * len(first) + [1] * len(second) + [0] * gap)
            return input_ids, token_type_ids, np.arange(max_length) < max_length - gap
        in turn: in turn
            first, second = list(a), list(b or [])
            room = max_length - (2 if b is None else 3)
            turn = 0
            while len(first) + len(second) > room:
                if b is None or turn == 0:
                    first.pop()
                else:
                    second.pop()
                turn = 1 - turn
            first = [CLS, *first, SEP]
            second = [] if b is None else [*second, SEP]
            gap = max_length - len(first) - len(second)
            input_ids = np.array(first + second + [PAD] * gap)
            token_type_ids = np.array([0] * len(first) + [1] * len(second) + [0] * gap)
            return input_ids, token_type_ids, np.arange(max_length) < max_length - gap
        from the front: at the beginning
            .pop() => .pop(0)
        row cut: truncate the finished sequence
            first, second = list(a), list(b or [])
            room = max_length - (2 if b is None else 3)
            first = [CLS, *first, SEP]
            second = [] if b is None else [*second, SEP]
            gap = max(0, max_length - len(first) - len(second))
            input_ids = np.array(first + second + [PAD] * gap)[:max_length]
            token_type_ids = np.array([0] * len(first) + [1] * len(second) + [0] * gap)[:max_length]
            return input_ids, token_type_ids, np.arange(max_length) < max_length - gap
        two specials in a pair: it should be
            (2 if b is None else 3) => 2
        three specials alone: three special tokens with a single segment
            (2 if b is None else 3) => 3
        real as numbers: it should be bool
            np.arange(max_length) < max_length - gap => (np.arange(max_length) < max_length - gap).astype(int)
        [SEP] after nothing: has two [SEP]
            [] if b is None else [*second, SEP] => [*second, SEP]
            (2 if b is None else 3) => 3
        not filled up: not padded to
            gap = max_length - len(first) - len(second) => gap = 0
            np.arange(max_length) < max_length - gap => np.ones(len(input_ids), bool)
        inputs changed: changes its inputs
            list(a), list(b or []) => a, b or []
        ids only: should return 3 values
            return input_ids, token_type_ids, np.arange(max_length) < max_length - gap => return input_ids
        lists
            np.array(first + second + [PAD] * gap) => first + second + [PAD] * gap
        b or falsy, again: expected 3, got 0|fresh input
            first, second = list(a), list(b or [])
            room = max_length - (3 if b else 2)
            while len(first) + len(second) > room:
                (first if len(first) > len(second) else second).pop()
            first = [CLS, *first, SEP]
            second = [] if not b else [*second, SEP]
            gap = max_length - len(first) - len(second)
            ids = np.array(first + second + [PAD] * gap)
            types = np.array([0] * len(first) + [1] * len(second) + [0] * gap)
            real = np.arange(max_length) < max_length - gap
            return ids, types, real
        longer >=, again: you truncate A if both segments are equally long.
            first, second = list(a), list(b or [])
            room = max_length - (2 if b is None else 3)
            while len(first) + len(second) > room:
                (first if len(first) >= len(second) else second).pop()
            first = [CLS, *first, SEP]
            second = [] if b is None else [*second, SEP]
            gap = max_length - len(first) - len(second)
            ids = np.array(first + second + [PAD] * gap)
            types = np.array([0] * len(first) + [1] * len(second) + [0] * gap)
            real = np.arange(max_length) < max_length - gap
            return ids, types, real
        room 3 always, again: you leave room for three special tokens with a single segment.
            first, second = list(a), list(b or [])
            room = max_length - 3
            while len(first) + len(second) > room:
                (first if len(first) > len(second) else second).pop()
            first = [CLS, *first, SEP]
            second = [] if b is None else [*second, SEP]
            gap = max_length - len(first) - len(second)
            ids = np.array(first + second + [PAD] * gap)
            types = np.array([0] * len(first) + [1] * len(second) + [0] * gap)
            real = np.arange(max_length) < max_length - gap
            return ids, types, real
        pad -100, again: you pad with the wrong id.
            first, second = list(a), list(b or [])
            room = max_length - (2 if b is None else 3)
            while len(first) + len(second) > room:
                (first if len(first) > len(second) else second).pop()
            first = [CLS, *first, SEP]
            second = [] if b is None else [*second, SEP]
            gap = max_length - len(first) - len(second)
            ids = np.array(first + second + [-100] * gap)
            types = np.array([0] * len(first) + [1] * len(second) + [0] * gap)
            real = np.arange(max_length) < max_length - gap
            return ids, types, real
        pop0, again: you drop tokens at the beginning of the segments of a pair. Drop them
            first, second = list(a), list(b or [])
            room = max_length - (2 if b is None else 3)
            while len(first) + len(second) > room:
                (first if len(first) > len(second) else second).pop(0)
            first = [CLS, *first, SEP]
            second = [] if b is None else [*second, SEP]
            gap = max_length - len(first) - len(second)
            ids = np.array(first + second + [PAD] * gap)
            types = np.array([0] * len(first) + [1] * len(second) + [0] * gap)
            real = np.arange(max_length) < max_length - gap
            return ids, types, real
        no cut, again: the shape is (16,); it should be
            first, second = list(a), list(b or [])
            room = max_length - (2 if b is None else 3)
            while False and len(first) + len(second) > room:
                (first if len(first) > len(second) else second).pop()
            first = [CLS, *first, SEP]
            second = [] if b is None else [*second, SEP]
            gap = max_length - len(first) - len(second)
            ids = np.array(first + second + [PAD] * gap)
            types = np.array([0] * len(first) + [1] * len(second) + [0] * gap)
            real = np.arange(max_length) < max_length - gap
            return ids, types, real
        set dedupes, again: a pair is truncated at its longer
            first, second = list(dict.fromkeys(a)), list(b or [])
            room = max_length - (2 if b is None else 3)
            while len(first) + len(second) > room:
                (first if len(first) > len(second) else second).pop()
            first = [CLS, *first, SEP]
            second = [] if b is None else [*second, SEP]
            gap = max_length - len(first) - len(second)
            ids = np.array(first + second + [PAD] * gap)
            types = np.array([0] * len(first) + [1] * len(second) + [0] * gap)
            real = np.arange(max_length) < max_length - gap
            return ids, types, real
        uint8, again: the dtype of your ids is too small
            first, second = list(a), list(b or [])
            room = max_length - (2 if b is None else 3)
            while len(first) + len(second) > room:
                (first if len(first) > len(second) else second).pop()
            first = [CLS, *first, SEP]
            second = [] if b is None else [*second, SEP]
            gap = max_length - len(first) - len(second)
            ids = np.array(first + second + [PAD] * gap)
            types = np.array([0] * len(first) + [1] * len(second) + [0] * gap)
            real = np.arange(max_length) < max_length - gap
            return ids.astype(np.uint8), types, real
        gap at most, again: the shape is (32,); it should be
            first, second = list(a), list(b or [])
            room = max_length - (2 if b is None else 3)
            while len(first) + len(second) > room:
                (first if len(first) > len(second) else second).pop()
            first = [CLS, *first, SEP]
            second = [] if b is None else [*second, SEP]
            max_length = min(max_length, 12)
            gap = max_length - len(first) - len(second)
            ids = np.array(first + second + [PAD] * gap)
            types = np.array([0] * len(first) + [1] * len(second) + [0] * gap)
            real = np.arange(max_length) < max_length - gap
            return ids, types, real
        two pads, again: `real` is True for the first padding position.
            first, second = list(a), list(b or [])
            room = max_length - (2 if b is None else 3)
            while len(first) + len(second) > room:
                (first if len(first) > len(second) else second).pop()
            first = [CLS, *first, SEP]
            second = [] if b is None else [*second, SEP]
            gap = max_length - len(first) - len(second)
            ids = np.array(first + second + [PAD] * gap)
            types = np.array([0] * len(first) + [1] * len(second) + [0] * gap)
            real = np.arange(max_length) <= max_length - gap
            return ids, types, real
        floats: some are floats where
            [0] * len(first) + => [0.0] * len(first) +
        """,
    embed="""
        loops
            B, T = input_ids.shape
            out = np.zeros((B, T, weights["word.weight"].shape[1]))
            for b in range(B):
                for t in range(T):
                    x = (weights["word.weight"][input_ids[b, t]] + weights["position.weight"][t]
                         + weights["token_type.weight"][token_type_ids[b, t]])
                    z = (x - x.mean()) / np.sqrt(x.var() + eps)
                    out[b, t] = z * weights["norm.weight"] + weights["norm.bias"]
            return out
        one-hot products
            def rows(ids, table):
                return np.einsum("...v,vd->...d", np.eye(len(table))[ids], table)
            places = np.broadcast_to(np.arange(input_ids.shape[-1]), input_ids.shape)
            total = (rows(input_ids, weights["word.weight"]) + rows(places, weights["position.weight"])
                     + rows(token_type_ids, weights["token_type.weight"]))
            return layer_norm(total, {"weight": weights["norm.weight"], "bias": weights["norm.bias"]}, eps)
        np.take, float32, its own LayerNorm
            x = sum(np.take(weights[name + ".weight"].astype(np.float32), ids, axis=0) for name, ids in (
                ("word", input_ids), ("position", np.arange(input_ids.shape[1])),
                ("token_type", token_type_ids)))
            centred = x - x.mean(axis=-1, keepdims=True)
            z = centred / np.sqrt((centred ** 2).mean(axis=-1, keepdims=True) + np.float32(eps))
            return (weights["norm.weight"] * z + weights["norm.bias"]).astype(np.float32)
        PyTorch
            import torch
            from torch.nn import functional as F
            def embed(input_ids, token_type_ids, weights, eps=1e-12):
                w = {name: torch.tensor(table) for name, table in weights.items()}
                x = (F.embedding(torch.tensor(input_ids), w["word.weight"])
                     + w["position.weight"][:input_ids.shape[1]])
                x = x + F.embedding(torch.tensor(token_type_ids), w["token_type.weight"])
                return F.layer_norm(x, x.shape[-1:], w["norm.weight"], w["norm.bias"], eps)
        own, again
            T = input_ids.shape[1]
            x = weights["word.weight"][input_ids] + weights["position.weight"][:T]
            x = x + weights["token_type.weight"][token_type_ids]
            m = x.mean(-1, keepdims=True)
            v = ((x - m) ** 2).mean(-1, keepdims=True)
            return weights["norm.weight"] * (x - m) / np.sqrt(v + eps) + weights["norm.bias"]
        each normalised: normalise each of the three embeddings separately
            def norm(x):
                return layer_norm(x, sub(weights, "norm"), eps)
            T = input_ids.shape[1]
            return (norm(weights["word.weight"][input_ids]) + norm(weights["position.weight"][:T])
                    + norm(weights["token_type.weight"][token_type_ids]))
        positions restart: start again
            B, T = input_ids.shape
            places = np.zeros((B, T), int)
            for b in range(B):
                for t in range(1, T):
                    same = token_type_ids[b, t] == token_type_ids[b, t - 1]
                    places[b, t] = places[b, t - 1] + 1 if same else 0
            x = weights["word.weight"][input_ids] + weights["position.weight"][places]
            return layer_norm(x + weights["token_type.weight"][token_type_ids], sub(weights, "norm"), eps)
        sinusoids: sines and cosines
            T, D = input_ids.shape[1], weights["word.weight"].shape[1]
            angles = np.arange(T)[:, None] / 10000 ** (2 * (np.arange(D) // 2) / D)
            places = np.where(np.arange(D) % 2 == 0, np.sin(angles), np.cos(angles))
            x = weights["word.weight"][input_ids] + places + weights["token_type.weight"][token_type_ids]
            return layer_norm(x, sub(weights, "norm"), eps)
        concatenated: the shape is
            T = input_ids.shape[1]
            x = weights["word.weight"][input_ids] + weights["position.weight"][:T]
            x = np.concatenate([x, weights["token_type.weight"][token_type_ids]], -1)
            return x
        ddof, again: your variance divides by D - 1.
            T = input_ids.shape[1]
            x = weights["word.weight"][input_ids] + weights["position.weight"][:T]
            x = x + weights["token_type.weight"][token_type_ids]
            m = x.mean(-1, keepdims=True)
            v = x.var(-1, keepdims=True, ddof=1)
            return weights["norm.weight"] * (x - m) / np.sqrt(v + eps) + weights["norm.bias"]
        eps outside, again: you add `eps` to the standard deviation. Add it to the
            T = input_ids.shape[1]
            x = weights["word.weight"][input_ids] + weights["position.weight"][:T]
            x = x + weights["token_type.weight"][token_type_ids]
            m = x.mean(-1, keepdims=True)
            v = ((x - m) ** 2).mean(-1, keepdims=True)
            return weights["norm.weight"] * (x - m) / (np.sqrt(v) + eps) + weights["norm.bias"]
        no eps, again: `eps` is hard-coded in your answer. Pass the argument
            T = input_ids.shape[1]
            x = weights["word.weight"][input_ids] + weights["position.weight"][:T]
            x = x + weights["token_type.weight"][token_type_ids]
            m = x.mean(-1, keepdims=True)
            v = ((x - m) ** 2).mean(-1, keepdims=True)
            return weights["norm.weight"] * (x - m) / np.sqrt(v) + weights["norm.bias"]
        eps squared, again: you square `eps`. Add it to the variance as it
            T = input_ids.shape[1]
            x = weights["word.weight"][input_ids] + weights["position.weight"][:T]
            x = x + weights["token_type.weight"][token_type_ids]
            m = x.mean(-1, keepdims=True)
            v = ((x - m) ** 2).mean(-1, keepdims=True)
            return weights["norm.weight"] * (x - m) / np.sqrt(v + eps ** 2) + weights["norm.bias"]
        no mean, again: your LayerNorm does not subtract the
            T = input_ids.shape[1]
            x = weights["word.weight"][input_ids] + weights["position.weight"][:T]
            x = x + weights["token_type.weight"][token_type_ids]
            m = x.mean(-1, keepdims=True)
            v = ((x - m) ** 2).mean(-1, keepdims=True)
            return weights["norm.weight"] * x / np.sqrt(v + eps) + weights["norm.bias"]
        """,
    basic_words=r"""
        spaces around what stands alone
            def alone(c):
                return c in string.punctuation or unicodedata.category(c)[0] == "P" or is_cjk(c)
            plain = [c for c in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(c) != "Mn"]
            return "".join(f" {c} " if alone(c) else c for c in plain).split()
        a space at the end
            text.lower()) => text.lower() + " ")
            words.append(word)\nreturn => return
        groups of characters
            import itertools
            def basic_words(text):
                def kind(pair):
                    i, c = pair
                    if c in string.punctuation or unicodedata.category(c).startswith("P") or is_cjk(c):
                        return i
                    return -1 if c.isspace() else -2
                plain = [c for c in unicodedata.normalize("NFD", text.lower())
                         if unicodedata.category(c) != "Mn"]
                groups = ("".join(c for _, c in group)
                          for _, group in itertools.groupby(enumerate(plain), key=kind))
                return [word for word in groups if not word.isspace()]
        words of a run
            words = []
            for run in text.split():
                words.append("")
                for c in unicodedata.normalize("NFD", run.lower()):
                    punctuation = unicodedata.category(c) in ("Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po")
                    if punctuation or c in "$+<=>^`|~" or is_cjk(c):
                        words += [c, ""]
                    elif unicodedata.category(c) != "Mn":
                        words[-1] += c
            return tuple(filter(None, words))
        tuple, again
            [word for word in words if word] => tuple(word for word in words if word)
        array, again
            [word for word in words if word] => np.array([word for word in words if word], dtype=str)
        accents stay [1]: an accent changes nothing
            "NFD" => "NFC"
        ASCII only [1]: a punctuation mark is a separate word
            punctuation or category.startswith("P") => punctuation
        no last word [1]: no letter is lost
            words.append(word)\nreturn => return
        the last one mended [2]: an accent changes nothing
            "NFD" => "NFC"
            punctuation or category.startswith("P") => punctuation
        the second one mended [2]: an accent changes nothing
            "NFD" => "NFC"
            words.append(word)\nreturn => return
        the first one mended [2]: a punctuation mark is a separate word
            punctuation or category.startswith("P") => punctuation
            words.append(word)\nreturn => return
        nothing mended: an accent changes nothing
            "NFD" => "NFC"
            punctuation or category.startswith("P") => punctuation
            words.append(word)\nreturn => return
        compatibility forms: any other character stays unchanged in its word: 🤗 € ² ½
            "NFD" => "NFKD"
        categories only: there is another mistake
            c in string.punctuation or category => category
        all that is no letter: there is another mistake
            c in string.punctuation or category.startswith("P") => category[0] not in "LNM"
        capitals kept: there is another mistake
            text.lower() => text
        empty words kept: only marks of the category Mn are removed: the signs of
            [word for word in words if word] => words
        signs stay on words: a word that occurs twice is returned twice; each ASCII
            words += [word, c] => words += [word + c]
        signs are lost: a word that occurs twice is returned twice; each ASCII
            words += [word, c] => words += [word]
        a text: it returns a str; it should return a list
            [word for word in words if word] => " ".join(word for word in words if word)
        the package's: package's own implementation
            return [word.text for word in BasicTokenizer().split(text)]
        no return: returns None
            return [word => [word
        """,
    tokenize="""
        loops
            ids = dict(zip(vocab, range(len(vocab))))
            out = []
            for word in BasicTokenizer(lower_case=True).split(text):
                for piece in wordpiece_encode(word.text, ids):
                    out.append(ids[piece])
            return out
        index, an array
            table, out = {p: vocab.index(p) for p in vocab}, []
            for word in BasicTokenizer().split(text):
                out += map(vocab.index, wordpiece_encode(word.text, table))
            return np.array(out, dtype=int)
        a tuple
            ids = {}
            for piece in vocab:
                ids[piece] = len(ids)
            words = (word.text for word in BasicTokenizer().split(text))
            return tuple(ids[piece] for word in words for piece in wordpiece_encode(word, ids, 200))
        tuple, again
            ids = {piece: i for i, piece in enumerate(vocab)}
            words = [word.text for word in BasicTokenizer().split(text)]
            return tuple(ids[piece] for word in words for piece in wordpiece_encode(word, ids))
        array default, again
            ids = {piece: i for i, piece in enumerate(vocab)}
            words = [word.text for word in BasicTokenizer().split(text)]
            return np.array([ids[piece] for word in words for piece in wordpiece_encode(word, ids)])
        spaces: only split the text at spaces
            [word.text for word in BasicTokenizer().split(text)] => text.split()
        lower case and spaces: only lowercase the text and split
            [word.text for word in BasicTokenizer().split(text)] => text.lower().split()
        cased: keep their capitals
            BasicTokenizer() => BasicTokenizer(False)
        cut from the text: keep their capitals
            word.text for word => text[w.start:w.end] for w
        words, not their texts: `word.text`
            word.text => word
        no return: `return` missing
            return [ => [
        whole text, again: you join all words into one before you split them into tokens.
            ids = {piece: i for i, piece in enumerate(vocab)}
            words = [''.join(word.text for word in BasicTokenizer().split(text))]
            return [ids[piece] for word in words for piece in wordpiece_encode(word, ids)]
        floats: some are floats where
            [ids[piece] for => [float(ids[piece]) for
        """,
    my_text="""
        one sentence again and again
            return 'the small cat sleeps on the warm stove. ' * 8
        two languages
            return 'Früher gab es keinen Strom, and nobody minded much. ' * 6
        a list, joined
            return ' '.join(['soup', 'ladle', 'kettle', '汤'] * 20)
        signs and emoji
            return '«¿Qué?» – 我们讲故事! 🌙🌙 ' * 15
        too short: your text is 15 characters. Write at least 200
            return 'The cat sleeps.'
        one short of enough: your text is 199 characters
            return 'a' * 199
        empty: your text is 0 characters
            return ''
        printed: Is the `return` missing
            print('The cat sleeps. ' * 20)
        a list: your text is a list
            return ['The cat sleeps. '] * 200
        bytes: your text is a bytes
            return b'The cat sleeps. ' * 20
        a number: your text is an int
            return 200
        a dict: your text is a dict
            return {'text': 'The cat sleeps. ' * 20}
        """,
)
