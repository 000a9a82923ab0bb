"""A block belongs to no declared persona."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header, known_keys, personas
from agent_lsp.analysis.checks.messages import code, listed, refused
from agent_lsp.analysis.checks.model import Finding, Related, Rule
from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on the marker of each block that no persona declares."""
    key = file.dialect.key_with_role(KeyRole.PERSONAS)
    if key is None:
        return
    meant = personas.pairs(file)
    in_code = personas.markers_in_code(file)
    for fault in personas.undeclared(file):
        persona = meant.get(fault)
        thing = f"{code(key.name)} has no {code(fault.got)}"
        if persona is not None:
            fix = f"did you mean {code(persona.got)}? write the same name in both places"
            related = (Related(file.path, persona.span, "this persona has no block"),)
            yield Finding(fault.span, refused(file, thing, fix), related=related)
        elif fault.span in in_code:
            thing = f"a marker counts in a code block, too, and {thing}"
            yield Finding(fault.span, refused(file, thing, f"{personas.EXAMPLE}, else declare it"))
        else:
            yield Finding(fault.span, refused(file, thing, "declare it"))
    if header.loads(file) and known_keys.has_undeclared_blocks(file):
        yield _undeclared(file, key)


def _undeclared(file: TemplateFile, key: Key) -> Finding:
    """One finding for all blocks of a file that declares no personas."""
    blocks = file.reading.effective.blocks[1:]
    names = listed((block.name or "" for block in blocks), "and")
    listing, spawning = code(file.dialect.list_call), code(file.dialect.spawn_call)
    them = "it" if len(blocks) == 1 else "them"
    loss = f"{listing} refuses the template, while {spawning} takes {them} by name"
    top = next(iter(header.levels(file)), None)
    misspelt = known_keys.misspelt(file, top, key.name) if top else None
    if misspelt is not None:
        thing = f"unknown key {code(misspelt.name or '')}, and no {code(key.name)} for {names}"
        message = f"{thing}: {loss}; did you mean {code(key.name)}?"
        return Finding(misspelt.key.span, message, meant=(key.name,))
    message = f"{names} without {code(key.name)}: {loss}; declare {them}"
    in_code = personas.markers_in_code(file)
    if all(span in in_code for block in blocks for span in block.markers):
        thing = f"{names} in a code block, where a marker counts, too, without {code(key.name)}"
        message = f"{thing}: {loss}; {personas.EXAMPLE}"
    return Finding(blocks[0].markers[0], message)


RULE = Rule("block-without-persona", check)
