"""Remembers what was found out about a template file, with the file.

Invariants: a template file never changes, so an answer about it holds as long as it is there; a
copy with other values begins with no answers. Generators are not remembered, because they can be
used only once.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar, cast

from agent_lsp.workspace.snapshot import TemplateFile

_Rest = ParamSpec("_Rest")
_Answer = TypeVar("_Answer")


def memoised(
    function: Callable[Concatenate[TemplateFile, _Rest], _Answer],
) -> Callable[Concatenate[TemplateFile, _Rest], _Answer]:
    """`function`, called once for a file and further arguments, which are hashable and positional.

    Many checks ask about a file one after the other.
    """

    @wraps(function)
    def remembered(file: TemplateFile, /, *rest: _Rest.args, **named: _Rest.kwargs) -> _Answer:
        key = (function, rest)
        if key not in file.answers:
            file.answers[key] = function(file, *rest, **named)
        return cast("_Answer", file.answers[key])

    return remembered
