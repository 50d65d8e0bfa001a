"""Texts from BERT and from GPT, judged by the exact reader of the generated language.

Both models have the same size, text and number of steps (lesson 9). They write a whole biography, or only its
last sentence, for which BERT has no more context than GPT. BERT is told the length of the text, GPT is not.
The control "Gibbs from real text" starts from a real one, so it shows whether a bad start is to blame.
Axes: N texts, T tokens.
"""

from functools import cache, partial
from typing import Any

import numpy as np

from minibert.course.models.class_model import WORLD_SEED
from minibert.course.models.elmo_gpt_bert import load_trained
from minibert.data.batch import pack
from minibert.generated import World
from minibert.generated.posterior.matching import MatchedRow
from minibert.generated.posterior.reader import Reader
from minibert.generation.gibbs import gibbs
from minibert.generation.mask_predict import mask_predict, most_likely
from minibert.generation.metropolis import metropolis, pseudo_log_likelihood
from minibert.generation.sampling import LogProbs, model_log_probs, sample, write_left_to_right
from minibert.tokenizer.fast import FastWordPiece

TASKS = ("whole", "last")
COUNT = {"whole": 30, "last": 50}  # texts of each seed
MOST = {"whole": 112, "last": 90}  # tokens of the biographies that are used
SWEEPS, ITERATIONS = 8, 10  # of the chains, and of Mask-Predict (the paper's number)
START = "Gibbs from real text"
WAYS = (
    "real text",
    "GPT",
    "one draw",  # of all tokens at once
    "Mask-Predict",
    "Mask-Predict, drawn",
    "Gibbs",
    START,
    "Metropolis-Hastings",
)
PAGES_SEED = 2001  # of biographies that no model has read
LONGEST = 112  # tokens of a text


@cache
def material() -> tuple[LogProbs, LogProbs, FastWordPiece, Reader]:
    """Return (BERT, GPT, tokenizer, exact reader)."""
    bert, tokenizer, _ = load_trained("BERT")
    gpt, _, _ = load_trained("GPT")
    reader = Reader(World(WORLD_SEED), lambda text: tokenizer.encode(text).ids, tokenizer.specials)
    log_probs = model_log_probs(bert, mask=tokenizer.specials.mask)
    return log_probs, model_log_probs(gpt, causal=True), tokenizer, reader


@cache
def biographies(task: str, seed: int, count: int) -> list[tuple[np.ndarray, int]]:
    """Return biographies as (ids (T,) with [CLS] and [SEP], the position where the text to write begins)."""
    _, _, tokenizer, _ = material()
    found = []
    for page in World(WORLD_SEED).pages(10 * count, PAGES_SEED + seed, "pretrain"):
        if page.kind == "life":
            sentences = [tokenizer.encode(sentence).ids for sentence in page.sentences]
            ids, _ = pack(sum(sentences, []), None, tokenizer.specials)
            if len(ids) <= MOST[task]:
                found.append((np.array(ids), 1 if task == "whole" else len(ids) - 1 - len(sentences[-1])))
    return found[:count]


def full_stop() -> int:
    _, _, tokenizer, _ = material()
    return tokenizer.encode(".").ids[0]


def write(way: str, task: str, ids: np.ndarray, begin: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Return a biography's new text after each sweep, or the single text of a way without sweeps.

    way: one of WAYS. ids: (T,), of which the tokens before `begin` are kept.
    """
    bert, gpt, tokenizer, _ = material()
    specials = tokenizer.specials
    if way == "real text":
        return [ids]
    if way == "GPT":
        end = specials.sep if task == "whole" else full_stop()
        text = write_left_to_right(ids[None, :begin], LONGEST, gpt, end, rng)[0]
        ends = np.flatnonzero(text[begin:] == end)
        return [text[: begin + ends[0] + 1] if len(ends) else text]
    free = (np.arange(len(ids)) >= begin) & (ids != specials.sep)  # (T,)
    start = ids[None] if way == START else np.where(free, specials.mask, ids)[None]  # (1, T)
    return [text[0] for text in from_bert(way, start, free, bert, specials.mask, rng)]


def from_bert(
    way: str, ids: np.ndarray, free: np.ndarray, bert: LogProbs, mask: int, rng: np.random.Generator
) -> list[np.ndarray]:
    """Return the texts (1, T) after each sweep of a way to write with BERT; free: (T,) bool."""
    draw = partial(sample, rng=rng)
    if way.startswith("Gibbs"):
        return [*gibbs(ids, free, bert, mask, SWEEPS, rng)]
    if way.startswith("Mask-Predict"):
        choose = most_likely if way == "Mask-Predict" else draw
        return [mask_predict(ids, free, bert, mask, ITERATIONS, choose)[-1].ids]
    ids = mask_predict(ids, free, bert, mask, 1, draw)[-1].ids
    if way == "one draw":
        return [ids]
    score = partial(pseudo_log_likelihood, free=free, log_probs=bert, mask=mask)
    sweep = int(free.sum())
    steps = metropolis(ids, free, bert, mask, score, SWEEPS * sweep, rng)
    return [text for number, (text, _) in enumerate(steps, 1) if number % sweep == 0]


def judge(text: np.ndarray, begin: int) -> dict[str, Any]:
    """Return {"sentences": [(ids, grammatical)], "document": whether the whole text is possible}.

    text: (T,), with [CLS]. Only sentences from position `begin` on are listed. A sentence is grammatical if
    the language has a template for it, whatever stands around it; a document also if all of its facts agree.
    """
    _, _, tokenizer, reader = material()
    stop, end = full_stop(), tokenizer.specials.sep
    pieces = [int(token) for token in text]
    pieces = pieces[: pieces.index(end)] if end in pieces else pieces
    row = MatchedRow(reader.states.tree, pieces, len(pieces))
    found, start = [], begin
    for position in range(begin, len(pieces)):
        if pieces[position] == stop:
            ends = {match.end for matches in row.matches(start).values() for match in matches}
            found.append((tuple(pieces[start : position + 1]), position + 1 in ends))
            start = position + 1
    if start < len(pieces):  # the text ends within a sentence
        found.append((tuple(pieces[start:]), False))
    return {"sentences": found, "document": possible(reader, pieces, end)}


def possible(reader: Reader, pieces: list[int], end: int) -> bool:
    """Return whether the language can generate a whole document."""
    if len(pieces) < 3:
        return False
    lattice = reader._read([*pieces, end], [(1, len(pieces))], reader._beginnings(1))
    return bool(lattice.likelihood)


def writing_run(way: str, task: str, seed: int = 1, count: int | None = None) -> dict[str, Any]:
    """Return what was written by one of WAYS, judged: counts per text and sweep, and the last texts.

    "grammatical", "sentences", "documents": a list per text of a number per sweep. "changed": the share of
    the tokens that each sweep changes. "texts": the texts in the end.
    """
    _, _, tokenizer, _ = material()
    rng = np.random.default_rng([seed, WAYS.index(way), TASKS.index(task)])
    given = biographies(task, seed, count or COUNT[task])
    written = [write(way, task, ids, begin, rng) for ids, begin in given]
    judged = [[judge(text, begin) for text in states] for states, (_, begin) in zip(written, given)]
    changed = [
        [float((one[begin:-1] != two[begin:-1]).mean()) for one, two in zip(states, states[1:])]
        for states, (_, begin) in zip(written, given)
    ]
    return {
        "grammatical": [[sum(right for _, right in one["sentences"]) for one in states] for states in judged],
        "sentences": [[len(one["sentences"]) for one in states] for states in judged],
        "documents": [[one["document"] for one in states] for states in judged],
        "changed": np.mean(changed, axis=0).round(3).tolist(),
        "texts": [spelled(states[-1][begin:], tokenizer) for states, (_, begin) in zip(written, given)],
    }


def spelled(ids: np.ndarray, tokenizer: FastWordPiece) -> str:
    """Return token ids as text, without special tokens."""
    tokens = [tokenizer.vocab[i] for i in ids if i not in tokenizer.specials.ids]
    return " ".join(tokens).replace(" ##", "")
