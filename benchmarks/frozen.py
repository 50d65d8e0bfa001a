"""Probe a pretrained encoder without fine-tuning: word senses, part-of-speech tags, clauses, coreference.

    python benchmarks/frozen.py --model build/labels/*/bert    # folders of `minibert pretrain` or the tour

The encoder is frozen, and either random or pretrained. A word is the mean of its tokens' last hidden states,
scaled to length 1. Each probe is the simplest one that can do its task (Hewitt and Liang, 2019, arXiv
1909.03368, explain why). Each seed has its own labelled documents and its own random encoder; the test
documents are the same for all. Several pretrained models are used in turn.
"""

import argparse
from collections import Counter
from itertools import chain
from pathlib import Path

import numpy as np
import places
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, StandardScaler
from transfer import spread_of

from minibert.course.models.class_model import WORLD_SEED, load_bert
from minibert.data.batch import collate, visible_all
from minibert.generated import World
from minibert.generated.labels.coreference import coreference_documents
from minibert.generated.labels.syntax import PRONOUNS, tagged_sentences
from minibert.generated.labels.word_senses import WORD, uses
from minibert.generated.sentences.senses import SENSES
from minibert.model import Encoder
from minibert.readers.writing import write_text

HERE = Path(__file__).resolve().parent
TEST_SEED = 10**6  # of the test documents; larger than any seed of a run
NEIGHBOURS = 5
# the share of each split among the five wordings of a sense
WORDINGS = {"train": 3 / 5, "dev": 1 / 5, "test": 1 / 5}


class Words:
    """The vectors of a text's words, computed by an encoder without dropout."""

    def __init__(self, encoder, tokenizer):
        self.encoder, self.tokenizer = encoder.eval(), tokenizer

    @torch.no_grad()
    def __call__(self, text):
        """Return the vectors (words, D), each of length 1."""
        encoding = self.tokenizer.encode_words(list(text))
        batch = collate([(encoding.ids, None)], self.tokenizer.specials)
        out = self.encoder(
            *(torch.from_numpy(x) for x in (batch.input_ids, visible_all(batch.real), batch.token_type_ids))
        )
        pieces, of_word = out["hidden"][0, 1:-1], np.array(encoding.words)  # without [CLS] and [SEP]
        means = torch.stack([pieces[of_word == word].mean(0) for word in range(len(text))])
        return torch.nn.functional.normalize(means, dim=-1).numpy()

    def fits(self, text):
        return (
            len(self.tokenizer.encode_words(list(text)).ids) + 2
            <= self.encoder.config.max_position_embeddings
        )


def senses(world, words, count, seed, _split):
    """Return uses of words with two or three senses, in the wordings of all splits.

    The result is (vectors, [(word, sense, number of the wording)]).
    """
    found = list(chain(*(uses(world, round(count * share), seed, part) for part, share in WORDINGS.items())))
    labels = [(use.word, use.sense, SENSES[use.word][use.sense].index(use.template)) for use in found]
    return np.stack([words(WORD.findall(use.sentence))[use.index] for use in found]), labels


def sense_score(train, test):
    """Return the accuracy of nearest neighbours among uses of the same word, and of its most frequent sense.

    The neighbours of a use are in other wordings. Each column is first scaled to variance 1; otherwise a few
    large ones would determine the distances (Timkey and van Schijndel, 2021, arXiv 2109.04404).
    """
    even = make_pipeline(StandardScaler(), Normalizer()).fit(train[0])
    (x, (words, y, wording)), (test_x, (test_words, test_y, test_wording)) = (
        (even.transform(vectors), map(np.array, zip(*labels, strict=True)))
        for vectors, labels in (train, test)
    )
    right, frequent = 0, 0
    for word, number in sorted(set(zip(test_words, test_wording, strict=True))):
        learn, asked = (words == word) & (wording != number), (test_words == word) & (test_wording == number)
        right += (
            KNeighborsClassifier(NEIGHBOURS).fit(x[learn], y[learn]).predict(test_x[asked]) == test_y[asked]
        ).sum()
        frequent += (test_y[asked] == Counter(y[learn].tolist()).most_common(1)[0][0]).sum()
    return 100 * right / len(test_y), 100 * frequent / len(test_y)


def sentences(world, words, count, seed, split):
    """Return the vectors of the words of sentences, and each word with its part-of-speech tag and depth."""
    found = [
        text
        for text in tagged_sentences(world, count, seed, split)
        if words.fits([word.form for word in text])
    ]
    return np.concatenate([words([word.form for word in text]) for text in found]), list(chain(*found))


def tag_score(train, test):
    """Return the accuracy of a linear probe, and of each word's most frequent tag (NOUN if it is unknown)."""
    (x, y), (test_x, test_y) = ((vectors, [word.upos for word in text]) for vectors, text in (train, test))
    seen = {}
    for word, tag in zip(train[1], y, strict=True):
        seen.setdefault(word.form.lower(), Counter())[tag] += 1
    frequent = [
        seen[word.form.lower()].most_common(1)[0][0] if word.form.lower() in seen else "NOUN"
        for word in test[1]
    ]
    return 100 * LogisticRegression(C=10, max_iter=300).fit(x, y).score(test_x, test_y), 100 * np.mean(
        np.equal(frequent, test_y)
    )


def depth_score(train, test):
    """Return the F1 score of a linear probe for words in subordinate clauses, and of choosing all words."""
    (x, y), (test_x, test_y) = (
        (vectors, [word.depth > 0 for word in text]) for vectors, text in (train, test)
    )
    return (
        100 * f1_score(test_y, LogisticRegression(C=100, max_iter=300).fit(x, y).predict(test_x)),
        100 * f1_score(test_y, np.ones(len(test_y))),
    )


def pairs(world, words, count, seed, split):
    """Return pairs of a pronoun and an earlier name: features of both vectors, and labels.

    For each pronoun with an antecedent there are two pairs: with the last name of its antecedent, and with
    the last name of something or somebody else. The labels are (they corefer, the name is the nearer one).
    """
    vectors, labels = [], []
    for document in coreference_documents(world, count, seed, split):
        text = list(chain(*document.sentences))
        forms = [word.form for word in text]
        if not words.fits(forms):
            continue
        found = words(forms)
        for own, cluster in enumerate(document.clusters):
            for at, _ in (span for span in cluster if forms[span[0]].lower() in PRONOUNS):
                last = [
                    max(
                        (first for first, end in spans if end < at and text[first].upos == "PROPN"),
                        default=None,
                    )
                    for spans in document.clusters
                ]
                others = [place for number, place in enumerate(last) if number != own and place is not None]
                if last[own] is not None and others:
                    for place in (last[own], max(others)):
                        vectors.append(
                            np.concatenate([found[at] * found[place], np.abs(found[at] - found[place])])
                        )
                        labels.append((place == last[own], place > min(last[own], max(others))))
    return np.stack(vectors), labels


def pair_score(train, test):
    """Return the accuracy of a linear probe, and of one that knows only which name is nearer."""

    def accuracy(x, test_x):
        return 100 * LogisticRegression(C=10, max_iter=300).fit(x, train_y[:, 0]).score(test_x, test_y[:, 0])

    (x, train_y), (test_x, test_y) = ((vectors, np.array(labels)) for vectors, labels in (train, test))
    return accuracy(x, test_x), accuracy(train_y[:, 1:], test_y[:, 1:])


# Task -> metric, functions that make labelled examples and score them, and numbers of training and test
# documents (or uses).
TASKS = {
    "word senses": ("accuracy", senses, sense_score, 1500, 1500),
    "part-of-speech tags": ("accuracy", sentences, tag_score, 100, 100),
    "subordinate clauses": ("F1", sentences, depth_score, 300, 100),
    "coreference": ("accuracy", pairs, pair_score, 1500, 1000),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--model", type=Path, required=True, nargs="+", metavar="DIR", help="pretrained folders, used in turn"
    )
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--out", type=Path, default=places.report("frozen"))
    a = parser.parse_args()
    world, models = World(WORLD_SEED), [load_bert(folder) for folder in a.model]
    lines = [
        "| what is read | score | without an encoder | random encoder | pretrained | difference (min "
        "to max over seeds) | seeds |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, (score, examples, scored, learn, test) in TASKS.items():
        scores = {"random": [], "pretrained": []}
        for seed in range(a.seeds):
            model, tokenizer = models[seed % len(models)]
            torch.manual_seed(seed)
            for start, encoder in (("random", Encoder(model.encoder.config)), ("pretrained", model.encoder)):
                words = Words(encoder, tokenizer)
                scores[start].append(
                    scored(
                        examples(world, words, learn, seed, "train"),
                        examples(world, words, test, TEST_SEED, "test"),
                    )
                )
            print(name, seed, {start: scores[start][-1] for start in scores}, flush=True)
        random, pretrained = (np.array([probed for probed, _ in scores[start]]) for start in scores)
        without = [beside for _, beside in scores["random"]]
        gain = pretrained - random
        lines.append(
            f"| {name} | {score} | {spread_of(without)} | {spread_of(random)} | {spread_of(pretrained)} "
            f"| {gain.mean():+.1f} ({gain.min():+.1f} to {gain.max():+.1f}) | {a.seeds} |"
        )
    write_text(a.out, "\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
