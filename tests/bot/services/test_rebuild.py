import asyncio
from collections.abc import Sequence
from functools import partial

import pytest
from click.testing import CliRunner, Result

from bot.cli import main
from bot.config import Settings
from bot.domain.ledger import Rating
from bot.domain.outcome import Review
from bot.services import leaderboard as rebuilding
from bot.services.leaderboard import check_formula, rebuild
from bot.store import results as store
from tests.bot.games import BOOKS, Club, club, house, people, person, random_seats

pytestmark = pytest.mark.both_databases

GUILDS = (7, 8)
USERS = (11, 12, 13, 14, 15, 16)


async def _season_of_games(games: Club, number: int) -> None:
    """Return some games of two servers over some months, a part of them reviewed."""
    for _ in range(number):
        games.after(hours=games.rng.choice((0, 1, 30, 24 * 40)))
        away = {at: games.rng.randint(0, 7) for at in range(5) if games.rng.random() < 0.4}
        table = await games.finish(random_seats(games.rng, USERS), games.rng.choice(GUILDS), away)
        if games.rng.random() < 0.6:
            made = {at: Review(games.rng.randint(-(9**7), 9**7), games.rng.randint(0, 9**7), 20) for at in range(5)}
            await games.core.database.write(partial(store.save_reviews, game_id=table.id, reviews=made))


async def test_a_rebuild_gives_the_rows_that_the_games_wrote(games: Club) -> None:
    await _season_of_games(games, 16)
    written = await games.books()
    assert len(written["finished_games"]) == 16
    assert (await rebuild(games.core)).games == 16
    assert await games.books() == written


async def test_everything_that_was_lost_but_when_games_ended_comes_back_from_the_event_logs(games: Club) -> None:
    for _ in range(8):
        games.after(days=11)
        await games.finish(random_seats(games.rng, USERS))
    written = await games.books()
    for name in set(BOOKS) - {"finished_games", "seasons"}:
        await games.write(f"delete from {name}")  # noqa: S608
    await rebuild(games.core)
    assert await games.books() == written
    await games.write("delete from results")
    await games.write("delete from finished_games")
    assert "is not known" in (await rebuild(games.core)).failed[0]


async def test_the_command_rebuilds_and_names_a_game_whose_events_do_not_fit(settings: Settings) -> None:
    url = settings.database_url.get_secret_value()

    async def rebuild_without(rows: str) -> Result:
        async with club(settings) as games:
            await games.write(f"delete from {rows}")  # noqa: S608
        return await asyncio.to_thread(CliRunner().invoke, main, ["rebuild"], env={"DATABASE_URL": url})

    async with club(settings) as games:
        await games.finish(people(11, 12))
        await games.finish(people(11, 12), 8)
        written = await games.books()
    done = await rebuild_without("standings")
    assert (done.exit_code, done.stdout) == (0, "Rebuilt 2 games of 2 servers.\n"), done.output
    async with club(settings) as games:
        assert await games.books() == written
    done = await rebuild_without("events where game_id = '000000000001' and seq = 2")
    assert (done.exit_code, done.stdout) == (1, "Rebuilt 1 games of 1 servers.\n")
    assert "Server 7 was left unchanged: the events of game 000000000001 do not fit" in done.stderr
    async with club(settings) as games:
        assert await games.books() == written


async def test_a_change_of_the_formula_is_noticed_and_a_rebuild_rates_everything_by_it(
    games: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert await check_formula(games.core)
    for _ in range(3):
        await games.finish(people(11, 12, 13))
    await games.finish([*people(11), house()])
    before = await games.books()
    assert await check_formula(games.core)

    def flat(ratings: Sequence[Rating], places: Sequence[int]) -> tuple[Rating, ...]:
        return tuple(Rating(one.mu + 5 - place, 1.0) for one, place in zip(ratings, places, strict=True))

    for module in (rebuilding, store):
        monkeypatch.setattr(module, "FORMULA", 99)
    monkeypatch.setattr("bot.domain.ledger.rate_game", flat)
    assert not await check_formula(games.core)
    assert "highscore-bot rebuild" in caplog.text
    await rebuild(games.core)
    assert await check_formula(games.core)
    after = await games.books()
    assert {row[7] for row in after["finished_games"]} == {99, None}
    assert [row[:7] for row in after["finished_games"]] == [row[:7] for row in before["finished_games"]]
    places = await games.rows("select place from results where user_id = 11 and mu_after is not null")
    assert (await games.standing(11))["mu"] == 25 + sum(5 - place for (place,) in places)


async def test_a_rebuild_converts_what_was_stored_under_the_old_rule_but_no_closed_season(games: Club) -> None:
    """Under the old rule a game could count for one side, and a house player could take the win away."""

    async def play_some() -> None:
        await games.finish(people(11, 12))
        await games.finish([person(11), person(12, counts=False)])
        await games.finish([house(), *people(11, 12)])

    await play_some()
    games.after(days=100)
    await play_some()
    fresh = await games.books()
    await games.write("update finished_games set formula = 2")
    await games.write("update results set mu_after = 55 where user_id is not null")
    await games.write("update standings set rating = 79.175, mu = 80, wins = 6, rated = 6, opponents = 0, counted = 0")
    closed = "select * from standings where period in ('2026-01', '2026-Q1') order by period, user_id"
    before = await games.rows(closed)
    assert not await check_formula(games.core)
    for _again in range(2):
        assert (await rebuild(games.core)).games == 6
        assert await check_formula(games.core)
        assert await games.rows(closed) == before
        after = await games.books()
        assert {name: after[name] for name in BOOKS if name != "standings"} == {
            name: fresh[name] for name in BOOKS if name != "standings"
        }
        is_open = [row for row in fresh["standings"] if row[1] not in ("2026-01", "2026-Q1")]
        assert [row for row in after["standings"] if row[1] not in ("2026-01", "2026-Q1")] == is_open
    eleven = await games.standing(11)
    assert [eleven[name] for name in ("games", "rated", "counted", "opponents")] == [6, 4, 4, 1]
