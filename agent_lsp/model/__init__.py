"""Describes one agent system, in words that hold for all of them."""
