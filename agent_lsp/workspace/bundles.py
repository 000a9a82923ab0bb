"""Finds folders that hold templates because of a manifest, such as those of plugins.

Invariants: the system reads the manifest; this module only finds it, and the folders and files that
it names, also for the bundles that are installed on the machine. The search goes up to the first
folder with `.git`. The result is stored until a caller reports a change of the disk or of the text.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from agent_lsp.data_classes import replace
from agent_lsp.model.discovery import Bundle, Manifests, ScopeRule
from agent_lsp.model.runtime import Scope
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.paths import HostPaths, folded, led, on_machine

_BUNDLES = Memo[Bundle | None](Lifetime.TREE)
# The highest folder with manifests, at or above each folder, by its text.
_TOPS = Memo[dict[str, Path | None]](Lifetime.TREE)


def bundle_of(manifests: Manifests, base: Path, files: Files) -> Bundle | None:
    """The bundle that the manifests for the folder `base` describe, or None if there is none."""
    # Called at every keystroke for each file of a plugin's folder.
    return _BUNDLES.get(files, None, (manifests, base), lambda: _bundle_of(manifests, base, files))


def bundle_with(manifests: Manifests, folder: Path, files: Files) -> Path | None:
    """The folder of the bundle whose manifests name files in `folder`, or None."""
    top = _top(manifests, folder, files)
    for base in (folder, *folder.parents) if top is not None else ():
        found = bundle_of(manifests, base, files)
        if found is not None and folder in _listed(found, base):
            return base
        if base == top or files.exists(base / ".git"):
            return None
    return None


def bundles_of(
    rule: ScopeRule, root: Path, host_paths: HostPaths, files: Files
) -> Iterator[tuple[Path, Bundle]]:
    """The bundles that a session in `root` loads, each with its folder: its own one first."""
    if rule.manifests is None:
        return
    others = ((folder, prefix) for prefix, folder in installed(rule, root, host_paths, files))
    for base, prefix in ((root, ""), *others):
        found = bundle_of(rule.manifests, base, files) or Bundle(prefix)
        if found.prefix and not found.lost:
            yield base, found


def lacks_bundles(rule: ScopeRule, root: Path, host_paths: HostPaths, files: Files) -> bool:
    """Whether a session in `root` has bundles that are not on this machine."""
    return rule.installed is not None and rule.installed.are_missing(
        texts_of(rule.installed.files, root, host_paths, files)
    )


def installed(
    rule: ScopeRule, root: Path, host_paths: HostPaths, files: Files
) -> Iterator[tuple[str, Path]]:
    """The prefixes and folders of installed bundles for a session in `root`."""
    if rule.installed is None:
        return
    texts = texts_of(rule.installed.files, root, host_paths, files)
    # Most machines have no installed bundles, and need not load code for them.
    if texts[0] is not None:
        for prefix, folder in rule.installed.bundles(texts, str(root)):
            yield prefix, type(root)(folder)


def texts_of(
    records: Iterable[tuple[str, ...]], root: Path, host_paths: HostPaths, files: Files
) -> tuple[str | None, ...]:
    """The texts of `records`, each of which has alternatives; None for a missing file."""
    paths = (_named_file(alternatives, root, host_paths) for alternatives in records)
    found = (files.read(path) if path is not None else None for path in paths)
    return tuple(file.text if file is not None else None for file in found)


def scopes_of(
    rule: ScopeRule, base: Path, files: Files, prefix: str | None = None
) -> Iterator[Scope]:
    """The scopes that a session finds in the bundle `base`: its folders, and those of its files.

    With a `prefix`, `base` is a bundle even without a manifest.
    """
    found = bundle_of(rule.manifests, base, files) if rule.manifests is not None else None
    if found is None and prefix is not None:
        found = Bundle(prefix)
    if found is None or found.lost:
        return
    tops = tuple(base / relative for relative in rule.folders)
    if not found.replaced:
        yield from (
            scope_in(rule, found, base, top, top)
            for top in map(files.spelt, filter(files.is_folder, tops))
        )
    for folder in _listed(found, base):
        top = next((top for top in tops if top in (folder, *folder.parents)), None)
        if (top is None or found.replaced) and files.is_folder(folder):
            yield scope_in(rule, found, base, top or folder, folder)


def scope_in(rule: ScopeRule, found: Bundle, base: Path, top: Path, folder: Path) -> Scope:
    """The scope of `folder` in the bundle `base`; `top` is the rule's folder above it.

    If the manifest replaces a folder, the files that it does not name are lost.
    """
    owns = (base / relative for relative in rule.folders)
    is_own = any(folded(str(top)) == folded(str(own)) for own in owns)
    place = Scope(
        rule.kind,
        rule.label,
        top,
        reaches_down=False,
        deep=rule.deep,
        prefix=found.prefix,
        form=rule.form,
        lost=found.lost,
        is_header_optional=rule.is_header_optional,
    )
    if is_own and not found.replaced:
        return place
    prefix, only = _listed(found, base).get(folder, (found.prefix, frozenset[str]()))
    lost = found.lost or (found.replaced if is_own else "")
    return replace(place, folder=folder, deep=False, prefix=prefix, only=only, lost=lost)


def _bundle_of(manifests: Manifests, base: Path, files: Files) -> Bundle | None:
    own = _text(base / manifests.own, files)
    indexes = []
    for above in (base, *base.parents):
        text = _text(above / manifests.index, files)
        if text is not None:
            indexes.append((text, base.relative_to(above).as_posix()))
        if files.exists(above / ".git"):
            break
    if own is None and not indexes:
        return None
    return manifests.bundle(own, tuple(indexes), base.name)


def _text(path: Path, files: Files) -> str | None:
    file = files.read(path) if files.exists(path) or files.is_open(path) else None
    return file.text if file is not None else None


def _listed(found: Bundle, base: Path) -> dict[Path, tuple[str, frozenset[str]]]:
    """The file names in the manifests, by folder, with the prefix of their agents."""
    listed: dict[Path, tuple[str, frozenset[str]]] = {}
    for name, prefix in found.files:
        relative = PurePosixPath(name)
        # In one part of a path, a manifest may have the separators of Windows.
        if led(base / relative.parent, relative.name) is None or led(base, name) is None:
            continue
        first, names = listed.get(base / relative.parent, (prefix, frozenset[str]()))
        listed[base / relative.parent] = first, names | {relative.name}
    return listed


def _top(manifests: Manifests, folder: Path, files: Files) -> Path | None:
    """The highest folder with manifests, at or above `folder`, or None."""
    # Called for each folder of a workspace; few have manifests above them. Texts are quicker to
    # look up than paths.
    kept = _TOPS.get(files, None, manifests, dict[str, Path | None])
    unknown = []
    while (text := str(folder)) not in kept:
        unknown.append((text, folder))
        above = folder.parent
        if above is folder:
            kept[text] = None
            break
        folder = above
    top = kept[text]
    for text, below in reversed(unknown):
        # Below a folder with manifests, others do not matter.
        if top is None and files.exists(below / manifests.folder):
            top = below
        kept[text] = top
    return top


def _named_file(alternatives: tuple[str, ...], root: Path, host_paths: HostPaths) -> Path | None:
    """The file that `alternatives` mean in a session that starts in `root`."""
    place = next(iter(on_machine(alternatives, host_paths)), None)
    is_own = any(not one.startswith(("$", "~")) for one in alternatives)
    return root / alternatives[0] if is_own else place
