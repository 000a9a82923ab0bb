"""Which fixers there are for which rule, the likeliest one first."""

from collections.abc import Mapping

from agent_lsp.analysis.fixes import entries, words
from agent_lsp.analysis.fixes.model import Fixer

FIXERS: Mapping[str, tuple[Fixer, ...]] = {
    "allowed-and-denied": (entries.contradiction,),
    "blank-tool": (entries.without_effect,),
    "block-without-persona": (words.replaced,),
    "duplicate-key": (entries.repeated_key,),
    "duplicate-persona": (entries.repeated_persona,),
    "empty-allow-list": (entries.empty_list,),
    "invalid-value": (words.replaced,),
    "missing-description": (words.replaced,),
    "missing-key": (words.replaced,),
    "name-mismatch": (words.renamed_after_file,),
    "no-tools": (entries.denied,),
    "redundant-entry": (entries.without_effect,),
    "unavailable-tool": (entries.without_effect,),
    "unknown-key": (words.renamed, words.ignored),
    "unknown-model": (words.replaced,),
    "unknown-tool": (words.replaced,),
    "unsupported-effort": (words.efforts,),
}
