"""Further answers to unit 08, from the exercises' texts alone: other regimes of inputs, other misreadings."""

from . import Bank, changed
from .unit08 import ALIGN, COMBINE, DECODE, F1, MEND
from .unit08 import TEST as DECODE_TEST


def align_slip(*changes):
    return changed(ALIGN, *changes)


ALIGN_BANK = Bank(
    right={
        "a generator made a list": """
            def align_labels(word_ids, labels):
                def walk():
                    last = None
                    for word in word_ids:
                        yield IGNORE if word is None or word == last else labels[word]
                        last = word
                return list(walk())
            """,
        "groups": """
            from itertools import groupby
            def align_labels(word_ids, labels):
                row = []
                for word, pieces in groupby(word_ids):
                    count = len(list(pieces))
                    row += [IGNORE] * count if word is None else [labels[word]] + [IGNORE] * (count - 1)
                return row
            """,
        "NumPy": """
            def align_labels(word_ids, labels):
                words = np.array([-1 if word is None else word for word in word_ids])
                first = (words >= 0) & (np.r_[-2, words[:-1]] != words)
                row = np.full(len(words), IGNORE)
                row[first] = [labels[word] for word in words[first]]
                return row
            """,
    },
    wrong={
        "a dict": (align_slip(("return row", "return dict(enumerate(row))")), "should return a list"),
    },
)


def decode_slip(*changes):
    return changed(DECODE, *changes)


ELSEWHERE = "tag[2:] != kind"
DECODE_BANK = Bank(
    right={
        "lists of three": decode_slip(
            ("entities.append((kind, start, i - 1))", "entities.append([kind, start, i - 1])")
        ),
        "a generator made a list": """
            def decode_entities(tags):
                def walk():
                    start = None
                    for i in range(len(tags) + 1):
                        tag = tags[i] if i < len(tags) else "O"
                        if start is not None and tag != "I-" + tags[start][2:]:
                            yield tags[start][2:], start, i - 1
                            start = None
                        if start is None and tag != "O":
                            start = i
                return list(walk())
            """,
        "a regular expression": """
            import re
            def decode_entities(tags):
                found = []
                for i, tag in enumerate(tags):
                    parts = re.fullmatch(r"([BI])-(.+)", tag)
                    near = found and found[-1][2] == i - 1
                    if parts and parts[1] == "I" and near and found[-1][0] == parts[2]:
                        found[-1] = (*found[-1][:2], i)
                    elif parts:
                        found.append((parts[2], i, i))
                return tuple(found)
            """,
    },
    wrong={
        "an I goes on after a B only": (
            """
            def decode_entities(tags):
                found = []
                for i, tag in enumerate(tags):
                    if tag[0] == "I" and i and tags[i - 1] == "B" + tag[1:]:
                        found[-1] = (tag[2:], i - 1, i)
                    elif tag != "O":
                        found.append((tag[2:], i, i))
                return found
            """,
            "two words",
        ),
    },
    equivalent={
        "entities, kind, start = ([], None, 0) -> entities, kind, start = ([], None, 1)": "the number is "
        "replaced before "
        "it is read",
        "entities, kind, start = ([], None, 0) -> entities, kind, start = ([], None, -1)": "the number is "
        "replaced before "
        "it is read",
        "for i, tag in enumerate(list(tags) + ['O']): -> for i, tag in enumerate(tags + ['O']):": "the tags "
        "are a "
        "list "
        "already",
    },
)

TAGS = "    tags = ['B-PER', 'I-PER', 'O', 'B-LOC']\n    found = [('PER', 0, 1), ('LOC', 3, 3)]\n"
HEAD = "@by_name\ndef test_decode(decode_entities):\n" + TAGS
TEST_BANK = Bank(
    right={
        "a table": """
            @by_name
            def test_decode(decode_entities):
                for tags, wanted in ((["B-X", "I-X", "I-X"], [("X", 0, 2)]), (["O"], []), ([], []),
                                     (["B-X", "B-X"], [("X", 0, 0), ("X", 1, 1)]),
                                     (["O", "I-X", "O", "B-A"], [("X", 1, 1), ("A", 3, 3)]),
                                     (["B-X", "I-Y"], [("X", 0, 0), ("Y", 1, 1)])):
                    before = tuple(tags)
                    got = decode_entities(tags)
                    assert [tuple(entity) for entity in got] == wanted, got
                    assert tuple(tags) == before
            """,
        "pieces of the result": changed(
            DECODE_TEST,
            (
                "assert decode_entities(tags) == found",
                """got = decode_entities(tags)
    assert len(got) == 5
    for entity, wanted in zip(got, found):
        assert entity[0] == wanted[0] and tuple(entity[1:]) == wanted[1:]""",
            ),
        ),
        "NumPy's words": changed(
            DECODE_TEST,
            (
                "assert decode_entities(tags) == found",
                "np.testing.assert_equal(decode_entities(tags), found)",
            ),
        ),
    },
    wrong={
        "an assert of a pair": (
            HEAD + "    assert (decode_entities(tags) == found, 'wrong')",
            "can never fail",
        ),
        "no assert": (HEAD + "    decode_entities(tags) == found", "can never fail"),
        "errors caught": (
            HEAD + "    try:\n        assert decode_entities(tags) == found\n"
            "    except AssertionError:\n        print('wrong')",
            "can never fail",
        ),
        "how many": (HEAD + "    assert len(decode_entities(tags)) == 2", "wrong version"),
        "the types": (
            HEAD + "    assert [e[0] for e in decode_entities(tags)] == ['PER', 'LOC']",
            "wrong version",
        ),
        "a list": (HEAD + "    assert isinstance(decode_entities(tags), list)", "catches 0 of 7"),
        "the first word": (HEAD + "    assert decode_entities(tags)[0][1] == 0", "wrong version"),
        "the word after demanded": (
            HEAD + "    assert decode_entities(tags) == [('PER', 0, 2), ('LOC', 3, 4)]",
            "rejects a right version",
        ),
        "strays dropped": (HEAD + "    assert decode_entities(['I-PER']) == []", "rejects a right version"),
        "sorted by type demanded": (
            HEAD + "    assert decode_entities(tags) == sorted(found)",
            "rejects a right version",
        ),
    },
)


def mend_slip(*changes):
    return changed(MEND, *changes)


STRAY = "before[2:] != tag[2:]"
MEND_BANK = Bank(
    right={
        "a tuple": mend_slip(("return answer", "return tuple(answer)")),
        "an array": mend_slip(("return answer", "return np.array(answer)")),
        "the words first": """
            def read_tags(logits, word_ids, tags, num_words):
                firsts = {}
                for token in range(len(word_ids) - 1, -1, -1):
                    firsts[word_ids[token]] = token
                out = []
                for word in range(num_words):
                    tag = "O" if word not in firsts else tags[np.asarray(logits)[firsts[word]].argmax()]
                    edge, _, kind = tag.partition("-")
                    goes_on = bool(out) and out[-1].partition("-")[2] == kind
                    out.append(f"B-{kind}" if edge == "I" and not goes_on else tag)
                return out
            """,
    },
    wrong={
        "compared by the end": (
            mend_slip((STRAY, "not before.endswith(tag[2:])")),
            "an I- after a tag of another type becomes B-",
        ),
        "compared as a part": (
            mend_slip((STRAY, "tag[2:] not in before")),
            "an I- after a tag of another type becomes B-",
        ),
        "after a B only": (
            mend_slip((STRAY, 'before != "B-" + tag[2:]')),
            "a legal row of tags comes back as it is",
        ),
        "the first tag in place of O": (
            mend_slip(('found.get(word, "O")', "found.get(word, tags[0])")),
            "every word of the sentence gets a tag, O where it has no piece",
        ),
        "None in place of O": (
            mend_slip(
                ('found.get(word, "O")', "found.get(word)"),
                ('tag.startswith("I-")', 'tag and tag.startswith("I-")'),
                (STRAY, "(before or 'O')[2:] != tag[2:]"),
            ),
            "every word of the sentence gets a tag, O where it has no piece",
        ),
        "never at the start": (
            mend_slip(('before = "O"\n', 'before = answer[0] if answer else "O"\n')),
            "an I- at the start of the sentence becomes B-",
        ),
        "the sum of all pieces": (
            mend_slip(
                (
                    "found[word] = tags[best[token]]",
                    "found[word] = tags[sum(logits[i] for i, w in "
                    "enumerate(word_ids) "
                    "if w == word).argmax()]",
                )
            ),
            "only the first piece of a word decides on its tag|its result is not what it should be",
        ),
        "the tags compared whole": (
            mend_slip((STRAY, "before != tag")),
            "a legal row of tags comes back as it is",
        ),
        "B after its own type goes on": (
            mend_slip(
                ('            answer[word] = "B-"', '            answer[word] = "B-"'),
                (
                    "        before = answer[word]",
                    "        elif tag[0] == 'B' and before[2:] == tag[2:]:\n"
                    "            answer[word] = 'I-' + tag[2:]\n        before = answer[word]",
                ),
            ),
            "a legal row of tags comes back as it is",
        ),
        "without the last word": (
            mend_slip(("return answer", "return answer[:-1]")),
            "a legal row of tags comes back as it is",
        ),
        "numbers": (
            mend_slip(("return answer", "return [tags.index(tag) for tag in answer]")),
            "a legal row of tags comes back as it is",
        ),
        "words of one piece": (
            mend_slip(("word not in found", "word not in found and word_ids.count(word) > 0 and token > 1")),
            "a legal row of tags comes back as it is",
        ),
    },
    equivalent={
        "if word is not None and word not in found: -> if word not in found:": "a tag under None is never "
        "looked up",
        "best = logits.argmax(axis=-1) -> best = logits.argmax(axis=1)": "logits have two axes",
    },
)


def f1_slip(*changes):
    return changed(F1, *changes)


F1_BANK = Bank(
    right={
        "a list": f1_slip(
            (
                "return precision, recall, 2 * precision * recall / (precision + recall)",
                "return [precision, recall, 2 / (1 / precision + 1 / recall)]",
            )
        ),
        "an array": f1_slip(
            (
                "    return precision, recall, 2 * precision * recall / (precision + recall)",
                "    return np.array([precision, recall, 200 * right / (found + wanted)])",
            )
        ),
        "Counter": """
            from collections import Counter
            def entity_f1(gold, predicted):
                def numbered(side):
                    return Counter((i, tuple(e)) for i, tags in enumerate(side)
                                   for e in decode_entities(tags))
                a, b = numbered(gold), numbered(predicted)
                right = sum((a & b).values())
                return tuple(100 * x / y if y else 0.0 for x, y in (
                    (right, sum(b.values())), (right, sum(a.values())), (2 * right, sum((a + b).values()))))
            """,
    },
    wrong={
        "mean over types": (
            """
            def entity_f1(gold, predicted):
                pairs = [(set(decode_entities(g)), set(decode_entities(p))) for g, p in zip(gold, predicted)]
                kinds = {e[0] for pair in pairs for side in pair for e in side}
                rows = []
                for kind in kinds:
                    n = [sum(sum(e[0] == kind for e in side) for side in sides)
                         for sides in zip(*((a & b, b, a) for a, b in pairs))]
                    p, r = 100 * n[0] / max(n[1], 1), 100 * n[0] / max(n[2], 1)
                    rows.append((p, r, 2 * p * r / (p + r) if n[0] else 0.0))
                return tuple(np.mean(rows, axis=0)) if rows else (0.0, 0.0, 0.0)
            """,
            "mean over the types",
        ),
    },
)


def combine_slip(*changes):
    return changed(COMBINE, *changes)


COMBINE_BANK = Bank(
    right={
        "a dict of slices": """
            def combine_layers(layers, way, scores=None, gamma=1.0):
                L = len(layers) - 1
                first, last = {"embeddings": (0, 1), "second-to-last": (L - 1, L), "last": (L, L + 1),
                               "sum-last-four": (L - 3, L + 1), "concat-last-four": (L - 3, L + 1),
                               "sum-all": (1, L + 1)}[way]
                picked = [layers[i] for i in range(first, last)]
                if "sum" not in way:
                    return np.concatenate(picked, axis=-1)
                shares = softmax(np.asarray([0.0] * len(picked) if scores is None else scores))
                return sum(gamma * share * layer for share, layer in zip(shares, picked))
            """,
        "moved to the end": """
            def combine_layers(layers, way, scores=None, gamma=1.0):
                names = ["embeddings", "last", "second-to-last"]
                if way in names:
                    return np.take(layers, [0, -1, -2][names.index(way)], axis=0)
                chosen = layers[1:] if way == "sum-all" else layers[-4:]
                if way[0] == "c":
                    return np.concatenate([*chosen], axis=chosen.ndim - 2)
                w = np.full(len(chosen), 1 / len(chosen)) if scores is None else softmax(scores)
                return np.moveaxis(chosen, 0, -1) @ w.astype(layers.dtype) * gamma
            """,
        "PyTorch": """
            import torch
            def combine_layers(layers, way, scores=None, gamma=1.0):
                x = torch.from_numpy(layers)
                simple = {"embeddings": x[0], "last": x[-1], "second-to-last": x[-2] if len(x) > 1 else x[0]}
                if way in simple:
                    return simple[way]
                x = x[1:] if way == "sum-all" else x[-4:]
                if way == "concat-last-four":
                    return torch.cat([*x], -1)
                w = torch.ones(len(x), dtype=x.dtype) if scores is None else torch.from_numpy(scores)
                return gamma * torch.einsum("l,l...->...", w.softmax(0), x)
            """,
    },
    wrong={
        "five layers": (combine_slip(("layers[-4:]", "layers[-5:]", 2)), "five"),
    },
    equivalent={
        "scores = np.zeros(len(chosen), layers.dtype) -> scores = np.ones(len(chosen), layers.dtype)": (
            "equal scores have equal weights"
        ),
        "return np.concatenate(list(layers[-4:]), axis=-1) -> return np.concatenate(layers[-4:], "
        "axis=-1)": "np.concatenate takes an array for a sequence, too",
    },
)

MORE = {
    "align_labels": ALIGN_BANK,
    "decode_entities": DECODE_BANK,
    "test_decode": TEST_BANK,
    "read_tags": MEND_BANK,
    "entity_f1": F1_BANK,
    "combine_layers": COMBINE_BANK,
}
