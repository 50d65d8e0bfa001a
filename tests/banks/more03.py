"""More answers to unit 03, of kinds that passed the check once or were not named; see `unit03`."""

from . import Bank, changed
from .unit03 import (
    EMBED_SOLUTION,
    ENCODE_SOLUTION,
    SCORES_SOLUTION,
    TOKENIZE_SOLUTION,
    TRAIN_SOLUTION,
    WORDS_SOLUTION,
)

OWN_NORM = changed(
    EMBED_SOLUTION,
    (
        'return layer_norm(x, sub(weights, "norm"), eps)',
        "m = x.mean(-1, keepdims=True)\n    v = ((x - m) ** 2).mean(-1, keepdims=True)\n"
        '    return weights["norm.weight"] * (x - m) / np.sqrt(v + eps) + weights["norm.bias"]',
    ),
)

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
            "limit by longest piece, again": changed(
                ENCODE_SOLUTION,
                (
                    "def wordpiece_encode(word, vocab, longest=200):",
                    "def wordpiece_encode(word, vocab, longest=200):\n    pieces, start = [], 0",
                ),
                ('        return ["[UNK]"]\n    pieces, start = [], 0', '        return ["[UNK]"]'),
                ("nge(len(word), s", "nge(min(len(word), start + max(map(len, vocab))), s"),
            ),
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
                changed(
                    ENCODE_SOLUTION,
                    (
                        "    if len(word) > longest:",
                        "    pieces, start = [], 0\n    if len(word) > max(longest, 5):",
                    ),
                    ('        return ["[UNK]"]\n    pieces, start = [], 0', '        return ["[UNK]"]'),
                ),
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
                changed(
                    SCORES_SOLUTION,
                    (
                        "    for word, split in splits.items():",
                        "    for word, split in splits.items():\n        n = counts[word]",
                    ),
                    ("e, 0) + counts[word]", "e, 0) + n"),
                    (
                        "            pairs[pair] = pairs.get(pair, 0) + counts[word]",
                        "            pair = tuple(sorted(pair))\n"
                        "            pairs[pair] = pairs.get(pair, 0) + n",
                    ),
                ),
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
                "you take the tokens of a word two by two. Let the pairs overlap:",
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
                "you divide by the larger of the counts of the two tokens.",
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
            "tuple, again": changed(
                TRAIN_SOLUTION,
                (
                    "        for word, split in splits.items():\n            out, i = [], 0",
                    "        for word in splits:\n            split, out, i = splits[word], [], 0",
                ),
                ("urn vocab", "urn tuple(vocab)"),
            ),
            "array, again": changed(
                TRAIN_SOLUTION,
                (
                    "        for word, split in splits.items():\n            out, i = [], 0",
                    "        for word in splits:\n            split, out, i = splits[word], [], 0",
                ),
                ("urn vocab", "urn np.array(vocab)"),
            ),
            "replace with sort, again": changed(
                TRAIN_SOLUTION,
                (
                    "min(scores, key=lambda pair: (-scores[pair], pair))",
                    "sorted(scores.items(), key=lambda e: (-e[1], e[0]))[0][0]",
                ),
                (
                    "        for word, split in splits.items():\n            out, i = [], 0",
                    "        for word in splits:\n            split, out, i = splits[word], [], 0",
                ),
            ),
        },
        wrong={
            "stop freq 1, again": (
                changed(
                    TRAIN_SOLUTION,
                    (
                        "            break",
                        "            break\n"
                        "        if max(scores.values()) <= 1 and score == 'frequency': break",
                    ),
                    (
                        "        for word, split in splits.items():\n            out, i = [], 0",
                        "        for word in splits:\n            split, out, i = splits[word], [], 0",
                    ),
                ),
                "you never merge pairs that occur only once. Continue until the list is",
            ),
            "split cut to 20, again": (
                changed(
                    TRAIN_SOLUTION,
                    ("d[1:])] ", "d[1:20])] "),
                    (
                        "        for word, split in splits.items():\n            out, i = [], 0",
                        "        for word in splits:\n            split, out, i = splits[word], [], 0",
                    ),
                ),
                "you cut off long words, so their ends are never merged. Split",
            ),
            "ties by new, again": (
                changed(
                    TRAIN_SOLUTION,
                    ("r], pair))", "r], pair[1], pair[0]))"),
                    (
                        "        for word, split in splits.items():\n            out, i = [], 0",
                        "        for word in splits:\n            split, out, i = splits[word], [], 0",
                    ),
                ),
                "if scores are equal, you compare the right parts first.",
            ),
            "ties by length, again": (
                changed(
                    TRAIN_SOLUTION,
                    ("r], pair))", "r], len(pair[0] + pair[1]), pair))"),
                    (
                        "        for word, split in splits.items():\n            out, i = [], 0",
                        "        for word in splits:\n            split, out, i = splits[word], [], 0",
                    ),
                ),
                "if scores are equal, you compare the lengths of the tokens.",
            ),
            "score default, again": (
                changed(
                    TRAIN_SOLUTION,
                    ("counts, score", "counts"),
                    (
                        "        for word, split in splits.items():\n            out, i = [], 0",
                        "        for word in splits:\n            split, out, i = splits[word], [], 0",
                    ),
                ),
                "you ignore `score`: you always merge the most frequent",
            ),
            "vocab_size min, again": (
                changed(
                    TRAIN_SOLUTION,
                    ("while len(vocab) < vocab_size", "for _ in range(vocab_size)"),
                    (
                        "        for word, split in splits.items():\n            out, i = [], 0",
                        "        for word in splits:\n            split, out, i = splits[word], [], 0",
                    ),
                ),
                "you make vocab_size merges. Stop when the whole list",
            ),
            "one merge min, again": (
                changed(
                    TRAIN_SOLUTION,
                    ("len(vocab) < vocab_size", "True"),
                    (
                        "        for word, split in splits.items():\n            out, i = [], 0",
                        "        for word in splits:\n            split, out, i = splits[word], [], 0",
                    ),
                    (
                        "            splits[word] = out",
                        "            splits[word] = out\n        if len(vocab) >= vocab_size: break",
                    ),
                ),
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
                "the last [SEP] of a pair is missing.",
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
                "you truncate A if both segments are equally long.",
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
                "you leave room for three special tokens with a single segment.",
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
                "you pad with the wrong id.",
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
                "the dtype of your ids is too small",
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
                "`real` is True for the first padding position.",
            ),
        },
    ),
    "embed": Bank(
        right={"own, again": OWN_NORM},
        wrong={
            "ddof, again": (
                changed(
                    OWN_NORM, ("((x - m) ** 2).mean(-1, keepdims=True)", "x.var(-1, keepdims=True, ddof=1)")
                ),
                "your variance divides by D - 1 (ddof=1).",
            ),
            "eps outside, again": (
                changed(OWN_NORM, ("np.sqrt(v + eps)", "(np.sqrt(v) + eps)")),
                "you add `eps` to the standard deviation. Add it to the",
            ),
            "no eps, again": (
                changed(OWN_NORM, ("v + eps", "v")),
                "`eps` is hard-coded in your answer. Pass the argument",
            ),
            "eps squared, again": (
                changed(OWN_NORM, ("v + eps", "v + eps ** 2")),
                "you square `eps`. Add it to the variance as it",
            ),
            "no mean, again": (
                changed(OWN_NORM, ("* (x - m) /", "* x /")),
                "your LayerNorm does not subtract the",
            ),
        },
    ),
    "basic_words": Bank(
        right={
            "tuple, again": changed(
                WORDS_SOLUTION, ("[word for word in words if word]", "tuple(word for word in words if word)")
            ),
            "array, again": changed(
                WORDS_SOLUTION,
                ("[word for word in words if word]", "np.array([word for word in words if word], dtype=str)"),
            ),
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
                changed(
                    TOKENIZE_SOLUTION,
                    (
                        "word.text for word in BasicTokenizer().split(text",
                        "''.join(word.text for word in BasicTokenizer().split(text)",
                    ),
                ),
                "you join all words into one before you split them into tokens.",
            ),
        },
    ),
}
