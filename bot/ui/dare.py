"""Dares: the message with all dares of a game, and the private page of a user who takes one."""

import discord

from bot.domain.challenge import Attempt
from bot.domain.dare import MOST_SHOWN, Dare, Dares, match_dare, own_results
from bot.domain.table import Table
from bot.locales import _, labelled
from bot.ui.buttons import ChallengeKind, ChallengePress, ReviewPress, Verb, button
from bot.ui.challenge import PrivatePage, attempt_page, attempt_press, score_title, text_button
from bot.ui.cup import fit_lines, match_words
from bot.ui.message import GOLD, Rendered, make_embed
from bot.ui.text import clean_name, escape_name, format_signed, player_name
from bot.ui.words import card_name, dice_code

LONGEST = 3000
"""The longest list of results, in UTF-16 units. Discord allows 4096 for a description."""


def render_dares(shown: Dares) -> Rendered:
    """Show all dares of a game with their buttons, and the newest results, but no dice or cards."""
    lines = [
        f"{escape_name(attempt.name)} : {_owner(attempt.challenge)} **{match_words(match_dare(attempt))}**"
        for attempt in shown.newest
    ]
    more = [""] * (shown.finished - len(lines))
    embed = make_embed(
        "🎲 " + _("Same dice. Can you do better?"),
        _("Play the seven cards of this game. The same choices give the same dice as in the game."),
        "-# " + _("Anybody who was not at the table has one attempt, in private. It is not rated."),
        *(["", *fit_lines(lines + more, MOST_SHOWN, LONGEST)] if lines else []),
        colour=GOLD,
    )
    buttons = [
        button(
            ChallengePress(ChallengeKind.DARE, Verb.PLAY, dare.id),
            _("Against {player}").format(player=_owner(dare, label=True)),
            style=discord.ButtonStyle.primary,
            row=at,
        )
        for at, dare in enumerate(shown.dares)
    ]
    return Rendered([embed], buttons=buttons)


def dare_title(dare: Dare) -> str:
    return _("Against {player}").format(player=_owner(dare))


def dare_page(attempt: Attempt[Dare], *, pictures: bool) -> PrivatePage:
    """Return the private page of an attempt. It shows the results of the game only after the last card."""
    pitch = [
        _(
            "The same choices give the same dice as in the game. You have one attempt, and you can pause whenever"
            " you like."
        ),
        _(
            "It is a puzzle, so do not look at the records, the replay or the **Proof** of the game: they give"
            " the dice away."
        ),
    ]
    end = _render_end(attempt) if attempt.run.complete else None
    return attempt_page(attempt, dare_title(attempt.challenge), None, pitch, end, pictures=pictures, rare=False)


def _render_end(attempt: Attempt[Dare]) -> Rendered:
    dare = attempt.challenge
    own = own_results(dare.table, dare.seat)
    lines = []
    for number, ((card, turn), theirs) in enumerate(zip(attempt.run.finished, own, strict=True), 1):
        other = "–" if theirs is None else format_signed(theirs)
        results = f"**{format_signed(turn.result)}** : {other} {dice_code(turn.dice)}"
        lines.append(f"{number}. " + labelled(card_name(card), results))
    by_house = _("The house played these cards for {player}, so they do not count.").format(player=_owner(dare))
    embed = make_embed(
        score_title(dare_title(dare), attempt),
        f"**{escape_name(attempt.name)} : {_owner(dare)} {match_words(match_dare(attempt))}**",
        "",
        *lines,
        "-# " + _("A result below 0 counts as 0.")
        if min(turn.result for _card, turn in attempt.run.finished) < 0
        else None,
        "-# – " + by_house if None in own else None,
        "-# " + _("Your result is added to the message with the dare within a few minutes. It is not rated."),
        colour=GOLD,
    )
    buttons = [
        button(ReviewPress(ChallengeKind.DARE, dare.id), _("Decisions"), emoji="📊"),
        button(attempt_press(attempt, Verb.PROOF), _("Proof"), emoji="🔏"),
        text_button(attempt_press(attempt, Verb.TEXT), row=1),
    ]
    return Rendered([embed], buttons=buttons)


def offered_text(table: Table, message_id: int) -> str:
    link = f"https://discord.com/channels/{table.guild_id}/{table.channel_id}/{message_id}"
    return _("You have dared others to play with your dice: {link}").format(link=link)


def _owner(dare: Dare, *, label: bool = False) -> str:
    return player_name(dare.table, dare.seat, clean_name if label else escape_name, marked=False)
