"""The hand-written passages: correctly marked and asked about, and refused with a line and a rule if not."""

import json
import re
from collections import Counter

import pytest

from minibert.course.texts.passages import LABELS, passages, read_passages
from minibert.generated import to_conll, to_squad2
from minibert.readers.conll import read_conll
from minibert.readers.squad import iter_squad
from minibert.readers.tabular import as_list
from minibert.readers.utf8_text import CorpusError
from minibert.tasks.entity_score import entities

read_squad = as_list(iter_squad)

PASSAGES = passages()
QUESTIONS = [question for document in PASSAGES for question in document.questions]
ASKS = re.compile(r"\b(who|whose|whom|what|which|when|where|why|how many|how)\b", re.IGNORECASE)
UNMARKED = set(
    """I Mr Mrs Dr King Duke Captain Danish Russian Austrian Moroccan Zealanders Norse English Cherokee
    Olympic Christmas Middle Ages Bayeux Tapestry Voyager Blue Annie Annies Little Heron Beatrice Tray
    Line Tuba Hive""".split()
)

SMALL = """A header, which may hold [marks|ODD] and "# " in a line.
# Two boats
Old [Mara Iwu|PER] built the boat of [Teo|PER].
Then [Iwu|PER] sold a boat in [May 1950|DATE].
? Who made Teo's vessel?
= Mara Iwu
= Iwu #2
? What did she sell?
= boat #2
? When did Teo sell his?
= -
"""


def source(tmp_path, text):
    path = tmp_path / "small.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_no_mark_of_the_source_is_left_in_a_text():
    for document in PASSAGES:
        for text in [document.title, document.text, *(question.text for question in document.questions)]:
            assert not re.search(r"[][|#=<>_*`\\]|  |^\s|\s$", text), text
            # accents in names, no typographic signs
            assert all(letter.isascii() or letter.isalpha() for letter in text), text


def test_answers_stand_as_whole_words_where_they_should():
    for document in PASSAGES:
        for question in document.questions:
            assert bool(question.answers) != question.impossible
            for answer, start in question.answers:
                assert document.text[start : start + len(answer)] == answer
                assert re.search(rf"\b{re.escape(answer)}$", document.text[: start + len(answer)])
                assert 1 <= len(answer.split()) <= 8, answer


def test_names_are_marked_in_reading_order_with_known_labels():
    for document in PASSAGES:
        ends = [0, *(entity.end for entity in document.entities)]
        assert all(
            end <= entity.start < entity.end for end, entity in zip(ends, document.entities, strict=False)
        )
        assert {entity.label for entity in document.entities} <= set(LABELS)
    assert {entity.label for document in PASSAGES for entity in document.entities} == set(LABELS)


def test_the_text_of_an_entity_is_the_marked_text(tmp_path):
    (document,) = read_passages(source(tmp_path, SMALL))
    names = [(document.text[entity.start : entity.end], entity.label) for entity in document.entities]
    assert names == [("Mara Iwu", "PER"), ("Teo", "PER"), ("Iwu", "PER"), ("May 1950", "DATE")]


def test_a_name_is_marked_wherever_it_stands():
    for document in PASSAGES:
        inside = {at for entity in document.entities for at in range(entity.start, entity.end)}
        for name in {document.text[entity.start : entity.end] for entity in document.entities}:
            for match in re.finditer(rf"\b{re.escape(name)}\b", document.text):
                assert match.start() in inside, (document.title, name)


def test_a_part_of_a_person_s_name_is_marked_too():
    for document in PASSAGES:
        inside = {at for entity in document.entities for at in range(entity.start, entity.end)}
        names = {
            document.text[entity.start : entity.end] for entity in document.entities if entity.label == "PER"
        }
        for word in {word for name in names for word in name.split() if word[0].isupper()}:
            for match in re.finditer(rf"\b{re.escape(word)}\b", document.text):
                assert match.start() in inside, (document.title, word)


def test_capitals_and_years_within_a_sentence_are_marked_unless_the_header_leaves_them_out():
    for document in PASSAGES:
        inside = {at for entity in document.entities for at in range(entity.start, entity.end)}
        begins = {at for match in re.finditer(r'(?:^|[.?!:]"? )"?', document.text) for at in [match.end()]}
        for match in re.finditer(r"\b(?:[^\W\d_a-zà-ÿ]\w*|\d{4})\b", document.text):
            if match.start() not in inside | begins:
                assert match.group() in UNMARKED, (
                    document.title,
                    document.text[match.start() - 30 : match.end() + 30],
                )


def test_a_small_source_is_read_with_its_places(tmp_path):
    (document,) = read_passages(source(tmp_path, SMALL))
    assert document.title == "Two boats"
    assert document.text == "Old Mara Iwu built the boat of Teo. Then Iwu sold a boat in May 1950."
    assert [question.answers for question in document.questions] == [
        [("Mara Iwu", 4), ("Iwu", 41)],
        [("boat", 52)],
        [],
    ]
    assert [question.impossible for question in document.questions] == [False, False, True]


@pytest.mark.parametrize(
    "old, new, line, rule",
    [
        ("[Teo|PER]", "[Teo|PER", 3, r"a mark is not closed or does not have the form \[name\|LABEL\]"),
        ("[Teo|PER]", "[Teo]", 3, "a mark is not closed"),
        ("[Teo|PER]", "Teo|PER", 3, "a mark is not closed"),
        ("[Teo|PER]", "[Teo|PERSON]", 3, "label 'PERSON' of 'Teo' must be one of PER, LOC, ORG, DATE"),
        ("[Teo|PER]", "[Teo|PER]s", 3, r"the mark '\[Teo\|PER\]' must begin and end with a whole word"),
        ("[Teo|PER]", "Mc[Teo|PER]", 3, "must begin and end with a whole word"),
        ("[Teo|PER]", "[ Teo|PER]", 3, "must begin and end with a whole word"),
        ("[Teo|PER]", "[|PER]", 3, "must begin and end with a whole word"),
        ("= Mara Iwu", "= Mara Ivu", 6, "the answer 'Mara Ivu' is not in the passage"),
        ("= Mara Iwu", "= ara Iwu", 6, "the answer 'ara Iwu' is not in the passage"),
        (
            "= boat #2",
            "= boat",
            9,
            "the answer 'boat' occurs 2 times in the passage; choose one by its number, as in '= boat #2'",
        ),
        (
            "= boat #2",
            "= boat #3",
            9,
            r"there is no occurrence #3 of the answer 'boat'; the passage contains it 2 times",
        ),
        ("= boat #2", "= boat #0", 9, "there is no occurrence #0 of the answer 'boat'"),
        ("= -\n", "", 10, r"the question 'When did Teo sell his\?' has no answer"),
        ("= -\n", "= -\n= Teo\n", 10, "has both an answer and '= -'"),
        ("= -\n", "= -\nTeo slept.\n", 12, "'Teo slept.' is in the wrong place"),
        ("Old [", "= Mara\nOld [", 3, "'= Mara' is in the wrong place"),
        ("Old [", "?Who\nOld [", 3, r"'\?Who' is in the wrong place"),
        ("# Two boats", "# Empty\n# Two boats", 2, "the passage 'Empty' has no sentence"),
    ],
)
def test_a_broken_source_is_refused_with_its_line(tmp_path, old, new, line, rule):
    path = source(tmp_path, SMALL.replace(old, new, 1))
    with pytest.raises(CorpusError, match=f"small.txt:{line}: .*{rule}"):
        read_passages(path)


def test_a_source_without_a_title_is_refused(tmp_path):
    with pytest.raises(CorpusError, match="small.txt: no line starts a passage"):
        read_passages(source(tmp_path, "Only a sentence.\n"))


def test_squad_2_comes_back_from_its_file_with_every_question(tmp_path):
    path = tmp_path / "passages.json"
    path.write_text(json.dumps(to_squad2(PASSAGES, "passage")), encoding="utf-8")
    assert json.loads(path.read_text(encoding="utf-8"))["version"] == "v2.0"
    examples = read_squad(path)
    assert [
        (example.title, example.context, example.question, example.answers, example.impossible)
        for example in examples
    ] == [
        (document.title, document.text, question.text, question.answers, question.impossible)
        for document in PASSAGES
        for question in document.questions
    ]
    assert examples[0].id == "passage-000000-0"


def test_conll_comes_back_from_its_file_with_every_sentence_and_name(tmp_path):
    path = tmp_path / "passages.conll"
    path.write_text(to_conll(PASSAGES), encoding="utf-8")
    read = read_conll(path)
    assert [re.sub(r"\s", "", sentence) for document in PASSAGES for sentence in document.sentences] == [
        "".join(sentence.words) for sentence in read
    ]
    found = Counter(
        (label, "".join(sentence.words[first : last + 1]))
        for sentence in read
        for label, first, last in entities(sentence.tags)
    )
    assert found == Counter(
        (entity.label, re.sub(r"\s", "", document.text[entity.start : entity.end]))
        for document in PASSAGES
        for entity in document.entities
    )
