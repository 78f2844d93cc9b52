"""Fixtures of the end-to-end tests."""

from tests.bot.fixtures import error_log, same_chance, server, settings, slow_retries

__all__ = ["error_log", "same_chance", "server", "settings", "slow_retries"]
