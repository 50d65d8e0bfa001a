"""The sentences of the generated language: each template fits its topics, and each word of a table points to
one row.
"""

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
NEWS = [news.NEWS_OPEN, news.NEWS_DETAIL, news.NEWS_CAUSE, news.NEWS_THEN, news.NEWS_QUOTE, news.NEWS_END]
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


def test_no_brace_is_left_outside_a_slot():
    for template in ALL:
        assert not re.search(
            r"[{}]", "".join(piece[0] for piece in parse(template) if piece[0] is not None)
        ), template


def test_a_template_is_one_sentence_with_a_stop():
    for template in ALL:
        assert re.fullmatch(r'(["A-Z0-9]|\{).*[.?!]"?', template), template
        assert (
            template.count('"') % 2 == 0 and "  " not in template and not re.search(r"[.?!] [A-Z{]", template)
        ), template


def test_the_subject_stands_once_in_a_template():
    for template in ALL:
        assert sum(slot == "X" for _, slot, _ in slots(template)) <= 1, template


@pytest.mark.parametrize("file", FILES)
def test_no_template_stands_twice_in_a_file(file):
    counts = Counter(
        template for name, templates in pools(FILES[file]).items() if name != "GAME" for template in templates
    )
    assert not [template for template, count in counts.items() if count > 1]


def test_no_pair_of_the_game_stands_twice():
    pairs = Counter(pair for listed in dialogue.GAME.values() for pair in listed)
    assert max(pairs.values()) == 1


def test_articles_in_templates_fit_the_word_that_follows():
    for template in ALL:
        assert not re.search(r"(?<!\{)\b([Aa] [aeiou]|[Aa]n [^aeiouh]|[Aa]n? \{(?!sort|kind))", template), (
            template
        )


def test_templates_hold_no_name_or_month_of_their_own():
    """A capital inside a sentence would be a name without its label; only "I" may stand there."""
    for name, templates in POOLS:
        for template in templates:
            inside = re.findall(r"(?<=[a-z,;] )[A-Z]\w*", re.sub(r"\{[^}]*\}", "x", template))
            assert set(inside) <= {"I"}, (name, template)


def test_most_hints_repeat_two_facts_or_more():
    """A hint is dense when it holds two slots that another sentence or a table decides (names of people
    included).
    """
    hints = [strings(pool) for pool in (lives.AGAIN, stories.LETTER_AGAIN)]
    decided = [
        sum(slot not in PRONOUNS | {"number", "dream"} for _, slot, _ in slots(hint))
        for hint in sum(hints, [])
    ]
    assert sum(count >= 2 for count in decided) / len(decided) > 0.9
    assert sum(count >= 3 for count in decided) / len(decided) > 0.5


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


def test_every_column_of_a_table_is_used_by_several_hints():
    used = Counter(
        slot
        for templates in (lives.AGAIN, stories.LETTER_AGAIN, stories.DAY, towns.FIRM_AGAIN)
        for template in strings(templates)
        for _, slot, _ in slots(template)
    )
    for column in ("bits", "handles", "food", "den", "tune"):
        assert used[column] >= 3, column
    assert used["young"] >= 2


def test_all_steps_of_the_news_know_the_same_events():
    for pool in NEWS:
        assert set(pool) == set(news.NEWS_OPEN)
        assert all(4 <= len(templates) <= 6 for templates in pool.values())


def test_the_witness_is_introduced_by_a_quotation():
    for templates in news.NEWS_QUOTE.values():
        for template in templates:
            assert (
                "{N}" in template
                and template.count('"') == 2
                and re.search(r"\{a trade\}|\{makes\}", template)
            ), template
    for pool in NEWS[:4]:
        assert not [
            template for template in strings(pool) if any(owner == "X" for owner, _, _ in slots(template))
        ]


def test_most_sentences_of_an_event_repeat_a_word_of_another_step():
    """Three sentences in four hold a word that another step of the event has and hardly any other event."""
    words = {
        event: [set(WORD.findall(" ".join(pool[event]).lower())) for pool in NEWS] for event in news.NEWS_OPEN
    }
    spread = Counter(word for steps in words.values() for word in set().union(*steps))
    for event, steps in words.items():
        counts = Counter(word for step in steps for word in step)
        own = {word for word, count in counts.items() if count > 1 and spread[word] <= 3} - PERSON - PLACE
        told = [bool(own & set(WORD.findall(template.lower()))) for pool in NEWS for template in pool[event]]
        assert sum(told) / len(told) > 0.75, (event, sorted(own))


def test_reviews_hold_each_aspect_in_both_polarities():
    assert set(reviews.REVIEW_CAUSE) == {
        (good, aspect) for good in reviews.POLARITIES for aspect in reviews.ASPECTS
    }
    assert set(reviews.REVIEW_MORE) == set(reviews.REVIEW_END) == set(reviews.POLARITIES)
    assert all(len(templates) >= 5 for templates in reviews.REVIEW_CAUSE.values())


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


def test_every_sense_is_followed_by_three_sentences_without_its_word():
    assert set(senses.FOLLOW) == {
        (word, sense) for word, meanings in senses.SENSES.items() for sense in meanings
    }
    for (word, _), templates in senses.FOLLOW.items():
        assert len(templates) >= 3
        assert not [
            template for template in templates if {word, word + "s"} & set(WORD.findall(template.lower()))
        ]


def test_both_numbers_of_the_words_with_senses_occur():
    found = set(WORD.findall(" ".join(strings(senses.SENSES)).lower()))
    assert (
        sum(word + "s" in found or word + "es" in found for word in senses.SENSES) / len(senses.SENSES) > 0.8
    )
