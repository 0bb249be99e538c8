"""What is said of a file whose parts are not where they should be."""


class Malformed(ValueError):
    """A file cannot be rewritten part by part; its picture may still be read."""
