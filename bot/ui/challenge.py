"""The private page of a user who plays alone: own pace at a table, a daily challenge, a leg of a cup, or a dare."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

import discord

from bot.domain.challenge import Attempt, Challenge
from bot.domain.cup import LegChallenge
from bot.domain.daily import Daily
from bot.domain.dare import Dare
from bot.domain.highlights import find_rare_card
from bot.locales import _, format_number, labelled, ngettext
from bot.ui.buttons import Action, ActionItem, ChallengeKind, ChallengePress, Verb, button
from bot.ui.highlights import show_rare_turn
from bot.ui.message import QUIET, SEAT_COLOURS, Picture, Rendered, make_embed
from bot.ui.pictures.views import Measure, turn_view
from bot.ui.proof import code_line
from bot.ui.text import NOT_REACHED, REACHED, clean_name, format_signed
from bot.ui.turn import MakePress, board_picture, card_and_dice_lines, choice_buttons, require_card, scored_lines
from bot.ui.words import card_name, dice_code
from highscore.deck import ROUNDS
from highscore.odds.facts import RareTurn
from highscore.runs import Run


@dataclass(frozen=True, slots=True)
class PrivatePage:
    """The contents of a private page, made only from what its player may see."""

    press: MakePress
    """Makes the action of a button for the current step of the run."""
    run: Run
    title: str
    names: Sequence[str]
    players: int = 1
    """The number of players who are not left out."""
    last: discord.Embed | None = None
    """The embed of the card finished last; None before the first card is finished, and once the next one is begun."""
    above: Sequence[str] = ()
    below: Sequence[str | None] = ()
    end: Rendered | None = None
    """The message in place of the card, if the player has nothing more to play."""
    pictures: bool = True
    hints: bool = False
    known: bool = False
    """True if the player already knows the card's scoring and roll type."""
    rare: RareTurn | None = None
    """The turn on the card finished last, if it was rare."""
    best: int | None = None
    """The player's best earlier result on this card, see ``Measure``."""


def challenge_kind(challenge: Challenge) -> ChallengeKind:
    kinds = {Daily: ChallengeKind.DAILY, LegChallenge: ChallengeKind.LEG, Dare: ChallengeKind.DARE}
    return kinds[type(challenge)]


def attempt_press(attempt: Attempt[Challenge], verb: Verb, dice: tuple[int, ...] = ()) -> ChallengePress:
    return ChallengePress(challenge_kind(attempt.challenge), verb, attempt.challenge.id, attempt.step, dice)


def render_private(page: PrivatePage, sentence: str | None = None) -> Rendered:
    """Show the page as a message, with ``sentence`` above it."""
    if page.end is not None:
        shown = replace(page.end, content=sentence)
    else:
        embeds = [_card_embed(page)] if page.last is None else [page.last, _card_embed(page)]
        shown = Rendered(embeds, sentence, private_buttons(page), picture=_card_picture(page))
    if page.rare is not None:
        name = page.names[page.run.seat]
        shown = show_rare_turn(shown, page.rare, page.run, name, name)
    return shown.adapt(pictures=page.pictures)


def private_buttons(
    page: PrivatePage, kept: Collection[int] | None = None, *, asking: bool = False
) -> list[ActionItem]:
    return choice_buttons(page.run.turn, kept, page.press, asking=asking, hints=page.hints)


def card_result_title(number: int, result: int) -> str:
    text = ngettext("Card {number}: {result} point", "Card {number}: {result} points", result)
    return text.format(number=number, result=format_signed(result))


def finished_card_embed(run: Run, *lines: str | None, fields: Iterable[tuple[str, str]] = ()) -> discord.Embed | None:
    """Show the dice and the result of the card finished last, and how the result is made up.

    None before the first card is finished, and once the next one is begun.
    """
    if not run.finished or run.turn is not None:
        return None
    card, done = run.finished[-1]
    return make_embed(
        card_result_title(len(run.finished), done.result),
        card_name(card),
        *scored_lines(card, done.dice),
        *lines,
        colour=QUIET,
        fields=fields,
    )


def _card_embed(page: PrivatePage) -> discord.Embed:
    card, turn = require_card(page.run.card), page.run.turn
    lines = card_and_dice_lines(card, turn, known=page.known)
    return make_embed(page.title, *page.above, *lines, *page.below, colour=SEAT_COLOURS[page.run.seat])


def _card_picture(page: PrivatePage) -> Picture:
    """Draw the board as at a table, but without the others' pieces, because the others may be playing another card."""
    run = page.run
    view = turn_view(require_card(run.card), len(page.names), (), run.turn, run.seat, staked=False)
    return board_picture(replace(view, round=run.round, measure=Measure.of(run, page.best)), page.names)


def attempt_page(
    attempt: Attempt[Challenge],
    name: str,
    ends: str | None,
    pitch: Sequence[str],
    end: Rendered | None,
    *,
    pictures: bool,
    rare: bool,
    hints: bool = False,
) -> PrivatePage:
    """Return the private page of an attempt. ``pitch`` is shown until the first dice are rolled."""
    run, begun = attempt.run, attempt.step > 0
    title = f"{name} · " + _("Card {number} of {cards}").format(number=run.round, cards=ROUNDS)
    points = _("Points so far: **{score}**").format(score=run.total) if run.finished else None
    return PrivatePage(
        partial(attempt_press, attempt),
        run,
        title,
        [clean_name(attempt.name)],
        last=last_card_embed(attempt),
        above=() if begun else [*pitch, ""],
        below=("", points, ends, None if begun else code_line(attempt.challenge.lock)),
        end=end,
        pictures=pictures,
        hints=hints,
        known=run.card is None or attempt.knows(run.card),
        rare=find_rare_card(attempt.game, attempt.events) if rare else None,
    )


def day_title(daily: Daily) -> str:
    return _("High Score #{number}").format(number=daily.number)


def score_title(name: str, attempt: Attempt[Challenge]) -> str:
    score, par = attempt.run.total, format_number(attempt.challenge.par, 1)
    title = ngettext("{challenge}: {score} point, par {par}", "{challenge}: {score} points, par {par}", score)
    return title.format(challenge=name, score=score, par=par)


def last_card_embed(attempt: Attempt[Challenge]) -> discord.Embed | None:
    if not (finished := attempt.run.finished):
        return None
    below = _("A result below 0 counts as 0.") if finished[-1].turn.result < 0 else None
    average = average_words(attempt.challenge.averages[len(finished) - 1])
    return finished_card_embed(attempt.run, below, "-# " + average)


def played_lines(attempt: Attempt[Challenge]) -> list[str]:
    """Return a line for each finished card. If a result is below 0, a last line says that it counts as 0."""
    lines, averages = [], attempt.challenge.averages
    for number, ((card, done), average) in enumerate(zip(attempt.run.finished, averages, strict=False), 1):
        result = f"**{format_signed(done.result)}** {dice_code(done.dice)}"
        mean = _("Ø {average}").format(average=format_number(average, 1))
        lines.append(f"{number}. " + labelled(card_name(card), f"{result} · {mean}"))
    if any(done.result < 0 for _card, done in attempt.run.finished):
        lines.append("-# " + _("A result below 0 counts as 0."))
    return lines


def average_words(average: float) -> str:
    return _("Average with best play: {points}").format(points=format_number(average, 1))


def text_button(press: Action, row: int = 0) -> ActionItem:
    return button(press, _("As text"), emoji="📋", row=row)


def attempt_text(attempt: Attempt[Challenge], now: datetime) -> Rendered:
    """Show a finished attempt at a daily challenge or a dare as a text to copy for people outside of Discord.

    The text is the whole content of the message, because a long press copies that. It is copied as it was sent, so it
    contains no Markdown. The backticks of a code block would be copied, too.

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
