"""Many files become: who defines what, and who wins."""
