"""SWAG's CSV, RACE's JSON and CODAH's TSV, and files that are refused."""

import json

import pytest

from minibert.generated import World
from minibert.generated.files import write_files
from minibert.readers.multiple_choice import ChoiceExample, iter_codah, iter_race, iter_swag
from minibert.readers.tabular import as_list
from minibert.readers.utf8_text import CorpusError

read_codah = as_list(iter_codah)
read_race = as_list(iter_race)
read_swag = as_list(iter_swag)

HEADER = ",video-id,fold-ind,startphrase,sent1,sent2,gold-source,ending0,ending1,ending2,ending3,label\n"
ROW = '0,v,7,"He sat. She","He sat.",She,gold,"sang, loudly",left,"said ""no""",ran,2\n'
PASSAGE = {
    "article": "Mira has a dog.",
    "questions": ["What has Mira?", "Mira has a _ ."],
    "id": "middle1.txt",
    "options": [["a dog", "a cow", "a hen", "a cat"], ["cow", "dog", "hen", "cat"]],
    "answers": ["A", "B"],
}
CODAH = 'o\tHe sat. She\tsang\tleft\tsaid "no\tran\t2\n'


def changed(**values):
    return json.dumps({**PASSAGE, **values})


def written(tmp_path, text, name="train.txt"):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_swag_rows_with_commas_and_quotes_in_quotes(tmp_path):
    assert read_swag(written(tmp_path, HEADER + ROW)) == [
        ChoiceExample("He sat.", "She", ["sang, loudly", "left", 'said "no"', "ran"], 2, ["0", "1", "2", "3"])
    ]


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + HEADER + ROW,
        (HEADER + ROW).replace("\n", "\r\n"),
        HEADER + "\n" + ROW + "\n",
        (HEADER + ROW).rstrip(),
    ],
)
def test_swag_with_a_byte_order_mark_other_line_ends_and_blank_lines(tmp_path, text):
    assert len(read_swag(written(tmp_path, text))) == 1


def test_swag_reads_columns_by_their_names_and_as_many_endings_as_there_are(tmp_path):
    (example,) = read_swag(written(tmp_path, "label,ending1,ending0,sent2,sent1\n0,b,a,B\u2028,A\n"))
    # a rare line separator ends no row
    assert example == ChoiceExample("A", "B\u2028", ["a", "b"], 0, ["0", "1"])


def test_swag_without_labels(tmp_path):
    test = HEADER.replace(",label", "") + ROW.replace(",2\n", "\n")
    assert [e.label for e in read_swag(written(tmp_path, test), labelled=False)] == [None]
    assert [e.label for e in read_swag(written(tmp_path, HEADER + ROW), labelled=False)] == [None]


@pytest.mark.parametrize(
    "text, message",
    [
        ("", r"train\.txt: the file is empty$"),
        (HEADER, r"train\.txt: the file has a header, but no examples$"),
        (HEADER.replace(",label", "") + ROW, r"train\.txt:1: no column 'label' in the header$"),
        ("\n" + HEADER.replace("sent1", "sentence") + ROW, r"train\.txt:2: no column 'sent1' in the header$"),
        (HEADER.replace("fold-ind", "sent1") + ROW, r"train\.txt:1: column 'sent1' occurs 2 times in the"),
        (HEADER.replace("ending2", "ending1") + ROW, r"train\.txt:1: column 'ending1' occurs 2 times in the"),
        (HEADER.replace("ending2", "ending7") + ROW, r":1: no column 'ending2' in the header$"),
        ("sent1,sent2,ending0,label\na,b,c,0\n", r":1: no column 'ending1' in the header$"),
        (HEADER + ROW + "1,v,7,x\n", r"train\.txt:3: 4 cells, but the header has 12$"),
        (HEADER + ROW.replace("ran,2", "ran,4"), r":2: label '4' is not a number from 0 to 3$"),
        (HEADER + ROW.replace("ran,2", "ran,"), r":2: label '' is not a number"),
        (HEADER + ROW.replace("left", " "), r":2: ending1 is empty$"),
        (HEADER + ROW.replace('"He sat."', ""), r":2: sent1 is empty$"),
        (HEADER + '0,"a\nb",c\n' + ROW, r":2: 3 cells, but"),  # the line on which the row begins
        (HEADER + '0,"a\nb",7,s,A,B,gold,a,b,c,d,0\n' + ROW + "x\n", r":5: 1 cell, but"),
        (HEADER + ROW + ROW.replace('"sang, loudly"', '"sang, loudly'), r":3: broken CSV .* is a quote open"),
        (HEADER + ROW + ROW.replace(",2\n", ',"2\n'), r":3: broken CSV \(unexpected end of data\)"),
        (HEADER.encode() + b"caf\xe9", r":2: not UTF-8"),
    ],
)
def test_a_damaged_swag_file_is_named_with_line_and_rule(tmp_path, text, message):
    with pytest.raises(CorpusError, match=message) as caught:
        read_swag(written(tmp_path, text))
    assert "\n" not in str(caught.value)


def test_codah_lines_may_hold_quotes_and_need_no_category(tmp_path):
    text = CODAH + "\n\t" + CODAH.split("\t", 1)[1]
    expected = ChoiceExample("He sat. She", "", ["sang", "left", 'said "no', "ran"], 2, ["0", "1", "2", "3"])
    assert read_codah(written(tmp_path, text)) == [expected] * 2


@pytest.mark.parametrize("text", [CODAH, CODAH.replace("\t2\n", "\n"), CODAH.replace("\t2\n", "\t\n")])
def test_codah_without_labels(tmp_path, text):
    assert [e.label for e in read_codah(written(tmp_path, text), labelled=False)] == [None]


@pytest.mark.parametrize(
    "text, message",
    [
        (CODAH + CODAH.replace("\t2", ""), ":2: 6 cells separated by tabs, but a line must have 7"),
        (CODAH.replace("\t2", "\t2\t3"), r":1: 8 cells separated by tabs"),
        (CODAH.replace("\t2", "\tC"), r":1: label 'C' is not a number from 0 to 3$"),
        (CODAH.replace("left", ""), r":1: ending 1 is empty$"),
        (CODAH.replace("He sat. She", ""), r":1: context is empty$"),
        ("\n \n", "only blank lines"),
    ],
)
def test_a_damaged_codah_file_is_named_with_line_and_rule(tmp_path, text, message):
    with pytest.raises(CorpusError, match=message):
        read_codah(written(tmp_path, text))


def test_codah_without_labels_still_needs_its_columns(tmp_path):
    with pytest.raises(CorpusError, match="5 cells separated by tabs, but a line must have 6: category"):
        read_codah(written(tmp_path, "o\tA\ta\tb\tc\n"), labelled=False)


def test_race_questions_and_their_letters(tmp_path):
    first, second = read_race(written(tmp_path, json.dumps(PASSAGE)))
    options, names = ["a dog", "a cow", "a hen", "a cat"], ["A", "B", "C", "D"]
    assert first == ChoiceExample("Mira has a dog.", "What has Mira?", options, 0, names)
    assert first.endings[0] == "What has Mira? a dog" and second.endings[1] == "Mira has a dog ."
    assert second.label == 1


def test_an_option_goes_into_the_first_gap_letter_for_letter():
    assert ChoiceExample("", "___ and _ .", [r"\1", "b"], 0, ["A", "B"]).endings == [
        r"\1 and _ .",
        "b and _ .",
    ]


def test_race_reads_a_folder_in_the_order_of_the_names(tmp_path):
    for name, article in (("high/1.txt", "three"), ("2.json", "one"), ("a/b.txt", "two")):
        written(tmp_path, changed(article=article), name)
    for name in ("notes.md", ".hidden.txt"):
        written(tmp_path, "no JSON", name)
    assert [e.context for e in read_race(tmp_path)] == ["one", "one", "two", "two", "three", "three"]


def test_race_without_labels(tmp_path):
    without = {key: value for key, value in PASSAGE.items() if key != "answers"}
    for text in (changed(answers=None), json.dumps(without)):
        assert [e.label for e in read_race(written(tmp_path, text), labelled=False)] == [None, None]


@pytest.mark.parametrize(
    "text, message",
    [
        (changed()[:60], r"train\.txt:1: column 46: the JSON is cut off"),
        (changed(answers=["A"]), r"train\.txt: answers has length 1, but questions has 2$"),
        (changed(options=PASSAGE["options"][:1]), "options has length 1, but questions has 2$"),
        (changed(answers=["A", "E"]), r"answers\[1\] is 'E', not a letter from A to D$"),
        (changed(answers=["A", 1]), r"answers\[1\] is a whole number, not a text: 1$"),
        (changed(questions=["Who?", None]), r"questions\[1\] is null, not a text$"),
        (changed(options=[["a", "b"], ["a", 3]]), r"options\[1\]\[1\] is a whole number, not a text: 3$"),
        (changed(options=[["a", "b"], ["a"]]), r"options\[1\] is not a list of 2 to 26 texts$"),
        (changed(options=[["a", "b"], "ab"]), r"options\[1\] is not a list of 2 to 26 texts$"),
        (json.dumps({"questions": []}), r"article is missing$"),
        (changed(questions="Who?"), r"questions is a text, not a list: 'Who\?'$"),
        (changed(questions=[], options=[], answers=[]), r"train\.txt: no questions found$"),
        ("[]", "the file is a list, not an object"),
    ],
)
def test_a_damaged_race_file_is_named_with_place_and_rule(tmp_path, text, message):
    with pytest.raises(CorpusError, match=message):
        read_race(written(tmp_path, text))


def test_the_damaged_one_of_many_race_files_is_named(tmp_path):
    written(tmp_path, changed(), "middle/1.txt")
    written(tmp_path, changed(answers=["A"]), "middle/2.txt")
    with pytest.raises(CorpusError, match=r"middle/2\.txt: answers has length 1"):
        read_race(tmp_path)


def test_a_race_file_whose_questions_have_another_number_of_options_is_named(tmp_path):
    written(tmp_path, changed(), "1.txt")
    written(tmp_path, changed(options=[["a", "b", "c", "d"], ["a", "b", "c"]]), "2.txt")
    for labelled in (True, False):
        with pytest.raises(CorpusError, match=r"/2\.txt: options\[1\] has length 3"):
            read_race(tmp_path, labelled)


def test_a_folder_without_a_race_file_is_named(tmp_path):
    with pytest.raises(CorpusError, match=r"no \.txt or \.json file in this folder"):
        read_race(tmp_path)


def test_the_generated_language_comes_back(tmp_path):
    swag, race = write_files(World(seed=0), 20, 1, "train", ["swag", "race"], tmp_path)
    examples = read_swag(swag)
    assert len(examples) == 20
    assert {e.label for e in examples} == {0, 1, 2, 3}
    assert all(e.question for e in examples)
    readings = read_race(race)
    assert len({e.context for e in readings}) == 20 and all(e.options[e.label] in e.context for e in readings)


def test_real_files(shared):
    swag = read_swag(shared / "data/mc/swag/sample.csv")
    assert len(swag) == 11 and [e.label for e in swag[:2]] == [2, 2]
    assert swag[0].endings[0] == "She pats her shoulder, then saunters toward someone."
    for name, count in (("train", 1150), ("dev", 250)):
        assert len(read_codah(shared / f"data/mc/codah/{name}.tsv")) == count
