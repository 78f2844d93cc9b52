"""Fixtures of the tests of the bot."""

from tests.bot.fixtures import error_log, same_chance, server, settings, slow_retries

__all__ = ["error_log", "same_chance", "server", "settings", "slow_retries"]
