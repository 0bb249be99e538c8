"""Order in time: zones, homes, sessions and trips, made again where photos have changed."""
