"""The baseline off the shelf: a bag of words with logistic regression, from scikit-learn."""

import pickle
from typing import Any

import numpy as np
import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from torch import Tensor, nn

from minibert.tokenizer import WordPiece

from .shared import MEGABYTE, Material, SmallModel, original

STRENGTHS = (0.3, 1.0, 3.0, 10.0)  # inverse regularisation; the best one on the dev reviews is used


class BagOfWords(nn.Module):
    """A classifier of scikit-learn in the form of a Model: it reads ids, and knows their tokens."""

    def __init__(self, pipeline: Pipeline, tokenizer: WordPiece) -> None:
        super().__init__()
        self.pipeline, self.tokenizer = pipeline, tokenizer
        self.place = nn.Parameter(torch.empty(0), requires_grad=False)  # the device

    def forward(self, input_ids: Tensor, **more: Any) -> dict[str, Tensor]:
        """Return {"label": log probabilities (B, C)} for ids (B, T)."""
        probs = self.pipeline.predict_proba([words(row, self.tokenizer) for row in input_ids.tolist()])
        return {"label": torch.from_numpy(np.log(probs))}


def words(ids: list[int], tokenizer: WordPiece) -> str:
    """Return the tokens of ids as a string, without the special ones."""
    special = {*tokenizer.specials.ids}
    return " ".join(tokenizer.vocab[i] for i in ids if i not in special)


def bag_of_words(given: Material, seed: int, how: str) -> SmallModel:
    """Fit TF-IDF of tokens and of pairs of tokens, with logistic regression."""
    tokenizer, task = original().tokenizer, original().task
    texts, labels = {}, {}
    for part, reviews in (("train", given.drawn(seed)), ("dev", given.reviews["dev"])):
        rows, labels[part], _ = task.encode(reviews)
        texts[part] = [words(ids, tokenizer) for ids, _ in rows]
    fitted = [
        make_pipeline(
            TfidfVectorizer(ngram_range=(1, 2), token_pattern=r"\S+", sublinear_tf=True),
            LogisticRegression(C=strength, max_iter=1000),
        ).fit(texts["train"], labels["train"])
        for strength in STRENGTHS
    ]
    best = max(fitted, key=lambda pipeline: pipeline.score(texts["dev"], labels["dev"]))
    return SmallModel(BagOfWords(best, tokenizer), len(pickle.dumps(best)) / MEGABYTE)
