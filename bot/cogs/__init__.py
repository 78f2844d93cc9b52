"""Slash commands and buttons. Each calls one use case and gives one answer."""
