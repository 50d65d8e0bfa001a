"""Small versions of ELMo, GPT and BERT, trained on the same text and tested on the same masked words.

The models follow Peters et al. (2018, arXiv 1802.05365), Radford et al. (2018, section 3.1) and Devlin et al.
(2019, arXiv 1810.04805, section 5.1). Lesson 9 trains each model live for half a minute, and `load_trained`
loads well-trained ones. Axes: B batch, T tokens, N masked tokens of a sequence, D hidden, V vocabulary.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import nn

from minibert.config import ModelConfig, preset
from minibert.data.batch import IGNORE, Specials, visible_all, visible_causal
from minibert.generated import World
from minibert.generated.posterior.reachable import best_answers, best_left_answers, hidden_rows, scored
from minibert.generated.posterior.reader import Reader
from minibert.model import Encoder, FastEncoder, Model
from minibert.model.bilstm import BiLSTM, ScalarMix, run_lstm
from minibert.objectives import CLM, MLM, NSP, BiLM, Sum
from minibert.tokenizer import count_words, train_wordpiece
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.config import TrainConfig
from minibert.training.pretraining import encode_documents, model_answers
from minibert.training.recipes import start_from_sinusoids

from ..class_model import WORLD_SEED


def mlm_and_nsp(specials: Specials, vocab_size: int, max_length: int, **options: Any) -> Sum:
    """Return BERT's original objective: masked language modelling and next sentence prediction.

    specials: the ids of the special tokens. options: as for the MLM objective, such as `rate`.
    """
    return Sum(NSP(specials, vocab_size, max_length), MLM(specials, vocab_size, max_length, **options))


MODELS = {"ELMo": BiLM, "GPT": CLM, "BERT": MLM}  # like the others, BERT has no sentence-level objective here
TEST_PAGES = 1001  # the seed of the test documents
ABLATIONS = {"BERT with NSP": mlm_and_nsp}
TRAINING = ("steps", "batch_size", "peak_rate", "optimizer", "embedding_share", "weight_decay")
QUESTION_ROWS = 200  # sequences for estimating the number of predictions per token


@dataclass(frozen=True)
class Budget:
    """The data, sizes and steps for training a model, and the size of its test set.

    The defaults are used in lesson 9, where training takes about 20 seconds per model. They follow the papers
    and are not tuned for any of the models.
    """

    documents: int = 8000  # generated documents; only the lives (biographies) among them are used
    pieces: int = 1000  # largest size of the vocabulary
    length: int = 112  # largest number of tokens in a sequence
    layers: int = 2
    hidden_size: int = 64
    steps: int = 600
    batch_size: int = 8
    peak_rate: float = 3e-3  # the largest learning rate
    mask_rate: float = 0.15  # share of the tokens that BERT predicts
    optimizer: str = "adamw"
    embedding_share: float = 1.0  # factor for the learning rate of the word embeddings
    weight_decay: float = 0.01
    every: int = 60  # steps between two points of a curve
    pages: int = 450  # new documents; the lives among them are the test set
    tests: int = 40  # number of test sequences
    curve_tests: int = 30  # number of test sequences for a point of a curve

    def training(self, seed: int) -> TrainConfig:
        """Return the training configuration for a seed."""
        return TrainConfig(seed=seed, **{name: getattr(self, name) for name in TRAINING})

    def config(self, tokenizer: FastWordPiece) -> ModelConfig:
        """Return the configuration of the encoder."""
        return preset(
            "class",
            num_hidden_layers=self.layers,
            hidden_size=self.hidden_size,
            intermediate_size=4 * self.hidden_size,
            vocab_size=len(tokenizer),
        )


def pretraining_text(budget: Budget) -> tuple[FastWordPiece, list[list[list[int]]]]:
    """Return a tokenizer and its training text: generated biographies as encoded documents."""
    text = lives(budget.documents)
    words = count_words(sentence for life in text for sentence in life)
    tokenizer = FastWordPiece(train_wordpiece(words, budget.pieces))
    return tokenizer, encode_documents(text, tokenizer)


def lives(documents: int) -> list[list[str]]:
    """Return the biographies among the first `documents` generated documents, as lists of sentences."""
    return [
        document.sentences
        for document in World(WORLD_SEED).documents(documents, 1, "pretrain")
        if document.kind == "life"
    ]


def masked_words(budget: Budget, tokenizer: FastWordPiece, seed: int = TEST_PAGES) -> list[Any]:
    """Return test sequences with masked words, made from generated biographies.

    seed: the seed of the generated documents; with any seed but TEST_PAGES, the result is a dev set.
    """
    pages = [page for page in World(WORLD_SEED).pages(budget.pages, seed, "pretrain") if page.kind == "life"]
    return list(
        hidden_rows(pages, tokenizer.encode, tokenizer.specials, budget.length, np.random.default_rng(0))
    )[: budget.tests]


def limits(tests: Sequence[Any], tokenizer: FastWordPiece) -> dict[str, dict[str, Any]]:
    """Return the best scores that any model can reach on masked words, as {"left": ..., "both": ...}.

    tests: sequences from `masked_words`. "left" is for models that see only the words before a masked word,
    "both" for models that see all other words.
    """
    reader = Reader(
        World(WORLD_SEED), lambda sentence: tokenizer.encode(sentence).ids, tokenizer.specials, "pretrain"
    )
    return {"left": scored(tests, best_left_answers(reader)), "both": scored(tests, best_answers(reader))}


def objective_of(name: str, budget: Budget, tokenizer: FastWordPiece) -> Any:
    """Return the training objective of the model `name`, a key of MODELS or ABLATIONS."""
    options = {"rate": budget.mask_rate} if name.startswith("BERT") else {}
    kind: Any = {**MODELS, **ABLATIONS}[name]
    return kind(tokenizer.specials, len(tokenizer), budget.length, **options)


def new_model(name: str, budget: Budget, tokenizer: FastWordPiece, seed: int) -> Model:
    """Return a new untrained model with the output heads for its objective.

    name: a key of MODELS or ABLATIONS.
    """
    torch.manual_seed(seed)
    encoder = (BiLSTM if name == "ELMo" else FastEncoder)(budget.config(tokenizer))
    if isinstance(encoder, FastEncoder):
        start_from_sinusoids(encoder)  # an LSTM has no position embeddings
    return objective_of(name, budget, tokenizer).model(encoder)


def log_unigram(text: Sequence[Sequence[Sequence[int]]], tokenizer: FastWordPiece) -> torch.Tensor:
    """Return the log probability of each vocabulary entry from its frequency in `text`, (V,).

    Uses add-one smoothing.
    """
    counts = (
        np.bincount(np.concatenate([ids for document in text for ids in document]), minlength=len(tokenizer))
        + 1
    )
    return torch.tensor(counts / counts.sum(), dtype=torch.float32).log()


@torch.no_grad()
def log_probs(
    model: Model, ids: np.ndarray, visible: Callable[[np.ndarray], np.ndarray]
) -> dict[str, torch.Tensor]:
    """Run a model, and return {name of an output head: log probabilities (T, V)} on the CPU.

    ids: (T,) token ids. visible: a function that makes the attention mask, such as `visible_causal`.
    """
    batch, real = torch.from_numpy(ids)[None], np.ones((1, len(ids)), bool)
    device = next(model.parameters()).device
    logits = model.eval()(
        *(x.to(device) for x in (batch, torch.from_numpy(visible(real)), torch.zeros_like(batch)))
    )
    return {name: scores[0].log_softmax(-1).cpu() for name, scores in logits.items()}


def judged(row: Any, logs: torch.Tensor) -> list[tuple[float, float]]:
    """Return (top-1 accuracy, probability of the true token) for each masked token.

    The accuracy is 1.0 or 0.0. row: a test sequence with N masked tokens, from `masked_words`. logs: (N, V)
    log probabilities.
    """
    truth = torch.from_numpy(row.ids[row.hidden])  # (N,)
    return [(float(at.argmax() == word), float(at[word].exp())) for at, word in zip(logs, truth)]


def gpt_answers(model: Model, row: Any) -> list[tuple[float, float]]:
    """Predict each masked word with GPT from the text to its left, at the position before the word.

    row: a test sequence from `masked_words`. Returns pairs as `judged` does.
    """
    before = np.flatnonzero(row.hidden) - 1
    return judged(row, log_probs(model, row.ids, visible_causal)["tokens"][before])


def product(left: torch.Tensor, right: torch.Tensor, unigram: torch.Tensor) -> torch.Tensor:
    """Combine predictions from the left and right contexts into the normalised product p_L p_R / p.

    This is exact if the two contexts are independent given the word. left, right: (N, V) log probabilities.
    unigram: (V,) log probabilities of the words without context. Returns (N, V) log probabilities.
    """
    return (left + right - unigram).log_softmax(-1)


COMBINED = {
    "left": lambda left, right, unigram: left,
    "right": lambda left, right, unigram: right,
    "product": product,
}


def elmo_answers(model: Model, unigram: torch.Tensor, combined: str, row: Any) -> list[tuple[float, float]]:
    """Predict each masked word with ELMo's two LSTMs, at the positions before and after the word.

    unigram: (V,) log probabilities of the words without context. combined: "left" or "right" for one LSTM, or
    "product" for both. row: a test sequence from `masked_words`. Returns pairs as `judged` does.
    """
    at, logs = np.flatnonzero(row.hidden), log_probs(model, row.ids, visible_all)
    return judged(row, COMBINED[combined](logs["next"][at - 1], logs["previous"][at + 1], unigram))


def answers_of(
    name: str, model: Model, tokenizer: FastWordPiece, unigram: torch.Tensor, combined: str = "product"
) -> Callable[[Any], list[tuple[float, float]]]:
    """Return a function, for `scored`, that predicts the masked words in a test sequence.

    name: a key of MODELS. unigram, combined: as for `elmo_answers`. In BERT's input, all masked words are
    replaced by [MASK].
    """
    if name == "ELMo":
        return partial(elmo_answers, model, unigram, combined)
    return partial(gpt_answers, model) if name == "GPT" else model_answers(model.eval(), tokenizer.specials)


def gap_probs(name: str, model: Model, ids: np.ndarray, at: int, unigram: torch.Tensor) -> torch.Tensor:
    """Return a model's probabilities (V,) for the token at position `at`, given the context it may see.

    name: a key of MODELS. ids: (T,) token ids, with [MASK] at position `at`. GPT predicts at the position
    before it, and ELMo at the positions before and after. unigram: (V,) log probabilities of the tokens
    without context.
    """
    logs = log_probs(model, ids, visible_causal if name == "GPT" else visible_all)
    if name == "ELMo":
        return product(logs["next"][[at - 1]], logs["previous"][[at + 1]], unigram)[0].exp()
    return logs["tokens"][at - (name == "GPT")].exp()


def questions_of(
    log: Sequence[Mapping[str, Any]],
    objective: Any,
    text: Sequence[Sequence[Sequence[int]]],
    rng: np.random.Generator,
) -> int:
    """Estimate how many tokens a model had to predict during training, from a sample of its training text.

    log: the training log. objective: the training objective. text: the encoded documents.
    """
    batch = objective.collate(*(part and part[:QUESTION_ROWS] for part in objective.build(text, rng)))
    _, labels = objective.corrupt(batch, rng)
    asked = sum(int((label != IGNORE).sum()) for label in labels.values())
    return round(sum(entry["tokens"] for entry in log) * asked / int(batch.real.sum()))


class FeatureEncoder(nn.Module):
    """A frozen encoder with a trainable weighted sum of its layers and a BiLSTM on top.

    This is ELMo's feature-based approach (Peters et al., section 3.3). The BiLSTM has D / 2 cells in each
    direction.
    """

    def __init__(self, encoder: Encoder | BiLSTM) -> None:
        super().__init__()
        self.encoder, self.config = encoder.requires_grad_(False), encoder.config
        D = encoder.config.hidden_size
        self.mix = ScalarMix(encoder.config.num_hidden_layers + 1)
        width = 2 * D if isinstance(encoder, BiLSTM) else D
        self.lstm = nn.LSTM(width, D // 2, batch_first=True, bidirectional=True)

    def forward(
        self, input_ids: torch.Tensor, visible: torch.Tensor, token_type_ids: torch.Tensor
    ) -> dict[str, Any]:
        """Return a dict like the encoder's, but with the BiLSTM's states (B, T, D) as "hidden"."""
        out = self.encoder(input_ids, visible, token_type_ids)
        lengths = visible.any(dim=1).sum(dim=1)  # (B,) numbers of non-padding tokens
        return {**out, "hidden": run_lstm(self.lstm, self.mix(out["layers"]), lengths.cpu())}


class LeftToRightEncoder(nn.Module):
    """An encoder with causal attention, for fine-tuning GPT in the same way as BERT.

    [CLS] attends to no other token, so output heads that read it get the output of the last token instead
    (Radford et al., section 3.2). bilstm: whether to add a bidirectional LSTM with D / 2 cells in each
    direction on top (Devlin et al., table 5, last row).
    """

    def __init__(self, encoder: Encoder, bilstm: bool = False) -> None:
        super().__init__()
        self.encoder, self.config, D = encoder, encoder.config, encoder.config.hidden_size
        self.lstm = nn.LSTM(D, D // 2, batch_first=True, bidirectional=True) if bilstm else None

    def forward(
        self, input_ids: torch.Tensor, visible: torch.Tensor, token_type_ids: torch.Tensor
    ) -> dict[str, Any]:
        """Return a dict like the encoder's, with the last token's state in place of [CLS] in "hidden"."""
        lengths = visible.any(dim=1).sum(dim=1)  # (B,) numbers of non-padding tokens
        out = self.encoder(input_ids, visible.tril(), token_type_ids)
        x = out["hidden"]  # (B, T, D)
        if self.lstm is not None:
            x = run_lstm(self.lstm, x, lengths.cpu())
        last = x[torch.arange(len(x), device=x.device), lengths - 1]  # (B, D)
        return {**out, "hidden": torch.cat([last[:, None], x[:, 1:]], dim=1)}
