"""Run the stages of the tour. Each stage saves its results, so that an interrupted tour can resume."""

from __future__ import annotations

import dataclasses
import json
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from tqdm.auto import tqdm

from minibert.config import preset
from minibert.data.batch import pack
from minibert.finetuning.registry import read_examples
from minibert.finetuning.run import finetune
from minibert.generated import World, to_conll, to_squad, write_documents
from minibert.generated.posterior.reachable import best_answers, hidden_rows, scored
from minibert.generated.posterior.reader import Reader
from minibert.model import Encoder, Model
from minibert.model.checkpoints.published import load_model, save_model
from minibert.readers.conll import Sentence
from minibert.readers.plain_text import read_documents
from minibert.readers.squad import QAExample
from minibert.readers.writing import write_text
from minibert.tokenizer import count_words, train_wordpiece
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.config import TrainConfig
from minibert.training.device import choose_device, choose_precision
from minibert.training.pretraining import (
    encode_documents,
    evaluate_pretraining,
    forget,
    model_answers,
    pretrain,
)
from minibert.training.recipes import (
    copying_phases,
    frequent_tokens,
    look_up_objective,
    start_from_neighbours,
)

from ..models import class_model
from .grading import can_grade, grade_samples
from .report import write_report
from .table import figures_table, print_table


@dataclass(frozen=True)
class TourConfig:
    """The sizes and hyperparameters of the tour, which takes six minutes on two CPU cores by default."""

    seed: int = 0
    documents: int = 32000  # documents for pretraining
    vocab_size: int = 4000  # large enough that each name is one token
    preset: str = "class"
    max_length: int = 112  # length of a pretraining sequence
    steps: int = 900  # pretraining steps
    batch_size: int = 128  # large: fewer steps with less noisy gradients, which is faster overall
    peak_rate: float = 4e-3
    embedding_share: float = 2.0  # factor for the learning rate of the word embeddings
    weight_decay: float = 0.15
    mask_rate: float = 0.27  # a lower rate teaches less per sequence, a higher one leaves less context
    to_mask: float = 0.88  # share of the chosen tokens; 0.8 needs more steps, and 1 does not teach copying
    to_random: float = 0.04  # share of the chosen tokens; 0.1 in the paper
    questions: int = 500  # labelled examples for QA
    sentences: int = 300  # labelled examples for NER
    qa_steps: int = 500  # fine-tuning steps
    ner_steps: int = 400
    finetune_batch_size: int = 8
    finetune_rate: float = 1e-3
    test_documents: int = 100  # documents whose questions and sentences are the test sets

    def key(self) -> dict[str, Any]:
        """Return the configuration as a dict. Stored results are reused only if it is unchanged."""
        return dataclasses.asdict(self)


def tour(
    out: str | Path = "tour", config: TourConfig = TourConfig(), root: Path | None = None, device: Any = None
) -> dict[str, Any]:
    """Run the guided tour: pretrain and fine-tune a small BERT, grade samples, and write a report.

    Finished stages of an interrupted run are not repeated. out: the folder for the report and the results,
    `tour.json`. root: a clone of the repository, for grading. Returns the results of all stages.
    """
    out = Path(out)
    stages = out / "stages"
    if (out / "tour.json").is_file() or not fits(stages, config):
        shutil.rmtree(stages, ignore_errors=True)
        (out / "tour.json").unlink(missing_ok=True)
    stages.mkdir(parents=True, exist_ok=True)
    write_text(stages / "config.json", json.dumps(config.key()))
    device = choose_device(device)
    precision = choose_precision("auto", device, stages / "training")
    print(
        f"Device {device}, {precision}. Interrupt with Ctrl-C at any time; "
        "the same command resumes where it stopped.\n"
    )
    figures = {}
    plan: list[tuple[str, Callable[..., dict[str, Any]]]] = [
        ("language", language),
        ("vocabulary", vocabulary),
        ("pretraining", pretraining),
        ("qa", task),
        ("ner", task),
        ("grading", grading),
    ]
    if not can_grade(root):
        plan.pop()
        print("Grading is left out: it needs the solutions, which only the repository has.\n")
    for number, (name, stage) in enumerate(plan, 1):
        path = stages / f"{name}.json"
        if path.is_file():
            print(f"[{number}/{len(plan)}] {name}: already done")
        else:
            print(f"[{number}/{len(plan)}] {TITLES[name]}")
            start = time.time()
            result = stage(stages, config, name=name, device=device, precision=precision, root=root)
            result["seconds"] = round(time.time() - start, 1)
            write_text(path, json.dumps(result))
        figures[name] = json.loads(path.read_text())
    rows = figures_table(figures)
    report = write_report(out / "report.html", figures, rows)
    seconds = round(sum(figures[name]["seconds"] for name, _ in plan), 1)
    write_text(
        out / "tour.json",
        json.dumps(
            {"config": config.key(), "seconds": seconds, "table": rows, "stages": slim(figures)}, indent=2
        )
        + "\n",
    )
    print_table(rows)
    print(f"\nThe stages took {seconds:.0f} seconds. Report: {report}")
    return figures


TITLES = {
    "language": "Generating the language: documents, questions, entities",
    "vocabulary": "Training the WordPiece vocabulary",
    "pretraining": "Pretraining a small BERT: masked words and next sentences",
    "qa": "Fine-tuning for question answering, compared with the same model from scratch",
    "ner": "Fine-tuning for named entities, compared with the same model from scratch",
    "grading": "Grading sample submissions of unit 02",
}


def fits(stages: Path, config: TourConfig) -> bool:
    """Return whether the results stored in the folder `stages` were made with this configuration."""
    path = stages / "config.json"
    return path.is_file() and json.loads(path.read_text()) == config.key()


def slim(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return the results of the stages for `tour.json`, without long curves and attention weights."""
    return {
        name: {key: value for key, value in stage.items() if key not in ("curve", "curves", "attention")}
        for name, stage in figures.items()
    }


def language(stages: Path, config: TourConfig, **_: Any) -> dict[str, Any]:
    """Write generated text and labelled files to the folder `stages`; return their sizes and a sample.

    The labelled files have the formats of public data sets.
    """
    world = World(class_model.WORLD_SEED)
    text = world.documents(config.documents, seed=config.seed * 10 + 1, split="pretrain")
    bar = tqdm(
        text, total=config.documents, desc="documents", unit="doc", dynamic_ncols=True, disable=None
    )  # `disable=None` shows the bar only in a terminal
    write_documents(bar, stages / "train.txt")
    write_documents(world.documents(300, seed=config.seed * 10 + 2, split="pretrain"), stages / "dev.txt")
    sizes = {}
    for split, count in (("train", max(config.questions, config.sentences)), ("test", config.test_documents)):
        documents = list(world.documents(count, seed=config.seed * 10 + 3, split=split))
        write_text(stages / f"{split}.json", json.dumps(to_squad(documents)))
        write_text(stages / f"{split}.conll", to_conll(documents))
        sizes[split] = len(documents)
    sample = next(iter(world.documents(1, seed=config.seed * 10 + 1, split="pretrain")))
    return {"documents": config.documents, "sample": sample.text, "labelled_documents": sizes}


def vocabulary(stages: Path, config: TourConfig, **_: Any) -> dict[str, Any]:
    """Train a WordPiece vocabulary on the text in the folder `stages`, and return its size and an example."""
    documents = read_documents([stages / "train.txt"])
    counts = count_words(sentence for document in documents for sentence in document)
    vocab = train_wordpiece(counts, config.vocab_size)
    write_text(stages / "vocab.txt", "\n".join(vocab) + "\n")
    sentence = documents[0][0]
    return {
        "words": sum(counts.values()),
        "forms": len(counts),
        "pieces": len(vocab),
        "sentence": sentence,
        "sentence_pieces": FastWordPiece(vocab).encode(sentence).pieces,
    }


def pretraining(
    stages: Path, config: TourConfig, device: torch.device, precision: str, **_: Any
) -> dict[str, Any]:
    """Pretrain a model, store it in the user's cache for lessons, and return its held-out scores."""
    wordpiece = FastWordPiece.load(stages / "vocab.txt")
    docs, held_out = (
        encode_documents(read_documents([stages / name]), wordpiece) for name in ("train.txt", "dev.txt")
    )
    train_config = TrainConfig(
        steps=config.steps,
        batch_size=config.batch_size,
        peak_rate=config.peak_rate,
        embedding_share=config.embedding_share,
        weight_decay=config.weight_decay,
        seed=config.seed,
        optimizer="muon",
    )
    sizes = preset(config.preset)
    mask = partial(
        look_up_objective,
        common=frequent_tokens(docs),
        rate=config.mask_rate,
        to_mask=config.to_mask,
        to_random=config.to_random,
    )
    phases = copying_phases(train_config, config.max_length, sizes.num_hidden_layers, mask)
    model, log = pretrain(
        docs,
        wordpiece,
        sizes,
        phases,
        device,
        checkpoint=stages / "training",
        precision=precision,
        label="pretraining",
        make_objective=partial(mask, share=0.3, pairs=True),
        start=start_from_neighbours,
    )
    save_model(model, stages / "bert", wordpiece)
    class_model.keep(stages / "bert")
    forget(stages / "training")
    scores: dict[str, Any] = evaluate_pretraining(model, wordpiece, held_out, config.max_length)
    scores["reading"] = masked_accuracy(model, wordpiece, config)
    sentences = read_documents([stages / "dev.txt"])[0][:2]
    return {
        **scores,
        "parameters": sum(p.numel() for p in model.parameters()),
        "curve": [
            {key: round(entry[key], 4) for key in ("step", "loss", "mlm", "nsp") if key in entry}
            for entry in log
        ],
        "tokens": sum(entry["tokens"] for entry in log),
        "short_steps": phases[0].config.steps,
        "attention": attention_sample(model, wordpiece, sentences),
    }


def masked_accuracy(model: Model, wordpiece: FastWordPiece, config: TourConfig) -> dict[str, float]:
    """Return the model's and the highest possible accuracy on masked tokens, in percent."""
    world, rng = World(class_model.WORLD_SEED), np.random.default_rng([config.seed, 4])
    pages = world.pages(config.test_documents, config.seed * 10 + 2, "pretrain")
    rows = list(hidden_rows(pages, wordpiece.encode, wordpiece.specials, config.max_length, rng))
    reader = Reader(world, lambda text: wordpiece.encode(text).ids, wordpiece.specials, "pretrain")
    answers = {"model": model_answers(model.eval(), wordpiece.specials), "best": best_answers(reader)}
    return {name: 100 * scored(rows, answer)["all"].accuracy for name, answer in answers.items()}


def attention_sample(model: Model, wordpiece: FastWordPiece, sentences: Sequence[str]) -> dict[str, Any]:
    """Return the tokens of two sentences and the attention weights of one head, for a figure.

    The head is the one that attends least to special tokens and to the query itself.
    """
    a, b = (wordpiece.encode(sentence) for sentence in sentences)
    ids, types = (torch.tensor([row]) for row in pack(a.ids, b.ids, wordpiece.specials))
    device = next(model.parameters()).device
    visible = torch.ones(1, ids.shape[1], ids.shape[1], dtype=torch.bool)
    with torch.no_grad():
        probs = model.encoder(*(x.to(device) for x in (ids, visible, types)), with_probs=True)["probs"]
    probs = torch.stack(probs, 1)[0].float().cpu()  # (L, H, T, T)
    special = torch.isin(ids[0], torch.tensor(wordpiece.specials.ids))  # (T,)
    idle = probs[..., special].sum(-1).mean(-1) + probs.diagonal(dim1=-2, dim2=-1).mean(-1)  # (L, H)
    layer, head = divmod(int(idle.argmin()), probs.shape[1])
    tokens = [wordpiece.vocab[i] for i in ids[0].tolist()]
    away = probs[layer, head].masked_fill(torch.eye(len(tokens), dtype=torch.bool) | special, 0.0)  # (T, T)
    query, key = divmod(int(away.argmax()), len(tokens))
    title = f"Layer {layer + 1}, head {head + 1}: “{tokens[query]}” attends most to “{tokens[key]}”"
    return {"tokens": tokens, "probs": probs[layer, head].tolist(), "title": title}


def labelled(stages: Path, name: str, config: TourConfig) -> tuple[list[Any], list[Any]]:
    """Return training and test examples for a task, read from files in the folder `stages`.

    The training examples are a random sample of those in the file.
    """
    suffix, count = TASKS[name].suffix, getattr(config, TASKS[name].labelled)
    examples, test = (read_examples(name, stages / f"{part}.{suffix}") for part in ("train", "test"))
    chosen = np.random.default_rng([config.seed, 3]).permutation(len(examples))[:count]
    return [examples[i] for i in chosen], test


def tuning(name: str, config: TourConfig) -> dict[str, Any]:
    """Return the number of steps, learning rate and batch size for fine-tuning on a task."""
    return {
        "steps": getattr(config, TASKS[name].steps),
        "peak_rate": config.finetune_rate,
        "batch_size": config.finetune_batch_size,
    }


def task(
    stages: Path, config: TourConfig, name: str, device: torch.device, precision: str, **_: Any
) -> dict[str, Any]:
    """Fine-tune the pretrained encoder and an untrained one on a task, and return the scores of both.

    Both use the same examples and the same number of steps. name: "qa" or "ner".
    """
    wordpiece = FastWordPiece.load(stages / "vocab.txt")
    examples, test = labelled(stages, name, config)
    result: dict[str, Any] = {"labelled": len(examples), "test": len(test), "curves": {}}
    for start in ("pretrained", "scratch"):
        torch.manual_seed(config.seed)
        encoder = (
            load_model(stages / "bert").encoder
            if start == "pretrained"
            else Encoder(preset(config.preset, vocab_size=len(wordpiece)))
        )
        tuned, log = finetune(
            name,
            encoder.to(device),
            wordpiece,
            examples,
            seed=config.seed,
            precision=precision,
            label=f"{name}, {start}",
            **tuning(name, config),
        )
        answers = tuned.task.answer(tuned.model, test)
        result[start] = tuned.task.metric(test, answers)
        result["curves"][start] = [round(entry["loss"], 4) for entry in log]
        tuned.save(stages / f"{name}-{start}")
        result[f"{start}_example"] = TASKS[name].shown(test[0], answers[0])
    return result


def question(example: QAExample, answer: str) -> dict[str, Any]:
    """Return a dict with a test question, its correct answer and a model's answer, for the report."""
    return {
        "context": example.context,
        "question": example.question,
        "answer": answer,
        "gold": example.answers[0][0] if example.answers else "",
    }


def sentence(example: Sentence, tags: list[str]) -> dict[str, Any]:
    """Return a dict with a test sentence, its correct tags and the predicted tags, for the report."""
    return {"words": example.words, "gold": example.tags, "tags": tags}


class TourTask(NamedTuple):
    """A task on which the tour fine-tunes its encoders.

    suffix: the suffix of the labelled files. labelled, steps: the names of the TourConfig fields with the
    number of labelled examples and of steps. shown: a function that prepares an example and a model's
    prediction for the report.
    """

    suffix: str
    labelled: str
    steps: str
    shown: Callable[[Any, Any], dict[str, Any]]


TASKS = {
    "qa": TourTask("json", "questions", "qa_steps", question),
    "ner": TourTask("conll", "sentences", "ner_steps", sentence),
}


def grading(_stages: Path, _config: TourConfig, root: Path, **_: Any) -> dict[str, Any]:
    """Grade sample submissions of an exercise: a correct one, some wrong ones and a blank one.

    root: a clone of the repository. Returns {"submissions": a summary of each}.
    """
    return {"submissions": grade_samples(root)}
