"""Own pace (R9.5): the public page of the table, and the private page on which each player plays alone.

A page contains only what ``Table.seen_by`` returns for its reader.
"""

from collections.abc import Iterable
from datetime import datetime
from functools import partial

import discord
from discord.utils import format_dt

from bot.domain.deadlines import seats_waited_for
from bot.domain.table import Table, seats_yet_to_begin, waits_only_for_unbegun
from bot.locales import _, format_list, labelled
from bot.ui.buttons import ActionItem, EndRuns, RunPress, Verb, button
from bot.ui.cancelling import cancel_buttons, cancel_lines
from bot.ui.challenge import PrivatePage, finished_card_embed
from bot.ui.highlights import record_fields
from bot.ui.message import GOLD, Rendered, make_embed
from bot.ui.reminders import LEFT_FOR_GOOD, away_words, deadline_line, news_lines
from bot.ui.text import HOUSE, footer_names, format_signed, player_name, table_link
from bot.ui.turn import require_game
from bot.ui.words import card_name, dice_code
from highscore.cards import Card
from highscore.deck import ROUNDS
from highscore.game import Game
from highscore.runs import FinishedTurn, Run

DONE, TO_DO = "●", "○"


def progress_embed(table: Table) -> discord.Embed:
    game = require_game(table)
    over = _("Everybody played at their own pace") if has_results(game) else _("Nobody played")
    return make_embed(
        _("Everybody plays at their own pace") if table.status.open else over,
        *(news_lines(table) if table.status.open else news_lines(table, *LEFT_FOR_GOOD)),
        *(_progress_line(table, game, seat) for seat in game.seats if table.status.open or has_results(game)),
        *(_to_do_lines(table) if table.status.open else ()),
        fields=record_fields(table),
    )


def has_results(game: Game) -> bool:
    return any(map(game.count_finished, range(game.players)))


def _to_do_lines(table: Table) -> list[str | None]:
    if not seats_waited_for(table):
        return ["", _("The house plays the remaining cards. Then the standings are posted.")]
    return [
        "",
        _("Press **Play** to see your dice in private."),
        deadline_line(table),
        *_early_lines(table),
        *cancel_lines(table),
    ]


def progress_buttons(table: Table) -> list[ActionItem]:
    """Return the buttons of the public page. *Play* names no version, so it works as long as the game lasts."""
    buttons = [button(RunPress(Verb.PLAY, table.id, 0), _("Play"), emoji="🎲", style=discord.ButtonStyle.primary)]
    if waits_only_for_unbegun(table) and table.timing.early_end_at is not None:
        buttons.append(button(EndRuns(table.id), _("End the game"), emoji="🏁", row=1))
    return [*buttons, *cancel_buttons(table, row=2)]


def render_end_question(table: Table) -> Rendered:
    names = format_list(player_name(table, seat) for seat in seats_yet_to_begin(table))
    text = _("End the game now? These players haven't started and will be left out: {players}").format(players=names)
    sure = button(EndRuns(table.id, confirmed=True), _("End the game"), style=discord.ButtonStyle.danger)
    return Rendered(content=text, buttons=[sure])


def run_press(table: Table, run: Run, verb: Verb, dice: tuple[int, ...] = ()) -> RunPress:
    return RunPress(verb, table.id, run.step.number, dice)


def _early_lines(table: Table) -> list[str]:
    """Return when the finished players may end the game; empty if nobody has begun, or if one who has is not done."""
    if not waits_only_for_unbegun(table):
        return []
    if table.timing.early_end_at is None:
        text = _(
            "Everybody who has started is done. Before they can end the game, the others get a reminder, unless"
            " they are away."
        )
        return ["🏁 " + text]
    text = _("Everybody who has started is done. After {when}, any of them can end the game without the others.")
    return ["🏁 " + text.format(when=format_dt(table.timing.early_end_at, "f"))]


def run_page(table: Table, seat: int, now: datetime) -> PrivatePage:
    """Return the private page of a seat. ``table`` is the table as that seat sees it.

    The page changes only when its player presses a button, so it says that the others' results are as of ``now``.
    """
    game = require_game(table)
    run = game.find_run(seat)
    last = _last_card_embed(table, game, run, now)
    over = run.complete or not table.status.open or table.seats[seat].house is not None
    end = Rendered([*filter(None, [last]), _end_embed(table, run)])
    return PrivatePage(
        partial(run_press, table, run),
        run,
        _("Card {number} of {cards}").format(number=run.round, cards=ROUNDS),
        footer_names(table),
        len(game.seats),
        last=last,
        below=(deadline_line(table),),
        end=end if over else None,
        pictures=table.options.pictures,
        hints=table.options.hints,
        known=run.card is None or table.knows(seat, run.card),
    )


def _progress_line(table: Table, game: Game, seat: int) -> str:
    done = game.count_finished(seat)
    pips = DONE * done + TO_DO * (ROUNDS - done)
    return f"`{pips}` {player_name(table, seat)}{away_words(table, seat)}"


def _last_card_embed(table: Table, game: Game, run: Run, now: datetime) -> discord.Embed | None:
    if not run.finished:
        return None
    number = len(run.finished)
    others = [game.find_run(seat) for seat in game.seats if seat != run.seat]
    lines, missing = list[str](), list[str]()
    for other in others:
        name = player_name(table, other.seat)
        if len(other.finished) < number:
            missing.append(name)
        else:
            turn = other.finished[number - 1].turn
            lines.append(f"{name} **{format_signed(turn.result)}** {dice_code(turn.dice)}")
    if missing:
        lines.append(_("Still to play: {players}").format(players=format_list(missing)))
    lines.append("-# " + _("As of {when}").format(when=format_dt(now, "t")))
    fields = [(_("The others on this card"), "\n".join(lines))] if others else []
    by_house = _("Played by the house.") if run.finished[-1].turn.by_house else None
    return finished_card_embed(run, by_house, fields=fields)


def _end_embed(table: Table, run: Run) -> discord.Embed:
    if run.complete:
        title = _("You have played all seven cards")
    else:
        title = _("The time is up") if table.status.open else _("The game is over")
    if not table.status.open:
        then = _("The game is over: {link}").format(link=table_link(table))
    elif table.seats[run.seat].house is not None:
        then = _("The house plays the remaining cards. Then the standings are posted.")
    else:
        then = _("The standings are posted when everybody has finished, or when the time is up.")
    return make_embed(title, *_result_lines(run.finished), then, colour=GOLD)


def _result_lines(finished: Iterable[tuple[Card, FinishedTurn]]) -> list[str]:
    return [
        f"{number}. "
        + labelled(card_name(card), f"**{format_signed(turn.result)}**" + (f" {HOUSE}" if turn.by_house else ""))
        for number, (card, turn) in enumerate(finished, 1)
    ]
