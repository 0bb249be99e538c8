"""Whether a library is whole: health, leftovers, backups, numbers."""
