"""A list of tools names an agent that there is not."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.model import Finding, Rule
from agent_lsp.analysis.suggest import fold, nearest
from agent_lsp.model.schema import Severity
from agent_lsp.workspace.snapshot import TemplateFile, catalog


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each name in the lists of tools that is no agent's."""
    if file.dialect.mentions is None or not file.dialect.takes_agents or not header.loads(file):
        return
    # A prompt may show how agents are called, or speak of those of other projects.
    named = tuple(one for one in file.dialect.mentions(file.document) if one.is_call)
    # All names are looked up only for a file that speaks of some.
    known = catalog(file.workspace, file.dialect, file.root).names if named else ()
    # Whether agents of one plugin may leave its name out is not known.
    folded = {fold(part) for name in known for part in (name, name.rpartition(":")[2])}
    for mention in named:
        name = mention.name
        # What has a colon is a plugin's, which may be anywhere.
        if ":" in name or fold(name) in folded:
            continue
        thing = f"no agent is called {code(name)}"
        meant = nearest(name, known)
        if meant is not None:
            message = f"{thing}; did you mean {code(meant)}?"
            yield Finding(mention.span, message, Severity.WARNING, meant=(meant,))
        else:
            message = f"{thing}, unless a plugin or the command line brings one"
            yield Finding(mention.span, message)


RULE = Rule("unknown-agent", check)
