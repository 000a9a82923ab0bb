"""The shape of the code that docs/architecture.md promises, read from the source.

Each rule is a function from a package's folder to its violations. It runs on the package,
where it finds none, and on small packages with one planted violation, which it must find.
"""

import ast
import gc
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "agent_lsp"

# From top to bottom; tests/test_import_contracts.py shows what that means.
LAYERS: list[str] = next(
    contract["layers"]
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "importlinter"
    ]["contracts"]
    if contract["id"] == "layers"
)
CORE = LAYERS[LAYERS.index("settings") + 1 :]
THIRD_PARTY = {
    "yaml": ("syntax",),
    "pydantic": ("settings",),
    "pydantic_core": ("settings",),
    "pathspec": ("cli",),
    "platformdirs": ("environment", "server", "cli"),
    "lsprotocol": ("server",),
    "pygls": ("server",),
    # An editor may come over TCP.
    "socket": ("server",),
}
# Nothing in a template is executed and nothing goes to the network.
NEVER_IMPORTED = ("ftplib", "http", "smtplib", "ssl", "subprocess", "urllib.request")
# Git, which `diff` and `check --since` ask for another revision.
STARTS_GIT = "cli/comparing/git.py"
# The tables of commands and of methods, each of which is loaded when it is needed.
IMPORT_BY_NAME = ("cli/", "server/app.py")

MAY_READ = ("workspace/disk.py", "workspace/trace.py", "installed.py")
IO_MODULES = ("fileinput", "glob", "importlib.resources", "io", "shutil", "tempfile")
PURE_OS = ("PathLike", "fspath", "path", "sep")
PURE_OS_PATH = ("basename", "commonpath", "dirname", "isabs", "join", "normpath", "split")
# Methods of a path that touch the disk and take no path: with an argument the same word is
# a question to `Files`, as in `files.exists(path)`.
PATH_QUESTIONS = (
    "absolute",
    "exists",
    "expanduser",
    "is_dir",
    "is_file",
    "is_symlink",
    "iterdir",
    "lstat",
    "mkdir",
    "read_bytes",
    "readlink",
    "resolve",
    "rmdir",
    "stat",
    "touch",
    "unlink",
)
PATH_ACTIONS = ("glob", "read_text", "rglob", "write_bytes", "write_text")

# The streams themselves, what writes the messages of the protocol, and what writes a file.
OWNS_STREAMS = ("cli/streams.py", "cli/terminal.py", "server/app.py", "cli/atomic_write.py")

MAY_WRITE = ("cli/atomic_write.py", "cli/checking/result_cache.py", "server/commands/__init__.py")
WRITES = (
    *("write_text", "write_bytes", "mkdir", "makedirs", "unlink", "touch", "rmdir"),
    *("symlink_to", "hardlink_to", "mkstemp", "rmtree", "copyfile", "copytree", "truncate"),
)

MOST_LINES = 500
MOST_FACETS = 14

# Words that say nothing where they stand alone.
NO_NAMES = ("known", "of")
# Words in the place of which docs/glossary.md has others.
GIVEN_UP = {
    word
    for words in re.findall(
        r"\bNot:\s+((?:`\w+`,?\s*)+)", (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    )
    for word in re.findall(r"\w+", words)
}

Rule = Callable[[Path], list[str]]


def imports_by_name(package: Path) -> list[str]:
    """Only a table of commands or methods imports by a name, which no contract can see."""
    return [
        f"{path.name}:{node.lineno}: {ast.unparse(node)}"
        for path, tree in _modules(package)
        if not path.relative_to(package).as_posix().startswith(IMPORT_BY_NAME)
        for node in _nodes(tree)
        if isinstance(node, ast.Call) and _is_dynamic_import(node.func)
    ]


def dependencies(package: Path) -> list[str]:
    """A package from outside is imported only by the layers that own it."""
    found = []
    for path, tree in _modules(package):
        layer = _layer(path, package)
        for name, line in _imports(path, tree, package):
            top = name.split(".")[0]
            foreign = top not in sys.stdlib_module_names and top != package.name
            if foreign and layer not in THIRD_PARTY.get(top, ()):
                found.append(f"{path.name}:{line}: {layer} imports {top}")
            is_git = path.relative_to(package).as_posix() == STARTS_GIT and name == "subprocess"
            if _is_within(name, NEVER_IMPORTED) and not is_git:
                found.append(f"{path.name}:{line}: {layer} imports {name}")
    return found


def reading(package: Path) -> list[str]:
    """In the core only `workspace/disk.py` touches the disk or the environment, or asks again."""
    found = []
    for path, tree in _modules(package):
        if _layer(path, package) not in CORE:
            continue
        if path.relative_to(package).as_posix() in MAY_READ:
            continue
        found += [
            f"{path.name}:{line}: imports {name}"
            for name, line in _imports(path, tree, package)
            if _is_within(name, IO_MODULES) or _is_impure_os(name)
        ]
        found += [
            f"{path.name}:{node.lineno}: {ast.unparse(node)}"
            for node in _nodes(tree)
            if isinstance(node, ast.Call | ast.Attribute) and _touches_the_machine(node)
        ]
    return found


def module_docstrings(package: Path) -> list[str]:
    """Every module says what it is for."""
    return [path.name for path, tree in _modules(package) if not ast.get_docstring(tree)]


def module_length(package: Path) -> list[str]:
    """A module can be read in one go."""
    return [
        f"{path.name}: {lines} lines"
        for path, _ in _modules(package)
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > MOST_LINES
    ]


def names(package: Path) -> list[str]:
    """No parameter and no field is called by a word that nobody can search for."""
    return [
        f"{path.name}:{line}: {name}"
        for path, tree in _modules(package)
        for node in _nodes(tree)
        for name, line in _named(node)
        if name in NO_NAMES
    ]


def module_names(package: Path) -> list[str]:
    """No module and no folder has a name that the glossary gives up for another."""
    return [
        path.relative_to(package).as_posix()
        for path, _ in _modules(package)
        if not GIVEN_UP.isdisjoint(path.relative_to(package).with_suffix("").parts)
    ]


def patterns(package: Path) -> list[str]:
    """A regular expression means the same to each Python: none is possessive or atomic.

    Pythons 3.11 up to 3.11.4 lose the place of a possessive repetition that fails
    (github.com/python/cpython/issues/106052); Debian 12 has had one until October 2026.
    """
    return [
        f"{path.name}:{node.lineno}: {found}"
        for path, tree in _modules(package)
        for node in _nodes(tree)
        if isinstance(node, ast.Constant | ast.JoinedStr)
        for found in sorted(_new_in_311(_text(node)))
    ]


def loading(package: Path) -> list[str]:
    """What takes long when a module is loaded has a substitute, which makes each start faster."""
    found = [
        f"{path.name}:{line}: imports {name}"
        for path, tree in _modules(package)
        if path.name != "data_classes.py"
        for name, line in _imports(path, tree, package)
        if _is_within(name, ("dataclasses",))
    ]
    return found + [
        f"{path.name}:{node.lineno}: {ast.unparse(node)}"
        for path, tree in _modules(package)
        for node in _outside_of_functions(tree)
        if isinstance(node, ast.Attribute)
        if node.attr == "compile" and ast.unparse(node) == "re.compile"
    ]


def streams(package: Path) -> list[str]:
    """All that is printed goes through the standard streams, where it cannot control a terminal.

    Only the module of the streams knows what is below them. A code for the terminal is a constant,
    and a program that is started does not inherit a stream.
    """
    return [
        f"{path.name}:{node.lineno}: {ast.unparse(node)}"
        for path, tree in _modules(package)
        if path.relative_to(package).as_posix() not in OWNS_STREAMS
        for node in _nodes(tree)
        if isinstance(node, ast.Attribute | ast.Call | ast.Constant)
        if _goes_below(node)
    ]


def writing(package: Path) -> list[str]:
    """A file is written in one module, which lets no link lead a write out of a repository.

    The others that write have folders of their own, in the user's cache.
    """
    return [
        f"{path.name}:{node.lineno}: {ast.unparse(node)}"
        for path, tree in _modules(package)
        if path.relative_to(package).as_posix() not in MAY_WRITE
        for node in _nodes(tree)
        if isinstance(node, ast.Call) and _writes(node)
    ]


RULES: tuple[Rule, ...] = (
    imports_by_name,
    dependencies,
    reading,
    module_docstrings,
    module_length,
    names,
    module_names,
    patterns,
    loading,
    streams,
    writing,
)

# Rule, the only file of a package, what stands in it, and words of the violation.
PLANTED: tuple[tuple[Rule, str, str, str], ...] = (
    (imports_by_name, "text.py", "importlib.import_module('agent_lsp.cli')", "agent_lsp.cli"),
    (imports_by_name, "model/more.py", "import_module(f'agent_lsp.{name}')", "import_module"),
    (imports_by_name, "server/more.py", "__import__('agent_lsp.cli')", "agent_lsp.cli"),
    (dependencies, "text.py", "import lsprotocol.types", "text imports lsprotocol"),
    (dependencies, "cli/more.py", "from pygls.lsp import server", "cli imports pygls"),
    (dependencies, "environment.py", "import pydantic_core", "environment imports pydantic_core"),
    (dependencies, "options.py", "from pydantic import BaseModel", "options imports pydantic"),
    (dependencies, "server/more.py", "import pydantic", "server imports pydantic"),
    (dependencies, "cli/more.py", "import yaml", "cli imports yaml"),
    (dependencies, "cli/more.py", "import requests", "cli imports requests"),
    (dependencies, "cli/more.py", "import subprocess", "cli imports subprocess"),
    (dependencies, "cli/more.py", "from urllib import request", "cli imports urllib.request"),
    (reading, "text.py", "open('x')", "open('x')"),
    (reading, "text.py", "p.open()", "p.open()"),
    (reading, "text.py", "Path('x').read_text(encoding='utf-8')", "read_text"),
    (reading, "text.py", "p.write_text('x')", "write_text"),
    (reading, "text.py", "p.exists()", "p.exists()"),
    (reading, "text.py", "Path('x').resolve()", "resolve()"),
    (reading, "text.py", "Path.home()", "Path.home()"),
    (reading, "text.py", "import os\nos.scandir('.')", "os.scandir"),
    (reading, "text.py", "import os\nos.environ['HOME']", "os.environ"),
    (reading, "text.py", "import os\nos.path.realpath('.')", "os.path.realpath"),
    (reading, "text.py", "from os import stat", "imports os.stat"),
    (reading, "text.py", "from os.path import exists", "imports os.path.exists"),
    (reading, "syntax/nodes.py", "import tempfile", "imports tempfile"),
    (reading, "workspace/scopes.py", "next(p.iterdir())", "p.iterdir()"),
    (module_docstrings, "server/more.py", "x = 1", "more.py"),
    (module_length, "server/more.py", "x = 1\n" * 501, "more.py: 501 lines"),
    (names, "text.py", "def f(of): return of", "text.py:1: of"),
    (names, "text.py", "def f(*, known=()): return known", "text.py:1: known"),
    (names, "text.py", "f = lambda of: of.text", "text.py:1: of"),
    (names, "text.py", "class Cut:\n    of: str = ''", "text.py:2: of"),
    (module_names, "server/roster.py", "x = 1", "server/roster.py"),
    (module_names, "analysis/hovers/keys.py", "x = 1", "analysis/hovers/keys.py"),
    (patterns, "text.py", "re.compile(r'(?:ab?c)++')", "text.py:1: POSSESSIVE_REPEAT"),
    (patterns, "text.py", "re.search('(?i:[ab]|(x)?+)', t)", "POSSESSIVE_REPEAT"),
    (patterns, "text.py", "_PART = 'x{1,2}+(?=a*+)'", "POSSESSIVE_REPEAT"),
    (patterns, "text.py", "_PARTS = rf'(?:{_X}{{1,2}}{_PART})*+'", "POSSESSIVE_REPEAT"),
    (patterns, "text.py", "_ANY = rf'a|(?!(?>{_PART}))'", "ATOMIC_GROUP"),
    (loading, "text.py", "from dataclasses import dataclass", "imports dataclasses.dataclass"),
    (loading, "server/more.py", "import dataclasses", "imports dataclasses"),
    (loading, "text.py", "_X = {'a': re.compile('x')}", "text.py:1: re.compile"),
    (loading, "text.py", "class A:\n    x = re.compile('x')", "text.py:2: re.compile"),
    (writing, "cli/more.py", "path.write_text('x')", "write_text"),
    (writing, "cli/more.py", "path.parent.mkdir(parents=True)", "mkdir"),
    (writing, "cli/more.py", "path.open('w', encoding='utf-8')", "open"),
    (writing, "server/more.py", "open(path, mode='ab')", "open"),
    (writing, "cli/more.py", "os.replace(one, other)", "os.replace"),
    (streams, "cli/more.py", "sys.__stdout__.write(text)", "sys.__stdout__"),
    (streams, "cli/more.py", "print(text, file=sys.__stderr__)", "__stderr__"),
    (streams, "cli/more.py", "sys.stdout.buffer.write(text)", "sys.stdout.buffer"),
    (streams, "cli/more.py", "stream.buffer.write(text)", "stream.buffer"),
    (streams, "cli/more.py", "stream.console.write(text)", "stream.console"),
    (streams, "cli/more.py", "os.write(1, text)", "os.write"),
    (streams, "server/more.py", "open('/dev/tty', 'w')", "/dev/tty"),
    (streams, "cli/more.py", "control(f'{name}', sys.stdout)", "control"),
    (streams, "cli/more.py", "subprocess.run(call, stdout=PIPE)", "subprocess.run"),
)

ALLOWED = (
    (imports_by_name, "cli/more.py", "import_module(f'agent_lsp.cli.{name}')"),
    (dependencies, "syntax/more.py", "import yaml"),
    (dependencies, "server/more.py", "from urllib.parse import quote\nfrom pygls import uris"),
    (reading, "text.py", "files.exists(path); files.open(path, text); nodes.resolve(node)"),
    (reading, "text.py", "import os\nos.path.join('a', 'b'); os.fspath(path)"),
    (reading, "workspace/disk.py", "open('x')"),
    (reading, "cli/more.py", "open('x')"),
    (names, "text.py", "class Span:\n    def of(self, text): return text[self.start]"),
    (module_names, "model/availability.py", "standing = 1"),
    (patterns, "text.py", r"re.compile(r'[*+][ \t]|\++|a+?|(?=b)+')"),
    (writing, "cli/more.py", "path.open('rb'); open(path); text.replace('a', 'b')"),
    (writing, "cli/more.py", "write_atomically(path, data, within=())"),
    (streams, "cli/more.py", "print(text); sys.stderr.write(text); sys.stdin.buffer.read()"),
    (streams, "cli/more.py", "subprocess.Popen(call, stdout=PIPE, stderr=DEVNULL)"),
    (streams, "cli/more.py", "control(_CLEAR, sys.stdout)"),
    (streams, "cli/streams.py", "stream.console.write(text)"),
    (loading, "data_classes.py", "from dataclasses import dataclass"),
    (loading, "text.py", "def f(x): return re.compile(x)"),
    (loading, "text.py", "from agent_lsp.patterns import regex\n_X = regex('x')"),
)


@pytest.fixture(scope="module", autouse=True)
def _trees() -> Iterator[None]:
    """The trees of the package are a million objects, each of which is in use until the end."""
    gc.disable()
    yield
    _nodes.cache_clear()
    _parsed.cache_clear()
    gc.enable()


@pytest.mark.parametrize("rule", RULES)
def test_the_package_obeys(rule: Rule) -> None:
    assert rule(PACKAGE) == []


@pytest.mark.parametrize(("rule", "file", "code", "words"), PLANTED)
def test_a_planted_violation_is_found(
    rule: Rule, file: str, code: str, words: str, tmp_path: Path
) -> None:
    violations = rule(_package(tmp_path, file, code))
    assert [violation for violation in violations if words in violation]
    assert len({violation.split(": ")[0] for violation in violations}) == 1


@pytest.mark.parametrize(("rule", "file", "code"), ALLOWED)
def test_what_is_allowed_is_not_reported(rule: Rule, file: str, code: str, tmp_path: Path) -> None:
    assert rule(_package(tmp_path, file, code)) == []


def test_a_field_that_one_system_sets_has_its_reason() -> None:
    """docs/decisions/one-system-fields.md names each of them, and none that two systems set."""
    page = (ROOT / "docs/decisions/one-system-fields.md").read_text(encoding="utf-8")
    reasons = page[page.index("\n- **") : page.index("\nBefore")]
    named = set(re.findall(r"`([A-Z]\w+\.\w+)`", reasons))
    assert {name for name, systems in _systems_by_field().items() if len(systems) < 2} == named


def test_a_dialect_has_few_facets_and_several_systems_use_each() -> None:
    """A facet for one system would be a part of that system."""
    facets = _facets()
    systems: dict[str, set[str]] = {facet: set() for facet in facets}
    for name, found in _systems_by_field().items():
        systems[name.partition(".")[0]] |= found
    assert len(facets) <= MOST_FACETS
    assert {facet for facet, found in systems.items() if len(found) < 2} == set()


def test_the_walks_name_what_exists() -> None:
    """Each module, folder, function and class of the code in docs/architecture.md is there."""
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    walks = page[page.index("\n## A keystroke") : page.index("\n## Debugging")]
    names = set(re.findall(r"`(\w[\w/.]*)`", page[: page.index("\n## Windows")]))
    in_walks = set(re.findall(r"`(\w[\w/.]*)`", walks))
    paths = {name for name in names if "/" in name and not name.startswith("dist/")}
    words = {name for name in in_walks - paths if re.search(r"\w[._]\w|[A-Z]", name)}
    assert {"workspace/snapshot.template_file", "server/transport.py"} <= paths
    assert {"diagnostics._found", "TemplateFile", "Names.is_merged"} <= words
    # Of the protocol, and the file of a package.
    others = {"DidChangeTextDocumentParams", "__init__"}
    assert [name for name in sorted((paths | words) - others) if not _is_there(name)] == []


@pytest.mark.parametrize(
    "name", ["server/gone.py", "sync/changes.gone", "diagnostics.gone", "Names.gone", "GoneFile"]
)
def test_a_name_that_nothing_has_is_found(name: str) -> None:
    assert not _is_there(name)


def test_the_command_line_answers_without_protocol_and_pydantic(tmp_path: Path) -> None:
    """They cost more time than the answer; pydantic is for those who have a settings file."""
    commands = (("check", "."), ("list",), ("preview", "reviewer"))
    assert _loaded_by(commands, ROOT, tmp_path) == []


def test_the_server_answers_initialize_before_it_loads_the_analysis() -> None:
    """That takes as long again as the protocol, and an editor waits for the answer."""
    script = "import sys, agent_lsp.server.app; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True, cwd=ROOT
    )
    loaded = {name for name in done.stdout.split() if name.startswith("agent_lsp.")}
    assert {name.split(".")[1] for name in loaded} == {"server", "patterns"}


def test_a_protocol_import_on_the_way_of_a_command_is_found(tmp_path: Path) -> None:
    package = tmp_path / "copy" / PACKAGE.name
    shutil.copytree(PACKAGE, package)
    with (package / "text.py").open("a", encoding="utf-8") as stream:
        stream.write("\nimport lsprotocol, pydantic, pygls\n")
    found = _loaded_by((("list",),), package.parent, tmp_path)
    assert found == ["lsprotocol", "pydantic", "pygls"]


def test_no_pattern_that_is_put_together_is_possessive() -> None:
    """All patterns that the modules have once they are loaded; each can be compiled."""
    script = (
        "import gc, pkgutil, re, importlib, json, agent_lsp\n"
        "for module in pkgutil.walk_packages(agent_lsp.__path__, 'agent_lsp.'):\n"
        "    if not module.name.endswith('__main__'): importlib.import_module(module.name)\n"
        "from agent_lsp.patterns import regex\n"
        "found = [o._arguments for o in gc.get_objects() if isinstance(o, regex.__base__)]\n"
        "for written in found: re.compile(*written)\n"
        "print(json.dumps([one for one in found if isinstance(one[0], str)]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True, cwd=ROOT
    )
    compiled = json.loads(done.stdout)
    assert any("\\[\\[?" in pattern for pattern, _ in compiled)
    assert [pattern for pattern, flags in compiled if _new_in_311(pattern, flags)] == []


def _outside_of_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run when the module is loaded."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield node
            yield from _outside_of_functions(node)


def _writes(node: ast.Call) -> bool:
    """Whether `node` changes a file or a folder."""
    last = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if last in ("replace", "remove"):
        return ast.unparse(node.func) in ("os.replace", "os.remove")
    if last == "rename":
        # With more arguments it is one of ours.
        return len(node.args) == 1
    modes = (*node.args, *(key.value for key in node.keywords))
    return last in WRITES or (
        last == "open"
        and any(
            isinstance(one, ast.Constant)
            and isinstance(one.value, str)
            and re.fullmatch(r"[rwaxbt+]*[wax+][rwaxbt+]*", one.value) is not None
            for one in modes
        )
    )


def _goes_below(node: ast.Attribute | ast.Call | ast.Constant) -> bool:
    """Whether `node` leads to a terminal without the streams of this program."""
    if isinstance(node, ast.Constant):
        return node.value in ("/dev/tty", "/dev/stdout", "/dev/stderr")
    if isinstance(node, ast.Attribute):
        is_below = node.attr in ("buffer", "console", "__stdout__", "__stderr__")
        return is_below and ast.unparse(node) != "sys.stdin.buffer"
    last = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if last == "control":
        return not isinstance(node.args[0], ast.Name)
    # To unparse each call takes seconds.
    if last not in ("run", "Popen", "write", "writev"):
        return False
    function, named = ast.unparse(node.func), {one.arg for one in node.keywords}
    is_quiet = named >= {"stdout", "stderr"} or "capture_output" in named
    is_started = function in ("subprocess.run", "subprocess.Popen")
    return (is_started and not is_quiet) or function in ("os.write", "os.writev")


def _text(node: ast.Constant | ast.JoinedStr) -> str:
    """What stands in quotes, with a letter for what is put in; empty for what is no text."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(_text(part) if isinstance(part, ast.Constant) else "x" for part in node.values)


def _new_in_311(pattern: str, flags: int = 0) -> set[str]:
    """Which constructs are in `pattern` that `re` has since Python 3.11; none if it is none."""
    if not any(sign in pattern for sign in ("*+", "++", "?+", "}+", "(?>")):
        return set()
    try:
        # A text that is no pattern may look like a doubtful one.
        with warnings.catch_warnings(action="ignore"):
            parsed = importlib.import_module("re._parser").parse(pattern, flags)
    except (re.error, OverflowError, RecursionError):
        return set()
    return set(_operations(parsed.data)) & {"POSSESSIVE_REPEAT", "ATOMIC_GROUP"}


def _operations(part: object) -> Iterator[str]:
    """The names of all operations in a parsed pattern."""
    if isinstance(part, list | tuple):
        for one in part:
            yield from _operations(one)
    elif hasattr(part, "data"):
        yield from _operations(part.data)
    elif hasattr(part, "name"):
        yield str(part)


def _modules(package: Path) -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(package.rglob("*.py")):
        yield path, _parsed(path.read_text(encoding="utf-8"), str(path))


# Each rule looks at all of the package.
@cache
def _nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """The nodes as `ast.walk` gives them, without contexts and operators: they are a third."""
    found: list[ast.AST] = [tree]
    for node in found:
        for value in vars(node).values():
            if isinstance(value, list):
                found.extend(one for one in value if isinstance(one, ast.AST) and one._fields)
            elif isinstance(value, ast.AST) and value._fields:
                found.append(value)
    return tuple(found)


@cache
def _parsed(text: str, name: str) -> ast.Module:
    return ast.parse(text, name)


def _is_there(name: str) -> bool:
    """Whether the repository has the file, folder, class or function that a page calls `name`."""
    places = (ROOT, PACKAGE, ROOT / "vscode-client")
    if any((place / name).exists() for place in places) or next(PACKAGE.rglob(name), None):
        return True
    owner, _, last = name.rpartition(".")
    if not owner:
        return any(name in _defined(tree) for _, tree in _modules(PACKAGE))
    modules = (*PACKAGE.rglob(f"{owner}.py"), *PACKAGE.rglob(f"{owner}/__init__.py"))
    trees: list[ast.Module | ast.ClassDef] = [
        _parsed(path.read_text(encoding="utf-8"), str(path)) for path in modules
    ]
    trees += (
        []
        if "/" in owner
        else [
            node
            for _, tree in _modules(PACKAGE)
            for node in tree.body
            if isinstance(node, ast.ClassDef) and node.name == owner
        ]
    )
    return any(last in _defined(tree) for tree in trees)


def _defined(tree: ast.Module | ast.ClassDef) -> set[str]:
    """The names of the functions, classes, fields and constants right inside of `tree`."""
    found = set[str]()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        targets = node.targets if isinstance(node, ast.Assign) else ()
        targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
        found.update(one.id for one in targets if isinstance(one, ast.Name))
    return found


def _facets() -> dict[str, ast.ClassDef]:
    """The records of which `Dialect` consists, by their names."""
    model = _parsed((PACKAGE / "model/dialect.py").read_text(encoding="utf-8"), "dialect.py")
    records = {node.name: node for node in model.body if isinstance(node, ast.ClassDef)}
    return {
        node.annotation.id: records[node.annotation.id]
        for node in records["Dialect"].body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.annotation, ast.Name)
        and node.annotation.id in records
    }


def _systems_by_field() -> dict[str, set[str]]:
    """The systems that set each field of a facet of `Dialect`, by `Facet.field`."""
    facets = _facets()
    found: dict[str, set[str]] = {
        f"{name}.{field.target.id}": set()
        for name, record in facets.items()
        for field in record.body
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and not (field.value is not None and "init=False" in ast.unparse(field.value))
    }
    for path in (PACKAGE / "dialects").glob("*/**/*.py"):
        system = path.relative_to(PACKAGE / "dialects").parts[0]
        for node in _nodes(_parsed(path.read_text(encoding="utf-8"), path.name)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                made = facets if node.func.id == "replace" else (node.func.id,)
                for facet, key in product(made, node.keywords):
                    if f"{facet}.{key.arg}" in found:
                        found[f"{facet}.{key.arg}"].add(system)
    return found


def _layer(path: Path, package: Path) -> str:
    return path.relative_to(package).parts[0].removesuffix(".py")


def _imports(path: Path, tree: ast.Module, package: Path) -> Iterator[tuple[str, int]]:
    """The absolute dotted name of everything that a module imports, wherever it does so."""
    here = (package.name, *path.relative_to(package).parent.parts)
    for node in _nodes(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(here[: len(here) - node.level + 1]) if node.level else ""
            source = ".".join(part for part in (base, node.module) if part)
            yield from ((f"{source}.{alias.name}", node.lineno) for alias in node.names)
        elif isinstance(node, ast.Call) and _is_dynamic_import(node.func):
            yield from (
                (argument.value, node.lineno)
                for argument in node.args
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
            )


def _named(node: ast.AST) -> Iterator[tuple[str, int]]:
    """The parameter or the fields that `node` declares."""
    if isinstance(node, ast.arg):
        yield node.arg, node.lineno
    elif isinstance(node, ast.ClassDef):
        for field in node.body:
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                yield field.target.id, field.lineno


def _is_dynamic_import(function: ast.expr) -> bool:
    # To unparse each call takes seconds.
    last = getattr(function, "attr", getattr(function, "id", ""))
    written = ("__import__", "import_module", "importlib.import_module")
    return last in ("__import__", "import_module") and ast.unparse(function) in written


def _is_within(name: str, modules: tuple[str, ...]) -> bool:
    return any(name == module or name.startswith(module + ".") for module in modules)


def _is_impure_os(name: str) -> bool:
    """Whether `from os import x` brought something that asks the machine."""
    top, _, rest = name.partition(".")
    if top != "os" or not rest:
        return False
    module, _, member = rest.partition(".")
    return member not in ("", *PURE_OS_PATH) if module == "path" else module not in PURE_OS


def _touches_the_machine(node: ast.Call | ast.Attribute) -> bool:
    if isinstance(node, ast.Attribute):
        return _is_impure_os(ast.unparse(node))
    if isinstance(node.func, ast.Name):
        return node.func.id == "open"
    if not isinstance(node.func, ast.Attribute):
        return False
    method = node.func.attr
    if method in PATH_QUESTIONS:
        return not node.args
    if method == "open":
        return not node.args or isinstance(node.args[0], ast.Constant)
    return method in PATH_ACTIONS or ast.unparse(node.func) in ("Path.home", "Path.cwd")


def _package(folder: Path, file: str, code: str) -> Path:
    """A package of one module."""
    package = folder / PACKAGE.name
    target = package / file
    target.parent.mkdir(parents=True)
    target.write_text(code, encoding="utf-8")
    return package


def _loaded_by(commands: tuple[tuple[str, ...], ...], source: Path, folder: Path) -> list[str]:
    """Which of the slow packages are in memory after a process has answered all `commands`."""
    agents = folder / "shop" / ".codex" / ".agents"
    agents.mkdir(parents=True)
    (folder / "shop" / ".git").mkdir()
    template = "---\ndescription: Reviews.\nallow_list: [exec_command]\n---\nReview.\n"
    (agents / "reviewer.md").write_text(template, encoding="utf-8")
    script = (
        "import json, sys; from agent_lsp.cli import main;"
        "code = max(map(main, json.loads(sys.argv[1])));"
        "slow = [name for name in ('lsprotocol', 'pydantic', 'pygls') if name in sys.modules];"
        "print(); print(json.dumps([code, slow]))"
    )
    homes = {name: str(folder) for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA")}
    homes |= {"CODEX_HOME": str(folder / "codex"), "XDG_CONFIG_HOME": str(folder / "config")}
    answer = subprocess.run(
        [sys.executable, "-c", script, json.dumps(commands)],
        cwd=folder / "shop",
        env={**os.environ, **homes, "PYTHONPATH": str(source)},
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    code, slow = json.loads(answer.stdout.splitlines()[-1])
    assert code == 0
    return [str(name) for name in slow]
