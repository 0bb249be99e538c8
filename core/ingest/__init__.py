"""From a folder of files to a library of photos."""
