"""Saved folders open in `transformers` without a warning: models, tokenizers, labels, pipelines."""

import logging

import pytest
import torch
from tiny import CONFIG

import minibert
from minibert.data.batch import SPECIAL_TOKENS
from minibert.finetuning.run import finetune
from minibert.model import Encoder, Model
from minibert.model.checkpoints.pretrained import Pretrained
from minibert.readers.conll import Sentence
from minibert.readers.glue import TextExample
from minibert.readers.squad import QAExample
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.pretraining import bert_objective

WORDS = "Mira mira lives Lives in Ashby ashby . Where where ? good bad ##s".split()
NER = [Sentence("Mira lives in Ashby .".split(), ["B-PER", "O", "O", "B-LOC", "O"], 1)]
TEXTS = [TextExample("good", None, "praise", "0", 1), TextExample("bad", None, "blame", "1", 2)]
SQUAD = [QAExample("q", "Where lives Mira ?", "Mira lives in Ashby .", [("Ashby", 14)], False, "")]


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture
def said():
    """The warnings of `transformers`, as they come, also where another test has silenced it."""
    import transformers

    before, records = transformers.logging.get_verbosity(), []
    transformers.logging.set_verbosity_warning()
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: records.append(record.getMessage())
    logger = logging.getLogger("transformers")
    logger.addHandler(handler)
    yield records
    logger.removeHandler(handler)
    transformers.logging.set_verbosity(before)


def random_model(lower_case=False):
    """A random cased BERT as `pretrain` makes it."""
    torch.manual_seed(0)
    tokenizer = FastWordPiece([*SPECIAL_TOKENS, *WORDS], lower_case)
    model = bert_objective(tokenizer, 40).model(Encoder(CONFIG.replace(vocab_size=len(tokenizer)))).eval()
    return Pretrained(model, tokenizer, model.heads["pair"].pooler)


def tuned(task, examples, folder, **options):
    start = random_model()
    options |= {"steps": 2, "peak_rate": 1e-3, "progress": False, "precision": torch.float32}
    result, _ = finetune(task, start.encoder, start.tokenizer, examples, **options)
    result.save(folder)
    return result


def test_a_pretrained_folder_is_complete_and_heads_not_asked_for_are_all_that_is_named(tmp_path, said):
    from transformers import AutoModel, AutoModelForMaskedLM, AutoModelForPreTraining

    random_model().save(tmp_path)
    AutoModelForPreTraining.from_pretrained(tmp_path)
    assert said == []
    # it lists weights of other heads for every checkpoint, Google's own included, and nothing else here
    for kind, unused in (
        (AutoModel, "cls."),
        (AutoModelForMaskedLM, ("cls.seq_relationship.", "bert.pooler.")),
    ):
        _, info = kind.from_pretrained(tmp_path, output_loading_info=True)
        assert not info["missing_keys"] and not info["mismatched_keys"] and not info["error_msgs"]
        assert all(name.startswith(unused) for name in info["unexpected_keys"])
    assert len(said) == 2 and all("LOAD REPORT" in message and "MISSING" not in message for message in said)


@pytest.mark.parametrize("lower_case", [False, True])
def test_the_tokenizer_keeps_its_case_its_length_and_its_special_tokens(tmp_path, said, lower_case):
    from transformers import AutoTokenizer

    ours = random_model(lower_case)
    ours.save(tmp_path)
    theirs = AutoTokenizer.from_pretrained(tmp_path)
    text = "Mira lives in Ashby. Where?"
    assert theirs(text, add_special_tokens=False)["input_ids"] == ours.tokenizer.encode(text).ids
    assert theirs.model_max_length == CONFIG.max_position_embeddings
    assert [
        theirs.pad_token_id,
        theirs.unk_token_id,
        theirs.cls_token_id,
        theirs.sep_token_id,
        theirs.mask_token_id,
    ] == list(ours.tokenizer.specials.ids)
    assert minibert.load(tmp_path).tokenizer.lower_case is lower_case and said == []


def test_fill_mask_gives_the_same_words_in_both(tmp_path):
    from transformers import pipeline

    ours = random_model()
    ours.save(tmp_path)
    theirs = pipeline("fill-mask", str(tmp_path), top_k=3)("Mira lives in [MASK].")
    (found,) = minibert.fill_mask("Mira lives in [MASK].", tmp_path, top=3)
    assert [(answer["token_str"], pytest.approx(answer["score"], abs=1e-5)) for answer in theirs] == found


def test_a_tagger_opens_as_a_pipeline_with_its_own_labels(tmp_path, said):
    from transformers import AutoModelForTokenClassification, pipeline

    ours = tuned("ner", NER, tmp_path)
    model = AutoModelForTokenClassification.from_pretrained(tmp_path)
    assert list(model.config.id2label.values()) == ours.task.tags and "B-PER" in model.config.label2id
    found = pipeline("ner", str(tmp_path), ignore_labels=[])("Mira lives in Ashby.")
    assert {answer["entity"] for answer in found} <= set(ours.task.tags) and said == []


def test_a_classifier_opens_as_a_pipeline_with_its_own_labels(tmp_path, said):
    from transformers import AutoModelForSequenceClassification, pipeline

    ours = tuned("text", TEXTS, tmp_path)
    theirs = AutoModelForSequenceClassification.from_pretrained(tmp_path)
    assert theirs.config.id2label == {0: "blame", 1: "praise"}
    assert pipeline("text-classification", str(tmp_path))("good")[0]["label"] == ours.predict("good")
    assert said == []


def test_question_answering_opens_with_the_same_logits(tmp_path, said):
    from transformers import AutoModelForQuestionAnswering, AutoTokenizer

    ours = tuned("qa", SQUAD, tmp_path)
    batch = AutoTokenizer.from_pretrained(tmp_path)(SQUAD[0].question, SQUAD[0].context, return_tensors="pt")
    with torch.no_grad():
        theirs = AutoModelForQuestionAnswering.from_pretrained(tmp_path)(**batch)
        T = batch["input_ids"].shape[1]
        (span,) = ours.model.eval()(
            batch["input_ids"], torch.ones(1, T, T, dtype=torch.bool), batch["token_type_ids"]
        ).values()
    expected = torch.stack([theirs.start_logits, theirs.end_logits], -1)
    torch.testing.assert_close(expected, span, atol=1e-5, rtol=0)
    assert said == []


def test_a_folder_saved_for_one_class_opens_in_it_without_a_word(tmp_path, said):
    from transformers import AutoModel, AutoModelForMaskedLM, pipeline

    start = random_model()
    start.save(tmp_path / "fill", heads=["tokens"])
    start.save(tmp_path / "bare", heads=["pooler"])
    AutoModelForMaskedLM.from_pretrained(tmp_path / "fill")
    pipeline("fill-mask", str(tmp_path / "fill"))("Mira lives in [MASK].")
    theirs = AutoModel.from_pretrained(tmp_path / "bare")
    assert said == [] and torch.equal(theirs.pooler.dense.weight, start.pooler.weight)
    loaded = minibert.load(tmp_path / "fill")
    (filled,), (expected,) = (model.fill_mask("[MASK]") for model in (loaded, start))
    assert [word for word, _ in filled] == [word for word, _ in expected]
    assert [share for _, share in filled] == pytest.approx([share for _, share in expected], rel=1e-6)
    assert torch.equal(minibert.load(tmp_path / "bare").pooler.weight, start.pooler.weight)
    with pytest.raises(ValueError, match="no head for masked tokens, so it cannot fill"):
        minibert.fill_mask("[MASK]", tmp_path / "bare")
    with pytest.raises(ValueError, match="no head 'rank'; this model has pair, tokens, pooler"):
        start.save(tmp_path, heads=["rank"])


def test_a_model_without_heads_has_no_word_of_them(tmp_path, said):
    from transformers import BertModel

    minibert.model.checkpoints.weights.write_model(Model(Encoder(CONFIG), {}), tmp_path)
    BertModel.from_pretrained(tmp_path, add_pooling_layer=False)
    assert said == []
