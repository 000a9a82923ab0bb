"""Describes an agent system in terms that hold for every system."""
