"""A result as a block of text, which a user can copy and send to people outside of Discord.

The block is the whole content of a message, because a long press on a message copies its content. The content is copied
as it was sent, so it contains no Markdown. The backticks of a code block would be copied, too.
"""

from datetime import datetime

from bot.domain.challenge import Attempt, Challenge
from bot.domain.daily import Daily
from bot.domain.table import Status, Table
from bot.locales import _
from bot.ui.buttons import Action, ActionItem, button
from bot.ui.challenge import day_title
from bot.ui.message import Rendered
from bot.ui.text import CHIPS
from highscore.standings import rank_players

REACHED, NOT_REACHED = "🟩", "⚪"
"""The signs differ in shape and brightness, for readers who cannot tell colours apart. Both are visible on white and on
black.
"""


def text_button(press: Action, row: int = 0) -> ActionItem:
    return button(press, _("As text"), emoji="📋", row=row)


def attempt_text(attempt: Attempt[Challenge], now: datetime) -> Rendered:
    """Show a finished attempt at a daily challenge or a dare.

    Until the challenge is closed, the signs are sorted. In the order of the cards, they would tell others which cards
    have good dice (R9.4).
    """
    challenge, after = attempt.challenge, ""
    reached = attempt.reached if challenge.is_closed(now) else sorted(attempt.reached, reverse=True)
    signs = "".join(REACHED if each else NOT_REACHED for each in reached)
    if isinstance(challenge, Daily):
        title = day_title(challenge)
        if not attempt.ranked:
            after = "\n" + _("It isn't ranked, because it was played after its day.")
    else:
        # It names no player, because people outside of Discord may know them by other names.
        title = _("High Score with a friend's dice")
    return Rendered(content=f"{title} · {attempt.run.total}\n{signs}{after}")


def game_text(table: Table, seat: int | None) -> Rendered | None:
    """Show a player's points in a finished game, and their chip in each round.

    None for a user without a seat in the game, and in a game of one player, which has no chips (R9.5).
    """
    game = table.game
    if game is None or table.status is not Status.FINISHED or seat not in game.seats or len(game.seats) == 1:
        return None
    ranking = rank_players(game)
    own = next(line for line in ranking if line.seat == seat)
    title = _("High Score: place {place} of {players}").format(place=own.place, players=len(ranking))
    chips = (ended.chips.get(seat) for ended in game.finished)
    signs = "".join(NOT_REACHED if chip is None else CHIPS[chip] for chip in chips)
    return Rendered(content=f"{title} · {own.points}\n{signs}")
