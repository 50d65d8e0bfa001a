"""Answer with a fine-tuned model: one question, one text, or a file of any size.

A file is answered and written part by part (and read so, unless it is JSON); several processes of `torchrun`
share the parts.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from ..readers.conll import Sentence
from ..readers.glue import TextExample
from ..readers.squad import HALF, QAExample
from ..readers.writing import writing
from ..tasks.qa import QA, Prediction
from ..tasks.tagging import entities
from ..tokenizer import BasicTokenizer
from ..training.distributed import team
from .records import NamedEntity, TaskModel
from .registry import REGISTRY, texts_of

# examples, and characters of their texts, that one process has in memory at a time
AT_ONCE, CHARACTERS = 256, 1_000_000


def answer_inputs(
    tuned: TaskModel,
    text: str | None = None,
    *,
    text_pair: str | None = None,
    question: str | None = None,
    context: str | None = None,
) -> str | float | list[NamedEntity]:
    """The answer to one input, of the kind that the task takes: see `minibert.predict`.

    Raises ValueError where an input is missing, or one is given that the task does not take.
    """
    inputs = {"text": text, "text_pair": text_pair, "question": question, "context": context}
    given = {name: value for name, value in inputs.items() if value is not None}
    needed = inputs_of(tuned)
    if not needed:
        raise ValueError(f"a model for {tuned.name} answers files only")
    if set(given) != set(needed):
        raise ValueError(
            f"a model for {tuned.name} takes {' and '.join(needed)}, not {' and '.join(given) or 'nothing'}"
        )
    if tuned.name == "qa":
        return answer_question(tuned, given["question"], given["context"])
    if hasattr(tuned.task, "tags"):
        return [
            NamedEntity(given["text"][start:end], type_, start, end)
            for start, end, type_ in find_entities(tuned, given["text"])
        ]
    return classify_text(tuned, given["text"], given.get("text_pair"))


def inputs_of(tuned: TaskModel) -> tuple[str, ...]:
    """The names of the inputs that a task takes one at a time; none for a task that answers files only."""
    if tuned.name == "qa":
        return "question", "context"
    if hasattr(tuned.task, "tags"):
        return ("text",)
    return ("text", "text_pair")[: texts_of(tuned.name)]


def answer_question(tuned: TaskModel, question: str, context: str) -> str:
    """The text of the answer. Raises ValueError for an empty question or passage."""
    return predict_question(tuned, question, context).text


def predict_question(tuned: TaskModel, question: str, context: str) -> Prediction:
    """The Prediction for one question. Raises ValueError as answer_question."""
    for name, text in (("question", question), ("context", context)):
        check(text, name)
    return question_task(tuned).predict(tuned.model, [QAExample("0", question, context, [], False, "")])[0]


def question_task(tuned: TaskModel) -> QA:
    """The task of a model for question answering. Raises ValueError for any other model."""
    if not isinstance(tuned.task, QA):
        raise ValueError(f"a model for {tuned.name} answers no questions")
    return tuned.task


def classify_text(tuned: TaskModel, text: str, text_pair: str | None = None) -> str | float:
    """The label or the score of one text, or of two. Raises ValueError for an empty text."""
    check(text, "text")
    if text_pair is not None:
        check(text_pair, "second text")
    return tuned.task.answer(tuned.model, [TextExample(text, text_pair, None, "0", 1)])[0]


def check(text: str, name: str) -> None:
    """Raise ValueError for a text that cannot be read."""
    if not text.strip():
        raise ValueError(f"the {name} is empty")
    if HALF.search(text):
        raise ValueError(f"the {name} holds half of a surrogate pair, or a byte that is not UTF-8")


def tag_text(tuned: TaskModel, text: str) -> str:
    """The text with its entities in brackets: [Mira Harlow PER] lives in [Ashby LOC]."""
    return marked(text, find_entities(tuned, text), "[{} {}]".format)


def marked(
    text: str,
    spans: Iterable[tuple[int, int, str]],
    mark: Callable[[str, str], str],
    plain: Callable[[str], str] = str,
) -> str:
    """The text with each span (start, end, type) replaced by mark(its text, type), and plain(the rest).

    >>> marked("Mira left Ashby.", [(0, 4, "PER"), (10, 15, "LOC")], "<{} {}>".format, str.upper)
    '<Mira PER> LEFT <Ashby LOC>.'
    """
    shown, last = "", 0
    for start, end, type_ in spans:
        shown, last = shown + plain(text[last:start]) + mark(text[start:end], type_), end
    return shown + plain(text[last:])


def find_entities(tuned: TaskModel, text: str) -> list[tuple[int, int, str]]:
    """The entities of a text in order, as (start, end, type), where text[start:end] are the words.

    Raises ValueError for a text without words.
    """
    check(text, "text")
    words = [(word.start, word.end) for word in BasicTokenizer(lower_case=False).split(text)]
    if not words:
        raise ValueError("the text is empty")
    forms = [text[start:end] for start, end in words]
    tags = tuned.task.answer(tuned.model, [Sentence(forms, ["O"] * len(words), 1)])[0]
    return [(words[first][0], words[last][1], type_) for first, last, type_ in tagged_spans(tags)]


def tagged_spans(tags: Sequence[str]) -> list[tuple[int, int, str]]:
    """The entities that tags mark, as (first word, last word, type).

    Without B- and I-, each word is an entity.

    >>> tagged_spans(["B-PER", "I-PER", "O"]), tagged_spans(["NOUN", "VERB"])
    ([(0, 1, 'PER')], [(0, 0, 'NOUN'), (1, 1, 'VERB')])
    """
    if all(tag == "O" or tag[:2] in ("B-", "I-") for tag in tags):
        return sorted((first, last, type_) for type_, first, last in entities(tags))
    return [(i, i, tag) for i, tag in enumerate(tags)]


def answered(
    tuned: TaskModel, path: str | Path, labelled: bool, answer: Callable[..., list[Any]]
) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yield (examples, answers) of a file, part by part, in its order.

    answer: a method of the task, (model, examples) -> answers. Several processes answer a part each, and all
    of them receive all answers.
    """
    parts = chunks(REGISTRY[tuned.name].iterate(path, labelled), tuned.task.together)
    while turn := list(islice(parts, team().size)):
        mine = turn[team().rank : team().rank + 1]
        yield from zip(turn, team().gather(answer(tuned.model, *mine) if mine else None))


def chunks(
    examples: Iterable[Any],
    together: Callable[[Any, Any], bool] = lambda one, other: False,
    at_once: int = AT_ONCE,
    characters: int = CHARACTERS,
) -> Iterator[list[Any]]:
    """Split examples into lists that are short enough to be answered at once.

    A single example is never split, nor are those that belong together.

    >>> examples = [QAExample("", "", "x" * n, [], False, "") for n in (3, 3, 9, 1)]
    >>> [len(chunk) for chunk in chunks(examples, at_once=2, characters=7)]
    [2, 1, 1]
    """
    chunk: list[Any] = []
    size = 0
    for example in examples:
        length = sum(len(value) for value in vars(example).values() if isinstance(value, str | list))
        if (
            chunk
            and (len(chunk) >= at_once or size + length > characters)
            and not together(chunk[-1], example)
        ):
            yield chunk
            chunk, size = [], 0
        chunk.append(example)
        size += length
    if chunk:
        yield chunk


class JsonObject:
    """A JSON object that is written entry by entry into an open file, one on a line; `close` ends it."""

    def __init__(self, file: TextIO) -> None:
        self.file, self.before = file, "{\n "

    def add(self, key: str, value: Any) -> None:
        """Write one entry."""
        self.file.write(
            f"{self.before}{json.dumps(key, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}"
        )
        self.before = ",\n "

    def close(self) -> None:
        """Write the end of the object; the file stays open."""
        self.file.write("\n}\n" if self.before[0] == "," else "{}\n")


class SpanWriter:
    """Writes SQuAD's files in the form of `run_squad.py`: predictions, n-best lists, null odds.

    Predictions map an id to an answer; without a path they go to standard output. The other files are only
    written if they have a path.
    """

    def __init__(
        self,
        stack: ExitStack,
        predictions: str | Path | None,
        nbest: str | Path | None = None,
        null_odds: str | Path | None = None,
    ) -> None:
        self.files = [
            JsonObject(stack.enter_context(writing(path))) if path else None
            for path in (predictions, nbest, null_odds)
        ]
        if predictions is None:
            self.files[0] = JsonObject(sys.stdout)

    def add(self, example: QAExample, prediction: Prediction) -> None:
        """Write the prediction for an example."""
        best = [
            {
                "text": a.text,
                "probability": a.probability,
                "start_logit": a.start_logit,
                "end_logit": a.end_logit,
            }
            for a in prediction.best
        ]
        for file, value in zip(self.files, (prediction.text, best, prediction.null_odds)):
            if file:
                file.add(example.id, value)

    def close(self) -> None:
        """Write the end of each file."""
        for file in filter(None, self.files):
            file.close()


def predict_file(
    tuned: TaskModel,
    path: str | Path,
    out: str | Path | None = None,
    nbest: str | Path | None = None,
    null_odds: str | Path | None = None,
) -> int:
    """Write the answers to a file of the task and return their number. out: None = standard output.

    For SQuAD, JSON with id to text; nbest and null_odds: files for the lists of best answers, and for how far
    "no answer" is above the best. For other tasks, the task's `header` and `text`. The labels of the file are
    not read. An output file appears whole or not at all; of several processes, the first one writes.
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
            if file is None:  # only once a first example was read
                file = stack.enter_context(writing(out)) if out else sys.stdout
                file.write(tuned.task.header)
            file.write(tuned.task.text(examples, answers))
            count += len(examples)
    return count


def write_spans(tuned: TaskModel, path: str | Path, open_writer: Callable[[], SpanWriter]) -> int:
    """Answer a SQuAD file and return the number of questions."""
    count, writer = 0, None
    for examples, predictions in answered(tuned, path, False, question_task(tuned).predict):
        writer = writer or open_writer()
        for example, prediction in zip(examples, predictions):
            writer.add(example, prediction)
        count += len(examples)
    if writer:
        writer.close()
    return count
