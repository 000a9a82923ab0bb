"""Keeps the server's state and the client's in step."""
