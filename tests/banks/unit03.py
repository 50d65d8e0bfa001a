"""Answers to unit 03, right and wrong, as students write them; `wrong` says what each must be told."""

from functools import partial

from . import Bank, changed

ENCODE_SOLUTION = """
    def wordpiece_encode(word, vocab, longest=200):
        if len(word) > longest:
            return ["[UNK]"]
        pieces, start = [], 0
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
    """
encode_slip = partial(changed, ENCODE_SOLUTION)

ENCODE = Bank(
    right={
        "the solution": ENCODE_SOLUTION,
        "cut the rest shorter and shorter": """
            def wordpiece_encode(word, vocab, longest=200):
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
            """,
        "recursion": """
            def wordpiece_encode(word, vocab, longest=200):
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
            """,
        "the longest of all fitting pieces, as a tuple": """
            def wordpiece_encode(word, vocab, longest=200):
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
            """,
        "an array": """
            def wordpiece_encode(word, vocab, longest=200):
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
            """,
    },
    wrong={
        "unknown letters become [UNK]": (
            """
            def wordpiece_encode(word, vocab, longest=200):
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
            """,
            "return [UNK] for a single letter that has no token",
        ),
        "unknown letters skipped": (
            """
            def wordpiece_encode(word, vocab, longest=200):
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
            """,
            "you skip",
        ),
        "backtracking": (
            """
            def wordpiece_encode(word, vocab, longest=200):
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
            """,
            "never goes back",
        ),
        "from the end": (
            """
            def wordpiece_encode(word, vocab, longest=200):
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
            """,
            "start at the end",
        ),
        "ids": (
            encode_slip(
                ("pieces.append(mark + word[start:end])", "pieces.append(vocab[mark + word[start:end]])"),
                ('return ["[UNK]"]', 'return [vocab["[UNK]"]]', 2),
            ),
            "you return ids",
        ),
        "joined": (
            encode_slip(
                ("return pieces", 'return " ".join(pieces)'), ('return ["[UNK]"]', 'return "[UNK]"', 2)
            ),
            "join the tokens into one string",
        ),
        "return forgotten": (encode_slip(("    return pieces", "    pieces")), "`return` missing"),
    },
)

REVEAL = Bank(
    right={
        "the solution": "def revealing_words():\n    return ['hugs', 'hugx', 'huggy', 'gs']\n",
        "six words": "def revealing_words():\n    return ['hugs', 'hu', 'pub', 'huggy', 'gs', 'pus']\n",
        "a tuple": "def revealing_words():\n    return ('hugsx', 'hugs', 'huggy', 'ings')\n",
        "built": "def revealing_words():\n    return sorted({'hug' + end for end in ('s', 'z', 'gy')}) + "
        "['ging', 'gy', 'us']\n",
    },
    wrong={
        "ordinary words": (
            "def revealing_words():\n    return ['hug', 'pu']\n",
            "looks up tokens inside a word without ##",
        ),
        "nothing gets stuck": (
            "def revealing_words():\n    return ['hugs', 'gs']\n",
            "keeps the tokens found",
        ),
        "no word to go back in": (
            "def revealing_words():\n    return ['hugs', 'hugx', 'gs']\n",
            "goes back and tries",
        ),
        "no word of inner pieces": (
            "def revealing_words():\n    return ['hugs', 'hugx', 'huggy']\n",
            "start a word",
        ),
        "one letter": ("def revealing_words():\n    return ['h', 's']\n", "takes the shortest"),
        "too many": (
            "def revealing_words():\n    return ['hugs', 'hugx', 'huggy', 'gs', 'pus', 'h', 'p']\n",
            "you return 7 words",
        ),
        "no list": (
            "def revealing_words():\n    return 'hugs hugx huggy gs'\n",
            "do not return a list of words",
        ),
        "empty": ("def revealing_words():\n    return []\n", "you return 0 words"),
        "pieces": ("def revealing_words():\n    return ['hug ##s', 'hugx']\n", "letters only"),
        "empty word": ("def revealing_words():\n    return ['', 'hugs']\n", "letters only"),
        "no return": ("def revealing_words():\n    words = ['hugs']\n", "`return` missing"),
    },
)

SCORES_SOLUTION = """
    def pair_scores(splits, counts, score="frequency"):
        pairs, pieces = {}, {}
        for word, split in splits.items():
            for piece in split:
                pieces[piece] = pieces.get(piece, 0) + counts[word]
            for pair in zip(split, split[1:]):
                pairs[pair] = pairs.get(pair, 0) + counts[word]
        if score == "frequency":
            return pairs
        return {pair: n / (pieces[pair[0]] * pieces[pair[1]]) for pair, n in pairs.items()}
    """
scores_slip = partial(changed, SCORES_SOLUTION)

SCORES = Bank(
    right={
        "the solution": SCORES_SOLUTION,
        "counters, by index": """
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
            """,
        "divided twice, float32": """
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
            """,
        "the corpus written out": """
            def pair_scores(splits, counts, score="frequency"):
                corpus = [splits[word] for word in splits for _ in range(counts[word])]
                flat = [piece for split in corpus for piece in split]
                met = [(split[i - 1], split[i]) for split in corpus for i in range(1, len(split))]
                if score == "frequency":
                    return {pair: met.count(pair) for pair in set(met)}
                return {(a, b): met.count((a, b)) / (flat.count(a) * flat.count(b)) for a, b in set(met)}
            """,
    },
    wrong={
        "always likelihood": (scores_slip(('score == "frequency"', "False")), "you return likelihoods"),
        "swapped": (scores_slip(('score == "frequency"', 'score == "likelihood"')), "you return likelihoods"),
        "pieces of pairs only": (
            """
            def pair_scores(splits, counts, score="frequency"):
                pairs, lefts, rights = {}, {}, {}
                for word, split in splits.items():
                    for a, b in zip(split, split[1:]):
                        pairs[a, b] = pairs.get((a, b), 0) + counts[word]
                        lefts[a] = lefts.get(a, 0) + counts[word]
                        rights[b] = rights.get(b, 0) + counts[word]
                if score == "frequency":
                    return pairs
                return {(a, b): n / (lefts[a] * rights[b]) for (a, b), n in pairs.items()}
            """,
            "only where it begins a pair",
        ),
        "shares": (
            scores_slip(
                ("return pairs\n", "return {p: n / sum(pairs.values()) for p, n in pairs.items()}\n")
            ),
            "divide the scores by their sum",
        ),
        "glued keys": (
            scores_slip(("return pairs\n", "return {''.join(p): n for p, n in pairs.items()}\n")),
            "keys are concatenated strings",
        ),
        "new pieces as keys": (
            scores_slip(
                ("return pairs\n", "return {a + b.removeprefix('##'): n for (a, b), n in pairs.items()}\n")
            ),
            "keys are the merged tokens",
        ),
        "a list": (
            scores_slip(("return pairs\n", "return list(pairs.items())\n")),
            "it should return a dict",
        ),
        "splits changed": (
            scores_slip(
                ("    if score", "    for split in splits.values():\n        split.pop()\n    if score")
            ),
            "changes its inputs",
        ),
    },
)

TRAIN_SOLUTION = """
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
            for word, split in splits.items():
                out, i = [], 0
                while i < len(split):
                    if split[i:i + 2] == [left, right]:
                        out.append(new)
                        i += 2
                    else:
                        out.append(split[i])
                        i += 1
                splits[word] = out
        return vocab
    """
BEST = "min(scores, key=lambda pair: (-scores[pair], pair))"
NEW = 'left + right.removeprefix("##")'
train_slip = partial(changed, TRAIN_SOLUTION)

TRAIN = Bank(
    right={
        "the solution": TRAIN_SOLUTION,
        "sorted candidates, lists": """
            def train_wordpiece(counts, vocab_size, score="frequency"):
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
            """,
        "its own scores, nothing of exercise 3": """
            def train_wordpiece(counts, vocab_size, score="frequency"):
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
            """,
        "a helper that joins by recursion": """
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
            """,
    },
    wrong={
        "from the right": (
            """
            def train_wordpiece(counts, vocab_size, score="frequency"):
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
            """,
            "overlapping pairs from the right",
        ),
        "no pair left": (
            train_slip(("        if not scores:\n            break\n", "")),
            "if every word is a single token",
        ),
        "a set": (train_slip(("return vocab", "return set(vocab)")), "it should return a list"),
        "no return": (train_slip(("    return vocab", "    vocab")), "`return` missing"),
    },
)

PACK_SOLUTION = """
    def pack_pair(a, b, max_length):
        first, second = list(a), list(b or [])
        room = max_length - (2 if b is None else 3)
        while len(first) + len(second) > room:
            (first if len(first) > len(second) else second).pop()
        first = [CLS, *first, SEP]
        second = [] if b is None else [*second, SEP]
        gap = max_length - len(first) - len(second)
        input_ids = np.array(first + second + [PAD] * gap)
        token_type_ids = np.array([0] * len(first) + [1] * len(second) + [0] * gap)
        return input_ids, token_type_ids, np.arange(max_length) < max_length - gap
    """
LOOP = """while len(first) + len(second) > room:
        (first if len(first) > len(second) else second).pop()"""
TYPES = "[0] * len(first) + [1] * len(second) + [0] * gap"
pack_slip = partial(changed, PACK_SOLUTION)

PACK = Bank(
    right={
        "the solution": PACK_SOLUTION,
        "sizes first, arrays filled": """
            def pack_pair(a, b, max_length):
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
            """,
        "a formula instead of a loop": """
            def pack_pair(a, b, max_length):
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
            """,
        "token by token": """
            def pack_pair(a, b, max_length):
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
            """,
    },
    wrong={
        "half each": (
            pack_slip(
                (
                    LOOP,
                    "if b is None:\n        first = first[:room]\n    else:\n        first, second "
                    "= first[:room // 2], "
                    "second[:room - room // 2]",
                )
            ),
            "half of the available length",
        ),
        "in turn": (
            pack_slip(
                (
                    LOOP,
                    "turn = 0\n    while len(first) + len(second) > room:\n"
                    "        if b is None or turn == 0:\n            first.pop()\n        else:\n"
                    "            second.pop()\n        turn = 1 - turn",
                )
            ),
            "in turn",
        ),
        "from the front": (pack_slip((".pop()", ".pop(0)")), "at the beginning"),
        "row cut": (
            pack_slip(
                (LOOP, ""),
                (
                    "gap = max_length - len(first) - len(second)",
                    "gap = max(0, max_length - len(first) - len(second))",
                ),
                (
                    "np.array(first + second + [PAD] * gap)",
                    "np.array(first + second + [PAD] * gap)[:max_length]",
                ),
                (f"np.array({TYPES})", f"np.array({TYPES})[:max_length]"),
            ),
            "truncate the finished sequence",
        ),
        "two specials in a pair": (pack_slip(("(2 if b is None else 3)", "2")), "it should be"),
        "three specials alone": (
            pack_slip(("(2 if b is None else 3)", "3")),
            "three special tokens with a single segment",
        ),
        "real as numbers": (
            pack_slip(
                (
                    "np.arange(max_length) < max_length - gap",
                    "(np.arange(max_length) < max_length - gap).astype(int)",
                )
            ),
            "it should be bool",
        ),
        "[SEP] after nothing": (
            pack_slip(
                ("[] if b is None else [*second, SEP]", "[*second, SEP]"), ("(2 if b is None else 3)", "3")
            ),
            "has two [SEP]",
        ),
        "not filled up": (
            pack_slip(
                ("gap = max_length - len(first) - len(second)", "gap = 0"),
                ("np.arange(max_length) < max_length - gap", "np.ones(len(input_ids), bool)"),
            ),
            "not padded to",
        ),
        "inputs changed": (pack_slip(("list(a), list(b or [])", "a, b or []")), "changes its inputs"),
        "ids only": (
            pack_slip(
                (
                    "return input_ids, token_type_ids, np.arange(max_length) < max_length - gap",
                    "return input_ids",
                )
            ),
            "should return 3 values",
        ),
        "lists": (
            pack_slip(("np.array(first + second + [PAD] * gap)", "first + second + [PAD] * gap")),
            "it should return an array",
        ),
    },
)

EMBED_SOLUTION = """
    def embed(input_ids, token_type_ids, weights, eps=1e-12):
        T = input_ids.shape[1]
        x = weights["word.weight"][input_ids] + weights["position.weight"][:T]
        x = x + weights["token_type.weight"][token_type_ids]
        return layer_norm(x, sub(weights, "norm"), eps)
    """
NORM = 'layer_norm(x, sub(weights, "norm"), eps)'
WORD, PLACE = 'weights["word.weight"][input_ids]', 'weights["position.weight"][:T]'
KIND = 'weights["token_type.weight"][token_type_ids]'
embed_slip = partial(changed, EMBED_SOLUTION)

EMBED = Bank(
    right={
        "the solution": EMBED_SOLUTION,
        "loops": """
            def embed(input_ids, token_type_ids, weights, eps=1e-12):
                B, T = input_ids.shape
                out = np.zeros((B, T, weights["word.weight"].shape[1]))
                for b in range(B):
                    for t in range(T):
                        x = (weights["word.weight"][input_ids[b, t]] + weights["position.weight"][t]
                             + weights["token_type.weight"][token_type_ids[b, t]])
                        z = (x - x.mean()) / np.sqrt(x.var() + eps)
                        out[b, t] = z * weights["norm.weight"] + weights["norm.bias"]
                return out
            """,
        "one-hot products": """
            def embed(input_ids, token_type_ids, weights, eps=1e-12):
                def rows(ids, table):
                    return np.einsum("...v,vd->...d", np.eye(len(table))[ids], table)
                places = np.broadcast_to(np.arange(input_ids.shape[-1]), input_ids.shape)
                total = (rows(input_ids, weights["word.weight"]) + rows(places, weights["position.weight"])
                         + rows(token_type_ids, weights["token_type.weight"]))
                return layer_norm(total, {"weight": weights["norm.weight"], "bias": weights["norm.bias"]},
                                  eps)
            """,
        "np.take, float32, its own LayerNorm": """
            def embed(input_ids, token_type_ids, weights, eps=1e-12):
                x = sum(np.take(weights[name + ".weight"].astype(np.float32), ids, axis=0) for name, ids in (
                    ("word", input_ids), ("position", np.arange(input_ids.shape[1])),
                    ("token_type", token_type_ids)))
                centred = x - x.mean(axis=-1, keepdims=True)
                z = centred / np.sqrt((centred ** 2).mean(axis=-1, keepdims=True) + np.float32(eps))
                return (weights["norm.weight"] * z + weights["norm.bias"]).astype(np.float32)
            """,
        "PyTorch": """
            import torch
            from torch.nn import functional as F
            def embed(input_ids, token_type_ids, weights, eps=1e-12):
                w = {name: torch.tensor(table) for name, table in weights.items()}
                x = (F.embedding(torch.tensor(input_ids), w["word.weight"])
                     + w["position.weight"][:input_ids.shape[1]])
                x = x + F.embedding(torch.tensor(token_type_ids), w["token_type.weight"])
                return F.layer_norm(x, x.shape[-1:], w["norm.weight"], w["norm.bias"], eps)
            """,
    },
    wrong={
        "each normalised": (
            """
            def embed(input_ids, token_type_ids, weights, eps=1e-12):
                def norm(x):
                    return layer_norm(x, sub(weights, "norm"), eps)
                T = input_ids.shape[1]
                return (norm(weights["word.weight"][input_ids]) + norm(weights["position.weight"][:T])
                        + norm(weights["token_type.weight"][token_type_ids]))
            """,
            "normalise each of the three embeddings separately",
        ),
        "positions restart": (
            """
            def embed(input_ids, token_type_ids, weights, eps=1e-12):
                B, T = input_ids.shape
                places = np.zeros((B, T), int)
                for b in range(B):
                    for t in range(1, T):
                        same = token_type_ids[b, t] == token_type_ids[b, t - 1]
                        places[b, t] = places[b, t - 1] + 1 if same else 0
                x = weights["word.weight"][input_ids] + weights["position.weight"][places]
                return layer_norm(x + weights["token_type.weight"][token_type_ids], sub(weights, "norm"), eps)
            """,
            "start again",
        ),
        "sinusoids": (
            """
            def embed(input_ids, token_type_ids, weights, eps=1e-12):
                T, D = input_ids.shape[1], weights["word.weight"].shape[1]
                angles = np.arange(T)[:, None] / 10000 ** (2 * (np.arange(D) // 2) / D)
                places = np.where(np.arange(D) % 2 == 0, np.sin(angles), np.cos(angles))
                x = weights["word.weight"][input_ids] + places + weights["token_type.weight"][token_type_ids]
                return layer_norm(x, sub(weights, "norm"), eps)
            """,
            "sines and cosines",
        ),
        "concatenated": (
            embed_slip((f"x = x + {KIND}", f"x = np.concatenate([x, {KIND}], -1)"), (NORM, "x")),
            "the shape is",
        ),
    },
)

WORDS_SOLUTION = """
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
        return [word for word in words if word]
    """
TOGETHER = ('"NFD"', '"NFC"')
ASCII_ONLY = (' or category.startswith("P")', "")
NO_LAST = ("    words.append(word)\n    return", "    return")


def words_slip(*changes):
    return changed(WORDS_SOLUTION, *changes)


WORDS = Bank(
    right={
        "the solution": WORDS_SOLUTION,
        "spaces around what stands alone": """
            def basic_words(text):
                def alone(c):
                    return c in string.punctuation or unicodedata.category(c)[0] == "P" or is_cjk(c)
                plain = [c for c in unicodedata.normalize("NFD", text.lower())
                         if unicodedata.category(c) != "Mn"]
                return "".join(f" {c} " if alone(c) else c for c in plain).split()
            """,
        "a space at the end": words_slip(("text.lower())", 'text.lower() + " ")'), NO_LAST),
        "groups of characters": """
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
            """,
        "words of a run": """
            def basic_words(text):
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
            """,
    },
    wrong={
        "accents stay": (words_slip(TOGETHER), "an accent changes nothing", 1),
        "ASCII only": (words_slip(ASCII_ONLY), "a punctuation mark is a separate word", 1),
        "no last word": (words_slip(NO_LAST), "no letter is lost", 1),
        "the last one mended": (words_slip(TOGETHER, ASCII_ONLY), "an accent changes nothing", 2),
        "the second one mended": (words_slip(TOGETHER, NO_LAST), "an accent changes nothing", 2),
        "the first one mended": (
            words_slip(ASCII_ONLY, NO_LAST),
            "a punctuation mark is a separate word",
            2,
        ),
        "nothing mended": (words_slip(TOGETHER, ASCII_ONLY, NO_LAST), "an accent changes nothing"),
        "compatibility forms": (words_slip(('"NFD"', '"NFKD"')), "something else has changed"),
        "categories only": (words_slip(("c in string.punctuation or ", "")), "something else has changed"),
        "all that is no letter": (
            words_slip(
                (
                    'c in string.punctuation or category.startswith("P") or is_cjk(c)',
                    'category[0] not in "LNM" or is_cjk(c)',
                )
            ),
            "something else has changed",
        ),
        "capitals kept": (words_slip(("text.lower()", "text")), "something else has changed"),
        "empty words kept": (
            words_slip(("[word for word in words if word]", "words")),
            "something else has changed",
        ),
        "signs stay on words": (
            words_slip(("words += [word, c]\n", "words += [word + c]\n")),
            "something else has changed",
        ),
        "signs are lost": (
            words_slip(("words += [word, c]\n", "words += [word]\n")),
            "something else has changed",
        ),
        "a text": (
            words_slip(("[word for word in words if word]", '" ".join(word for word in words if word)')),
            "something else has changed",
        ),
        "the package's": (
            """
            def basic_words(text):
                return [word.text for word in BasicTokenizer().split(text)]
            """,
            "package's own implementation",
        ),
        "no return": (words_slip(("return [word", "[word")), "returns None"),
    },
)

TOKENIZE_SOLUTION = """
    def tokenize(text, vocab):
        ids = {piece: i for i, piece in enumerate(vocab)}
        words = [word.text for word in BasicTokenizer().split(text)]
        return [ids[piece] for word in words for piece in wordpiece_encode(word, ids)]
    """
SPLIT = "[word.text for word in BasicTokenizer().split(text)]"
RESULT = "[ids[piece] for word in words for piece in wordpiece_encode(word, ids)]"
tokenize_slip = partial(changed, TOKENIZE_SOLUTION)

TOKENIZE = Bank(
    right={
        "the solution": TOKENIZE_SOLUTION,
        "loops": """
            def tokenize(text, vocab):
                ids = dict(zip(vocab, range(len(vocab))))
                out = []
                for word in BasicTokenizer(lower_case=True).split(text):
                    for piece in wordpiece_encode(word.text, ids):
                        out.append(ids[piece])
                return out
            """,
        "index, an array": """
            def tokenize(text, vocab):
                table, out = {p: vocab.index(p) for p in vocab}, []
                for word in BasicTokenizer().split(text):
                    out += map(vocab.index, wordpiece_encode(word.text, table))
                return np.array(out, dtype=int)
            """,
        "a tuple": """
            def tokenize(text, vocab):
                ids = {}
                for piece in vocab:
                    ids[piece] = len(ids)
                words = (word.text for word in BasicTokenizer().split(text))
                return tuple(ids[piece] for word in words for piece in wordpiece_encode(word, ids, 200))
            """,
    },
    wrong={
        "spaces": (
            tokenize_slip((SPLIT, "text.split()")),
            "only split the text at spaces",
        ),
        "lower case and spaces": (
            tokenize_slip((SPLIT, "text.lower().split()")),
            "only lowercase the text and split",
        ),
        "cased": (tokenize_slip(("BasicTokenizer()", "BasicTokenizer(False)")), "keep their capitals"),
        "cut from the text": (
            tokenize_slip((SPLIT, "[text[w.start:w.end] for w in BasicTokenizer().split(text)]")),
            "keep their capitals",
        ),
        "words, not their texts": (tokenize_slip(("word.text", "word")), "`word.text`"),
        "no return": (tokenize_slip(("return [", "[")), "`return` missing"),
    },
)


def telling(value):
    return f"def my_text():\n    return {value}"


TEXT = Bank(
    builds_on_all=True,
    right={
        "one sentence again and again": telling("'the small cat sleeps on the warm stove. ' * 8"),
        "two languages": telling("'Früher gab es keinen Strom, and nobody minded much. ' * 6"),
        "a list, joined": telling("' '.join(['soup', 'ladle', 'kettle', '汤'] * 20)"),
        "signs and emoji": telling("'«¿Qué?» – 我们讲故事! 🌙🌙 ' * 15"),
    },
    wrong={
        "too short": (telling("'The cat sleeps.'"), "your text is 15 characters. Write at least 200"),
        "one short of enough": (telling("'a' * 199"), "your text is 199 characters"),
        "empty": (telling("''"), "your text is 0 characters"),
        "printed": ("def my_text():\n    print('The cat sleeps. ' * 20)", "Is the `return` missing"),
        "a list": (telling("['The cat sleeps. '] * 200"), "your text is a list"),
        "bytes": (telling("b'The cat sleeps. ' * 20"), "your text is a bytes"),
        "a number": (telling("200"), "your text is an int"),
        "a dict": (telling("{'text': 'The cat sleeps. ' * 20}"), "your text is a dict"),
    },
)

BANK = {
    "wordpiece_encode": ENCODE,
    "revealing_words": REVEAL,
    "pair_scores": SCORES,
    "train_wordpiece": TRAIN,
    "pack_pair": PACK,
    "embed": EMBED,
    "basic_words": WORDS,
    "tokenize": TOKENIZE,
    "my_text": TEXT,
}
