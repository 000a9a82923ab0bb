"""What one agent system is, in words that hold for all of them."""
