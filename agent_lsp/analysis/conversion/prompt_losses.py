"""Lists what a prompt speaks of that the other system calls otherwise, or does not have.

Invariant: the prompt itself is not changed; only its author knows what it should say there.
"""

import re
from collections.abc import Iterator

from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.conversion.pair import ConversionPair, Loss, LossSeverity
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, candidates

# A name of one common word is a tool only where it is written as code.
_DISTINCT = re.compile(r"\w*_\w+")


def spoken_of(pair: ConversionPair, file: TemplateFile, prompt: Span) -> Iterator[Loss]:
    """Reports where the prompt goes, and each tool and agent that it mentions, once."""
    if pair.after.around and pair.after.around != pair.before.around:
        yield Loss(LossSeverity.NOTE, Span(prompt.start, prompt.start), pair.after.around)
    yield from _tools(pair, file, prompt)
    seen = set()
    for mention in file.dialect.mentioned(file.document):
        name = mention.name
        inside = prompt.start <= mention.span.start < prompt.end
        if not inside or mention.agent is not None or name in seen or name == file.name:
            continue
        seen.add(name)
        if next(iter(candidates(file.workspace, file.dialect, file.root, name)), None) is not None:
            what = f"the prompt speaks of the agent {code(name)}"
            yield Loss(LossSeverity.NOTE, mention.span, f"{what}, which has to be there, too")


def _tools(pair: ConversionPair, file: TemplateFile, prompt: Span) -> Iterator[Loss]:
    there = {tool.name for tool in (*pair.target.tools.listed, *pair.target.tools.withheld)}
    for tool in (*pair.source.tools.listed, *pair.source.tools.withheld):
        if tool.name in there:
            continue
        name = re.escape(tool.name)
        written = rf"\b{name}\b" if _DISTINCT.fullmatch(tool.name) else rf"(?<=`){name}(?=`)"
        found = re.compile(written).search(file.document.text, prompt.start, prompt.end)
        if found is None:
            continue
        others = _counterparts(pair, tool.name)
        there_it_is = f"there it is {code(others[0])}" if others else "which is not there"
        message = f"the prompt speaks of {code(tool.name)}; {there_it_is}"
        yield Loss(LossSeverity.NOTE, Span(*found.span()), message)


def _counterparts(pair: ConversionPair, tool: str) -> list[str]:
    does = pair.before.tools.get(tool)
    if does is None or not does.gives:
        return []
    return [name for name, other in pair.after.tools.items() if other.gives == does.gives]
