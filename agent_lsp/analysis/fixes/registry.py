"""Lists the fixers of all systems for each rule, the most likely one first.

Fixers of one system are in its dialect. The edits of a fix refer to the text of the snapshot, and
do not overlap.
"""

from collections.abc import Mapping
from pathlib import Path

from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes import (
    convert_type,
    frontmatter,
    insert,
    remove,
    replace,
    suppressions,
    syntax,
)
from agent_lsp.analysis.fixes.verify import Shift
from agent_lsp.data_classes import dataclass
from agent_lsp.model.check import Fixer
from agent_lsp.model.dialect import Dialect
from agent_lsp.text import TextEdit


@dataclass(frozen=True, slots=True)
class Fix:
    """A verified proposal, and the diagnostic that it removes.

    If several fixes of a diagnostic are `equal`, none is more likely than another.
    """

    diagnostic: Diagnostic
    title: str
    edits: tuple[TextEdit, ...] = ()
    safe: bool = False
    moved: Path | None = None
    equal: bool = False


@dataclass(frozen=True, slots=True)
class Repair:
    """The text of a file after fixes, and the fixed findings in the order of the fixes.

    `shifts` tells where the rest of the text is now, one fix after the other. `is_cut`: further
    fixes were not tried, because that would have taken too long.
    """

    text: str
    fixed: tuple[Diagnostic, ...] = ()
    shifts: tuple[Shift, ...] = ()
    is_cut: bool = False


# The default for any other rule: replace the word by the suggestion, if there is one.
ANY: tuple[Fixer, ...] = (replace.replaced,)

FIXERS: Mapping[str, tuple[Fixer, ...]] = {
    "agent-name": (insert.as_text, replace.renamed, insert.named),
    "allowed-and-denied": (remove.contradiction,),
    "blank-tool": (remove.without_effect,),
    "duplicate-key": (remove.repeated_key,),
    "duplicate-persona": (remove.repeated_persona,),
    "empty-allow-list": (remove.empty_list,),
    "file-name": (frontmatter.renamed,),
    "forbidden-key": (remove.key_removed,),
    "futile-delegation": (replace.replaced,),
    "header-bom": (frontmatter.mark_removed,),
    "header-cut-short": (frontmatter.whole,),
    "header-invalid": (syntax.yaml_repaired,),
    "header-missing": (frontmatter.opened,),
    "header-unclosed": (frontmatter.closed,),
    "hidden-text": (replace.hidden_removed, replace.replaced),
    "ignored-key": (remove.dropped,),
    "invalid-value": (replace.replaced, replace.chosen),
    "lost-text": (insert.kept,),
    "misplaced": (frontmatter.moved,),
    "missing-default-prompt": (insert.written,),
    "missing-description": (replace.replaced, insert.described, insert.added),
    "missing-key": (replace.replaced, insert.filled, insert.added),
    "name-mismatch": (replace.renamed_after_file, frontmatter.called_as_written),
    "no-tools": (remove.denied,),
    "other-generation": (replace.renamed,),
    "out-of-reach": (remove.dropped,),
    "redundant-entry": (remove.without_effect,),
    "swallowed-key": (insert.outdented,),
    "unavailable-tool": (remove.without_effect,),
    "unknown-key": (remove.migrated, replace.renamed, replace.ignored),
    "unknown-model": (replace.replaced,),
    "unknown-server": (replace.server_renamed,),
    "unknown-tool": (replace.replaced,),
    "unquoted-text": (convert_type.quoted, replace.replaced),
    "unset-allow-list": (remove.set_or_removed,),
    "unsupported-effort": (replace.chosen,),
    "unused-suppression": (suppressions.unneeded,),
    "wrong-type": (convert_type.reshaped, replace.replaced),
}


def fixers(dialect: Dialect, rule: str) -> tuple[Fixer, ...]:
    """The fixers of `rule` for the files of `dialect`, its own ones first."""
    return (*dialect.findings.fixers().get(rule, ()), *FIXERS.get(rule, ())) or ANY
