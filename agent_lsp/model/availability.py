"""Describes who can use an agent, and finds where a prompt calls other agents.

Invariants: availability follows from the effective values, not from the declared ones. A name in a
prompt counts only if the text beside it marks it as one, in the phrases that people use in all
systems: a spawn call, a phrase such as "delegate to", or backticks. The caller decides whether such
an agent exists.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain, islice

from agent_lsp.data_classes import dataclass
from agent_lsp.model.runtime import Candidate, Verdict
from agent_lsp.model.template import Reading
from agent_lsp.patterns import regex
from agent_lsp.text import Span


@dataclass(frozen=True, slots=True)
class Availability:
    """A way to use an agent.

    `word` is the runtime's word for it, and `reason` says why it is open or not.
    """

    word: str
    is_open: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Delegation:
    """The wording of a delegation in a prompt, and its requirements.

    `mentions` finds the names of other agents in a prompt. `tool` is the tool that the agent needs
    to call them. `refused` says why an agent cannot be called, or returns None. `may` says whether
    an agent can call the one of a name; without it, the tool alone decides. `denied` is the verdict
    on a tool that is kept from calls of this one agent, or None. `depth` is the least depth at
    which an agent works.
    """

    mentions: Callable[[str], Iterator[Span]]
    tool: str
    refused: Callable[[Reading], str | None]
    may: Callable[[Reading, str], bool] | None = None
    depth: Callable[[Reading], int] = lambda _: 1
    denied: Callable[[Reading, str], Verdict | None] = lambda _, __: None


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a setting has an effect although a spawned agent ignores it.

    `readers` are other systems that read files in the same places. `session` is what starts a main
    session with an agent, if anything does. A header with the `session_key` is written for such a
    session.
    """

    readers: tuple[str, ...] = ()
    session: str = ""
    session_key: str = ""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A runtime's records of what a person has confirmed or switched off.

    `records` are the files, each with alternatives as in a `ScopeRule`, and a plain path is below
    the session's folder; they are only read. `manifest` is a file in the folder above that of the
    candidate, if it has one. `standing` returns whether a candidate exists as it is, or None if
    nothing has to be confirmed. Its arguments are the texts of the records and of the manifest,
    None for a file that does not exist, the spellings of the session's folder, the candidate, and
    the text of the candidate's file.
    """

    records: tuple[tuple[str, ...], ...]
    standing: Callable[
        [tuple[str | None, ...], tuple[str, ...], Candidate, str], Availability | None
    ]
    manifest: str


@dataclass(frozen=True, slots=True)
class Mention:
    """An agent's name as it is written under `span`; with `agent` the name of its persona.

    `is_call` says that it can be nothing else, so that the text is wrong if no agent has the name.
    `is_sure` is false if the words may be about something else of that name.
    """

    name: str
    span: Span
    agent: str | None = None
    is_call: bool = False
    is_sure: bool = True


@dataclass(frozen=True, slots=True)
class Spelling:
    """The spelling of a spawn call: its name, and the arguments for an agent and a persona."""

    call: str
    agent: str | None
    persona: str | None


def in_prompts(text: str, start: int, spelling: Spelling) -> tuple[Mention, ...]:
    """The mentions in `text` from `start` on, in its order, each span once."""
    found: dict[int, Mention] = {}
    ways = (_calls(text, start, spelling), _ticked(text, start), _words(text, start))
    for mention in chain.from_iterable(islice(way, _MOST) for way in ways):
        found.setdefault(mention.span.start, mention)
    return tuple(sorted(found.values(), key=lambda mention: mention.span))


def in_calls(text: str, start: int, spelling: Spelling) -> Iterator[Mention]:
    """The mentions in apparent spawn calls alone, in the order of the text."""
    return islice(_calls(text, start, spelling), _MOST)


# No real prompt has more, and each one costs a lookup.
_MOST = 2_000
_WORD = r"\w[\w-]{0,63}"
# A `.` or `:` belongs to a name, unless it ends the sentence or begins the extension `.md`.
_NAME = rf"{_WORD}(?:[.:](?!md\b)\w[\w-]{{0,63}}){{0,4}}(?![\w-])"
# All text between quotes or backticks is one name.
_IN_QUOTES = r"""(?P<sign>["'`])(?P<quoted>(?:(?!(?P=sign))[^\r\n\\]){1,64})(?P=sign)"""
# A call with more text between its arguments is unusual, and the search must end.
_BETWEEN = 400
_TICKS = regex(r"`(?P<name>[^\s`](?:[^`\r\n]{0,62}[^\s`])?)`")
_WORDS = regex(
    rf"""
      \b(?P<verb>delegat|hand|pass)(?:e|es|s|ed|ing)?\b (?:[ ][\w'-]{{1,20}}){{0,4}}? [ ]to[ ]
      (?:the[ ])? (?P<quote>["'“])? (?P<to>{_NAME})
    | (?<![\w-]) (?P<the>the[ ]["'“]?)? (?P<kind>{_NAME}) (?P<quoted>["'”])? [ ] (?:sub-?)?agent\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
# "Hand the results to review" may name no agent, and "a test agent" need not be the one called
# `test`.
_ORDINARY = regex("[A-Za-z][a-z]*")


def _ticked(text: str, start: int) -> Iterator[Mention]:
    for found in _TICKS.finditer(text, start):
        yield Mention(found["name"], Span(*found.span("name")))


def _words(text: str, start: int) -> Iterator[Mention]:
    for found in _WORDS.finditer(text, start):
        for group in ("to", "kind"):
            if found[group]:
                is_sure = _is_marked(found) or not _ORDINARY.fullmatch(found[group])
                yield Mention(found[group], Span(*found.span(group)), is_sure=is_sure)


def _is_marked(match: re.Match[str]) -> bool:
    """Whether the words beside a name show beyond doubt that it is one."""
    is_delegated = (match["verb"] or "").lower() == "delegat"
    return is_delegated or any(match[group] for group in ("quote", "the", "quoted"))


def _calls(text: str, start: int, spelling: Spelling) -> Iterator[Mention]:
    """The names in apparent spawn calls: as a function, as JSON or as words."""
    if spelling.agent is None:
        return
    for found in _argument(spelling.agent, spelling.call).finditer(text, start):
        yield Mention(*_given(found), is_call=True)
        if spelling.persona is not None:
            persona = _persona(text, found, spelling)
            if persona is not None:
                yield persona


def _persona(text: str, agent: re.Match[str], spelling: Spelling) -> Mention | None:
    """The persona in the same call, before the call ends or another one begins."""
    if spelling.persona is None:
        return None
    until = min(len(text), agent.end() + _BETWEEN)
    for end in (")", "}", "\n\n", spelling.call):
        at = text.find(end, agent.end(), until)
        until = at if at >= 0 else until
    found = _argument(spelling.persona, "").search(text, agent.end(), until)
    if found is None:
        return None
    return Mention(*_given(found), _given(agent)[0], is_call=True)


def _given(match: re.Match[str]) -> tuple[str, Span]:
    """The value of an argument that names an agent, and its span."""
    group = "quoted" if match["quoted"] else "bare"
    return match[group], Span(*match.span(group))


@lru_cache(maxsize=64)
def _argument(name: str, call: str) -> re.Pattern[str]:
    """Matches `name: x`, `"name": "x"` or `name="x"`; with a call's name also `call("x")`.

    A name that is a common word counts only inside of the call.
    """
    word = re.escape(name)
    argument = rf"""["'`]?\b{word}\b["'`]?[ ]?[:=][ ]?"""
    before = (
        argument if "_" in name or not call else rf"\b{re.escape(call)}\b[^)\n]{{0,80}}?{argument}"
    )
    direct = rf"|\b{re.escape(call)}\([ ]?(?=[\"'`])" if call else ""
    value = rf"""(?:{_IN_QUOTES}|["'`]?(?P<bare>{_NAME}))"""
    return regex(f"(?:{before}{direct}){value}")
