"""BERT in JavaScript computes what PyTorch does, reads text as the tokenizer does, and fits on a page."""

import base64
import json
import random
import subprocess
import sys
import unicodedata
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch
from little_bert import TOKENIZER, VOCAB, model_with
from tiny import CONFIG

import minibert.course.widgets.explorer
from minibert.config import preset
from minibert.course.widgets.explorer.pack import pack, unpack
from minibert.course.widgets.explorer.trace import trace
from minibert.data.batch import SPECIAL_TOKENS
from minibert.generated import World
from minibert.model import ClassifierHead, Encoder, Model, TokenHead
from minibert.model.checkpoints.pretrained import ids_with_masks
from minibert.tokenizer import WordPiece, count_words, train_wordpiece

pytestmark = pytest.mark.node
FIRST, SECOND = "Mira sings in Café Ashby.", "A song of the [MASK]."
# Reads {weights, calls: [[name, ...arguments]]} from the standard input, and writes each call's answer. A
# trace also gives the logits of the first masked token, and all of its arrays if it is the only call.
RUN = """
import { readFileSync } from "fs";
const { Bert } = await import("data:text/javascript;base64," + readFileSync(process.argv[1], "base64"));
const { weights, calls } = JSON.parse(readFileSync(0, "utf8"));
const bert = new Bert(Uint8Array.from(atob(weights), c => c.charCodeAt(0)).buffer);
const { layers, hidden } = { layers: bert.layers, hidden: bert.header.config.hidden_size };
const plain = ({ header, array }) => {
  const at = (layers * header.tokens.length + header.masked[0]) * hidden;   // the first [MASK]'s last one
  const vector = array("hidden").subarray(at, at + hidden);
  const logits = header.masked.length ? [...bert.tokenLogits(vector)] : [];
  const names = calls.length === 1 ? Object.keys(header.arrays) : [];
  return { header, logits, arrays: Object.fromEntries(names.map(name => [name, [...array(name)]])) };
};
const answers = calls.map(([name, ...rest]) => {
  try {
    const answer = bert[name](...rest);
    return { answer: name === "trace" ? plain(answer) : answer };
  } catch (error) { return { error: error.message }; }
});
process.stdout.write(JSON.stringify(answers));
"""
JS = Path(minibert.course.widgets.explorer.__file__).with_name("bert.js")


def run_js(program, buffer, calls):
    """The answers of Bert's methods, called one after the other in one node."""
    given = json.dumps({"weights": base64.b64encode(buffer).decode(), "calls": calls})
    done = subprocess.run(
        [program, "--input-type=module", "-e", RUN, str(JS)],
        input=given,
        text=True,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def as_packed(model, buffer):
    """The model with the weights that a buffer gives, which are rounded."""
    _, tensors = unpack(buffer)
    lacking, unknown = model.load_state_dict(tensors, strict=False)
    assert lacking == ["heads.tokens.decoder.weight"] and not unknown, "only the tied matrix is left out"
    return model


@pytest.fixture(scope="module")
def world_texts():
    """Sentences of the generated language, and a vocabulary of half of them: some words are in parts."""
    sentences = [
        sentence
        for document in World(7).documents(60, seed=1, split="dev")
        for sentence in document.sentences
    ]
    signs = "abcdefghijklmnopqrstuvwxyz0123456789.,'"
    vocab = train_wordpiece(count_words([*sentences[::2], signs]), 1000)
    return sentences, WordPiece(vocab)


@pytest.fixture(scope="module")
def class_size(world_texts):
    """A random model of the sizes of the course's own, with the weights of its buffer; and the buffer."""
    torch.manual_seed(0)
    encoder = Encoder(preset("class", vocab_size=4000))
    model = Model(
        encoder,
        {
            "tokens": TokenHead(encoder.config, encoder.embeddings.word),
            "pair": ClassifierHead(encoder.config, 2),
        },
    ).eval()
    buffer = pack(model, filled(world_texts[1]))
    return as_packed(model, buffer), buffer


def filled(tokenizer):
    """The tokenizer with as many tokens as the course's model has."""
    return WordPiece([*tokenizer.vocab, *(f"[unused{i}]" for i in range(4000 - len(tokenizer)))])


@pytest.mark.parametrize(
    "masked, off", [((), ()), ((2, 3), [["head", 1, 2], ["head", 0, 0]]), ((), [["layer", 0]])]
)
@pytest.mark.parametrize("heads", [("tokens", "pair"), ("tokens",)])
@pytest.mark.parametrize("second", [None, SECOND])
def test_the_whole_trace_is_that_of_pytorch(program, masked, off, heads, second):
    model = model_with(*heads)
    buffer = pack(model, TOKENIZER)
    header, data = trace(as_packed(model, buffer), TOKENIZER, FIRST, second, masked, off)
    found = run_js(program, buffer, [["trace", FIRST, second, masked, off]])[0]["answer"]
    for name in ("tokens", "types", "special", "masked", "cut", "sizes"):
        assert found["header"][name] == header[name]
    assert found["arrays"].keys() == header["arrays"].keys()
    for name, (offset, shape, kind) in header["arrays"].items():
        ours = np.frombuffer(data, f"<f{int(kind[1:]) // 8}", int(np.prod(shape)), offset)
        assert found["header"]["arrays"][name][1] == shape
        np.testing.assert_allclose(found["arrays"][name], ours, atol=1e-3, err_msg=name)
    assert [[[word for word, _ in layer] for layer in place] for place in found["header"]["top"]] == [
        [[word for word, _ in layer] for layer in place] for place in header["top"]
    ]
    np.testing.assert_allclose(
        [p for place in found["header"]["top"] for layer in place for _, p in layer],
        [p for place in header["top"] for layer in place for _, p in layer],
        atol=1e-4,
    )
    for ours, theirs in zip(found["header"]["was"], header["was"], strict=True):
        assert (ours is None) == (theirs is None)
        np.testing.assert_allclose(ours or [], theirs or [], atol=1e-4)
    assert (found["header"]["nsp"] is None) == (header["nsp"] is None)
    np.testing.assert_allclose(found["header"]["nsp"] or [], header["nsp"] or [], atol=1e-4)


@pytest.mark.parametrize("count", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_sentences_have_the_same_five_predictions_and_logits(program, class_size, world_texts, count):
    model, buffer = class_size
    tokenizer, rng = filled(world_texts[1]), random.Random(1)
    texts = []
    for sentence in world_texts[0][:count]:
        words = sentence.split(" ")
        texts.append(" ".join([*words[: (at := rng.randrange(len(words)))], "[MASK]", *words[at + 1 :]]))
    assert len(texts) == count
    answers = run_js(program, buffer, [["trace", text] for text in texts])
    headers = [trace(model, tokenizer, text)[0] for text in texts]
    for answer, header in zip(answers, headers):
        found = answer["answer"]
        np.testing.assert_allclose(found["logits"], own_logits(model, tokenizer, header), atol=1e-3)
        for theirs, ours in zip(found["header"]["top"][0], header["top"][0], strict=True):
            assert [word for word, _ in theirs] == [word for word, _ in ours] or tied(theirs, ours)


@torch.no_grad()
def own_logits(model, tokenizer, header):
    """The model's own logits for the first masked token of a trace."""
    ids = torch.tensor([[tokenizer.ids[token] for token in header["tokens"]]])
    visible = torch.ones(1, ids.shape[1], ids.shape[1], dtype=torch.bool)
    return model(ids, visible, torch.tensor([header["types"]]))["tokens"][0, header["masked"][0]]


def tied(theirs, ours):
    """True for lists in another order, where the probabilities are the same up to rounding."""
    return all(abs(a - b) < 1e-6 * b for (_, a), (_, b) in zip(theirs, ours, strict=True))


TEXTS = [
    "",
    "   ",
    "Où est-il?",
    "naïve façade, Ærøskøbing; Łódź!",
    "Ångström's İstanbul ΟΔΟΣ ΣΑΣΑ Straße",
    "don't $5+3=8 <b>^`|~\\",
    "𠀀𪜀丽 𝔘𝔫𝔦 ﬁne Ǆ",
    "a\u00a0b\u3000c\u2028d\tb\r\nc",
    "我爱BERT北京 カタカナ 한국어",
    "a\x00b\ufffdc\u200bd\u00ade\x1cf\x85g",
    "🙂 \U0001f469\u200d\U0001f467 🇬🇧",
    "¿Qué? «oui» “no” — …",
    "x" * 200,
    "x" * 201,
    "😀" * 150,
    "unaffable",
    "[MASK]",
    "[MASK][MASK] a[MASK]b",
    "[CLS] [SEP] [mask] [UNK]",
    "constructor __proto__ toString",
    "क्षि กำ אָ ااً",
    "e\u0301 \u0301 a\u0323\u0302",
    "ΑΣ中ΑΣ Σ ΑΣ. Α.Σ",
    "\ue000\U000f0000 \ud7fb",
    "</script><!--<b>&amp;",
]


def test_text_becomes_the_same_tokens(program, world_texts):
    sentences, trained = world_texts
    words = (
        "ou est il 北 京 我 un ##aff ##able 😀 ##😀 constructor οδος ##x ας ασ mask istanbul _ strasse "
        "straße $"
    ).split()
    vocab = [*trained.vocab, *(word for word in words if word not in trained.ids)]
    texts = [*TEXTS, *sentences[:200], *random_texts(400)]
    for lower_case in (True, False):
        tokenizer = WordPiece(vocab, lower_case=lower_case)
        model = Model(
            encoder := Encoder(preset("class", vocab_size=len(vocab), num_hidden_layers=1)),
            {"tokens": TokenHead(encoder.config, encoder.embeddings.word)},
        )
        answers = run_js(program, pack(model, tokenizer), [["tokenize", text] for text in texts])
        for text, answer in zip(texts, answers):
            found = [tokenizer.ids[token] for token in answer["answer"]]
            assert found == ids_with_masks(tokenizer, text), ascii(text)


def test_words_are_split_the_same_way(program):
    texts = [*TEXTS, *random_texts(1000)]
    for rules in product((True, False), (None, True, False), (True, False)):
        tokenizer = WordPiece(VOCAB, rules[0], 200, *rules[1:])
        answers = run_js(program, pack(model_with("tokens"), tokenizer), [["words", text] for text in texts])
        for text, answer in zip(texts, answers):
            assert answer["answer"] == [word.text for word in tokenizer.basic.split(text)], ascii(text)


def random_texts(count):
    """Texts of characters of every kind that Python and node have both known for years."""
    rng = random.Random(5)
    known = [
        c
        for c in map(chr, range(sys.maxunicode + 1))
        if unicodedata.ucd_3_2_0.category(c) not in ("Cn", "Cs")
    ]
    common = "aZéİΣς'-. \t\n\x00\x85\u200b\u0301ß한北"
    return [
        "".join(rng.choice(common) if rng.random() < 0.5 else rng.choice(known) for _ in range(20))
        for _ in range(count)
    ]


def test_a_long_text_is_cut_in_the_same_way(program):
    model = model_with("tokens", "pair")
    pairs = [
        ("song " * 50, None),
        ("song " * 50, "the sea"),
        ("the sea", "song " * 50),
        ("sea " * 30, "song " * 30),
    ]
    answers = run_js(program, pack(model, TOKENIZER), [["trace", *pair] for pair in pairs])
    for pair, answer in zip(pairs, answers):
        header, _ = trace(model, TOKENIZER, *pair)
        assert answer["answer"]["header"]["cut"] == header["cut"] > 0
        assert answer["answer"]["header"]["tokens"] == header["tokens"]


def test_a_long_text_is_cut_to_a_picture_by_a_model_that_reads_more(program):
    model = model_with("tokens", "pair", config=CONFIG.replace(max_position_embeddings=300))
    calls = [["trace", "song " * 250], ["trace", "the sea", "song " * 250]]
    for (_, *texts), answer in zip(calls, run_js(program, pack(model, TOKENIZER), calls)):
        header, _ = trace(model, TOKENIZER, *texts)
        assert len(header["tokens"]) == 128 and header["tokens"] == answer["answer"]["header"]["tokens"]
        assert answer["answer"]["header"]["cut"] == header["cut"] == 250 - (126 if len(texts) == 1 else 123)


def test_values_that_mean_nothing_are_errors_that_name_them(program):
    wrong = [
        ([0], []),
        ([7], []),
        ([1.5], []),
        ([-1], []),
        ([], [["layer", 2]]),
        ([], [["head", 0, 4]]),
        ([], [["head", 0]]),
        ([], [["neuron", 0, 0]]),
        ([], [["layer", -1]]),
    ]
    answers = run_js(
        program,
        pack(model_with("tokens"), TOKENIZER),
        [["trace", "Mira sings in Ashby", None, masked, off] for masked, off in wrong],
    )
    for (masked, off), answer in zip(wrong, answers):
        part = json.dumps(off[0], separators=(",", ":")) if off else None
        assert answer["error"].startswith(f"off: {part} is neither" if off else f"masked: {masked[0]} is not")


def test_the_buffer_of_the_course_is_small_and_its_rounding_is_fine(class_size):
    model, buffer = class_size
    assert sum(p.numel() for p in model.parameters()) > 1e6 and len(buffer) < 3e6
    other = model_with("tokens", "pair")
    _, tensors = unpack(pack(other, TOKENIZER))
    for name, value in other.state_dict().items():
        if name == "heads.tokens.decoder.weight":
            continue
        if value.dim() == 1:
            assert torch.equal(tensors[name], value)
        else:
            assert (tensors[name] - value).abs().amax(1).le(value.abs().amax(1) / 254 + 1e-6).all()


def test_a_row_of_zeros_stays_one():
    model = model_with("tokens")
    with torch.no_grad():
        model.encoder.embeddings.word.weight[3] = 0
    assert not unpack(pack(model, TOKENIZER))[1]["encoder.embeddings.word.weight"][3].any()


def test_a_vocabulary_of_any_text_comes_through(program):
    odd = ["</script>", "__proto__", "é", "\u2028", "😀", '"', "\\", "<!--"]
    tokenizer = WordPiece([*SPECIAL_TOKENS, *odd, *(f"[unused{i}]" for i in range(97 - 5 - len(odd)))])
    model = model_with("tokens")
    answer = run_js(program, pack(model, tokenizer), [["trace", "[MASK] 😀"]])[0]["answer"]["header"]
    assert answer["tokens"] == ["[CLS]", "[MASK]", "😀", "[SEP]"]
    assert {word for layer in answer["top"][0] for word, _ in layer} <= {*tokenizer.vocab}


def test_only_wordpiece_is_packed():
    with pytest.raises(ValueError, match="the tokenizer is of class object, but the page needs a WordPiece"):
        pack(model_with("tokens"), object())
