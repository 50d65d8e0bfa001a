"""The saved results of a class, one file each, named by a hash of everything that affects the result.

If a test, an answer or a limit changes, so does the hash, and the submission is graded again.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..author.assignment_bundle import Bundle
from ..intake.records import Submission
from ..intake.repair import assemble
from ..sandbox.limits import Policy
from .grade_submission import ungraded


def journal_name(bundle: bytes, data: bytes, policy: Policy) -> str:
    """Return the file name of a saved result: a hash of everything that the result depends on."""
    digest = hashlib.sha256(hashlib.sha256(bundle).digest() + hashlib.sha256(data).digest())
    digest.update(json.dumps(asdict(policy), sort_keys=True).encode())
    return digest.hexdigest()


def journal_entry(path: Path, again: bool = False) -> dict[str, Any] | None:
    """Return a saved result, or None if there is none.

    Results for which another try may succeed are returned only if `again` is True.
    """
    try:
        result = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return None if result.get("again") and not again else result


def results_so_far(
    submissions: Iterable[Submission], bundle: Bundle, policy: Policy, journal: Path
) -> dict[str, dict[str, Any]]:
    """Return a dict that maps students to their saved results; students without a result are left out."""
    found = {}
    for submission in submissions:
        try:
            name = journal_name(bytes(bundle), submission.load(), policy)
        except (ValueError, OSError) as error:
            found[submission.student] = unreadable(bundle, error)
            continue
        result = journal_entry(journal / f"{name}.json", again=True)
        if result:
            found[submission.student] = result
    return found


def unreadable(bundle: Bundle, error: Exception) -> dict[str, Any]:
    """Return the result for a file that could not be read, such as a damaged archive."""
    return ungraded_result(bundle, f"The file could not be read: {error}")


def ungraded_result(bundle: Bundle, reason: str) -> dict[str, Any]:
    """Return the result of a submission that could not be read or that crashed the processes grading it."""
    return json.loads(ungraded(bundle, assemble(bundle, {}, {}), reason, [], again=True))
