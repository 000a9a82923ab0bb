"""`check --fix` and `check --diff`: what fixes would change, on the screen or in the files.

Invariant: what a user has accepted, or does not want to hear of, is not changed.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.cli import baseline, beside, fixing
from agent_lsp.cli.baseline import Fingerprint
from agent_lsp.cli.choice import Filters
from agent_lsp.cli.elsewhere import external_links
from agent_lsp.cli.fixing import Change
from agent_lsp.cli.named import named_from, repository_of, shown
from agent_lsp.cli.targets import Targets
from agent_lsp.cli.terminal import put_file, visible
from agent_lsp.text import LineIndex

_CLEAN, _FINDINGS, _WRONG_CALL = 0, 1, 2


def planned(
    targets: Targets, chosen: Filters, accepted: dict[Fingerprint, int], here: Path, *, unsafe: bool
) -> tuple[Change, ...]:
    """The changes that leave nothing to fix of what is `chosen` and not `accepted`."""
    base = repository_of(here)

    def is_wanted(path: Path, one: Diagnostic, text: str) -> bool:
        if not chosen.takes(one):
            return False
        # What somebody puts up with is not changed behind their back.
        key = baseline.fingerprint(path, one, base, LineIndex(text)) if accepted else None
        return key not in accepted

    return fixing.plan(targets, is_wanted, unsafe=unsafe)


def show(changes: tuple[Change, ...], here: Path) -> int:
    """Prints what would change; the exit code says whether anything would."""
    for change in changes:
        text = fixing.difference(change, named_from(here, change.path))
        if sys.stdout.isatty():
            text = "".join(f"{visible(line)}\n" for line in text.splitlines())
        put_file(text, sys.stdout)
    print(f"would fix {_counted(changes)}", file=sys.stderr)
    return _FINDINGS if changes else _CLEAN


def mend(targets: Targets, changes: tuple[Change, ...], here: Path) -> int:
    """Writes `changes`; what is left to report is reported afterwards."""
    written, code, led = [], _CLEAN, external_links(targets)
    for change in changes:
        if change.path in led:
            # Whoever fixes a repository has not asked for his other files to be changed.
            beside.complain(f"cannot fix {shown(change.path, here)}: its link leads elsewhere")
            code = _WRONG_CALL
    own = (change for change in changes if change.path not in led)
    for change, reason in fixing.carry_out(own):
        targets.workspace.files.changed(change.path)
        if reason:
            beside.complain(f"cannot fix {shown(change.path, here)}: {reason}")
            code = _WRONG_CALL
        else:
            written.append(change)
    print(f"fixed {_counted(written)}", file=sys.stderr)
    return code


def _counted(changes: Sequence[Change]) -> str:
    findings = sum(change.fixed for change in changes)
    what = "1 finding" if findings == 1 else f"{findings} findings"
    return f"{what} in {'1 file' if len(changes) == 1 else f'{len(changes)} files'}"
