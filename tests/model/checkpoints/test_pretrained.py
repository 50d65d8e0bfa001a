"""Models of four architectures, as `transformers` writes them, load in one call and fill [MASK] alike."""

import pytest
import torch
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers, processors

import minibert
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
    (tmp_path / "theirs").mkdir()
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


def test_fine_tuning_needs_wordpiece(tmp_path):
    saved("RobertaForMaskedLM", tmp_path)
    with pytest.raises(ValueError, match="fine-tuning needs a model with a WordPiece vocabulary, vocab.txt"):
        minibert.finetune("ner", [], model=tmp_path)


def test_a_damaged_tokenizer_and_one_without_special_tokens_are_named(tmp_path):
    saved("RobertaForMaskedLM", tmp_path)
    (tmp_path / "tokenizer.json").write_text("{")
    with pytest.raises(ValueError, match="tokenizer.json: "):
        minibert.load(tmp_path)
    with pytest.raises(ValueError, match=r"the tokenizer has no token such as \[PAD\]"):
        LibraryTokenizer(Tokenizer(models.BPE({"a": 0}, [])))
