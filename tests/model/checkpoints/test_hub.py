"""A model by its name on the hub: from a server here that answers as the hub does, then from the cache."""

import hashlib
import json
import re
import shutil
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
import torch
from huggingface_hub import constants, hf_hub_download
from local_server import LocalServer
from pooch import file_hash
from safetensors.torch import load_file, save_file
from tiny import CONFIG

import minibert
from minibert.cli.main import main
from minibert.data.batch import SPECIAL_TOKENS
from minibert.model import Encoder, Model
from minibert.model.checkpoints import files
from minibert.model.checkpoints.files import find_folder
from minibert.model.checkpoints.pretrained import Pretrained
from minibert.model.checkpoints.published import load_model, save_model
from minibert.model.heads import TokenHead
from minibert.tokenizer.fast import FastWordPiece


class Hub(LocalServer):
    """{name: [(commit, folder), ...]}, newest last; `asked`: (method, file). Large files lie elsewhere."""

    def __init__(self):
        self.models, self.asked = {}, []
        super().__init__(Answer)


class Answer(BaseHTTPRequestHandler):
    """HEAD and GET of /{name}/resolve/{revision}/{file}, with the headers that huggingface_hub reads."""

    def do_HEAD(self):
        self.respond(with_body=False)

    def do_GET(self):
        self.respond(with_body=True)

    def respond(self, with_body):
        place = re.fullmatch(r"/(.+?)/(?:resolve|large)/([^/]+)/(.+)", self.path)
        if place is None:  # the library asks for other things too
            return self.send(404, {})
        name, revision, file = place.groups()
        self.server.asked.append((self.command, file))
        commits = dict(self.server.models.get(name, []))
        if not commits:
            return self.send(401, {"X-Error-Code": "RepoNotFound", "X-Error-Message": "Repository not found"})
        commit = list(commits)[-1] if revision == "main" else revision
        path = commits[commit] / file
        if not path.is_file():
            return self.send(404, {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": commit})
        content = path.read_bytes()
        etag = f'"{hashlib.sha256(content).hexdigest()}"'
        if (
            file in ("model.safetensors", "pytorch_model.bin") and "/resolve/" in self.path
        ):  # kept on another server
            return self.send(
                302,
                {
                    "Location": f"{self.server.address}/{name}/large/{commit}/{file}",
                    "X-Repo-Commit": commit,
                    "X-Linked-Etag": etag,
                    "X-Linked-Size": str(len(content)),
                },
            )
        self.send(200, {"ETag": etag, "X-Repo-Commit": commit}, content, with_body)

    def send(self, status, headers, content=b"", with_body=False):
        self.send_response(status)
        for key, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(key, value)
        self.end_headers()
        if with_body:
            self.wfile.write(content)

    def log_message(self, *args):
        """Say nothing."""


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """The server; a fresh cache; one model, `someone/tiny`."""
    server = Hub()
    monkeypatch.setattr(constants, "ENDPOINT", server.address)
    monkeypatch.setattr(
        constants, "HUGGINGFACE_CO_URL_TEMPLATE", server.address + "/{repo_id}/resolve/{revision}/{filename}"
    )
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    server.models["someone/tiny"] = [("a" * 40, saved(tmp_path / "a", seed=1))]
    yield server
    server.stop()


def saved(folder, seed, word="{}"):
    """A folder with a random model that is not as its class makes it."""
    torch.manual_seed(seed)
    encoder = Encoder(CONFIG)
    model = Model(encoder, tokens(encoder))
    with torch.no_grad():
        for value in model.parameters():
            value.add_(0.1 * torch.randn_like(value))
    words = map(word.format, range(CONFIG.vocab_size - len(SPECIAL_TOKENS)))
    save_model(model, folder, FastWordPiece([*SPECIAL_TOKENS, *words]))
    return folder


def tokens(encoder):
    return {"tokens": TokenHead(encoder.config, encoder.embeddings.word)}


def assert_same(model, folder):
    expected = load_model(folder, tokens).state_dict()
    assert all(torch.equal(value, expected[key]) for key, value in model.state_dict().items())


def as_bin(folder):
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()


def test_a_model_is_downloaded_by_its_name_and_later_read_from_the_cache_alone(hub, tmp_path):
    assert_same(load_model("someone/tiny", tokens), tmp_path / "a")
    assert ("GET", "config.json") in hub.asked and ("GET", "model.safetensors") in hub.asked
    assert (find_folder("someone/tiny") / "vocab.txt").read_text() == (tmp_path / "a/vocab.txt").read_text()
    before = len(hub.asked)
    assert_same(load_model("someone/tiny", tokens), tmp_path / "a")
    assert len(hub.asked) == before  # nobody is asked twice
    hub.stop()
    assert_same(load_model("someone/tiny", tokens), tmp_path / "a")


def test_an_old_pytorch_model_bin_and_no_vocabulary_too(hub, tmp_path):
    as_bin(tmp_path / "a")
    (tmp_path / "a/vocab.txt").unlink()
    assert_same(load_model("someone/tiny", tokens), tmp_path / "a")
    before = len(hub.asked)
    assert_same(load_model("someone/tiny", tokens), tmp_path / "a")
    assert len(hub.asked) == before  # that a file is not there is remembered too
    hub.stop()
    assert_same(load_model("someone/tiny", tokens), tmp_path / "a")


def test_weights_in_several_files_and_every_setting_are_downloaded(hub, tmp_path):
    folder = tmp_path / "a"
    weights = load_file(folder / "model.safetensors")
    names = {name: f"part-{i % 2}.safetensors" for i, name in enumerate(weights)}
    for file in set(names.values()):
        save_file({name: weights[name] for name in names if names[name] == file}, folder / file)
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": names}))
    (folder / "model.safetensors").unlink()
    (folder / "added_tokens.json").write_text(json.dumps({"<new>": CONFIG.vocab_size}))
    assert_same(load_model("someone/tiny", tokens), folder)
    with pytest.raises(ValueError, match=f"has {CONFIG.vocab_size + 1} tokens, but config.json says"):
        minibert.load("someone/tiny")
    hub.stop()
    assert_same(load_model("someone/tiny", tokens), folder)


def test_a_file_with_settings_that_cannot_be_reached_is_not_taken_for_absent(hub):
    for name in ("config.json", "model.safetensors", "vocab.txt"):  # by a program that needs no more
        hf_hub_download("someone/tiny", name)
    hub.stop()
    assert "tokenizer_config.json is not in the cache" in one_error("someone/tiny")


def test_all_files_are_of_one_commit_though_the_model_was_changed_meanwhile(hub, tmp_path):
    find_folder("someone/tiny")
    shutil.rmtree(tmp_path / "cache")
    hf_hub_download("someone/tiny", "config.json")  # only the configuration, long ago
    hub.models["someone/tiny"].append(("b" * 40, saved(tmp_path / "b", seed=2)))
    assert_same(load_model("someone/tiny", tokens), tmp_path / "a")


def one_error(name):
    """The message of the one error that loading gives, with nothing shown before it."""
    with pytest.raises(ValueError) as caught:
        load_model(name)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_name_that_the_hub_does_not_know_is_named(hub):
    assert one_error("someone/absent") == (
        "someone/absent: no such folder, and no model of this name that you can access on Hugging Face's "
        "hub; check the spelling"
    )


@pytest.mark.parametrize("file", ["config.json", "model.safetensors"])
def test_a_file_that_a_model_lacks_is_named(hub, file, tmp_path):
    (tmp_path / "a" / file).unlink()
    assert f"someone/tiny: the model on Hugging Face's hub has no {file}" in one_error("someone/tiny")


def test_a_hub_that_cannot_be_reached_is_named_at_once(hub, monkeypatch):
    hub.stop()
    slept = []
    monkeypatch.setattr(time, "sleep", slept.append)
    assert re.fullmatch(
        "someone/tiny: no such folder, and config.json is not in the cache of Hugging Face's hub and cannot "
        r"be downloaded \(Connect\w*Error\); is there a network\?",
        one_error("someone/tiny"),
    )
    assert one_error("bert-base").startswith("google-bert/bert-base-uncased: config.json is not in the cache")
    for name in ("bert-base", "bert-base-cased", "google-bert/bert-base"):
        with pytest.raises(ValueError, match=r"is there a network\?$"):  # without a suggestion
            minibert.load(name)
    assert not slept  # the library alone tries six times, and sleeps between


def named(monkeypatch, folder, **changed):
    """Give the model on the server a name of our own, with the checksums of a folder."""
    sums = {name: file_hash(str(folder / name)) for name in ("config.json", "model.safetensors", "vocab.txt")}
    monkeypatch.setitem(files.NAMED, "bert-base", ("someone/tiny", "a" * 40, sums | changed))


def test_a_model_has_a_name_of_ours_and_stays_at_its_commit(hub, tmp_path, monkeypatch, capsys):
    named(monkeypatch, tmp_path / "a")
    hub.models["someone/tiny"].append(("b" * 40, saved(tmp_path / "b", seed=2)))
    assert main(["download", "bert-base"]) == 0
    assert ("a" * 40) in capsys.readouterr().out
    hub.stop()
    assert minibert.load("bert-base").name == "bert-base"
    assert_same(load_model("bert-base", tokens), tmp_path / "a")
    assert main(["download", "bert-base", "--folder", str(tmp_path / "copy")]) == 0
    assert_same(load_model(tmp_path / "copy", tokens), tmp_path / "a")
    assert main(["predict", "fill", "--text", "1 [MASK]", "--model", "bert-base"]) == 0
    assert main(["explore", "--html", str(tmp_path / "a.html"), "--model", "bert-base"]) == 0
    minibert.finetune("text", [("1", "a"), ("2", "b")], model="bert-base", epochs=1, progress=False)
    assert main(["evaluate", "x.tsv", "--model", "bert-base"]) == 2
    assert "minibert evaluate: bert-base is a pretrained model without a task" in capsys.readouterr().err


def test_a_file_with_another_checksum_is_deleted_and_named(hub, tmp_path, monkeypatch):
    named(monkeypatch, tmp_path / "a", **{"model.safetensors": "0" * 64})
    for _ in range(2):  # it does not stay in the cache
        with pytest.raises(ValueError, match="model.safetensors: has sha256 .*, but the published file"):
            load_model("bert-base")
        assert not list((tmp_path / "cache").rglob(file_hash(str(tmp_path / "a" / "model.safetensors"))))
    named(monkeypatch, tmp_path / "a")
    assert_same(load_model("bert-base", tokens), tmp_path / "a")


def test_any_model_is_downloaded_by_its_name_and_a_wrong_name_is_named(hub, tmp_path, capsys):
    assert main(["download", "someone/tiny"]) == 0
    assert_same(load_model(capsys.readouterr().out.strip(), tokens), tmp_path / "a")
    assert main(["download", "someone/absent"]) == 2
    assert main(["download", "bert-base-uncased"]) == 2
    absent, unknown = capsys.readouterr().err.splitlines()
    assert "someone/absent: no model of this name" in absent
    assert "'bert-base-uncased' is neither a data set (squad, " in unknown
    assert "bert-base, or OWNER/MODEL" in unknown


class FakeApi:
    """HfApi without a network: what is uploaded lies on the server of this test."""

    hub, place, asked = None, None, []

    def create_repo(self, name, private, exist_ok):
        self.asked.append((name, private, exist_ok))

    def upload_folder(self, repo_id, folder_path, allow_patterns):
        there = self.place / repo_id
        ignored = {path.name for path in Path(folder_path).iterdir()} - set(allow_patterns)
        shutil.copytree(folder_path, there, ignore=lambda folder, names: ignored)
        self.hub.models[repo_id] = [("c" * 40, there)]


def test_a_model_is_pushed_and_loaded_by_its_name(hub, tmp_path, monkeypatch):
    monkeypatch.setattr("huggingface_hub.HfApi", FakeApi)
    monkeypatch.setattr(FakeApi, "hub", hub)
    monkeypatch.setattr(FakeApi, "place", tmp_path / "there")
    start = minibert.load(saved(tmp_path / "words", seed=3, word="w{}"))
    assert minibert.push(start, "me/start", private=False) == "https://huggingface.co/me/start"
    tuned = minibert.finetune(
        "text", [("w1", "a"), ("w2", "b")], model=start, epochs=1, out=tmp_path / "text", progress=False
    )
    (tmp_path / "text" / "secret.txt").write_text("mine")
    minibert.push(tmp_path / "text", "me/text")
    assert FakeApi.asked == [("me/start", False, True), ("me/text", True, True)]
    assert sorted(path.name for path in (tmp_path / "there/me/text").iterdir()) == [
        "config.json",
        "model.safetensors",
        "task.json",
        "tokenizer_config.json",
        "vocab.txt",
    ]
    loaded = minibert.load("me/start")
    assert isinstance(loaded, Pretrained) and loaded.fill_mask("w1 [MASK]") == start.fill_mask("w1 [MASK]")
    expected = tuned.predict(["w1", "w2"], probabilities=True)
    assert minibert.load("me/text").predict(["w1", "w2"], probabilities=True) == expected
    assert minibert.predict("me/text", ["w1", "w2"], probabilities=True, device="cpu") == expected


def test_what_cannot_be_pushed_is_named(hub, tmp_path):
    with pytest.raises(
        ValueError, match="'mine' is not a valid name on Hugging Face's hub; use the form owner/model"
    ):
        minibert.push(tmp_path, "mine")
    with pytest.raises(ValueError, match="config.json: no such file"):
        minibert.push(tmp_path, "me/mine")
    with pytest.raises(ValueError, match=r"the model could not be pushed to me/mine \(\w+: "):
        minibert.push(saved(tmp_path / "words", seed=3, word="w{}"), "me/mine")
