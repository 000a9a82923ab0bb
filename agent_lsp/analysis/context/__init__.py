"""What stands at a cursor: the completion context."""
