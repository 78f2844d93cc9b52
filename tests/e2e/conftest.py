from tests.bot.conftest import database_url, keycaps, rare_looks, same_chance, settings, slow_house
from tests.error_log import error_log

__all__ = ["database_url", "error_log", "keycaps", "rare_looks", "same_chance", "settings", "slow_house"]
