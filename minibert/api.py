"""Load a model, use it, score it: functions that `import minibert` offers, beside those of `runs`.

The command line calls the same ones. Modules are imported when a function needs them, so that importing this
file loads no PyTorch.
"""
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .options import check_folder

if TYPE_CHECKING:
    from .finetuning.evaluate import Report
    from .finetuning.predict import Entity
    from .finetuning.run import Finetuned
    from .generated import Document
    from .model.checkpoints.pretrained import Pretrained

TOUR = "tour"                   # the name of the model that `minibert tour` leaves in this user's cache
ENGLISH = "english"             # the name of the model that knows English


def load(name_or_folder: str | Path = TOUR, device: str | None = None,
         instead: "Pretrained | Finetuned | None" = None) -> "Pretrained | Finetuned":
    """Load a model: a folder, or the name of a BERT, RoBERTa, ALBERT or ELECTRA on Hugging Face's hub.

    Returns a Pretrained with `fill_mask`, or, for a folder that `finetune` wrote, a Finetuned with `predict`;
    both have `model`, `tokenizer`, `config` and `save`. "tour" is the model that `minibert tour` left; if it
    never ran, a smaller one is trained first, in half a minute. "english" is a published encoder that knows
    English, with heads of ours; "english-qa", "english-ner" and "english-sentiment" are fine-tuned from it.
    The encoder is fetched once (91 MB); where that fails, a line says so and `instead` is returned: by
    default "tour" for "english"; for the others there is none, and EnglishMissing, a ValueError, is raised.
    device: cpu, cuda or mps, where the model goes; without it, what is loaded is on the cpu, on every machine
    and however it was made. Raises ValueError, naming the file, for a folder that is damaged or is none.

    Example:
        bert = minibert.load()                          # or minibert.load("google-bert/bert-base-uncased")
        print(bert.config.hidden_size, len(bert.tokenizer))
    """
    from .finetuning.run import Finetuned
    from .training.device import choose_device
    where = choose_device(device or "cpu")
    if (Path(name_or_folder) / "task.json").is_file():
        return Finetuned.load(name_or_folder, where)
    found = (english_or(name_or_folder, instead) if str(name_or_folder).split("-")[0] == ENGLISH
             else pretrained(name_or_folder))
    found.model.to(where)
    return found


def english_or(name: str | Path, instead: "Pretrained | Finetuned | None") -> "Pretrained | Finetuned":
    """An English model; where its encoder is not to be had, what stands in, after a line that says so."""
    from .english.model import TASKS, english_task
    from .english.published import EnglishMissing
    try:
        return english_task(str(name)) if str(name) in TASKS else pretrained(name)
    except EnglishMissing as error:
        if instead is None and str(name) != ENGLISH:
            raise
        instead = instead or pretrained(TOUR)
        print(f"The course's own model takes the place of {name}: {error}")
        return instead


def pretrained(model: "str | Path | Pretrained") -> "Pretrained":
    """The Pretrained of a folder, of a name as in `load`, or the given one."""
    from .model.checkpoints.pretrained import Pretrained, with_pooler
    if isinstance(model, Pretrained):
        return model
    if not isinstance(model, str | Path):
        raise ValueError(f"{type(model).__name__} where a pretrained model is needed: a folder, a name, or "
                         "what minibert.load returns for one")
    if str(model) == TOUR:
        from .class_model import class_model
        return with_pooler(*class_model(), TOUR)
    if str(model) == ENGLISH:
        from .english.model import english
        return english()
    return Pretrained.load(model)


def fill_mask(text: str, model: "str | Path | Pretrained" = TOUR,
              top: int = 5) -> list[list[tuple[str, float]]]:
    """The most probable tokens for each [MASK] in a text, as lists of (token, probability), best first.

    model: as for `load`. top: length of a list. Raises ValueError for a text without [MASK], one that is
    longer than the model reads, and a model that was not trained to fill it.

    Example:
        for token, probability in minibert.fill_mask("She was born in [MASK].", top=3)[0]:
            print(f"{token:10s} {probability:.0%}")
    """
    return pretrained(model).fill_mask(text, top)


def finetuned(model: "str | Path | Finetuned", device: str | None = None) -> "Finetuned":
    """The Finetuned of a folder or of a name as in `load`, or the given one.

    device: that of the result, by name (default: the best one present).
    """
    from .finetuning.run import Finetuned
    from .training.device import choose_device
    if not isinstance(model, str | Path | Finetuned):
        raise ValueError(f"{type(model).__name__} where a fine-tuned model is needed: its folder, or what "
                         "minibert.finetune returns")
    if isinstance(model, Finetuned):
        return model
    from .english.model import TASKS
    where = choose_device(device)
    if str(model) not in TASKS:
        return Finetuned.load(model, where)
    found = load(model, str(where))
    assert isinstance(found, Finetuned)
    return found


def evaluate(model: "str | Path | Finetuned", data: str | Path, out: str | Path | None = None, *,
             fit_threshold: bool = False, device: str | None = None) -> "Report":
    """Score a fine-tuned model on a labelled file; returns a Report with `scores`, `count` and `tables`.

    model: a folder that `finetune` wrote, or its result. out: folder for predictions, scores and the analysis
    of errors. fit_threshold: for questions that may have no answer, set the threshold to the one with the
    best F1 on this file, and keep it in the model's folder. Raises ValueError, naming the reason.

    Example:
        report = minibert.evaluate("my-ner", "dev.conll")
        print(report.line)
    """
    out = None if out is None else check_folder(out)
    from .finetuning.evaluate import evaluate_file, keep_threshold, task_with_threshold
    from .training.distributed import team
    tuned = finetuned(model, device)
    if fit_threshold:
        name = str(model) if tuned is not model else "the model"
        task = task_with_threshold(tuned, name)
        found = evaluate_file(tuned, data)  # and then once more, with what it found
        task.threshold = team().once(
            lambda: keep_threshold(tuned, found, None if tuned is model else name))
    return evaluate_file(tuned, data, out)


def predict(model: "str | Path | Finetuned", text: str | None = None, *, text_pair: str | None = None,
            question: str | None = None, context: str | None = None,
            device: str | None = None) -> "str | float | list[Entity]":
    """The answer of a fine-tuned model to one input.

    model: a folder that `finetune` wrote, or its result. text: for tagging, whose answer is a list of Entity
    (text, type, start, end), and for sentence tasks, whose answer is a label or a score; those that compare
    two texts take text_pair, too. question, context: for question answering, whose answer is a text, "" for
    none. `Finetuned.predict_file` answers whole files. Raises ValueError for other inputs.

    Example:
        for entity in minibert.predict("my-ner", "Mira Harlow lives in Ashby."):
            print(entity.text, entity.type)
    """
    return finetuned(model, device).predict(text, text_pair=text_pair, question=question, context=context)


def world(documents: int = 20, *, seed: int = 0, split: str = "train",
          kind: str | Sequence[str] | None = None,
          out: str | Path | None = None) -> "list[Document] | list[Path]":
    """Documents of the generated language; with `out`, label files for the tasks, whose paths are returned.

    documents: their number, or that of the examples of a task. seed: of the world and its texts; models of
    the course know the world of seed 7. split: pretrain (text without labels), train, dev or test. kind: what
    to write, one of the kinds of `minibert world --help` or several; None = text, squad and ner. Raises
    ValueError for an unknown split or kind, and for kinds without `out`.

    Example:
        print(minibert.world(1, seed=7)[0].text)
        minibert.world(20, kind=["ner", "mnli"], out="data")
    """
    from .generated import World
    from .generated.files import write_files
    kinds = [kind] if isinstance(kind, str) else list(kind or ())
    if out is None:
        if kinds not in ([], ["text"]):
            raise ValueError(f"kind {' '.join(kinds)} is written to files: give out, their folder")
        return list(World(seed).documents(documents, seed=seed, split=split))
    kinds = kinds or (["text"] if split == "pretrain" else ["text", "squad", "ner"])
    return write_files(World(seed), documents, seed, split, kinds, check_folder(out))
