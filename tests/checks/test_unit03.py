"""The checks of unit 03 against their bank: wrong answers fail with their hint, right ones pass, ours are refused."""
import string
import subprocess
import sys
import unicodedata

import numpy as np
import pytest
from banks import load
from banks.unit03 import BANK

from minibert import reference
from minibert.batch import SPECIAL_TOKENS
from minibert.checks import unit03 as check
from minibert.checks import unit03_mend, unit03_text
from minibert.checks.base import CheckFailed
from minibert.reference.encoder import layer_norm, sub
from minibert.tokenizer import BasicTokenizer, WordPiece
from minibert.tokenizer.basic import is_cjk
from minibert.tokenizer.train import alphabet, train_wordpiece

NAMES = tuple(name for name in BANK if name != "my_text")           # a text is no function to be checked
RIGHT = [(name, answer) for name in NAMES for answer in BANK[name].right]
WRONG = [(name, answer) for name in NAMES for answer in BANK[name].wrong]
GIVEN = {"SPECIAL_TOKENS": SPECIAL_TOKENS, "alphabet": alphabet, "layer_norm": layer_norm, "sub": sub, "PAD": 0, "CLS": 2, "SEP": 3,
         "BasicTokenizer": BasicTokenizer, "string": string, "unicodedata": unicodedata, "is_cjk": is_cjk}
STORY = "My grandmother told us stories, and the stories were long. ¡Qué largas! 我们都听着。 Nobody slept 🌙 before the end, " \
        "for the end was always another one than the one that somebody had expected when the story began."


def answer_of(name, source, **earlier):
    """The student's function, in a place where the right earlier answers stand, or those given."""
    place = dict(GIVEN)
    for other in NAMES[:NAMES.index(name)]:
        place[other] = load(BANK[other].right["the solution"], other, **place)
    return load(source, name, **place | earlier)


def solution(name):
    return answer_of(name, BANK[name].right["the solution"])


def message(name, answer, capsys, **options):
    """What the student reads when the check fails: the message, or the hint above her own exception."""
    with pytest.raises(Exception) as failure:
        getattr(check, name)(answer, **options)
    return capsys.readouterr().out + str(failure.value)


@pytest.mark.parametrize("seed, hidden", [(0, False), (1, True), (2, True), (3, True)])
@pytest.mark.parametrize("name, answer", RIGHT, ids=[f"{name}: {answer}" for name, answer in RIGHT])
def test_a_right_answer_passes_on_every_seed(name, answer, seed, hidden):
    getattr(check, name)(answer_of(name, BANK[name].right[answer]), seed=seed, hidden=hidden)


@pytest.mark.parametrize("seed, hidden", [(0, False), (1, True), (2, False)])
@pytest.mark.parametrize("name, answer", WRONG, ids=[f"{name}: {answer}" for name, answer in WRONG])
def test_a_wrong_answer_fails_with_its_hint(name, answer, seed, hidden, capsys):
    source, hint, *_ = BANK[name].wrong[answer]
    assert hint in message(name, answer_of(name, source), capsys, seed=seed, hidden=hidden)


@pytest.mark.parametrize("name", NAMES)
def test_each_exercise_has_enough_answers(name):
    assert len(BANK[name].right) >= 4
    assert len(BANK[name].wrong) >= 8


OURS = {
    "wordpiece_encode": (WordPiece, "[p for p, _, _ in theirs(list(vocab), True, longest).match(word)]"),
    "train_wordpiece": (train_wordpiece, "theirs(counts, vocab_size, score)"),
    "pack_pair": (check.collate, "theirs([(a, b)], None, length=max_length)"),
    "embed": (reference.embeddings, "theirs(input_ids, token_type_ids, weights, eps)"),
    "tokenize": (WordPiece, "theirs(vocab).encode(text).ids"),
}


@pytest.mark.parametrize("name", OURS)
def test_the_packages_own_function_is_refused(name, capsys):
    ours, call = OURS[name]
    source = f"def {name}({', '.join(getattr(check, name).parameters)}):\n    return {call}"
    if name == "wordpiece_encode":
        source = source.replace("longest)", "longest=200)", 1)
    assert "package's own implementation" in message(name, answer_of(name, source, theirs=ours), capsys)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "revealing_words"])
def test_the_reference_of_a_check_is_refused(name, capsys):
    exercise = getattr(check, name)
    signature = ", ".join(exercise.parameters)
    answer = answer_of(name, f"def {name}({signature}):\n    return theirs({signature})", theirs=exercise.reference)
    assert "package's own implementation" in message(name, answer, capsys)


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_is_named_as_not_written_yet(name, capsys):
    signature = ", ".join(getattr(check, name).parameters)
    answer = answer_of(name, f"def {name}({signature}):\n    raise NotImplementedError()")
    assert f"{name}: not written yet" in message(name, answer, capsys)


def test_a_wrong_earlier_answer_does_not_sink_a_right_later_one(capsys):
    always = answer_of("pair_scores", BANK["pair_scores"].wrong["always likelihood"][0])
    check.train_wordpiece(answer_of("train_wordpiece", BANK["train_wordpiece"].right["the solution"], pair_scores=always))
    assert "Checked with our pair_scores" in capsys.readouterr().out


def test_a_wrong_match_does_not_sink_the_whole_tokenizer(capsys):
    seven = answer_of("wordpiece_encode", "def wordpiece_encode(word, vocab, longest=200):\n    return np.full(3, 7.0)")
    check.tokenize(answer_of("tokenize", BANK["tokenize"].right["the solution"], wordpiece_encode=seven))
    assert "Checked with our wordpiece_encode" in capsys.readouterr().out


@pytest.mark.parametrize("seed", range(3))
def test_what_is_lent_for_the_match_equals_the_packages_tokenizer(seed):
    for word, vocab, *longest in check.wordpiece_encode.cases(np.random.default_rng(seed)):
        pieces = [piece for piece, _, _ in WordPiece(list(vocab), True, *longest).match(word)]
        assert check.right_encode(word, vocab, *longest) == pieces


def test_a_hidden_check_shows_neither_inputs_nor_values(capsys):
    source = "def tokenize(text, vocab):\n    return [7, 7, 7]"
    said = message("tokenize", answer_of("tokenize", source), capsys, seed=5, hidden=True)
    assert not any(character.isdigit() for character in said)


def test_hidden_inputs_are_other_inputs():
    for name in NAMES:
        first, second = (getattr(check, name).cases(np.random.default_rng(seed)) for seed in (0, 1))
        assert str(first) != str(second) or name == "revealing_words", name


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", [name for name in NAMES if name != "revealing_words"])
def test_every_known_mistake_shows_on_the_inputs_of_each_seed(name, seed):
    exercise = getattr(check, name)
    cases = exercise.cases(np.random.default_rng(seed))
    for mistake in exercise.mistakes:
        assert any(differs(exercise.reference, mistake.function, case) for case in cases), mistake.hint


def differs(right, wrong, case):
    try:
        return not check.close(wrong(*case), right(*case))
    except Exception:
        return True


def test_every_wrong_tokenizer_is_right_about_a_word_of_the_vocabulary():
    vocab = dict.fromkeys(check.SMALL)
    assert all(wrong("hug", vocab) == ["hug"] for _, wrong in unit03_text.BUGS if wrong is not unit03_text.BUGS[0][1])


@pytest.mark.parametrize("seed", range(5))
def test_a_mended_basic_words_equals_the_packages_words(seed):
    for text, in check.basic_words.cases(np.random.default_rng(seed)):
        assert check.basic_words.reference(text) == [word.text for word in BasicTokenizer().split(text)]


def test_every_sign_of_the_invariants_is_punctuation_that_ascii_lacks():
    assert not set(unit03_mend.SIGNS) & set(string.punctuation)
    assert all(unicodedata.category(sign).startswith("P") for sign in unit03_mend.SIGNS)


def test_a_text_of_her_own_is_read_by_both_tokenizers(capsys):
    check.own_text(lambda: STORY, solution("train_wordpiece"), solution("tokenize"))
    assert "my_text: passed" in capsys.readouterr().out


@pytest.mark.parametrize("text, said", [("short", "your text is 5 characters"), (3, "your text is an int"),
                                        (None, "`return` missing")])
def test_a_text_that_is_none_or_too_short_is_named(text, said):
    with pytest.raises(CheckFailed, match=said):
        check.own_text(lambda: text, solution("train_wordpiece"), solution("tokenize"))


@pytest.mark.parametrize("part", ["train_wordpiece", "tokenize"])
def test_a_text_of_her_own_shows_where_the_tokenizers_differ(part):
    answers = {name: solution(name) for name in ("train_wordpiece", "tokenize")}
    answers[part] = answer_of(part, next(iter(BANK[part].wrong.values()))[0])
    with pytest.raises(CheckFailed, match="differ on your text"):
        check.own_text(lambda: STORY, *answers.values())


def test_a_wrong_match_does_not_sink_her_text(capsys):
    seven = answer_of("wordpiece_encode", "def wordpiece_encode(word, vocab, longest=200):\n    return np.full(3, 7.0)")
    encode = answer_of("tokenize", BANK["tokenize"].right["the solution"], wordpiece_encode=seven)
    check.own_text(lambda: STORY, solution("train_wordpiece"), encode)
    assert "my_text: passed" in capsys.readouterr().out


def test_a_text_not_written_yet_is_named():
    def my_text():
        raise NotImplementedError()
    with pytest.raises(CheckFailed, match="my_text: not written yet"):
        check.own_text(my_text, solution("train_wordpiece"), solution("tokenize"))


def test_a_check_opens_without_pytorch():
    code = "import sys; from minibert.checks import unit03; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
