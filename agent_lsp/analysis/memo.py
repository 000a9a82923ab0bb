"""Remembers what was found out about the template that was asked about last.

Invariants: a template file never changes, so that an answer about it holds; only answers about one
file are kept, and nothing is kept of generators, which can be gone through only once.
"""

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from agent_lsp.workspace.snapshot import TemplateFile

_Rest = ParamSpec("_Rest")
_Answer = TypeVar("_Answer")


def memo_latest(
    function: Callable[Concatenate[TemplateFile, _Rest], _Answer],
) -> Callable[Concatenate[TemplateFile, _Rest], _Answer]:
    """`function`, which asks about a file once where many rules ask one after the other.

    Its further arguments are hashable and given by position.
    """
    latest: TemplateFile | None = None
    answers: dict[object, _Answer] = {}

    def remembered(file: TemplateFile, /, *rest: _Rest.args, **named: _Rest.kwargs) -> _Answer:
        nonlocal latest
        if file is not latest:
            answers.clear()
            latest = file
        elif rest in answers:
            return answers[rest]
        answer = function(file, *rest, **named)
        # The question may have led to one about another file.
        if file is latest:
            answers[rest] = answer
        return answer

    remembered.__doc__ = function.__doc__
    return remembered
