"""The cards somebody has played on a server, noted when they sit down or begin a daily challenge."""

from datetime import date

from bot.domain.challenge import Attempt
from bot.domain.daily import Daily, daily_number
from bot.domain.practised import note_cards
from bot.services import lobby
from bot.services.core import Core, Person
from bot.store.leaderboard import load_practised
from highscore.cards import Card
from tests.bot.cores import ADA, CHANNEL, GUILD
from tests.bot.games import GUILD as CLUB
from tests.bot.games import Club, people, wins
from tests.bot.services.days import Days


async def test_the_cards_of_finished_games_were_practised_on_this_server_alone(games: Club) -> None:
    table = await games.end(people(101, 102), *wins(0))
    assert table.game is not None
    told = note_cards(ended.card for ended in table.game.finished)
    assert await games.core.database.read(load_practised, CLUB, 101) == told
    assert await games.core.database.read(load_practised, CLUB, 103) == ""
    assert await games.core.database.read(load_practised, CLUB + 1, 101) == ""
    opened = await lobby.open_table(games.core, Person(101, "Ada"), guild_id=CLUB, channel_id=9, locale="en")
    joined = await lobby.join_table(games.core, opened.id, Person(103, "Cem"))
    assert [seat.practised for seat in joined.seats] == [told, ""]
    assert [seat.newcomer for seat in joined.seats] == [False, True]


async def test_the_cards_of_a_day_are_known_the_next_day(core: Core) -> None:
    def cards(attempt: Attempt[Daily]) -> list[Card]:
        return [card for card, _turn in attempt.run.finished]

    days = Days(core)
    days.turn_to("2026-03-09 12:00")
    first = await days.play(await days.begin(), 2)
    assert first.practised == ""
    assert all(first.knows(card) for card in cards(first))
    days.turn_to("2026-03-10 12:00")
    second = await days.finish()
    assert second.practised == note_cards(cards(first))
    days.turn_to("2026-03-11 12:00")
    assert (await days.begin()).practised == note_cards(cards(second), second.practised)
    assert await days.core.database.read(load_practised, GUILD, ADA.user_id + 1) == ""
    assert (await lobby.open_table(days.core, ADA, guild_id=GUILD, channel_id=CHANNEL, locale="en")).seats[0].practised


async def test_the_cards_of_challenges_that_were_played_by_turns_are_known(core: Core) -> None:
    days = Days(core)
    days.turn_to("2026-03-10 12:00")
    today = await days.begin()
    past = await days.play(await days.begin(number=daily_number(date(2026, 3, 9))), 2)
    assert past.practised == ""
    today = await days.play(today, 1)
    days.turn_to("2026-03-11 12:00")
    both = note_cards(card for attempt in (today, past) for card, _turn in attempt.run.finished)
    assert (await days.begin()).practised == both
