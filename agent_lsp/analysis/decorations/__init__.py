"""Finds what an editor draws into a template: code lenses, inlay hints, semantic tokens."""
