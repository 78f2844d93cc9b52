"""The rules as a small illustrated guide: pages with a picture, and the buttons that turn them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import discord

from bot.locales import _
from bot.ui.buttons import GuidePage, button
from bot.ui.guide import card_picture
from bot.ui.marks import CHIPS
from bot.ui.message import Picture, Rendered
from bot.ui.pictures.alt import marker_alt, roll_types_alt, scoring_alt, taken_alt
from bot.ui.pictures.guide import marker_png, roll_types_png, scoring_png, taken_png
from bot.ui.style import ACCENT
from bot.ui.words import VORTEX, roll_type_name, roll_type_rule, scoring_name, scoring_rule
from highscore.cards import Card, RollType, Scoring
from highscore.deck import Deck
from highscore.track import Chip


def page(number: int, deck: Deck) -> Rendered:
    """A page, counted from 0; a number that is too high gives the last one."""
    at = min(number, len(_PAGES) - 1)
    title, text, picture = _PAGES[at](deck)
    shown = discord.Embed(title=title, description=text, colour=ACCENT)
    counted = _("Page {number} of {pages}").format(number=at + 1, pages=len(_PAGES))
    shown.set_footer(text=f"{counted} · " + _("/highscore rules card:… explains a card"))
    buttons = []
    if at > 0:
        buttons.append(button(GuidePage(at - 1), _("Back"), emoji="◀️"))
    if at < len(_PAGES) - 1:
        buttons.append(button(GuidePage(at + 1), _("Next"), emoji="▶️"))
    return Rendered([shown], buttons=buttons, picture=picture)


def _first(deck: Deck) -> Card:
    return next(iter(deck))


def _overview(deck: Deck) -> tuple[str, str, Picture | None]:
    lines = (
        "🎲 " + _("Seven dice show 1 to 5 and a vortex {vortex} instead of a 6.").format(vortex=VORTEX),
        "🃏 " + _("Seven rounds. Each turns up a challenge card: what counts, what the vortex is worth, how you roll."),
        "👤 " + _("Everybody has one turn a round. Your result moves your piece along a track of 30 spaces."),
        "🥇 "
        + _("Whoever is furthest ahead wins the round's gold chip. Most points after seven rounds wins the game."),
        "",
        _("A challenge card: on the left what the vortex is worth, in the middle what counts, on the right the rolls."),
    )
    return (
        _("High Score in a minute"),
        "\n".join(lines),
        card_picture(_first(deck)),
    )


def _rolling(_deck: Deck) -> tuple[str, str, Picture | None]:
    lines = [f"**{roll_type_name(each)}** — {roll_type_rule(each)}" for each in RollType]
    lines.append(
        _("Each row of the picture has the dice before a roll and after it: yellow dice roll again, blue ones stay.")
    )
    picture = Picture("rolls.png", roll_types_alt(), roll_types_png)
    return _("Three ways to roll"), "\n".join(lines), picture


def _counting(_deck: Deck) -> tuple[str, str, Picture | None]:
    lines = [f"**{scoring_name(each)}** — {scoring_rule(each)}" for each in Scoring]
    shown = Scoring.PAIRS_MINUS
    picture = Picture("scoring.png", scoring_alt(shown), partial(scoring_png, shown))
    return _("What counts"), "\n".join(lines), picture


def _vortex(deck: Deck) -> tuple[str, str, Picture | None]:
    card = next((card for card in deck if card.vortex.frozen), _first(deck))
    lines = (
        _("The card says what a vortex {vortex} is worth: a number, or one of these.").format(vortex=VORTEX),
        "❄️ " + _("A vortex freezes at once: it is worth 0 and cannot be rolled again."),
        "✨ " + _("A vortex is worth any value from 0 to 6, whatever helps you most."),
        "",
        _("On green 🟩 the vortex can help you, on red 🟥 it costs points or a die."),
    )
    return _("The vortex"), "\n".join(lines), card_picture(card)


def _taken(_deck: Deck) -> tuple[str, str, Picture | None]:
    lines = (
        _("A result that is taken already goes one lower, so whoever had it first stays ahead."),
        _("A result of 0 or less puts no piece on the track."),
    )
    return _("One piece on a space"), "\n".join(lines), Picture("taken.png", taken_alt(), taken_png)


def _marker(_deck: Deck) -> tuple[str, str, Picture | None]:
    text = _("Past space 30 the track starts over: the piece goes on from space 1 and gets its 30+ marker.")
    return _("More than 30"), text, Picture("marker.png", marker_alt(), marker_png)


def _winning(_deck: Deck) -> tuple[str, str, Picture | None]:
    lines = (
        f"{CHIPS[Chip.GOLD]}{CHIPS[Chip.SILVER]}{CHIPS[Chip.BRONZE]} "
        + _("The three furthest ahead get gold (3 points), silver (2) and bronze (1)."),
        "👥 " + _("With two players there are only gold and bronze; a result of 0 or less gets nothing."),
        "🏆 " + _("Most points after seven rounds wins; ties go to more gold, then more silver chips."),
        "🔏 " + _("The dice are fair: their seed is sealed before the game, and the button Proof opens it afterwards."),
    )
    return _("Chips and victory"), "\n".join(lines), None


_PAGES: tuple[Callable[[Deck], tuple[str, str, Picture | None]], ...] = (
    _overview,
    _rolling,
    _counting,
    _vortex,
    _taken,
    _marker,
    _winning,
)
