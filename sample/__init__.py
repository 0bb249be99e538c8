"""The first run: a library of sample photographs, one search, one story, one page of answers."""
