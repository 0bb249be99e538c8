"""One photo, large, and what is known of it."""
