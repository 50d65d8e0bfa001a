"""Answers to unit 08, right and wrong, as students write them; `wrong` says what each must be told."""

from . import Bank, changed

ALIGN = """
    def align_labels(word_ids, labels):
        row, before = [], None
        for word in word_ids:
            first = word is not None and word != before
            row.append(labels[word] if first else IGNORE)
            before = word
        return row
    """
ALIGN_BANK = Bank(
    right={
        "the solution": ALIGN,
        "pairs": """
            def align_labels(word_ids, labels):
                return [labels[w] if w is not None and w != b else IGNORE
                        for b, w in zip([None, *word_ids], word_ids)]
            """,
        "an array": """
            def align_labels(word_ids, labels):
                row = np.full(len(word_ids), IGNORE)
                for word in {w for w in word_ids if w is not None}:
                    row[word_ids.index(word)] = labels[word]
                return row
            """,
        "a set of seen words": """
            def align_labels(word_ids, labels):
                seen, row = set(), []
                for word in word_ids:
                    if word is None or word in seen:
                        row.append(-100)
                    else:
                        seen.add(word)
                        row.append(int(labels[word]))
                return tuple(row)
            """,
        "torch": """
            import torch
            def align_labels(word_ids, labels):
                row = torch.full((len(word_ids),), IGNORE)
                for token, word in reversed(list(enumerate(word_ids))):
                    if word is not None:
                        row[token] = labels[word]
                        if token + 1 < len(word_ids) and word_ids[token + 1] == word:
                            row[token + 1] = IGNORE
                return row
            """,
    },
    wrong={
        "every piece": (
            """
            def align_labels(word_ids, labels):
                return [IGNORE if word is None else labels[word] for word in word_ids]
            """,
            "you give every token of a word its label",
        ),
        "the last piece": (
            """
            def align_labels(word_ids, labels):
                row = [IGNORE] * len(word_ids)
                for token, word in enumerate(word_ids):
                    if word is not None and (token + 1 == len(word_ids) or word_ids[token + 1] != word):
                        row[token] = labels[word]
                return row
            """,
            "label to the last token",
        ),
        "if word": (changed(ALIGN, ("word is not None and", "word and")), "`if word` is False for word 0"),
        "O for the rest": (
            changed(ALIGN, ("IGNORE)", "0)")),
            "two mistakes at once: you give a word's later tokens 0",
        ),
        "one after another": (
            changed(
                ALIGN,
                ("row, before = [], None", "row, before, rest = [], None, iter(labels)"),
                ("labels[word] if first", "next(rest) if first"),
            ),
            "one after another",
        ),
        "None": (changed(ALIGN, ("return row", "row")), "return"),
        "a dict": (changed(ALIGN, ("return row", "return dict(enumerate(row))")), "should return a list"),
    },
)

DECODE = """
    def decode_entities(tags):
        entities, kind, start = [], None, 0
        for i, tag in enumerate(list(tags) + ["O"]):
            if kind is not None and (tag[0] in "BO" or tag[2:] != kind):
                entities.append((kind, start, i - 1))
                kind = None
            if tag != "O" and kind is None:
                kind, start = tag[2:], i
        return entities
    """
DECODE_BANK = Bank(
    right={
        "the solution": DECODE,
        "grow the last one": """
            def decode_entities(tags):
                found = []
                for i, tag in enumerate(tags):
                    if tag == "O":
                        continue
                    edge, kind = tag.split("-", 1)
                    if edge == "I" and found and found[-1][0] == kind and found[-1][2] == i - 1:
                        found[-1][2] = i
                    else:
                        found.append([kind, i, i])
                return [tuple(entity) for entity in found]
            """,
        "a while loop": """
            def decode_entities(tags):
                i, out = 0, []
                while i < len(tags):
                    if tags[i] == "O":
                        i += 1
                        continue
                    kind, j = tags[i][2:], i + 1
                    while j < len(tags) and tags[j] == "I-" + kind:
                        j += 1
                    out.append((kind, i, j - 1))
                    i = j
                return out
            """,
        "a tuple of lists": changed(
            DECODE,
            ("(kind, start, i - 1)", "[kind, start, i - 1]"),
            ("return entities", "return tuple(entities)"),
        ),
    },
    wrong={
        "split in two": (
            changed(DECODE, ("kind, start = tag[2:], i", "start, (_, kind) = i, tag.split('-')")),
            "only at the first one",
        ),
        "O split too": (
            changed(
                DECODE,
                (
                    "if kind is not None and (tag[0]",
                    "_, after = tag.split('-')\n        if kind is not None and (tag[0]",
                ),
            ),
            "O has no hyphen",
        ),
        "each word": (
            """
            def decode_entities(tags):
                return [(tag[2:], i, i) for i, tag in enumerate(tags) if tag != "O"]
            """,
            "every word is a separate entity",
        ),
        "B goes on": (
            changed(DECODE, ('tag[0] in "BO"', 'tag == "O"')),
            "a B- after a word of the same type continues",
        ),
        "B in the type": (
            changed(
                DECODE,
                ("kind, start = tag[2:], i", "kind, start = tag, i"),
                ("tag[2:] != kind", "tag[2:] != kind[2:]"),
            ),
            "still begins with B- or I-",
        ),
        "split": (changed(DECODE, ("tag[2:]", "tag.split('-')[-1]", 2)), "split the tag at its last hyphen"),
        "two slips": (
            changed(DECODE, ("i - 1", "i"), ('tag[0] in "BO"', 'tag == "O"')),
            "two mistakes at once",
        ),
        "a set": (changed(DECODE, ("return entities", "return set(entities)")), "returns a set"),
        "changed input": (
            changed(
                DECODE,
                ('list(tags) + ["O"]', "tags"),
                ("    entities, kind", '    tags.append("O")\n    entities, kind'),
            ),
            "input",
        ),
        "an I goes on after a B only": (
            changed(DECODE, ("tag[2:] != kind", 'tag[2:] != kind or tags[i - 1][0] != "B"')),
            "two words",
        ),
    },
)

TEST = """
    @by_name
    def test_decode(decode_entities):
        tags = ["B-PER", "I-PER", "O", "B-LOC", "B-LOC", "O", "I-ORG", "I-PER"]
        kept = list(tags)
        found = [("PER", 0, 1), ("LOC", 3, 3), ("LOC", 4, 4), ("ORG", 6, 6), ("PER", 7, 7)]
        assert decode_entities(tags) == found
        assert tags == kept, "the input is changed"
        assert decode_entities(["O", "I-LOC", "I-LOC"]) == [("LOC", 1, 2)], "a stray I- after O"
        assert decode_entities(["O"]) == []
    """
TAGS = "    tags = ['B-PER', 'I-PER', 'O', 'B-LOC']\n    found = [('PER', 0, 1), ('LOC', 3, 3)]\n"
HEAD = "@by_name\ndef test_decode(decode_entities):\n" + TAGS
TEST_BANK = Bank(
    right={
        "the solution": TEST,
        "many small ones": """
            @by_name
            def test_decode(decode_entities):
                for text, found in {
                        "O O": [], "B-B I-B I-B": [("B", 0, 2)], "B-B B-B": [("B", 0, 0), ("B", 1, 1)],
                        "B-B I-A": [("B", 0, 0), ("A", 1, 1)], "O I-A O B-A O": [("A", 1, 1), ("A", 3, 3)],
                        "B-C O B-A": [("C", 0, 0), ("A", 2, 2)]}.items():
                    tags = text.split()
                    assert list(decode_entities(tags)) == found
                    assert len(tags) == len(text.split())
            """,
        "against one of her own": """
            def mine(tags):
                i, out = 0, []
                while i < len(tags):
                    j = i + 1
                    if tags[i] != "O":
                        while j < len(tags) and tags[j] == "I-" + tags[i][2:]:
                            j += 1
                        out.append((tags[i][2:], i, j - 1))
                    i = j
                return out

            @by_name
            def test_decode(decode_entities):
                rng = np.random.default_rng(0)
                for _ in range(60):
                    tags = [str(tag) for tag in rng.choice(["O", "B-A", "I-A", "B-B", "I-B"], size=6)]
                    again = tags[:]
                    assert decode_entities(tags) == mine(again) and tags == again
            """,
        "an error of her own": """
            @by_name
            def test_decode(decode_entities):
                def check(tags, wanted):
                    got = decode_entities(tags)
                    if got != wanted:
                        raise ValueError(f"{tags}: {got}")
                check(["B-X", "I-X", "B-X", "I-Y", "O", "I-X"],
                      [("X", 0, 1), ("X", 2, 2), ("Y", 3, 3), ("X", 5, 5)])
                check(["B-Z", "B-A"], [("Z", 0, 0), ("A", 1, 1)])
                twice = ["B-X", "O"]
                check(twice, [("X", 0, 0)])
                assert twice == ["B-X", "O"]
            """,
        "pieces of the result": changed(
            TEST,
            (
                "assert decode_entities(tags) == found",
                """got = decode_entities(tags)
    assert len(got) == 5
    for entity, wanted in zip(got, found):
        assert entity[0] == wanted[0] and tuple(entity[1:]) == wanted[1:]""",
            ),
        ),
        "NumPy's words": changed(
            TEST,
            (
                "assert decode_entities(tags) == found",
                "np.testing.assert_equal(decode_entities(tags), found)",
            ),
        ),
    },
    wrong={
        "nothing": (
            "@by_name\ndef test_decode(decode_entities):\n    pass",
            "makes every word a separate entity",
        ),
        "returned": (
            "@by_name\ndef test_decode(decode_entities):\n    return decode_entities(['O']) == []",
            "returns a value",
        ),
        "without its line": (changed(TEST, ("@by_name", "")), "Keep the line"),
        "legal tags only": (
            """
            @by_name
            def test_decode(decode_entities):
                found = decode_entities(["B-P", "I-P", "B-P", "O", "B-L"])
                assert found == [("P", 0, 1), ("P", 2, 2), ("L", 4, 4)]
            """,
            "begins no entity at a stray I-",
        ),
        "one example": (
            """
            @by_name
            def test_decode(decode_entities):
                assert decode_entities(["B-P", "I-P", "O"]) == [("P", 0, 1)]
            """,
            "loses an entity that ends with the sentence",
        ),
        "wrong demand": (
            """
            @by_name
            def test_decode(decode_entities):
                assert decode_entities(["O", "I-P"]) == []
            """,
            "rejects a correct version",
        ),
        "numbers only": (
            """
            @by_name
            def test_decode(decode_entities):
                assert len(decode_entities(["B-P", "I-P", "B-P", "O", "I-L", "I-P"])) == 4
            """,
            "returns the number of the word after",
        ),
        "a slip": (changed(TEST, ("list(tags)", "tags.copy_()")), "copy_"),
        "no stray after O": (
            """
            @by_name
            def test_decode(decode_entities):
                tags = ["B-P", "I-P", "B-P", "O", "B-P", "I-L"]
                assert (decode_entities(tags) == [("P", 0, 1), ("P", 2, 2), ("P", 4, 4), ("L", 5, 5)]
                        and len(tags) == 6)
                assert decode_entities(["B-P", "I-L"]) == [("P", 0, 0), ("L", 1, 1)]
            """,
            "at an I- after O",
            "hidden",
        ),
        "the order forgotten": (
            changed(
                TEST, ("decode_entities(tags) == found", "sorted(decode_entities(tags)) == sorted(found)")
            ),
            "sorts the entities by type",
            "hidden",
        ),
        "the input forgotten": (
            changed(TEST, ('assert tags == kept, "the input is changed"', "")),
            "changes its input list",
            "hidden",
        ),
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
        "a list": (HEAD + "    assert isinstance(decode_entities(tags), list)", "catches 0 of 7"),
        "the word after demanded": (
            HEAD + "    assert decode_entities(tags) == [('PER', 0, 2), ('LOC', 3, 4)]",
            "rejects a correct version",
        ),
        "strays dropped": (HEAD + "    assert decode_entities(['I-PER']) == []", "rejects a correct version"),
        "sorted by type demanded": (
            HEAD + "    assert decode_entities(tags) == sorted(found)",
            "rejects a correct version",
        ),
    },
)

MEND = """
    def read_tags(logits, word_ids, tags, num_words):
        best = logits.argmax(axis=-1)
        found = {}
        for token, word in enumerate(word_ids):
            if word is not None and word not in found:
                found[word] = tags[best[token]]
        answer = [found.get(word, "O") for word in range(num_words)]
        before = "O"
        for word, tag in enumerate(answer):
            if tag.startswith("I-") and before[2:] != tag[2:]:
                answer[word] = "B-" + tag[2:]
            before = answer[word]
        return answer
    """
LAST = (" and word not in found", "")
SHORT = ('[found.get(word, "O") for word in range(num_words)]', "[found[word] for word in sorted(found)]")
STRAY = ("before[2:] != tag[2:]", 'before == "O"')
MEND_BANK = Bank(
    right={
        "the solution": MEND,
        "from the first piece on": """
            def read_tags(logits, word_ids, tags, num_words):
                answer, before = [], "O"
                for word in range(num_words):
                    tag = tags[int(np.argmax(logits[word_ids.index(word)]))] if word in word_ids else "O"
                    if tag[0] == "I" and before[2:] != tag[2:]:
                        tag = "B" + tag[1:]
                    answer.append(tag)
                    before = tag
                return answer
            """,
        "setdefault": """
            def read_tags(logits, word_ids, tags, num_words):
                found = {}
                for scores, word in zip(logits, word_ids):
                    found.setdefault(word, tags[scores.argmax()])
                answer = ["O"] * num_words
                for word in range(num_words):
                    answer[word] = found.get(word, "O")
                    same = word > 0 and answer[word - 1] != "O" and answer[word - 1][2:] == answer[word][2:]
                    if answer[word].startswith("I-") and not same:
                        answer[word] = answer[word].replace("I-", "B-", 1)
                return answer
            """,
        "from the right": """
            def read_tags(logits, word_ids, tags, num_words):
                raw = ["O"] * num_words
                for token in reversed(range(len(word_ids))):
                    if word_ids[token] is not None:
                        raw[word_ids[token]] = tags[logits[token].argmax()]
                return ["B-" + t[2:] if t[:2] == "I-" and b[2:] != t[2:] else t
                        for b, t in zip(["O"] + raw, raw)]
            """,
        "a tuple": changed(MEND, ("return answer", "return tuple(answer)")),
        "an array": changed(MEND, ("return answer", "return np.array(answer)")),
    },
    wrong={
        "as it was": (changed(MEND, LAST, SHORT, STRAY), "only the first token of a word determines"),
        "the first left": (changed(MEND, LAST), "only the first token of a word determines", 1),
        "the second left": (changed(MEND, SHORT), "every word of the sentence gets a tag", 1),
        "the third left": (changed(MEND, STRAY), "an I- after a tag of another type", 1),
        "two left": (changed(MEND, LAST, STRAY), "only the first token of a word determines", 2),
        "others left": (changed(MEND, SHORT, STRAY), "every word of the sentence gets a tag", 2),
        "strays kept": (changed(MEND, ("before[2:] != tag[2:]", "False")), "something else has changed"),
        "strays become O": (changed(MEND, ('"B-" + tag[2:]', '"O"')), "something else has changed"),
        "the smallest": (changed(MEND, ("argmax", "argmin")), "something else has changed"),
        "all begin": (
            changed(MEND, ('tag.startswith("I-") and before[2:] != tag[2:]', 'tag != "O"')),
            "something else has changed",
        ),
        "compared by the end": (
            changed(MEND, ("before[2:] != tag[2:]", "not before.endswith(tag[2:])")),
            "an I- after a tag of another type becomes B-",
        ),
        "after a B only": (
            changed(MEND, ("before[2:] != tag[2:]", 'before != "B-" + tag[2:]')),
            "a legal sequence of tags is returned unchanged",
        ),
        "None in place of O": (
            changed(
                MEND,
                ('found.get(word, "O")', "found.get(word)"),
                ('tag.startswith("I-")', 'tag and tag.startswith("I-")'),
                ("before[2:] != tag[2:]", "(before or 'O')[2:] != tag[2:]"),
            ),
            "every word of the sentence gets a tag, O if it has no token",
        ),
        "never at the start": (
            changed(MEND, ('before = "O"\n', 'before = answer[0] if answer else "O"\n')),
            "an I- at the start of the sentence becomes B-",
        ),
        "the sum of all pieces": (
            changed(
                MEND,
                (
                    "found[word] = tags[best[token]]",
                    "found[word] = tags[sum(logits[i] for i, w in "
                    "enumerate(word_ids) "
                    "if w == word).argmax()]",
                ),
            ),
            "only the first token of a word determines its tag|its result is wrong",
        ),
    },
)

F1 = """
    def entity_f1(gold, predicted):
        right = found = wanted = 0
        for tags, guess in zip(gold, predicted):
            there, said = set(decode_entities(tags)), set(decode_entities(guess))
            right += len(there & said)
            found += len(said)
            wanted += len(there)
        if right == 0:
            return 0.0, 0.0, 0.0
        precision, recall = 100 * right / found, 100 * right / wanted
        return precision, recall, 2 * precision * recall / (precision + recall)
    """
F1_BANK = Bank(
    right={
        "the solution": F1,
        "sets with the sentence": """
            def entity_f1(gold, predicted):
                a, b = ({(i, *e) for i, tags in enumerate(side) for e in decode_entities(tags)}
                        for side in (gold, predicted))
                p = 100 * len(a & b) / len(b) if b else 0.0
                r = 100 * len(a & b) / len(a) if a else 0.0
                return p, r, (2 * p * r / (p + r) if p + r else 0.0)
            """,
        "by counts": """
            def entity_f1(gold, predicted):
                pairs = [(decode_entities(g), decode_entities(p)) for g, p in zip(gold, predicted)]
                right = sum(e in g for g, p in pairs for e in p)
                found, wanted = sum(len(p) for _, p in pairs), sum(len(g) for g, _ in pairs)
                f1 = 200 * right / (found + wanted) if found + wanted else 0.0
                return (100 * right / max(found, 1), 100 * right / max(wanted, 1), f1)
            """,
        "NumPy": """
            def entity_f1(gold, predicted):
                counts = np.zeros(3)
                for g, p in zip(gold, predicted):
                    g, p = set(decode_entities(g)), set(decode_entities(p))
                    counts += [len(g & p), len(p), len(g)]
                p, r = 100 * counts[0] / np.maximum(counts[1:], 1)
                return np.float32(p), np.float32(r), np.float32(2 * p * r / max(p + r, 1e-9))
            """,
        "a list": changed(
            F1,
            (
                "return precision, recall, 2 * precision * recall / (precision + recall)",
                "return [precision, recall, 2 / (1 / precision + 1 / recall)]",
            ),
        ),
        "an array": changed(
            F1,
            (
                "    return precision, recall, 2 * precision * recall / (precision + recall)",
                "    return np.array([precision, recall, 200 * right / (found + wanted)])",
            ),
        ),
    },
    wrong={
        "mean precision and recall": (
            """
            def entity_f1(gold, predicted):
                ps, rs = [], []
                for tags, guess in zip(gold, predicted):
                    a, b = set(decode_entities(tags)), set(decode_entities(guess))
                    ps.append(100 * len(a & b) / len(b) if b else 0.0)
                    rs.append(100 * len(a & b) / len(a) if a else 0.0)
                p, r = np.mean(ps), np.mean(rs)
                return p, r, 2 * p * r / (p + r) if p + r else 0.0
            """,
            "mean over the sentences",
        ),
        "pooled": (
            """
            def entity_f1(gold, predicted):
                a = {e for tags in gold for e in decode_entities(tags)}
                b = {e for tags in predicted for e in decode_entities(tags)}
                p, r = 100 * len(a & b) / max(len(b), 1), 100 * len(a & b) / max(len(a), 1)
                return p, r, 2 * p * r / (p + r) if p + r else 0.0
            """,
            "you put the entities of all sentences into one set",
        ),
        "mean over sentences": (
            """
            def entity_f1(gold, predicted):
                rows = []
                for g, q in zip(gold, predicted):
                    a, b = set(decode_entities(g)), set(decode_entities(q))
                    p, r = 100 * len(a & b) / max(len(b), 1), 100 * len(a & b) / max(len(a), 1)
                    rows.append((p, r, 2 * p * r / (p + r) if p + r else 0.0))
                return tuple(float(x) for x in np.mean(rows, axis=0))
            """,
            "mean over the sentences",
        ),
        "accuracy": (
            """
            def entity_f1(gold, predicted):
                right = [a == b for g, p in zip(gold, predicted) for a, b in zip(g, p)]
                share = 100 * float(np.mean(right))
                return share, share, share
            """,
            "share of words with the correct tag",
        ),
        "words": (
            """
            def entity_f1(gold, predicted):
                pairs = [(a, b) for g, p in zip(gold, predicted) for a, b in zip(g, p)]
                right = sum(a == b != "O" for a, b in pairs)
                p = 100 * right / max(sum(b != "O" for _, b in pairs), 1)
                r = 100 * right / max(sum(a != "O" for a, _ in pairs), 1)
                return p, r, 2 * p * r / (p + r) if right else 0.0
            """,
            "you compare the tags of words",
        ),
        "one number": (changed(F1, ("return precision, recall, 2", "return 2")), "should return 3 values"),
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

COMBINE = """
    def combine_layers(layers, way, scores=None, gamma=1.0):
        if way == "embeddings":
            return layers[0]
        if way == "last":
            return layers[-1]
        if way == "second-to-last":
            return layers[-2]
        if way == "concat-last-four":
            return np.concatenate(list(layers[-4:]), axis=-1)
        chosen = layers[-4:] if way == "sum-last-four" else layers[1:]
        if scores is None:
            scores = np.zeros(len(chosen), layers.dtype)
        return gamma * np.tensordot(softmax(scores), chosen, axes=1)
    """
EQUAL = "scores = np.zeros(len(chosen), layers.dtype)"
COMBINE_BANK = Bank(
    right={
        "the solution": COMBINE,
        "a loop": """
            def combine_layers(layers, way, scores=None, gamma=1.0):
                single = {"embeddings": 0, "last": len(layers) - 1, "second-to-last": len(layers) - 2}
                if way in single:
                    return layers[single[way]].copy()
                chosen = [layers[i] for i in (range(1, len(layers)) if way == "sum-all"
                                              else range(len(layers) - 4, len(layers)))]
                if way == "concat-last-four":
                    return np.concatenate(chosen, -1)
                weights = [1 / len(chosen)] * len(chosen) if scores is None else np.exp(scores - max(scores))
                total = 0
                for w, layer in zip(weights, chosen):
                    total = total + w * layer
                return gamma * total / sum(weights)
            """,
        "einsum": """
            def combine_layers(layers, way, scores=None, gamma=1.0):
                chosen = layers[{"embeddings": slice(1), "last": slice(-1, None),
                                 "second-to-last": slice(-2, -1),
                                 "sum-all": slice(1, None)}.get(way, slice(-4, None))]
                if way == "concat-last-four":
                    moved = np.moveaxis(chosen, 0, -2)
                    return moved.reshape(*moved.shape[:-2], -1)
                scores = np.zeros(len(chosen)) if scores is None else scores
                scaled = gamma if way.startswith("sum") else 1
                return scaled * np.einsum("l,l...->...", softmax(scores), chosen)
            """,
        "torch": """
            import torch
            def combine_layers(layers, way, scores=None, gamma=1.0):
                x = torch.as_tensor(layers)
                if way == "embeddings":
                    return x[0]
                if way in ("last", "second-to-last"):
                    return x[-1 if way == "last" else -2]
                if way == "concat-last-four":
                    return torch.cat(tuple(x[-4:]), dim=-1)
                x = x[-4:] if way == "sum-last-four" else x[1:]
                w = torch.zeros(len(x), dtype=x.dtype) if scores is None else torch.as_tensor(scores)
                w = torch.softmax(w, 0).reshape(-1, *[1] * (x.dim() - 1))
                return gamma * (w * x).sum(0)
            """,
    },
    wrong={
        "no softmax": (
            changed(
                COMBINE,
                (EQUAL, "scores = np.full(len(chosen), 1 / len(chosen))"),
                ("softmax(scores)", "scores"),
            ),
            "use the scores as weights",
        ),
        "gamma everywhere": (
            changed(
                COMBINE,
                ("return layers[", "return gamma * layers[", 3),
                ("return np.c", "return gamma * np.c"),
            ),
            "you multiply every result by `gamma`",
        ),
        "an axis kept": (
            changed(
                COMBINE,
                ("return layers[0]", "return layers[:1]"),
                ("return layers[-1]", "return layers[-1:]"),
                ("return layers[-2]", "return layers[-2:-1]"),
            ),
            "keep the layer axis",
        ),
        "the first four": (changed(COMBINE, ("layers[-4:]", "layers[:4]", 2)), "are the first four"),
        "two slips": (
            changed(
                COMBINE,
                ("softmax(scores)", "scores"),
                ("gamma * ", ""),
                (EQUAL, "return chosen.mean(axis=0)"),
            ),
            "two mistakes at once",
        ),
        "five layers": (changed(COMBINE, ("layers[-4:]", "layers[-5:]", 2)), "five"),
    },
)

BANK = {
    "align_labels": ALIGN_BANK,
    "decode_entities": DECODE_BANK,
    "test_decode": TEST_BANK,
    "read_tags": MEND_BANK,
    "entity_f1": F1_BANK,
    "combine_layers": COMBINE_BANK,
}
