"""Checks for calls in a prompt that lead nowhere: to no agent, or without the tool to start it.

Invariants: a name counts as called only as the argument of a call that names an agent, or in a
sentence that says beyond doubt that this agent is to call it; a prohibition is none. The runtime's
own answer to a call decides. In prose, a name in quotes is at most a slip of another one. Mentions
such as `@agent-reviewer` are left out: in the prompt of an agent they are plain text. A system with
rules of its own for delegation has a check of its own.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial

from agent_lsp.analysis.checks import header, tool_policy
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.tool_policy import suggestion
from agent_lsp.analysis.context.prompts import prompts
from agent_lsp.analysis.suggest import known_tools, nearest
from agent_lsp.model.availability import Mention, Spelling, in_calls
from agent_lsp.model.check import Basis, Check, Field, Finding, Related, Trait
from agent_lsp.model.runtime import Call, RuntimeRefusal, Verdict
from agent_lsp.model.schema import KeyRole, Severity
from agent_lsp.patterns import regex
from agent_lsp.syntax.frontmatter import code_blocks
from agent_lsp.text import Span
from agent_lsp.workspace.bundles import lacks_bundles
from agent_lsp.workspace.catalogs import candidates
from agent_lsp.workspace.snapshot import TemplateFile, as_template, catalog_of, merged

_PROJECT = "project"
_VERB = "elegat"
_QUOTES = "\"'`"
_ORDER = regex(
    r"delegat(?:e|es|ed|ing)\b(?:[ ][\w'-]+){0,4}?[ ]to[ ](?:the[ ])?(?P<sign>[`\"'])"
    r"(?P<name>\w[\w.:-]{0,63})(?P=sign)",
    re.IGNORECASE,
)
# The words of a name that stands for another one.
_EXAMPLE = regex(
    r"(?:^|[-_. ])(?:agent|any|example|foo|bar|my|name|string|some|type|x+|your)(?:$|[-_. ])",
    re.IGNORECASE,
)
# A shorter name is another one rather than a misspelt one.
_SHORTEST = 4


def unknown_agent(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each name that the prompt calls and no agent has."""
    if file.scope.builtin or file.misplaced is not None or not header.loads(file):
        return
    alike: dict[tuple[str, str | None, bool], list[Mention]] = {}
    for one in (*_calls(file), *_orders(file)):
        alike.setdefault((one.name, one.agent, one.is_call), []).append(one)
    for (name, agent, is_call), mentions in alike.items():
        if agent is not None:
            yield from _persona(file, agent, mentions)
        elif not _is_defined(file, name):
            yield from _undefined(file, name, mentions, is_call=is_call)


def _calls(file: TemplateFile) -> Iterator[Mention]:
    """The names in the syntax of a call."""
    dialect, text = file.dialect, file.document.text
    agent, persona = map(dialect.spawn_argument, (KeyRole.AGENT, KeyRole.PERSONA_NAME))
    # Most texts have no such word at all.
    if agent is not None and agent in text:
        spelling = Spelling(dialect.calls.spawn_call, agent, persona)
        yield from _inside(file, list(in_calls(text, _prompt_start(file), spelling)))


def _orders(file: TemplateFile) -> Iterator[Mention]:
    """The names in quotes behind an order to delegate."""
    text, orders = file.document.text, []
    at = text.find(_VERB, _prompt_start(file) + 1)
    while at > 0:
        found = _ORDER.match(text, at - 1)
        if found is not None:
            orders.append(Mention(found["name"], Span(*found.span("name"))))
        at = text.find(_VERB, at + 1)
    yield from _inside(file, orders)


def _prompt_start(file: TemplateFile) -> int:
    is_value = file.dialect.schema.by_role.get(KeyRole.PROMPT) is not None
    return 0 if file.dialect.schema.is_tables or is_value else file.body.start


def _inside(file: TemplateFile, mentions: list[Mention]) -> Iterator[Mention]:
    """The mentions that are in a prompt."""
    # A file may have thousands of prompts, and most name no agent in this way.
    places = prompts(file) if mentions else ()
    starts = [place.start for place in places]
    for one in mentions:
        at = bisect_right(starts, one.span.start) - 1
        if at >= 0 and one.span.start < places[at].end:
            yield one


def _is_defined(file: TemplateFile, name: str) -> bool:
    """Whether a call of `name` may reach an agent."""
    dialect, argument = file.dialect, file.dialect.spawn_argument(KeyRole.AGENT)
    if argument is None or name == dialect.names.default_name:
        return True
    # Other things may be wrong with an agent, and most names are those of files. Where several
    # files make an agent, one of them may take it away.
    is_there = not dialect.names.is_merged or name in catalog_of(file).names
    if is_there and candidates(file.workspace, dialect, file.root, name):
        return True
    answer = dialect.calls.spawn(catalog_of(file), Call({argument: name}))
    return not isinstance(answer, RuntimeRefusal) or answer.ours


def _persona(file: TemplateFile, agent: str, mentions: list[Mention]) -> Iterator[Finding]:
    """A finding on a persona that the called agent has not."""
    first, *others = mentions
    found = catalog_of(file)
    winner = found.winner(agent)
    personas = found.read(winner).declared.personas if winner is not None else ()
    names = tuple(one.name for one in personas if one.name)
    wanted = first.name.casefold()
    if winner is None or wanted in (one.casefold() for one in names):
        return
    near = nearest(first.name, names)
    advice = f"did you mean {code(near)}?" if near is not None else "correct the name"
    related = (
        *(Related(file.path, one.span, "also here") for one in others),
        *(() if near is not None else (Related(winner.path, Span(0, 0), "this agent"),)),
    )
    severity = Severity.WARNING if near is not None else Severity.INFORMATION
    message = f"{code(agent)} has no persona {code(first.name)}, so the call fails; {advice}"
    meant = (near,) * len(mentions) if near is not None else ()
    yield Finding(first.span, message, severity, related=related, meant=meant)


def _undefined(
    file: TemplateFile, name: str, mentions: list[Mention], *, is_call: bool
) -> Iterator[Finding]:
    first, *others = mentions
    related = tuple(Related(file.path, one.span, "also here") for one in others)
    thing = f"no agent is called {code(name)}"
    found = catalog_of(file)
    gone = next((one for one in found.skipped() if one[0].name == name), None) if is_call else None
    own = (one.name for one in file.dialect.references.built_in(found))
    names = (*found.names, *own) if len(name) >= _SHORTEST else ()
    near = nearest(name, names)
    if gone is not None:
        there = Related(gone[0].path, gone[0].span or Span(0, 0), "this agent")
        message = f"{thing}: {gone[1]}"
        yield Finding(first.span, message, Severity.WARNING, related=(there, *related))
    elif near is not None and name not in known_tools(file.dialect, file.options):
        message = f"{thing}; did you mean {code(near)}?"
        severity = Severity.WARNING if is_call else Severity.HINT
        yield Finding(first.span, message, severity, related=related, meant=(near,) * len(mentions))
    elif is_call and _is_surely_missing(file, first):
        unless = "unless the session has one from elsewhere"
        message = f"{thing}, so the call fails {unless}; correct the name, or write the agent"
        yield Finding(first.span, message, Severity.INFORMATION, related=related)


def _is_surely_missing(file: TemplateFile, mention: Mention) -> bool:
    """Whether the name is no example, and all agents of the session are known."""
    has_builtin = any(rule.builtin for rule in file.dialect.system.scopes)
    is_quoted = file.document.text[mention.span.start - 1] in _QUOTES
    is_name = _EXAMPLE.search(mention.name) is None and ":" not in mention.name
    return has_builtin and is_quoted and is_name and not _may_be_elsewhere(file)


def _may_be_elsewhere(file: TemplateFile) -> bool:
    """Whether a session with the agent may have others that this machine has not."""
    workspace, system = file.workspace, file.dialect.system
    if file.scope.kind != _PROJECT or file.scope.prefix:
        return True
    places = (file.root, workspace.host_paths, workspace.files)
    return any(lacks_bundles(rule, *places) for rule in system.scopes)


UNKNOWN_AGENT = Check(
    ("unknown-agent",),
    unknown_agent,
    changes=frozenset({Field.PROMPT}),
    needs=(Trait.AGENTS,),
)


# The text between the beginning of a sentence and a name.
_DELEGATION = regex(
    r"(?:^|[-*.,:;]\s+|\d\.\s+|\b(?:then|and|must|should|always|can|may|please|you)\s+)"
    r"delegate\b(?:\s[\w'-]+){0,6}?\s+to\s+(?:the\s+)?[`\"']?\Z",
    re.IGNORECASE,
)
_NOT = regex(r"\b(?:not|never|no|without|avoid|cannot)\b|n['\u2019]t\b", re.IGNORECASE)
_SENTENCE_END = regex(r"[.!?]\s|\n\s*(?=\n|[-*#]|\d+\.)")
_FAR = 300
# The text between the beginning of a sentence, or a word that tells the agent itself to do
# something, and the word "agent".
_AGENT = "agent"
_VERBS = frozenset({"call", "dispatch", "invoke", "launch", "run", "spawn", "start", "use"})
_USE = regex(
    r"(?:^|\n[ \t]*(?:[-*+][ ]|\d+[.)][ ])?[ \t]*|[.;:!](?:\*\*)?[ ]"
    r"|\b(?:always|please|then|tool[ ]to|you(?:[ ](?:must|should))?)[ ])"
    rf"(?P<verb>{'|'.join(sorted(_VERBS))})[ ]"
    r"(?:the[ ]|(?:an?|your)[ ](?=[`\"'*]))?"
    r"(?P<sign>[`\"'*]{0,3})(?P<name>\w[\w.:-]{0,63})(?P=sign)[ ](?:sub-?)?\Z",
    re.IGNORECASE,
)
_LONGEST_USE = 120
_AFTER_USE = regex(r"agent\b(?!['\u2019-])")
_SOMEBODY = regex(
    r"\b(?:asks?|assistant|callers?|examples?|offer|parent|people|recommend|says?"
    r"|suggest|tell|they|users?)\b",
    re.IGNORECASE,
)
_DELEGATE = "elegate"
_ENDS = "\"'\n"


def futile_delegation(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on the first delegation of an agent that lacks the tool for all of them."""
    how = file.dialect.references.delegation
    tool = file.dialect.calls.spawn_call
    if how is not None and tool not in file.dialect.tools.names:
        tool = how.tool
    if tool not in file.dialect.tools.names:
        return
    if file.scope.builtin or not _may_delegate(file):
        return
    # A denial gives no tool back, whatever is wrong about it.
    allowed = file.dialect.schema.by_role.get(KeyRole.ALLOW)
    settled = header.as_settled(file, (allowed.name,) if allowed is not None else ())
    # A configuration has the lists of many agents.
    if settled is None or (settled is not file and file.dialect.schema.is_tables):
        return
    # Found once: a file may have thousands of agents. Few texts have a word before such a name.
    mentioned = file.dialect.mentioned(file.document) if _may_call(file) else ()
    every = sorted(mentioned, key=_mention_start)
    for template, prompt in _templates(settled):
        reading = merged(template) if settled is file else template.reading
        depth = how.depth(reading) if how is not None else 1
        has = template.dialect.tools.toolset(reading, (tool,), depth).verdicts[0]
        inside = every[_at(every, prompt.start) : _at(every, prompt.end)]
        if not has.kept and has.certain and not _is_misspelt(template, tool):
            yield from _first(template, prompt, inside, partial(_for_all, has))
        elif has.kept and how is not None:
            yield from _first(template, prompt, inside, partial(how.denied, reading))


def _mention_start(mention: Mention) -> int:
    return mention.span.start


def _at(mentions: Sequence[Mention], offset: int) -> int:
    return bisect_left(mentions, offset, key=_mention_start)


def _templates(file: TemplateFile) -> Iterator[tuple[TemplateFile, Span]]:
    """Each agent of a file, with the place of its prompt."""
    if not file.dialect.schema.is_tables:
        yield file, Span(file.document.frontmatter.body.start, len(file.document.text))
        return
    for name in file.names:
        one = as_template(file, (name,))
        yield one, one.reading.declared.default.span


def _first(
    file: TemplateFile,
    prompt: Span,
    inside: Sequence[Mention],
    verdict_on: Callable[[str], Verdict | None],
) -> Iterator[Finding]:
    """The finding on the first delegation in a prompt that an existing agent cannot get."""
    told = {one.span: one for one in inside if _is_order(file, one, prompt.start)}
    for used in used_agents(prompt.of(file.document.text)):
        span = used.shift(prompt.start)
        told.setdefault(span, Mention(span.of(file.document.text), span))
    verdicts = ((told[at], verdict_on(told[at].agent or told[at].name)) for at in sorted(told))
    orders = [(one, verdict) for one, verdict in verdicts if verdict is not None]
    if not orders:
        return
    found = frozenset(catalog_of(file).names) - {file.name}
    for one, verdict in orders:
        name = one.agent or one.name
        if name in found:
            severity = None if one.is_call else Severity.INFORMATION
            yield without_tool(file, one.span, name, verdict, severity)
            return


def without_tool(
    file: TemplateFile, span: Span, name: str, verdict: Verdict, severity: Severity | None = None
) -> Finding:
    """The finding on a delegation to `name` by an agent whose `verdict` on the tool is a no."""
    at = verdict.path or file.path
    related = (Related(at, verdict.entry, "this entry decides it"),) if verdict.entry else ()
    lacks = f"it has no tool {code(verdict.tool)} ({verdict.reason})"
    return Finding(span, f"the agent cannot call {code(name)}: {lacks}", severity, related=related)


def _for_all(verdict: Verdict, _name: str) -> Verdict:
    return verdict


def _may_delegate(file: TemplateFile) -> bool:
    """Whether the text has words of a delegation at all, which most texts have not."""
    if _may_call(file):
        return True
    text = file.document.text
    return _AGENT in text and any(used_agents(one.of(text)) for one in prompts(file))


def _may_call(file: TemplateFile) -> bool:
    """Whether the text has a word that is before the name of an agent to call."""
    words = (_DELEGATE, file.dialect.spawn_argument(KeyRole.AGENT) or _DELEGATE)
    return any(word in file.document.text for word in words)


# Most keystrokes leave a prompt as it is.
@lru_cache(maxsize=8)
def used_agents(prompt: str) -> tuple[Span, ...]:
    """The names of agents that sentences such as "Use the reviewer subagent" tell to start.

    A sentence that forbids it, or that is about somebody else, is none, and neither is code.
    """
    found, blocks = [], None
    at = prompt.find(_AGENT)
    while at >= 0:
        use = _used_before(prompt, at)
        if use is not None and _AFTER_USE.match(prompt, at) and not _is_other(prompt, use):
            blocks = code_blocks(prompt, unclosed=True) if blocks is None else blocks
            if not any(one.start <= at < one.end for one in blocks):
                found.append(Span(*use.span("name")))
        at = prompt.find(_AGENT, at + 1)
    return tuple(found)


def _used_before(prompt: str, at: int) -> re.Match[str] | None:
    """What tells to use the agent whose name is before the word "agent" at the offset `at`."""
    start = max(0, at - _LONGEST_USE)
    # The search is slow, and few of these words have a verb and a name before them.
    before = prompt[start:at].lower().removesuffix("-").removesuffix("sub").rsplit(None, 3)
    return _USE.search(prompt, start, at) if not _VERBS.isdisjoint(before[:-1]) else None


def _is_other(prompt: str, use: re.Match[str]) -> bool:
    """Whether the sentence forbids the use of an agent, or is about somebody else."""
    before = prompt[max(0, use.start("verb") - _FAR) : use.start("verb")]
    ends = [end.end() for end in _SENTENCE_END.finditer(before)]
    sentence = before[ends[-1] if ends else 0 :]
    return _NOT.search(sentence) is not None or _SOMEBODY.search(sentence) is not None


def _is_order(file: TemplateFile, mention: Mention, start: int) -> bool:
    """Whether the text tells this agent to call the mentioned one."""
    text = file.document.text
    first = max(start, mention.span.start - _FAR)
    before = text[first : mention.span.start]
    if first == start and file.dialect.schema.is_tables:
        # The value begins with its quotes.
        before = before.lstrip(_ENDS)
    ends = [end.end() for end in _SENTENCE_END.finditer(before)]
    # A prompt or a paragraph may begin with empty lines.
    sentence = before[ends[-1] if ends else 0 :].lstrip()
    if _NOT.search(sentence) is not None:
        return False
    return mention.is_call or _DELEGATION.search(sentence) is not None


def _is_misspelt(file: TemplateFile, tool: str) -> bool:
    """Whether the agent was meant to have `tool`, which is a finding of its own."""
    slips = (suggestion(file, entry) for entry in tool_policy.policy(file).entries[KeyRole.ALLOW])
    return any(tool in found.meant for found in slips if found is not None)


FUTILE_DELEGATION = Check(
    ("futile-delegation",),
    futile_delegation,
    changes=frozenset(),
    basis=Basis.ABSENCE,
    needs=(Trait.AGENTS,),
)
