"""Text becomes nodes with spans; never fails, knows no vendor."""
