"""Answers as Markdown."""
