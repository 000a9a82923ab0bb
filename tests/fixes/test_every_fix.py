"""What holds for each fix of each finding in all the examples, in three kinds of files.

`make test` tries one example of each rule, in the first kind; `make test-hostile` tries each
example in one of the kinds, and with `EFFORT=20` in all three.

The claim: after a fix its finding is gone; no finding of the same or a higher severity is new, but
for such as a header hid that was refused or not seen, outside of what the fix wrote. After all of
the safe ones nothing is left that could be fixed safely, and line ends are of the file's own kind.
A file without errors gets none. A fix writes or takes away what its title says.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from agent_lsp.analysis.diagnostics import Diagnostic, diagnostics
from agent_lsp.analysis.fixes import Fix, fixes, repaired
from agent_lsp.model.schema import Severity
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.text import Span, apply
from agent_lsp.workspace.snapshot import Workspace, template_file
from tests.checks.pages import examples
from tests.effort import EFFORT
from tests.fixture import fixture
from tests.recorded import each
from tests.systems import CODES

FAULTS = Path(__file__).parents[2] / "examples/faults"
KINDS: dict[str, Callable[[str], str]] = {
    "LF": str,
    "CRLF": lambda text: text.replace("\r\n", "\n").replace("\n", "\r\n"),
    "no final line end": lambda text: text.rstrip("\n"),
}


@dataclass(frozen=True, slots=True)
class Sample:
    name: str
    files: dict[str, str]
    rule: str = ""


def samples() -> Iterator[Sample]:
    for code in CODES:
        for example in examples(code):
            if example.expected:
                yield Sample(f"{code}-{example.line}", example.files, code)
    for folder in sorted(FAULTS.iterdir()):
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        read = {path: path.read_bytes().decode("utf-8", "surrogateescape") for path in paths}
        yield Sample(
            f"faults-{folder.name}",
            {path.relative_to(folder).as_posix(): text for path, text in read.items()},
        )


SAMPLES = tuple(samples())
FIRST = {sample.rule: sample for sample in reversed(SAMPLES)}.values()
Written = tuple[Sample, str]
_USUAL = [(sample, "LF") for sample in FIRST]
_MORE = [
    (sample, kind)
    for at, sample in enumerate(SAMPLES)
    for turn, kind in enumerate(KINDS)
    if (at % len(KINDS) == turn or EFFORT > 1) and (sample, kind) not in _USUAL
]
IN_EACH_KIND = each(_USUAL, more=_MORE, called=lambda case: f"{case[0].name}-{case[1]}")


def written(folder: Path, sample: Sample, kind: str) -> tuple[Workspace, list[Path]]:
    """The files of a sample on disk, those that are text in lines of one kind."""
    made = fixture(folder, "".join(f"//- {name}\n" for name in sample.files))
    paths = []
    for name, text in sample.files.items():
        home = made.root.parent / "home"
        path = home / name.removeprefix("~/") if name.startswith("~/") else made.root / name
        path.write_bytes(KINDS[kind](text).encode("utf-8", "surrogateescape"))
        made.workspace.files.changed(path)
        paths.append(path)
    return made.workspace, paths


def text_of(workspace: Workspace, path: Path) -> str:
    file = workspace.files.read(path)
    return file.text if file is not None else ""


@IN_EACH_KIND
def test_a_fix_takes_its_finding_away_and_brings_no_other(case: Written, tmp_path: Path) -> None:
    workspace, paths = written(tmp_path, *case)
    for path in paths:
        file = template_file(workspace, path)
        text, before = text_of(workspace, path), diagnostics(workspace, path)
        hidden = file is not None and (
            bool(file.reading.errors) or file.document.frontmatter.fence is not FenceKind.CLOSED
        )
        for fix in fixes(workspace, path):
            if fix.edits:
                fixed = apply(text, fix.edits)
                assert is_as_said(text, fixed, fix.title), fix
                path.write_bytes(fixed.encode())
                workspace.files.changed(path)
                judge(before, diagnostics(workspace, path), fix, hidden=hidden)
                path.write_bytes(text.encode())
                workspace.files.changed(path)


def judge(
    before: tuple[Diagnostic, ...], after: tuple[Diagnostic, ...], fix: Fix, *, hidden: bool
) -> None:
    fixed = fix.diagnostic
    assert errors(before) or not errors(after), fix
    assert said(after).count(said([fixed])[0]) < said(before).count(said([fixed])[0]), fix
    assert fixed.code not in {one.code for one in new(before, after) if near(one, fix)}, fix
    worse = [one for one in new(before, after) if one.severity <= fixed.severity]
    assert [one for one in worse if not hidden or near(one, fix)] == [], fix


def errors(found: tuple[Diagnostic, ...]) -> list[Diagnostic]:
    return [one for one in found if one.severity is Severity.ERROR]


# What a title quotes; the name of an invisible character is not what the text has.
_QUOTED = re.compile(r"`` (.*?) ``|`([^`]*)`")
_NAMED = "<U+"


def is_as_said(before: str, after: str, title: str) -> bool:
    """Whether a fix has done what the first word of its title says, to the words that it quotes."""
    what = title.partition(" (")[0]
    words = [one or other for one, other in _QUOTED.findall(what)]
    match what.split()[0]:
        case "Remove":
            return len(after) < len(before)
        case "Replace":
            old, written = words
            is_gone = old in written or _NAMED in old or after.count(old) < before.count(old)
            return is_gone and (written in old or after.count(written) > before.count(written))
        case "Write" | "Add" | "Rename":
            return not words or words[-1] in after
        case _:
            return True


def new(before: tuple[Diagnostic, ...], after: tuple[Diagnostic, ...]) -> list[Diagnostic]:
    known = set(said(before))
    return [one for one in after if (one.code, one.message) not in known]


def said(found: tuple[Diagnostic, ...] | list[Diagnostic]) -> list[tuple[str, str]]:
    return [(one.code, one.message) for one in found]


def near(diagnostic: Diagnostic, fix: Fix) -> bool:
    """Whether a finding is on what the fix wrote."""
    by = 0
    for edit in sorted(fix.edits, key=lambda edit: edit.span):
        place = Span(edit.span.start + by, edit.span.start + by + len(edit.text))
        if diagnostic.span.start <= place.end and place.start <= diagnostic.span.end:
            return True
        by += len(edit.text) - len(edit.span)
    return False


@IN_EACH_KIND
def test_all_safe_fixes_together_leave_nothing_to_fix_safely(case: Written, tmp_path: Path) -> None:
    workspace, paths = written(tmp_path, *case)
    for path in paths:
        text = text_of(workspace, path)
        once = repaired(workspace, path)
        file = workspace.files.read(path)
        if once is None or file is None or file.problem is not None:
            continue
        if case[1] == "CRLF" and text.count("\r\n") == text.count("\n"):
            assert once.count("\r\n") == once.count("\n")
        path.write_bytes(once.encode("utf-8", "surrogateescape"))
        workspace.files.changed(path)
        assert repaired(workspace, path) == once
        assert [fix for fix in fixes(workspace, path) if fix.safe and fix.edits] == []
