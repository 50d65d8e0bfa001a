"""ELMo, GPT and BERT in small: the same text, rows and steps for each, and the same hidden words to guess
afterwards.

Peters et al. (2018, arXiv 1802.05365), Radford et al. (2018, section 3.1), Devlin et al. (2019, arXiv
1810.04805, section 5.1). Lesson 9 trains each once, `benchmarks/sights.py` with several seeds; both take all
that they compare from this file. Axes: T tokens, N hidden tokens of a row, V vocabulary.
"""
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from .batch import IGNORE, visible_all, visible_causal
from .class_model import WORLD_SEED
from .config import preset
from .corpora.world import World
from .corpora.world.posterior.reachable import best_answers, best_left_answers, hidden_rows, scored
from .corpora.world.posterior.reader import Reader
from .model import Encoder
from .model.bilstm import BiLSTM
from .objectives import CLM, MLM, NSP, BiLM, Sum
from .tokenizer import count_words, train_wordpiece
from .tokenizer.fast import FastWordPiece
from .training import TrainConfig, encode_documents, start_from_sinusoids
from .training.pretraining import model_answers


def mlm_and_nsp(*sizes):
    """The objective of the BERT paper: NSP builds the rows, MLM hides tokens in them."""
    return Sum(NSP(*sizes), MLM(*sizes))


# lesson 9's; its BERT has no sentence objective, as the others
READERS = {"ELMo": BiLM, "GPT": CLM, "BERT": MLM}
QUESTION_ROWS = 200     # enough to count by
ABLATIONS = {"BERT with NSP": mlm_and_nsp}


@dataclass(frozen=True)
class Budget:
    """What every reader gets, and what it is asked afterwards. Lesson 9's is `Budget()`: about 20 seconds a
    reader.
    """

    documents: int = 8000               # of the generated language, of which the lives are read
    pieces: int = 1000                  # of the vocabulary, at most
    length: int = 112                   # tokens a row
    layers: int = 2
    hidden_size: int = 64
    steps: int = 600
    batch_size: int = 8
    peak_rate: float = 3e-3
    every: int = 60                     # steps from point to point of a curve
    pages: int = 450                    # of which the lives are new documents to guess words in
    tests: int = 40                     # of these, the first
    curve_tests: int = 30               # of these, the first, for a curve

    def training(self, seed):
        """How to train: a TrainConfig."""
        return TrainConfig(steps=self.steps, batch_size=self.batch_size, peak_rate=self.peak_rate, seed=seed)

    def config(self, pieces):
        """The size of the trunk: a ModelConfig."""
        return preset("class", num_hidden_layers=self.layers, hidden_size=self.hidden_size,
                      intermediate_size=4 * self.hidden_size, vocab_size=len(pieces))


def read_text(budget):
    """(tokenizer, documents as lists of sentences of ids): the lives of the generated language."""
    documents = World(WORLD_SEED).documents(budget.documents, seed=1, split="pretrain")
    lives = [document.sentences for document in documents if document.kind == "life"]
    pieces = FastWordPiece(train_wordpiece(count_words(sentence for life in lives for sentence in life),
                                           budget.pieces))
    return pieces, encode_documents(lives, pieces)


def hidden_words(budget, pieces):
    """New documents with hidden words: a list of HiddenRow."""
    pages = [page for page in World(WORLD_SEED).pages(budget.pages, 1001, "pretrain") if page.kind == "life"]
    return list(hidden_rows(pages, pieces.encode, pieces.specials, budget.length,
                            np.random.default_rng(0)))[:budget.tests]


def limits(tests, pieces):
    """The best that anybody could do on such rows, who sees the "left" side, or "both": {side: scores by
    need}.
    """
    reader = Reader(World(WORLD_SEED),
                    lambda sentence: pieces.encode(sentence).ids, pieces.specials, "pretrain")
    return {"left": scored(tests, best_left_answers(reader)), "both": scored(tests, best_answers(reader))}


def objective_of(name, budget, pieces):
    """What a reader of READERS or ABLATIONS is trained for."""
    return {**READERS, **ABLATIONS}[name](pieces.specials, len(pieces), budget.length)


def new_reader(name, budget, pieces, seed):
    """A trunk with fresh weights and the heads of its objective: a Model."""
    torch.manual_seed(seed)
    trunk = (BiLSTM if name == "ELMo" else Encoder)(budget.config(pieces))
    if name != "ELMo":
        start_from_sinusoids(trunk)     # an LSTM has no positions
    return objective_of(name, budget, pieces).model(trunk)


def log_unigram(text, pieces):
    """(V,) tensor: the log of how frequent each piece of the vocabulary is in a text; one is added to each
    count.
    """
    counts = np.bincount(np.concatenate([ids for document in text for ids in document]),
                         minlength=len(pieces)) + 1
    return torch.tensor(counts / counts.sum(), dtype=torch.float32).log()


@torch.no_grad()
def log_shares(model, ids, visible):
    """{head: (T, V) log of the share that each place gives to each piece}. ids: (T,). visible: such as
    `visible_causal`.
    """
    ids, real = torch.from_numpy(ids)[None], np.ones((1, len(ids)), bool)
    logits = model.eval()(ids, torch.from_numpy(visible(real)), torch.zeros_like(ids))
    return {name: scores[0].log_softmax(-1) for name, scores in logits.items()}


def judged(row, logs):
    """For `scored`: for each hidden token, is the likeliest piece right, and the truth's share. logs: (N,
    V).
    """
    truth = torch.from_numpy(row.ids[row.hidden])                               # (N,)
    return [(float(at.argmax() == word), float(at[word].exp())) for at, word in zip(logs, truth)]


def gpt_answers(model, row):
    """GPT answers at the place before the hidden word: it has read the left side, truly."""
    before = np.flatnonzero(row.hidden) - 1
    return judged(row, log_shares(model, row.ids, visible_causal)["tokens"][before])


def product(left, right, unigram):
    """Both opinions as one, were the two sides independent given the word: logs (N, V) of p_L p_R / p, made
    to sum to 1.
    """
    return (left + right - unigram).log_softmax(-1)


JOINED = {"left": lambda left, right, unigram: left, "right": lambda left, right, unigram: right, "product":
          product}


def elmo_answers(model, unigram, way, row):
    """ELMo's two readers answer at the places before and after; way: one of them, or both joined, see
    JOINED.
    """
    at, logs = np.flatnonzero(row.hidden), log_shares(model, row.ids, visible_all)
    return judged(row, JOINED[way](logs["next"][at - 1], logs["previous"][at + 1], unigram))


def answers_of(name, model, pieces, unigram, way="product"):
    """How a reader answers for a row's hidden words: a function for `scored`. BERT's have [MASK] at all of
    them at once.
    """
    if name == "ELMo":
        return partial(elmo_answers, model, unigram, way)
    return partial(gpt_answers, model) if name == "GPT" else model_answers(model.eval(), pieces.specials)


def questions_of(log, objective, text, rng):
    """How many tokens a reader was asked for in a training: about as many a token as in some rows of its
    text.
    """
    batch = objective.collate(*(part and part[:QUESTION_ROWS] for part in objective.build(text, rng)))
    _, labels = objective.corrupt(batch, rng)
    asked = sum(int((label != IGNORE).sum()) for label in labels.values())
    return round(sum(entry["tokens"] for entry in log) * asked / int(batch.real.sum()))


class LeftReader(nn.Module):
    """A trunk whose tokens read the left side only, whatever `visible` says, so that a GPT can be fine-tuned
    as a BERT is.

    [CLS] has read nothing there: heads that look at it find what the row's last token knows (Radford et al.,
    section 3.2). bilstm: another one reads what comes out, from both sides, with D / 2 numbers each (Devlin
    et al., table 5, last row).
    """

    def __init__(self, encoder, bilstm=False):
        super().__init__()
        self.encoder, self.config, D = encoder, encoder.config, encoder.config.hidden_size
        self.lstm = nn.LSTM(D, D // 2, batch_first=True, bidirectional=True) if bilstm else None

    def forward(self, input_ids, visible, token_type_ids):
        """As Encoder.forward."""
        lengths = visible.any(dim=1).sum(dim=1)                                 # (B,) real tokens
        out = self.encoder(input_ids, visible.tril(), token_type_ids)
        x = out["hidden"]                                                       # (B, T, D)
        if self.lstm is not None:
            packed = pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)
            x, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=x.shape[1])
        last = x[torch.arange(len(x)), lengths - 1]                             # (B, D)
        return {**out, "hidden": torch.cat([last[:, None], x[:, 1:]], dim=1)}
