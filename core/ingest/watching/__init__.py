"""Watching: from what the file system says to the folders that should be looked at again."""
