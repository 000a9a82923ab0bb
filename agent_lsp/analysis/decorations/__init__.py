"""Decorates a template in an editor: code lenses, inlay hints and semantic tokens."""
