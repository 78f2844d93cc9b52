"""What somebody decided on a day that is over, beside what was best: private, and shared only as one share of par."""

from datetime import datetime

import discord

from bot.domain.daily import Attempt
from bot.locales import _, format_number, ngettext
from bot.ui.buttons import Verb, button
from bot.ui.coaching import WORTH_TELLING, choice_words
from bot.ui.daily import average_words, day_title, press_of_attempt, share_button
from bot.ui.dice import die
from bot.ui.message import GOLD, Rendered, make_embed
from bot.ui.text import percent, signed
from bot.ui.words import card_name
from highscore.deck import ROUNDS
from highscore.odds.analysis import Report, TurnReview


def review_page(attempt: Attempt, report: Report, page: int, now: datetime) -> Rendered:
    """What somebody decided beside what was best and what it cost: all cards on page 1, a card on each further one.

    Page 0 is the first one, too: a button that says so opens it.
    """
    card = max(page - 1, 0)
    embed = _decisions(attempt, report.turns[card - 1]) if card else _all_decisions(attempt, report)
    buttons = [] if card else share_button(attempt, now)
    if card:
        buttons.append(button(press_of_attempt(attempt, Verb.REVIEW, card), _("Back"), emoji="◀️"))
    if card < ROUNDS:
        label = _("Next") if card else _("Card by card")
        buttons.append(button(press_of_attempt(attempt, Verb.REVIEW, card + 2), label, emoji="▶️"))
    return Rendered([embed], buttons=buttons)


def _all_decisions(attempt: Attempt, report: Report) -> discord.Embed:
    lines = []
    for turn in report.turns:
        cost = _("nothing lost") if turn.loss < WORTH_TELLING else "−" + format_number(turn.loss)
        lines.append(f"{turn.round}. {card_name(turn.card)}: **{signed(turn.result)}** · {cost}")
    return make_embed(
        "🎯 "
        + _("{challenge}: you kept {share} of par").format(
            challenge=day_title(attempt.daily), share=percent(report.kept(0))
        ),
        _("What your decisions cost in expected points, by what you could know when you made them. Luck is not in it."),
        "",
        *lines,
        colour=GOLD,
    )


def _decisions(attempt: Attempt, played: TurnReview) -> discord.Embed:
    """Every decision on a card beside the best one."""
    lines = []
    for made in played.decisions:
        lines.append(" ".join(die(face) for face in made.turn.dice))
        if made.loss < WORTH_TELLING:
            lines.append("✅ " + choice_words(made.turn, made.choice))
        else:
            cost = _("{choice}: that cost {cost}")
            lines.append(
                "🔻 " + cost.format(choice=choice_words(made.turn, made.choice), cost=format_number(made.loss))
            )
            lines.append(_("Better: {choice}").format(choice=choice_words(made.turn, made.best.choice)))
        lines.append("")
    title = ngettext("Card {number}: {result} point", "Card {number}: {result} points", abs(played.result))
    return make_embed(
        f"{day_title(attempt.daily)} · " + title.format(number=played.round, result=signed(played.result)),
        card_name(played.card),
        "",
        *lines,
        "-# " + average_words(attempt.daily.averages[played.round - 1]),
    )
