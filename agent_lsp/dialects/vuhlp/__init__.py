"""Role templates of vuhlp: `docs/templates/<role>.md`, with a `[template]` block on top.

Not in the list of dialects yet: what the functions here know is not offered to anybody.
"""
