"""Score a fine-tuned model on a labelled file, write its answers to a folder, and show where it errs.

A file is read, answered and written part by part; what stays in memory is a few numbers for a question, and
the label and the answer for any other example. `error_analysis` makes the tables.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

from ..readers.wording import in_a_line
from ..readers.writing import write_text, writing
from ..tasks.qa import QA, spoken
from ..tasks.squad_score import best_threshold, exact_match_and_f1, gold_answers, mean_scores
from ..tasks.tagging import entities
from ..training.distributed import team
from .error_analysis import QuestionScores, Table, confusion, entity_pairs, markdown, type_scores
from .finetuned import Finetuned
from .label_notices import tell_label_notice
from .predict import SpanWriter, answered, question_task

GOLD = {"label", "tags"}  # the fields of an example that a score needs


class Report(NamedTuple):
    """count: number of examples; scores by name, 0 to 100; tables: the analysis."""

    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody calls
    scores: dict[str, float]
    tables: list[Table]

    @property
    def line(self) -> str:
        """The scores in one line."""
        return in_a_line(self.scores)

    @property
    def markdown(self) -> str:
        """The analysis as Markdown."""
        return markdown(self.tables)


def evaluate_file(tuned: Finetuned, path: str | Path, out: str | Path | None = None) -> Report:
    """Score a model on the examples of a labelled file.

    out: folder for `examples.jsonl` (an example and its answer on each line), `scores.json`, `analysis.md`,
    and the predictions (for question answering those of SQuAD's scripts: predictions, n-best lists, null
    odds). Raises what the file's reader raises; nothing is left half written. Of several processes, the first
    one writes.
    """
    out = Path(out) if out and team().first else None
    report = (evaluate_questions if tuned.name == "qa" else evaluate_labels)(tuned, path, out)
    if out:
        write_text(
            out / "scores.json", json.dumps({"examples": report.count, **report.scores}, indent=2) + "\n"
        )
        if report.tables:
            write_text(out / "analysis.md", report.markdown)
    return report


@contextmanager
def records(out: Path | None) -> Iterator[Callable[[dict[str, Any]], Any]]:
    """A context with a function that writes a line of `examples.jsonl`; without a folder, it does nothing."""
    if out is None:
        yield lambda record: None
        return
    out.mkdir(parents=True, exist_ok=True)
    with writing(out / "examples.jsonl") as file:
        yield lambda record: file.write(json.dumps(record, ensure_ascii=False) + "\n")


def evaluate_questions(tuned: Finetuned, path: str | Path, out: Path | None) -> Report:
    """Score a model on a SQuAD file.

    Where questions may have no answer, the best scores over all thresholds are among the scores.
    """
    by_kind, scores, answerable, odds, at_best, record, writer = QuestionScores(), [], [], [], [], None, None
    with ExitStack() as stack:
        for examples, predictions in answered(tuned, path, True, question_task(tuned).predict):
            if record is None:  # only once a first example was read
                record = stack.enter_context(records(out))
                writer = out and SpanWriter(
                    stack, *(out / f"{name}.json" for name in ("predictions", "nbest", "null_odds"))
                )
            for example, prediction in zip(examples, predictions):
                gold = gold_answers(example)
                exact, f1 = exact_match_and_f1(prediction.text, gold)
                kinds = by_kind.add(
                    example.question, example.answers[0][0] if example.answers else "", exact, f1
                )
                scores.append((exact, f1))
                answerable.append(bool(example.answers))
                odds.append(prediction.null_odds)
                at_best.append(exact_match_and_f1(spoken(prediction), gold))
                record(
                    {
                        "id": example.id,
                        "question": example.question,
                        "answers": [text for text, _ in example.answers],
                        "answer": prediction.text,
                        "exact match": exact,
                        "F1": f1,
                        "null odds": prediction.null_odds,
                        **{title.lower(): kind for title, kind in kinds.items()},
                    }
                )
                if writer:
                    writer.add(example, prediction)
        if writer:
            writer.close()
    best = best_scores(tuned, at_best, answerable, odds)
    return Report(len(scores), mean_scores(scores, answerable) | best, by_kind.tables())


def best_scores(
    tuned: Finetuned, scores: Sequence[tuple[float, float]], answerable: Sequence[bool], odds: Sequence[float]
) -> dict[str, float]:
    """The best exact match and F1 over all thresholds, and these thresholds.

    Empty where every question must be answered.
    """
    if not question_task(tuned).unanswerable:
        return {}
    found = {
        name: best_threshold([score[i] for score in scores], answerable, odds)
        for i, name in enumerate(("exact match", "F1"))
    }
    return {
        f"best {name}{part}": pair[i]
        for name, pair in found.items()
        for i, part in enumerate(("", " threshold"))
    }


def evaluate_labels(tuned: Finetuned, path: str | Path, out: Path | None) -> Report:
    """Score a model on a file of any other task, with a confusion table if the answers are labels."""
    examples: list[Any] = []
    answers: list[Any] = []
    record, file = None, None
    with ExitStack() as stack:
        for some, said in answered(tuned, path, True, tuned.task.answer):
            if record is None:  # only once a first example was read
                record = stack.enter_context(records(out))
                if out:
                    file = stack.enter_context(writing(out / "predictions.txt"))
                    file.write(tuned.task.header)
            if file:
                file.write(tuned.task.text(some, said))
            for example, answer in zip(some, said):
                record({**asdict(example), "answer": answer})
            examples += map(bare, some)
            answers += said
    tell_label_notice(tuned.task, examples, path)
    scores = {name: float(value) for name, value in tuned.task.metric(examples, answers).items()}
    return Report(len(examples), scores, mistakes(examples, answers))


def bare(example: Any) -> Any:
    """A copy of an example without its texts, which is enough to score it and small."""
    texts = {
        name: value
        for name, value in vars(example).items()
        if isinstance(value, str | list) and name not in GOLD
    }
    return replace(example, **{name: type(value)() for name, value in texts.items()})


def mistakes(examples: Sequence[Any], answers: Sequence[Any]) -> list[Table]:
    """The confusion table of entity types, of tags, or of labels (scores are rounded).

    For entities, the scores of each type are in another table.
    """
    if hasattr(examples[0], "tags"):
        gold = [example.tags for example in examples]
        if all(tag == "O" or tag[:2] in ("B-", "I-") for tags in (*gold, *answers) for tag in tags):
            pairs = [
                pair
                for right, given in zip(gold, answers)
                for pair in entity_pairs(entities(right), entities(given))
            ]
            return [type_scores(gold, answers), confusion(pairs, "entity")]
        return [confusion([pair for right, given in zip(gold, answers) for pair in zip(right, given)], "tag")]
    if isinstance(answers[0], float):
        rounded = [(f"{example.label:.0f}", f"{answer:.0f}") for example, answer in zip(examples, answers)]
        return [confusion(rounded, "score, rounded,")]
    return [confusion([(str(example.label), str(answer)) for example, answer in zip(examples, answers)])]


def task_with_threshold(tuned: Finetuned, folder: str | Path) -> QA:
    """The task of a model for questions that may have no answer. Raises ValueError for any other."""
    if not isinstance(tuned.task, QA):
        raise ValueError(
            f"{folder} was fine-tuned for {tuned.name}: a threshold is for questions that may have no answer"
        )
    if not tuned.task.unanswerable:
        raise ValueError(f"{folder} answers every question: there is no threshold to fit")
    return tuned.task


def keep_threshold(tuned: Finetuned, report: Report, folder: str | Path | None) -> float:
    """Set the threshold to the one with the best F1 of a report, and return it; a folder gets it, too.

    Raises ValueError for a task without one.
    """
    task = task_with_threshold(tuned, folder or "the model")
    task.threshold = report.scores["best F1 threshold"]
    if folder is None:
        return task.threshold
    path = Path(folder) / "task.json"
    settings = json.loads(path.read_text(encoding="utf-8"))
    write_text(path, json.dumps({**settings, "settings": task.settings}, indent=2) + "\n")
    return task.threshold
