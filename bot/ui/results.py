"""The end of a round and of the game: chips, standings, tie-breaks."""

from __future__ import annotations

import discord

from bot.domain.rating import MIN_PEOPLE
from bot.domain.table import Status, Table
from bot.domain.timing import NewsKind
from bot.locales import _, listed
from bot.ui.buttons import ActionItem, Press, Verb, button
from bot.ui.marks import CHIPS
from bot.ui.names import player_name, player_name_in_footer
from bot.ui.style import GOLD, QUIET
from bot.ui.text import signed
from bot.ui.turn import track_lines
from bot.ui.words import card_name
from highscore.game import FinishedRound, Game, TurnOrder
from highscore.standings import Decider, Standing, standings, winners
from highscore.track import Chip

NAMES_IN_TITLE = 3
"""Four long names do not fit into the 256 characters of an embed's title; the standings name everybody."""


def round_embed(table: Table, ended: FinishedRound) -> discord.Embed:
    """The chips of a round, the standings, and who starts next."""
    game = _game(table)
    number = game.finished.index(ended) + 1
    shown = discord.Embed(title=_("Round {number} is over").format(number=number), colour=GOLD)
    chips = [f"{CHIPS[chip]} {player_name(table, seat)}" for seat, chip in ended.chips.items()]
    shown.description = "\n".join(
        [
            card_name(ended.card),
            "   ".join(chips) if chips else _("Nobody had a positive result, so there are no chips."),
        ]
    )
    if records := [_record_line(table, ended, news.seat) for news in table.news if news.kind is NewsKind.RECORD]:
        shown.add_field(name="🏅 " + _("A new record on this server"), value="\n".join(records), inline=False)
    shown.add_field(name=_("On the track"), value="\n".join(track_lines(table, ended.placements)), inline=False)
    if not game.over:  # the final standings have an embed of their own
        shown.add_field(name=_("Standings"), value=standing_lines(table, game), inline=False)
    if not game.over and game.start_seat is not None and game.turn_order is TurnOrder.CLOCKWISE:
        shown.set_footer(text=_next_start(table, ended, game.start_seat))
    return shown


def final_embeds(table: Table) -> list[discord.Embed]:
    """The last page: the last round, then the final standings; or that the game was given up."""
    game = _game(table)
    if table.status is Status.ABANDONED:
        shown = discord.Embed(title=_("The game was cancelled"), colour=QUIET)
        shown.description = _("It has no winner. Its seed is open now: the proof shows that the dice were fair.")
        if game.finished:
            shown.add_field(name=_("Standings"), value=standing_lines(table, game), inline=False)
        shown.set_footer(text=_seed_line(table))
        return [shown]
    shown = discord.Embed(title=_victory(table, game), colour=GOLD, description=standing_lines(table, game))
    reasons = [_reason(line) for line in standings(game) if line.decider not in (None, Decider.POINTS)]
    if reasons:
        shown.add_field(name=_("Ties"), value="\n".join(dict.fromkeys(reasons)), inline=False)
    shown.set_footer(text=_seed_line(table))
    if sum(seat.user_id is not None for seat in table.seats) < MIN_PEOPLE:
        shown.add_field(name=_("Not rated"), value=_("The game counts, but a rating takes two people."), inline=False)
    return [round_embed(table, game.finished[-1]), shown]


def _record_line(table: Table, ended: FinishedRound, seat: int) -> str:
    result = next(turn.result for turn in ended.turns if turn.seat == seat)
    return _("{player} has the best result ever on this card: **{result}**").format(
        player=player_name(table, seat), result=signed(result)
    )


def final_buttons(table: Table) -> list[ActionItem]:
    """What can be done when the game has ended."""
    return [
        button(
            Press(Verb.REMATCH, table.id, table.version), _("Rematch"), emoji="🔁", style=discord.ButtonStyle.primary
        ),
        button(Press(Verb.REPORT, table.id, table.version), _("Report"), emoji="📊"),
        button(Press(Verb.PROOF, table.id, table.version), _("Proof"), emoji="🔏"),
    ]


def standing_lines(table: Table, game: Game) -> str:
    """The players in order with their points and chips, a line each."""
    return "\n".join(
        f"{line.place}. {player_name(table, line.seat)} **{line.points}**{_chips(line)}" for line in standings(game)
    )


def _chips(line: Standing) -> str:
    won = ((Chip.GOLD, line.gold), (Chip.SILVER, line.silver), (Chip.BRONZE, line.bronze))
    text = " ".join(f"{CHIPS[chip]}×{count}" for chip, count in won if count)
    return f" · {text}" if text else ""


def _victory(table: Table, game: Game) -> str:
    names = [player_name(table, seat) for seat in winners(game)]
    if len(names) == 1:
        return "🏆 " + _("{player} wins").format(player=names[0])
    if len(names) > NAMES_IN_TITLE:
        return "🏆 " + _("A shared victory")
    return "🏆 " + _("{players} share the victory").format(players=listed(names))


def _reason(line: Standing) -> str:
    match line.decider:
        case Decider.GOLD:
            return _("Equal points: more gold chips decide.")
        case Decider.SILVER:
            return _("Equal points and gold chips: more silver chips decide.")
        case _:
            return _("Equal points, gold and silver chips: the place is shared.")


def _next_start(table: Table, ended: FinishedRound, start_seat: int) -> str:
    name = player_name_in_footer(table, start_seat)
    if Chip.GOLD in ended.chips.values():
        return _("{player} won gold and starts the next round.").format(player=name)
    return _("Nobody won gold, so {player} starts again.").format(player=name)


def _seed_line(table: Table) -> str:
    return _("Seed: {seed}").format(seed=table.seed.hex())


def _game(table: Table) -> Game:
    if table.game is None:
        raise ValueError(f"table {table.id} is in the lobby and has no results to show")
    return table.game
