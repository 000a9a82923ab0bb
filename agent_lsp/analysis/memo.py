"""Stores results about a template file with the file.

Invariants: a template file never changes, so that a result is valid as long as the file exists. A
copy with other values starts without results. A generator is not stored, because it can be used
only once.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from agent_lsp.workspace.snapshot import TemplateFile

_Rest = ParamSpec("_Rest")
_Answer = TypeVar("_Answer")
_UNKNOWN = object()


def memoised(
    function: Callable[Concatenate[TemplateFile, _Rest], _Answer],
) -> Callable[Concatenate[TemplateFile, _Rest], _Answer]:
    """`function`, called once for each file with its other arguments.

    The other arguments are hashable and positional. Many checks in turn ask the same question about
    a file.
    """

    @wraps(function)
    def remembered(file: TemplateFile, /, *rest: _Rest.args, **named: _Rest.kwargs) -> _Answer:
        key = (function, rest)
        found = file.answers.get(key, _UNKNOWN)
        if found is _UNKNOWN:
            found = file.answers[key] = function(file, *rest, **named)
        return found  # type: ignore[no-any-return] # the answer of `function`

    return remembered
