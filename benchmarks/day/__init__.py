"""A day at tables whose people are not there together."""
