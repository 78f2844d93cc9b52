from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import Connection, insert

from bot.domain import ledger, outcome, timing
from bot.domain.table import Status, Table
from bot.services.setup import change_settings
from bot.store import results as store
from bot.store.leaderboard import load_results
from bot.store.models import records
from highscore.deck import STANDARD_DECK
from tests.bot.games import GUILD, Club, house, people, person, wins

pytestmark = pytest.mark.both_databases

ADA, BEN, CEM, DOT = 101, 102, 103, 104


async def test_a_finished_game_is_in_the_books(games: Club) -> None:
    table = await games.end(people(ADA, BEN), *wins(0))
    assert await games.rows("select seat, place, points, gold, silver, bronze, best from results order by seat") == [
        (0, 1, 21, 7, 0, 0, 20),
        (1, 2, 7, 0, 0, 7, 8),
    ]
    assert await games.rows("select game_id, season, month, players, people, formula from finished_games") == [
        (table.id, "2026-Q1", "2026-01", 2, 2, ledger.FORMULA)
    ]
    assert await games.rows("select distinct period from standings order by 1") == [
        ("2026-01",),
        ("2026-Q1",),
        ("all",),
    ]
    cards = "select distinct turns, total, gold, silver, bronze from card_standings where user_id = :user"
    assert await games.rows(cards, user=BEN) == [(1, 8, 0, 0, 1)]
    line = await games.standing(ADA)
    assert {name: line[name] for name in ("games", "wins", "points", "gold", "bronze", "best", "rated", "streak")} == {
        "games": 1, "wins": 1, "points": 21, "gold": 7, "bronze": 0, "best": 20, "rated": 1, "streak": 1,
    }  # fmt: skip


async def test_house_players_are_in_no_table_of_people_and_rate_nobody(games: Club) -> None:
    await games.end([house(), person(ADA), person(BEN)], *wins(0, 3))
    assert await games.rows("select seat, user_id, house, place, mu_after is null from results order by seat") == [
        (0, None, "steady", 1, 1), (1, ADA, None, 2, 0), (2, BEN, None, 3, 0),
    ]  # fmt: skip
    assert await games.rows("select distinct user_id from standings order by 1") == [(ADA,), (BEN,)]
    assert await games.rows("select distinct user_id from card_standings order by 1") == [(ADA,), (BEN,)]
    # The house had the best result on every card; the records are of the best person.
    assert await games.rows("select distinct result, user_id from records") == [(8, ADA)]
    winner, loser = await games.standing(ADA), await games.standing(BEN)
    assert (winner["wins"], loser["wins"]) == (1, 0), "nobody who began is ahead of her"
    expected = ledger.rate_game([ledger.BEGINNER, ledger.BEGINNER], [2, 3])
    assert [(line["mu"], line["sigma"]) for line in (winner, loser)] == [(one.mu, one.sigma) for one in expected]


@pytest.mark.parametrize("own", [1, 3, 4])
async def test_fewer_than_four_own_turns_are_a_lost_game_whatever_the_standings_say(games: Club, own: int) -> None:
    await games.end(people(ADA, BEN, CEM), *wins(0, 3))
    before = await games.standing(ADA)
    await games.end(people(ADA, BEN, CEM), *wins(0, 3), by_house={0: 7 - own})
    after, ben = await games.standing(ADA), await games.standing(BEN)
    gained = {name for name in ("mu", "rating", "wins", "points", "gold", "counted") if after[name] > before[name]}
    assert bool(gained) == (own >= 4)
    assert (after["rating"] < before["rating"]) == (own < 4)
    assert (after["streak"], after["longest"]) == ((2, 2) if own >= 4 else (-1, 1))
    assert (after["rated"], ben["wins"]) == (2, int(own < 4))
    last = "select mu_after, sigma_after from results where seat = 0 order by finished_at desc limit 1"
    assert await games.rows(last) == [(after["mu"], after["sigma"])]


async def test_who_made_fewer_than_four_turns_is_level_with_the_others_who_did_and_below_the_rest(games: Club) -> None:
    seats = people(ADA, BEN, CEM, DOT)
    await games.end(seats, *wins(0, 4), by_house={0: 4, 1: 6})
    for user_id, after in zip((ADA, BEN, CEM, DOT), ledger.rate_game([ledger.BEGINNER] * 4, [3, 3, 1, 2]), strict=True):
        line = await games.standing(user_id)
        assert (line["mu"], line["sigma"], line["opponents"]) == (after.mu, after.sigma, 3)
    assert (await games.standing(CEM))["wins"] == 1


async def test_what_fails_in_the_books_undoes_the_last_move_too(games: Club) -> None:
    table = await games.open(people(ADA, BEN))
    await games.write("drop table records")
    with pytest.raises(Exception, match="records"):
        await games.play_on(table)
    assert await games.rows("select status, version from games") == [("playing", 1)]
    assert await games.rows("select count(*) from finished_games") == [(0,)]


def _badges(table: Table) -> set[tuple[int, str]]:
    return {(news.seat, news.detail) for news in table.news if news.kind is timing.NewsKind.BADGE}


async def test_a_badge_is_earned_once_on_a_server_and_told_with_the_game_that_brought_it(games: Club) -> None:
    first = await games.end(people(ADA, BEN), *wins(0))
    assert _badges(first) >= {(0, "gold rush"), (0, "start to finish"), (0, "alike"), (1, "alike")}
    kept = await games.rows("select user_id, badge from badges where game_id = :game", game=first.id)
    assert set(kept) == {({0: ADA, 1: BEN}[seat], badge) for seat, badge in _badges(first)}
    assert _badges(await games.end(people(BEN, ADA), *wins(1))) == set()
    assert _badges(await games.end(people(ADA, BEN), *wins(0))) == {(0, "hat-trick")}
    elsewhere = await games.end(people(ADA, BEN), *wins(0), guild_id=GUILD + 1)
    assert _badges(elsewhere) == _badges(first)
    assert _badges(await games.end([person(CEM), house()], *wins(0))) == set(), "nobody plays for a badge alone"


async def test_a_persons_newest_results_come_first(games: Club) -> None:
    played = []
    for _game in range(3):
        games.now += timedelta(minutes=1)
        played.append((await games.end(people(ADA, BEN), *wins(0))).id)
    newest = await games.core.database.read(load_results, GUILD, ADA, 2)
    assert [result.game_id for result in newest] == played[:0:-1]


async def test_a_comeback_is_announced_with_the_points_behind_and_the_round(games: Club) -> None:
    table = await games.end(people(ADA, BEN), [9, 5], *[[5, 9]] * 3, *[[9, 5]] * 3)
    comebacks = [(news.seat, news.detail) for news in table.news if news.kind is timing.NewsKind.COMEBACK]
    assert comebacks == [(0, "4 4")]


def _records(table: Table) -> list[tuple[int, int | None]]:
    return [(news.seat, news.round) for news in table.news if news.kind is timing.NewsKind.RECORD]


async def test_only_a_better_result_breaks_a_record_and_is_news(games: Club) -> None:
    first = await games.end(people(ADA, BEN), *wins(0))
    assert _records(first) == []  # Whatever is played first is the best so far; that is no news.
    equal = await games.end(people(BEN, ADA), *wins(0))
    assert _records(equal) == []
    assert await games.rows("select distinct user_id, game_id from records") == [(ADA, first.id)]
    rounds = [*wins(0)[:6], [3, 21]]
    better = await games.end(people(CEM, BEN), *rounds)
    assert _records(better) == [(1, 7)]
    card = str(STANDARD_DECK.cards[6])
    assert await games.rows(
        "select user_id, result, game_id, seat, round from records where card = :card", card=card
    ) == [(BEN, 21, better.id, 1, 7)]


async def test_a_record_is_told_when_its_round_ends_and_kept_when_the_game_does(games: Club) -> None:
    table = await games.open(people(ADA, BEN))
    easy = [
        {
            "guild_id": GUILD,
            "card": str(card),
            "result": -1000,
            "user_id": CEM,
            "game_id": table.id,
            "seat": 0,
            "round": 1,
            "at": games.now,
        }
        for card in STANDARD_DECK
    ]
    await games.core.database.write(Connection.execute, insert(records), easy)
    before = await games.rows("select * from records")
    told = await games.play_on(table, rounds=1)
    assert [news.kind for news in told.news] == [timing.NewsKind.RECORD]
    assert await games.rows("select * from records") == before
    ended = await games.play_on(told)
    assert ended.status is Status.FINISHED
    assert await games.rows("select count(*) from records where user_id <> :cem", cem=CEM) == [(7,)]


async def test_luck_and_loss_are_counted_in_once_when_they_are_known(games: Club) -> None:
    table = await games.end([person(ADA), person(BEN), house()], *wins(0, 3))
    owed = "select game_id from finished_games where review_owed"
    assert await games.rows(owed) == [(table.id,)]
    assert await games.rows("select distinct luck, decisions from results") == [(None, None)]
    made = {0: outcome.Review(-2_500_000, 600_000, 60), 1: outcome.Review(1, 2, 3), 2: outcome.Review(4, 5, 6)}
    save = partial(store.save_reviews, game_id=table.id, reviews=made)
    await games.core.database.write(save)
    await games.core.database.write(save)
    assert await games.rows(owed) == []
    assert await games.rows("select luck, loss, decisions from results order by seat") == [
        (-2_500_000, 600_000, 60), (1, 2, 3), (4, 5, 6),
    ]  # fmt: skip
    for period in ("all", "2026-Q1", "2026-01"):
        line = await games.standing(ADA, period)
        assert (line["reviewed"], line["luck"], line["loss"], line["decisions"]) == (1, -2_500_000, 600_000, 60)
        assert line["loss_rate"] == 600_000 / outcome.MILLIONTHS / 60
        assert (await games.standing(BEN, period))["loss_rate"] is None


def _rare(table: Table) -> list[tuple[int | None, str]]:
    return [(news.round, news.detail.split()[0]) for news in table.news if news.kind is timing.NewsKind.RARE]


async def test_rare_turns_are_decided_with_the_change_that_ends_them_and_stay(games: Club) -> None:
    one = games.core
    told = _rare(await games.end(people(ADA, BEN), *wins(0)))
    # All dice of these games are ones. A round tells one turn, the first.
    assert sorted(told) == [(number, "alike") for number in range(1, 8)]
    # Another change of the settings tells nothing more and takes nothing back.
    table = await games.open(people(ADA, BEN))
    await change_settings(one, GUILD, rare=False)
    assert _rare(await games.end(people(ADA, BEN), *wins(0))) == []
    assert _rare(await games.play_on(table)) == []
    await change_settings(one, GUILD, rare=True)
    assert _rare(await games.end(people(ADA, BEN), *wins(0))) != []
