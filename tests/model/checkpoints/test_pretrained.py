"""Models of four architectures, as `transformers` writes them, load in one call and fill [MASK] alike."""

import json

import pytest
import torch
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers, processors

import minibert
from minibert.cli.main import main
from minibert.model.checkpoints.pretrained import Pretrained
from minibert.model.checkpoints.tokenizer_files import load_tokenizer
from minibert.tokenizer import WordPiece
from minibert.tokenizer.library import LibraryTokenizer

TEXT = "Mira lives in [MASK] and sings."


def save_wordpiece(folder):
    from transformers import BertTokenizerFast

    words = "[PAD] [UNK] [CLS] [SEP] [MASK] mira lives in and sings . ##s ashby".split()
    (folder / "vocab.txt").write_text("\n".join(words) + "\n")
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    return len(words)


def save_byte_pairs(folder):
    """A tokenizer as RoBERTa's, with tokens for bytes alone."""
    from transformers import PreTrainedTokenizerFast

    names = ["<s>", "<pad>", "</s>", "<unk>", *sorted(pre_tokenizers.ByteLevel.alphabet()), "<mask>"]
    library = Tokenizer(models.BPE({name: i for i, name in enumerate(names)}, [], unk_token="<unk>"))
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    library.post_processor = processors.RobertaProcessing(
        ("</s>", 2), ("<s>", 0), trim_offsets=True, add_prefix_space=False
    )
    library.add_special_tokens([*names[:4], AddedToken("<mask>", lstrip=True)])
    PreTrainedTokenizerFast(
        tokenizer_object=library,
        bos_token="<s>",
        eos_token="</s>",
        unk_token="<unk>",
        pad_token="<pad>",
        cls_token="<s>",
        sep_token="</s>",
        mask_token="<mask>",
    ).save_pretrained(folder)
    return len(names)


CASES = {
    "BertForPreTraining": save_wordpiece,
    "RobertaForMaskedLM": save_byte_pairs,
    "AlbertForMaskedLM": save_wordpiece,
    "ElectraForMaskedLM": save_wordpiece,
}


def saved(kind, folder):
    """A random model of `transformers` and its tokenizer, in a folder."""
    import transformers

    folder.mkdir(exist_ok=True)
    count = CASES[kind](folder)
    config = getattr(transformers, kind.split("For")[0] + "Config")(
        vocab_size=count,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=48,
        max_position_embeddings=42,
        embedding_size=16,
        type_vocab_size=1 if "Roberta" in kind else 2,
        pad_token_id=1 if "Roberta" in kind else 0,
    )
    torch.manual_seed(0)
    theirs = getattr(transformers, kind)(config).eval()
    with torch.no_grad():
        for value in theirs.parameters():
            value.add_(0.1 * torch.randn_like(value))
    theirs.save_pretrained(folder)
    return theirs


@pytest.mark.parametrize("kind", CASES)
def test_each_architecture_loads_and_fills_mask_as_in_transformers(kind, tmp_path):
    from transformers import AutoTokenizer

    theirs, ours = saved(kind, tmp_path), minibert.load(tmp_path)
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    batch = tokenizer(TEXT.replace("[MASK]", tokenizer.mask_token), return_tensors="pt")
    with torch.no_grad():
        out = theirs(**batch)
    logits = out.prediction_logits if "PreTraining" in kind else out.logits
    best = logits[batch["input_ids"] == tokenizer.mask_token_id].softmax(-1)[0].topk(4)
    (found,) = ours.fill_mask(TEXT, top=4)
    assert ours.fill_mask([TEXT] * 2, top=4) == minibert.fill_mask((TEXT, TEXT), ours, top=4) == [[found]] * 2
    assert [probability for _, probability in found] == pytest.approx(best.values.tolist(), rel=1e-4)
    assert [token for token, _ in found] == tokenizer.convert_ids_to_tokens(best.indices.tolist())
    assert isinstance(ours.tokenizer, LibraryTokenizer if "Roberta" in kind else WordPiece)


@pytest.mark.parametrize("kind", CASES)
def test_what_was_loaded_is_saved_and_loaded_again(kind, tmp_path):
    saved(kind, tmp_path / "theirs")
    first = minibert.load(tmp_path / "theirs")
    first.save(tmp_path / "ours")
    again = minibert.load(tmp_path / "ours")
    assert again.fill_mask(TEXT) == first.fill_mask(TEXT) and set(again.model.heads) == set(first.model.heads)
    assert again.tokenizer.vocab == first.tokenizer.vocab


def test_heads_that_the_file_lacks_are_left_out(tmp_path):
    saved("ElectraForMaskedLM", tmp_path)
    electra = minibert.load(tmp_path)
    assert set(electra.model.heads) == {"tokens"} and electra.pooler is None
    saved("BertForPreTraining", tmp_path)
    assert set(minibert.load(tmp_path).model.heads) == {"tokens", "pair"}


EXAMPLES = [("mira lives", "home"), ("mira sings", "song")]


def test_a_bert_as_transformers_saves_it_today_is_fine_tuned_and_explored(tmp_path, capsys):
    from transformers import AutoTokenizer, BertForSequenceClassification

    theirs = saved("BertForPreTraining", tmp_path / "theirs")
    (tmp_path / "theirs" / "vocab.txt").unlink(missing_ok=True)
    assert (tmp_path / "theirs" / "tokenizer.json").is_file()
    ours = minibert.load(tmp_path / "theirs")
    assert isinstance(ours.tokenizer, WordPiece) and ours.tokenizer.lower_case
    assert main(["explore", "--html", str(tmp_path / "a.html"), "--model", str(tmp_path / "theirs")]) == 0
    before = theirs.bert.encoder.layer[0].output.dense.weight
    assert torch.equal(ours.encoder.layers[0].feed_forward.down.weight, before)
    tuned = minibert.finetune(
        "text", EXAMPLES, model=str(tmp_path / "theirs"), out=tmp_path / "text", epochs=1, progress=False
    )
    texts = ["mira lives in ashby", "she sings"]
    batch = AutoTokenizer.from_pretrained(tmp_path / "text")(texts, return_tensors="pt", padding=True)
    with torch.no_grad():
        logits = BertForSequenceClassification.from_pretrained(tmp_path / "text")(**batch).logits
    found = [[table["home"], table["song"]] for table in tuned.predict(texts, probabilities=True)]
    assert found == [pytest.approx(row, abs=1e-5) for row in logits.softmax(-1).tolist()]


def test_a_wordpiece_with_further_tokens_or_other_rules_stays_as_it_is(tmp_path):
    from transformers import BertTokenizerFast

    save_wordpiece(tmp_path)
    tokenizer = BertTokenizerFast(str(tmp_path / "vocab.txt"))
    (tmp_path / "vocab.txt").unlink()
    assert isinstance(load_tokenizer(tmp_path), WordPiece)
    tokenizer.add_tokens(["mirasings"])
    tokenizer.save_pretrained(tmp_path)
    assert isinstance(load_tokenizer(tmp_path), LibraryTokenizer)
    BertTokenizerFast(vocab=tokenizer.get_vocab()).save_pretrained(tmp_path)
    whole = tmp_path / "tokenizer.json"
    whole.write_text(whole.read_text().replace('"clean_text": true', '"clean_text": false'))
    assert isinstance(load_tokenizer(tmp_path), LibraryTokenizer)


def settings(folder, **values):
    """Add values to a folder's tokenizer_config.json."""
    path = folder / "tokenizer_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def messages(folder, tuned, capsys):
    """The errors of every way to use a pretrained folder, and one that a task was fine-tuned in."""
    text = folder.parent / "text.txt"
    text.write_text("mira lives in ashby .\n\nmira sings .\n" * 20)
    found = []
    for use in (
        lambda: minibert.finetune("text", EXAMPLES, model=folder, epochs=1, progress=False),
        lambda: minibert.pretrain(text, vocab=folder / "vocab.txt", steps=1, progress=False),
        lambda: minibert.predict(tuned, "mira sings"),
        lambda: minibert.load(tuned),
    ):
        with pytest.raises(ValueError) as caught:
            use()
        found.append(str(caught.value))
    assert main(["explore", "--html", str(folder / "a.html"), "--model", str(folder)]) == 2
    assert main(["predict", "text", "--text", "mira", "--model", str(tuned)]) == 2
    (folder / "train.tsv").write_text("text\tlabel\nmira\ta\nsings\tb\n")
    assert (
        main(
            [
                "finetune",
                "text",
                "--train",
                str(folder / "train.tsv"),
                "--model",
                str(folder),
                "--out",
                str(folder / "b"),
            ]
        )
        == 2
    )
    return [*found, *capsys.readouterr().err.strip().split("\n")]


@pytest.fixture
def bert(tmp_path):
    """A pretrained BERT of `transformers`, and a model that we have fine-tuned from it, in two folders."""
    saved("BertForPreTraining", tmp_path / "bert")
    minibert.finetune(
        "text", EXAMPLES, model=tmp_path / "bert", out=tmp_path / "text", epochs=1, progress=False
    )
    return tmp_path / "bert", tmp_path / "text"


def test_a_setting_that_is_not_supported_is_refused_on_every_way(bert, capsys):
    folder, tuned = bert
    for each in bert:
        settings(each, tokenizer_class="BertJapaneseTokenizer", word_tokenizer_type="mecab")
    for use in (minibert.load, Pretrained.load):
        with pytest.raises(ValueError, match="word_tokenizer_type='mecab' is not supported"):
            use(folder)
    said = messages(*bert, capsys)
    assert [each for each in said if "word_tokenizer_type='mecab' is not supported" not in each] == []


def test_a_setting_that_is_supported_is_followed_on_every_way(bert, tmp_path):
    for each in bert:
        settings(each, do_lower_case=False, model_max_length=20)
        (each / "tokenizer.json").unlink(missing_ok=True)
    text = tmp_path / "corpus.txt"
    text.write_text("mira lives in ashby .\n\nmira sings .\n" * 20)
    found = [
        minibert.load(bert[0]),
        minibert.finetune("text", EXAMPLES, model=bert[0], epochs=1, progress=False),
        minibert.pretrain(text, vocab=bert[0] / "vocab.txt", steps=1, preset="tiny", progress=False),
    ]
    assert not any(each.tokenizer.lower_case for each in found)
    assert [each.tokenizer.max_length for each in found] == [20, 20, None]  # the last is another model
    with pytest.raises(
        ValueError, match="task.json: has lower_case=True, but tokenizer_config.json has False"
    ):
        minibert.load(bert[1])


def test_added_tokens_are_kept_whole_or_refused_on_every_way(bert, capsys):
    folder, tuned = bert
    for each in bert:
        settings(each, extra_special_tokens=["sings"])
    assert minibert.load(folder).tokenizer.encode("Mirasings sings").pieces == ["mira", "sings", "sings"]
    assert minibert.fill_mask("mira [MASK] sings", folder, top=1)
    said = messages(*bert, capsys)
    assert [
        each for each in said if "'sings' is an added token, which WordPiece would split" not in each
    ] == []


def test_a_stated_length_is_the_limit_of_texts_and_stays_after_saving(bert, tmp_path):
    settings(bert[0], model_max_length=6)
    loaded, long = minibert.load(bert[0]), "mira lives in ashby and sings ."
    assert loaded.encode(long, pooling=None).shape[0] == 6
    loaded.save(tmp_path / "again")
    assert minibert.load(tmp_path / "again").encode(long, pooling=None).shape[0] == 6
    tuned = minibert.finetune("text", EXAMPLES, model=loaded, epochs=1, progress=False)
    assert tuned.task.max_length == 6
    longer = minibert.finetune("text", EXAMPLES, model=loaded, epochs=1, max_length=9, progress=False)
    assert longer.task.max_length == 9


def test_electra_is_fine_tuned_and_another_tokenizer_is_refused(tmp_path):
    saved("ElectraForMaskedLM", tmp_path / "electra")
    tuned = minibert.finetune("text", EXAMPLES, model=tmp_path / "electra", epochs=1, progress=False)
    tuned.save(tmp_path / "text")
    expected = tuned.predict("mira lives", probabilities=True)
    assert minibert.load(tmp_path / "text").predict("mira lives", probabilities=True) == expected
    saved("RobertaForMaskedLM", tmp_path / "roberta")
    with pytest.raises(ValueError, match="roberta: its tokenizer is not BERT's WordPiece, so it can"):
        minibert.finetune("ner", [(["mira"], ["O"])], model=tmp_path / "roberta")


def test_a_damaged_tokenizer_and_one_without_special_tokens_are_named(tmp_path):
    saved("RobertaForMaskedLM", tmp_path)
    (tmp_path / "tokenizer.json").write_text("{")
    with pytest.raises(ValueError, match="tokenizer.json: "):
        minibert.load(tmp_path)
    with pytest.raises(ValueError, match=r"the tokenizer has no token with the role of \[PAD\]"):
        LibraryTokenizer(Tokenizer(models.BPE({"a": 0}, [])))
