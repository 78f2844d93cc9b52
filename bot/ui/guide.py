"""The rules as a small illustrated guide, the explanation of a card, and the help with all commands."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bot.locales import _, labelled
from bot.ui import words
from bot.ui.buttons import Action, GuidePress, HelpPress, button, page_buttons
from bot.ui.learn import learn_button, learn_label
from bot.ui.message import Picture, Rendered, make_embed
from bot.ui.pictures.guide import card_png, marker_png, roll_types_png, scoring_png, taken_png
from bot.ui.pictures.views import card_words, scoring_words
from bot.ui.privacy import notice_line
from bot.ui.text import command_mention
from bot.ui.turn import scored_lines
from highscore.cards import Card, RollType, Scoring, VortexValue
from highscore.deck import Deck
from highscore.dice import Dice
from highscore.scoring import Part, score_dice

_EXAMPLES = ("555442V", "VV44123", "V553111", "444333V", "12345VV", "V533224", "432215V")


_HELP_ORDER = (
    *("new", "daily", "learn", "rules", "play", "cup", "leaderboard", "stats"),
    *("me", "show", "leave", "table", "history", "away", "setup", "help"),
)


class _Page(NamedTuple):
    title: str
    lines: Sequence[str]
    picture: Picture | None = None


def render_card(card: Card, figures: str, proof: Action | None = None) -> Rendered:
    """Explain a card. ``figures`` are its odds in words. ``proof`` opens the proof of the game or challenge, if any."""
    lines = "\n".join(scored_lines(card, choose_example(card)))
    fields = [(_("For example"), lines), (_("The odds"), figures)]
    embed = make_embed(words.card_name(card), words.card_lines(card), fields=fields)
    buttons = [] if proof is None else [button(proof, _("Proof"), emoji="🔏")]
    return Rendered([embed], buttons=buttons, picture=_card_picture(card))


def _card_picture(card: Card) -> Picture:
    return Picture("card.png", (card_words(card),), card_png, (card,))


def choose_example(card: Card) -> Dice:
    """Return the example that shows most about a card: dice that count, dice that do not, and dice that are subtracted.

    Of examples that show as much, one with a subtraction is preferred, then the one with the highest result.
    """

    def shows(dice: Dice) -> tuple[int, bool, int]:
        scored = score_dice(card, dice)
        return len({die.part for die in scored.dice} | {Part.COUNTS}), scored.subtracted != 0, scored.total

    return max(map(Dice.parse, _EXAMPLES), key=shows)


def render_help() -> Rendered:
    """Show the most important commands. On a phone, nearly all of them fit into one line each."""
    described = {
        "new": _("Open a table for friends, or play with the house"),
        "daily": _("Today's seven cards"),
        "learn": learn_label(),
        "rules": _("How to play"),
        "play": _("Your next turn"),
        "cup": _("Cups that last several days"),
        "leaderboard": _("Who leads here"),
        "stats": _("Badges and statistics"),
        "me": _("Reminders and your data"),
    }
    embed = make_embed(_("High Score on Discord"), *_command_lines(described))
    return Rendered([embed], buttons=[learn_button(), button(HelpPress(), _("All commands"), emoji="📖", row=1)])


def render_whole_help(
    described: Mapping[str, str], privacy_url: str | None = None, terms_url: str | None = None
) -> Rendered:
    """Show all commands, and what everybody should know about the dice, their data and the game's publisher.

    ``described`` gives the English descriptions of the commands by name, which are translated here.
    """
    sealed = _("The dice are fair: their seed is sealed before the game, and the button Proof opens it afterwards.")
    terms = _("Terms of use: {link}").format(link=terms_url or "docs/terms.md")
    embed = make_embed(
        _("High Score on Discord"),
        *_command_lines({name: _(described[name]) for name in sorted(described, key=_HELP_ORDER.index)}),
        "🖱️ " + _("For more, right-click or long-press a person or a message, and choose “Apps”."),
        fields=[(_("Fair dice"), sealed), (_("Your data"), f"{notice_line(privacy_url)}\n{terms}")],
        footer=_("Unofficial. High Score is a game by Reiner Knizia, published by KOSMOS. This bot is free software."),
    )
    return Rendered([embed], buttons=[learn_button()])


def _command_lines(described: Mapping[str, str]) -> list[str]:
    return [f"{command_mention(name, linked=True)} · {text}" for name, text in described.items()]


def render_guide(number: int, deck: Deck) -> Rendered:
    """Show a page of the guide, counted from 0. A number beyond the end gives the last page."""
    pages = _guide_pages(deck)
    last = len(pages) - 1
    at = min(number, last)
    page = pages[at]
    counted = _("Page {number} of {pages}").format(number=at + 1, pages=len(pages))
    embed = make_embed(page.title, *page.lines, footer=f"{counted} · " + _("/highscore rules card:… explains a card"))
    buttons = page_buttons(GuidePress(at - 1) if at else None, GuidePress(at + 1) if at < last else None)
    if at == 0:
        buttons.append(learn_button(row=1))
    return Rendered([embed], buttons=buttons, picture=page.picture)


def _guide_pages(deck: Deck) -> tuple[_Page, ...]:
    frozen = next((card for card in deck if card.vortex.frozen), deck.cards[0])
    drawn = Scoring.PAIRS_MINUS
    overview = (
        "🎲 "
        + _("There are seven dice. Each has the numbers 1 to 5, and a vortex {vortex} instead of a 6.").format(
            vortex=words.VORTEX
        ),
        "🃏 "
        + _(
            "There are seven rounds. In each, a challenge card says what counts, what the vortex is worth and how"
            " you roll."
        ),
        "👤 " + _("Everybody has one turn per round. Your result moves your piece along a track of 30 spaces."),
        "🥇 "
        + _("The player furthest ahead wins the round's gold chip. The most points after seven rounds win the game."),
        "",
        _("A challenge card shows what the vortex is worth (left), what counts (middle) and how you roll (right)."),
    )
    rolling = (
        *(f"**{words.roll_type_name(each)}** — {words.roll_type_rule(each)}" for each in RollType),
        _(
            "Each row of the picture shows the dice before and after a roll. Yellow dice are rolled again, blue"
            " ones stay."
        ),
    )
    counting = [f"**{words.scoring_name(each)}** — {words.scoring_rule(each)}" for each in Scoring]
    vortex = (
        _("The card says what a vortex {vortex} is worth: a number, or one of these.").format(vortex=words.VORTEX),
        f"{words.FROZEN} " + words.vortex_rule(VortexValue.FROZEN),
        "✨ " + words.vortex_rule(VortexValue.CHOICE),
        "",
        _("Green ▲ means that the vortex can help you. Red ▼ means that it costs you points or a die."),
    )
    taken = (
        _(
            "If your result is already taken, your piece goes to the next free space below. So the player who had"
            " it first stays ahead."
        ),
        _(
            "At your own pace, being quicker is no advantage: equal results are placed in seat order, and each"
            " round starts with the next seat."
        ),
        _("With a result of 0 or less, the piece stays off the track."),
    )
    marker = [_("Past space 30 the track starts over: the piece goes on from space 1 and gets its 30+ marker.")]
    winning = (
        *words.chip_rules(),
        "🔏 " + _("The dice are fair: their seed is sealed before the game, and the button Proof opens it afterwards."),
    )
    # Descriptions of the pictures.
    roll_types = tuple(labelled(words.roll_type_name(each), words.roll_type_rule(each)) for each in RollType)
    comes = _("A second piece has the result 26, but space 26 of the track is taken, so it goes to space 25 instead.")
    passes = _("A piece with the result 37 goes to space 7 of the track and gets a 30+ marker.")
    return (
        _Page(_("High Score in a minute"), overview, _card_picture(deck.cards[0])),
        _Page(_("Three ways to roll"), rolling, Picture("rolls.png", roll_types, roll_types_png)),
        _Page(_("What counts"), counting, Picture("scoring.png", (scoring_words(drawn),), scoring_png, (drawn,))),
        _Page(_("The vortex"), vortex, _card_picture(frozen)),
        _Page(_("One piece on a space"), taken, Picture("taken.png", (comes,), taken_png)),
        _Page(_("More than 30"), marker, Picture("marker.png", (passes,), marker_png)),
        _Page(_("Chips and victory"), winning),
    )
