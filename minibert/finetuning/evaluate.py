"""Evaluation of a fine-tuned model on a labelled file, with its predictions, scores and error analysis."""

import json
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

from ..readers.wording import format_scores, plural
from ..readers.writing import write_text
from ..tasks.error_analysis import Table, markdown
from ..training.distributed import team
from .finetuned import Finetuned
from .notices import check_labels, telling_truncation
from .predict import answered, lazy_file, prediction_files
from .registry import Columns, Source


class Report(NamedTuple):
    """The result of an evaluation: number of examples, scores by name (0 to 100), and error tables."""

    count: int  # type: ignore[assignment]  # hides tuple.count, which is not used
    scores: dict[str, float]
    tables: list[Table]

    def __repr__(self) -> str:
        return f"Report({plural(self.count, 'example')}: {self.line})"

    @property
    def line(self) -> str:
        return format_scores(self.scores)

    @property
    def markdown(self) -> str:
        return markdown(self.tables)


def evaluate_file(
    tuned: Finetuned, source: Source, out: str | Path | None = None, columns: Columns = None
) -> Report:
    """Score a model on the examples of a labelled file, or on a list of examples.

    columns: the names of the file's columns. out: a folder for `examples.jsonl` (an example and its answer on
    each line), `scores.json`, `analysis.md`, and the predictions (for question answering the files of SQuAD's
    scripts: predictions, n-best lists, null odds). Errors of the file's reader are re-raised, and no file is
    left incomplete. If there are several processes, only the first one writes.
    """
    out = Path(out) if out and team().first else None
    called = source if isinstance(source, str | Path) else "data"
    task, count = tuned.task, 0
    evaluation = task.evaluation()
    paths = {name: out / f"{name}{task.file_format.ending}" for name in task.files} if out else {}
    lines = lazy_file(out / "examples.jsonl") if out else nullcontext(lambda line: None)
    with (
        telling_truncation(task, called, apart=True),
        prediction_files(task, paths) as write,
        lines as write_line,
    ):
        for examples, predictions in answered(tuned, source, True, columns):
            if out:
                out.mkdir(parents=True, exist_ok=True)
            for example, prediction in zip(examples, predictions):
                write_line(json.dumps(evaluation.add(example, prediction), ensure_ascii=False) + "\n")
                write(example, prediction)
            count += len(examples)
        if not count:
            raise ValueError(f"{called}: there are no examples")
        check_labels(task, evaluation.examples, called)  # an error here leaves no files
    report = Report(count, evaluation.scores(), evaluation.tables())
    if out:
        write_text(
            out / "scores.json", json.dumps({"examples": report.count, **report.scores}, indent=2) + "\n"
        )
        if report.tables:
            write_text(out / "analysis.md", report.markdown)
    return report


def check_threshold(tuned: Finetuned, folder: str | Path) -> None:
    """Raise ValueError, naming the model's folder, unless the model may leave questions unanswered."""
    if tuned.task.threshold is None:
        raise ValueError(
            f"{folder} was fine-tuned for {tuned.name}: only models for questions that may have no answer "
            f"have a threshold"
        )
    if not tuned.task.unanswerable:
        raise ValueError(f"{folder} answers every question, so it has no threshold to fit")


def keep_threshold(tuned: Finetuned, report: Report, folder: str | Path | None) -> float:
    """Set and return the "no answer" threshold with the best F1; save it in the model's folder, if given."""
    threshold = tuned.task.threshold = report.scores["best F1 threshold"]
    if folder is not None:
        path = Path(folder) / "task.json"
        settings = json.loads(path.read_text(encoding="utf-8"))
        write_text(path, json.dumps({**settings, "settings": tuned.task.settings}, indent=2) + "\n")
    return threshold
