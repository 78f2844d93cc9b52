"""Slash commands and buttons, each mapped onto a use case and its answer."""
