"""Answers to unit 08, right and wrong, as students write them; `wrong` says what each must be told."""

from . import banks

BANK = banks(
    __name__,
    align_labels="""
        pairs
            return [labels[w] if w is not None and w != b else IGNORE
                    for b, w in zip([None, *word_ids], word_ids)]
        an array
            row = np.full(len(word_ids), IGNORE)
            for word in {w for w in word_ids if w is not None}:
                row[word_ids.index(word)] = labels[word]
            return row
        a set of seen words
            seen, row = set(), []
            for word in word_ids:
                if word is None or word in seen:
                    row.append(-100)
                else:
                    seen.add(word)
                    row.append(int(labels[word]))
            return tuple(row)
        torch
            import torch
            def align_labels(word_ids, labels):
                row = torch.full((len(word_ids),), IGNORE)
                for token, word in reversed(list(enumerate(word_ids))):
                    if word is not None:
                        row[token] = labels[word]
                        if token + 1 < len(word_ids) and word_ids[token + 1] == word:
                            row[token + 1] = IGNORE
                return row
        every piece: you give every token of a word its label
            return [IGNORE if word is None else labels[word] for word in word_ids]
        the last piece: label to the last token
            row = [IGNORE] * len(word_ids)
            for token, word in enumerate(word_ids):
                if word is not None and (token + 1 == len(word_ids) or word_ids[token + 1] != word):
                    row[token] = labels[word]
            return row
        if word: also leaves out word 0
            word is not None and => word and
        O for the rest: two mistakes at once: you give a word's later tokens 0
            IGNORE) => 0)
        one after another: one after another
            row, before = [], None => row, before, rest = [], None, iter(labels)
            labels[word] if first => next(rest) if first
        None: return
            return row => row
        a dict: should return a list
            return row => return dict(enumerate(row))
        floats: some are floats where
            else IGNORE => else float(IGNORE)
        """,
    decode_entities=r"""
        grow the last one
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
        a while loop
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
        a tuple of lists
            (kind, start, i - 1) => [kind, start, i - 1]
            return entities => return tuple(entities)
        split in two: Split only at the first
            kind, start = tag[2:], i => start, (_, kind) = i, tag.split('-')
        O split too: O has no hyphen
            if kind is not None and (tag[0] => _, after = tag.split('-')\nif kind is not None and (tag[0]
        each word: every word is a separate entity
            return [(tag[2:], i, i) for i, tag in enumerate(tags) if tag != "O"]
        B goes on: a B- after a word of the same type continues
            tag[0] in "BO" => tag == "O"
        B in the type: still begins with B- or I-
            kind, start = tag[2:], i => kind, start = tag, i
            tag[2:] != kind => tag[2:] != kind[2:]
        split: split the tag at its last hyphen
            tag[2:] =>> tag.split('-')[-1]
        two slips: two mistakes at once
            i - 1 => i
            tag[0] in "BO" => tag == "O"
        a set: returns a set
            return entities => return set(entities)
        changed input: input
            list(tags) + ["O"] => tags
            entities, kind => tags.append("O")\nentities, kind
        an I goes on after a B only: two words
            tag[2:] != kind => tag[2:] != kind or tags[i - 1][0] != "B"
        floats: some are floats where
            (kind, start, i - 1) => (kind, start, (2 * i - 2) / 2)
        """,
    test_decode="""
        many small ones
            for text, found in {
                    "O O": [], "B-B I-B I-B": [("B", 0, 2)], "B-B B-B": [("B", 0, 0), ("B", 1, 1)],
                    "B-B I-A": [("B", 0, 0), ("A", 1, 1)], "O I-A O B-A O": [("A", 1, 1), ("A", 3, 3)],
                    "B-C O B-A": [("C", 0, 0), ("A", 2, 2)],
                    "B-A-C": [("A-C", 0, 0)]}.items():
                tags = text.split()
                assert list(decode_entities(tags)) == found
                assert len(tags) == len(text.split())
        against one of her own
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
                    tags = [str(tag) for tag in rng.choice(["O", "B-A", "I-A", "B-A-B", "I-A-B"], size=6)]
                    again = tags[:]
                    assert decode_entities(tags) == mine(again) and tags == again
        an error of her own: your test contains a `raise`
            def check(tags, wanted):
                got = decode_entities(tags)
                if got != wanted:
                    raise ValueError(f"{tags}: {got}")
            check(["B-X", "I-X", "B-X", "I-Y", "O", "I-X"],
                  [("X", 0, 1), ("X", 2, 2), ("Y", 3, 3), ("X", 5, 5)])
            check(["B-Z", "B-A"], [("Z", 0, 0), ("A", 1, 1)])
            check(["B-X-Y", "I-X-Y"], [("X-Y", 0, 1)])
            twice = ["B-X", "O"]
            check(twice, [("X", 0, 0)])
            assert twice == ["B-X", "O"]
        pieces of the result
            tags = ["B-PER", "I-PER", "O", "B-LOC", "B-LOC", "O", "I-ORG", "I-PER"]
            kept = list(tags)
            found = [("PER", 0, 1), ("LOC", 3, 3), ("LOC", 4, 4), ("ORG", 6, 6), ("PER", 7, 7)]
            got = decode_entities(tags)
            assert len(got) == 5
            for entity, wanted in zip(got, found):
                assert entity[0] == wanted[0] and tuple(entity[1:]) == wanted[1:]
            assert tags == kept, "the input is changed"
            assert decode_entities(["O", "I-LOC", "I-LOC"]) == [("LOC", 1, 2)], "a stray I- after O"
            assert decode_entities(["O"]) == []
            assert decode_entities(["I-X-Y"]) == [("X-Y", 0, 0)]
        NumPy's words
            assert decode_entities(tags) == found => np.testing.assert_equal(decode_entities(tags), found)
        nothing: makes every word a separate entity
            pass
        returned: returns a value
            return decode_entities(['O']) == []
        without its line: Keep the line
            @by_name =>
        no hyphen [hidden]: after the last hyphen
            decode_entities(["B-A-B", "I-A-B"]) => [("A-B", 0, 1)]
        legal tags only: begins no entity at a stray I-
            found = decode_entities(["B-P", "I-P", "B-P", "O", "B-L"])
            assert found == [("P", 0, 1), ("P", 2, 2), ("L", 4, 4)]
        one example: loses an entity that ends with the sentence
            assert decode_entities(["B-P", "I-P", "O"]) == [("P", 0, 1)]
        wrong demand: rejects a correct version
            assert decode_entities(["O", "I-P"]) == []
        numbers only: returns the number of the word after
            assert len(decode_entities(["B-P", "I-P", "B-P", "O", "I-L", "I-P"])) == 4
        a slip: copy_
            list(tags) => tags.copy_()
        no stray after O [hidden]: at an I- after O
            tags = ["B-P", "I-P", "B-P", "O", "B-P", "I-L"]
            assert (decode_entities(tags) == [("P", 0, 1), ("P", 2, 2), ("P", 4, 4), ("L", 5, 5)]
                    and len(tags) == 6)
            assert decode_entities(["B-P", "I-L"]) == [("P", 0, 0), ("L", 1, 1)]
        the order forgotten [hidden]: sorts the entities by type
            decode_entities(tags) == found => sorted(decode_entities(tags)) == sorted(found)
        the input forgotten [hidden]: changes its input list
            assert tags == kept, "the input is changed" =>
        an assert of a pair: can never fail
            tags = ['B-PER', 'I-PER', 'O', 'B-LOC']
            found = [('PER', 0, 1), ('LOC', 3, 3)]
            assert (decode_entities(tags) == found, 'wrong')
        no assert: can never fail
            tags = ['B-PER', 'I-PER', 'O', 'B-LOC']
            found = [('PER', 0, 1), ('LOC', 3, 3)]
            decode_entities(tags) == found
        errors caught: can never fail
            tags = ['B-PER', 'I-PER', 'O', 'B-LOC']
            found = [('PER', 0, 1), ('LOC', 3, 3)]
            try:
                assert decode_entities(tags) == found
            except AssertionError:
                print('wrong')
        how many: wrong version
            tags = ['B-PER', 'I-PER', 'O', 'B-LOC']
            found = [('PER', 0, 1), ('LOC', 3, 3)]
            assert len(decode_entities(tags)) == 2
        a list: catches 0 of 7
            tags = ['B-PER', 'I-PER', 'O', 'B-LOC']
            found = [('PER', 0, 1), ('LOC', 3, 3)]
            assert isinstance(decode_entities(tags), list)
        the word after demanded: rejects a correct version
            tags = ['B-PER', 'I-PER', 'O', 'B-LOC']
            found = [('PER', 0, 1), ('LOC', 3, 3)]
            assert decode_entities(tags) == [('PER', 0, 2), ('LOC', 3, 4)]
        strays dropped: rejects a correct version
            tags = ['B-PER', 'I-PER', 'O', 'B-LOC']
            found = [('PER', 0, 1), ('LOC', 3, 3)]
            assert decode_entities(['I-PER']) == []
        sorted by type demanded: rejects a correct version
            tags = ['B-PER', 'I-PER', 'O', 'B-LOC']
            found = [('PER', 0, 1), ('LOC', 3, 3)]
            assert decode_entities(tags) == sorted(found)
        """,
    read_tags="""
        from the first piece on
            answer, before = [], "O"
            for word in range(num_words):
                tag = tags[int(np.argmax(logits[word_ids.index(word)]))] if word in word_ids else "O"
                if tag[0] == "I" and before[2:] != tag[2:]:
                    tag = "B" + tag[1:]
                answer.append(tag)
                before = tag
            return answer
        setdefault
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
        from the right
            raw = ["O"] * num_words
            for token in reversed(range(len(word_ids))):
                if word_ids[token] is not None:
                    raw[word_ids[token]] = tags[logits[token].argmax()]
            return ["B-" + t[2:] if t[:2] == "I-" and b[2:] != t[2:] else t for b, t in zip(["O"] + raw, raw)]
        a tuple
            return answer => return tuple(answer)
        an array
            return answer => return np.array(answer)
        as it was: only the first token of a word determines
            None and word not in found => None
            [found.get(word, "O") for word in range(num_words)] => [found[word] for word in sorted(found)]
            before[2:] != tag[2:] => before == "O"
        the first left [1]: only the first token of a word determines
            None and word not in found => None
        the second left [1]: every word of the sentence gets a tag
            [found.get(word, "O") for word in range(num_words)] => [found[word] for word in sorted(found)]
        the third left [1]: an I- after a tag of another type
            before[2:] != tag[2:] => before == "O"
        two left [2]: only the first token of a word determines
            None and word not in found => None
            before[2:] != tag[2:] => before == "O"
        others left [2]: every word of the sentence gets a tag
            [found.get(word, "O") for word in range(num_words)] => [found[word] for word in sorted(found)]
            before[2:] != tag[2:] => before == "O"
        strays kept: there is another mistake
            before[2:] != tag[2:] => False
        strays become O: there is another mistake
            "B-" + tag[2:] => "O"
        the smallest: a legal sequence of tags is returned unchanged; an I- after
            argmax => argmin
        all begin: this no longer holds: a legal sequence of tags is returned
            tag.startswith("I-") and before[2:] != tag[2:] => tag != "O"
        compared by the end: an I- after a tag of another type becomes B-
            before[2:] != tag[2:] => not before.endswith(tag[2:])
        after a B only: a legal sequence of tags is returned unchanged
            before[2:] != tag[2:] => before != "B-" + tag[2:]
        None in place of O: every word of the sentence gets a tag, O if it has no token
            word, "O" => word
            tag.startswith("I-") and before => tag and tag.startswith("I-") and (before or 'O')
        never at the start: an I- at the start of the sentence becomes B-
            before = "O" => before = answer[0] if answer else "O"
        the sum of all pieces: only the first token of a word determines its tag|its result is wrong
            best[token] => sum(logits[i] for i, w in enumerate(word_ids) if w == word).argmax()
        """,
    entity_f1="""
        100 for nothing: entity_f1: With|fresh input
            return 0.0, 0.0, 0.0 => return (100.0, 100.0, 100.0) if found == wanted == 0 else (0.0, 0.0, 0.0)
        sets with the sentence
            a, b = ({(i, *e) for i, tags in enumerate(side) for e in decode_entities(tags)}
                    for side in (gold, predicted))
            p = 100 * len(a & b) / len(b) if b else 0.0
            r = 100 * len(a & b) / len(a) if a else 0.0
            return p, r, (2 * p * r / (p + r) if p + r else 0.0)
        by counts
            pairs = [(decode_entities(g), decode_entities(p)) for g, p in zip(gold, predicted)]
            right = sum(e in g for g, p in pairs for e in p)
            found, wanted = sum(len(p) for _, p in pairs), sum(len(g) for g, _ in pairs)
            f1 = 200 * right / (found + wanted) if found + wanted else 0.0
            return (100 * right / max(found, 1), 100 * right / max(wanted, 1), f1)
        NumPy
            counts = np.zeros(3)
            for g, p in zip(gold, predicted):
                g, p = set(decode_entities(g)), set(decode_entities(p))
                counts += [len(g & p), len(p), len(g)]
            p, r = 100 * counts[0] / np.maximum(counts[1:], 1)
            return np.float32(p), np.float32(r), np.float32(2 * p * r / max(p + r, 1e-9))
        a list
            right = found = wanted = 0
            for tags, guess in zip(gold, predicted):
                there, said = set(decode_entities(tags)), set(decode_entities(guess))
                right += len(there & said)
                found += len(said)
                wanted += len(there)
            if right == 0:
                return 0.0, 0.0, 0.0
            precision, recall = 100 * right / found, 100 * right / wanted
            return [precision, recall, 2 / (1 / precision + 1 / recall)]
        an array
            right = found = wanted = 0
            for tags, guess in zip(gold, predicted):
                there, said = set(decode_entities(tags)), set(decode_entities(guess))
                right += len(there & said)
                found += len(said)
                wanted += len(there)
            if right == 0:
                return 0.0, 0.0, 0.0
            precision, recall = 100 * right / found, 100 * right / wanted
            return np.array([precision, recall, 200 * right / (found + wanted)])
        mean precision and recall: mean over the sentences
            ps, rs = [], []
            for tags, guess in zip(gold, predicted):
                a, b = set(decode_entities(tags)), set(decode_entities(guess))
                ps.append(100 * len(a & b) / len(b) if b else 0.0)
                rs.append(100 * len(a & b) / len(a) if a else 0.0)
            p, r = np.mean(ps), np.mean(rs)
            return p, r, 2 * p * r / (p + r) if p + r else 0.0
        pooled: you put the entities of all sentences into one set
            a = {e for tags in gold for e in decode_entities(tags)}
            b = {e for tags in predicted for e in decode_entities(tags)}
            p, r = 100 * len(a & b) / max(len(b), 1), 100 * len(a & b) / max(len(a), 1)
            return p, r, 2 * p * r / (p + r) if p + r else 0.0
        mean over sentences: mean over the sentences
            rows = []
            for g, q in zip(gold, predicted):
                a, b = set(decode_entities(g)), set(decode_entities(q))
                p, r = 100 * len(a & b) / max(len(b), 1), 100 * len(a & b) / max(len(a), 1)
                rows.append((p, r, 2 * p * r / (p + r) if p + r else 0.0))
            return tuple(float(x) for x in np.mean(rows, axis=0))
        accuracy: share of words with the correct tag
            right = [a == b for g, p in zip(gold, predicted) for a, b in zip(g, p)]
            share = 100 * float(np.mean(right))
            return share, share, share
        words: you compare the tags of words
            pairs = [(a, b) for g, p in zip(gold, predicted) for a, b in zip(g, p)]
            right = sum(a == b != "O" for a, b in pairs)
            p = 100 * right / max(sum(b != "O" for _, b in pairs), 1)
            r = 100 * right / max(sum(a != "O" for a, _ in pairs), 1)
            return p, r, 2 * p * r / (p + r) if right else 0.0
        one number: should return 3 values
            return precision, recall, 2 => return 2
        mean over types: mean over the types
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
    combine_layers="""
        a loop
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
        einsum
            chosen = layers[{"embeddings": slice(1), "last": slice(-1, None),
                             "second-to-last": slice(-2, -1),
                             "sum-all": slice(1, None)}.get(way, slice(-4, None))]
            if way == "concat-last-four":
                moved = np.moveaxis(chosen, 0, -2)
                return moved.reshape(*moved.shape[:-2], -1)
            scores = np.zeros(len(chosen)) if scores is None else scores
            scaled = gamma if way.startswith("sum") else 1
            return scaled * np.einsum("l,l...->...", softmax(scores), chosen)
        torch
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
        no softmax: use the scores as weights
            scores = np.zeros(len(chosen), layers.dtype) => scores = np.full(len(chosen), 1 / len(chosen))
            softmax(scores) => scores
        gamma everywhere: you multiply every result by `gamma`
            return layers[ =>> return gamma * layers[
            return np.c => return gamma * np.c
        an axis kept: keep the layer axis
            return layers[0] => return layers[:1]
            return layers[-1] => return layers[-1:]
            return layers[-2] => return layers[-2:-1]
        the first four: are the first four
            layers[-4:] =>> layers[:4]
        two slips: two mistakes at once
            scores = np.zeros(len(chosen), layers.dtype) => return chosen.mean(axis=0)
            gamma * np.tensordot(softmax(scores) => np.tensordot(scores
        five layers: five
            layers[-4:] =>> layers[-5:]
        """,
)
