"""The engine of photoapp: photos in, answers out; knows nothing of windows."""
