"""The cards somebody has played on a server, noted when they sit down or begin a daily challenge."""

from bot.domain.table import note_cards
from bot.services import lobby
from bot.services.core import Person
from bot.store.leaderboard import load_practised
from tests.bot.cores import open_one
from tests.bot.games import GUILD as CLUB
from tests.bot.games import Club, people, wins


async def test_the_cards_of_finished_games_were_practised_on_this_server_alone(games: Club) -> None:
    table = await games.end(people(101, 102), *wins(0))
    assert table.game is not None
    told = note_cards(ended.card for ended in table.game.finished)
    assert await games.core.database.read(load_practised, CLUB, 101) == told
    assert await games.core.database.read(load_practised, CLUB, 103) == ""
    assert await games.core.database.read(load_practised, CLUB + 1, 101) == ""
    opened = await open_one(games.core, Person(101, "Ada"), channel_id=9, guild_id=CLUB)
    joined = await lobby.join_table(games.core, opened.id, Person(103, "Cem"))
    assert [seat.practised for seat in joined.seats] == [told, ""]
    assert [seat.newcomer for seat in joined.seats] == [False, True]
