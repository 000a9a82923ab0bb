"""Previews the answer of a runtime to a call, without making the call."""
