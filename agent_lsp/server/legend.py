"""The names of semantic tokens, which `initialize` tells before the analysis is loaded."""

from lsprotocol import types

LEGEND = types.SemanticTokensLegend(
    ["macro", "class", "function", "regexp"],
    # A denied tool looks like a deprecated one.
    ["declaration", "deprecated"],
)
