"""A database with something in every table, made through the use cases: to be backed up, restored and copied."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import SecretStr
from sqlalchemy import Column, Connection, func, insert, select, update

from bot.config import Settings
from bot.domain import cup, cup_leg
from bot.domain.badges import Badge
from bot.domain.notify import CallKind, Notify
from bot.domain.table import Status
from bot.services import away, cancelling, daily, lobby, privacy, setup
from bot.services.core import Core, Person, Place
from bot.services.lobby import NewTable
from bot.store import models, reminders, sharing
from tests.bot import attempts
from tests.bot.databases import empty_sqlite, run_apart
from tests.bot.games import GUILD, NOW, club, people, random_seats

USERS = (10**17 + 1, 10**17 + 2, 10**17 + 3, 2**62)
WORDS = {
    "badge": next(iter(Badge)).value,
    "format": cup_leg.Format.KNOCKOUT.value,
    "kind": CallKind.MESSAGE.value,
    "status": cup.Status.ENTRY.value,
    "what": cup.CupPost.ENTRY.value,
}
"""Values for columns that hold the values of an enum."""
GAMES = 4
"""Games that were played to the end."""
TABLES = GAMES + 3
"""All games that are stored: also one that is played, one that was closed and one in a lobby."""
ADA = Person(USERS[0], 'Ada \N{GAME DIE} o\'Neill \\ "x"')


async def stock(url: str) -> None:
    """Fill a database without rows; afterwards every table has some."""
    settings = Settings(_env_file=None, database_url=SecretStr(url))  # type: ignore[call-arg]
    async with club(settings) as made:
        for _game in range(GAMES):
            await made.finish(random_seats(made.rng, USERS))
            made.after(hours=5)
        playing = await made.play_on(await made.open(people(*USERS[:2])), rounds=3)
        core = made.core
        await _lobbies(core)
        await _play_daily(core)
        await setup.change_settings(core, GUILD, zone="Europe/Berlin")
        await away.set_wishes(core, ADA.user_id, Notify.DIRECT)
        await privacy.note_guild_left(core, GUILD + 1)

        def rest(connection: Connection) -> None:
            reminders.add_reminders(connection, playing.id, playing.deadline_scope, USERS[:2], NOW)
            sharing.add_old_message(connection, playing.id, playing.channel_id, 77, NOW)
            # Or a bot that starts on it would first be busy with them for some seconds.
            connection.execute(update(models.finished_games).values(review_owed=False))
            for table in models.metadata.sorted_tables:
                if not connection.scalar(select(func.count()).select_from(table)):
                    # What no use case here fills.
                    sample = {name: _sample(column) for name, column in table.c.items()}
                    sample |= {
                        each.parent.name: connection.scalar(select(each.column).limit(1)) for each in table.foreign_keys
                    }
                    connection.execute(insert(table).values(sample))

        await core.database.write(rest)


def _sample(column: Column[Any]) -> object:
    samples: dict[type, object] = {int: 1, float: 0.5, str: WORDS.get(column.name, "1"), bytes: b"1", bool: True}
    return samples.get(column.type.python_type, NOW)


async def _lobbies(core: Core) -> None:
    """Make a table that was closed before it began, and an open one, with a lucky word."""
    wishes = NewTable()
    closed = await lobby.open_table(core, ADA, Place(GUILD, 8, "en"), wishes)
    await cancelling.cancel_table(core, closed.id, ADA)
    table = await lobby.open_table(core, ADA, Place(GUILD, 9, "de"), wishes)
    assert table.status is Status.LOBBY
    await lobby.set_lucky_word(core, table.id, ADA, "Glücksklee ☘")


async def _play_daily(core: Core) -> None:
    attempt = await daily.begin_attempt(core, ADA, Place(GUILD, 5, "en"))
    for _move in range(5):
        attempt = await attempts.decide(core, daily.DAYS, attempt)


@cache
def _stocked() -> bytes:
    with TemporaryDirectory() as folder:
        run_apart(stock(empty_sqlite(Path(folder))))
        return (Path(folder) / "games.sqlite3").read_bytes()


def stocked(file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(_stocked())
    return file
