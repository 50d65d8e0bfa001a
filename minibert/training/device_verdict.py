"""The result of a device check, kept in the user's cache until something about the machine changes."""

import json
import platform
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import platformdirs
import torch

from ..readers.writing import write_text


def verdict_file(device: torch.device) -> Path:
    return Path(platformdirs.user_cache_dir("minibert")) / f"wrong-values-{device.type}.json"


def wrong_values(device: torch.device) -> str | None:
    """Return a description of the wrong values that the last check found on a device, or None.

    A result for another device, system or version is ignored, and so is a file that cannot be read.
    """
    with suppress(OSError, ValueError, KeyError, TypeError):
        kept = json.loads(verdict_file(device).read_text(encoding="utf-8"))
        if kept["about"] == circumstances(device):
            return str(kept["found"])
    return None


def save_result(device: torch.device, found: str | None) -> None:
    """Save a description of the wrong values found on a device, or delete it if there are none."""
    path = verdict_file(device)
    if found is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, json.dumps({"found": found, "about": circumstances(device)}, indent=2) + "\n")


def circumstances(device: torch.device) -> dict[str, str]:
    """Return whatever may change a device's results, by name: versions, system and device name."""
    return {
        "minibert": metadata.version("minibert"),
        "torch": str(torch.__version__),
        "Python": platform.python_version(),
        "system": platform.platform(),
        "device": name_of(device),
    }


def name_of(device: torch.device) -> str:
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    if device.type == "mps":
        return torch.backends.mps.get_name()
    return platform.processor() or platform.machine()
