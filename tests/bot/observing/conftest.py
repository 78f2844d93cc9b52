"""The fake Discord with real sockets, for the tests of interactions in flight."""

from tests.bot.operations.conftest import tavern

__all__ = ["tavern"]
