"""Committed moves a second: the bot and a plain ORM version of the same transaction, side by side."""
