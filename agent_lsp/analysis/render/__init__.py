"""Renders answers as Markdown."""
