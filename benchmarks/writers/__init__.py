"""Committed moves a second: the bot, a plain ORM version of the same transaction, and the bare driver, side by side."""
