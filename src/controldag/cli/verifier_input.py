"""What the commands that verify share: which verifier, opened, and a bar while it works."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from controldag.cli.console import progress, remark
from controldag.errors import DataError
from controldag.evaluation.verification import Group, MeaningJudge, TextVerifier, Watch
from controldag.verifier.bundled import METRIC, bundled_verifier, checksum


def open_verifier(name: str) -> TextVerifier:
    """The bundled verifier of that name, or the one in that folder."""
    return bundled_verifier(name)


def watched(*, quiet: bool) -> Watch:
    """Passes groups of texts on under a progress bar."""

    def watch(groups: Sequence[Group]) -> Iterable[Group]:
        return progress(groups, "verifying", quiet=quiet, total=len(groups))

    return watch


def meaning_judge(wanted: bool | None, *, quiet: bool) -> MeaningJudge | None:
    """Who judges meaning in `evaluate`: `verifier-check`, which has no part in generation.

    None where that is not wanted; also, with a remark, where nobody said so (None) and it cannot be opened.
    """
    if wanted is False:
        return None
    try:
        verifier = open_verifier(METRIC)
    except DataError as error:
        if wanted:
            raise
        remark(f"no figures of meaning: {error}", quiet=quiet)
        return None
    return MeaningJudge(verifier, METRIC, watched(quiet=quiet), checksum(METRIC))
