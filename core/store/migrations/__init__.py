"""The migration ladder, one rung a file."""
