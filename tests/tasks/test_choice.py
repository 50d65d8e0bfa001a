"""One row an option, a softmax over the options of an example, as Hugging Face's; a tiny model learns it."""

import math
import string

import numpy as np
import pytest
import torch
import transformers
from hugging_face import shaken, transformer
from tiny import CONFIG

from minibert.data.batch import IGNORE, SPECIAL_TOKENS
from minibert.finetuning.finetuned import Finetuned
from minibert.finetuning.run import finetune
from minibert.model import Encoder, Model
from minibert.model.checkpoints.published import load_model
from minibert.readers.multiple_choice import ChoiceExample
from minibert.tasks.choice import MultipleChoice
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.feed import order
from minibert.training.micro_batch import loss_of_batch

TOKENIZER = FastWordPiece([*SPECIAL_TOKENS, *string.ascii_lowercase, "?"])  # a word is a letter
NAMES = ["A", "B", "C"]
EXAMPLES = [
    ChoiceExample("a b c d", "q ?", ["e", "f g", "h"], 1, NAMES),
    ChoiceExample("i j", "", ["k", "l", "m n o p"], 2, NAMES),
    ChoiceExample("", "", ["q", "r", "s"], None, NAMES),
    ChoiceExample("t u v w x", "y _ z", ["a", "b", ""], 0, NAMES),
]


def pieces(row):
    return tuple(" ".join(TOKENIZER.vocab[i] for i in part) for part in row)


def choice_model(config=CONFIG, seed=0):
    torch.manual_seed(seed)
    encoder = Encoder(config)
    return shaken(Model(encoder, MultipleChoice(TOKENIZER, 16).heads(encoder)))


def test_an_option_is_a_row_of_the_context_and_the_question_with_the_option():
    rows, labels, origins = MultipleChoice(TOKENIZER, 16).encode(EXAMPLES)
    assert [pieces(row) for row in rows[0]] == [
        ("a b c d", "q ? e"),
        ("a b c d", "q ? f g"),
        ("a b c d", "q ? h"),
    ]
    assert [pieces(row) for row in rows[3]] == [
        ("t u v w x", "y a z"),
        ("t u v w x", "y b z"),
        ("t u v w x", "y z"),
    ]
    assert labels == [1, 2, IGNORE, 0] and origins == [0, 1, 2, 3]


@pytest.mark.parametrize("max_length, count", [(16, 0), (11, 0), (10, 2), (8, 3)])
def test_an_example_is_truncated_if_its_context_and_one_of_its_options_are_too_long(max_length, count):
    task = MultipleChoice(TOKENIZER, max_length)
    task.encode(EXAMPLES)
    assert task.truncated == count


def test_a_batch_holds_the_options_of_an_example_one_after_another():
    task = MultipleChoice(TOKENIZER, 16)
    rows, labels, _ = task.encode(EXAMPLES)
    batch = task.collate(rows, labels)
    assert batch.input_ids.shape[:2] == (4, 3) and batch.sequence_labels.tolist() == labels
    shown = [
        " ".join(TOKENIZER.vocab[i] for i in ids[real])
        for ids, real in zip(batch.input_ids[1], batch.real[1])
    ]
    assert shown == ["[CLS] i j [SEP] k [SEP]", "[CLS] i j [SEP] l [SEP]", "[CLS] i j [SEP] m n o p [SEP]"]


def test_what_is_too_long_loses_the_end_of_its_context():
    rows, _, _ = MultipleChoice(TOKENIZER, 9).encode(EXAMPLES[:2])
    assert [pieces(row) for row in rows[0]] == [("a b c", "q ? e"), ("a b", "q ? f g"), ("a b c", "q ? h")]
    assert pieces(rows[1][2]) == ("i j", "m n o p")


def test_an_option_without_room_for_a_context_loses_the_beginning_which_the_others_share():
    rows, _, _ = MultipleChoice(TOKENIZER, 7).encode(
        [EXAMPLES[2], ChoiceExample("a i", "q ?", ["b", "c d", "e f g"], 0, NAMES)]
    )
    assert [pieces(row) for row in rows[1]] == [("a", "q ? b"), ("a", "? c d"), ("a", "e f g")]
    assert pieces(rows[0][0]) == ("", "q")
    needs = r"\[CLS\] context \[SEP\] option \[SEP\]"
    with pytest.raises(ValueError, match=f"max_length=4 must be at least 5, for {needs}"):
        MultipleChoice(TOKENIZER, 4)


def test_another_number_of_options_than_the_first_example_has_is_named():
    with pytest.raises(ValueError, match="example 1 has 2 options, but the first one has 3"):
        MultipleChoice(TOKENIZER, 16).encode([EXAMPLES[0], ChoiceExample("a", "", ["b", "c"], 0, NAMES)])


def test_scores_and_loss_equal_hugging_faces(tmp_path):
    theirs = transformer("BertForMultipleChoice", CONFIG)
    theirs.save_pretrained(tmp_path)
    task = MultipleChoice(TOKENIZER, 12)
    model = load_model(tmp_path, task.heads)
    rows, labels, _ = task.encode(EXAMPLES)
    labels[2] = 0
    batch = task.collate(rows, labels)
    given = {
        "input_ids": batch.input_ids,
        "attention_mask": batch.real.astype(int),
        "token_type_ids": batch.token_type_ids,
    }
    with torch.no_grad():
        out = theirs(
            **{key: torch.from_numpy(value).view(4, 3, -1) for key, value in given.items()},
            labels=torch.tensor(labels),
        )
        loss, _ = loss_of_batch(task, model, batch, None)
    assert abs(loss - out.loss) < 1e-6
    assert np.abs(np.stack(task.logits(model, rows)) - out.logits.numpy()).max() < 1e-5


def test_a_saved_folder_is_read_by_transformers_as_multiple_choice(tmp_path):
    task = MultipleChoice(TOKENIZER, 12)
    model = choice_model()
    Finetuned("race", task, model).save(tmp_path)
    theirs, info = transformers.AutoModelForMultipleChoice.from_pretrained(tmp_path, output_loading_info=True)
    assert not any(info[key] for key in ("missing_keys", "unexpected_keys", "mismatched_keys"))
    assert torch.equal(theirs.classifier.weight, model.heads["choice"].classifier.weight)
    again = Finetuned.load(tmp_path)
    assert again.task.answer(again.model, EXAMPLES) == task.answer(model, EXAMPLES)


def test_an_untrained_models_loss_is_the_logarithm_of_the_number_of_options():
    torch.manual_seed(0)
    task, encoder = MultipleChoice(TOKENIZER, 16), Encoder(CONFIG)
    rows, labels, _ = task.encode(EXAMPLES)
    loss, parts = loss_of_batch(task, Model(encoder, task.heads(encoder)), task.collate(rows, labels), None)
    assert loss.item() == pytest.approx(math.log(3), abs=0.05) and parts == {"choice": loss}


def test_an_example_without_a_label_takes_no_part_in_the_loss():
    task, model = MultipleChoice(TOKENIZER, 16), choice_model()
    rows, labels, _ = task.encode(EXAMPLES)
    known = [0, 1, 3]
    loss, _ = loss_of_batch(task, model, task.collate(rows, labels), None)
    expected, _ = loss_of_batch(
        task, model, task.collate([rows[i] for i in known], [labels[i] for i in known]), None
    )
    assert loss.item() == pytest.approx(expected.item(), abs=1e-6)


def test_a_step_in_parts_keeps_the_options_of_an_example_together():
    task, model = MultipleChoice(TOKENIZER, 16), choice_model()
    rows, labels, _ = task.encode(EXAMPLES)
    batch = task.collate(rows, labels)
    whole, _ = loss_of_batch(task, model, batch, None)
    parts = [
        loss_of_batch(task, model, batch, None, rows)[0].item() for rows in (slice(0, 1), slice(1, None))
    ]
    assert sum(parts) == pytest.approx(whole.item(), abs=1e-6) and min(parts) > 0


@pytest.mark.parametrize("batch_size", [1, 5, 12])
def test_scores_do_not_depend_on_the_batches(batch_size):
    task, model = MultipleChoice(TOKENIZER, 16), choice_model()
    rows, _, _ = task.encode(EXAMPLES)
    with torch.no_grad():
        expected = model(**task.inputs(task.collate(rows), "cpu"))["choice"].view(4, 3).numpy()
    assert np.abs(np.stack(task.logits(model, rows, batch_size)) - expected).max() < 1e-5
    assert len({float(score) for score in expected.flatten()}) == 12
    assert task.logits(model, []) == []


def test_answers_are_the_best_options_by_the_names_of_the_file():
    task, scores = (
        MultipleChoice(TOKENIZER, 16),
        [np.array([0, 2, 1]), np.array([3, 2, 1]), np.array([0, 0, 1]), np.array([1, 0, 0])],
    )
    answers = task.decode(EXAMPLES, [0, 1, 2, 3], scores)
    lines = [task.write(*one)["predictions"] for one in zip(EXAMPLES, answers)]
    assert answers == [1, 0, 2, 0] and lines == ["B\n", "A\n", "C\n", "A\n"]
    labelled = [EXAMPLES[0], EXAMPLES[1], EXAMPLES[3]]
    assert task.metric(labelled, [1, 0, 0]) == {"accuracy": pytest.approx(200 / 3)}
    with pytest.raises(ValueError, match="example 2 has no label: its right option is unknown"):
        task.metric(EXAMPLES, answers)


def test_an_answer_does_not_look_at_the_labels():
    task, seen = MultipleChoice(TOKENIZER, 16), []
    task.encode = lambda examples: (
        seen.extend(e.label for e in examples) or MultipleChoice.encode(task, examples)
    )
    assert len(task.answer(choice_model(), EXAMPLES)) == 4 and seen == [None] * 4


def test_examples_of_like_length_share_a_batch_of_training():
    rng = np.random.default_rng(0)
    rows = [tuple(([7] * n, [8]) for _ in range(3)) for n in rng.permutation(40)]
    lengths = [[len(rows[i][0][0]) for i in batch] for batch in order(rows, 5, rng)]
    assert sorted(n for batch in lengths for n in batch) == list(range(40))
    assert all(max(batch) - min(batch) == 4 for batch in lengths)


def echoes(count, seed, options=3):
    """The right option is the one letter that stands in the context."""
    rng, examples = np.random.default_rng(seed), []
    for _ in range(count):
        letters = [str(letter) for letter in rng.choice(list("abcdef"), options, replace=False)]
        label = int(rng.integers(options))
        examples.append(
            ChoiceExample(f"z {letters[label]}", "", letters, label, [str(i) for i in range(options)])
        )
    return examples


def test_a_tiny_model_learns_to_choose_and_chooses_among_fewer_options_too():
    torch.manual_seed(0)
    encoder = Encoder(CONFIG.replace(num_hidden_layers=1))
    tuned, _ = finetune(
        "swag", encoder, TOKENIZER, echoes(1500, 1), steps=300, peak_rate=3e-3, progress=False
    )
    for held_out in (echoes(60, 2), echoes(60, 3, options=2)):
        assert tuned.task.metric(held_out, tuned.task.answer(tuned.model, held_out))["accuracy"] > 90
