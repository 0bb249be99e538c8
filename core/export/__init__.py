"""Photos out of the library: copies for others, sidecars for other programs, the system's trash.

Only what is asked for here by name writes outside the library's own folder. A copy says nothing of
places, devices and people unless the user keeps that; originals are never written.
"""
