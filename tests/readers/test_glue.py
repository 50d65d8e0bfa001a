"""GLUE's tables and their kin: official layouts, the generated language, and files that are refused."""

import csv
import json
import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minibert.generated import World
from minibert.generated.files import FILE_KINDS, write_files
from minibert.generated.labels.tsv import write_tsv
from minibert.readers import READERS
from minibert.readers.glue import FORMATS, TextExample, iter_glue
from minibert.readers.tabular import as_list
from minibert.readers.utf8_text import CorpusError

read_glue = as_list(iter_glue)

PARSES = "sentence1_binary_parse\tsentence2_binary_parse\tsentence1_parse\tsentence2_parse"


def read(task, path, labelled=True):
    return list(READERS[task](path, labelled))


def written(tmp_path, text, name="train.tsv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def seen(examples):
    return [(e.first, e.second, e.label) for e in examples]


# ---- official layouts: the header of the labelled file, one line of it, what it says ----
LABELLED = {
    "cola": ("", 'gj04\t0\t*\tThey "slept the bed.', ('They "slept the bed.', None, "0")),
    "sst2": ("sentence\tlabel", "a warm , funny film \t1", ("a warm , funny film", None, "1")),
    "sst5": ("", '3\tA "good film .', ('A "good film .', None, "3")),
    "mnli": (
        f"index\tpromptID\tpairID\tgenre\t{PARSES}\tsentence1\tsentence2\tlabel1\tgold_label",
        "0\t31193\t31193n\tgovernment\t( a )\t( b )\t(ROOT a)\t(ROOT b)\tIt rained.\tIt was "
        "wet.\tneutral\tneutral",
        ("It rained.", "It was wet.", "neutral"),
    ),
    "snli": (
        f"gold_label\t{PARSES}\tsentence1\tsentence2\tcaptionID\tpairID\tlabel1\tlabel2",
        "entailment\t( a )\t( b )\t(ROOT a)\t(ROOT b)\tA dog runs.\tA dog "
        "moves.\t3.jpg#4\t3.jpg#4r1e\tentailment",
        ("A dog runs.", "A dog moves.", "entailment"),
    ),
    "qqp": (
        "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate",
        '9\t1\t2\tWho said "go?\tWho spoke?\t1',
        ('Who said "go?', "Who spoke?", "1"),
    ),
    "qnli": (
        "index\tquestion\tsentence\tlabel",
        "9\tWhen?\tIn May.\tnot_entailment",
        ("When?", "In May.", "not_entailment"),
    ),
    "mrpc": (
        "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String",
        '0\t702\t703\tHe said "no".\t" No , he said .',
        ('He said "no".', '" No , he said .', "0"),
    ),
    "rte": (
        "index\tsentence1\tsentence2\tlabel",
        "9\tIt rained.\tIt was wet.\tentailment",
        ("It rained.", "It was wet.", "entailment"),
    ),
    "wnli": (
        "index\tsentence1\tsentence2\tlabel",
        "9\tAda saw Bo and waved.\tBo waved.\t0",
        ("Ada saw Bo and waved.", "Bo waved.", "0"),
    ),
    "stsb": (
        "index\tgenre\tfilename\tyear\told_index\tsource1\tsource2\tsentence1\tsentence2\tscore",
        "9\tmain-news\theadlines\t2013\t0001\tnone\tnone\tA man eats.\tA man is eating.\t4.750",
        ("A man eats.", "A man is eating.", 4.75),
    ),
}
# ---- and the test files, whose labels GLUE keeps: what they have in place of the labelled header, and a line
# ----
UNLABELLED = {
    "cola": ("index\tsentence", "7\tBo slept."),
    "sst2": ("index\tsentence", "7\ta dull film ."),
    "mnli": (
        f"index\tpromptID\tpairID\tgenre\t{PARSES}\tsentence1\tsentence2",
        "7\t3\t3\tfiction\t\t\t\t\tIt rained.\tIt was wet.",
    ),
    "qqp": ("id\tquestion1\tquestion2", "7\tWho?\tWhom?"),
    "qnli": ("index\tquestion\tsentence", "7\tWhen?\tIn May."),
    "mrpc": ("index\t#1 ID\t#2 ID\t#1 String\t#2 String", "7\t702\t703\tHe said no.\tNo, he said."),
    "rte": ("index\tsentence1\tsentence2", "7\tIt rained.\tIt was wet."),
    "wnli": ("index\tsentence1\tsentence2", "7\tAda saw Bo.\tBo waved."),
    "stsb": (
        "index\tgenre\tfilename\tyear\told_index\tsource1\tsource2\tsentence1\tsentence2",
        "7\t\t\t\t\t\t\tIt rained.\tIt was wet.",
    ),
}


@pytest.mark.parametrize("task", LABELLED)
@pytest.mark.parametrize(
    "mark, end", [("", "\n"), ("\ufeff", "\r\n")], ids=["plain", "byte order mark and CRLF"]
)
def test_the_official_layout_is_read_with_its_quotation_marks(tmp_path, task, mark, end):
    header, line, said = LABELLED[task]
    lines = [header] * bool(header) + [line, "", line]
    examples = read(task, written(tmp_path, mark + end.join(lines) + end))
    assert seen(examples) == [said, said]
    assert [e.line for e in examples] == [1 + bool(header), 3 + bool(header)]


@pytest.mark.parametrize("task", UNLABELLED)
def test_test_files_are_read_without_labels_and_keep_their_numbers(tmp_path, task):
    path = written(tmp_path, "\n".join(UNLABELLED[task]) + "\n", "test.tsv")
    (example,) = read(task, path, labelled=False)
    assert example.first and bool(example.second) == (len(FORMATS[task].texts) == 2)
    assert (example.label, example.id, example.line) == (None, "7", 2)
    with pytest.raises(CorpusError, match=r"test\.tsv:1: no column '\w+' in the header: .*; only `predict`"):
        read(task, path)


@pytest.mark.parametrize("task", LABELLED)
def test_without_labels_a_labelled_file_is_read_too_and_its_labels_are_not_looked_at(tmp_path, task):
    header, line, said = LABELLED[task]
    line = line.replace(str(said[2]), "?") if task not in ("cola", "stsb") else line
    (example,) = read(task, written(tmp_path, "\n".join([header] * bool(header) + [line])), labelled=False)
    assert (example.first, example.second, example.label) == (*said[:2], None)


def test_columns_are_found_by_their_names_in_any_order_and_case(tmp_path):
    path = written(tmp_path, "LABEL\tnote\tSentence\n1\tx\tgood\n0\ty\tbad\n")
    assert seen(read_glue("sst2", path)) == [("good", None, "1"), ("bad", None, "0")]
    assert seen(read_glue("cola", path)) == [
        ("good", None, "1"),
        ("bad", None, "0"),
    ]  # where CoLA has a header


@pytest.mark.parametrize(
    "name, text",
    [
        (
            "snli.jsonl",
            "".join(
                json.dumps(
                    {"gold_label": label, "sentence1": "A dog.", "sentence2": label, "annotator_labels": []}
                )
                + "\n"
                for label in ("neutral", "-", "entailment")
            ),
        ),
        (
            "snli.txt",
            "gold_label\tsentence1\tsentence2\nneutral\tA dog.\tneutral\n-\tA dog.\t-\nentailment\tA "
            "dog.\tentailment\n",
        ),
    ],
)
def test_pairs_without_a_gold_label_are_left_out_and_counted(tmp_path, caplog, name, text):
    path = written(tmp_path, text, name)
    assert [e.label for e in read_glue("snli", path)] == ["neutral", "entailment"]
    assert caplog.messages == [f"{path}: 1 example left out: the annotators did not agree on a label"]
    assert [e.id for e in read_glue("snli", path, labelled=False)] == ["0", "1", "2"]
    assert len(caplog.messages) == 1


def test_lines_of_qqp_that_are_cut_in_two_are_left_out_and_counted(tmp_path, caplog):
    header, line, said = LABELLED["qqp"]
    path = written(tmp_path, f"{header}\n{line}\n3\t4\t5\tWhat is\nthis?\tWhat?\t0\n{line}\n")
    assert seen(read_glue("qqp", path)) == [said, said]
    assert caplog.messages == [f"{path}: 2 examples left out: the line ends before the last column"]
    caplog.clear()
    with pytest.raises(CorpusError, match=r"rte\.tsv:3: no 'sentence2' in this line$"):
        read_glue(
            "rte",
            written(tmp_path, "index\tsentence1\tsentence2\tlabel\n0\ta\tb\tentailment\n1\ta\n", "rte.tsv"),
        )
    assert not caplog.messages


def test_a_quoted_table_may_have_line_breaks_and_commas_in_its_cells(tmp_path):
    path = written(
        tmp_path,
        'text,category\n"Where is\nmy card, please?",card arrival\n\n"He said ""no"".",other\n',
        "intents.csv",
    )
    examples = read_glue("text", path)
    assert seen(examples) == [
        ("Where is\nmy card, please?", None, "card arrival"),
        ('He said "no".', None, "other"),
    ]
    assert [e.line for e in examples] == [2, 5]


def test_a_cell_of_a_quoted_table_may_hold_a_whole_book_and_the_limit_of_others_stays(tmp_path, monkeypatch):
    limit, text = csv.field_size_limit(), "one, two " * 50_000
    path = written(tmp_path, f'text,category\n"{text}",long\nhi,short\n', "books.csv")
    for example, said in zip(read_glue("text", path), [(text.strip(), "long"), ("hi", "short")], strict=True):
        assert (example.first, example.label) == said and csv.field_size_limit() == limit
    monkeypatch.setattr("minibert.readers.tabular.LONGEST_CELL", 1000)
    with pytest.raises(CorpusError, match=r"books\.csv:2: broken CSV \(field larger than field limit"):
        read_glue("text", path)


def test_one_empty_text_of_a_pair_is_an_example_two_are_none(tmp_path):
    header = "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate"
    assert seen(read_glue("qqp", written(tmp_path, f"{header}\n0\t1\t2\tWho?\t\t0\n"))) == [("Who?", "", "0")]
    with pytest.raises(CorpusError, match=r"train\.tsv:2: no text in 'question1' and 'question2'$"):
        read_glue("qqp", written(tmp_path, f"{header}\n0\t1\t2\t\t \t0\n"))


@pytest.mark.parametrize(
    "task, text, message",
    [
        ("sst2", "", r": the file is empty$"),
        ("sst2", "sentence\tlabel\n", r": the file has no examples$"),
        (
            "sst2",
            "a good film\t1\n",
            r":1: no column 'sentence' in the header: a good film, 1; name the columns with ",
        ),
        (
            "sst2",
            "sentence\tSentence\tlabel\na\tb\t1\n",
            r":1: column 'sentence' occurs 2 times in the header$",
        ),
        ("sst2", "sentence\tlabel\ngood\n", r":2: no 'label' in this line$"),
        (
            "sst2",
            "sentence\tlabel\n\ngood\tfilm\t1\n",
            r":3: 3 columns, but the header has 2: sentence, label$",
        ),
        ("sst2", "sentence\tlabel\ngood\tpleasant\n", r":2: label 'pleasant' is not one of 0, 1$"),
        ("sst2", "sentence\tlabel\ngood\t\n", r":2: label '' is not one of 0, 1$"),
        ("sst2", "sentence\tlabel\n\t1\n", r":2: no text in 'sentence'$"),
        ("cola", "gj04\t1\t\tBo slept.\ngj04\t1\tBo ran.\n", r":2: no 'sentence' in this line$"),
        ("cola", "gj04\t2\t\tBo slept.\n", r":1: label '2' is not one of 0, 1$"),
        ("sst5", "5\tbest\n", r":1: label '5' is not one of 0, 1, 2, 3, 4$"),
        (
            "mnli",
            "sentence1\tsentence2\tgold_label\na\tb\thidden\n",
            r":2: gold_label 'hidden' is not one of entailment, ",
        ),
        ("mnli", "sentence1\tsentence2\tgold_label\na\tb\t-\n", r": the file has no examples$"),
        (
            "rte",
            "sentence1\tsentence2\tlabel\na\tb\tneutral\n",
            r":2: label 'neutral' is not one of entailment, ",
        ),
        (
            "stsb",
            "sentence1\tsentence2\tscore\na\tb\t5.5\n",
            r":2: score '5\.5' is not a number from 0 to 5$",
        ),
        ("stsb", "sentence1\tsentence2\tscore\na\tb\tnan\n", r":2: score 'nan' is not a number from 0 to 5$"),
        (
            "stsb",
            "sentence1\tsentence2\tscore\na\tb\thigh\n",
            r":2: score 'high' is not a number from 0 to 5$",
        ),
        ("qnli", b"question\tsentence\tlabel\nWho?\tcaf\xe9\tentailment\n", r":2: not UTF-8: byte 0xe9"),
    ],
)
def test_a_damaged_table_is_named_with_line_and_rule(tmp_path, task, text, message):
    path = written(tmp_path, text)
    with pytest.raises(CorpusError, match=message) as caught:
        read(task, path)
    assert str(caught.value).startswith(f"{path}:") and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "task, name, text, message",
    [
        (
            "snli",
            "a.jsonl",
            '{"gold_label": "neutral", "sentence1": "a"\n',
            r"a\.jsonl:1: column 43: broken JSON \(Expecting "
            r"',' delimiter\)$",
        ),
        ("snli", "a.jsonl", "[" * 100_000 + "\n", r"a\.jsonl:1: the JSON is nested too deeply$"),
        ("snli", "a.jsonl", "[]\n", r"a\.jsonl:1: the line is not a JSON object; each line must be one$"),
        (
            "snli",
            "a.jsonl",
            '{"gold_label": "neutral", "sentence1": "a", "sentence2": null}\n',
            r"a\.jsonl:1: sentence2 is null, not a text$",
        ),
        ("text", "a.csv", 'text,category\nhi,x\n"open,y\nz,x\n', r"a\.csv:3: broken CSV \("),
        ("text", "a.csv", "text,category\nhi,\n", r"a\.csv:2: category '' is empty$"),
        ("text", "a.csv", ',\n"",\n', r"a\.csv: all cells of the table are empty$"),
        (
            "text",
            "a.csv",
            "sentence,category\nhi,x\n",
            r"a\.csv:1: no column 'text' in the header: sentence, category; name the columns with --columns",
        ),
        (
            "text",
            "a.json",
            '[\n{"text": "a", "label": "b"}\n]',
            r"a.json:1: the line begins an array; write one",
        ),
        ("text", "a.jsonl", '{"text": "a", "label": NaN}', r":1: column 1: broken JSON \(NaN is not JSON\)"),
        ("text", "a.csv", 'text,label\na,"b\nc"', r":2: the label or the id contains a tab or a line end"),
        ("text", "a.csv", "id,text,label\n1\t2,a,b", r":2: the label or the id contains a tab or a line end"),
    ],
)
def test_damaged_json_and_csv_are_named_with_line_and_rule(tmp_path, task, name, text, message):
    with pytest.raises(CorpusError, match=message):
        read(task, written(tmp_path, text, name))


CELL = st.text(
    st.characters(blacklist_characters="\0\t\n\r", blacklist_categories=["Cs"]), min_size=1
).filter(str.strip)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=5))
def test_any_text_comes_back_as_it_was_written(tmp_path_factory, pairs):
    path = tmp_path_factory.mktemp("any") / "rte.tsv"
    write_tsv(
        [
            ("index", "sentence1", "sentence2", "label"),
            *((i, a, b, "entailment") for i, (a, b) in enumerate(pairs)),
        ],
        path,
    )
    assert read_glue("rte", path) == [
        TextExample(a.strip(), b.strip(), "entailment", str(i), i + 2) for i, (a, b) in enumerate(pairs)
    ]


SAID = {  # what an example of the generated language says
    "sst2": lambda e: (e.sentence, None, str(e.label)),
    "cola": lambda e: (e.sentence, None, str(e.label)),
    "mnli": lambda e: (e.premise, e.hypothesis, e.label),
    "rte": lambda e: (e.premise, e.hypothesis, e.label),
    "qnli": lambda e: (e.question, e.sentence, e.label),
    "wnli": lambda e: (e.sentence1, e.sentence2, str(e.label)),
    "qqp": lambda e: (e.first, e.second, str(e.same)),
    "mrpc": lambda e: (e.first, e.second, str(e.same)),
    "stsb": lambda e: (e.first, e.second, round(e.score, 3)),
}


@pytest.mark.parametrize("task", SAID)
def test_the_generated_language_comes_back(tmp_path, task):
    world = World(seed=0)
    (path,) = write_files(world, 12, 1, "dev", [task], tmp_path)
    assert seen(read(task, path)) == [SAID[task](e) for e in FILE_KINDS[task].make(world, 12, 1, "dev")]


@pytest.mark.parametrize("split, count", [("train", 1143), ("dev", 319)])
def test_real_questions_come_back_line_by_line(shared, split, count):
    path = shared / "data/pair/qnli" / f"{split}.tsv"
    examples = read_glue("qnli", path)
    assert len(examples) == count
    assert path.read_text(encoding="utf-8").split("\n")[1:-1] == [
        f"{e.id}\t{e.first}\t{e.second}\t{e.label}" for e in examples
    ]


@pytest.mark.parametrize("split, count", [("train", 4000), ("test", 1000)])
def test_real_intents_are_counted_right(shared, split, count):
    examples = read_glue("text", shared / "data/cls/banking77" / f"{split}.csv")
    assert len(examples) == count and len({e.label for e in examples}) <= 77


def test_the_name_of_the_log_is_the_packages(tmp_path, caplog):
    with caplog.at_level(logging.ERROR, logger="minibert"):  # so that it can be silenced
        read_glue("snli", written(tmp_path, "gold_label\tsentence1\tsentence2\n-\ta\tb\nneutral\ta\tb\n"))
    assert not caplog.messages


def test_the_task_text_reads_pairs_if_there_is_a_column_for_the_second_text(tmp_path):
    iterate, expected = READERS["text"], [("Is it?", "It is.", "yes"), ("Is it?", "", "no")]
    table = written(tmp_path, "label,text_pair,text\nyes,It is.,Is it?\nno,,Is it?\n", "a.csv")
    assert seen(iterate(table)) == expected
    lines = '{"q": "Is it?", "a": "It is.", "label": "yes"}\n{"q": "Is it?", "a": "", "label": "no"}\n'
    path = written(tmp_path, lines, "a.jsonl")
    assert seen(iterate(path, True, {"text": "q", "text_pair": "a"})) == expected
    assert seen(iterate(path, True, {"text": "q"})) == [("Is it?", None, "yes"), ("Is it?", None, "no")]
    with pytest.raises(CorpusError, match="a.jsonl:1: no 'aa' in this line; did you mean 'a'"):
        list(iterate(path, True, {"text": "q", "text_pair": "aa"}))
    with pytest.raises(
        CorpusError, match="no column 'text pair' in the header: .*; did you mean 'text_pair'"
    ):
        list(iterate(table, True, {"text_pair": "text pair"}))
    with pytest.raises(CorpusError, match="column 'text_pair' occurs 2 times"):
        list(iterate(written(tmp_path, "text,text_pair,text_pair,label\na,b,c,d\n", "a.csv")))


def test_columns_may_have_other_names_in_a_table_and_in_json_lines(tmp_path):
    table = written(tmp_path, "Stars,Review,label\ngood,It works.,x\nbad,It broke.,y\n", "a.csv")
    lines = written(
        tmp_path, '{"Stars": "good", "review": "It works."}\n{"review": "No.", "stars": 2}\n', "a.jsonl"
    )
    columns = {"text": "review", "label": "stars"}
    iterate = READERS["text"]
    assert seen(iterate(table, True, columns)) == [("It works.", None, "good"), ("It broke.", None, "bad")]
    assert seen(iterate(lines, True, columns)) == [("It works.", None, "good"), ("No.", None, "2")]
    assert seen(iterate(table, False, {"text": "review"})) == [
        ("It works.", None, None),
        ("It broke.", None, None),
    ]
    with pytest.raises(CorpusError, match="no column 'Rating' in the header: Stars, Review, label;"):
        list(iterate(table, True, {"text": "review", "label": "Rating"}))
    pairs = written(tmp_path, "premise\thypothesis\tlabel\nA\tB\tentailment\n")
    found = READERS["rte"](pairs, True, {"text": "premise", "text_pair": "hypothesis"})
    assert seen(found) == [("A", "B", "entailment")]
    for task in ("sst2", "sst5"):
        stars = written(tmp_path, "review\tstars\nfine\t1\n")
        assert seen(READERS[task](stars, True, columns)) == [("fine", None, "1")]


def test_a_stored_column_name_gives_way_to_the_standard_one_but_a_given_name_does_not(tmp_path):
    stored, read = {"text": "Message", "label": "Queue"}, as_list(READERS["text"])
    for header in ("queue,message,text", "label,Message,text", "Category,text,other", "label,TEXT,other"):
        table = written(tmp_path, f"{header}\na,Hi.,no\n", "a.csv")
        assert seen(read(table, True, {}, stored)) == [("Hi.", None, "a")]
    lines = written(tmp_path, '{"message": "Hi.", "queue": "a"}\n{"Text": "Ho.", "label": true}\n', "a.json")
    assert seen(read(lines, True, {}, stored)) == [("Hi.", None, "a"), ("Ho.", None, "True")]
    assert seen(read(written(tmp_path, "body,queue\nHi.,a\n", "a.csv"), True, {"text": "body"}, stored))
    with pytest.raises(CorpusError, match="no column 'Message' in the header: Body, label; name the columns"):
        read(written(tmp_path, "Body,label\nHi.,a\n", "a.csv"), True, {}, stored)
    with pytest.raises(CorpusError, match="no column 'Message' in the header: text, label$"):
        read(written(tmp_path, "text,label\nHi.,a\n", "a.csv"), True, {"text": "Message"})


@pytest.mark.parametrize("mark", ";\t")
def test_a_csv_may_be_separated_by_semicolons_or_tabs(tmp_path, mark):
    text = '\ntext;label\n"Hi; you, there.";a\n'.replace("t;l", f"t{mark}l").replace('";a', f'"{mark}a')
    assert seen(read("text", written(tmp_path, text, "a.csv"))) == [("Hi; you, there.", None, "a")]


@pytest.mark.parametrize(
    "text", ["text,label\nHi.,a\n", "label,text\na,Hi.\n", "text,label,category\nHi.,x,a\n"]
)
def test_the_label_of_a_text_may_be_called_label_where_there_is_no_category(tmp_path, text):
    assert seen(read("text", written(tmp_path, text, "a.csv"))) == [("Hi.", None, "a")]
    lines = written(tmp_path, '{"text": "Hi.", "label": 3}\n', "a.jsonl")
    assert seen(read("text", lines)) == [("Hi.", None, "3")]


@pytest.mark.parametrize(
    "task, header, found, labels",
    [
        ("sst2", "sentence", ["negative", "Positive", "1"], ["0", "1", "1"]),
        ("sst5", "sentence", ["very negative", "neutral", "very_positive"], ["0", "2", "4"]),
        ("cola", "sentence", ["acceptable", "unacceptable"], ["1", "0"]),
        ("qqp", "question1\tquestion2", ["true", "False", "duplicate"], ["1", "0", "1"]),
        ("mrpc", "sentence1\tsentence2", ["not_equivalent", "equivalent"], ["0", "1"]),
        ("mnli", "premise\thypothesis", ["0", "1", "2", "-1"], ["entailment", "neutral", "contradiction"]),
        ("rte", "sentence1\tsentence2", ["0", "1"], ["entailment", "not_entailment"]),
        ("wnli", "sentence1\tsentence2", ["not_entailment", "entailment"], ["0", "1"]),
    ],
)
def test_a_label_may_have_the_name_or_number_of_its_data_set(tmp_path, caplog, task, header, found, labels):
    texts = "\t".join("a" for _ in header.split("\t"))
    lines = [f"{header}\tlabel", *(f"{texts}\t{label}" for label in found)]
    examples = read(task, written(tmp_path, "\n".join(lines)))
    assert [example.label for example in examples] == labels
    assert ("the numbers of the labels are read as 0 entailment, 1 n" in caplog.text) == (found[0] == "0")


@pytest.mark.parametrize(
    "name, text",
    [
        (
            "a.jsonl",
            '{"idx": 17, "text": "a", "label": 1}\n{"idx": 42, "text": 2, "label": true, "x": [null]}\n',
        ),
        ("a.jsonl", '{"GUID": "17", "text": "a", "label": 1}\n{"id": 42.0, "text": 2, "label": "True"}\n'),
        ("a.tsv", "text\tlabel\tidx\na\t1\t17\n2\tTrue\t42\n"),
        ("a.csv", "pairID,text,label\n17,a,1\n42,2,True\n"),
    ],
)
def test_numbers_are_read_and_ids_are_kept_whatever_their_column_is_called(tmp_path, name, text):
    found = read("text", written(tmp_path, text, name))
    assert [(one.id.removesuffix(".0"), one.first, one.label) for one in found] == [
        ("17", "a", "1"),
        ("42", "2", "True"),
    ]


def test_any_column_may_be_named_as_the_id(tmp_path):
    path = written(tmp_path, "text\tlabel\tid\tkey\na\t1\t3\tx9\n")
    assert read_glue("text", path, columns={"id": "key"})[0].id == "x9"
    assert read_glue("text", path, stored={"id": "key"})[0].id == "x9"
    assert read_glue("text", path, stored={"id": "lost"})[0].id == "3"
    with pytest.raises(CorpusError, match=r"train.tsv:1: no column 'lost' in the header"):
        read_glue("text", path, columns={"id": "lost"})


@pytest.mark.parametrize(
    "line, rule",
    [
        ('{"text": "so \\ud83d", "label": "1"}', "a text contains half of a surrogate pair"),
        ('{"text": "so", "label": "\\ud83d"}', "a text contains half of a surrogate pair"),
        ('{"text": "so", "label": null}', "label is null, not a text"),
        ('{"text": ["so"], "label": 1}', "text is a list, not a text"),
        ('{"text": "so", "label": 1, "id": {}}', "id is an object, not a text"),
        ('{"text": "so", "label": 1, "Label": 2}', "column 'label' occurs 2 times"),
        ('{"text": "so", "label": ' + "1" * 5000 + "}", "a number has too many digits"),
    ],
)
def test_a_value_that_cannot_be_read_is_named_with_its_line(tmp_path, line, rule):
    path = written(tmp_path, '{"text": "a", "label": 1}\n' + line, "a.jsonl")
    with pytest.raises(CorpusError, match=rf"a\.jsonl:2: {rule}"):
        read_glue("text", path, columns={"text": "text", "label": "label"})
