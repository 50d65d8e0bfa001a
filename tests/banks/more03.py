"""More answers to unit 03, of kinds that passed the check once or were not named; see `unit03`."""

from . import Bank

MORE = {
    "wordpiece_encode": Bank(
        right={
            "generator, again": """
            def wordpiece_encode(word, vocab, longest=200):
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
            """,
            "tuple, again": """
            def wordpiece_encode(word, vocab, longest=200):
                pieces, start = [], 0
                if len(word) > longest:
                    return ("[UNK]",)
                while start < len(word):
                    mark = "##" if start else ""
                    for end in range(len(word), start, -1):
                        if mark + word[start:end] in vocab:
                            break
                    else:
                        return ("[UNK]",)
                    pieces.append(mark + word[start:end])
                    start = end
                return tuple(pieces)
            """,
            "limit by longest piece, again": """
            def wordpiece_encode(word, vocab, longest=200):
                pieces, start = [], 0
                if len(word) > longest:
                    return ["[UNK]"]
                while start < len(word):
                    mark = "##" if start else ""
                    for end in range(min(len(word), start + max(map(len, vocab))), start, -1):
                        if mark + word[start:end] in vocab:
                            break
                    else:
                        return ["[UNK]"]
                    pieces.append(mark + word[start:end])
                    start = end
                return pieces
            """,
        },
        wrong={
            "cut at 100, again": (
                """
            def wordpiece_encode(word, vocab, longest=200):
                pieces, start = [], 0
                if len(word) > longest:
                    return ["[UNK]"]
                word = word[:100]
                while start < len(word):
                    mark = "##" if start else ""
                    for end in range(len(word), start, -1):
                        if mark + word[start:end] in vocab:
                            break
                    else:
                        return ["[UNK]"]
                    pieces.append(mark + word[start:end])
                    start = end
                return pieces
            """,
                "you cut off a long word, although it has at most `longest`",
            ),
            "whole word first, again": (
                """
            def wordpiece_encode(word, vocab, longest=200):
                pieces, start = [], 0
                if len(word) > longest:
                    return ["[UNK]"]
                if '##' + word in vocab: return ['##' + word]
                while start < len(word):
                    mark = "##" if start else ""
                    for end in range(len(word), start, -1):
                        if mark + word[start:end] in vocab:
                            break
                    else:
                        return ["[UNK]"]
                    pieces.append(mark + word[start:end])
                    start = end
                return pieces
            """,
                "a word of the vocabulary stays",
            ),
            "longest ignores equal default, again": (
                """
            def wordpiece_encode(word, vocab, longest=200):
                pieces, start = [], 0
                if len(word) > max(longest, 5):
                    return ["[UNK]"]
                while start < len(word):
                    mark = "##" if start else ""
                    for end in range(len(word), start, -1):
                        if mark + word[start:end] in vocab:
                            break
                    else:
                        return ["[UNK]"]
                    pieces.append(mark + word[start:end])
                    start = end
                return pieces
            """,
                "200 is hard-coded in your answer. Use the argument",
            ),
        },
    ),
    "revealing_words": Bank(
        right={
            "list, again": """
            def revealing_words():
                return ['huggy', 'hugs', 'gs', 'us', 'hugx']
            """,
            "array, again": """
            def revealing_words():
                return np.array(['hugs', 'hugx', 'huggy', 'gs'])
            """,
        },
        wrong={},
    ),
    "pair_scores": Bank(
        right={
            "defaultdict, again": """
            from collections import defaultdict

            def pair_scores(splits, counts, score="frequency"):
                pairs, pieces = defaultdict(int), defaultdict(int)
                for word, split in splits.items():
                    n = counts[word]
                    for piece in split:
                        pieces[piece] = pieces.get(piece, 0) + n
                    for pair in zip(split, split[1:]):
                        pairs[pair] = pairs.get(pair, 0) + n
                if score == "frequency":
                    return pairs
                return {pair: n / (pieces[pair[0]] * pieces[pair[1]]) for pair, n in pairs.items()}
            """,
            "fraction, again": """
            from fractions import Fraction

            def pair_scores(splits, counts, score="frequency"):
                pairs, pieces = {}, {}
                for word, split in splits.items():
                    n = counts[word]
                    for piece in split:
                        pieces[piece] = pieces.get(piece, 0) + n
                    for pair in zip(split, split[1:]):
                        pairs[pair] = pairs.get(pair, 0) + n
                if score == "frequency":
                    return pairs
                return {pair: Fraction(n, pieces[pair[0]] * pieces[pair[1]]) for pair, n in pairs.items()}
            """,
            "counter, again": """
            from collections import Counter

            def pair_scores(splits, counts, score="frequency"):
                pairs, pieces = Counter(), Counter()
                for word, split in splits.items():
                    n = counts[word]
                    for piece in split:
                        pieces[piece] = pieces.get(piece, 0) + n
                    for pair in zip(split, split[1:]):
                        pairs[pair] = pairs.get(pair, 0) + n
                if score == "frequency":
                    return pairs
                return {pair: n / (pieces[pair[0]] * pieces[pair[1]]) for pair, n in pairs.items()}
            """,
        },
        wrong={
            "both orders, again": (
                """
            def pair_scores(splits, counts, score="frequency"):
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
            """,
                "this should hold, but it cannot be tested on your result",
            ),
            "overlap non, again": (
                """
            def pair_scores(splits, counts, score="frequency"):
                pairs, pieces = {}, {}
                for word, split in splits.items():
                    n = counts[word]
                    for piece in split:
                        pieces[piece] = pieces.get(piece, 0) + n
                    for pair in zip(split[::2], split[1::2]):
                        pairs[pair] = pairs.get(pair, 0) + n
                if score == "frequency":
                    return pairs
                return {pair: n / (pieces[pair[0]] * pieces[pair[1]]) for pair, n in pairs.items()}
            """,
                "you take the tokens of a word two by two. Neighbouring pairs overlap:",
            ),
            "pmi squared, again": (
                """
            def pair_scores(splits, counts, score="frequency"):
                pairs, pieces = {}, {}
                for word, split in splits.items():
                    n = counts[word]
                    for piece in split:
                        pieces[piece] = pieces.get(piece, 0) + n
                    for pair in zip(split, split[1:]):
                        pairs[pair] = pairs.get(pair, 0) + n
                if score == "frequency":
                    return pairs
                return {pair: n * n / (pieces[pair[0]] * pieces[pair[1]]) for pair, n in pairs.items()}
            """,
                "you square the count of the pair. Leave it as it",
            ),
            "max, again": (
                """
            def pair_scores(splits, counts, score="frequency"):
                pairs, pieces = {}, {}
                for word, split in splits.items():
                    n = counts[word]
                    for piece in split:
                        pieces[piece] = pieces.get(piece, 0) + n
                    for pair in zip(split, split[1:]):
                        pairs[pair] = pairs.get(pair, 0) + n
                if score == "frequency":
                    return pairs
                return {pair: n / max(pieces[pair[0]], pieces[pair[1]]) for pair, n in pairs.items()}
            """,
                "you divide by the larger of the two counts. Divide by their",
            ),
            "rounded, again": (
                """
            def pair_scores(splits, counts, score="frequency"):
                pairs, pieces = {}, {}
                for word, split in splits.items():
                    n = counts[word]
                    for piece in split:
                        pieces[piece] = pieces.get(piece, 0) + n
                    for pair in zip(split, split[1:]):
                        pairs[pair] = pairs.get(pair, 0) + n
                if score == "frequency":
                    return pairs
                return {pair: round(n / (pieces[pair[0]] * pieces[pair[1]]), 3) for pair, n in pairs.items()}
            """,
                "you round the scores. Return them with all their",
            ),
            "rounded 6, again": (
                """
            def pair_scores(splits, counts, score="frequency"):
                pairs, pieces = {}, {}
                for word, split in splits.items():
                    n = counts[word]
                    for piece in split:
                        pieces[piece] = pieces.get(piece, 0) + n
                    for pair in zip(split, split[1:]):
                        pairs[pair] = pairs.get(pair, 0) + n
                if score == "frequency":
                    return pairs
                return {pair: round(n / (pieces[pair[0]] * pieces[pair[1]]), 6) for pair, n in pairs.items()}
            """,
                "with a thousand times as many words, the frequency is a thousand",
            ),
        },
    ),
    "train_wordpiece": Bank(
        right={
            "tuple, again": """
            def train_wordpiece(counts, vocab_size, score="frequency"):
                vocab = [*SPECIAL_TOKENS, *alphabet(counts)]
                splits = {word: [word[0], *("##" + c for c in word[1:])] for word in counts}
                while len(vocab) < vocab_size:
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
                return tuple(vocab)
            """,
            "array, again": """
            def train_wordpiece(counts, vocab_size, score="frequency"):
                vocab = [*SPECIAL_TOKENS, *alphabet(counts)]
                splits = {word: [word[0], *("##" + c for c in word[1:])] for word in counts}
                while len(vocab) < vocab_size:
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
                return np.array(vocab)
            """,
            "replace with sort, again": """
            def train_wordpiece(counts, vocab_size, score="frequency"):
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
            """,
        },
        wrong={
            "stop freq 1, again": (
                """
            def train_wordpiece(counts, vocab_size, score="frequency"):
                vocab = [*SPECIAL_TOKENS, *alphabet(counts)]
                splits = {word: [word[0], *("##" + c for c in word[1:])] for word in counts}
                while len(vocab) < vocab_size:
                    scores = pair_scores(splits, counts, score)
                    if not scores:
                        break
                    if max(scores.values()) <= 1 and score == 'frequency': break
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
                return vocab
            """,
                "you never merge pairs that occur only once. Continue until the list is",
            ),
            "split cut to 20, again": (
                """
            def train_wordpiece(counts, vocab_size, score="frequency"):
                vocab = [*SPECIAL_TOKENS, *alphabet(counts)]
                splits = {word: [word[0], *("##" + c for c in word[1:20])] for word in counts}
                while len(vocab) < vocab_size:
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
                return vocab
            """,
                "you cut off long words, so their ends are never merged. Split",
            ),
            "ties by new, again": (
                """
            def train_wordpiece(counts, vocab_size, score="frequency"):
                vocab = [*SPECIAL_TOKENS, *alphabet(counts)]
                splits = {word: [word[0], *("##" + c for c in word[1:])] for word in counts}
                while len(vocab) < vocab_size:
                    scores = pair_scores(splits, counts, score)
                    if not scores:
                        break
                    left, right = min(scores, key=lambda pair: (-scores[pair], pair[1], pair[0]))
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
            """,
                "among equal scores you compare the right parts first. Compare",
            ),
            "ties by length, again": (
                """
            def train_wordpiece(counts, vocab_size, score="frequency"):
                vocab = [*SPECIAL_TOKENS, *alphabet(counts)]
                splits = {word: [word[0], *("##" + c for c in word[1:])] for word in counts}
                while len(vocab) < vocab_size:
                    scores = pair_scores(splits, counts, score)
                    if not scores:
                        break
                    left, right = min(scores, key=lambda pair: (-scores[pair], len(pair[0] + pair[1]), pair))
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
            """,
                "among equal scores you compare the lengths of the tokens.",
            ),
            "score default, again": (
                """
            def train_wordpiece(counts, vocab_size, score="frequency"):
                vocab = [*SPECIAL_TOKENS, *alphabet(counts)]
                splits = {word: [word[0], *("##" + c for c in word[1:])] for word in counts}
                while len(vocab) < vocab_size:
                    scores = pair_scores(splits, counts)
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
                return vocab
            """,
                "you ignore `score`: you always merge the most frequent",
            ),
            "vocab_size min, again": (
                """
            def train_wordpiece(counts, vocab_size, score="frequency"):
                vocab = [*SPECIAL_TOKENS, *alphabet(counts)]
                splits = {word: [word[0], *("##" + c for c in word[1:])] for word in counts}
                for _ in range(vocab_size):
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
                return vocab
            """,
                "you make vocab_size merges. vocab_size is the length of the whole list",
            ),
            "one merge min, again": (
                """
            def train_wordpiece(counts, vocab_size, score="frequency"):
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
                "the list is one token too long. Stop as soon as it has",
            ),
        },
    ),
    "pack_pair": Bank(
        right={
            "list of arrays, again": """
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
                return [ids, types, real]
            """,
            "torch, again": """
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
            """,
            "int32, again": """
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
                return ids.astype(np.int32), types.astype(np.int8), real
            """,
        },
        wrong={
            "b or falsy, again": (
                """
            def pack_pair(a, b, max_length):
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
            """,
                "the last [SEP] of a pair is missing: [CLS] A [SEP] B",
            ),
            "longer >=, again": (
                """
            def pack_pair(a, b, max_length):
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
            """,
                "if both segments are equally long, you truncate A. In this case, truncate",
            ),
            "room 3 always, again": (
                """
            def pack_pair(a, b, max_length):
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
            """,
                "you leave room for three special tokens with a single segment. It",
            ),
            "pad -100, again": (
                """
            def pack_pair(a, b, max_length):
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
            """,
                "you pad with the wrong id. Pad with",
            ),
            "pop0, again": (
                """
            def pack_pair(a, b, max_length):
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
            """,
                "you drop tokens at the beginning of the segments of a pair. Drop them",
            ),
            "no cut, again": (
                """
            def pack_pair(a, b, max_length):
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
            """,
                "the shape is (16,); it should be",
            ),
            "set dedupes, again": (
                """
            def pack_pair(a, b, max_length):
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
            """,
                "a pair is truncated at its longer",
            ),
            "uint8, again": (
                """
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
                return ids.astype(np.uint8), types, real
            """,
                "this dtype is too small for some ids. An id",
            ),
            "gap at most, again": (
                """
            def pack_pair(a, b, max_length):
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
            """,
                "the shape is (32,); it should be",
            ),
            "two pads, again": (
                """
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
                real = np.arange(max_length) <= max_length - gap
                return ids, types, real
            """,
                "`real` is True for the first padding position. It should be True only",
            ),
        },
    ),
    "embed": Bank(
        right={
            "own, again": """
            def embed(input_ids, token_type_ids, weights, eps=1e-12):
                T = input_ids.shape[1]
                x = weights["word.weight"][input_ids] + weights["position.weight"][:T]
                x = x + weights["token_type.weight"][token_type_ids]
                m = x.mean(-1, keepdims=True)
                v = ((x - m) ** 2).mean(-1, keepdims=True)
                return weights["norm.weight"] * (x - m) / np.sqrt(v + eps) + weights["norm.bias"]
            """,
        },
        wrong={
            "ddof, again": (
                """
            def embed(input_ids, token_type_ids, weights, eps=1e-12):
                T = input_ids.shape[1]
                x = weights["word.weight"][input_ids] + weights["position.weight"][:T]
                x = x + weights["token_type.weight"][token_type_ids]
                m = x.mean(-1, keepdims=True)
                v = x.var(-1, keepdims=True, ddof=1)
                return weights["norm.weight"] * (x - m) / np.sqrt(v + eps) + weights["norm.bias"]
            """,
                "you divide the variance by D - 1 (ddof=1). LayerNorm divides by",
            ),
            "eps outside, again": (
                """
            def embed(input_ids, token_type_ids, weights, eps=1e-12):
                T = input_ids.shape[1]
                x = weights["word.weight"][input_ids] + weights["position.weight"][:T]
                x = x + weights["token_type.weight"][token_type_ids]
                m = x.mean(-1, keepdims=True)
                v = ((x - m) ** 2).mean(-1, keepdims=True)
                return weights["norm.weight"] * (x - m) / (np.sqrt(v) + eps) + weights["norm.bias"]
            """,
                "you add `eps` to the standard deviation. Add it to the",
            ),
            "no eps, again": (
                """
            def embed(input_ids, token_type_ids, weights, eps=1e-12):
                T = input_ids.shape[1]
                x = weights["word.weight"][input_ids] + weights["position.weight"][:T]
                x = x + weights["token_type.weight"][token_type_ids]
                m = x.mean(-1, keepdims=True)
                v = ((x - m) ** 2).mean(-1, keepdims=True)
                return weights["norm.weight"] * (x - m) / np.sqrt(v) + weights["norm.bias"]
            """,
                "`eps` is hard-coded in your answer. Pass the argument",
            ),
            "eps squared, again": (
                """
            def embed(input_ids, token_type_ids, weights, eps=1e-12):
                T = input_ids.shape[1]
                x = weights["word.weight"][input_ids] + weights["position.weight"][:T]
                x = x + weights["token_type.weight"][token_type_ids]
                m = x.mean(-1, keepdims=True)
                v = ((x - m) ** 2).mean(-1, keepdims=True)
                return weights["norm.weight"] * (x - m) / np.sqrt(v + eps ** 2) + weights["norm.bias"]
            """,
                "you square `eps`. Add it to the variance as it",
            ),
            "no mean, again": (
                """
            def embed(input_ids, token_type_ids, weights, eps=1e-12):
                T = input_ids.shape[1]
                x = weights["word.weight"][input_ids] + weights["position.weight"][:T]
                x = x + weights["token_type.weight"][token_type_ids]
                m = x.mean(-1, keepdims=True)
                v = ((x - m) ** 2).mean(-1, keepdims=True)
                return weights["norm.weight"] * x / np.sqrt(v + eps) + weights["norm.bias"]
            """,
                "your LayerNorm does not subtract the",
            ),
        },
    ),
    "basic_words": Bank(
        right={
            "tuple, again": """
            def basic_words(text):
                words, word = [], ""
                for c in unicodedata.normalize("NFD", text.lower()):
                    category = unicodedata.category(c)
                    if c.isspace():
                        words.append(word)
                        word = ""
                    elif c in string.punctuation or category.startswith("P") or is_cjk(c):
                        words += [word, c]
                        word = ""
                    elif category != "Mn":
                        word += c
                words.append(word)
                return tuple(word for word in words if word)
            """,
            "array, again": """
            def basic_words(text):
                words, word = [], ""
                for c in unicodedata.normalize("NFD", text.lower()):
                    category = unicodedata.category(c)
                    if c.isspace():
                        words.append(word)
                        word = ""
                    elif c in string.punctuation or category.startswith("P") or is_cjk(c):
                        words += [word, c]
                        word = ""
                    elif category != "Mn":
                        word += c
                words.append(word)
                return np.array([word for word in words if word], dtype=str)
            """,
        },
        wrong={},
    ),
    "tokenize": Bank(
        right={
            "tuple, again": """
            def tokenize(text, vocab):
                ids = {piece: i for i, piece in enumerate(vocab)}
                words = [word.text for word in BasicTokenizer().split(text)]
                return tuple(ids[piece] for word in words for piece in wordpiece_encode(word, ids))
            """,
            "array default, again": """
            def tokenize(text, vocab):
                ids = {piece: i for i, piece in enumerate(vocab)}
                words = [word.text for word in BasicTokenizer().split(text)]
                return np.array([ids[piece] for word in words for piece in wordpiece_encode(word, ids)])
            """,
        },
        wrong={
            "whole text, again": (
                """
            def tokenize(text, vocab):
                ids = {piece: i for i, piece in enumerate(vocab)}
                words = [''.join(word.text for word in BasicTokenizer().split(text))]
                return [ids[piece] for word in words for piece in wordpiece_encode(word, ids)]
            """,
                "you join all words into one before you split them into tokens.",
            ),
        },
    ),
}
