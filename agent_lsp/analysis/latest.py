"""Remembers what was found out about the template that was asked about last.

Invariants: a subject never changes, so that an answer about it holds; only answers about one
subject are kept, and nothing is kept of generators, which can be gone through only once.
"""

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from agent_lsp.workspace.index import Subject

_Rest = ParamSpec("_Rest")
_Answer = TypeVar("_Answer")


def of_latest(
    function: Callable[Concatenate[Subject, _Rest], _Answer],
) -> Callable[Concatenate[Subject, _Rest], _Answer]:
    """`function`, which asks about a subject once where many rules ask one after the other.

    Its further arguments are hashable and given by position.
    """
    latest: Subject | None = None
    answers: dict[object, _Answer] = {}

    def remembered(of: Subject, /, *rest: _Rest.args, **named: _Rest.kwargs) -> _Answer:
        nonlocal latest
        if of is not latest:
            answers.clear()
            latest = of
        elif rest in answers:
            return answers[rest]
        answer = function(of, *rest, **named)
        # The question may have led to one about another subject.
        if of is latest:
            answers[rest] = answer
        return answer

    remembered.__doc__ = function.__doc__
    return remembered
