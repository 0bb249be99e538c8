"""Names of places, offline: GeoNames' places by reverse_geocode, countries by zone polygons."""
