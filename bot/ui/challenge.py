"""Somebody's challenge, of a day or of a leg: the finished cards beside their averages."""

import discord

from bot.domain.challenge import Attempt, Challenge
from bot.locales import _, format_number, labelled
from bot.ui.dice import dice_code
from bot.ui.private_page import finished_card_embed
from bot.ui.text import format_signed
from bot.ui.words import card_name
from highscore.cards import Card
from highscore.runs import FinishedTurn


def last_card_embed(attempt: Attempt[Challenge]) -> discord.Embed | None:
    """Show the card that was finished last, if any."""
    if not (finished := attempt.run.finished):
        return None
    _card, last = finished[-1]
    below = _("A result below 0 counts as 0.") if last.result < 0 else None
    average = average_words(attempt.challenge.averages[len(finished) - 1])
    return finished_card_embed(attempt.run, below, "-# " + average)


def played_line(number: int, played: tuple[Card, FinishedTurn], average: float) -> str:
    card, done = played
    result = f"**{format_signed(done.result)}** {dice_code(done.dice)}"
    mean = _("Ø {average}").format(average=format_number(average, 1))
    return f"{number}. " + labelled(card_name(card), f"{result} · {mean}")


def average_words(average: float) -> str:
    """Return the average of best play on a card."""
    return _("Best play on average: {points}").format(points=format_number(average, 1))
