"""The only threads of the window."""
