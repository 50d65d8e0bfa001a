"""The public face of the package: every function that `import minibert` offers.

The command line calls the same ones; `training`, `finetuning` and the other rooms do the work. Given a
folder, an interrupted run resumes when the same call is repeated. Each function imports what it needs when it
runs, so that importing this file loads no PyTorch.
"""

import copy
from collections.abc import Sequence
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import config
from .config import ModelConfig
from .readers.writing import check_folder

if TYPE_CHECKING:
    from .finetuning.evaluate import Report
    from .finetuning.finetuned import Finetuned
    from .generated import Document
    from .model.checkpoints.pretrained import Pretrained
    from .tasks.records import NamedEntity

TOUR = "tour"  # the name of the model that `minibert tour` leaves in this user's cache
ENGLISH = "english"  # the name of the model that knows English
MODELS = "minibert.models"  # the entry points of named models: a function that returns a Pretrained


def load(
    name_or_folder: str | Path = TOUR,
    device: str | None = None,
    instead: "Pretrained | Finetuned | None" = None,
) -> "Pretrained | Finetuned":
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
    from .finetuning.finetuned import Finetuned
    from .training.device import choose_device

    where = choose_device(device or "cpu")
    if (Path(name_or_folder) / "task.json").is_file():
        return Finetuned.load(name_or_folder, where)
    found = (
        english_or(name_or_folder, instead)
        if str(name_or_folder).split("-")[0] == ENGLISH
        else as_pretrained(name_or_folder)
    )
    found.model.to(where)
    return found


def english_or(name: str | Path, instead: "Pretrained | Finetuned | None") -> "Pretrained | Finetuned":
    """An English model; where its encoder is not to be had, what stands in, after a line that says so."""
    from .english.model import TASKS, english_task
    from .english.published import EnglishMissing

    try:
        return english_task(str(name)) if str(name) in TASKS else as_pretrained(name)
    except EnglishMissing as error:
        if instead is None and str(name) != ENGLISH:
            raise
        instead = instead or as_pretrained(TOUR)
        print(f"The course's own model takes the place of {name}: {error}")
        return instead


def as_pretrained(model: "str | Path | Pretrained") -> "Pretrained":
    """Return the Pretrained of a folder, of a name as in `load`, or the given one.

    A name is looked up among the entry points MODELS first: so the library finds models of the course, or of
    any installed package, without knowing them.
    """
    from .model.checkpoints.pretrained import Pretrained

    if isinstance(model, Pretrained):
        return model
    if not isinstance(model, str | Path):
        raise ValueError(
            f"{type(model).__name__} where a pretrained model is needed: a folder, a name, or "
            "what minibert.load returns for one"
        )
    if str(model) == ENGLISH:
        from .english.model import english

        return english()
    for named in entry_points(group=MODELS, name=str(model)):
        return named.load()()
    return Pretrained.load(model)


def fill_mask(
    text: str, model: "str | Path | Pretrained" = TOUR, top: int = 5
) -> list[list[tuple[str, float]]]:
    """The most probable tokens for each [MASK] in a text, as lists of (token, probability), best first.

    model: as for `load`. top: length of a list. Raises ValueError for a text without [MASK], one that is
    longer than the model reads, and a model that was not trained to fill it.

    Example:
        for token, probability in minibert.fill_mask("She was born in [MASK].", top=3)[0]:
            print(f"{token:10s} {probability:.0%}")
    """
    return as_pretrained(model).fill_mask(text, top)


def pretrain(
    corpus: str | Path | Sequence[str | Path] | None = None,
    out: str | Path | None = None,
    *,
    documents: int = 6000,
    vocab_size: int = 4000,
    vocab: str | Path | None = None,
    cache: str | Path | None = None,
    workers: int | None = None,
    preset: str | ModelConfig = "class",
    max_length: int = 96,
    steps: int = 1000,
    batch_size: int = 32,
    peak_rate: float = 2e-3,
    optimizer: str = "muon",
    phases: str = "growing",
    schedule: str = "linear",
    warmup: float = 0.1,
    weight_decay: float = 0.01,
    clip: float = 1.0,
    accumulate: int = 1,
    recompute: bool = False,
    save_every: int = 200,
    compile: bool = False,  # noqa: A002
    mask_rate: float = 0.15,
    seed: int = 0,
    device: str | None = None,
    progress: bool = True,
) -> "Pretrained":
    """Pretrain a BERT on text files (books, paragraphs, or a sentence a line) and return it.

    corpus: one file or several; None for the generated language, `documents` of it. out: folder for the
    model; None for no folder. preset: the size, by name or as a ModelConfig. The other arguments are the
    options of `minibert pretrain --help`. Raises ValueError or OSError, naming the reason.

    Example:
        bert = minibert.pretrain("text.txt", "my-bert", steps=20, batch_size=4, vocab_size=200)
        print(bert.fill_mask("The cat sat on the [MASK].")[0])
    """
    options = dict(locals())
    folder = None if out is None else check_folder(out)
    from .data.cache import text_of_files
    from .model.checkpoints.pretrained import with_pooler
    from .readers.wording import plural
    from .training.config import TrainConfig, decisive
    from .training.corpus import encoded
    from .training.device import choose_device
    from .training.distributed import join
    from .training.pretraining import bert_objective, keep_pretrained
    from .training.pretraining import pretrain as train_bert
    from .training.recipes import phases_of
    from .training.threads import cores

    settings = TrainConfig(
        **{name: options[name] for name in TrainConfig.__dataclass_fields__ if name in options}
    )
    size, where = preset if isinstance(preset, ModelConfig) else config.preset(preset), choose_device(device)
    team = join(where)
    if max_length > size.max_position_embeddings:
        raise ValueError(f"max_length={max_length}: this size reads at most {size.max_position_embeddings}")
    parts, grow = phases_of(phases, settings, max_length, size.num_hidden_layers)
    say = print if progress and team.first else str  # the other processes are silent
    workers = cores() if workers is None else workers
    if corpus:
        text = text_of_files([corpus] if isinstance(corpus, str | Path) else corpus)
    else:
        from .generated.corpus import text_of_world

        text = text_of_world(seed, documents, workers)
    tokenizer, training, held_out, names = encoded(text, vocab, vocab_size, cache, workers, say)
    say(f"{plural(len(training), 'document')} to train on, {len(held_out):,} held out; {where}")
    model, log = train_bert(
        training,
        tokenizer,
        size,
        parts,
        where,
        grow=grow,
        progress=progress,
        checkpoint=folder and folder / "training",
        make_objective=partial(bert_objective, rate=mask_rate),
        about=decisive(options, **names),
    )
    made = with_pooler(model.eval(), tokenizer, str(out or "model"))
    if team.first:
        keep_pretrained(made, log, held_out, max_length, folder, progress)
    return made


def finetune(
    task: str,
    train: str | Path | Sequence[Any],
    dev: str | Path | Sequence[Any] = (),
    *,
    model: "str | Path | Pretrained" = TOUR,
    out: str | Path | None = None,
    epochs: int = 3,
    batch_size: int = 16,
    peak_rate: float = 5e-4,
    approach: str = "full",
    encoder_rate: float | None = None,
    layer_decay: float = 1.0,
    warmup: float = 0.1,
    max_length: int | None = None,
    accumulate: int = 1,
    recompute: bool = False,
    save_every: int = 200,
    score_every: int | None = None,
    patience: int | None = None,
    tensorboard: str | Path | None = None,
    seed: int = 0,
    device: str | None = None,
    progress: bool = True,
) -> "Finetuned":
    """Fine-tune a pretrained model for a task, on files in the form of its data set, and return the result.

    task: a name such as "ner"; `minibert finetune --help` lists them. train, dev: files, or lists of
    examples. model: as for `load`; a model that is given stays as it is. out: folder for the result; None for
    no folder; another one than `model`, which would be lost. approach: the option `--way` of `minibert
    finetune --help`, which explains the other arguments, too. Raises ValueError or OSError, naming the
    reason.

    Example:
        tagger = minibert.finetune("ner", "train.conll", "dev.conll", out="my-ner", epochs=2)
        print(tagger.predict("Mira Harlow lives in Ashby."))
    """
    options = dict(locals())
    folder = None if out is None else check_folder(out)
    if folder and isinstance(model, str | Path) and Path(model).resolve() == folder.resolve():
        raise ValueError(f"{folder} is the model to start from, and would be lost: give another out")
    from .data.cache import name_of
    from .finetuning.results import check_start, examples_of, keep_finetuned
    from .finetuning.run import check_settings
    from .finetuning.run import finetune as train_task
    from .model.checkpoints.pretrained import Pretrained
    from .tokenizer import WordPiece
    from .training.config import decisive
    from .training.device import choose_device
    from .training.distributed import join
    from .training.storage import digest

    check_settings(approach, peak_rate, encoder_rate, layer_decay, patience, score_every, tensorboard, dev)
    where = choose_device(device)
    team = join(where)
    examples, dev_examples = examples_of(task, train), examples_of(task, dev)
    start = team.in_turn(lambda: check_start(as_pretrained(model), task, max_length))
    assert isinstance(start.tokenizer, WordPiece)  # or check_start has refused it
    encoder = copy.deepcopy(start.encoder) if isinstance(model, Pretrained) else start.encoder
    about = decisive(
        options,
        training_set=name_of(map(repr, examples)),
        starting_model=digest(encoder),
        vocabulary=name_of([start.tokenizer.vocab, start.tokenizer.lower_case]),
    )
    tuned, log = train_task(
        task,
        encoder.to(where),
        start.tokenizer,
        examples,
        epochs=epochs,
        batch_size=batch_size,
        peak_rate=peak_rate,
        seed=seed,
        max_length=max_length,
        approach=approach,
        encoder_rate=encoder_rate,
        layer_decay=layer_decay,
        warmup=warmup,
        accumulate=accumulate,
        recompute=recompute,
        save_every=save_every,
        score_every=score_every,
        patience=patience,
        tensorboard=tensorboard,
        pooler=start.pooler,
        dev=dev_examples,
        label=f"finetune {task}",
        checkpoint=folder and folder / "training",
        about=about,
        progress=progress,
    )
    if team.first:
        keep_finetuned(tuned, log, dev_examples, folder, progress)
    return tuned


def as_finetuned(model: "str | Path | Finetuned", device: str | None = None) -> "Finetuned":
    """Return the Finetuned of a folder or of a name as in `load`, or the given one.

    device: that of the result, by name (default: the best one present).
    """
    from .finetuning.finetuned import Finetuned
    from .training.device import choose_device

    if not isinstance(model, str | Path | Finetuned):
        raise ValueError(
            f"{type(model).__name__} where a fine-tuned model is needed: its folder, or what "
            "minibert.finetune returns"
        )
    if isinstance(model, Finetuned):
        return model
    from .english.model import TASKS

    where = choose_device(device)
    if str(model) not in TASKS:
        return Finetuned.load(model, where)
    found = load(model, str(where))
    assert isinstance(found, Finetuned)
    return found


def evaluate(
    model: "str | Path | Finetuned",
    data: str | Path,
    out: str | Path | None = None,
    *,
    fit_threshold: bool = False,
    device: str | None = None,
) -> "Report":
    """Score a fine-tuned model on a labelled file; returns a Report with `scores`, `count` and `tables`.

    model: a folder that `finetune` wrote, or its result. out: folder for predictions, scores and the analysis
    of errors. fit_threshold: for questions that may have no answer, set the threshold to the one with the
    best F1 on this file, and keep it in the model's folder. Raises ValueError, naming the reason.

    Example:
        report = minibert.evaluate("my-ner", "dev.conll")
        print(report.line)
    """
    out = None if out is None else check_folder(out)
    from .finetuning.evaluate import check_threshold, evaluate_file, keep_threshold
    from .training.distributed import team

    tuned = as_finetuned(model, device)
    if fit_threshold:
        name = str(model) if tuned is not model else "the model"
        check_threshold(tuned, name)
        found = evaluate_file(tuned, data)  # and then once more, with what it found
        folder = None if tuned is model else name
        tuned.task.threshold = team().once(lambda: keep_threshold(tuned, found, folder))
    return evaluate_file(tuned, data, out)


def predict(
    model: "str | Path | Finetuned",
    text: str | None = None,
    *,
    text_pair: str | None = None,
    question: str | None = None,
    context: str | None = None,
    device: str | None = None,
) -> "str | float | list[NamedEntity]":
    """The answer of a fine-tuned model to one input.

    model: a folder that `finetune` wrote, or its result. text: for tagging, whose answer is a list of
    NamedEntity (text, type, start, end), and for sentence tasks, whose answer is a label or a score; those
    that compare two texts take text_pair, too. question, context: for question answering, whose answer is a
    text, "" for none. `Finetuned.predict_file` answers whole files. Raises ValueError for other inputs.

    Example:
        for entity in minibert.predict("my-ner", "Mira Harlow lives in Ashby."):
            print(entity.text, entity.type)
    """
    return as_finetuned(model, device).predict(text, text_pair=text_pair, question=question, context=context)


def world(
    documents: int = 20,
    *,
    seed: int = 0,
    split: str = "train",
    kind: str | Sequence[str] | None = None,
    out: str | Path | None = None,
) -> "list[Document] | list[Path]":
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
