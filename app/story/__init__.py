"""The story screen: a brief, the strip that answers it, and alternatives."""
