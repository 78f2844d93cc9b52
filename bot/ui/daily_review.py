"""A person's decisions on a day that is over, beside the best ones: private, and shared only as one share of par."""

from datetime import datetime

import discord

from bot.domain.daily import Attempt
from bot.locales import _, format_number
from bot.ui.buttons import Verb, leaf_buttons
from bot.ui.coaching import WORTH_TELLING, choice_words, costly_choice_words
from bot.ui.daily import attempt_press, average_words, share_buttons
from bot.ui.daily_pictures import day_title
from bot.ui.dice import dice_code
from bot.ui.message import GOLD, Rendered, make_embed
from bot.ui.private_page import card_result_title
from bot.ui.text import format_chance, format_signed
from bot.ui.words import card_name
from highscore.deck import ROUNDS
from highscore.odds.analysis import Report, TurnReview


def render_daily_review(attempt: Attempt, report: Report, leaf: int, now: datetime) -> Rendered:
    """Show each decision beside the best one, with its cost: leaf 1 has all cards, each further leaf one card."""
    leaf = max(leaf, 1)  # The button that opens the review says 0.
    if leaf == 1:
        embed, buttons = _all_decisions_embed(attempt, report), share_buttons(attempt, now)
    else:
        embed, buttons = _decisions_embed(attempt, report.turns[leaf - 2]), []
    before, following = (attempt_press(attempt, Verb.REVIEW, number) for number in (leaf - 1, leaf + 1))
    buttons += leaf_buttons(before if before.argument else None, following if leaf <= ROUNDS else None)
    return Rendered([embed], buttons=buttons)


def _all_decisions_embed(attempt: Attempt, report: Report) -> discord.Embed:
    lines = []
    for turn in report.turns:
        cost = " ✅" if turn.loss < WORTH_TELLING else f" · −{format_number(turn.loss)}"
        lines.append(f"{turn.round}. {card_name(turn.card)}: **{format_signed(turn.result)}**{cost}")
    return make_embed(
        "📊 "
        + _("{challenge}: you kept {share} of par").format(
            challenge=day_title(attempt.daily), share=format_chance(report.compute_kept(0))
        ),
        _("What your decisions cost in expected points, by what you could know when you made them. Luck is not in it."),
        "",
        *lines,
        colour=GOLD,
    )


def _decisions_embed(attempt: Attempt, played: TurnReview) -> discord.Embed:
    lines = []
    for made in played.decisions:
        lines.append(dice_code(made.turn.dice))
        fine = made.loss < WORTH_TELLING
        lines += ["✅ " + choice_words(made.turn, made.choice) if fine else "💸 " + costly_choice_words(made), ""]
    return make_embed(
        f"{day_title(attempt.daily)} · {card_result_title(played.round, played.result)}",
        card_name(played.card),
        "",
        *lines,
        "-# " + average_words(attempt.daily.averages[played.round - 1]),
    )
