"""A card and the commands, explained in our own words."""

from __future__ import annotations

from functools import partial

import discord

from bot.locales import _, pgettext
from bot.locales.commands import COMMAND
from bot.ui.dice import dice_line
from bot.ui.message import Picture
from bot.ui.pictures.alt import card_alt
from bot.ui.pictures.guide import card_png
from bot.ui.privacy import notice_line
from bot.ui.style import ACCENT
from bot.ui.text import signed
from bot.ui.words import card_lines, card_name, explain
from highscore.cards import Card
from highscore.dice import Dice
from highscore.scoring import Part, Score, score

_EXAMPLES = tuple(
    map(
        Dice.parse,
        (
            "5 5 5 4 4 2 V",
            "V V 4 4 1 2 3",
            "V 5 5 3 1 1 1",
            "4 4 4 3 3 3 V",
            "1 2 3 4 5 V V",
            "V 5 3 3 2 2 4",
            "4 3 2 2 1 5 V",
        ),
    )
)


def card_embed(card: Card, figures: str) -> discord.Embed:
    """One card with an example and its exact figures."""
    shown = discord.Embed(title=card_name(card), colour=ACCENT, description=card_lines(card))
    dice, found = example(card)
    shown.add_field(
        name=_("For example"),
        value=f"{dice_line(dice)}\n**{signed(found.total)}** — {explain(found)}",
        inline=False,
    )
    shown.add_field(name=_("The odds"), value=figures, inline=False)
    return shown


def card_picture(card: Card) -> Picture:
    """The card itself."""
    return Picture("card.png", card_alt(card), partial(card_png, card))


def example(card: Card) -> tuple[Dice, Score]:
    """Dice that show what the card does: some that count, some that do not, and the highest of those."""
    scored = [(dice, score(card, dice)) for dice in _EXAMPLES]
    return max(scored, key=lambda pair: (_shows(pair[1]), pair[1].total))


def _shows(found: Score) -> tuple[int, bool]:
    """How much of a card a score shows: dice of every kind, and that what is subtracted makes a difference."""
    return len({die.part for die in found.dice} | {Part.COUNTS}), found.subtracted != 0


def help_embed(privacy_url: str | None = None, terms_url: str | None = None) -> discord.Embed:
    """The commands, and whose game it is."""
    shown = discord.Embed(title=_("High Score on Discord"), colour=ACCENT)
    commands = (
        ("new", _("open a table in this channel; others join by button")),
        ("show", _("show the table again at the bottom of the channel")),
        ("daily", _("seven cards a day, alone and in private, the same for everybody")),
        ("leaderboard", _("who leads on this server")),
        ("records", _("the best result ever on each card")),
        ("history", _("finished games, of everybody or of one player")),
        ("replay", _("go through a finished game, roll by roll")),
        ("stats", _("what somebody has done on this server")),
        ("rules", _("how to play, or what a card means")),
        ("leave", _("get up; in a running game the house plays on for you")),
        ("reminders", _("how you want to be reminded of your turn")),
        ("skip", _("let the house play the turn everybody waits for (host, moderators)")),
        ("kick", _("take somebody's seat away (host, moderators)")),
        ("cancel", _("give the game up (host, moderators)")),
        ("settings", _("how this server plays (who may manage the server)")),
        ("me", _("what is stored about you; have it, or have it deleted")),
        ("help", _("this list")),
    )
    # Called as Discord shows them to somebody with this language.
    shown.description = "\n".join(f"`/highscore {pgettext(COMMAND, name)}` {text}" for name, text in commands)
    shown.add_field(
        name=_("Fair dice"),
        value=_(
            "All dice follow from a seed that is sealed before the game and opened after it."
            " The button Proof checks a finished game."
        ),
        inline=False,
    )
    terms = _("Terms of use: {link}").format(link=terms_url or "docs/terms.md")
    shown.add_field(name=_("Your data"), value=f"{notice_line(privacy_url)}\n{terms}", inline=False)
    shown.set_footer(
        text=_("Unofficial. High Score is a game by Reiner Knizia, published by KOSMOS. This bot is free software.")
    )
    return shown
