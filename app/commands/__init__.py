"""The commands of the command line, one verb a file; none knows Qt."""
