"""The library on disk: SQLite through SQLAlchemy; rows never leave this package."""
