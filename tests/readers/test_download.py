"""Public data from a server on this machine: whole, broken off and continued, changed, absent, packed."""

import hashlib
import io
import re
import threading
import zipfile

import platformdirs
import pytest
import requests
from local_server import FileServer

from minibert.cli import main as cli
from minibert.readers import download as module
from minibert.readers.download import CHUNK, SETS, DataSet, Resuming, Source, download

CONTENT = bytes(range(256)) * (CHUNK // 256 * 5 // 2)  # two chunks and a half


def known(name, server, *files, checked=True, **options):
    """Make the server's files a data set of that name, with or without checksums on record."""
    sources = [
        (server.address + file, hashlib.sha256(server.files[file]).hexdigest(), len(server.files[file]))
        for file in files
    ]
    sources = tuple(Source(*source[: 3 if checked else 1]) for source in sources)
    module.SETS[name] = DataSet("some files", "CC0", "http://tiny.example", sources, **options)


@pytest.fixture
def server(tmp_path, monkeypatch):
    """The server, with one data set of two files, and an empty cache."""
    server = FileServer()
    server.files = {"train.txt": CONTENT, "dev.txt": b"dev"}
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(tmp_path / name))
    monkeypatch.setattr(module, "SETS", {})
    known("tiny", server, "train.txt", "dev.txt")
    yield server
    server.stop()


def one_error(name="tiny"):
    """The message of the one error that downloading gives, with nothing shown before it."""
    with pytest.raises(ValueError) as caught:
        download(name)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_set_is_downloaded_once_and_its_licence_shown_before(server, tmp_path, capsys):
    paths = download("tiny")
    assert paths == [tmp_path / "minibert/data/tiny" / name for name in ("train.txt", "dev.txt")]
    assert [path.read_bytes() for path in paths] == [CONTENT, b"dev"]
    out, err = capsys.readouterr()
    assert (
        out == "tiny: some files, 0.2 MB\n  licence: CC0\n  page:    http://tiny.example\n" and err == ""
    )  # no bar: no terminal
    server.stop()
    assert download("tiny") == paths and len(server.asked) == 2
    assert sorted(p.name for p in paths[0].parent.iterdir()) == ["dev.txt", "train.txt"]


def test_a_file_that_was_put_there_by_hand_is_not_downloaded(server, tmp_path):
    folder = tmp_path / "minibert/data/tiny"
    folder.mkdir(parents=True)
    (folder / "train.txt").write_bytes(CONTENT)
    download("tiny")
    assert server.asked == [("dev.txt", None)]


def test_a_transfer_that_breaks_off_leaves_no_file_and_goes_on_where_it_stopped(server, tmp_path):
    server.breaks["train.txt"] = CHUNK * 3 // 2
    error = one_error()
    folder = tmp_path / "minibert/data/tiny"
    assert error.startswith(f"{server.address}train.txt: not downloaded (")
    assert "run the same command to continue" in error
    assert [p.name for p in folder.iterdir()] == ["train.txt.partial"]
    assert download("tiny")[0].read_bytes() == CONTENT
    assert server.asked[:2] == [("train.txt", None), ("train.txt", f"bytes={CHUNK}-")]
    assert not list(folder.glob("*.partial"))


def test_two_downloads_of_one_file_at_once_do_not_mix(server, tmp_path):
    known("loose", server, "train.txt", checked=False)
    server.pauses["train.txt"] = CHUNK
    second = threading.Thread(target=download, args=("loose",))
    server.paused = lambda: (second.start(), second.join(0.5))
    (path,) = download("loose")
    second.join(20)
    assert path.read_bytes() == CONTENT and [name for name, _ in server.asked] == ["train.txt"]
    assert sorted(p.name for p in path.parent.iterdir()) == ["train.txt", "train.txt.sha256"]


def test_a_server_that_cannot_go_on_sends_all_again(server):
    server.ranges, server.breaks["train.txt"] = False, CHUNK * 3 // 2
    one_error()
    assert download("tiny")[0].read_bytes() == CONTENT


@pytest.mark.parametrize("size", [len(CONTENT), len(CONTENT) + 5])
def test_a_half_file_that_is_no_half_is_thrown_away(server, tmp_path, size):
    partial = tmp_path / "minibert/data/tiny/train.txt.partial"
    partial.parent.mkdir(parents=True)
    partial.write_bytes(b"x" * size)
    assert download("tiny")[0].read_bytes() == CONTENT and not partial.exists()


def test_less_than_promised_is_an_error_also_where_the_library_says_nothing(tmp_path):
    class Short:
        headers = {"Content-Length": "9"}

        def iter_content(self, size):
            return [b"1234"]

    with pytest.raises(requests.ConnectionError, match="4 of 9 bytes"):
        Resuming(tmp_path / "x.partial").receive(Short(), 0)


def test_another_checksum_is_named_and_nothing_kept(server, tmp_path):
    server.files["train.txt"] = CONTENT[:-1] + b"?"
    error = one_error()
    assert error.startswith(f"{server.address}train.txt: ") and hashlib.sha256(CONTENT).hexdigest() in error
    assert not list((tmp_path / "minibert/data/tiny").iterdir())


def test_offline_the_address_and_the_folder_are_named(server, tmp_path):
    server.stop()
    folder = tmp_path / "minibert/data/tiny"
    assert one_error() == (
        f"{server.address}train.txt: not downloaded (ConnectionError); run the same command to continue an "
        f"interrupted transfer, or, if you have no network connection, put the file into the folder {folder}"
    )
    (folder / "train.txt").write_bytes(b"something else")
    assert one_error().endswith(
        f"; the train.txt in it has a checksum other than sha256 {hashlib.sha256(CONTENT).hexdigest()}"
    )
    assert (folder / "train.txt").read_bytes() == b"something else"


@pytest.mark.parametrize(
    "name, value, message",
    [
        (
            "REQUESTS_CA_BUNDLE",
            "/nowhere.pem",
            r"not downloaded \(Could not find a suitable TLS CA .*/nowhere",
        ),
        ("https_proxy", "socks5://127.0.0.1:9", r"not downloaded \(InvalidSchema: Missing depend.* SOCKS"),
    ],
)
def test_a_setting_of_the_network_that_is_wrong_is_named(server, monkeypatch, name, value, message):
    monkeypatch.setenv(name, value)
    module.SETS["secure"] = module.SETS["tiny"]._replace(sources=(Source("https://127.0.0.1:9/x.txt"),))
    error = one_error("secure")
    assert re.search(message, error) and "choose another folder" not in error


def test_a_file_that_the_server_does_not_have_is_named(server):
    del server.files["dev.txt"]
    assert f"{server.address}dev.txt: not downloaded (the server answers 404)" in one_error()


def test_a_file_without_a_known_checksum_is_trusted_once(server, capsys):
    known("loose", server, "dev.txt", checked=False)
    (path,) = download("loose")
    digest = hashlib.sha256(b"dev").hexdigest()
    assert (
        f"dev.txt: no checksum is known for this file, so this one is trusted from now on: sha256 {digest}"
        in capsys.readouterr().out
    )
    path.unlink()
    server.files["dev.txt"] = b"changed"
    assert digest in one_error("loose")
    server.files["dev.txt"] = b"dev"
    download("loose")
    assert "trusted" not in capsys.readouterr().out


ROW = "1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n\n"


@pytest.fixture
def treebank(server, tmp_path):
    """A treebank of two sentences, without a known checksum; its path in the cache."""
    server.files["some.conllu"] = 2 * ROW.encode()
    known("trees", server, "some.conllu", checked=False, check=module.sentences(2))
    return tmp_path / "minibert/data/trees/some.conllu"


def test_a_treebank_is_found_in_the_cache_once_it_is_there(treebank, server):
    assert module.cached_files("trees") == []
    assert download("trees") == module.cached_files("trees") == [treebank]


@pytest.mark.parametrize(
    "damage, message",
    [
        (lambda good: good[: len(good) // 2], "the file has 1 sentences, but this release has 2"),
        (lambda good: good.replace(b"\t0\t", b"\t9\t", 1), "column 7 is '9', but a head is"),
        (lambda good: b"<html>", "1 column separated by tabs, but CoNLL-U has 10"),
    ],
)
def test_a_treebank_that_is_not_whole_is_set_aside_and_fetched_again(treebank, server, damage, message):
    good = server.files["some.conllu"]
    server.files["some.conllu"] = damage(good)
    error = one_error("trees")
    assert (
        message in error and str(treebank) in error and "the file was renamed to some.conllu.damaged" in error
    )
    assert [p.name for p in treebank.parent.iterdir()] == ["some.conllu.damaged"]
    server.files["some.conllu"] = good
    assert download("trees") == [treebank] and treebank.read_bytes() == good


def test_a_page_for_logging_in_is_not_trusted_as_words_and_tags(server, tmp_path):
    page, words = b"<html>\n<title>Sign in</title>\n</html>\n", b"Ada I-PER\nsang O\n"
    server.files["words.txt"] = page
    known("words", server, "words.txt", checked=False, check=module.tagged)
    assert "words.txt:1: 1 column, but a word and its tag need 2" in one_error("words")
    server.files["words.txt"] = words
    assert download("words")[0].read_bytes() == words


def test_a_treebank_that_changes_later_is_fetched_again(treebank, server):
    download("trees")
    treebank.write_bytes(ROW.encode())
    download("trees")
    assert treebank.read_bytes() == server.files["some.conllu"]


def test_a_cache_that_cannot_be_written_is_named(server, tmp_path):
    (tmp_path / "minibert").write_text("")
    folder = tmp_path / "minibert/data/tiny"
    assert re.fullmatch(
        rf"tiny cannot be saved in {folder} \(.+\); choose another folder with --folder DIR", one_error()
    )


def packed(**files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


def test_of_an_archive_the_tables_right_in_its_folder_are_unpacked(server):
    strays = dict.fromkeys(["T/original/dev.tsv", "T/readme.txt", "__MACOSX/dev.tsv", "../dev.tsv"], "no")
    server.files["T.zip"] = packed(**{"T/": "", "T/dev.tsv": "a\tb"}, **strays)
    known("table", server, "T.zip")
    (path,) = download("table")
    assert path.name == "dev.tsv" and path.read_text() == "a\tb"
    path.write_text("a")  # unpacking was interrupted
    assert download("table") == [path] and path.read_text() == "a\tb"
    assert not path.parent.parent.joinpath("dev.tsv").exists()


def test_an_archive_without_a_table_is_named(server):
    server.files["E.zip"] = packed(**{"readme.txt": "no"})
    known("empty", server, "E.zip", checked=False)
    assert "E.zip: this archive contains no table (.tsv)" in one_error("empty")


def test_the_command_downloads_into_a_folder_and_lists_the_sets(server, tmp_path, capsys):
    assert cli.main(["download", "tiny", "--folder", str(tmp_path / "here")]) == 0
    assert capsys.readouterr().out.endswith(f"{tmp_path / 'here/train.txt'}\n{tmp_path / 'here/dev.txt'}\n")
    assert cli.main(["download"]) == 0
    assert "tiny: some files" in capsys.readouterr().out
    assert cli.main(["download", "huge"]) == 2
    assert capsys.readouterr().err.startswith(
        "minibert download: 'huge' is neither a data set (tiny) nor a model (english, "
    )


def test_every_set_has_addresses_checksums_and_a_licence():
    for name, data in SETS.items():
        assert data.check or all(source.sha256 for source in data.sources), name
        assert data.licence and data.page.startswith("http") and data.sources, name
        names = [source.url.split("/")[-1] for source in data.sources]
        assert len(set(names)) == len(names)
        for source in data.sources:
            assert source.url.startswith("https://")
            assert source.sha256 is None or re.fullmatch("[0-9a-f]{64}", source.sha256), source.url
    digests = [source.sha256 for data in SETS.values() for source in data.sources if source.sha256]
    assert len(set(digests)) == len(digests)
