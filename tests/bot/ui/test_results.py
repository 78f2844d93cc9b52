import random
from dataclasses import replace

import pytest

from bot.domain.screens import record_of
from bot.domain.table import Status, Table
from bot.domain.timing import News, NewsKind
from bot.ui import text, words
from bot.ui.table import render_screen, render_table
from highscore.deck import ROUNDS, STANDARD_DECK
from highscore.odds.facts import Feat
from tests.bot.cores import game_of
from tests.bot.games import scored, tied, wins
from tests.bot.ui.limits import check_message
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
        card = words.card_name(game_of(table).finished[0].card)
        assert f"{RECORD}\n{card}: 🔴 \\*Zoe\\* **{text.format_signed(result)}**" in _fields(told, page)
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


@pytest.mark.parametrize("feat", Feat)
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_rare_turn_has_a_sentence_with_the_longest_names(feat: Feat, language: str) -> None:
    *_earlier, table = states(replace(table_of(5), locale=language), random.Random(1))
    told = replace(table, news=(News(NewsKind.RARE, 3, 1, f"{feat.value} 1000000000 24"),))
    page = render_screen(told, record_of(game_of(table), 0))
    check_message(page)
    assert page.inset is not None
    assert len(page.inset.alt) <= 1024


@pytest.mark.parametrize("kind", [NewsKind.LAST_ROLL, NewsKind.COMEBACK, NewsKind.FIRST_WIN])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_story_is_told_only_of_the_player_who_wins_alone(kind: NewsKind, seat: int) -> None:
    lobby = table_of(3, names=("Ada", "Ben", "Cem"))
    for rounds, title, sentence in (
        (tied(3), "🏆 A shared victory", "Tied after seven rounds: 🔴 Ada and 🔷 Ben"),
        (wins(1, 3), "🏆 🔷 Ben wins", "🔷 Ben leads from the first round to the last and wins by 7 points."),
    ):
        table = replace(lobby, game=scored(*rounds), status=Status.FINISHED, news=(News(kind, seat, detail="5 4"),))
        final = render_table(table).embeds[-1]
        told = final.title == title and str(final.description).splitlines()[0] == sentence
        assert told is (rounds == tied(3) or seat != 1), final.to_dict()


GOLD, BRONZE = (9, 8), (8, 9)
"""Results with which the first of two players wins 3 points, and the other 1; or the other way round."""


def test_the_end_names_the_best_moment_of_who_lost_against_the_house() -> None:
    lobby = table_of(2, names=("Ada", "Abacus"))
    alone = replace(lobby, seats=(lobby.seats[0], replace(lobby.seats[1], user_id=None, house="steady")))
    won, high, lost = [12, 9], [19, 20], [-5, 9]
    card = words.scoring_name(STANDARD_DECK.cards[1].scoring)
    for table, rounds, by_house, said in (
        (alone, (high, won, *[lost] * 5), {}, f"Your 12 on **{card}** was the best of that round."),
        (alone, (lost, high, *[lost] * 5), {}, f"Your best result was 19 on **{card}**."),
        (alone, (*[lost] * 6, won), {0: 1}, None),
        (alone, wins(0), {}, None),
        (lobby, wins(1), {}, None),
    ):
        over = replace(table, game=scored(*rounds, by_house=by_house), status=Status.FINISHED)
        lines = str(render_table(over).embeds[-1].description).split("\n")
        assert [line for line in lines if line.startswith("Your ")] == ([said] if said else [])
