"""CoNLL-U: words without what is no word, the generated language's own files, and lines that are refused."""

import pytest

from minibert.finetuning.registry import read_examples
from minibert.generated import World
from minibert.generated.files import write_files
from minibert.readers.conll import Sentence
from minibert.readers.conllu import Tree, iter_conllu, iter_pos, read_trees
from minibert.readers.tabular import as_list
from minibert.readers.utf8_text import CorpusError

read_conllu = as_list(iter_conllu)
read_pos = as_list(iter_pos)

TEXT = """# newdoc id = a
# text = Ada doesn't sing.
1\tAda\tAda\tPROPN\t_\t_\t_\t_\t_\t_
2-3\tdoesn't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdoes\tdo\tAUX\t_\t_\t_\t_\t_\t_
3\tn't\tnot\tPART\t_\t_\t_\t_\t_\t_
3.1\tsing\t_\tVERB\t_\t_\t_\t_\t_\t_

# newdoc
1\t1 1/2\t_\tNUM\t_\t_\t_\t_\t_\t_
"""


def written(tmp_path, text, name="train.conllu"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_words_have_their_parts_of_speech_and_other_lines_are_passed_over(tmp_path):
    assert read_conllu(written(tmp_path, TEXT)) == [
        Sentence(["Ada", "does", "n't"], ["PROPN", "AUX", "PART"], 3, 1),
        Sentence(["1 1/2"], ["NUM"], 10, 2),
    ]


def test_without_labels_no_part_of_speech_is_looked_at(tmp_path):
    sentences = read_conllu(written(tmp_path, TEXT.replace("NUM", "_")), labelled=False)
    assert [s.tags for s in sentences] == [["O"] * 3, ["O"]] and sentences[0].words == ["Ada", "does", "n't"]


def test_the_task_takes_either_form_by_the_name_of_the_file(tmp_path):
    assert read_examples("pos", written(tmp_path, TEXT))[0].tags == ["PROPN", "AUX", "PART"]
    assert read_pos(written(tmp_path, "Ada NNP B-NP O\n", "train.txt"))[0].tags == ["NNP"]


def test_the_generated_language_is_read_as_it_writes_itself(tmp_path):
    (path,) = write_files(World(0), 5, 1, "train", ["pos"], tmp_path)
    sentences = read_examples("pos", path)
    texts = [
        line.removeprefix("# text = ")
        for line in path.read_text(encoding="utf-8").split("\n")
        if line.startswith("# text")
    ]
    assert ["".join(s.words) for s in sentences] == [text.replace(" ", "") for text in texts]
    assert {"NOUN", "VERB", "PUNCT"} <= {tag for s in sentences for tag in s.tags}


@pytest.mark.parametrize(
    "text, message",
    [
        ("1\tAda\n", r"train\.conllu:1: 2 columns separated by tabs, but CoNLL-U has 10$"),
        (TEXT.replace("\n2\t", "\nx\t"), r"train\.conllu:5: column 1 is 'x', not the number of a word$"),
        (TEXT.replace("\tdoes\t", "\t\t"), r"train\.conllu:5: column 2 is empty, but must contain a word$"),
        (TEXT.replace("AUX", "_"), r"train\.conllu:5: column 4 is '_', but must be a part-of-speech tag$"),
        ("# text\n", r"train\.conllu: the file has no words$"),
    ],
)
def test_a_damaged_file_is_named_with_line_and_rule(tmp_path, text, message):
    with pytest.raises(CorpusError, match=message):
        read_conllu(written(tmp_path, text))


TREE = """1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_
2\tcat\tcat\tNOUN\t_\t_\t3\tnsubj\t_\t_
3-4\tcan't\t_\t_\t_\t_\t_\t_\t_\t_
3\tca\tcan\tAUX\t_\t_\t0\troot\t_\t_
4\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_
"""


def test_trees_have_heads_counted_from_0(tmp_path):
    assert read_trees(written(tmp_path, TREE)) == [
        Tree(
            ["The", "cat", "ca", "n't"],
            ["DET", "NOUN", "AUX", "PART"],
            [1, 2, -1, 2],
            ["det", "nsubj", "root", "advmod"],
        )
    ]


@pytest.mark.parametrize(
    "head, message",
    [
        ("_", r"train\.conllu:1: column 7 is '_', but a head is a number from 0 to 4$"),
        ("5", r"train\.conllu:1: column 7 is '5', but a head is a number from 0 to 4$"),
        ("0", r"train\.conllu:1: the heads of this sentence do not form a tree$"),
        ("1", r"train\.conllu:1: the heads of this sentence do not form a tree$"),
    ],
)
def test_heads_that_are_no_tree_are_refused(tmp_path, head, message):
    with pytest.raises(CorpusError, match=message):
        read_trees(written(tmp_path, TREE.replace("\t2\tdet", f"\t{head}\tdet")))
