"""Models that `transformers` has fine-tuned are loaded with their heads, or a message names the head."""

import json

import numpy as np
import pytest
import torch
import transformers

import minibert
from minibert.cli.main import main
from minibert.finetuning.finetuned import Finetuned
from minibert.model.checkpoints.pretrained import Pretrained

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] mira harlow lives in ashby and sings . ##s who ?".split()
TAGS = ["B-PER", "I-PER", "O", "B-LOC"]  # not in our order


def saved(kind, folder, **options):
    """Save a random model of `transformers` with its tokenizer, and return both."""
    folder.mkdir(exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    tokenizer = transformers.BertTokenizerFast(str(folder / "vocab.txt"))
    tokenizer.save_pretrained(folder)
    make = getattr(transformers, kind)
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48}
    torch.manual_seed(3)
    model = make(
        make.config_class(
            vocab_size=len(WORDS), embedding_size=16, max_position_embeddings=40, **sizes, **options
        )
    ).eval()
    with torch.no_grad():
        for value in model.parameters():
            value.add_(0.2 * torch.randn_like(value))
    model.save_pretrained(folder)
    return model, tokenizer


def names(*labels):
    return {"id2label": dict(enumerate(labels)), "label2id": {label: i for i, label in enumerate(labels)}}


def outputs(model, tokenizer, *texts):
    """The outputs of a model of `transformers` for one text or a pair."""
    with torch.no_grad():
        return model(**tokenizer(*texts, return_tensors="pt"))


@pytest.mark.parametrize("labels", [("bad", "so-so", "good"), ("LABEL_0", "LABEL_1")])
@pytest.mark.parametrize("kind", ["BertForSequenceClassification", "AlbertForSequenceClassification"])
def test_a_sequence_classifier_predicts_as_in_transformers(kind, labels, tmp_path, capsys):
    theirs, tokenizer = saved(kind, tmp_path / "theirs", **names(*labels))
    ours = minibert.load(tmp_path / "theirs")
    assert ours.name == "text" and ours.labels == list(labels)
    for texts in (("Mira sings.",), ("Mira sings.", "Who lives in Ashby?")):
        expected = outputs(theirs, tokenizer, *texts).logits[0].softmax(-1).tolist()
        given = dict(zip(("text", "text_pair"), texts))
        found = ours.predict(**given, probabilities=True)
        assert [found[label] for label in labels] == pytest.approx(expected, abs=1e-5)
        assert ours.predict(**given) == labels[int(np.argmax(expected))]
    command = ["predict", "text", "--model", str(tmp_path / "theirs"), "--text", "Mira sings."]
    assert main(command) == 0 and capsys.readouterr().out.strip() == ours.predict("Mira sings.")
    assert main([*command, "--text-pair", "Who sings?"]) == 0
    assert capsys.readouterr().out.strip() == ours.predict("Mira sings.", text_pair="Who sings?")
    ours.save(tmp_path / "ours")
    again = Finetuned.load(tmp_path / "ours")
    assert again.predict(**given, probabilities=True) == found


@pytest.mark.parametrize("kind", ["BertForTokenClassification", "ElectraForTokenClassification"])
def test_a_tagger_predicts_as_in_transformers(kind, tmp_path):
    theirs, tokenizer = saved(kind, tmp_path, **names(*TAGS))
    ours, text = minibert.load(tmp_path), "Mira Harlow lives in Ashby ."
    assert ours.name == "ner" and ours.labels == TAGS and ours.task.types == ["LOC", "PER"]
    logits = outputs(theirs, tokenizer, text).logits[0].numpy()
    (found,) = ours.task.logits(ours.model, ours.task.encode(ours.examples({"text": text}))[0])
    assert np.abs(found - logits).max() < 1e-5
    tags = ours.task.predict(ours.model, ours.examples({"text": text}))[0]
    assert tags == [TAGS[i] for i in logits[1:-1].argmax(-1)]
    assert ours.task.best_tags(ours.task.by_word(ours.examples({"text": "Mira"}), [], [])[0]) == ["O"]


def test_labels_have_the_order_of_their_numbers_not_of_their_places_in_the_file(tmp_path):
    labels = [f"intent {number}" for number in range(12)]
    saved("BertForSequenceClassification", tmp_path, **names(*labels))
    config = json.loads((tmp_path / "config.json").read_text())
    as_text = dict(sorted({str(number): label for number, label in enumerate(labels)}.items()))
    (tmp_path / "config.json").write_text(json.dumps({**config, "id2label": as_text}))
    assert list(as_text)[:3] == ["0", "1", "10"] and minibert.load(tmp_path).labels == labels


def test_a_tagger_whose_labels_mark_no_entities_is_for_parts_of_speech(tmp_path):
    saved("BertForTokenClassification", tmp_path, **names("NOUN", "VERB"))
    ours = minibert.load(tmp_path)
    assert ours.name == "pos" and {found.type for found in ours.predict("Mira sings")} <= {"NOUN", "VERB"}


def test_questions_are_answered_as_in_transformers(tmp_path):
    theirs, tokenizer = saved("BertForQuestionAnswering", tmp_path)
    ours, texts = minibert.load(tmp_path), ("Who sings?", "Mira Harlow lives in Ashby and sings.")
    assert ours.name == "qa"
    out = outputs(theirs, tokenizer, *texts)
    examples = ours.examples(dict(zip(("question", "context"), texts)))
    (found,) = ours.task.logits(ours.model, ours.task.encode(examples)[0])
    assert np.abs(found - torch.stack([out.start_logits, out.end_logits], -1)[0].numpy()).max() < 1e-5
    first, last = 5, len(found) - 1  # [CLS] who sings ? [SEP] passage [SEP]
    spans = {(i, j): found[i, 0] + found[j, 1] for i in range(first, last) for j in range(i, last)}
    start, end = max(spans, key=spans.__getitem__)
    offsets = tokenizer(*texts, return_offsets_mapping=True)["offset_mapping"]
    expected = texts[1][offsets[start][0] : offsets[end][1]]
    assert ours.predict(question=texts[0], context=texts[1]) == expected


BAD = {
    "BertForSequenceClassification": {"problem_type": "multi_label_classification", **names("a", "b")},
    "BertForMultipleChoice": {},
    "ElectraForSequenceClassification": names("a", "b"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_head_that_is_not_supported_is_named(kind, tmp_path, capsys):
    saved(kind, tmp_path, **BAD[kind])
    found = minibert.load(tmp_path)
    message = capsys.readouterr().err
    assert isinstance(found, Pretrained) and not found.model.heads
    assert f"{tmp_path}: the head of {kind}" in message and "only its encoder is loaded" in message
    assert main(["predict", "--model", str(tmp_path), "--text", "Mira sings."]) == 2
    assert f"the head of {kind}" in capsys.readouterr().err
    example = [("Mira sings.", "song"), ("Who lives?", "question")]
    minibert.finetune("text", example, model=tmp_path, max_steps=1, progress=False)


def test_regression_and_labels_without_names_of_their_own_are_not_supported(tmp_path, capsys):
    saved("BertForSequenceClassification", tmp_path, num_labels=1)
    assert isinstance(minibert.load(tmp_path), Pretrained)
    assert "has the problem type regression, which is not supported" in capsys.readouterr().err
    saved("BertForSequenceClassification", tmp_path, num_labels=2)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**config, "id2label": {"0": "a", "1": "a"}}))
    assert isinstance(minibert.load(tmp_path), Pretrained)
    assert "has labels that are not distinct names, numbered from 0" in capsys.readouterr().err


def test_a_head_without_weights_is_an_error(tmp_path):
    saved("BertModel", tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    config["architectures"] = ["BertForQuestionAnswering"]
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(
        ValueError, match="the head of BertForQuestionAnswering has no weights in the model's file"
    ):
        minibert.load(tmp_path)
