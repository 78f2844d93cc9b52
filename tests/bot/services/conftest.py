import pytest

from bot.services.core import Core
from tests.bot.services.clocked import Clocked
from tests.bot.services.cups import Cups


@pytest.fixture
def play(core: Core) -> Clocked:
    return Clocked(core)


@pytest.fixture
def cups(core: Core) -> Cups:
    return Cups(core)
