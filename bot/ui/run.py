"""Own pace (R9.5): the table that everybody sees, and the page on which each plays alone.

Both are made from the table as ``Table.seen_by`` shows it to whoever looks, and from nothing more.
"""

from collections.abc import Collection, Iterable
from datetime import datetime

import discord

from bot.domain.table import Table
from bot.locales import _, ngettext
from bot.ui.buttons import ActionItem, Kind, Press, Verb, button
from bot.ui.dice import turn_lines
from bot.ui.message import GOLD, QUIET, make_embed
from bot.ui.names import player_name
from bot.ui.reminders import deadline_line, news_lines
from bot.ui.text import CHIPS, signed
from bot.ui.turn import playing, points_line
from bot.ui.turn_parts import choice_buttons, first_steps, help_line, scored_lines, what_now, worth
from bot.ui.words import card_lines, card_name, card_reminder
from highscore.cards import Card
from highscore.deck import ROUNDS
from highscore.game import Game
from highscore.runs import FinishedTurn, Run

DONE, TO_DO = "●", "○"


def begun_call(user_ids: Iterable[int]) -> str:
    """The line that calls everybody when the game begins."""
    return _("{people}, the game has begun: **Play** leads to your dice.").format(people=_mentions(user_ids))


def game_over_call(user_ids: Iterable[int]) -> str:
    """The line that calls everybody when the standings are there."""
    return _("{people}, the game is over.").format(people=_mentions(user_ids))


def _mentions(user_ids: Iterable[int]) -> str:
    return " ".join(f"<@{user_id}>" for user_id in user_ids)


def progress_embed(table: Table) -> discord.Embed:
    """How far everybody is, the rounds that are complete, and the time that is left."""
    game = playing(table)
    rounds = "\n".join(_round_line(table, game, number) for number in range(len(game.finished)))
    return make_embed(
        _("Everybody plays at their own pace"),
        *news_lines(table),
        *(_progress_line(table, game, seat) for seat in game.seats),
        "",
        _("**Play** shows you your dice, privately: one card or all seven, whenever you like."),
        deadline_line(table),
        fields=[(_("Complete rounds"), rounds)] if rounds else [],
        footer=points_line(table, game) if rounds else None,
    )


def progress_buttons(table: Table) -> list[ActionItem]:
    """What opens one's own page. It says nothing of a version: it is never stale while the game lasts."""
    press = Press(Verb.PLAY, table.id, 0, kind=Kind.RUN)
    return [button(press, _("Play"), emoji="🎲", style=discord.ButtonStyle.primary)]


def run_embeds(table: Table, seat: int, now: datetime) -> list[discord.Embed]:
    """The private page of a seat: the card that was finished last, with what others did on it, and the one to play."""
    game = playing(table)
    run = game.run(seat)
    embeds = [_last_card(table, game, run, now)] if run.finished and run.turn is None else []
    if run.complete:
        return [*embeds, _all_cards(run)]
    if run.card is None:
        raise ValueError("the run has no card turned up; chance is always played out before a table is shown")
    return [*embeds, _card(table, run, run.card)]


def run_buttons(table: Table, seat: int, selected: Collection[int] = (), *, asking: bool = False) -> list[ActionItem]:
    """What the player of a seat can do now, on their own page."""
    run = playing(table).run(seat)

    def press(verb: Verb, argument: int = 0) -> Press:
        return Press(verb, table.id, run.step, argument, Kind.RUN)

    if run.complete:
        return []
    if run.turn is None:
        return [button(press(Verb.TAKE), _("Roll the dice"), emoji="🎲", style=discord.ButtonStyle.primary)]
    buttons = choice_buttons(run.turn, selected, press, asking=asking)
    if table.options.hints:
        row = max(each.item.row or 0 for each in buttons)
        buttons.append(button(press(Verb.HINT), _("Hint"), emoji="💡", row=row))
    return buttons


def _progress_line(table: Table, game: Game, seat: int) -> str:
    done = game.progress(seat)
    pips = DONE * done + TO_DO * (ROUNDS - done)
    away = " 💤" if table.seats[seat].present and table.seats[seat].house is not None else ""
    return f"`{pips}` {player_name(table, seat)}{away}"


def _round_line(table: Table, game: Game, number: int) -> str:
    """A complete round in one line: the card, the results in order, and who won which chip."""
    ended = game.finished[number]
    chips = ended.chips
    order = sorted(ended.placements, key=lambda placed: -(placed.position or min(placed.result, 0)))
    told: list[str] = []
    for placed in order:
        chip = f"{CHIPS[chips[placed.seat]]} " if placed.seat in chips else ""
        told.append(f"{chip}{player_name(table, placed.seat)} {signed(placed.result)}")
    return f"{number + 1}. {card_name(ended.card)}: " + ", ".join(told)


def _card(table: Table, run: Run, card: Card) -> discord.Embed:
    turn = run.turn
    title = _("Card {number} of {cards}").format(number=run.round, cards=ROUNDS)
    if turn is None:
        newcomer = table.seats[run.seat].user_id in table.options.newcomers
        steps = _("The card says what counts. Just roll: you decide afterwards what to do with the dice.")
        return make_embed(title, card_lines(card), help_line(steps) if newcomer else None, deadline_line(table))
    # The picture shows the dice; without it they are written as text.
    dice = [] if table.options.pictures else ["", turn_lines(turn)]
    newcomer = table.seats[run.seat].user_id in table.options.newcomers
    return make_embed(
        title,
        card_reminder(card),
        *dice,
        worth(turn),
        what_now(turn),
        help_line(first_steps(turn)) if newcomer else None,
        deadline_line(table),
    )


def _last_card(table: Table, game: Game, run: Run, now: datetime) -> discord.Embed:
    """The card that was finished last: dice, result, and how those did who have finished it too."""
    number = len(run.finished)
    card, mine = run.finished[-1]
    title = ngettext("Card {number}: {result} point", "Card {number}: {result} points", abs(mine.result))
    others = [_other(table, seat, game.run(seat), number) for seat in game.seats if seat != run.seat]
    as_of = "-# " + _("as of {when}").format(when=f"<t:{int(now.timestamp())}:t>")
    fields = [(_("The others on this card"), "\n".join((*others, as_of)))] if others else []
    lines = [card_name(card), *scored_lines(card, mine.dice), _played_by_house(mine)]
    return make_embed(title.format(number=number, result=signed(mine.result)), *lines, colour=QUIET, fields=fields)


def _played_by_house(turn: FinishedTurn) -> str | None:
    return _("Played by the house.") if turn.by_house else None


def _other(table: Table, seat: int, run: Run, number: int) -> str:
    name = player_name(table, seat)
    if len(run.finished) < number:
        return _("{player} has not played it yet").format(player=name)
    turn = run.finished[number - 1][1]
    return f"{name} **{signed(turn.result)}** `{' '.join(map(str, turn.dice))}`"


def _all_cards(run: Run) -> discord.Embed:
    """All seven results, when there is nothing more to play."""
    return make_embed(
        _("You have played all seven cards"),
        *_results(run.finished),
        _("The standings are posted when everybody has finished, or when the time is up."),
        colour=GOLD,
    )


def _results(finished: Iterable[tuple[Card, FinishedTurn]]) -> list[str]:
    return [
        f"{number}. {card_name(card)}: **{signed(turn.result)}**" for number, (card, turn) in enumerate(finished, 1)
    ]
