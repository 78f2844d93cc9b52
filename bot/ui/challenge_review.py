"""A person's decisions in a challenge that is closed, beside the best ones: private."""

from collections.abc import Sequence

import discord

from bot.domain.challenge import Attempt, Challenge
from bot.locales import _, format_number, labelled
from bot.ui.buttons import ActionItem, Verb, leaf_buttons
from bot.ui.challenge import average_words
from bot.ui.coaching import WORTH_TELLING, choice_words, costly_choice_words
from bot.ui.dice import dice_code
from bot.ui.message import GOLD, Rendered, make_embed
from bot.ui.private_page import card_result_title
from bot.ui.text import format_chance, format_signed
from bot.ui.turn_parts import PressOf
from bot.ui.words import card_name
from highscore.odds.analysis import Report, TurnReview


def render_review(
    title: str,
    attempt: Attempt[Challenge],
    report: Report,
    leaf: int,
    press: PressOf,
    buttons: Sequence[ActionItem],
) -> Rendered:
    """Show each decision beside the best one, with its cost: leaf 1 has all cards, each further leaf one card.

    The title names the challenge; ``press`` makes the press of a button; the buttons are those of leaf 1.
    """
    leaf = min(max(leaf, 1), len(report.turns) + 1)  # The button that opens the review says 0.
    if leaf == 1:
        embed = _all_decisions_embed(title, report)
    else:
        embed, buttons = _decisions_embed(title, attempt, report.turns[leaf - 2]), ()
    before = press(Verb.REVIEW, leaf - 1) if leaf > 1 else None
    following = press(Verb.REVIEW, leaf + 1) if leaf <= len(report.turns) else None
    return Rendered([embed], buttons=[*buttons, *leaf_buttons(before, following)])


def _all_decisions_embed(title: str, report: Report) -> discord.Embed:
    lines = []
    for turn in report.turns:
        cost = " ✅" if turn.loss < WORTH_TELLING else f" · −{format_number(turn.loss)}"
        lines.append(f"{turn.round}. " + labelled(card_name(turn.card), f"**{format_signed(turn.result)}**{cost}"))
    return make_embed(
        f"📊 {title} · " + _("Par kept: {share}").format(share=format_chance(report.compute_kept(0))),
        _("What your decisions cost in expected points, by what could be known at that moment. Luck is not in it."),
        "",
        *lines,
        colour=GOLD,
    )


def _decisions_embed(title: str, attempt: Attempt[Challenge], played: TurnReview) -> discord.Embed:
    lines = []
    for made in played.decisions:
        lines.append(dice_code(made.turn.dice))
        fine = made.loss < WORTH_TELLING
        lines += ["✅ " + choice_words(made.turn, made.choice) if fine else "💸 " + costly_choice_words(made), ""]
    return make_embed(
        f"{title} · {card_result_title(played.round, played.result)}",
        card_name(played.card),
        "",
        *lines,
        "-# " + average_words(attempt.challenge.averages[played.round - 1]),
    )
