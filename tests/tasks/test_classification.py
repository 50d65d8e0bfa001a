"""One text or two to a label or a score: rows, losses, answers, scores, and what is refused."""

import math

import numpy as np
import pytest
import torch
from tiny import CONFIG

from minibert.data.batch import IGNORE, Specials
from minibert.finetuning.registry import REGISTRY
from minibert.finetuning.run import finetune
from minibert.model import Encoder
from minibert.readers.glue import TextExample
from minibert.tasks.classification import Acceptability, Categories, Classification, Paraphrase, Similarity


class Letters:
    """A tokenizer whose pieces are the letters."""

    specials = Specials()

    def encode_batch(self, texts):
        return [type("Encoding", (), {"ids": [ord(c) - 92 for c in text]}) for text in texts]  # a = 5


def example(first, second=None, label=None, number=0):
    return TextExample(first, second, label, str(number), number + 2)


def table(*rows):
    return [example(*row, number=i) for i, row in enumerate(rows)]


SINGLE = table(("abc", None, "yes"), ("d", None, "no"), ("ef", None, "maybe"))
SCORED = table(("abc", "ab", 4.5), ("abc", "xyz", 0.5), ("pq", "pr", 3.25))


def test_rows_are_one_text_or_two_and_labels_are_numbers_in_the_order_of_their_names():
    task = Classification.fit(Letters(), 20, SINGLE)
    rows, labels, origins = task.encode(SINGLE)
    assert rows == [([5, 6, 7], None), ([8], None), ([9, 10], None)]
    assert task.labels == ["maybe", "no", "yes"] and labels == [2, 1, 0] and origins == [0, 1, 2]
    assert task.encode([example("ab", "")])[0] == [([5, 6], [])]  # an empty text is still a segment
    batch = task.collate(rows, labels)
    assert batch.sequence_labels.tolist() == [2, 1, 0] and batch.input_ids[2].tolist() == [2, 9, 10, 3, 0]


@pytest.mark.parametrize(
    "first, second, lengths",
    [
        ("a" * 10, "b" * 3, (6, 3)),
        ("a" * 3, "b" * 10, (3, 6)),
        ("a" * 9, "b" * 9, (5, 4)),
        ("a" * 5, "b" * 4, (5, 4)),
        ("a" * 100_000, "b", (8, 1)),
    ],
)
def test_of_a_long_pair_the_longer_text_loses_its_end_first(first, second, lengths):
    ((a, b),) = Classification(Letters(), 12, ["x", "y"]).encode([example(first, second)])[0]
    assert (len(a), len(b)) == lengths
    ((alone, _),) = Classification(Letters(), 12, ["x", "y"]).encode([example(first)])[0]
    assert len(alone) == min(len(first), 10)


def test_more_texts_than_the_tokenizer_takes_at_once_stay_in_order(monkeypatch):
    monkeypatch.setattr("minibert.tasks.classification.AT_ONCE", 2)
    rows, _, _ = Classification(Letters(), 12, ["x", "y"]).encode(table(*((c, c) for c in "abcde")))
    assert rows == [([i], [i]) for i in range(5, 10)]


@pytest.mark.parametrize("max_length, second", [(2, None), (4, "b")])
def test_a_row_without_room_for_text_is_refused(max_length, second):
    with pytest.raises(ValueError, match=f"max_length={max_length} is too short"):
        Classification(Letters(), max_length, ["x", "y"]).encode([example("a", second)])


def test_the_loss_is_the_mean_cross_entropy_and_the_answer_the_likeliest_label():
    task = Classification.fit(Letters(), 20, SINGLE)
    logits = torch.tensor([[1.0, -2.0, 0.5], [0.0, 3.0, 1.0]])
    expected = -(logits.log_softmax(-1)[[0, 1], [2, 0]]).mean()
    assert abs(task.loss({"label": logits}, {"label": torch.tensor([2, 0])})["label"] - expected) < 1e-6
    assert task.decode(SINGLE[:2], [0, 1], list(logits.numpy())) == ["maybe", "no"]


def test_the_loss_of_scores_is_the_mean_squared_error_in_deviations_and_answers_are_scores_again():
    task = Similarity.fit(Letters(), 20, SCORED)
    mean, deviation = np.mean([4.5, 0.5, 3.25]), np.std([4.5, 0.5, 3.25])
    rows, labels, origins = task.encode(SCORED)
    batch = task.collate(rows, labels)
    assert batch.sequence_labels == pytest.approx((np.array([4.5, 0.5, 3.25]) - mean) / deviation)
    assert batch.sequence_labels.dtype == np.float32  # a Mac's mps has no float64
    outputs, targets = torch.tensor([[0.5], [-1.0], [2.0]]), torch.from_numpy(batch.sequence_labels)
    expected = ((outputs[:, 0] - targets) ** 2).sum() / 3
    assert abs(task.loss({"score": outputs}, {"score": targets})["score"] - expected) < 1e-6
    assert task.decode(SCORED, origins, list(outputs.numpy())) == pytest.approx(
        [mean + x * deviation for x in (0.5, -1, 2)]
    )
    assert task.decode(SCORED, origins, [np.array([label]) for label in labels]) == pytest.approx(
        [4.5, 0.5, 3.25]
    )


GOLD, SAID = "1110000000", "1100000001"


@pytest.mark.parametrize(
    "kind, scores",
    [
        (Classification, {"accuracy": 80}),
        (Paraphrase, {"accuracy": 80, "F1": 200 / 3}),
        (Acceptability, {"Matthews": 100 * (2 * 6 - 1) / math.sqrt(3 * 3 * 7 * 7)}),
        (Categories, {"accuracy": 80, "macro F1": 100 * (2 / 3 + 12 / 14) / 2}),
    ],
)
def test_each_task_is_scored_as_glue_scores_it(kind, scores):
    examples = table(*(("a", None, label) for label in GOLD))
    assert kind(Letters(), 20, ["0", "1"]).metric(examples, list(SAID)) == pytest.approx(scores)


def test_scores_are_correlated_and_a_model_that_always_says_the_same_gets_nought():
    task = Similarity.fit(Letters(), 20, SCORED)
    assert task.metric(SCORED, [4.5, 0.5, 3.25]) == pytest.approx({"Pearson": 100, "Spearman": 100})
    assert (
        task.metric(SCORED, [9.0, 1.0, 2.0])["Spearman"]
        == pytest.approx(100)
        != task.metric(SCORED, [9.0, 1.0, 2.0])["Pearson"]
    )
    assert task.metric(SCORED, [2.0, 2.0, 2.0]) == {"Pearson": 0, "Spearman": 0}


def test_answers_are_written_as_the_site_of_glue_takes_them():
    task = Classification(Letters(), 20, ["0", "1"])
    lines = [task.write(*one)["predictions"] for one in zip(SINGLE, ["1", "0"])]
    assert (task.file_format.header, lines) == ("index\tprediction\n", ["0\t1\n", "1\t0\n"])
    task = Similarity(Letters(), 20, 2.5, 1.0)
    lines = [task.write(*one)["predictions"] for one in zip(SCORED, [5.75, -0.3, 2.12345])]
    assert lines == ["0\t5.000\n", "1\t0.000\n", "2\t2.123\n"]


def test_a_label_unseen_in_training_is_named_with_its_line():
    task = Classification.fit(Letters(), 20, SINGLE[:2])
    with pytest.raises(ValueError, match="line 4: label 'maybe' was not seen in training"):
        task.encode(SINGLE)
    many = Classification(Letters(), 20, [f"c{i}" for i in range(39)])
    with pytest.raises(ValueError, match=r"known labels: c0, c1, .*, c7, … \(39 in all\)$"):
        many.encode(SINGLE)


@pytest.mark.parametrize(
    "kind, scores",
    [
        (Classification, {"accuracy": 200 / 3}),
        (Categories, {"accuracy": 200 / 3, "macro F1": 100 * (1 + 2 / 3 + 0) / 3}),
    ],
)
def test_scored_a_label_unseen_in_training_counts_as_wrong_and_is_told_of(kind, scores):
    task = kind.fit(Letters(), 20, SINGLE[:2])
    assert task.metric(SINGLE, ["yes", "no", "no"]) == pytest.approx(scores)
    assert task.notice(SINGLE) == "labels not seen in training, scored as wrong: maybe"
    assert task.notice(SINGLE[:2]) == task.notice(task.unlabelled(SINGLE)) == ""
    assert Similarity.fit(Letters(), 20, SCORED).notice(SCORED) == ""


def test_too_few_labels_or_none_are_refused():
    with pytest.raises(ValueError, match=r"have only 1 distinct label \(.+\), but at least 2"):
        Classification.fit(Letters(), 20, SINGLE[1:2])
    with pytest.raises(ValueError, match="have only 1 distinct score, but at least 2"):
        Similarity.fit(Letters(), 20, SCORED[:1] * 2)
    unlabelled = [example("a", number=7)]
    for task in (Classification(Letters(), 20, ["x", "y"]), Similarity(Letters(), 20, 2.5, 1.0)):
        for use in (
            lambda task=task: task.fit(Letters(), 20, unlabelled),
            lambda task=task: task.metric(unlabelled, [1.0]),
        ):
            with pytest.raises(ValueError, match="line 9: the example has no label"):
                use()


def test_an_answer_does_not_look_at_the_labels():
    for task, label in (
        (Classification(Letters(), 20, ["x", "y"]), "unknown"),
        (Similarity(Letters(), 20, 2.5, 1.0), 77.0),
    ):
        task.logits = lambda model, rows, batch_size: [np.zeros(2)] * len(rows)
        assert len(task.answer(None, [example("a", None, label)])) == 1
        _, labels, _ = task.encode(task.unlabelled([example("a", None, label)]))
        assert labels == [IGNORE] or math.isnan(labels[0])


LEARNED = {
    "sst2": table(
        *(
            (word, None, str(int("g" in word)))
            for word in ("ga", "bo", "ogc", "hhk", "lag", "mm", "pg", "qrs")
        )
    ),
    "mnli": table(
        *(
            (a, b, ("neutral", "contradiction", "entailment")[(b in a) + (b == a)])
            for a, b in (("ab", "ab"), ("cd", "c"), ("ef", "gh"), ("kl", "kl"), ("mn", "n"), ("op", "qr"))
        )
    ),
    "stsb": table(
        *(
            (a, b, 5.0 * len(set(a) & set(b)) / 3)
            for a, b in (("abc", "abc"), ("def", "dex"), ("ghi", "gyz"), ("klm", "opq"))
        )
    ),
}


@pytest.mark.parametrize("name", LEARNED)
def test_a_small_model_learns_its_examples_by_heart(name):
    torch.manual_seed(0)
    options = {"steps": 150, "batch_size": 4, "peak_rate": 3e-3, "progress": False}
    tuned, log = finetune(name, Encoder(CONFIG), Letters(), LEARNED[name], **options)
    scores = tuned.task.metric(LEARNED[name], tuned.task.answer(tuned.model, LEARNED[name]))
    assert log[-1]["loss"] < 0.2 < log[0]["loss"] and min(scores.values()) > 90


def test_every_kind_of_labelled_text_has_a_task():
    assert set(REGISTRY) >= set("sst2 sst5 cola mnli qqp qnli mrpc rte wnli snli stsb text".split())
    assert [REGISTRY[name].task for name in ("sst2", "cola", "mrpc", "qqp", "stsb", "text")] == [
        Classification,
        Acceptability,
        Paraphrase,
        Paraphrase,
        Similarity,
        Categories,
    ]
