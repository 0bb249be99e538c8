"""The library screen: the grid, its folders and its problems."""
