"""Answers of a fine-tuned model: to one question, to one sentence, to a file of any size.

A file is answered and written part by part (and read so, unless it is JSON); several processes of `torchrun`
each answer some of the parts.
"""
import json
import sys
from contextlib import ExitStack
from itertools import islice

from ..corpora.readers.conll import Sentence
from ..corpora.readers.squad import HALF, QAExample
from ..files import writing
from ..tasks.tagging import entities
from ..tokenizer import BasicTokenizer
from ..training.distributed import team
from .kinds import KINDS

# examples, and characters of their texts, that one process has in memory at a time
AT_ONCE, CHARACTERS = 256, 1_000_000


def answer_question(tuned, question, context):
    """The answer's text. Raises ValueError for an empty question or passage."""
    return predict_question(tuned, question, context).text


def predict_question(tuned, question, context):
    """The Prediction for one question. Raises ValueError as answer_question."""
    for name, text in (("question", question), ("context", context)):
        check(text, name)
    return tuned.task.predict(tuned.model, [QAExample("0", question, context, [], False, "")])[0]


def check(text, name):
    """Raise ValueError for a text that cannot be read."""
    if not text.strip():
        raise ValueError(f"the {name} is empty")
    if HALF.search(text):
        raise ValueError(f"the {name} holds half of a surrogate pair, or a byte that is not UTF-8")


def tag_text(tuned, text):
    """The text with its entities in brackets: [Mira Harlow PER] lives in [Ashby LOC]."""
    return marked(text, find_entities(tuned, text), "[{} {}]".format)


def marked(text, spans, mark, plain=str):
    """The text with each span [(start, end, type)] as mark(its text, type), and plain(what stands between).

    >>> marked("Mira left Ashby.", [(0, 4, "PER"), (10, 15, "LOC")], "<{} {}>".format, str.upper)
    '<Mira PER> LEFT <Ashby LOC>.'
    """
    shown, last = "", 0
    for start, end, type_ in spans:
        shown, last = shown + plain(text[last:start]) + mark(text[start:end], type_), end
    return shown + plain(text[last:])


def find_entities(tuned, text):
    """The entities of a text, (start, end, type) with text[start:end] as it is written, in order; ValueError
    for no word.
    """
    check(text, "text")
    words = [(word.start, word.end) for word in BasicTokenizer(lower_case=False).split(text)]
    if not words:
        raise ValueError("the text is empty")
    forms = [text[start:end] for start, end in words]
    tags = tuned.task.answer(tuned.model, [Sentence(forms, ["O"] * len(words), 1)])[0]
    return [(words[first][0], words[last][1], type_) for first, last, type_ in tagged_spans(tags)]


def tagged_spans(tags):
    """(first word, last word, type) of the entities that tags mark; of tags without B- and I-, each word is
    one.

    >>> tagged_spans(["B-PER", "I-PER", "O"]), tagged_spans(["NOUN", "VERB"])
    ([(0, 1, 'PER')], [(0, 0, 'NOUN'), (1, 1, 'VERB')])
    """
    if all(tag == "O" or tag[:2] in ("B-", "I-") for tag in tags):
        return sorted((first, last, type_) for type_, first, last in entities(tags))
    return [(i, i, tag) for i, tag in enumerate(tags)]


def answered(tuned, path, labelled, answer):
    """Yields (examples, answers) of a file, part by part, in its order. answer: a method of the task, (model,
    examples) -> answers.

    Of as many parts as there are processes each answers one, and all are given the answers of all.
    """
    parts = chunks(KINDS[tuned.name].iterate(path, labelled), tuned.task.together)
    while turn := list(islice(parts, team().size)):
        mine = turn[team().rank:team().rank + 1]
        yield from zip(turn, team().gather(answer(tuned.model, *mine) if mine else None))


def chunks(examples, together=lambda one, other: False, at_once=AT_ONCE, characters=CHARACTERS):
    """Lists of examples that are short enough to be answered at once; longer ones, or those that belong
    together, are not parted.

    >>> [len(chunk) for chunk in chunks([QAExample("", "", "x" * n, [], False, "") for n in (3, 3, 9, 1)], at_once=2, characters=7)]
    [2, 1, 1]
    """
    chunk, size = [], 0
    for example in examples:
        length = sum(len(value) for value in vars(example).values() if isinstance(value, str | list))
        if chunk and (len(chunk) >= at_once or size + length > characters) and not together(chunk[-1],
                                                                                            example):
            yield chunk
            chunk, size = [], 0
        chunk.append(example)
        size += length
    if chunk:
        yield chunk


class JsonObject:
    """A JSON object that is written entry by entry into an open file, one on a line; `close` ends it."""

    def __init__(self, file):
        self.file, self.before = file, "{\n "

    def add(self, key, value):
        self.file.write(
            f"{self.before}{json.dumps(key, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}")
        self.before = ",\n "

    def close(self):
        self.file.write("\n}\n" if self.before[0] == "," else "{}\n")


class SpanWriter:
    """SQuAD's files, each where a path is given: predictions (id to answer), n-best lists, null odds, as
    `run_squad.py` writes.
    """

    def __init__(self, stack, predictions, nbest=None, null_odds=None):
        self.files = [JsonObject(stack.enter_context(writing(path))) if path else None
                      for path in (predictions, nbest, null_odds)]
        if predictions is None:
            self.files[0] = JsonObject(sys.stdout)

    def add(self, example, prediction):
        """Write what was predicted for an example."""
        best = [{"text": a.text, "probability": a.probability, "start_logit": a.start_logit,
                 "end_logit": a.end_logit}
                for a in prediction.best]
        for file, value in zip(self.files, (prediction.text, best, prediction.null_odds)):
            if file:
                file.add(example.id, value)

    def close(self):
        for file in filter(None, self.files):
            file.close()


def predict_file(tuned, path, out=None, nbest=None, null_odds=None):
    """Write the answers to a file of the task; returns their number. out: None = standard output.

    SQuAD: JSON, id to text; nbest and null_odds: files for the lists of best answers, and for how far "no
    answer" is above the best. Other tasks: what their `header` and `text` say. The labels of the file are not
    looked at. An output file is whole or not there; of several processes, the first one writes.
    """
    if tuned.name != "qa" and (nbest or null_odds):
        raise ValueError(f"n-best lists and null odds are of question answering, not of {tuned.name}")
    if not team().first:
        out = nbest = null_odds = None
    with ExitStack() as stack:
        if tuned.name == "qa":
            return write_spans(tuned, path, lambda: SpanWriter(stack, out, nbest, null_odds))
        file, count = None, 0
        for examples, answers in answered(tuned, path, False, tuned.task.answer):
            if file is None:                                            # not before a first example was read
                file = stack.enter_context(writing(out)) if out else sys.stdout
                file.write(tuned.task.header)
            file.write(tuned.task.text(examples, answers))
            count += len(examples)
    return count


def write_spans(tuned, path, open_writer):
    """Answer a SQuAD file; returns the number of questions."""
    count, writer = 0, None
    for examples, predictions in answered(tuned, path, False, tuned.task.predict):
        writer = writer or open_writer()
        for example, prediction in zip(examples, predictions):
            writer.add(example, prediction)
        count += len(examples)
    writer.close()
    return count
