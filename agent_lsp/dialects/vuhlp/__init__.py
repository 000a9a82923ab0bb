"""Role templates of vuhlp: `docs/templates/<role>.md`, with a `[template]` block on top."""

from agent_lsp.dialects.folders import CommonFolder
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.vocabulary import Consequence
from agent_lsp.dialects.vuhlp import facts, policy, preamble
from agent_lsp.dialects.vuhlp.artifacts import artifacts
from agent_lsp.dialects.vuhlp.listing import list_agents
from agent_lsp.dialects.vuhlp.mentions import mentions
from agent_lsp.dialects.vuhlp.places import place
from agent_lsp.dialects.vuhlp.remarks import remarks
from agent_lsp.dialects.vuhlp.severities import SEVERITIES
from agent_lsp.dialects.vuhlp.spawning import spawn
from agent_lsp.syntax import toml

_NOTHING_LOST = "the whole file is sent all the same"

DIALECT = Dialect(
    id="vuhlp",
    title="vuhlp role templates",
    runtime="vuhlp (Volpestyle/vuhlp-code)",
    source=facts.SOURCE,
    keys=facts.KEYS,
    tools=policy.TOOLS,
    models=(),
    globs=(),
    scopes=facts.SCOPES,
    consequence=Consequence(header_refused=_NOTHING_LOST, header_absent=_NOTHING_LOST),
    severities=SEVERITIES,
    list_call="templates",
    list_parameters=facts.LIST_PARAMETERS,
    spawn_call="spawn_node",
    spawn_parameters=facts.SPAWN_PARAMETERS,
    name_of=preamble.name_of,
    split=preamble.cut,
    read=preamble.read,
    matches=policy.matches,
    is_pattern=policy.is_pattern,
    cannot_tell=policy.cannot_tell,
    toolset=policy.toolset,
    list_agents=list_agents,
    spawn=spawn,
    syntax=toml.parse,
    remarks=remarks,
    word_at=place,
    common=CommonFolder(
        preamble.has_block, frozenset(facts.ROLES), facts.DAEMON, "a `[template]` block"
    ),
    is_header_optional=True,
    lists_links=False,
    mentions=mentions,
    artifact_files=artifacts,
    notes=facts.NOTES,
)
