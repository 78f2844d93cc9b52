"""Dares: a player offers the dice of a finished game to others, who play with them."""

import secrets
from datetime import datetime

from sqlalchemy import Connection

from bot.domain.challenge import Attempt
from bot.domain.dare import Dare, Dares, may_dare
from bot.domain.errors import Refused
from bot.locales import _
from bot.services.challenge import Change, Rules, change_attempt, resume_attempt, start_attempt
from bot.services.core import Core, Person, get_closed_table
from bot.services.facts import MessagesOutdated, MessagesReplaced
from bot.services.lobby import TABLE_ID_BYTES
from bot.store import dare as store
from bot.store.challenge import load_attempt
from bot.store.database import LockScope, hold_challenge, lock_games, lock_subjects
from bot.store.table import load_table
from highscore.odds.facts import compute_averages


def not_offered() -> str:
    return _("This dare is no longer available.")


def _show_finished(
    connection: Connection, _before: Attempt[Dare], after: Attempt[Dare], now: datetime
) -> Attempt[Dare]:
    if after.finished_at is not None:
        store.redraw_dares(connection, [after.challenge.table.id], now + store.REDRAW_DELAY)
    return after


DARES = Rules(store.load_dare, not_offered, count=_show_finished)


async def offer_dare(core: Core, table_id: str, person: Person) -> tuple[Dares, int | None]:
    """Offer the dice of a person's seat to others, if they have not done so. Return all dares of the game, and the id
    of the message that shows them, if any. Raise Refused if the game is not finished, or if the person has not played
    in it.
    """
    game = (await get_closed_table(core, table_id)).game
    cards = () if game is None else tuple(ended.card for ended in game.finished)
    averages = await core.helper.run(compute_averages, cards)

    def work(connection: Connection) -> tuple[Dares, int | None]:
        # The deletion of the person's data locks the game, too. Without the lock, a dare could be stored after it.
        lock_games(connection, table_id)
        table, now = load_table(connection, table_id), core.now()
        seat = None if table is None else table.seat_of(person.user_id)
        if table is None or seat is None or not may_dare(table, seat):
            raise Refused(_("Only players of a finished game can dare others to play with their dice."))
        if seat not in [dare.seat for dare in store.load_dares(connection, table).dares]:
            offered = Dare(
                id=secrets.token_hex(TABLE_ID_BYTES),
                guild_id=table.guild_id,
                cards_name="",
                ends_at=now,
                closed_at=now,
                locale=table.locale,
                deck=table.deck,
                averages=averages,
                seed=table.seed,
                seal=table.seal,
                table=table,
                seat=seat,
                user_id=person.user_id,
            )
            store.add_dare(connection, offered, now)
        return store.load_dares(connection, table), store.find_message(connection, table_id)

    return await core.database.write(work)


async def save_message(core: Core, shown: Dares, message_id: int) -> None:
    """Store which message shows the dares of a game, and have an earlier message deleted. Redraw the message if the
    dares have changed since ``shown``.
    """

    def work(connection: Connection) -> None:
        table, now = shown.table, core.now()
        lock_games(connection, table.id)
        store.replace_message(connection, table, message_id, now)
        if store.load_dares(connection, table) != shown:
            store.redraw_dares(connection, [table.id], now)

    await core.database.write(work)
    core.facts.publish(MessagesOutdated(), MessagesReplaced())


async def find_dare(core: Core, dare_id: str) -> Dare:
    """Return a dare. Raise Refused if there is none with this id."""
    if (dare := await core.database.read(store.load_dare, dare_id)) is None:
        raise Refused(not_offered())
    return dare


async def take_dare(core: Core, dare_id: str, person: Person, channel_id: int) -> Attempt[Dare]:
    """Return a person's attempt at a dare. Begin it if they have not. Raise Refused if the dare is no longer available,
    or if the person had a seat at the table.
    """

    def work(connection: Connection, now: datetime) -> Change[Dare]:
        hold_challenge(connection, dare_id)
        lock_subjects(connection, LockScope.PERSON, person.user_id)
        if (dare := store.load_dare(connection, dare_id)) is None:
            raise Refused(not_offered())
        if dare.table.seat_of(person.user_id) is not None:
            raise Refused(_("You played at this table and have seen the dice, so this dare is for others."))
        if (before := load_attempt(connection, dare, person.user_id)) is None:
            return None, start_attempt(connection, dare, person, channel_id, now)
        return before, resume_attempt(before, person, channel_id)

    return await change_attempt(core, person, work)
