"""Each setting of a published tokenizer gives the ids of `transformers`, or is refused by value and file."""

import json
import re
import shutil

import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from transformers import AddedToken, AutoTokenizer, BertTokenizer, PreTrainedTokenizerFast

from minibert.data.batch import SPECIAL_TOKENS
from minibert.model.checkpoints.tokenizer_files import load_tokenizer, save_tokenizer
from minibert.tokenizer import WordPiece
from minibert.tokenizer.library import LibraryTokenizer

VOCAB = [*SPECIAL_TOKENS, *"schon schön Schön Schon ist in i ##n a ##a 東 京 東京 [ ] < > e1 unused1".split()]
VOCAB += ["[unused1]", "i\u0307n", "##\u0307"]
TEXT = "Schön ist 東京 İn [unused1] <e1> a<E1>a in"
LAST = len(VOCAB)  # the first free id


def folder_of(place, files):
    """A folder with a vocab.txt and the other files, which are given as JSON values by their names."""
    place.mkdir(exist_ok=True)
    (place / "vocab.txt").write_text("\n".join(VOCAB) + "\n", encoding="utf-8")
    for name, value in {"config.json": {"model_type": "bert"}, **files}.items():
        (place / name).write_text(json.dumps(value), encoding="utf-8")
    return place


def config(**values):
    return {"tokenizer_config.json": values}


def specials_of_transformers(folder):
    theirs = AutoTokenizer.from_pretrained(folder)
    names = ("pad", "unk", "cls", "sep", "mask")
    return tuple(getattr(theirs, f"{name}_token_id") for name in names)


def ids_of_transformers(folder, text=TEXT):
    return AutoTokenizer.from_pretrained(folder).encode(text, add_special_tokens=False)


RULES = [
    {},
    config(do_lower_case=False),
    config(do_lower_case=True, strip_accents=False),
    config(strip_accents=False),
    config(strip_accents=None),
    config(do_lower_case=False, strip_accents=True),
    config(tokenize_chinese_chars=False),
    config(tokenize_chinese_chars=False, do_lower_case=False, never_split=None, do_basic_tokenize=True),
    config(tokenizer_class="BertTokenizerFast", model_max_length=10**30, unk_token="[UNK]"),
    config(tokenizer_class="DistilBertTokenizer", do_lower_case=False),
    config(added_tokens_decoder={"4": {"content": "[MASK]", "special": True, "lstrip": True}}),
    {"special_tokens_map.json": {"cls_token": {"content": "[CLS]", "lstrip": False}, "sep_token": "[SEP]"}},
]
FORMS = ["vocab.txt", "both", "tokenizer.json"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("files", RULES, ids=str)
def test_wordpiece_follows_a_setting_in_each_form_and_after_saving(files, form, tmp_path):
    folder = folder_of(tmp_path / "a", files)
    expected = ids_of_transformers(folder)
    if form != "vocab.txt":
        AutoTokenizer.from_pretrained(folder).save_pretrained(folder)
    if form == "tokenizer.json":
        (folder / "vocab.txt").unlink()
    ours = load_tokenizer(folder)
    assert isinstance(ours, WordPiece) and ours.encode(TEXT).ids == expected == ids_of_transformers(folder)
    save_tokenizer(ours, folder, longest=40)
    assert load_tokenizer(folder).encode(TEXT).ids == ids_of_transformers(folder) == expected
    assert load_tokenizer(folder).max_characters_per_word == (200 if form == "vocab.txt" else 100)


ADDED = [
    {"added_tokens.json": {"<e1>": LAST}},
    {"added_tokens.json": {"<e1>": LAST + 1, "<E2>": LAST}},
    {"added_tokens.json": {"<e1>": LAST}, "special_tokens_map.json": {"additional_special_tokens": ["<e1>"]}},
    {"special_tokens_map.json": {"additional_special_tokens": ["[unused1]"]}},
    config(additional_special_tokens=["[unused1]"]),
    config(extra_special_tokens=[{"content": "[unused1]", "__type": "AddedToken", "special": True}]),
    config(extra_special_tokens={"marker": "[unused1]"}),
    config(bos_token="[unused1]"),
    config(added_tokens_decoder={str(LAST): {"content": "<e1>", "normalized": False, "special": False}}),
    config(added_tokens_decoder={"10": {"content": "in", "single_word": True}}),
    config(mask_token="[unused1]"),
    config(do_lower_case=False, added_tokens_decoder={"5": {"content": "schon"}}),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("files", ADDED, ids=str)
def test_added_tokens_stay_whole_in_each_form_and_after_saving(files, form, tmp_path):
    folder = folder_of(tmp_path / "a", files)
    text = TEXT.replace("<E1>", "") if "special_tokens_map.json" in files else TEXT  # versions differ in case
    expected = ids_of_transformers(folder, text)
    if form != "vocab.txt":
        AutoTokenizer.from_pretrained(folder).save_pretrained(folder)
    if form == "tokenizer.json":
        (folder / "vocab.txt").unlink()
    ours = load_tokenizer(folder)
    assert isinstance(ours, LibraryTokenizer) and ours.encode(text).ids == expected
    assert ours.specials.ids == specials_of_transformers(folder)
    assert re.search("is an added token, which WordPiece would split|has the role of", ours.why)
    save_tokenizer(ours, folder, longest=40)
    assert load_tokenizer(folder).encode(text).ids == ids_of_transformers(folder, text) == expected
    assert load_tokenizer(folder).specials.ids == specials_of_transformers(folder) == ours.specials.ids
    with pytest.raises(ValueError, match="is an added token|has the role of"):
        WordPiece.load(folder / "tokenizer.json")


REFUSED = [
    (config(do_basic_tokenize=False), "do_basic_tokenize=False is not supported; only True is"),
    (config(clean_text=False), "clean_text=False is not supported; only True is"),
    (config(wordpieces_prefix="_"), "wordpieces_prefix='_' is not supported; only '##' is"),
    (config(never_split=["Schön"]), r"never_split=\['Schön'\] is not supported; only \[\] is"),
    (config(split_special_tokens=True), "split_special_tokens=True is not supported; only False is"),
    (config(truncation_side="left"), "truncation_side='left' is not supported; only 'right' is"),
    (config(fast_tokenizer_files=["tokenizer.4.0.json"]), "fast_tokenizer_files=.* is not supported"),
    (config(auto_map={"AutoTokenizer": ["mine.Mine", None]}), "auto_map=.* is not supported"),
    (config(word_tokenizer_type="mecab"), "word_tokenizer_type='mecab' is not supported; only 'basic' is"),
    (config(subword_tokenizer_type="character"), "subword_tokenizer_type='character' is not supported"),
    (config(tokenizer_class="BertJapaneseTokenizer"), "tokenizer_class='BertJapaneseTokenizer' is not supp"),
    (config(tokenizer_class="RobertaTokenizerFast"), "tokenizer_class='RobertaTokenizerFast' is not supp"),
    (config(tokenizer_class="MyTokenizer"), "tokenizer_class='MyTokenizer' is not supported for a vocab.txt"),
    ({"config.json": {"tokenizer_class": "BertJapaneseTokenizer"}}, "/config.json: tokenizer_class='BertJap"),
    (config(do_lower_case="false"), "do_lower_case='false' must be of type bool"),
    (config(strip_accents=1), "strip_accents=1 must be of type bool"),
    (config(max_input_chars_per_word="9"), "max_input_chars_per_word='9' must be of type int"),
    (config(model_max_length="512"), "model_max_length='512' must be a number of tokens, at least 2"),
    (config(added_tokens_decoder=["a"]), "added_tokens_decoder must be a JSON object, not a value of type l"),
    (config(added_tokens_decoder={"5": {"content": "<e1>"}}), "'<e1>' has id 5, but the vocabulary has 'sc"),
    ({"added_tokens.json": {"<e1>": "five"}}, "the token '<e1>' has the id 'five', which is not a number"),
    ({"added_tokens.json": {"<e1>": LAST + 3}}, f"'<e1>' has id {LAST + 3}, but it must be {LAST}"),
    ({"added_tokens.json": {"schon": 9}}, "the token 'schon' has id 9, but the vocabulary gives it 5"),
    ({"added_tokens.json": []}, "added_tokens.json: must be a JSON object, not a value of type list"),
    ({"special_tokens_map.json": {"extra_special_tokens": ["<e1>"]}}, "the token '<e1>' has no id"),
    ({"special_tokens_map.json": {"cls_token": 7}}, "special_tokens_map.json: 7 must be a token"),
    (config(cls_token="<s>"), r"the token '<s>' has no id"),
    (
        config(cls_token="in") | {"special_tokens_map.json": {"cls_token": "a"}},
        "special_tokens_map.json: the token 'a' is the cls_token, but tokenizer_config.json has 'in'",
    ),
    (
        config(added_tokens_decoder={str(LAST): {"content": "<e1>"}}) | {"added_tokens.json": {"<e1>": 3}},
        f"added_tokens.json: the token '<e1>' has id=3, but tokenizer_config.json has {LAST}",
    ),
]


@pytest.mark.parametrize("files, message", REFUSED, ids=lambda value: str(value)[:60])
def test_a_setting_that_nothing_here_follows_is_refused_by_name(files, message, tmp_path):
    with pytest.raises(ValueError, match=message) as caught:
        load_tokenizer(folder_of(tmp_path, files))
    assert "json: " in str(caught.value)


WHOLE = [
    (
        lambda v: v["normalizer"].update(lowercase=True),
        "has lower_case=True, but tokenizer_config.json has Fal",
    ),
    (
        lambda v: v["normalizer"].update(strip_accents=True),
        "has strip_accents=True, but tokenizer_config.json",
    ),
    (lambda v: v["normalizer"].update(handle_chinese_chars=False), "tokenize_chinese_chars=False, but token"),
    (
        lambda v: v["model"]["vocab"].update(schon=6, schön=5),
        "has a different vocabulary than tokenizer.json",
    ),
    (lambda v: v["model"].update(type="WordLevel"), "tokenizer_class='BertTokenizer' is not supported for a"),
    (lambda v: v["added_tokens"].append({"content": "<e1>", "id": 5}), "'<e1>' has id 5, but"),
    (
        lambda v: v.update(added_tokens=["<e1>"]),
        "tokenizer.json: invalid type: string",
    ),
]


@pytest.mark.parametrize("change, message", WHOLE)
def test_two_files_of_a_folder_that_contradict_each_other_are_named(change, message, tmp_path):
    folder = folder_of(tmp_path, config(do_lower_case=False, tokenizer_class="BertTokenizer"))
    AutoTokenizer.from_pretrained(folder).save_pretrained(folder)
    values = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    change(values)
    (folder / "tokenizer.json").write_text(json.dumps(values), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        load_tokenizer(folder)


def test_another_normalizer_is_followed_unless_the_other_files_contradict_it(tmp_path):
    folder = folder_of(tmp_path, config(do_lower_case=True))
    AutoTokenizer.from_pretrained(folder).save_pretrained(folder)
    library = Tokenizer.from_file(str(folder / "tokenizer.json"))
    library.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    library.enable_padding(length=12)
    library.enable_truncation(2)
    library.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "PreTrainedTokenizerFast"}')
    theirs = PreTrainedTokenizerFast.from_pretrained(folder).encode(TEXT, add_special_tokens=False)
    ours = load_tokenizer(folder)
    assert ours.encode(TEXT).ids == ours.encode_batch([TEXT, "a"])[0].ids == theirs and len(theirs) > 2
    assert len(ours.encode_batch([TEXT, "a"])[1].ids) == 1
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": false}')
    with pytest.raises(
        ValueError, match="tokenizer.json: has lower_case=True, but tokenizer_config.json has F"
    ):
        load_tokenizer(folder)


def test_a_vocabulary_with_a_gap_is_refused_by_the_library_tokenizer_too(tmp_path):
    folder = folder_of(tmp_path, {})
    AutoTokenizer.from_pretrained(folder).save_pretrained(folder)
    (folder / "vocab.txt").unlink()
    values = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    values["model"]["vocab"]["far"] = LAST + 7
    (folder / "tokenizer.json").write_text(json.dumps(values), encoding="utf-8")
    with pytest.raises(
        ValueError, match=f"tokenizer.json: .*'far' has id {LAST + 7}, but the next id must be"
    ):
        load_tokenizer(folder)


def test_files_of_an_earlier_tokenizer_do_not_stay_next_to_a_saved_one(tmp_path):
    folder = folder_of(tmp_path, {"added_tokens.json": {"<e1>": LAST}})
    theirs = BertTokenizer.from_pretrained(folder)
    theirs.add_tokens([AddedToken("<e2>")])
    theirs.save_pretrained(folder)
    save_tokenizer(WordPiece(VOCAB, lower_case=False), folder, longest=40)
    found = load_tokenizer(folder)
    assert isinstance(found, WordPiece) and not found.lower_case
    assert found.encode(TEXT).ids == ids_of_transformers(folder)


def test_the_longest_sequence_is_the_one_that_the_files_state(tmp_path):
    for key in ("model_max_length", "max_len"):
        folder = folder_of(tmp_path / "a", config(**{key: 7}))
        assert (
            load_tokenizer(folder).max_length == AutoTokenizer.from_pretrained(folder).model_max_length == 7
        )
    folder = folder_of(tmp_path / "b", config(model_max_length=7) | {"added_tokens.json": {"<e1>": LAST}})
    assert load_tokenizer(folder).max_length == 7
    assert load_tokenizer(folder_of(tmp_path / "c", {})).max_length is None


def test_a_long_word_follows_the_stated_limit(tmp_path):
    folder = folder_of(tmp_path / "a", config(max_input_chars_per_word=3))
    assert load_tokenizer(folder).encode("aaa aaaa").pieces == ["a", "##a", "##a", "[UNK]"]
    shutil.copytree(folder, tmp_path / "b")
    save_tokenizer(load_tokenizer(folder), tmp_path / "b", 40)
    assert load_tokenizer(tmp_path / "b").encode("aaa aaaa").pieces == ["a", "##a", "##a", "[UNK]"]


def test_a_tokenizer_json_of_an_early_version_has_no_type(tmp_path):
    folder = folder_of(tmp_path, config(tokenizer_class="BertTokenizer", do_lower_case=False))
    expected = ids_of_transformers(folder)
    AutoTokenizer.from_pretrained(folder).save_pretrained(folder)
    (folder / "vocab.txt").unlink()
    values = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    del values["model"]["type"]
    (folder / "tokenizer.json").write_text(json.dumps(values), encoding="utf-8")
    found = load_tokenizer(folder)
    assert isinstance(found, WordPiece) and found.encode(TEXT).ids == expected


@pytest.mark.parametrize("name", ["vocab.json", "spiece.model"])
def test_a_vocabulary_in_another_format_is_named(name, tmp_path):
    (tmp_path / name).write_text("{}")
    with pytest.raises(ValueError, match=f"{name}: this format of a tokenizer is not supported; with"):
        load_tokenizer(tmp_path)


@pytest.mark.parametrize("space", [True, False])
def test_a_space_before_the_text_that_tokenizer_json_does_not_add_is_refused(space, tmp_path):
    library = Tokenizer(models.BPE({one: i for i, one in enumerate([*SPECIAL_TOKENS, "a", "Ġ"])}, []))
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    library.save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"add_prefix_space": space}))
    if not space:
        assert load_tokenizer(tmp_path).encode("a a").pieces == ["a", "Ġ", "a"]
        return
    with pytest.raises(ValueError, match="add_prefix_space=False, but tokenizer_config.json has True"):
        load_tokenizer(tmp_path)


def test_with_a_tokenizer_json_a_class_matters_only_if_it_splits_words_itself(tmp_path):
    folder = folder_of(tmp_path, {})
    AutoTokenizer.from_pretrained(folder).save_pretrained(folder)
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "MyTokenizerFast"}')
    assert load_tokenizer(folder).encode("schon").ids == [5]
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "BertJapaneseTokenizer"}')
    with pytest.raises(
        ValueError, match="tokenizer_class='BertJapaneseTokenizer' is not supported for a token"
    ):
        load_tokenizer(folder)
