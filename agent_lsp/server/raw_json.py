"""Sends the answer of a command as the JSON that it is.

Invariant: what is JSON already goes on as it is; only what a client could not decode is changed.
"""

import json


class RawJson:
    """JSON that pygls need not look into: an answer may name thousands of agents.

    It is no data class, since pygls would take that apart, with all that is in it.
    """

    __slots__ = ("json",)

    def __init__(self, answer: object) -> None:
        self.json = answer


def raw_json(answer: object) -> RawJson:
    """`answer` without what is no text; the names of files may hold it."""
    from agent_lsp.server.convert import printable  # noqa: PLC0415 - not to start

    text = json.dumps(answer, ensure_ascii=False)
    sent = printable(text)
    return RawJson(answer if sent == text else json.loads(sent))
