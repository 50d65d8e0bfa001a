"""Columns of words and tags, IOB1, BIO2 or plain, documents, and files that are refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minibert.readers.conll import Sentence, read_conll, to_bio2
from minibert.readers.utf8_text import CorpusError

TAGS = st.lists(st.sampled_from(["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]), max_size=12)


def written(tmp_path, text):
    path = tmp_path / "train.conll"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_sentences_know_their_words_tags_first_line_and_document(tmp_path):
    path = written(tmp_path, "-DOCSTART- O\n\nAda B-PER\nsang O\n\n\n-DOCSTART- O\n\nin O\nRome B-LOC")
    assert read_conll(path) == [
        Sentence(["Ada", "sang"], ["B-PER", "O"], 3, 1),
        Sentence(["in", "Rome"], ["O", "B-LOC"], 9, 2),
    ]


def test_a_document_s_mark_ends_a_sentence_also_without_a_blank_line(tmp_path):
    found = read_conll(written(tmp_path, "it O\nsnows O\n-DOCSTART- -X-\nin O\nRome B-LOC\n\nAda B-PER\n"))
    assert [(s.words, s.document) for s in found] == [
        (["it", "snows"], None),
        (["in", "Rome"], 1),
        (["Ada"], 1),
    ]


COLUMNS = "U.N. NNP I-NP I-ORG\nofficial NN I-NP O\nEkeus NNP B-NP I-PER\nheads VBZ I-VP O\n"


@pytest.mark.parametrize(
    "options, expected",
    [
        ({}, "B-ORG O B-PER O"),
        ({"column": 4}, "B-ORG O B-PER O"),
        ({"column": 3}, "B-NP I-NP B-NP B-VP"),
        ({"column": 2, "plain": True}, "NNP NN NNP VBZ"),
        ({"plain": True}, "I-ORG O I-PER O"),
    ],
)
def test_any_column_may_hold_the_tag(tmp_path, options, expected):
    (sentence,) = read_conll(written(tmp_path, COLUMNS), **options)
    assert sentence.words == ["U.N.", "official", "Ekeus", "heads"] and sentence.tags == expected.split()


@pytest.mark.parametrize(
    "text, column, message",
    [
        (COLUMNS, 5, r"train\.conll:1: 4 columns, but the tag should be in column 5$"),
        (COLUMNS, 2, r"train\.conll:1: tag 'NNP' is not O, B-TYPE or I-TYPE$"),
        ("Ada\tO\tx\nsang\t\tx\n", 2, r"train\.conll:2: column 2 is empty, but must contain a tag$"),
        (COLUMNS, 1, "^column=1 must be at least 2, because column 1 contains the word$"),
    ],
)
def test_a_column_that_holds_no_tag_is_named(tmp_path, text, column, message):
    with pytest.raises(ValueError, match=message):
        read_conll(written(tmp_path, text), column=column)


def test_without_labels_the_tag_s_column_may_be_absent(tmp_path):
    assert read_conll(written(tmp_path, "Ada\nsang\n"), labelled=False, column=4)[0].tags == ["O", "O"]


@pytest.mark.parametrize(
    "text",
    [
        "Ada NNP I-NP I-PER\nsang VBD I-VP O\n",
        "Ada\tI-PER\nsang\tO\n",
        "Ada   I-PER \nsang O\n",
        "Ada I-PER\r\nsang O\r\n",
        "\ufeffAda B-PER\nsang O\n",
        "-DOCSTART- -X- O O\nAda B-PER\nsang O\n",
        "-DOCSTART-\n\nAda B-PER\nsang O\n",
    ],
)
def test_columns_separators_and_line_ends_may_differ(tmp_path, text):
    (sentence,) = read_conll(written(tmp_path, text))
    assert (sentence.words, sentence.tags) == (["Ada", "sang"], ["B-PER", "O"])


@pytest.mark.parametrize("text", ["Ada\nsang\n", "Ada B-PER\nsang O\n", "Ada ?\nsang ?\n"])
def test_without_labels_only_the_words_are_read(tmp_path, text):
    (sentence,) = read_conll(written(tmp_path, text), labelled=False)
    assert (sentence.words, sentence.tags) == (["Ada", "sang"], ["O", "O"])


def test_a_word_may_hold_spaces_where_tabs_part_the_columns(tmp_path):
    assert read_conll(written(tmp_path, "1 1/2\tO\n"))[0].words == ["1 1/2"]


def test_a_word_may_hold_a_no_break_space(tmp_path):
    assert read_conll(written(tmp_path, "10\u00a0000 O\n"))[0].words == ["10\u00a0000"]


@pytest.mark.parametrize(
    "tags, expected",
    [
        ("I-PER I-PER O I-LOC", "B-PER I-PER O B-LOC"),  # IOB1
        ("I-PER B-PER I-PER", "B-PER B-PER I-PER"),  # IOB1, two people in a row
        ("I-PER I-LOC", "B-PER B-LOC"),  # IOB1, another type begins
        ("B-PER I-PER B-PER O", "B-PER I-PER B-PER O"),  # BIO2
        ("B-PER I-LOC I-LOC", "B-PER B-LOC I-LOC"),  # neither
    ],
)
def test_every_entity_opens_with_b(tags, expected):
    assert to_bio2(tags.split()) == expected.split()


@settings(deadline=None)
@given(TAGS)
def test_bio2_stays_as_it_is(tags):
    once = to_bio2(tags)
    assert to_bio2(once) == once
    assert all(before[2:] == tag[2:] for before, tag in zip(["O", *once], once) if tag[0] == "I")


@pytest.mark.parametrize(
    "text, message",
    [
        ("", r"train\.conll: the file is empty$"),
        ("\n\n", "only blank lines$"),
        ("-DOCSTART- O\n\n", r"train\.conll: no line has a word and its tag$"),
        ("Ada B-PER\n\nsang VBD O\n", r"train\.conll:3: 3 columns, but the lines before have 2$"),
        ("Ada NNP B-PER\nsang\n", r"train\.conll:2: 1 column, but the lines before have 3$"),
        ("Ada\tB-PER\nsang O\n", r"train\.conll:2: 1 column, but the lines before have 2$"),
        ("Ada\nsang\n", r"train\.conll:1: 1 column, but a word and its tag need 2"),
        ("-DOCSTART- O\n\nAda PER\n", r"train\.conll:3: tag 'PER' is not O, B-TYPE or I-TYPE$"),
        ("Ada S-PER\n", r"train\.conll:1: tag 'S-PER' is not O"),
        ("Ada B-\n", r"train\.conll:1: tag 'B-' is not O"),
        ("Ada o\n", r"train\.conll:1: tag 'o' is not O"),
        ("\tB-PER\n", r"train\.conll:1: column 1 is empty, but must contain a word$"),
        ("a\tO\n\tO\n", r"train\.conll:2: column 1 is empty, but must contain a word$"),
        (b"Ada B-PER\nsang O\ncaf\xe9 O\n", r"train\.conll:3: not UTF-8: byte 0xe9 \(byte 21 of the file\)$"),
    ],
)
def test_a_damaged_file_is_named_with_line_and_rule(tmp_path, text, message):
    with pytest.raises(CorpusError, match=message) as caught:
        read_conll(written(tmp_path, text))
    assert "\n" not in str(caught.value)


CONLLU = "1\tAda\tAda\tPROPN\tNNP\t_\t2\tnsubj\t_\t_\n2\tsang\tsing\tVERB\tVBD\t_\t0\troot\t_\t_\n"


@pytest.mark.parametrize(
    "comments, options",
    [
        ("", {}),
        ("# sent_id = 1\n", {}),
        ("# newdoc\n# sent_id = 1\n# text = Ada sang in Rome\n", {}),
        ("# sent_id = 1\n", {"labelled": False}),
        ("# sent_id = 1\n", {"column": 2, "plain": True}),
    ],
)
def test_conll_u_is_named_with_the_task_that_reads_it(tmp_path, comments, options):
    message = (
        r"train\.conll: this is CoNLL-U, which only the task `pos` can read, from a file named \.conllu$"
    )
    with pytest.raises(CorpusError, match=message):
        read_conll(written(tmp_path, comments + CONLLU), **options)


def test_a_comment_alone_makes_no_conll_u(tmp_path):
    with pytest.raises(CorpusError, match=r"train\.conll:2: 2 columns, but the lines before have 3$"):
        read_conll(written(tmp_path, "# http O\nAda B-PER\n"))


# The published token counts include the DOCSTART lines.
@pytest.mark.parametrize(
    "name, sentences, lines, documents",
    [
        ("wikigold/train", 801, 17818, 64),
        ("wikigold/dev", 141, 2806, 13),
        ("wikigold/test", 142, 3439, 13),
        ("wnut17/train", 2000, 36847, 0),
        ("wnut17/dev", 499, 7204, 0),
        ("wnut17/test", 509, 8524, 0),
    ],
)
def test_real_sentences_are_counted_right(shared, name, sentences, lines, documents):
    found = read_conll(shared / f"data/ner/{name}.conll")
    assert len(found) == sentences and sum(len(s.words) for s in found) == lines - documents
    assert len({s.document for s in found} - {None}) == documents
    assert all(to_bio2(s.tags) == s.tags for s in found)
    assert any(tag[0] == "B" for s in found for tag in s.tags)


def test_comments_between_sentences_are_left_out_and_the_word_number_sign_is_not(tmp_path):
    text = "# id 17 domain=en\nAda _ B-PER\n# _ O\n\n# id 18\n# _ O\nBo _ B-PER\n"
    for labelled in (True, False):
        found = read_conll(written(tmp_path, text), labelled)
        assert [(one.words, one.line) for one in found] == [(["Ada", "#"], 2), (["#", "Bo"], 6)]
    plain = read_conll(written(tmp_path, "# key = value\nAda NOUN\n\n# NOUN\nBo NOUN\n"), plain=True)
    assert [one.words for one in plain] == [["Ada"], ["#", "Bo"]]
