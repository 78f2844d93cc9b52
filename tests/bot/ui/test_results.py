"""The records and ratings that the table itself tells."""

import random
from dataclasses import replace

import pytest

from bot.domain.badges import Badge
from bot.domain.screens import record_of
from bot.domain.table import Status, Table
from bot.domain.timing import News, NewsKind
from bot.ui.table import render_screen, render_table
from bot.ui.text import format_signed
from bot.ui.words import card_name
from highscore.deck import ROUNDS
from highscore.game import Game
from highscore.turn_order import TurnOrder
from tests.bot.cores import game_of
from tests.bot.games import scored, tied, wins
from tests.bot.ui.tables import states, table_of

RECORD = "A new record on this server"


def _fields(table: Table, page: int | None = None) -> str:
    embeds = (render_table(table) if page is None else render_screen(table, page)).embeds
    return "\n".join(f"{field.name}\n{field.value}" for embed in embeds for field in embed.fields)


def test_a_record_is_told_with_the_round_that_ended_for_ever() -> None:
    games = list(states(table_of(2, names=("*Zoe*", "Ben")), random.Random(1)))
    for table in (next(one for one in games if one.game and one.game.finished), games[-1]):
        page = record_of(game_of(table), 0)
        assert RECORD not in _fields(table, page)
        result = next(turn.result for turn in game_of(table).finished[0].turns if turn.seat == 0)
        told = replace(table, news=(News(NewsKind.RECORD, 0, 1),))
        card = card_name(game_of(table).finished[0].card)
        assert f"{RECORD}\n{card}: 🔴 \\*Zoe\\* **{format_signed(result)}**" in _fields(told, page)
        assert "📣" not in str([embed.to_dict() for embed in render_table(told).embeds])
        assert RECORD not in _fields(told)


def test_the_record_of_a_round_says_for_ever_the_same() -> None:
    games = [one for one in states(table_of(3), random.Random(1)) if one.game is not None]
    for number in range(ROUNDS):
        later = [one for one in games if one.game is not None and len(one.game.finished) > number]
        said = {
            str([embed.to_dict() for embed in render_screen(one, record_of(one.game, number)).embeds])
            for one in later
            if one.game is not None
        }
        assert len(said) == 1
        kept = later[0].with_seat(0, house="steady")
        assert {
            str([embed.to_dict() for embed in render_screen(kept, record_of(game_of(kept), number)).embeds])
        } == said


def _ended(*own: int | None, uncounted: tuple[int, ...] = ()) -> str:
    """Return the fields of the last page of a game in which people made so many turns themselves; None is the house."""
    lobby = table_of(len(own), names=("Ada", "Ben", "Cem")[: len(own)])
    seats = [
        replace(seat, counts=at not in uncounted) if made is not None else replace(seat, user_id=None, house="steady")
        for at, (seat, made) in enumerate(zip(lobby.seats, own, strict=True))
    ]
    away = {at: 7 - (made or 0) for at, made in enumerate(own)}
    game = scored(*wins(0, len(own)), by_house=away)
    return _fields(replace(lobby, seats=tuple(seats), game=game, status=Status.FINISHED))


LIMIT = (
    "Not rated for: {}. Most rated games a day: 10. Days without any after deleting your data: 30."
    " A rated game needs at least two people."
)


def test_the_standings_say_for_whom_a_game_is_not_rated_and_who_is_ranked_last() -> None:
    assert "Rating" not in _ended(7, 4)
    assert "Rating" not in _ended(7, None), "nobody expects a rating who plays with the house alone"
    too_few = "Not rated: that takes two people who take the dice in round one, and one with four turns of their own."
    for own in ((7, 0), (3, 3, None)):
        assert _ended(*own).endswith(f"Rating\n{too_few}")
    assert _ended(7, 1).endswith("Rating\n🔷 Ben: ranked last, with fewer than four turns of their own.")
    assert _ended(7, 4, 0).endswith("Rating\n🟩 Cem: not rated, as the house played their first turn.")
    assert "Rating" not in _ended(7, 4, None)
    assert _ended(7, 4, 4, uncounted=(2,)).endswith("Rating\n" + LIMIT.format("🟩 Cem"))
    assert _ended(7, 1, 4, uncounted=(0, 1, 2)).endswith("Rating\n" + LIMIT.format("🔴 Ada, 🔷 Ben and 🟩 Cem"))
    assert _ended(7, 0, 4, uncounted=(2,)).endswith(f"{LIMIT.format('🟩 Cem')}\n{too_few}")


def test_who_is_left_out_is_named_once() -> None:
    lobby = table_of(3, TurnOrder.OWN_PACE, names=("Ada", "Ben", "Cem"))
    game = scored(*wins(0, 2))
    runs = Game(3, TurnOrder.OWN_PACE, 0, finished=game.finished, left_out=(2,))
    page = render_table(replace(lobby, game=runs, status=Status.FINISHED)).embeds[-1]
    assert "Out of the game, as they did not begin: 🟩 Cem" in str(page.description)
    assert "Cem" not in str([field.value for field in page.fields])


def test_how_a_game_was_won_and_what_it_earned_is_told_with_the_standings() -> None:
    lobby = table_of(2, names=("Ada", "*Ben*"))
    news = (
        News(NewsKind.LAST_ROLL, 1),
        News(NewsKind.COMEBACK, 1, detail="5 4"),
        News(NewsKind.BADGE, 1, detail=Badge.COMEBACK.value),
        News(NewsKind.BADGE, 1, detail=Badge.FIRST_TRY.value),
        News(NewsKind.BADGE, 0, detail=Badge.ON_THE_DOT.value),
    )
    table = replace(lobby, game=scored(*wins(1)), status=Status.FINISHED, news=news)
    description = render_table(table).embeds[-1].description or ""
    assert description.splitlines()[0] == "🔷 \\*Ben\\* wins the game with its very last roll!"
    assert description.splitlines()[1].startswith("1\\. "), "one sentence says how"
    assert _fields(table).endswith("New badges\n🔷 \\*Ben\\*: **Comeback**\n🔴 Ada: **On the dot**"), "the two rarest"


@pytest.mark.parametrize("kind", [NewsKind.LAST_ROLL, NewsKind.COMEBACK, NewsKind.FIRST_WIN])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_story_is_told_only_of_the_player_who_wins_alone(kind: NewsKind, seat: int) -> None:
    lobby = table_of(3, names=("Ada", "Ben", "Cem"))
    for rounds, title, sentence in (
        (tied(3), "🏆 A shared victory", "Level after seven rounds: 🔴 Ada and 🔷 Ben"),
        (wins(1, 3), "🏆 🔷 Ben wins", "🔷 Ben leads from the first round to the last and wins by 7 points."),
    ):
        table = replace(lobby, game=scored(*rounds), status=Status.FINISHED, news=(News(kind, seat, detail="5 4"),))
        final = render_table(table).embeds[-1]
        told = final.title == title and str(final.description).splitlines()[0] == sentence
        assert told is (rounds == tied(3) or seat != 1), final.to_dict()


def test_a_first_win_is_told_in_the_title_and_how_in_one_sentence() -> None:
    table = replace(table_of(2, names=("Ada", "Ben")), game=scored(*wins(1)), status=Status.FINISHED)
    assert render_table(table).embeds[-1].title == "🏆 🔷 Ben wins"
    back = News(NewsKind.COMEBACK, 1, detail="5 4")
    first = render_table(replace(table, news=(News(NewsKind.FIRST_WIN, 1), back))).embeds[-1]
    assert first.title == "🏆 🔷 Ben wins for the first time"
    assert str(first.description).splitlines()[0] == "🔷 Ben wins from 5 points behind after round 4."


GOLD, BRONZE = (9, 8), (8, 9)
"""Results with which the first of two players wins 3 points, and the other 1; or the other way round."""
WON = (
    (wins(0), "{0} leads from the first round to the last and wins by 14 points."),
    ([BRONZE, *[GOLD] * 6], "{0} takes the lead in round 3, keeps it and wins by 10 points."),
    ([*[BRONZE, GOLD] * 3, (9, -1)], "{0} takes the lead in the very last round and wins by 3 points."),
    ([*[BRONZE, GOLD] * 3, GOLD], "{0} takes the lead in the very last round and wins by 2 points."),
    (tied(), "Level after seven rounds: {0} and {1}"),
    # 9 points each: three times gold, and once gold and three times silver.
    (
        [*[(9, 8, 7)] * 3, (-1, 9, 8), *[(-1, -1, -1)] * 3],
        "{0} wins by the chips. As many points: {1}",
    ),
)


@pytest.mark.parametrize(("rounds", "sentence"), WON)
def test_the_standings_begin_with_a_sentence_on_how_the_game_was_won(
    rounds: list[tuple[int, ...]], sentence: str
) -> None:
    lobby = table_of(len(rounds[0]), names=("*Ada*", "Ben", "Cem")[: len(rounds[0])])
    table = replace(lobby, game=scored(*rounds), status=Status.FINISHED)
    lines = (render_table(table).embeds[-1].description or "").splitlines()
    assert lines[0] == sentence.format("🔴 \\*Ada\\*", "🔷 Ben")
    assert lines[1].startswith("1\\. ")
