"""What a hover shows, one kind of place a module."""
