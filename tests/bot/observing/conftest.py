from tests.bot.operations.conftest import tavern

__all__ = ["tavern"]
