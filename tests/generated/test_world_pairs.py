"""Pairs of questions and of sentences: labels agree with a second reading, and words tell few of them."""

import re
from collections import Counter

import numpy as np
import pytest

from minibert.generated import World
from minibert.generated.labels.paraphrase import (
    joined,
    question_pairs,
    sentence_pairs,
)
from minibert.generated.labels.similarity import overlap, similarity_pairs
from minibert.generated.sentences.wordings import BETWEEN, NEAR, QUESTIONS, SENTENCES, WHO

WORLD = World(seed=0)
WORD = re.compile(r"\w+")
LISTS = [
    (sort, key, wordings)
    for pool in (SENTENCES, QUESTIONS)
    for sort, facts in pool.items()
    for key, wordings in facts.items()
]
OPEN = re.compile(r"[{}]|  |\ba [aeiou]|\ban [^aeiou]")


@pytest.fixture(scope="session")
def qqp():
    return list(question_pairs(WORLD, 3000, seed=1, split="train"))


@pytest.fixture(scope="session")
def mrpc():
    return list(sentence_pairs(WORLD, 3000, seed=1, split="train"))


@pytest.fixture
def pairs(request):
    """The pairs of the fixture that a test names."""
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="session")
def stsb():
    return list(similarity_pairs(WORLD, 3000, seed=1, split="train"))


def words(text):
    return set(WORD.findall(text.lower()))


def values(text):
    """Names, numbers and nothing else: what another wording of the same meaning must keep."""
    return Counter(
        word
        for at, word in enumerate(WORD.findall(text))
        if word[0].isdigit() or word[0].isupper() and word not in {"In", "Since", "By", "The", "It", "Every"}
    )


def best_threshold(scores, labels):
    """The accuracy of the best rule "1 above (or below) a threshold"."""
    order = np.argsort(scores)
    right = np.cumsum(2 * np.array(labels)[order] - 1)
    return max(abs(right).max() / len(labels) + 0.5, 0.5)


@pytest.mark.parametrize("pairs", ["qqp", "mrpc"], indirect=True)
def test_half_of_the_pairs_mean_the_same(pairs):
    assert abs(np.mean([pair.same for pair in pairs]) - 0.5) < 0.02
    assert {pair.same for pair in pairs} == {0, 1}


@pytest.mark.parametrize("pairs", ["qqp", "mrpc", "stsb"], indirect=True)
def test_texts_are_whole_sentences_without_open_slots(pairs):
    for pair in pairs:
        for text in (pair.first, pair.second):
            assert re.fullmatch(r"[A-Z].*[.?]", text) and not OPEN.search(text), text


@pytest.mark.parametrize("pairs", ["qqp", "mrpc"], indirect=True)
def test_pairs_of_one_meaning_show_the_same_names_in_other_words(pairs, mrpc):
    for pair in pairs:
        if pair.same:
            assert pair.first != pair.second
            if pairs is mrpc:
                assert values(pair.first) == values(pair.second), pair


def test_pairs_of_another_meaning_are_never_the_same_text(qqp, mrpc):
    assert not [pair for pair in qqp + mrpc if not pair.same and pair.first == pair.second]


def test_who_does_what_decides_in_questions_between_two(qqp):
    for pair in qqp:
        older = [
            re.fullmatch(r"(?:Is|Was) (\w+) (older than|born before|younger than|born after) (\w+)\?", text)
            for text in (pair.first, pair.second)
        ]
        if all(older):
            elder = [match[1] if match[2] in ("older than", "born before") else match[3] for match in older]
            assert pair.same == (elder[0] == elder[1]), pair


def test_who_plays_what_decides_in_sentences_about_two(mrpc):
    seen = Counter()
    for pair in mrpc:
        plays = [
            set(re.findall(r"(\w+) (?:plays|makes music on) the (\w+)", text))
            | {(name, what) for name, what in re.findall(r"(\w+)'s instrument is the (\w+)", text)}
            | {(name, what) for name, what in re.findall(r"instrument that (\w+) plays is the (\w+)", text)}
            for text in (pair.first, pair.second)
        ]
        if plays[0]:
            assert pair.same == (plays[0] == plays[1]), pair
            seen[pair.same] += 1
    assert min(seen[0], seen[1]) > 50


def test_of_the_differing_sentences_some_have_the_same_names_and_numbers_and_more_differ_in_several(mrpc):
    differing = [(values(pair.first), values(pair.second)) for pair in mrpc if not pair.same]
    assert 0.2 < np.mean([first == second for first, second in differing]) < 0.4
    assert 0.3 < np.mean([sum((first - second).values()) > 1 for first, second in differing]) < 0.5


def test_word_overlap_hardly_tells_the_label_of_questions(qqp):
    assert (
        best_threshold([overlap(pair.first, pair.second) for pair in qqp], [pair.same for pair in qqp]) < 0.64
    )


def test_word_overlap_tells_another_fact_and_hardly_the_rest(mrpc):
    near = [
        pair for pair in mrpc if pair.same or sum((values(pair.first) - values(pair.second)).values()) < 2
    ]
    for pairs, low, high in ((mrpc, 0.65, 0.85), (near, 0.5, 0.8)):
        score = best_threshold(
            [overlap(pair.first, pair.second) for pair in pairs], [pair.same for pair in pairs]
        )
        assert low < score < high, score


def test_all_six_grades_are_equally_frequent(stsb):
    counts = Counter(int(pair.score) for pair in stsb)
    assert set(counts) == set(range(6))
    assert all(abs(count / len(stsb) - 1 / 6) < 0.02 for count in counts.values())


def test_grades_agree_with_the_words_that_are_shared(stsb):
    for pair in stsb:
        first, second = values(pair.first), values(pair.second)
        if pair.score == 5:
            assert sorted(WORD.findall(pair.first.lower())) == sorted(WORD.findall(pair.second.lower())), pair
        elif pair.score > 4:
            assert first == second and pair.first != pair.second
            assert pair.score == pytest.approx(4 + overlap(pair.first, pair.second), abs=0.051)
        elif pair.score >= 2:
            assert first & second and pair.first != pair.second, pair
        else:
            assert not first & second, pair


def test_a_detail_differs_at_grade_three_and_the_fact_at_grade_two(stsb):
    for pair in stsb:
        plays = [
            "instrument" in text or "plays" in text or "music" in text for text in (pair.first, pair.second)
        ]
        if pair.score == 3:
            assert plays[0] == plays[1], pair
        if pair.score == 2:
            assert not all(plays), pair


def test_neither_sentence_alone_tells_the_score(stsb):
    for text in ("first", "second"):
        lengths = [len(getattr(pair, text)) for pair in stsb]
        assert abs(np.corrcoef(lengths, [pair.score for pair in stsb])[0, 1]) < 0.1


@pytest.mark.parametrize("sort, key, wordings", LISTS)
def test_wordings_of_one_meaning_show_the_same_slots(sort, key, wordings):
    slots = {tuple(sorted(re.findall(r"V\.(\w+)", wording))) for wording in wordings}
    assert len(slots) == 1 and len(set(wordings)) == len(wordings) > 2


def test_wordings_between_two_name_both():
    assert all(
        {"N", "O"} <= set(re.findall(r"\{(\w)[}']", wording))
        for wordings in BETWEEN.values()
        for wording in wordings
    )
    assert all(len(set(re.findall(r"V\.\w+", " ".join(wordings)))) == 1 for wordings in WHO.values())


def test_what_sounds_like_a_question_is_another_question():
    for asked in QUESTIONS.values():
        for key in asked:
            assert NEAR[key] and key not in NEAR[key] and set(NEAR[key]) <= set(asked)


def test_only_names_keep_their_capital_inside_a_sentence():
    page = next(WORLD.pages(1, 0, "train", "test"))
    person = next(topic for topic in page.cast.values() if topic.sort.name == "person")
    text = joined(
        [("By trade {N} is {a V.trade}.", person, person), ("{N} works.", person, person)][::-1], "; "
    )
    assert text.startswith(f"{person.short} works; by trade {person.short} is a")
