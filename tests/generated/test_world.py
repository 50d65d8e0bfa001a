"""The generated language: correctly labelled, and such that context and not spelling decides."""

import re
from collections import Counter, defaultdict
from itertools import islice

import numpy as np
import pytest

from minibert.generated import World
from minibert.generated.sentences.plans import KINDS, in_parts, part_of, say
from minibert.generated.sentences.sorts import POOLS
from minibert.generated.writer.draws import Draws
from minibert.generated.writer.questions import ABOUT, GAPS, KIND_OF, TYPE_OF, find_impossible

WORLD = World(seed=0)
WORD = re.compile(r"\w+")
COMMON = {
    word for pool in ("prefix", "suffix") for (text,) in POOLS[pool].rows for word in text.split()
}  # parts of names


@pytest.fixture(scope="session")
def train():
    return list(WORLD.documents(400, seed=1))


@pytest.fixture(scope="session")
def test():
    return list(WORLD.documents(400, seed=1, split="test"))


def names(question):
    """The runs of capitalised words of a question."""
    return re.findall(r"[A-Z]\w+(?: [A-Z]\w+)*", question)


def names_in(documents):
    return {
        word
        for document in documents
        for entity in document.entities
        if entity.label != "DATE"
        for word in document.text[entity.start : entity.end].split()
    } - COMMON


def test_documents_come_one_at_a_time():
    assert len(list(islice(WORLD.documents(10**12, seed=1), 2))) == 2


def test_the_names_of_the_test_split_are_unseen_in_training(train, test):
    assert not names_in(train) & names_in(test)
    for field in ("bases", "firsts", "pets"):
        assert not set.intersection(*(set(getattr(WORLD.names[split], field)) for split in ("train", "test")))


def test_no_test_sentence_with_a_name_is_a_train_sentence(train, test):
    seen = {sentence for document in train for sentence in document.sentences}
    names = names_in(test)
    assert not [s for d in test for s in d.sentences if s in seen and names & set(WORD.findall(s))]


def test_no_name_is_spelled_like_an_ordinary_word(train, test):
    ordinary = {word for document in train + test for word in WORD.findall(document.text) if word.islower()}
    for split in ("train", "test"):
        names = WORLD.names[split]
        assert not {name.lower() for name in names.bases + names.firsts + names.pets} & ordinary


def test_unknown_splits_and_negative_counts_are_refused():
    with pytest.raises(ValueError, match="'valid' must be one of"):
        WORLD.documents(1, seed=0, split="valid")
    with pytest.raises(ValueError, match="count=-1 must not be negative"):
        WORLD.documents(-1, seed=0)


def test_a_sample_larger_than_its_options_is_refused():
    with pytest.raises(ValueError, match="cannot draw 3 different items from only 2"):
        Draws(np.random.Generator(np.random.PCG64(0))).sample("ab", 3)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_appears_and_has_five_to_ten_sentences(train, kind):
    lengths = {len(document.sentences) for document in train if document.kind == kind}
    assert lengths and lengths <= set(range(5, 11))


def test_sentences_begin_with_a_capital_and_end_with_a_stop(train):
    for document in train:
        for sentence in document.sentences:
            assert re.fullmatch(r'"?[A-Z0-9].*[.?!]"?', sentence), sentence


def test_no_slot_is_left_open_and_articles_fit(train):
    for document in train:
        for text in [document.text] + [question.text for question in document.questions]:
            assert not re.search(r"[{}]|  |\ba [aeiou]|\ban [^aeiouh]", text), text


def test_entities_are_names_in_reading_order_without_overlap(train):
    for document in train:
        ends = [0] + [entity.end for entity in document.entities]
        assert all(
            end <= entity.start < entity.end for end, entity in zip(ends, document.entities, strict=False)
        )
        for entity in document.entities:
            surface = document.text[entity.start : entity.end]
            assert surface[0].isupper() or entity.label == "DATE" and surface[0].isdigit()
            assert entity.label in {"PER", "LOC", "ORG", "DATE"}


def test_every_capitalised_name_is_an_entity_unless_it_is_a_pet(train):
    known = set(WORLD.names["train"].bases + WORLD.names["train"].firsts)
    for document in train:
        inside = {at for entity in document.entities for at in range(entity.start, entity.end)}
        assert all(
            match.start() in inside for match in WORD.finditer(document.text) if match.group() in known
        )


def test_spelling_does_not_decide_the_type():
    labels = defaultdict(Counter)
    for document in WORLD.documents(1600, seed=3):
        for entity in document.entities:
            if entity.label != "DATE":
                labels[document.text[entity.start : entity.end].split()[-1]][entity.label] += 1
    bases = [labels[name] for name in WORLD.names["train"].bases]
    assert np.mean([len(counts) == 3 for counts in bases]) > 0.75
    assert sum(max(counts.values()) for counts in bases) / sum(sum(counts.values()) for counts in bases) < 0.7


def test_she_and_he_are_equally_frequent_and_independent_of_the_trade():
    text = " ".join(document.text for document in WORLD.documents(2500, seed=4)).lower()
    she, he = (len(re.findall(rf"\b{word}\b", text)) for word in ("she", "he"))
    assert abs(she - he) / (she + he) < 0.06


def test_answers_are_exact_substrings(train, test):
    for document in train + test:
        for question in document.questions:
            assert bool(question.answers) != question.impossible
            assert all(
                text and document.text[start : start + len(text)] == text for text, start in question.answers
            )


def test_documents_have_several_questions_and_some_have_no_answer(train):
    about_people = [document for document in train if document.kind not in ("news", "review", "outing")]
    answerable = [
        sum(not question.impossible for question in document.questions) for document in about_people
    ]
    assert min(answerable) >= 2 and np.mean(answerable) > 4
    assert (
        0.5
        < np.mean([any(question.impossible for question in document.questions) for document in about_people])
        <= 1
    )


def test_a_name_or_date_as_answer_has_a_rival_of_its_type(train):
    for document in train:
        spans = {
            (entity.start, document.text[entity.start : entity.end]): entity.label
            for entity in document.entities
        }
        for question in document.questions:
            for text, start in question.answers[:1]:
                label = spans.get((start, text))
                names = {surface for (_, surface), other in spans.items() if other == label}
                assert label is None or len(names) > 1, (document.text, question)


def test_a_question_without_an_answer_has_no_half_answer():
    """The head of a firm may be paid by it, and who has come from Ashby may be born there."""
    asked = Counter()
    draws = WORLD.draws(7, "train", "questions without answers")
    for page in WORLD.pages(1500, seed=7):
        question = find_impossible(page, draws) or ""
        topics = [
            topic
            for topic in page.mentions
            if topic.label == "PER" and {topic.full, topic.short} & set(names(question))
        ]
        if re.search("employer|pays|have a job", question):
            asked["firm"] += 1
            assert page.kind != "firm", question
        if re.search("birthplace|come from|place .* life begin", question):
            asked["birthplace"] += 1
            assert topics and not any((topic, "home") in page.told for topic in topics), question
    assert min(asked["firm"], asked["birthplace"]) > 50


def test_what_a_text_only_hints_at_is_not_asked():
    """A friend asked "Are you still a baker?" may not be one; who warns all of Ashby need not live there."""
    asked = Counter()
    for document in WORLD.documents(1500, seed=7):
        hints = {"letter": r".*\?$", "review": "So "}.get(document.kind)
        for question in document.questions:
            told = "".join(
                sentence + " " for sentence in document.sentences if not (hints and re.match(hints, sentence))
            )
            assert all(text in told for text, _ in question.answers), question
            if about := re.fullmatch(
                r"Who can (?!play)(\w+) (\w+)\?|Who works in the (\w+)\?", question.text
            ):
                verb, product, shop = about.groups()
                assert document.kind != "letter" or not shop or re.search(rf"an? {shop}\b", told), question
                assert shop or re.search(rf"\b{verb[0]}\w* ([a-z]+ )*{product}", told), question
                asked[bool(shop)] += 1
    assert min(asked[True], asked[False]) > 50


def test_every_name_of_the_person_asked_for_is_an_answer(train):
    asked = 0
    for document in train:
        people = {document.text[e.start : e.end] for e in document.entities if e.label == "PER"}
        for question in document.questions:
            right = {text for text, _ in question.answers}
            if right & people:
                asked += 1
                full = [name for name in people if set(name.split()) & right]
                assert right == {part for name in full for part in (name, *name.split())}, question
    assert asked > 500


def test_a_firm_is_an_answer_with_and_without_what_it_calls_itself(train):
    long = [
        [text for text, _ in question.answers]
        for document in train
        for question in document.questions
        if question.answers and question.answers[0][0].endswith("and Partners")
    ]
    assert long and all(answers == [answers[0], answers[0].split()[0]] for answers in long)


def test_questions_without_an_answer_ask_for_many_things_and_name_a_wrong_answer():
    asked, draws = Counter(), WORLD.draws(7, "train", "questions without answers")
    wordings = {re.sub(r"\\{.+?\\}", ".+", re.escape(words)): slot for slot in GAPS for words in ABOUT[slot]}
    for page in WORLD.pages(1500, seed=7):
        if question := find_impossible(page, draws):
            slot = next(slot for wording, slot in wordings.items() if re.fullmatch(wording, question))
            asked[slot] += 1
            told = {TYPE_OF.get(other) for _, other in page.told} | {KIND_OF[t.label] for t in page.mentions}
            assert TYPE_OF[slot] in told, (page.sentences, question)
    assert set(asked) == set(GAPS) and max(asked.values()) < 0.25 * sum(asked.values()), asked


def test_most_facts_come_back_in_another_sentence(train):
    """At least 15% of all but the frequent words can be found only in another sentence of the document."""
    counts = Counter(word.lower() for document in train for word in WORD.findall(document.text))
    frequent = {word for word, _ in counts.most_common(100)}
    found = content = 0
    for document in train:
        sentences = [[word.lower() for word in WORD.findall(sentence)] for sentence in document.sentences]
        for at, sentence in enumerate(sentences):
            elsewhere = {word for other, words in enumerate(sentences) if other != at for word in words}
            for word in sentence:
                content += word not in frequent
                found += word not in frequent and sentence.count(word) == 1 and word in elsewhere
    assert found / content > 0.15


def test_the_halves_of_a_document_share_a_name_more_often_than_two_documents(train):
    def halves(document):
        sentences, middle = document.sentences, len(document.sentences) // 2
        return [
            set(WORD.findall(" ".join(part))) & names for part in (sentences[:middle], sentences[middle:])
        ]

    names = names_in(train)
    pairs = [halves(document) for document in train]
    same = np.mean([bool(first & second) for first, second in pairs])
    other = np.mean([bool(pairs[at][0] & pairs[at - 1][1]) for at in range(len(pairs))])
    assert same > 0.8 and other < 0.5


def test_fresh_draws_avoid_what_is_taken_and_refuse_when_all_is():
    draws = Draws(np.random.Generator(np.random.PCG64(0)))
    assert {draws.fresh(4, {1, 2}) for _ in range(100)} == {0, 3}
    with pytest.raises(ValueError, match="all 2 options are taken"):
        draws.fresh(2, {0, 1})


def test_several_processes_write_the_same_documents(train):
    assert list(WORLD.documents(150, seed=1, workers=2)) == train[:150]
    with pytest.raises(ValueError, match="workers=0 must be at least 1"):
        WORLD.documents(1, seed=0, workers=0)


def test_each_stream_has_its_own_documents(train):
    first, second = (
        [page.sentences for page in WORLD.pages(3, seed=1, stream=stream)] for stream in ("text", "sentiment")
    )
    assert first == [document.sentences for document in train[:3]] and first != second


def test_no_document_uses_a_list_of_templates_more_than_twice_or_one_template_twice():
    with pytest.raises(ValueError, match="3 times"):
        in_parts((say("tell", "A", "birth"),) * 3)
    parts = [
        move.part
        for move in in_parts((say("tell", "A", "birth"), say("meet", "A"), say("tell", "B", "birth")))
    ]
    assert parts == [1, 0, 2]
    assert part_of("abcde", 1) == "ace" and part_of("abcde", 2) == "bd" and part_of("abcde", 0) == "abcde"
