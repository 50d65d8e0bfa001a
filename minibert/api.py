"""The public API: the functions that `import minibert` offers, and that the command line calls.

Each function imports its dependencies when it runs, so that importing this file does not load PyTorch.

The examples below share two small models, made here in seconds and too little trained to be of use:

    >>> import minibert
    >>> files = minibert.world(20, kind=["text", "ner"], out="data")
    >>> small = {"preset": "tiny", "vocab_size": 300, "steps": 2, "workers": 1, "progress": False}
    >>> bert = minibert.pretrain("data/train.txt", "my-bert", **small)
    >>> tagger = minibert.finetune(
    ...     "ner", "data/train.conll", model=bert, out="my-ner", max_steps=2, progress=False
    ... )
"""

import copy
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from . import config
from .config import ModelConfig
from .readers.layouts import Layout
from .readers.writing import check_folder
from .spelling import did_you_mean
from .training.config import Optimizer, Phases, Precision, Schedule, TrainConfig, at_least, resume_settings

if TYPE_CHECKING:
    import numpy as np

    from .finetuning.evaluate import Report
    from .finetuning.finetuned import Finetuned
    from .generated import Document
    from .model.checkpoints.pretrained import Filled, Pretrained
    from .model.encoding import Pooling
    from .tasks.records import Result

Split = Literal["train", "dev", "test", "pretrain"]  # of the generated language
TOUR = "tour"  # the name of the model that `minibert tour` saves in this user's cache
TASK = "task.json"  # the file that only the folder of a fine-tuned model has
ENGLISH = "english"  # the name of the English model
MODELS = "minibert.models"  # entry points of named models: functions that return a Pretrained


def load(
    name_or_folder: str | Path = TOUR,
    device: str | None = None,
    instead: "Pretrained | Finetuned | None" = None,
) -> "Pretrained | Finetuned":
    """Load a model from a folder, or a BERT, RoBERTa, ALBERT or ELECTRA from Hugging Face's hub by its name.

    Returns a Pretrained with `fill_mask` or, for a model fine-tuned by `finetune` or by `transformers`, a
    Finetuned with `predict`; both have `model`, `tokenizer`, `config` and `save`. If the head of a model from
    `transformers` is not supported, the function prints a message that names it, and returns a Pretrained.
    "tour" is the model saved by `minibert tour`; if there is none, a smaller one is trained first, in half a
    minute. "bert-base" is Google's BERT-base, downloaded once (440 MB). "english" is a published English
    encoder with our own output heads; "english-qa", "english-ner" and "english-sentiment" are fine-tuned from
    it. Its encoder is downloaded once (91 MB). If that download fails, the function prints a message and
    returns `instead`. Without `instead`, "english" falls back to "tour", and the other names raise
    EnglishMissing, a ValueError.
    device: cpu, cuda or mps; by default, the model is on the CPU on every machine. Raises ValueError, naming
    the file, if the folder does not exist or is damaged.

    Example:
        >>> import minibert
        >>> bert = minibert.load("my-bert")  # or minibert.load("google-bert/bert-base-uncased")
        >>> bert.config.hidden_size, len(bert.tokenizer)
        (128, 300)
    """
    from importlib.metadata import entry_points

    from .finetuning.finetuned import Finetuned
    from .finetuning.published import UnsupportedHead, fine_tuned_class
    from .model.checkpoints.files import find_folder
    from .training.device import choose_device
    from .training.progress import tell

    where, name = choose_device(device or "cpu"), str(name_or_folder)
    if (Path(name) / TASK).is_file():
        return Finetuned.load(name, where)
    if name == ENGLISH or name.split("-")[0] == ENGLISH and not Path(name).is_dir():
        found = english_or(name, instead)
    elif entry_points(group=MODELS, name=name):
        found = as_pretrained(name)
    else:
        with suggesting_names(name):
            folder = find_folder(name_or_folder)  # from the hub, if it is not here
        try:
            if (folder / TASK).is_file() or fine_tuned_class(folder):
                return Finetuned.load(folder, where)
        except UnsupportedHead as error:
            tell(f"{error}: only its encoder is loaded")
        found = as_pretrained(name_or_folder)
    found.model.to(where)
    return found


@contextmanager
def suggesting_names(model: str | Path) -> Iterator[None]:
    """Add the most similar model or folder name, if any, to an error raised inside this context."""
    from .english.model import TASKS
    from .model.checkpoints.files import NAMED

    try:
        yield
    except ValueError as error:
        folders = [str(path.parent) for path in Path(model).parent.glob("*/config.json")]
        name = Path(model).as_posix()
        others = [other for other in (ENGLISH, *TASKS, TOUR, *NAMED, *folders) if other != name]
        hint = did_you_mean(name, others, similarity=0.8)  # most names on the hub resemble "bert-base"
        if Path(model).exists() or not hint:
            raise
        raise ValueError(f"{error}{hint}") from None


def english_or(name: str | Path, instead: "Pretrained | Finetuned | None") -> "Pretrained | Finetuned":
    """Load an English model by name; if the download fails, print a message and return `instead`, or "tour".

    Raises EnglishMissing if the download fails and the name has no such substitute.
    """
    from .english.model import TASKS, english_task
    from .english.published import EnglishMissing

    try:
        return english_task(str(name)) if str(name) in TASKS else as_pretrained(name)
    except EnglishMissing as error:
        if instead is None and str(name) != ENGLISH:
            raise
        instead = instead or as_pretrained(TOUR)
        print(f"Using the course's own model instead of {name}: {error}")
        return instead


def as_pretrained(model: "str | Path | Pretrained") -> "Pretrained":
    """Load a model by its folder or name, as `load` does; return a Pretrained unchanged.

    Installed packages, such as the course, can register additional names as entry points in the group MODELS.
    """
    from importlib.metadata import entry_points

    from .model.checkpoints.pretrained import Pretrained

    if isinstance(model, Pretrained):
        return model
    if not isinstance(model, str | Path):
        raise ValueError(
            f"expected a pretrained model, not {type(model).__name__}; give a folder, a name, or "
            "a Pretrained from minibert.load"
        )
    from .english.model import TASKS, english

    if str(model) in TASKS and not Path(model).is_dir():
        raise ValueError(f"{model} is already fine-tuned for a task; give {ENGLISH}, the pretrained model")
    if str(model) == ENGLISH:
        return english()
    for named in entry_points(group=MODELS, name=str(model)):
        return named.load()()
    with suggesting_names(model):
        return Pretrained.load(model)


@overload
def fill_mask(text: str, model: "str | Path | Pretrained" = TOUR, top: int = 5) -> "Filled": ...
@overload
def fill_mask(text: list[str], model: "str | Path | Pretrained" = TOUR, top: int = 5) -> "list[Filled]": ...
def fill_mask(
    text: str | list[str], model: "str | Path | Pretrained" = TOUR, top: int = 5
) -> "Filled | list[Filled]":
    """Predict the token at each [MASK] in a text, or in each text of a list.

    Returns a list for each [MASK], with the `top` most probable tokens as pairs (token, probability), best
    first; for a list of texts, a list of such results. model: as for `load`. Raises ValueError if a text has
    no [MASK] or is too long for the model, or if the model was not trained to predict masked tokens.

    Example:
        >>> import minibert
        >>> gaps = minibert.fill_mask("She was born in [MASK].", "my-bert", top=3)
        >>> [len(guesses) for guesses in gaps]  # one [MASK], three pairs (token, probability)
        [3]
    """
    return as_pretrained(model).fill_mask(text, top)


def encode(
    texts: str | Iterable[str],
    model: "str | Path | Pretrained | Finetuned" = TOUR,
    pooling: "Pooling | None" = "mean",
    batch_size: int = 32,
) -> "np.ndarray | list[np.ndarray]":
    """Return the vectors of texts, from the last layer of a model.

    texts: a string or a list. model: as for `load`. pooling: "mean" of all tokens, which include [CLS] and
    [SEP], or "cls" for the vector of [CLS]; None for one vector per token. batch_size: texts at a time.
    Returns float32: (N, D) for N texts, or with pooling=None a list of N arrays (T, D), one row for each of
    the T tokens, including [CLS] and [SEP]; for a single text, (D,) or (T, D). Texts that are too long for
    the model are truncated, and their number is logged. Raises ValueError for other inputs.

    Example:
        >>> import minibert
        >>> minibert.encode(["She sings.", "He sings."], "my-bert").shape
        (2, 128)
    """
    found = load(model) if isinstance(model, str | Path) else model
    if not hasattr(found, "encode"):
        raise ValueError(
            f"expected a model, not {type(found).__name__}; give a folder, a name, or the result of "
            "minibert.load"
        )
    return found.encode(texts, pooling, batch_size)


def pretrain(
    corpus: str | Path | Sequence[str | Path] | None = None,
    out: str | Path | None = None,
    *,
    layout: Layout = "auto",
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
    optimizer: Optimizer = "muon",
    phases: Phases = "growing",
    schedule: Schedule = "linear",
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
    precision: Precision = "auto",
    progress: bool = True,
) -> "Pretrained":
    """Pretrain a BERT on plain text in any layout, such as books or one sentence per line.

    Args:
        corpus: text files (default: documents in the artificial language of minibert.world)
        out: folder for the model; a model that it contains is replaced (default in Python: the model is not
            saved)
        layout: meaning of the lines of the corpus; sentences, paragraphs or documents: one per line, with a
            blank line after the last sentence or paragraph of a document; prose: a paragraph per line;
            wrapped: paragraphs of several lines; subtitles: lines with times; auto: the layout of each file
            is recognised and printed
        documents: number of documents to generate, if no corpus is given
        vocab_size: size of the vocabulary to train
        vocab: vocab.txt or tokenizer.json to use (default: train a vocabulary)
        cache: folder that keeps encoded text for the next run (default: the user's cache)
        workers: processes that count and encode words; the results do not depend on their number (default:
            one per processor core)
        preset: size of the model: class, tiny, mini, small, medium, base, large; in Python also a ModelConfig
        max_length: maximum number of tokens in a sequence
        steps: number of optimiser steps
        batch_size: sequences of full length per step, summed over all processes
        peak_rate: learning rate after the warm-up
        optimizer: bert_adam is the optimiser of the paper's code; muon trains a small model faster
        phases: how the run is divided; growing: short sequences and few layers first; two-lengths: most steps
            on sequences of a quarter of the length, as in the paper; stacking: few layers first, then copies
            of them on top (needs an even number of layers); plain: a single phase
        schedule: learning rate schedule; bert is the schedule of the paper's code
        warmup: share of the steps in which the learning rate increases
        weight_decay: strength of weight decay on matrices; it is multiplied by the learning rate
        clip: maximum norm of the gradient
        accumulate: split each batch into this many parts: less memory, the same gradient except for dropout
        recompute: recompute activations in the backward pass: less memory, a third more time
        save_every: steps between checkpoints; it may change when a run is resumed
        compile: use torch.compile on the layers; worthwhile for long runs on a GPU
        mask_rate: share of the tokens to mask
        seed: seed for the data, the weights and the order of examples
        device: cpu, cuda, one of several GPUs such as cuda:1, or mps (default: the best one available)
        precision: number format of the forward pass; auto: bfloat16 if the device has instructions for it,
            float16 on an older GPU, and otherwise float32; an interrupted run keeps its precision
        progress: print progress

    Returns:
        The model as a Pretrained.

    Raises:
        ValueError, OSError: if an argument, a file or a folder cannot be used.

    Example:
        >>> import minibert
        >>> small = {"preset": "tiny", "vocab_size": 300, "steps": 2, "workers": 1, "progress": False}
        >>> minibert.pretrain("data/train.txt", **small)
        Pretrained('model': BERT, 2 layers of 128, 0.5M parameters, 300 tokens)
    """
    options = dict(locals())
    folder = None if out is None else check_folder(out)
    from .data.cache import text_of_files
    from .model.checkpoints.pretrained import with_pooler
    from .readers.wording import plural
    from .training.corpus import encoded
    from .training.device import choose_device, choose_precision
    from .training.distributed import join
    from .training.pretraining import bert_objective, keep_pretrained, tell_replaced
    from .training.pretraining import pretrain as train_bert
    from .training.recipes import phases_of
    from .training.threads import cores

    at_least(0, seed=seed)
    at_least(1, max_length=max_length, workers=workers)
    if not 0 < mask_rate <= 1:
        raise ValueError(f"mask_rate={mask_rate} must be above 0 and at most 1")
    settings = TrainConfig(
        steps=steps,
        batch_size=batch_size,
        peak_rate=peak_rate,
        warmup=warmup,
        weight_decay=weight_decay,
        clip=clip,
        optimizer=optimizer,
        schedule=schedule,
        accumulate=accumulate,
        recompute=recompute,
        compile=compile,
        seed=seed,
        save_every=save_every,
    )
    size, where = preset if isinstance(preset, ModelConfig) else config.preset(preset), choose_device(device)
    team = join(where)
    if max_length > size.max_position_embeddings:
        raise ValueError(
            f"max_length={max_length} is too large: a model of this size reads at most "
            f"{size.max_position_embeddings} tokens"
        )
    parts, grow = phases_of(phases, settings, max_length, size.num_hidden_layers)
    say = print if progress and team.first else str  # only the first process prints
    checkpoint = folder and folder / "training"
    options["precision"] = choose_precision(precision, where, checkpoint, say)
    tell_replaced(folder, say)
    workers = cores() if workers is None else workers
    if corpus:
        text = text_of_files([corpus] if isinstance(corpus, str | Path) else corpus, layout, say)
    elif layout != "auto":
        raise ValueError(f"layout={layout!r} needs a corpus")
    else:
        from .generated.corpus import text_of_world

        text = text_of_world(seed, documents, workers)
    tokenizer, training, held_out, names = encoded(text, vocab, vocab_size, cache, workers, say)
    say(f"{plural(len(training), 'document')} to train on, {len(held_out):,} held out; {where}")
    about = resume_settings(options, **names)
    model, log = train_bert(
        training,
        tokenizer,
        size,
        parts,
        where,
        grow=grow,
        progress=progress,
        checkpoint=checkpoint,
        precision=options["precision"],
        make_objective=partial(bert_objective, rate=mask_rate),
        about=about,
    )
    made = with_pooler(model.eval(), tokenizer, str(out or "model"))
    if team.first:
        keep_pretrained(made, log, held_out, max_length, folder, about, progress)
    return made


def finetune(
    task: str,
    train: str | Path | Iterable[Any],
    dev: str | Path | Iterable[Any] = (),
    *,
    columns: Mapping[str, str] | Sequence[str] | None = None,
    model: "str | Path | Pretrained" = TOUR,
    out: str | Path | None = None,
    epochs: int = 3,
    max_steps: int | None = None,
    batch_size: int = 16,
    group_by_length: bool | None = None,
    peak_rate: float | None = None,
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
    precision: Precision = "auto",
    progress: bool = True,
) -> "Finetuned":
    """Fine-tune a pretrained model for a task, on files in the format in which the data set is published.

    Args:
        task: task that the files are for: qa ner cola sst2 sst5 mnli snli qqp qnli mrpc rte wnli stsb text
            swag race codah pos chunk (text: your own labels, in a table or JSON Lines with the columns text
            and label, for pairs also text_pair, or with other names, see columns)
        train: file of labelled examples for training; in Python also a list of dictionaries or tuples, such
            as (text, label), (text, text_pair, label), (words, tags), (question, context, answer) or
            (context, options, label)
        dev: labelled examples for scoring, in the same form as train
        columns: names of the columns of a table or of JSON lines, such as text=review label=stars; they are
            stored with the model, as the default for other files. Labels are converted to text
        model: folder of a pretrained model, or a name as in minibert.load, such as english or bert-base; in
            Python also a Pretrained, which is copied
        out: folder for the result, which must differ from that of the model; a model that it contains is
            replaced (default: finetuned-TASK; in Python, the result is not saved)
        epochs: passes over the training examples
        max_steps: number of optimiser steps, instead of epochs, as in transformers (default: that of the
            epochs)
        batch_size: sequences per step, summed over all processes
        group_by_length: put sequences of similar length into a batch, which saves padding; but labels that go
            with short or long texts then fill whole batches (default: only from 50 batches on)
        peak_rate: learning rate after the warm-up (default: 5e-4; to train the whole of a larger model, 1e-4
            from a hidden size of 384, such as english, and 5e-5 from 768, such as BERT-base)
        approach: full: train the whole model; lora: train low-rank adapters next to frozen weights; frozen:
            train only the head; or train a BiLSTM on layers of the frozen encoder: embeddings,
            second-to-last, last, concat-last-four, or with learned weights (ELMo's scalar mix) sum-last-four
            and sum-all
        encoder_rate: peak learning rate of the pretrained encoder (default: peak_rate)
        layer_decay: learning rate of a layer divided by that of the layer above
        warmup: share of the steps in which the learning rate increases
        max_length: maximum number of tokens in a sequence (default: the model's maximum)
        accumulate: split each batch into this many parts: less memory, the same gradient except for dropout
        recompute: recompute activations in the backward pass: less memory, a third more time
        save_every: steps between checkpoints
        score_every: steps between scores on the dev file (default: no scores; with patience, once per epoch)
        patience: early stopping: stop after this many scores without improvement, and keep the best weights
            (default: train for all epochs)
        tensorboard: folder for TensorBoard's curves; needs the package tensorboard
        seed: seed for the weights of the head and the order of examples
        device: cpu, cuda, one of several GPUs such as cuda:1, or mps (default: the best one available)
        precision: number format of the forward pass; auto: bfloat16 if the device has instructions for it,
            float16 on an older GPU, and otherwise float32; an interrupted run keeps its precision
        progress: print progress

    Returns:
        The model as a Finetuned.

    Raises:
        ValueError, OSError: if an argument, a file or a folder cannot be used.

    Example:
        >>> import minibert
        >>> reviews = [("I loved it", "good"), ("I hated it", "bad")]
        >>> classifier = minibert.finetune("text", reviews, model="my-bert", max_steps=2, progress=False)
        >>> classifier.predict("I loved every minute") in ("good", "bad")
        True
    """
    options = dict(locals())
    folder = None if out is None else check_folder(out)
    if folder and isinstance(model, str | Path) and Path(model).resolve() == folder.resolve():
        raise ValueError(
            f"{folder} is the model to start from and would be overwritten; give a different folder as out"
        )
    from .data.cache import name_of
    from .finetuning.layers import default_rate
    from .finetuning.notices import describe_examples, swapped_notice
    from .finetuning.registry import read_examples
    from .finetuning.results import check_start, keep_finetuned
    from .finetuning.run import check_settings
    from .finetuning.run import finetune as train_task
    from .model.checkpoints.pretrained import Pretrained
    from .model.checkpoints.published import longest
    from .readers.inputs import as_columns
    from .tokenizer import WordPiece
    from .training.device import choose_device, choose_precision
    from .training.distributed import join
    from .training.pretraining import tell_replaced
    from .training.progress import tell
    from .training.storage import digest

    at_least(0, seed=seed)
    at_least(1, epochs=epochs, max_steps=max_steps, batch_size=batch_size, save_every=save_every)
    check_settings(approach, peak_rate, encoder_rate, layer_decay, patience, score_every, tensorboard, dev)
    where = choose_device(device)
    team = join(where)
    checkpoint = folder and folder / "training"
    say = print if progress and team.first else str
    options["precision"] = choose_precision(precision, where, checkpoint, say)
    examples = read_examples(task, train, True, columns, "train")
    dev_examples = read_examples(task, dev, True, columns, "dev")
    if not examples:
        raise ValueError("train: there are no examples")
    say(describe_examples(examples, "training"))
    if dev_examples:
        say(describe_examples(dev_examples, "dev"))
    if (notice := swapped_notice(examples)) and team.first:
        tell(f"train: {notice}")
    tell_replaced(folder, say)
    start = team.in_turn(lambda: check_start(as_pretrained(model), task, max_length))
    assert isinstance(start.tokenizer, WordPiece)  # check_start refuses other tokenizers
    max_length = max_length or start.tokenizer.max_length and longest(start.encoder, start.tokenizer)
    encoder = copy.deepcopy(start.encoder) if isinstance(model, Pretrained) else start.encoder
    if peak_rate is None:
        options["peak_rate"] = peak_rate = default_rate(encoder.config, approach)
    say(f"Learning rate {peak_rate:g}")
    if group_by_length is None:
        group_by_length = len(examples) >= TrainConfig.length_pool * batch_size
    about = resume_settings(
        options,
        training_set=name_of(map(repr, examples)),
        starting_model=digest(encoder),
        vocabulary=name_of(start.tokenizer.identity),
    )
    tuned, log = train_task(
        task,
        encoder.to(where),
        start.tokenizer,
        examples,
        epochs=epochs,
        steps=max_steps,
        batch_size=batch_size,
        length_pool=TrainConfig.length_pool if group_by_length else 1,
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
        checkpoint=checkpoint,
        precision=options["precision"],
        about=about,
        progress=progress,
    )
    tuned = replace(tuned, columns=as_columns(task, columns))
    if team.first:
        keep_finetuned(tuned, log, dev_examples, folder, about, progress)
    return tuned


def as_finetuned(model: "str | Path | Finetuned", device: str | None = None) -> "Finetuned":
    """Load a fine-tuned model by its folder or name, as `load` does; return a Finetuned unchanged.

    device: the device of the loaded model, by name (default: the best one available).
    """
    from .finetuning.finetuned import Finetuned
    from .training.device import choose_device

    if not isinstance(model, str | Path | Finetuned):
        raise ValueError(
            f"expected a fine-tuned model, not {type(model).__name__}; give its folder, or "
            "the result of minibert.finetune"
        )
    if isinstance(model, Finetuned):
        return model
    from .english.model import TASKS
    from .finetuning.published import fine_tuned_class
    from .model.checkpoints.files import NAMED

    where, name = choose_device(device), str(model)
    if name in TASKS or isinstance(model, str) and "/" in name and not Path(name).parent.exists():
        found = load(name, str(where))  # by its name, here or on the hub
    elif not (Path(name) / TASK).is_file() and (
        name in (TOUR, ENGLISH, *NAMED)
        or (Path(name) / "config.json").is_file()
        and not fine_tuned_class(name)
    ):
        found = None
    else:
        with suggesting_names(name):
            return Finetuned.load(name, where)
    if not isinstance(found, Finetuned):
        raise ValueError(
            f"{model} is a pretrained model without a task: fine-tune it with `minibert finetune TASK "
            f"--model {model}`, or give a fine-tuned model, such as {', '.join(TASKS)}"
        )
    return found


def push(model: "str | Path | Pretrained | Finetuned", name: str, private: bool = True) -> str:
    """Upload a model to Hugging Face's hub, and return its address there; `load` then finds it by its name.

    model: a folder that this package or `transformers` has written, or a loaded model. name: owner/model.
    private: whether a new repository is private. Only the model's own files are uploaded. Log in first, with
    `hf auth login` or the variable HF_TOKEN. Raises ValueError if the folder is not a model, if the name is
    not valid, or if the hub refuses or cannot be reached.

    Example:
        >>> import minibert
        >>> minibert.push("my-ner", "my-name/my-ner")  # doctest: +SKIP
        'https://huggingface.co/my-name/my-ner'
    """
    from tempfile import TemporaryDirectory

    from huggingface_hub import HfApi

    from .model.checkpoints.files import HUB_NAME, files_of

    if not re.fullmatch(HUB_NAME, name) or "/" not in name:
        raise ValueError(f"{name!r} is not a valid name on Hugging Face's hub; use the form owner/model")
    with TemporaryDirectory() as place:
        if isinstance(model, str | Path):
            load(model)  # raises ValueError unless it is a complete model
            place = str(model)
        else:
            model.save(place)
        names = files_of(Path(place))
        try:
            api = HfApi()
            api.create_repo(name, private=private, exist_ok=True)
            api.upload_folder(repo_id=name, folder_path=place, allow_patterns=names)
        except Exception as error:  # from the network, the hub or the login
            why = str(error).strip().split("\n")[0]
            raise ValueError(
                f"the model could not be pushed to {name} ({type(error).__name__}: {why})"
            ) from None
    return f"https://huggingface.co/{name}"


def export(
    model: "str | Path | Pretrained | Finetuned",
    out: str | Path | None = None,
    *,
    to: Literal["onnx"] = "onnx",
    int8: bool = False,
) -> Path:
    """Write a model as an ONNX file, which ONNX Runtime runs without PyTorch, next to its tokenizer.

    The file is model.onnx, or model_int8.onnx. Its inputs are input_ids, attention_mask and token_type_ids,
    for any number of sequences and tokens; its outputs are the logits of each head; its metadata contain the
    task and the labels as JSON. Needs the extra: pip install 'minibert[onnx]'.

    Args:
        model: folder of a model, or a name as in minibert.load; in Python also a loaded model, even one whose
            heads or columns were pruned
        out: folder for the files (default: MODEL-onnx, in the current folder)
        to: format; there is only onnx
        int8: store the weights as 8-bit integers: about a quarter of the size, and slightly different logits

    Returns:
        The path of the file.

    Raises:
        ValueError, OSError: if the extra is missing, or if the model cannot be exported.

    Example:
        >>> import minibert
        >>> minibert.export("my-ner", "my-ner-onnx")  # doctest: +SKIP
        PosixPath('my-ner-onnx/model.onnx')
    """
    if to != "onnx":
        raise ValueError(f"to={to!r} must be 'onnx'")
    if out is None and not isinstance(model, str | Path):
        raise ValueError("give a folder as out, because a loaded model has no name")
    folder = check_folder(f"{Path(str(model)).name}-onnx" if out is None else out)
    from .finetuning.finetuned import Finetuned
    from .model.checkpoints.onnx_files import check_packages, write_onnx
    from .model.checkpoints.published import longest
    from .model.checkpoints.tokenizer_files import save_tokenizer
    from .training.progress import tell

    check_packages()
    found = load(model) if isinstance(model, str | Path) else model
    most = longest(found.model.encoder, found.tokenizer)
    about: dict[str, Any] = {"max_length": most}
    if isinstance(found, Finetuned):
        about = {"task": found.name, "labels": found.labels, "max_length": found.task.max_length}
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / ("model_int8.onnx" if int8 else "model.onnx")
    difference = write_onnx(found.model, path, about, int8)
    save_tokenizer(found.tokenizer, folder, most)
    size = path.stat().st_size / 1e6
    tell(f"{path}: {size:.1f} MB, logits differ from PyTorch's by at most {difference:.1g}")
    return path


def evaluate(
    model: "str | Path | Finetuned",
    data: str | Path | Iterable[Any],
    out: str | Path | None = None,
    *,
    columns: Mapping[str, str] | Sequence[str] | None = None,
    fit_threshold: bool = False,
    device: str | None = None,
) -> "Report":
    """Score a fine-tuned model on labelled examples, and analyse its errors.

    Args:
        model: folder written by `finetune`; in Python also a model that it returned
        data: file of labelled examples; in Python also a list of examples, as for `finetune`
        columns: names of the columns of a table or of JSON lines, such as text=review label=stars (default:
            those of the training data, or else the standard names)
        out: folder for the predictions, one line of JSON per example, the scores, and the error analysis
        fit_threshold: choose the threshold for leaving questions unanswered that has the best F1 on this
            file, and save it in the model's folder
        device: cpu, cuda, one of several GPUs such as cuda:1, or mps (default: the best one available)

    Returns:
        A Report with `scores`, `count` and `tables`.

    Raises:
        ValueError: if the model, the data or the device cannot be used.

    Example:
        >>> import minibert
        >>> report = minibert.evaluate("my-ner", "data/train.conll")
        >>> print(report.line)
        precision ..., recall ..., F1 ..., accuracy ...
    """
    out = None if out is None else check_folder(out)
    from .finetuning.evaluate import check_threshold, evaluate_file, keep_threshold
    from .training.distributed import team

    tuned = as_finetuned(model, device)
    if fit_threshold:
        name = str(model) if tuned is not model else "the model"
        check_threshold(tuned, name)
        found = evaluate_file(tuned, data, None, columns)  # scored again below, with the fitted threshold
        folder = None if tuned is model else name
        tuned.task.threshold = team().once(lambda: keep_threshold(tuned, found, folder))
    return evaluate_file(tuned, data, out, columns)


def predict(
    model: "str | Path | Finetuned",
    text: str | Iterable[str] | None = None,
    *,
    text_pair: str | Iterable[str] | None = None,
    question: str | Iterable[str] | None = None,
    context: str | Iterable[str] | None = None,
    probabilities: bool = False,
    device: str | None = None,
) -> "Result | list[Result]":
    """Return the answer of a fine-tuned model to one input, or a list of answers to a list of inputs.

    model: a fine-tuned model, or its folder or name, see `load`. text: the input for tagging, which returns a
    list of NamedEntity (text, type, start, end), and for sentence tasks, which return a label or a score;
    tasks that compare two texts also need text_pair. question, context: the input for question answering,
    which returns the answer as a string, or "" if there is none. Each input may be a list; a single string is
    then combined with each item of the others, such as one context for many questions. probabilities: return
    a dictionary with the probability of each label, of the best answers ("" is no answer), or of each entity
    found, which is the product of the probabilities of its words' tags. Use `Finetuned.predict_file` for
    files. Raises ValueError if the inputs do not fit the task, or if the task predicts scores, which have no
    probabilities.

    Example:
        >>> import minibert
        >>> minibert.predict("my-ner", "Mira Harlow lives in Ashby.")  # a list of NamedEntity
        [...]
    """
    tuned = as_finetuned(model, device)
    return tuned.predict(
        text, text_pair=text_pair, question=question, context=context, probabilities=probabilities
    )


def world(
    documents: int = 20,
    *,
    seed: int = 0,
    split: Split = "train",
    kind: str | Sequence[str] | None = None,
    out: str | Path | None = None,
) -> "list[Document] | list[Path]":
    """Generate documents in this package's artificial language, or labelled files for every task.

    Args:
        documents: number of documents, or of examples of a task
        seed: seed of the invented world and the texts about it; the course's models are trained with seed 7
        split: part of the data to generate; pretrain is text without labels
        kind: files to write: text squad squad2 hops ner later sst2 cola mnli rte qnli qqp mrpc stsb wnli swag
            race wic pos coref coref-json (default: text squad ner; for pretrain, text)
        out: folder for the files; required for all kinds but text (default: return the documents themselves)

    Returns:
        A list of Documents or, with `out`, the paths of the files.

    Raises:
        ValueError: if the split or the kind is unknown, or if the kind needs `out`.

    Example:
        >>> import minibert
        >>> print(minibert.world(1, seed=7)[0].text)
        On 26 July the Bradford flooded nine cellars in Langfield. ...
        >>> [path.name for path in minibert.world(20, kind=["ner", "mnli"], out="data")]
        ['train.conll', 'mnli-train.tsv']
    """
    from .generated import World
    from .generated.files import write_files

    kinds = [kind] if isinstance(kind, str) else list(kind or ())
    if out is None:
        if kinds not in ([], ["text"]):
            raise ValueError(
                f"kind {' '.join(kinds)} can only be written to files; give a folder for them as out"
            )
        return list(World(seed).documents(documents, seed=seed, split=split))
    kinds = kinds or (["text"] if split == "pretrain" else ["text", "squad", "ner"])
    return write_files(World(seed), documents, seed, split, kinds, check_folder(out))
