"""The front ends: command line and window; they know the engine, it never knows them."""
