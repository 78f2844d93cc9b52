"""The log, the metrics and the ids of what is being worked on. Loads neither discord, sqlalchemy nor aiohttp."""
