"""Previews what a runtime call would answer, before anybody makes it."""
