"""The report of a game: what it says about each player, its three moments, and the choice to try again."""

import random
from dataclasses import replace
from functools import cache, reduce
from typing import Any

import pytest

from bot.domain.screens import Shared
from bot.domain.table import Table
from bot.locales import languages, speaking_in
from bot.ui import coaching
from bot.ui.buttons import PracticePress, Verb
from bot.ui.message import Rendered
from highscore import (
    STANDARD_DECK,
    Abandoned,
    Game,
    Source,
    TurnOrder,
    apply_event,
    play_event,
)
from highscore.events import LeftOut
from highscore.odds.analysis import Report, analyse_game
from tests.bot.ui.limits import check_message
from tests.bot.ui.tables import table_of
from tests.highscore.strategies import play_drawn


@cache
def played(players: int, order: TurnOrder = TurnOrder.CLOCKWISE, *left_out: int) -> tuple[Table, Report]:
    """Play a game with random decisions, without the seats in ``left_out``."""
    source = Source(bytes(32), "0123456789ab")
    begun, first = play_event(Game(players, order), None, source, STANDARD_DECK)
    out = [LeftOut(seat) for seat in left_out]
    games = play_drawn(reduce(apply_event, out, begun), random.Random(players), source, STANDARD_DECK)
    *_earlier, (game, events) = games
    return replace(table_of(players, order), game=game), analyse_game(players, order, (*first, *out, *events))


def lines(rendered: Rendered) -> list[str]:
    return str(rendered.embeds[0].description).split("\n")[:-1]


def fields(rendered: Rendered) -> dict[str, str]:
    """Return the moments by the first two words of their heading, with the heading before the text."""
    found = [(str(field.name), str(field.value)) for field in rendered.embeds[0].fields]
    return {" ".join(name.split(":")[0].split()[1:]): f"{name} | {value}" for name, value in found}


def verbs(rendered: Rendered) -> list[str]:
    return [button.custom_id.split(":")[1] for button in rendered.buttons]


def with_player(report: Report, seat: int, **changed: Any) -> Report:
    players = list(report.players)
    players[seat] = replace(players[seat], **changed)
    return replace(report, players=tuple(players))


def test_a_player_has_a_word_for_luck_and_a_grade_from_ten_own_decisions_on() -> None:
    table, report = played(2)
    report = with_player(report, 0, own_luck=3.5, luck=-9.0, decisions=10, loss=0.2)
    report = with_player(report, 1, own_luck=-1.5, decisions=9, loss=0.0)
    shown = sorted(line.split(" · ", 1)[1] for line in lines(coaching.render_report(table, report)))
    assert shown == ["⏫ very lucky · grade **A**", "🔽 unlucky · no grade"]


def test_a_seat_that_the_house_played_has_neither() -> None:
    table, report = played(2)
    report = with_player(report, 1, own_luck=0.0, decisions=0, loss=0.0)
    line = next(line for line in lines(coaching.render_report(table, report)) if "🔷" in line)
    assert line.endswith(" · no grade")
    assert "luck" not in line


def test_the_winner_is_first_and_who_was_left_out_is_missing() -> None:
    table, report = played(3)
    winner, *_others = lines(coaching.render_report(table, report))
    assert winner.startswith("🏆 ")
    table, report = played(3, TurnOrder.OWN_PACE, 0)
    shown = lines(coaching.render_report(table, report))
    assert len(shown) == 2
    assert not any("🔴" in line for line in shown)


@pytest.mark.parametrize("order", list(TurnOrder))
def test_a_game_that_was_cancelled_has_a_report_of_what_was_played(order: TurnOrder) -> None:
    games = play_drawn(Game(2, order), random.Random(1), Source(bytes(32), "0123456789ab"), STANDARD_DECK)
    # One seat has played two cards, the other one or none: the second one belongs to a round that nobody has finished.
    game, events = next(each for each in games if 2 in map(each[0].count_finished, (0, 1)))
    table = replace(table_of(2, order), game=apply_event(game, Abandoned()))
    shown = coaching.render_report(table, analyse_game(2, order, [*events, Abandoned()]), (), 0)
    check_message(shown)
    assert all(line.endswith(" · no grade") for line in lines(shown))
    assert "🏆" not in str(shown.embeds[0].description)
    assert " ends the turn with **" in fields(shown)["Luckiest roll"]


def test_the_moments_say_who_did_what_with_which_dice() -> None:
    table, report = played(2)
    rolled, made = report.luckiest, report.costliest
    assert rolled is not None
    assert made is not None
    shown = fields(coaching.render_report(table, report))
    turn = next(turn for turn in report.turns if (turn.round, turn.seat) == (rolled.round, rolled.seat))
    assert f"Luckiest roll: +{rolled.luck:.1f} chip points" in shown["Luckiest roll"]
    assert f"Round {rolled.round}, " in shown["Luckiest roll"]
    assert f" ends the turn with **{turn.result}**".replace("-", "−") in shown["Luckiest roll"]
    assert f"Costliest choice: −{made.loss:.1f} chip points" in shown["Costliest choice"]
    assert f"“{coaching.choice_words(made.turn, made.best.choice)}” was better." in shown["Costliest choice"]
    best = replace(made, margin=0.84)
    praised = fields(coaching.render_report(table, replace(report, best=best)))["Best decision"]
    assert "Best decision: +0.8 chip points" in praised
    assert "not the highlighted “" in praised
    # A difference that would be shown as 0.0 is nothing to praise.
    for plain in (None, replace(made, margin=0.04)):
        shown = fields(coaching.render_report(table, replace(report, best=plain)))
        assert shown["Best decision"] == "🌟 Best decision | No decision beat the highlighted choice."


@pytest.mark.parametrize(("players", "order", "least"), [(2, TurnOrder.CLOCKWISE, 0.25), (1, TurnOrder.OWN_PACE, 2.0)])
def test_a_choice_is_a_costly_mistake_from_a_bound_on(players: int, order: TurnOrder, least: float) -> None:
    table, report = played(players, order)
    made = report.costliest
    assert made is not None
    below = replace(report, costliest=replace(made, loss=least - 0.01))
    none = replace(report, costliest=None)
    for harmless in (below, none):
        shown = fields(coaching.render_report(table, harmless))["Costliest choice"]
        assert shown == "💸 Costliest choice | No choice was a costly mistake."
    above = replace(report, costliest=replace(made, loss=least + 0.01))
    unit = "points" if players == 1 else "chip points"
    assert (
        f"Costliest choice: −{least + 0.01:.1f} {unit} |"
        in fields(coaching.render_report(table, above))["Costliest choice"]
    )


def test_only_the_own_costliest_choice_is_tried_again() -> None:
    table, report = played(2)
    for seat in (0, 1):
        own, *_buttons = coaching.render_report(table, report, Shared, seat).buttons
        press = PracticePress.parse(own.custom_id)
        worst = max(
            (made for turn in report.turns if turn.seat == seat for made in turn.decisions), key=lambda m: m.loss
        )
        assert (press.verb, press.spot.seat, press.spot.round) == (Verb.TRY, seat, worst.round)
    assert verbs(coaching.render_report(table, report, Shared, 0)) == ["try", "figures", "share", "final"]
    assert verbs(coaching.render_report(table, report, Shared)) == ["figures", "share", "final"]
    spotless = replace(report, turns=tuple(replace(turn, decisions=()) for turn in report.turns))
    assert verbs(coaching.render_report(table, spotless, (), 0)) == ["figures"]
    by_house = [
        replace(turn, decisions=tuple(replace(made, by_house=True) for made in turn.decisions)) for turn in report.turns
    ]
    assert verbs(coaching.render_report(table, replace(report, turns=tuple(by_house)), (), 0)) == ["figures"]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(("players", "order"), [(5, TurnOrder.CLOCKWISE), (1, TurnOrder.OWN_PACE)])
def test_the_longest_names_fit_into_discord(players: int, order: TurnOrder, language: str) -> None:
    table, report = played(players, order)
    report = replace(report, best=None if report.costliest is None else replace(report.costliest, margin=1.0))
    with speaking_in(language):
        check_message(coaching.render_report(table, report, Shared, 0))
        check_message(coaching.render_figures(table, report, 0))
