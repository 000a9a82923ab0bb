"""The names of semantic tokens, which `initialize` tells before the analysis is loaded."""

from lsprotocol import types

LEGEND = types.SemanticTokensLegend(
    ["macro", "class", "function", "regexp"],
    # What is taken away from an agent looks like what should no longer be used.
    ["declaration", "deprecated"],
)
