"""Slash commands and buttons. Each usually calls one use case, and gives one answer."""
