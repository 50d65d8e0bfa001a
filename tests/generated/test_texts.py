"""Sentences of the generated language: templates fit their topics, a table's words point to one row."""

import re
from collections import Counter, defaultdict

import pytest

from minibert.generated.sentences import dialogue, lives, news, reviews, senses, stories, towns
from minibert.generated.sentences.facts import (
    ANIMALS,
    BUILDINGS,
    INSTRUMENTS,
    MONTHS,
    NUMBERS,
    OBJECTS,
    SPOTS,
    TRADES,
    WEEKDAYS,
    Animal,
    Instrument,
    Trade,
)
from minibert.generated.writer.grammar import parse

PRONOUNS = {"he", "him", "his"}
LIFE = set("birthplace born home moved firm joined met number dream pet name X".split())
PERSON = {*Trade._fields, *Animal._fields, *Instrument._fields} | LIFE | PRONOUNS
PLACE = set("sort river near side building built animal fair number name X".split()) | PRONOUNS
FIRM = (
    set("founder founded oldseat seat shifted head since rival kind name X".split())
    | set(Trade._fields)
    | PRONOUNS
)
TOPICS = {  # letter -> its slots; X is a person unless the pool says otherwise
    "X": PERSON,
    "Y": PERSON,
    "D": set("day object decoy spot nospot finder".split()),
    "L": {"reader", "writer"},
    "T": PLACE,
    "E": {"day", "count"},
    "V": {"name", "sort", "town"},
}
FILES = {
    "lives": lives,
    "towns": towns,
    "stories": stories,
    "dialogue": dialogue,
    "news": news,
    "reviews": reviews,
    "senses": senses,
}
TABLES = [TRADES, ANIMALS, INSTRUMENTS]
WORD = re.compile(r"[a-z]+")


def strings(pool):
    """All templates of a pool, however deep its lists and tuples; the keys of a dict are no templates."""
    if isinstance(pool, str):
        return [pool]
    return [
        template for part in (pool.values() if isinstance(pool, dict) else pool) for template in strings(part)
    ]


def pools(module):
    """The template pools of a module by name: its capitalised constants, without the lists of mere words."""
    named = {name: strings(value) for name, value in vars(module).items() if name.isupper()}
    return {name: templates for name, templates in named.items() if any(" " in text for text in templates)}


POOLS = [
    (f"{file}.{name}", templates)
    for file, module in FILES.items()
    for name, templates in pools(module).items()
]
ALL = [template for _, templates in POOLS for template in templates]


def slots(template):
    """(owner, slot, possessive) of every slot."""
    return [
        (element.letter, element.slot or ("X" if element.subject else "name"), element.possessive)
        for element in parse(template)
        if element.text is None
    ]


@pytest.mark.parametrize("name, templates", POOLS, ids=[name for name, _ in POOLS])
def test_every_slot_is_known_for_its_topic(name, templates):
    kind = name.split(".")[1].split("_")[0]
    subject = {"PLACE": PLACE, "FIRM": FIRM}.get(kind, PERSON)
    for template in templates:
        for owner, slot, _ in slots(template):
            assert slot in (subject if owner == "X" else TOPICS[owner]), (template, owner, slot)


def test_the_subject_stands_once_in_a_template():
    for template in ALL:
        assert sum(slot == "X" for _, slot, _ in slots(template)) <= 1, template


@pytest.mark.parametrize("file", FILES)
def test_no_template_stands_twice_in_a_file(file):
    counts = Counter(
        template for name, templates in pools(FILES[file]).items() if name != "GAME" for template in templates
    )
    assert not [template for template, count in counts.items() if count > 1]


def test_templates_hold_no_name_or_month_of_their_own():
    """A capital inside a sentence would be a name without its label; only "I" may stand there."""
    for name, templates in POOLS:
        for template in templates:
            inside = re.findall(r"(?<=[a-z,;] )[A-Z]\w*", re.sub(r"\{[^}]*\}", "x", template))
            assert set(inside) <= {"I"}, (name, template)


@pytest.mark.parametrize("table", TABLES, ids=["trades", "animals", "instruments"])
def test_a_column_names_no_value_twice(table):
    for column in table[0]._fields:
        values = [getattr(row, column) for row in table]
        assert len(set(values)) == len(values), column
        assert all(values)


def test_no_value_stands_in_two_rows():
    rows = defaultdict(set)
    for table in TABLES:
        for row in table:
            for value in row:
                rows[value].add(row[0])
    for place, words in {
        "object": OBJECTS,
        "spot": SPOTS,
        "month": MONTHS,
        "day": WEEKDAYS,
        "building": BUILDINGS,
        "number": NUMBERS,
    }.items():
        for word in words:
            rows[word].add(place)
    assert not {value: found for value, found in rows.items() if len(found) > 1}


def test_words_with_several_senses_stand_in_no_table():
    values = {value for table in TABLES for row in table for value in row} | {*OBJECTS, *BUILDINGS}
    assert not {form for word in senses.SENSES for form in (word, word + "s")} & values


@pytest.mark.parametrize("word", ["good", "bad", "not", "nothing", "never", "better", "best", "warm", "cold"])
def test_no_single_word_decides_the_polarity(word):
    counts = Counter()
    for (polarity, _), templates in reviews.REVIEW_CAUSE.items():
        counts[polarity] += sum(word in WORD.findall(template.lower()) for template in templates)
    for polarity in reviews.POLARITIES:
        more = reviews.REVIEW_MORE[polarity] + reviews.REVIEW_END[polarity]
        counts[polarity] += sum(word in WORD.findall(template.lower()) for template in more)
    assert min(counts[polarity] for polarity in reviews.POLARITIES) > 0, counts


def test_a_sentence_of_a_sense_uses_its_word_once_and_no_other_such_word():
    forms = {form: word for word in senses.SENSES for form in (word, word + "s", word + "es")}
    for word, meanings in senses.SENSES.items():
        assert len(meanings) >= 2
        for templates in meanings.values():
            assert len(templates) >= 5
            for template in templates:
                assert [forms[found] for found in WORD.findall(template.lower()) if found in forms] == [
                    word
                ], template
