"""Train the English weights that the package ships from text, and score them.

    PYTHONPATH=. python benchmarks/english.py DATA BUILD
    PYTHONPATH=. python benchmarks/english.py DATA BUILD --steps 0 0 0 1500
    PYTHONPATH=. python benchmarks/english.py DATA BUILD --trial frozen --frozen --steps 400 --rates 1e-2

DATA is the folder of texts, see `english_text.py`. BUILD is where the run keeps its checkpoints; after an
interruption, the same command resumes there. The published encoder and two new heads, for masked tokens and
for the next sentence, are trained on a mix of kinds of text. The word embeddings get a low-rank adapter,
which fits into a small file. A run has four parts:

1. pairs of texts as in the original BERT;
2. fewer wrong pairs, and also single sentences, because people type them;
3. also plain sentences about everyday life;
4. mostly sequences full of a single text, with single tokens masked, as in BERT's own code.

The difference from the published weights is saved in minibert/english/weights. A run without steps in its
first part starts from the weights there, and copies them to BUILD/before.safetensors, so that it can be
resumed even after it has shipped. With --average, the shipped weights are an average of the run's start and
end.
"""

import argparse
import dataclasses
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import torch
from english_text import SHARES, everyday_lines, texts
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import parametrize

from minibert.bench.gpu import name_of
from minibert.data.batch import IGNORE, collate, visible_all
from minibert.english.adapter import Adapter, untied, values
from minibert.english.everyday import everyday, gaps
from minibert.english.model import PRETRAINING, WEIGHTS, add, english
from minibert.english.published import FILES, encoder_folder
from minibert.model import FastEncoder, Model
from minibert.model.checkpoints.pretrained import fill_masks
from minibert.model.checkpoints.published import load_model
from minibert.model.checkpoints.weights import read_config
from minibert.model.low_rank import LowRank
from minibert.model.transfer import device_of
from minibert.objectives import MLM, NSP, Sum, WholeWordMLM
from minibert.objectives.base import Objective
from minibert.readers.writing import write_text
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.config import TrainConfig
from minibert.training.device import choose_device
from minibert.training.loop import train
from minibert.training.pretraining import bert_objective, encode_documents, evaluate_pretraining

WORDS, LENGTH, RATE, BATCH = 48, 128, 0.2, 32
MUON = 3  # larger steps destroy the published weights
# Of the run's four parts.
STEPS, RATES = (2700, 2700, 1500, 1500), (1e-3, 5e-4, 3e-4, 3e-4)
WRONG, ALONE = 1 / 3, 2 / 3  # from part 2 on: wrong pairs, and single sentences, per right pair
EVERYDAY = {3: 6000, 4: 4000}  # part -> number of its plain lines in each epoch
PAIRED = 3  # in part 4, one document in three becomes pairs
TEXT = (
    "28 of 32 books of Project Gutenberg (public domain in the USA), WikiText-2's validation set, "
    "passages of SQuAD 1.1, 2.0 and of newwiki (CC BY-SA), UD English EWT (CC BY-SA 4.0), a sample of "
    "TinyStories (CDLA-Sharing 1.0), State of the Union addresses (public domain), plain sentences "
    "written for this course (CC BY 4.0)"
)
BASE, LICENCE = "sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0)", "Apache-2.0"
BITS = 4.75  # per stored number, so that all shipped weights together stay below 8 MB
STRETCH = 60  # maximum number of sentences in a document
LONGEST_SENTENCE = 200  # tokens
EPOCH = 400_000  # tokens drawn at a time, so that the kinds of text are mixed evenly
SCORED = 60  # number of held-out stretches of each kind that are scored
WINDOWS = 1500  # sequences of 126 tokens for the other two scores


def encoded(documents, tokenizer):
    """Return documents as stretches of at most STRETCH sentences, each a list of ids."""
    found = [
        [sentence[:LONGEST_SENTENCE] for sentence in document if sentence]
        for document in encode_documents(documents, tokenizer)
    ]
    parts = [
        document[start : start + STRETCH] for document in found for start in range(0, len(document), STRETCH)
    ]
    return [part for part in parts if len(part) >= 4]


def tokens(document):
    return sum(map(len, document))


def drawn(kinds, rng, shares=SHARES, total=EPOCH):
    """Draw stretches of text in random order, about `total` tokens in all, with each kind's share of them."""
    chosen = []
    for kind in kinds:
        left = shares[kind] / sum(shares[one] for one in kinds) * total
        while left > 0:
            for place in rng.permutation(len(kinds[kind])):
                chosen.append(kinds[kind][place])
                left -= tokens(chosen[-1])
                if left <= 0:
                    break
    return [chosen[place] for place in rng.permutation(len(chosen))]


def alone(sentences, count, rng):
    """Return `count` random sentences as (row, label): single sequences without a label."""
    return [((sentences[place], None), IGNORE) for place in rng.choice(len(sentences), count, replace=False)]


class FewerWrong(NSP):
    """Next sentence prediction with WRONG wrong pairs for each right one; both kinds have equal weight.

    Single sentences, ALONE for each right pair, have no label.
    """

    def build(self, docs, rng):
        rows, labels = super().build(docs, rng)
        kept = [(row, label) for row, label in zip(rows, labels) if label == 0 or rng.random() < WRONG]
        room = self.max_length - 2
        sentences = [sentence for doc in docs for sentence in doc if 4 <= len(sentence) <= room]
        count = min(len(sentences), round(ALONE * sum(label == 0 for _, label in kept)))
        kept += alone(sentences, count, rng)
        return [row for row, _ in kept], [label for _, label in kept]

    def loss(self, outputs, labels):
        weight = torch.tensor([1.0, 1 / WRONG], device=labels["pair"].device)
        total = F.cross_entropy(
            outputs["pair"].float(), labels["pair"], weight, reduction="sum", ignore_index=IGNORE
        )
        return {"nsp": total / (labels["pair"] != IGNORE).sum().clamp(min=1)}


class MostlyFull(FewerWrong):
    """A mix of pairs as in FewerWrong, from one document in PAIRED, and of full sequences from the others.

    The pair loss is multiplied by the share of pairs in the batch; otherwise a few pairs would be half of the
    total loss.
    """

    def build(self, docs, rng):
        rows, labels = super().build(docs[::PAIRED], rng)
        full, _ = Objective.build(self, [doc for place, doc in enumerate(docs) if place % PAIRED], rng)
        return [*rows, *full], [*labels, *[IGNORE] * len(full)]

    def loss(self, outputs, labels):
        share = (labels["pair"] != IGNORE).float().mean()
        return {"nsp": share * super().loss(outputs, labels)["nsp"]}


def with_lines(rows, labels, lines, count, rng):
    more, unlabelled = zip(*alone(lines, count, rng))
    return [*rows, *more], [*labels, *unlabelled]


class Tied(nn.Module):
    """A parametrization that ties a head's output matrix to the word embeddings with their adapter."""

    def __init__(self, word):
        super().__init__()
        self.word = [word]  # in a list, so that it is registered only as a part of the encoder

    def forward(self, weight):
        return self.word[0].weight


def new_model(tokenizer, words, seed, dropout=0.0):
    """Return (Model, objective): the published encoder, and new heads. words: the adapter's rank."""
    torch.manual_seed(seed)
    objective = bert_objective(tokenizer, LENGTH, rate=RATE)
    model = load_model(encoder_folder(), objective.heads)
    encoder, head = model.encoder, model.heads["tokens"]
    encoder.config = encoder.config.replace(hidden_dropout_prob=dropout, attention_probs_dropout_prob=dropout)
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = dropout
    word = encoder.embeddings.word
    head.decoder.weight = nn.Parameter(word.weight.detach().clone(), requires_grad=False)
    parametrize.register_parametrization(word, "weight", LowRank(*word.weight.shape, words))
    parametrize.register_parametrization(head.decoder, "weight", Tied(word))
    word.parametrizations.weight.original.requires_grad_(False)
    encoder.embeddings.position.requires_grad_(False)
    with torch.no_grad():
        head.transform.weight.copy_(
            torch.eye(len(head.transform.weight)) + 0.01 * torch.randn(head.transform.weight.shape)
        )
    return model, objective


def new_from_scratch(tokenizer, seed, dropout):
    """Return (Model, objective): an untrained encoder of the published encoder's shape, and new heads."""
    torch.manual_seed(seed)
    objective = bert_objective(tokenizer, LENGTH, rate=RATE)
    config = read_config(encoder_folder())[1]
    encoder = FastEncoder(config.replace(hidden_dropout_prob=dropout, attention_probs_dropout_prob=dropout))
    return Model(encoder, objective.heads(encoder)), objective


def shipped_before(build):
    """Return the weights that were shipped when the run in this folder began."""
    kept = build / "before.safetensors"
    if not kept.is_file():
        build.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(WEIGHTS / PRETRAINING, kept)
    adapter = Adapter.load(kept)
    adapter.check(FILES["model.safetensors"].sha256)
    return adapter


@torch.no_grad()
def start_from(model, adapter):
    """Load an adapter's weights into a model that `new_model` built."""
    word = model.encoder.embeddings.word.parametrizations.weight[0]
    for name, factor in (("a", word.a), ("b", word.b)):
        factor.copy_(adapter.encoder[f"embeddings.word.weight.{name}"])
    add(
        model.encoder,
        {name: value for name, value in adapter.encoder.items() if not name.startswith("embeddings.word.")},
    )
    adapter.into(model.heads)


def freeze(model):
    """Freeze everything except the heads; their output matrix stays the published word embeddings."""
    for p in (*model.encoder.parameters(), *model.heads["tokens"].decoder.parametrizations.parameters()):
        p.requires_grad_(False)


def added(model):
    """Return the changes that training made to the published encoder."""
    before = dict(load_model(encoder_folder()).encoder.named_parameters())
    word = model.encoder.embeddings.word.parametrizations.weight[0]
    return {
        **{
            name: (p - before[name]).detach()
            for name, p in model.encoder.named_parameters()
            if p.requires_grad and name in before
        },
        "embeddings.word.weight.a": word.a.detach(),
        "embeddings.word.weight.b": word.b.detach(),
    }


@torch.no_grad()
def average(model, start, share):
    """Replace each weight by the average of its current value, weighted with `share`, and its start value.

    Such averages are better on text unlike the training text (Wortsman et al., 2022, arXiv 2109.01903).
    """
    for name, p in model.named_parameters():
        p.lerp_(start[name].to(p.device), 1 - share)


def scores(model, tokenizer, held_out):
    """Return {kind: accuracies for masked tokens and next sentences, in percent} on held-out stretches.

    A wrong next sentence is from another document of the same kind; for "all together", mostly of another
    kind, as in training.
    """
    some = {
        kind: [documents[place] for place in np.random.default_rng(0).permutation(len(documents))][:SCORED]
        for kind, documents in held_out.items()
    }
    some["all together"] = [one for documents in some.values() for one in documents[: SCORED // len(some)]]
    found = {}
    for kind, documents in some.items():
        got = evaluate_pretraining(model, tokenizer, documents, LENGTH)
        found[kind] = {
            name: round(float(got[name]), 2)
            for name in ("mlm", "mlm_frequency", "nsp", "hidden_tokens", "pairs")
        }
    return found


def joined(documents):
    return np.array([i for document in documents for sentence in document for i in sentence])


def windows(documents, specials, rng):
    """Yield WINDOWS sequences full of text from random positions, in batches of 50."""
    ids = joined(documents)
    for _ in range(0, WINDOWS, 50):
        starts = rng.integers(0, len(ids) - LENGTH + 2, 50)
        yield collate([(ids[start : start + LENGTH - 2], None) for start in starts], specials)


@torch.no_grad()
def right(model, batch, shown, asked):
    """Return whether each token marked in `asked` (bool) is predicted correctly from the ids in `shown`."""
    *inputs, asked_there = (
        torch.from_numpy(array).to(device_of(model))
        for array in (shown, visible_all(batch.real), batch.token_type_ids, asked)
    )
    logits = model.eval()(*inputs, counted=asked_there)["tokens"]
    return (logits.argmax(-1).cpu().numpy() == batch.input_ids[asked]).tolist()


def one_at_a_time(model, tokenizer, documents):
    """Return the accuracy in percent when only one token of a full sequence is masked."""
    rng, found = np.random.default_rng(0), []
    for batch in windows(documents, tokenizer.specials, rng):
        asked = np.zeros(batch.real.shape, bool)
        asked[np.arange(len(asked)), rng.integers(1, LENGTH - 1, len(asked))] = True
        found += right(model, batch, np.where(asked, tokenizer.specials.mask, batch.input_ids), asked)
    return round(100 * float(np.mean(found)), 1)


def as_bert_counts(model, tokenizer, documents):
    """Return the accuracy in percent as in BERT's code: 15% of single tokens, a tenth of them unmasked."""
    rng, found = np.random.default_rng(0), []
    objective = MLM(tokenizer.specials, len(tokenizer), LENGTH)
    for batch in windows(documents, tokenizer.specials, rng):
        inputs, labels = objective.corrupt(batch, rng)
        found += right(model, batch, inputs["input_ids"], labels["tokens"] != IGNORE)
    return round(100 * float(np.mean(found)), 1)


def fresh():
    return gaps(Path(__file__).with_name("english_fresh.txt").read_text(encoding="utf-8"))


def filled(model, tokenizer, asked):
    """Return (sentence, its five most likely words, whether one of them is accepted) for each gap."""
    found = []
    for sentence, words in asked:
        best = [word for word, _ in fill_masks(model, tokenizer, sentence, 5)[0]]
        found.append((sentence, best, bool(set(best) & set(words))))
    return found


def all_filled(model, tokenizer):
    """Fill the gaps in both sets of sentences, "everyday" and "fresh"."""
    return {"everyday": filled(model, tokenizer, everyday()), "fresh": filled(model, tokenizer, fresh())}


def gaps_right(fills):
    """Return {set: number of gaps with an accepted word among the first five}."""
    return {name: sum(good for *_, good in found) for name, found in fills.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("build", type=Path, metavar="BUILD")
    parser.add_argument("--steps", type=int, nargs="+", default=STEPS, help="steps of the run's parts")
    parser.add_argument(
        "--rates", type=float, nargs="+", default=RATES, help="peak learning rates of the parts"
    )
    parser.add_argument("--words", type=int, default=WORDS, help="rank of the word embeddings' adapter")
    parser.add_argument(
        "--muon", type=float, default=MUON, help="ratio of Muon's learning rate to the others'"
    )
    parser.add_argument("--batch", type=int, default=BATCH, help="sequences per step")
    parser.add_argument("--dropout", type=float, default=0.0, help="useful if a text is read many times")
    parser.add_argument(
        "--shares",
        type=float,
        nargs=len(SHARES),
        default=list(SHARES.values()),
        metavar="SHARE",
        help=f"shares of the tokens: {', '.join(SHARES)}",
    )
    parser.add_argument(
        "--average",
        type=float,
        default=1.0,
        metavar="SHARE",
        help="weight of the run's end in the shipped average; its start has the rest",
    )
    parser.add_argument("--device", help="cpu, cuda or mps (default: the best one present)")
    parser.add_argument("--frozen", action="store_true", help="train only the heads")
    parser.add_argument("--scratch", action="store_true", help="train from scratch; needs --trial")
    parser.add_argument(
        "--kinds",
        nargs="+",
        choices=SHARES,
        default=list(SHARES),
        metavar="KIND",
        help="kinds of text to use",
    )
    parser.add_argument(
        "--trial",
        metavar="NAME",
        help="a run for comparison: its results go to BUILD/NAME, and nothing is shipped",
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, help="threads of PyTorch (default: all cores)")
    a = parser.parse_args()
    if not len(a.steps) <= len(a.rates) <= len(STEPS):
        parser.error(
            f"{len(a.steps)} --steps and {len(a.rates)} --rates: give equally many, at most {len(STEPS)}"
        )
    if a.scratch and (not a.trial or not a.steps[0] or a.frozen):
        parser.error("--scratch needs --trial and steps in the first part, and cannot be used with --frozen")
    if a.threads:
        torch.set_num_threads(a.threads)
    tokenizer = FastWordPiece.load(encoder_folder() / "vocab.txt", lower_case=True)
    train_texts, held_texts = texts(a.data)
    kinds, held_out = (
        {kind: encoded(documents, tokenizer) for kind, documents in part.items()}
        for part in (train_texts, held_texts)
    )
    print({kind: sum(map(tokens, documents)) for kind, documents in kinds.items()}, flush=True)
    model, objective = (
        new_from_scratch(tokenizer, a.seed, a.dropout)
        if a.scratch
        else new_model(tokenizer, a.words, a.seed, a.dropout)
    )
    before = None if a.steps[0] else shipped_before(a.build)
    if before:
        start_from(model, before)
    if a.frozen:
        freeze(model)
    kinds = {kind: kinds[kind] for kind in a.kinds}

    device = choose_device(a.device)
    start = values(dict(model.named_parameters()))
    log = fit(a, model.to(device), objective, kinds, tokenizer, held_out)
    average(model, start, a.average)
    settings = {
        name: value
        for name, value in vars(a).items()
        if name not in ("data", "build", "trial", "device", "threads")
    }
    card = {
        "base": BASE,
        "text": TEXT,
        "licence": LICENCE,
        "command": called(),
        "commit": commit(),
        **settings,
        "device": name_of(device),
        "tokens": sum(entry["tokens"] for entry in log),
        "hours": round(sum(entry["seconds"] for entry in log) / 3600, 2),
        "threads": torch.get_num_threads(),
        "before": dict(before.card) if before else None,
    }
    path = a.build / f"{a.trial}.safetensors" if a.trial else WEIGHTS / PRETRAINING
    if not a.scratch:
        adapter = Adapter(
            added(model.to("cpu")), values(untied(model.heads)), FILES["model.safetensors"].sha256, card
        )
        adapter.save(path, BITS)
    if not a.trial:
        model = english().model  # as loaded from the file
    model.to(device)
    fills = all_filled(model, tokenizer)
    card |= {
        "scores": scores(model, tokenizer, held_out),
        **gaps_right(fills),
        **{
            name: {kind: score(model, tokenizer, documents) for kind, documents in held_out.items()}
            for name, score in (("one at a time", one_at_a_time), ("as BERT counts", as_bert_counts))
        },
    }
    if not a.trial:
        dataclasses.replace(adapter, card=card).save(path, BITS)
    write_text(a.build / f"{a.trial or 'mlm'}.json", json.dumps({"card": card, **fills}, indent=2) + "\n")


def fit(a, model, objective, kinds, tokenizer, held_out):
    """Train the parts of the run and return the log; checkpoints are scored in BUILD/NAME.curve.jsonl."""
    a.build.mkdir(parents=True, exist_ok=True)
    run, log = a.trial or "mlm", []
    sizes = tokenizer.specials, len(tokenizer), LENGTH
    mixed = Sum(FewerWrong(*sizes), WholeWordMLM(tokenizer.specials, tokenizer.vocab, LENGTH, rate=RATE))
    single = Sum(MostlyFull(*sizes), MLM(*sizes, rate=RATE))
    lines = [tokenizer.encode(line).ids for line in everyday_lines()]
    for number, (part, steps, rate) in enumerate(zip((objective, mixed, mixed, single), a.steps, a.rates), 1):
        if not steps:
            continue
        folder = a.build / f"{run}-{number}"

        def rows(rng, part=part, number=number):
            made = part.build(drawn(kinds, rng, dict(zip(SHARES, a.shares))), rng)
            return with_lines(*made, lines, EVERYDAY[number], rng) if number in EVERYDAY else made

        def score(model, number=number, folder=folder):
            found = scores(model, tokenizer, held_out)
            line = {
                "part": number,
                "step": len((folder / "log.jsonl").read_text().splitlines()),
                "scores": found,
                **gaps_right(all_filled(model, tokenizer)),
            }
            with open(a.build / f"{run}.curve.jsonl", "a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            print(line, flush=True)
            return found["all together"]["mlm"]

        config = TrainConfig(
            steps=steps,
            batch_size=a.batch,
            peak_rate=rate,
            warmup=0.05,
            seed=a.seed,
            keep=1,
            weight_decay=0.0,
            optimizer="muon",
            muon_share=a.muon,
            save_every=max(150, steps // 8),
        )
        log += train(
            model,
            part,
            rows,
            config,
            checkpoint=folder,
            score=score,
            label=f"english, {folder.name}",
            precision=torch.bfloat16,
        )
    return log


def called():
    return " ".join(["python", f"benchmarks/{Path(sys.argv[0]).name}", "DATA", "BUILD", *sys.argv[3:]])


def commit():
    return subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=Path(__file__).parent
    ).stdout.strip()


if __name__ == "__main__":
    main()
