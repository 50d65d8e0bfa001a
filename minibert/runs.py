"""Pretrain and fine-tune on files: functions that `import minibert` offers, beside those of `api`.

The command line calls the same ones; `training` and `finetuning` do the work, on what is read here. Given a
folder, an interrupted run goes on when the same call is repeated. Modules are imported when a function needs
them, so that importing this file loads no PyTorch.
"""
import copy
import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import config
from .api import TOUR, pretrained
from .config import ModelConfig
from .options import check_folder

if TYPE_CHECKING:
    from .finetuning.run import Finetuned
    from .model.checkpoints.pretrained import Pretrained
    from .tokenizer.fast import FastWordPiece

# options that change how a result is computed, not what it is
HOW = ("out", "device", "cache", "workers", "accumulate", "recompute", "compile", "progress", "tensorboard")
WHERE = ("corpus", "vocab", "train", "dev", "model")    # the content of these files counts, not their place


def pretrain(corpus: str | Path | Sequence[str | Path] | None = None, out: str | Path | None = None, *,
             documents: int = 6000, vocab_size: int = 4000, vocab: str | Path | None = None,
             cache: str | Path | None = None, workers: int | None = None,
             preset: str | ModelConfig = "class", max_length: int = 96, steps: int = 1000,
             batch_size: int = 32, peak_rate: float = 2e-3, optimizer: str = "muon",
             phases: str = "growing", schedule: str = "linear", warmup: float = 0.1,
             weight_decay: float = 0.01, clip: float = 1.0, accumulate: int = 1, recompute: bool = False,
             save_every: int = 200, compile: bool = False, mask_rate: float = 0.15, seed: int = 0,
             device: str | None = None, progress: bool = True) -> "Pretrained":
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
    from .model.checkpoints.pretrained import with_pooler
    from .training.config import TrainConfig
    from .training.device import choose_device
    from .training.distributed import join
    from .training.pretraining import bert_objective
    from .training.pretraining import pretrain as train_bert
    from .training.recipes import phases_of
    settings = TrainConfig(**{name: options[name] for name in TrainConfig.__dataclass_fields__
                              if name in options})
    size, where = preset if isinstance(preset, ModelConfig) else config.preset(preset), choose_device(device)
    team = join(where)
    if max_length > size.max_position_embeddings:
        raise ValueError(f"max_length={max_length}: this size reads at most {size.max_position_embeddings}")
    parts, grow = phases_of(phases, settings, max_length, size.num_hidden_layers)
    say = print if progress and team.first else str                     # the other processes are silent
    tokenizer, training, held_out, names = encoded(corpus, documents, seed, vocab, vocab_size, cache, workers,
                                                   say)
    say(f"{amount(training)} to train on, {len(held_out):,} held out; {where}")
    model, log = train_bert(training, tokenizer, size, parts, where, grow=grow, progress=progress,
                            checkpoint=folder and folder / "training",
                            make_objective=partial(bert_objective, rate=mask_rate),
                            about=decisive(options, **names))
    made = with_pooler(model.eval(), tokenizer, str(out or "model"))
    if team.first:
        keep_pretrained(made, log, held_out, max_length, folder, progress)
    return made


def encoded(corpus: str | Path | Sequence[str | Path] | None, documents: int, seed: int,
            vocab: str | Path | None, vocab_size: int, cache: str | Path | None, workers: int | None,
            say: Callable[[str], Any]) -> tuple["FastWordPiece", Any, Any, dict[str, str]]:
    """(tokenizer, documents to train on, held-out documents, names for their content).

    They are taken from the cache if they are there. The other arguments are those of `pretrain`.
    """
    from .data.cache import name_of
    from .training.corpus import corpus as encoded_corpus
    from .training.corpus import hold_out, text_of_files, text_of_world, texts_folder
    from .training.distributed import team
    from .training.threads import cores
    workers = cores() if workers is None else workers
    paths = [corpus] if isinstance(corpus, str | Path) else corpus
    text = text_of_files(paths) if paths else text_of_world(seed, documents, workers)
    tokenizer, found = team().in_turn(lambda: encoded_corpus(
        text, cache or texts_folder(), vocab=vocab, vocab_size=vocab_size, workers=workers, say=say))
    return tokenizer, *hold_out(found), {"text": text.name,
                                         "vocabulary": name_of([tokenizer.vocab, tokenizer.lower_case])}


def amount(documents: Sequence[Any]) -> str:
    """The number of documents in words."""
    from .readers.wording import plural
    return plural(len(documents), "document")


def keep_pretrained(made: "Pretrained", log: list[dict[str, Any]], held_out: list, max_length: int,
                    folder: Path | None, progress: bool) -> None:
    """Save a pretrained model, print its scores on held-out documents, and delete its checkpoints."""
    from .training.log import write_log
    from .training.pretraining import evaluate_pretraining, forget
    from .training.storage import write_with_retries
    if folder:
        write_with_retries(lambda: made.save(folder))
        write_log(folder / "log.jsonl", log)
    if progress:
        scores = evaluate_pretraining(made.model, made.tokenizer, held_out, max_length)
        print(f"Held out: masked words {scores['mlm']:.1f}% (most frequent token "
              f"{scores['mlm_frequency']:.1f}%), next sentence {scores['nsp']:.1f}% (larger class "
              f"{scores['nsp_chance']:.1f}%)." + f" Model: {folder}" * bool(folder))
    if folder:
        forget(folder / "training")  # last: whoever stops before goes on from the end


def finetune(task: str, train: str | Path | Sequence[Any], dev: str | Path | Sequence[Any] = (), *,
             model: "str | Path | Pretrained" = TOUR, out: str | Path | None = None, epochs: int = 3,
             batch_size: int = 16, peak_rate: float = 5e-4, approach: str = "full",
             encoder_rate: float | None = None, layer_decay: float = 1.0, warmup: float = 0.1,
             max_length: int | None = None, accumulate: int = 1, recompute: bool = False,
             save_every: int = 200, score_every: int | None = None, patience: int | None = None,
             tensorboard: str | Path | None = None, seed: int = 0, device: str | None = None,
             progress: bool = True) -> "Finetuned":
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
    from .finetuning.run import check_settings
    from .finetuning.run import finetune as train_task
    from .model.checkpoints.pretrained import Pretrained
    from .tokenizer import WordPiece
    from .training.device import choose_device
    from .training.distributed import join
    from .training.storage import digest
    check_settings(approach, peak_rate, encoder_rate, layer_decay, patience, score_every, tensorboard, dev)
    where = choose_device(device)
    team = join(where)
    examples, dev_examples = examples_of(task, train), examples_of(task, dev)
    start = team.in_turn(lambda: starting_model(model, task, max_length))
    assert isinstance(start.tokenizer, WordPiece)                       # or starting_model has refused it
    encoder = copy.deepcopy(start.encoder) if isinstance(model, Pretrained) else start.encoder
    about = decisive(options, training_set=name_of(map(repr, examples)), starting_model=digest(encoder),
                     vocabulary=name_of([start.tokenizer.vocab, start.tokenizer.lower_case]))
    tuned, log = train_task(
        task, encoder.to(where), start.tokenizer, examples, epochs=epochs, batch_size=batch_size,
        peak_rate=peak_rate, seed=seed, max_length=max_length, approach=approach, encoder_rate=encoder_rate,
        layer_decay=layer_decay, warmup=warmup, accumulate=accumulate, recompute=recompute,
        save_every=save_every, score_every=score_every, patience=patience, tensorboard=tensorboard,
        pooler=start.pooler, dev=dev_examples, label=f"finetune {task}",
        checkpoint=folder and folder / "training", about=about, progress=progress)
    if team.first:
        keep_finetuned(tuned, log, dev_examples, folder, progress)
    return tuned


def examples_of(task: str, source: str | Path | Sequence[Any]) -> Sequence[Any]:
    """The examples of a task's file, or the given ones."""
    from .finetuning.registry import read_examples
    return read_examples(task, source) if isinstance(source, str | Path) else source


def starting_model(model: "str | Path | Pretrained", task: str, max_length: int | None) -> "Pretrained":
    """The pretrained model that a task starts from; one line says if its pooler is needed and missing.

    Raises ValueError for a model without WordPiece, and for a max_length that the model cannot read.
    """
    from .finetuning.registry import entry_of
    from .model.checkpoints.published import form_of
    from .tasks.choice import Choice
    from .tasks.classification import Texts
    from .tokenizer import WordPiece
    from .training.distributed import team
    from .training.progress import tell
    start = pretrained(model)
    if not isinstance(start.tokenizer, WordPiece):
        raise ValueError(f"{start.name}: fine-tuning needs a model with a WordPiece vocabulary, vocab.txt")
    form = form_of(start.encoder)
    longest = form.longest(start.config) if form else start.config.max_position_embeddings
    if max_length is not None and max_length > longest:
        raise ValueError(f"max_length={max_length}: {start.name} reads at most {longest}")
    if start.pooler is None and issubclass(entry_of(task).task, Choice | Texts) and team().first:
        tell(f"{start.name}: no weights of a pooler; the head for {task} starts with new ones")
    return start


def keep_finetuned(tuned: "Finetuned", log: list[dict[str, Any]], dev: Sequence[Any], folder: Path | None,
                   progress: bool) -> None:
    """Save a fine-tuned model, print its scores on dev examples, and delete its checkpoints."""
    from .finetuning.dev_scores import SCORES
    from .training.log import write_log
    from .training.pretraining import forget
    from .training.storage import write_with_retries
    if dev:
        tuned.task.tune(tuned.model, dev)
    if folder:
        write_with_retries(lambda: tuned.save(folder))
        write_log(folder / "log.jsonl", log)
        if (folder / "training" / SCORES).is_file():
            shutil.copy(folder / "training" / SCORES, folder / SCORES)
    if progress and dev:
        print_scores(tuned, dev)
    if folder:
        if progress:
            print(f"Model: {folder}")
        forget(folder / "training")  # last: whoever stops before goes on from the end


def print_scores(tuned: "Finetuned", examples: Sequence[Any]) -> None:
    """Print the scores of a fine-tuned model on labelled examples, in one line."""
    from .readers.wording import in_a_line, plural
    scores = tuned.task.metric(examples, tuned.task.answer(tuned.model, examples))
    print(f"{plural(len(examples), 'example')}: {in_a_line(scores)}")


def decisive(options: dict[str, Any], **contents: Any) -> dict[str, Any]:
    """The values that decide what a call makes: an interrupted one goes on only if they are the same.

    They are its options, without HOW it computes and WHERE files are, and `contents`: names for the content
    of the files.
    """
    return contents | {name: value if isinstance(value, int | float | str | None) else str(value)
                       for name, value in options.items() if name not in HOW + WHERE}
