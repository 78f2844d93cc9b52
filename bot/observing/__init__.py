"""The log, the metrics and the interactions in flight. Imports neither discord, sqlalchemy nor aiohttp."""
