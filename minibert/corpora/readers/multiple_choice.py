"""A text and several options of which one is right: SWAG's CSV, RACE's JSON, CODAH's TSV.

Zellers et al. (2018, arXiv 1808.05326): how a scene goes on. Lai et al. (2017, arXiv 1704.04683): questions
about a passage. Chen et al. (2019, arXiv 1904.04365): endings, as in SWAG. The generated language has files
of the first two kinds.
"""
import re
from dataclasses import dataclass
from pathlib import Path

from ...messages import plural
from .columns import check_once, csv_rows, tab_rows, whole
from .json_file import read_json
from .squad import field
from .utf8_text import CorpusError

GAP = re.compile("_+")      # in a question of RACE: where the option belongs
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CODAH_OPTIONS = 4


@dataclass(frozen=True)
class ChoiceExample:
    """context: what comes before, or the passage; question: the beginning of every option, or a question, or
    ""; options: texts.

    label: the number of the right option from 0, or None where that is not known; names: what the file calls
    the options.
    """

    context: str
    question: str
    options: list
    label: int | None
    names: list

    @property
    def endings(self):
        """The question with each option, in its gap or after it, one text each.

        >>> ChoiceExample("", "Mira has a _ .", ["dog", "cow"], 0, ["A", "B"]).endings
        ['Mira has a dog .', 'Mira has a cow .']
        """
        if GAP.search(self.question):
            return [GAP.sub(lambda _, option=option: option, self.question, count=1)
                    for option in self.options]
        return [f"{self.question} {option}".strip() for option in self.options]


def iter_swag(path, labelled=True):
    """The examples, one by one, of a CSV with a header, of whose columns sent1, sent2, ending0, ending1, ...
    and label are read.

    sent1 is the context, sent2 begins every option, label counts from 0. Without `labelled`, the label is not
    looked at and need not be there. Raises CorpusError, with the line on which a row begins, for a column
    that is missing or there twice, a row of another length, a quote that is not closed, an empty ending, a
    label that is no option, and for what `stream_text` refuses.
    """
    rows = csv_rows(path)
    start, header = next(rows)
    endings = [f"ending{i}"
               for i in range(sum(re.fullmatch(r"ending\d+", name) is not None for name in header))]
    needed = ["sent1", "sent2", *(endings if len(endings) > 1 else ["ending0", "ending1"]),
              *(["label"] if labelled else [])]
    check_once(path, header, needed, start)
    for name in needed:
        if name not in header:
            raise CorpusError.at(path, f"no column {name!r} in the header", start)
    found = False
    for line, cells in rows:
        if len(cells) != len(header):
            raise CorpusError.at(path, f"{plural(len(cells), 'cell')}, but the header has {len(header)}",
                                 line)
        row = dict(zip(header, cells))
        options = [row[name] for name in endings]
        check_texts(path, line, {"sent1": row["sent1"], **dict(zip(endings, options))})
        names = [str(i) for i in range(len(options))]
        label = number(path, line, row["label"], names) if labelled else None
        found = True
        yield ChoiceExample(row["sent1"], row["sent2"], options, label, names)
    if not found:
        raise CorpusError.at(path, "the file holds a header, but no example")


read_swag = whole(iter_swag)


def iter_codah(path, labelled=True):
    """The examples, one by one, of lines with tabs: category (may be empty), context, four endings, the right
    one's number from 0.

    Quotes are characters like any other. Without `labelled`, the number is not looked at and need not be
    there. Raises CorpusError for a line with more or fewer columns, an empty text, a number that is no
    option, and for what `stream_text` refuses.
    """
    columns, names = 2 + CODAH_OPTIONS, [str(i) for i in range(CODAH_OPTIONS)]
    for line, cells in tab_rows(path):
        if len(cells) != columns + 1 and (labelled or len(cells) != columns):
            wanted = (f"{columns + labelled}: category, context, {CODAH_OPTIONS} endings"
                      + ", the right one's number" * labelled)
            raise CorpusError.at(
                path, f"{plural(len(cells), 'cell')} with tabs between, but a line has {wanted}", line)
        _, context, *options = cells[:columns]
        check_texts(path, line, {"context": context,
                                 **{f"ending {name}": option for name, option in zip(names, options)}})
        label = number(path, line, cells[columns], names) if labelled else None
        yield ChoiceExample(context, "", options, label, names)


read_codah = whole(iter_codah)


def number(path, line, cell, names):
    """The number that a cell names."""
    if cell.strip() not in names:
        raise CorpusError.at(path, f"label {cell!r} is not a number from {names[0]} to {names[-1]}", line)
    return names.index(cell.strip())


def check_texts(path, line, texts):
    """Raise CorpusError for the first of {name: text} that is empty."""
    for name, text in texts.items():
        if not text.strip():
            raise CorpusError.at(path, f"{name} is empty", line)


def iter_race(path, labelled=True):
    """The questions, one by one, of one JSON file, or of all files (.txt, .json) in a folder and the folders
    in it, in the order of their names.

    A file is an object with `article`, `questions`, `options` (a list a question) and `answers` (letters). An
    option may be empty. Without `labelled`, the answers are not looked at and need not be there. Raises
    CorpusError, with the JSON path, for broken JSON, a wrong structure, lists of unequal length, a question
    with fewer or more options than the first one, a letter that is no option, a folder without a file, no
    questions at all, and for what `stream_text` refuses.
    """
    files = [Path(path)]
    if Path(path).is_dir():
        files = sorted(file for file in Path(path).rglob("[!.]*") if file.suffix in (".txt", ".json")
                       and file.is_file())
        if not files:
            raise CorpusError.at(path, "no file .txt or .json in this folder, nor in those in it")
    count = None                                        # of each question's options
    for file in files:
        for i, example in enumerate(read_passage(file, labelled)):
            own = len(example.options)
            count = count or own
            if own != count:
                raise CorpusError.at(
                    file, f"options[{i}] has length {own}, the questions before have {count} options")
            yield example
    if not count:
        raise CorpusError.at(path, "no question")


read_race = whole(iter_race)


def read_passage(path, labelled):
    """The questions of one file."""
    values = read_json(path)
    article = field(path, values, "", "article", str)
    lists = {key: field(path, values, "", key, list)
             for key in ("questions", "options", *(["answers"] if labelled else []))}
    for key, entries in lists.items():
        if len(entries) != len(lists["questions"]):
            raise CorpusError.at(path,
                                 f"{key} has length {len(entries)}, questions has {len(lists['questions'])}")
    examples = []
    for i, options in enumerate(lists["options"]):
        question = text_of(path, lists["questions"][i], f"questions[{i}]")
        if type(options) is not list or not 2 <= len(options) <= len(LETTERS):
            raise CorpusError.at(path, f"options[{i}] is not a list of 2 to {len(LETTERS)} texts")
        options = [text_of(path, option, f"options[{i}][{k}]") for k, option in enumerate(options)]
        names, label = [*LETTERS[:len(options)]], None
        if labelled:
            letter = text_of(path, lists["answers"][i], f"answers[{i}]")
            if letter not in names:
                raise CorpusError.at(path, f"answers[{i}] is {letter!r}, not a letter from A to {names[-1]}")
            label = names.index(letter)
        examples.append(ChoiceExample(article, question, options, label, names))
    return examples


def text_of(path, value, where):
    """A value that must be a text."""
    return field(path, {where: value}, "", where, str)
