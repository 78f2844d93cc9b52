"""How a person wants to be reminded of their turn."""

from bot.services.core import Core
from bot.store.settings import save_notify


async def set_notify(core: Core, user_id: int, notify: str) -> None:
    """Remember how a person wants to be reminded."""
    await core.database.write(save_notify, user_id, notify, core.now())
