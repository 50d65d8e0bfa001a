"""The views of lesson 3: a student's functions inside the English model, and claims that the lesson makes."""

import numpy as np
import pytest

from minibert import load
from minibert.course.texts.passages import passages
from minibert.course.unit03 import views
from minibert.course.unit03.views.languages import ALIKE, ONE, SENTENCES, WEB, mixed
from minibert.course.unit03.views.reading import CASES, our_longest, split, split_by
from minibert.course.unit03.views.sequences import (
    batched,
    by_package,
    changed,
    fill,
    gapped,
    our_add_up,
    our_pack,
    tables,
    tokens_of,
    top_words,
)
from minibert.course.unit03.views.training import SCORED, held_out, in_order, tokens_per_word, trained
from minibert.tokenizer import WordPiece

pytestmark = pytest.mark.usefixtures("english_encoder")
TEXTS = "She picked up the [MASK].", "It was ringing."


def cosines(a, b):
    return (a * b).sum(-1) / np.linalg.norm(a, axis=-1) / np.linalg.norm(b, axis=-1)


def unwritten(*_):
    """Return something.

    >>> unwritten()
    1
    """


def wrong(a, b):
    """Return the sum.

    >>> wrong(1, 1)
    2
    >>> wrong(1, 2)
    3
    """
    return 2 * a


def longest(text, vocab):
    """Return the longest beginning of a text.

    >>> longest("##abc", {"a", "##ab"})
    '##ab'
    """
    return our_longest(text, vocab)


def test_the_model_on_three_functions_is_the_model():
    tokens, segments = our_pack(*map(tokens_of, TEXTS))
    ids = [load("english").tokenizer.ids[token] for token in tokens]
    found = top_words(fill(our_add_up(ids, segments, *tables()), tokens.index("[MASK]")))
    assert dict(found) == pytest.approx(dict(by_package(*TEXTS)), abs=1e-4) and found[0][0] == "phone"


def test_one_text_is_filled_as_fill_mask_does():
    expected = load("english").fill_mask(TEXTS[0])[0]
    assert dict(by_package(TEXTS[0], "")) == pytest.approx(dict(expected), abs=1e-4)


def test_functions_that_are_not_written_are_lent_and_this_is_said():
    lent = views.with_mine(unwritten, wrong, unwritten).view.value
    assert "Tokens: the course's <code>unwritten</code>, because yours is not written yet." in lent
    assert "Sequence: the course's <code>wrong</code>, because yours is wrong on 1 of 2 examples." in lent
    assert "The package" not in lent and "run this cell again" in lent
    one = views.with_mine(longest, unwritten, unwritten).view.value
    assert "Tokens: your <code>longest</code>." in one and "The package" in one
    assert "Your <code>longest</code> computes this" in views.cut(longest).view.value


def test_the_step_that_is_repeated_splits_like_the_package():
    words = [word for word in held_out() if word.isalpha()] + ["#", "ø", "cat🐈", "##", "a" * 30]
    assert all(split_by(our_longest, word) == split(word) for word in words)


def test_a_word_is_unknown_if_only_the_marks_fit():
    assert split_by(our_longest, "a🐈") == ["[UNK]"] and "#" in load("english").tokenizer.ids


def test_the_guesses_hold_in_the_english_model():
    assert views.guess_mothership().answer() == "mothers ##hip"
    assert views.guess_emoji().answer() == "Nothing at all"
    assert views.guess_language().answer() == "Russian"
    assert views.guess_ratio().answer() == "o + ##x"
    assert views.guess_change().answer() == "everything is in segment B"
    A, B = tables()[2]
    assert cosines(A, B) == pytest.approx(0.86, abs=0.005)
    used = max(len(gapped(" ".join(passage.sentences[:2]), 512)[0]) for passage in passages())
    place = tables()[1]
    assert cosines(place[:used], place[100 : 100 + used]).mean() == pytest.approx(0.35, abs=0.005)
    trained_, in_b, moved, at_0 = changed()[0].values()
    assert abs(in_b - trained_) < 0.05 and moved < trained_ - 0.05 and at_0 < 0.02


def test_the_hard_cases_are_as_the_table_says():
    tokenizer = load("english").tokenizer
    words = {text: [word.text for word in tokenizer.basic.split(text)] for text in CASES}
    assert (
        words["schon schön"] == ["schon", "schon"] and words["чай"] == ["чаи"] and words["cat🐈"] == ["cat🐈"]
    )
    assert len(words["हिन्दी"][0]) == 5 and len(words["한국"][0]) == 6 and len(words["我爱猫"]) == 3
    assert tokenizer.encode("我爱猫").pieces.count("[UNK]") == 2
    assert words["$3.50"] == ["$", "3", ".", "50"] and tokenizer.encode("cat🐈").pieces == ["[UNK]"]


def test_the_ratio_makes_a_vocabulary_that_needs_more_tokens():
    needed = {
        name: tokens_per_word(WordPiece(trained(name, SCORED)[0])) for name in ("frequency", "gain", "ratio")
    }
    assert needed["frequency"] < needed["gain"] < 1.05 * needed["frequency"] < needed["ratio"]
    assert round(needed["ratio"], 2) == 3.27
    assert round(tokens_per_word(WordPiece(trained()[0][:100])), 2) == 3.17
    vocab, rules = trained("ratio", SCORED)
    assert "1865" in vocab[len(vocab) - len(rules) :][:3]


def test_rules_in_order_and_greedy_matching_can_differ():
    greedy = [piece for piece, _, _ in WordPiece(trained()[0]).match("years")]
    assert greedy == ["year", "##s"] and in_order("years") == ["y", "##ears"]


def test_more_text_makes_fewer_tokens_but_in_chinese():
    for language, text in SENTENCES.items():
        web, alike = (len(mixed(mix).encode(text).ids) for mix in (WEB, ALIKE))
        less = {"English": web < alike, "Finnish": web > alike, "Chinese": web == alike}
        assert less.get(language, True), (language, web, alike)
    assert mixed(ONE).encode(SENTENCES["Chinese"]).pieces.count("[UNK]") > 50


def test_a_batch_is_as_long_as_its_longest_sentence():
    assert batched(np.array([1, 3, 2]), 2).tolist() == [[1, 0, 0], [1, 1, 1], [1, 1, -1]]


def test_the_longer_text_is_truncated_first():
    view = views.sequence(unwritten)
    view.controls["length"].value = 10
    assert "10 tokens, and 0 [PAD] to fill 10 places." in view.view.value
    assert "the first text loses <s>cat .</s>, the second text loses <s>a tree .</s>" in view.view.value
    view.controls["length"].value = 18
    assert "15 tokens, and 3 [PAD]" in view.view.value and "Truncated" not in view.view.value


def test_the_seven_words_show_the_result_of_the_last_merge():
    view = views.merges()
    view.controls["step"].value = 4
    assert "Next: merge 4, b + ##ook. Made so far (3): ##oo, ##ook, cook" in view.view.value
    view.controls["step"].value = view.controls["step"].max
    assert "Made so far (11)" in view.view.value and "together" not in view.view.value


def test_a_position_outside_the_sequence_is_refused():
    view = views.embedding()
    view.controls["place"].value = 50
    assert "choose a position up to 14" in view.view.value
