"""The views of lesson 6: the student's functions are used, and the text's claims hold."""

import re

import numpy as np
import pytest

from minibert.course.unit06 import views
from minibert.course.unit06.settings import SCRATCH, SEEDS, SETTINGS
from minibert.course.unit06.views import english, pretraining, published, scores, sequences
from minibert.course.widgets.try_it import either


def unwritten(*_):
    """Return something.

    >>> unwritten()
    1
    """


def swapped(labels, answers):
    """Return the counts with answers as rows.

    >>> swapped([1], [1])
    [[0, 0], [0, 1]]
    """
    return [list(row) for row in zip(*scores.our_confusion(labels, answers))]


def cautious(scores):
    """Return the name with the highest minimum.

    >>> cautious({"a": [1]})
    'a'
    """
    return max(scores, key=lambda name: min(scores[name]))


# The English model.


@pytest.mark.usefixtures("english_encoder")
def test_the_head_of_the_lesson_says_what_the_model_says():
    tuned, text = english.sentiment(), "It was so dull that I fell asleep."
    head = tuned.model.heads["label"].classifier
    weight, bias = head.weight.detach().numpy(), head.bias.detach().numpy()
    shares = english.our_classify(english.pooled_vector(tuned, text), weight, bias)
    assert shares == pytest.approx(english.probabilities(tuned, [text])[0], abs=1e-5)
    assert weight.size + bias.size == 770


@pytest.mark.usefixtures("english_encoder")
def test_plain_reviews_are_judged_right_and_roundabout_ones_often_not():
    assert english.judged("plain")[0] == 8 and english.judged("roundabout")[0] == 3
    wrong = re.findall(r"(\d+)%</td><td[^>]*>✗", english.judged("roundabout")[1])
    assert max(map(int, wrong)) > 90, "the lesson says that a wrong answer can be sure"


@pytest.mark.usefixtures("english_encoder")
def test_the_word_that_matters_most_is_named():
    view = views.without_each().view.value
    assert "“wonderful” matters most" in view and "100% positive" in view


def test_a_test_sentence_is_not_one_to_learn_from():
    for question in english.QUESTIONS:
        learnt, test = ({e.first for e in english.everyday(question, part)} for part in (False, True))
        assert (len(learnt), len(test)) == (36, 24) and not learnt & test
    for part in (False, True):
        for example in english.everyday("Past or future?", part):
            decided = bool({"will", "going"} & {*re.findall(r"\w+", example.first.lower())})
            assert decided == (example.label == "future"), example.first


# Scores.


def test_useless_is_best_by_the_f1_of_the_frequent_label():
    gold, answers = scores.two_filters(95)
    found = dict(zip(scores.METRICS, scores.all_scores(gold, answers["always “good”"])))
    assert max(found, key=found.get) == "F1 of good" == views.guess_useless().answer()
    assert found["Matthews"] == 0 and found["accuracy"] == pytest.approx(95)


def test_the_counts_come_from_the_students_function():
    ours, theirs = (views.filters(function).view.value for function in (unwritten, swapped))
    assert "The course's <code>unwritten</code>" in ours and "Your <code>swapped</code>" in theirs
    rows = r"it is good</th><td[^>]*>(\d+)</td>"
    assert re.findall(rows, ours) == ["0", "120"] and re.findall(rows, theirs) == ["400", "80"]


def test_no_correlation_notices_a_shift():
    shown = views.correlations().content
    assert re.search(r"too high by 2</th><td[^>]*>1\.00</td><td[^>]*>1\.00</td><td[^>]*>2\.00", shown)


# Settings and labels.


def test_the_stored_settings_are_complete_and_say_what_the_lesson_says():
    dev = pretraining.compared("dev")
    assert set(dev) == set(SETTINGS) and {len(runs) for runs in dev.values()} == {len(SEEDS)}
    means = {name: np.mean(runs) for name, runs in dev.items()}
    pretrained = {name: mean for name, mean in means.items() if not name.startswith(SCRATCH)}
    assert means["all, 1e-2"] == min(pretrained.values()), "too large a rate destroys"
    assert means["frozen, head 3e-3"] < max(pretrained.values()) - 10, "a frozen [CLS] knows little"
    test = pretraining.compared("test")
    chosen = {
        start: pretraining.our_best({n: dev[n] for n in dev if n.startswith(SCRATCH) == start})
        for start in (0, 1)
    }
    assert min(test[chosen[0]]) > max(test[chosen[1]]), "the seeds of the two starts do not overlap"


def test_only_what_the_students_function_chooses_is_tested():
    shown = views.settings(cautious).content
    dev = pretraining.compared("dev")
    mine = [cautious({n: dev[n] for n in dev if n.startswith(SCRATCH) == start}) for start in (False, True)]
    table = shown[shown.index("chosen on dev") :]
    assert re.findall(r'<th scope="row"[^>]*>([^<]*)<', table) == mine
    assert (
        "Your <code>cautious</code>" in shown
        and either(unwritten, pretraining.our_best)[0] is pretraining.our_best
    )


def test_pretraining_saves_labels_in_every_stored_curve():
    for title, (sizes, lines) in pretraining.label_curves().items():
        assert sizes == sorted(sizes) and set(lines) == {"pretrained", SCRATCH}
        gains = np.mean(lines["pretrained"], 0) - np.mean(lines[SCRATCH], 0)
        assert (gains[1:] > 3).all(), title
        assert gains[0] > 0 or title.startswith("similarity"), "as the lesson says"


# Published tables.


def test_bert_base_leads_gpt_everywhere_and_most_where_examples_are_few():
    gaps = np.array(published.GLUE["BERT-base"]) - published.GLUE["OpenAI GPT"]
    assert (gaps > 0).all() and views.guess_leads().answer() == published.FEW
    assert "−0.7" in views.guess_leads().see() or "−0.8" in views.guess_leads().see()


def test_four_endings_need_four_scores():
    controls = views.options()
    before = controls.view.value
    controls.controls["scores"].value = "8 6 5 4"
    assert controls.view.value == before, "adding the same number changes nothing"
    controls.controls["scores"].value = "1 2"
    assert "write 4 numbers" in controls.view.value
    assert len(sequences.ENDINGS) == 4
