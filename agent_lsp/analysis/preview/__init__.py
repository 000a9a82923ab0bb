"""What a runtime call would answer, before anybody makes it."""
