"""Which of the four parts that the document asks for a prompt does not seem to have.

Invariant: a part counts as there if any word points to it, and all of them do in a text that is not
in English: nobody is told about words that cannot be looked for.

Facts: "Role template (editable)" in the document of the system, read 2026-11-27.
"""

import re

_PARTS = (
    (
        "identity",
        r"\byou(?:r|rs|rself)?\b|\b(?:act|acts|acting) as\b|\b(?:identity|role|persona|I am)\b",
    ),
    (
        "responsibilities",
        (
            r"\b(?:responsib\w*|always|tasks?|dut(?:y|ies)|jobs?|must|should|goals?|ensure"
            r"|make sure|check|checks|review|run|write|record|verify"
            r"|find|read|collect|gather|plan|coordinate"
            r"|delegate|split|resolve|implement|fix|test|search|scan|help|helps|build|handle"
            r"|investigate|analy[sz]e|apply|keep|maintain|create|draft|triage|research)\b"
        ),
    ),
    (
        "constraints",
        (
            r"\b(?:constraints?|never|not|no|cannot|avoid|only|limit(?:s|ed)?|without|skip|refuse"
            r"|except|unless|forbidden|refrain|minimal|stop|stay|boundar(?:y|ies))\b|n['\u2019]t\b"
        ),
    ),
    (
        "output style",
        (
            r"\b(?:outputs?|format\w*|styles?|respon[ds]\w*|reply|replies|reports?|summar\w+|answers?"
            r"|produces?|returns?|deliver\w*|markdown|json|yaml|tables?|lists?|bullets?|lines?"
            r"|sentences?|sections?|write in|end with|headings?|diffs?|findings|tone|prose|verse)\b"
        ),
    ),
)
_WORDS = tuple((part, re.compile(words, re.IGNORECASE)) for part, words in _PARTS)
_ENGLISH = re.compile(
    r"\b(?:the|you|your|and|of|to|with|for|is|are|not|never|this|that|when|it)\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+")
# From so many letters on a text says which language it is in.
_ENOUGH = 30


def missing_parts(body: str) -> tuple[str, ...]:
    """The parts that `body`, a prompt without its block, does not seem to have."""
    if _is_foreign(body):
        return ()
    return tuple(part for part, words in _WORDS if not words.search(body))


def _is_foreign(body: str) -> bool:
    """Whether a text is in another language than English, as far as can be told."""
    words = _WORD.findall(body)
    letters = sum(map(len, words))
    strange = sum(not letter.isascii() for word in words for letter in word)
    # In Chinese and its like a few letters say much.
    if strange * 5 > letters:
        return True
    return letters >= _ENOUGH and len(_ENGLISH.findall(body)) * 20 < len(words)
