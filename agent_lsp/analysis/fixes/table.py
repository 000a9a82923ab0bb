"""Which fixers there are for which rule, the likeliest one first."""

from collections.abc import Mapping

from agent_lsp.analysis.fixes import (
    additions,
    blocks,
    broken,
    comments,
    entries,
    fences,
    hidden,
    moves,
    policies,
    prompts,
    quoting,
    shapes,
    tables,
    words,
)
from agent_lsp.analysis.fixes.model import Fixer

# For any other rule: where it names the word that was meant, nothing else is needed.
ANY: tuple[Fixer, ...] = (words.replaced,)

FIXERS: Mapping[str, tuple[Fixer, ...]] = {
    "allowed-and-denied": (entries.contradiction,),
    "blank-tool": (entries.without_effect,),
    "block-without-persona": (words.replaced, blocks.declared),
    "config-dropped": (tables.read,),
    "duplicate-key": (entries.repeated_key,),
    "duplicate-persona": (entries.repeated_persona,),
    "empty-allow-list": (entries.empty_list,),
    "empty-block": (prompts.repeated,),
    "file-name": (moves.renamed,),
    "forbidden-key": (policies.removed,),
    "futile-delegation": (words.replaced,),
    "header-bom": (fences.mark_removed,),
    "header-cut-short": (fences.whole,),
    "header-invalid": (broken.repaired,),
    "header-missing": (fences.opened,),
    "header-unclosed": (fences.closed,),
    "hidden-text": (hidden.removed, words.replaced),
    "ignored-key": (entries.dropped,),
    "invalid-value": (words.replaced, words.chosen),
    "lost-text": (additions.kept,),
    "marker-lookalike": (blocks.marked,),
    "misplaced": (moves.moved,),
    "missing-default-prompt": (prompts.written,),
    "missing-description": (words.replaced, additions.described, additions.added),
    "missing-key": (words.replaced, additions.added),
    "name-mismatch": (words.renamed_after_file, moves.called_as_written),
    "no-effect": (tables.without_effect,),
    "no-tools": (entries.denied,),
    "other-generation": (words.renamed,),
    "out-of-reach": (entries.dropped,),
    "persona-without-block": (blocks.with_block,),
    "redundant-entry": (entries.without_effect,),
    "swallowed-key": (additions.outdented,),
    "unavailable-tool": (entries.without_effect,),
    "unknown-key": (policies.migrated, words.renamed, words.ignored),
    "unknown-model": (words.replaced,),
    "unknown-tool": (words.replaced,),
    "unquoted-text": (quoting.quoted,),
    "unset-allow-list": (policies.set_or_removed,),
    "unsupported-effort": (words.chosen,),
    "unused-suppression": (comments.unneeded,),
    "wrong-type": (shapes.reshaped,),
}
