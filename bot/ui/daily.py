"""The daily challenge: what the player sees in private, and what everybody sees of it.

Nothing that everybody sees before the end of the day names a card or a die.
"""

from collections.abc import Collection, Sequence

import discord

from bot.domain.daily import Attempt, Daily, Grade, Ranked
from bot.locales import _, day_words, decimal, ngettext
from bot.ui.buttons import ActionItem, Kind, Press, Verb, button
from bot.ui.dice import turn_lines
from bot.ui.message import GOLD, QUIET, Rendered, make_embed
from bot.ui.reminders import relative
from bot.ui.text import MEDALS, plain, signed
from bot.ui.turn_parts import card_button, choice_buttons, scored_lines, what_now, worth
from bot.ui.words import card_lines, card_name
from highscore.cards import Card
from highscore.deck import ROUNDS
from highscore.runs import FinishedTurn

GRADES = {Grade.GREAT: "⭐", Grade.GOOD: "🟩", Grade.FAIR: "🔶", Grade.POOR: "🔻", Grade.NOTHING: "⚫"}
"""Told apart by shape as well as by colour."""
LONGEST_RANKING = 15
MOST_ON_PODIUM = 12
"""Lines of a podium; shared places can make it longer than three."""


def daily_page(
    attempt: Attempt,
    ranking: Sequence[Ranked] = (),
    selected: Collection[int] = (),
    note: str | None = None,
    *,
    asking: bool = False,
) -> Rendered:
    """The player's own, private page. ``ranking`` is shown only to those who have finished; ``note`` comes above."""
    if attempt.game.complete:
        return Rendered([_result(attempt), _ranking(attempt, ranking)], note)
    embeds = [_card(attempt)]
    if attempt.run.turn is None and attempt.run.finished:
        embeds.insert(0, _last_card(attempt))
    return Rendered(embeds, note, _buttons(attempt, selected, asking=asking))


def finish_line(attempt: Attempt) -> Rendered:
    """The message to the channel when somebody has finished: nothing about cards or dice."""
    score, day, par = attempt.run.total, day_words(attempt.daily.day), decimal(attempt.daily.par, 1)
    text = ngettext(
        "**{player}** has finished the daily challenge of {day}: **{score}** point (par {par})",
        "**{player}** has finished the daily challenge of {day}: **{score}** points (par {par})",
        score,
    ).format(player=plain(attempt.name), day=day, score=score, par=par)
    return Rendered([], f"📅 {text}{_streak(attempt.streak)}\n{_row(attempt)}")


def podium(daily: Daily, ranking: Sequence[Ranked]) -> Rendered:
    """The message to the channel when the day has ended: the best, the cards, the seed."""
    best = [line for line in ranking if line.place <= len(MEDALS)][:MOST_ON_PODIUM]
    lines = [f"{MEDALS[line.place - 1]} {_score_line(line)}" for line in best] or [_("Nobody finished it in time.")]
    if len(ranking) > len(best):
        lines.append("-# " + _("{number} people finished.").format(number=len(ranking)))
    cards = "\n".join(f"{number}. {card_name(card)}" for number, card in enumerate(daily.cards, 1))
    embed = make_embed(
        "📅 " + _("The daily challenge of {day} is over").format(day=day_words(daily.day)),
        *lines,
        "-# " + _("Par {par}").format(par=decimal(daily.par, 1)),
        colour=GOLD if ranking else QUIET,
        fields=[(_("The cards"), cards), (_("Seed"), f"`{daily.seed.hex()}`")],
        footer=_seal_line(daily.seal),
    )
    proof = button(Press(Verb.PROOF, daily.id, 0, kind=Kind.DAILY), _("Proof"), emoji="🔏")
    return Rendered([embed], buttons=[proof])


def _card(attempt: Attempt) -> discord.Embed:
    """The card that is played."""
    daily, run = attempt.daily, attempt.run
    assert run.card is not None
    title = _("Daily challenge {day}: card {number} of {cards}")
    return make_embed(
        title.format(day=day_words(daily.day), number=run.round, cards=ROUNDS),
        *(_pitch(attempt.streak) if attempt.version == 0 else ()),
        card_lines(run.card),
        *(() if run.turn is None else ("", turn_lines(run.turn), worth(run.turn), what_now(run.turn))),
        "",
        _("Points so far: **{score}**").format(score=run.total) if run.finished else None,
        "⏳ " + _("The day ends {when}.").format(when=relative(daily.ends_at)),
        footer=_seal_line(daily.seal),
    )


def _pitch(streak: int) -> list[str]:
    pitch = _(
        "Seven cards, the same for everybody today, and the same choices meet the same dice: only decisions differ."
        " You play alone and in private; when you have finished, your score is told here, but no card and no die."
        " One attempt; take breaks as you like, `/highscore daily` brings you back."
    )
    if not streak:
        return [pitch, ""]
    return [pitch, "🔥 " + _("Your streak: {number}. Finish today, and it grows.").format(number=streak), ""]


def _buttons(attempt: Attempt, selected: Collection[int], *, asking: bool) -> list[ActionItem]:
    def press(verb: Verb, argument: int) -> Press:
        return Press(verb, attempt.daily.id, attempt.version, argument, Kind.DAILY)

    if attempt.run.turn is None:
        roll = button(press(Verb.TAKE, 0), _("Roll the dice"), emoji="🎲", style=discord.ButtonStyle.primary)
        return [roll, card_button(press)]
    buttons = choice_buttons(attempt.run.turn, selected, press, asking=asking)
    return [*buttons, card_button(press, buttons[-1].item.row or 0)]


def _last_card(attempt: Attempt) -> discord.Embed:
    """The card that was played last: dice, result and why."""
    number = len(attempt.run.finished)
    card, done = attempt.run.finished[-1]
    title = ngettext("Card {number}: {result} point", "Card {number}: {result} points", abs(done.result))
    return make_embed(
        title.format(number=number, result=signed(done.result)),
        card_name(card),
        *scored_lines(card, done.dice),
        _("A result below 0 counts as 0.") if done.result < 0 else None,
        "-# " + _average(attempt.daily.averages[number - 1]),
        colour=QUIET,
    )


def _result(attempt: Attempt) -> discord.Embed:
    """All seven cards, the score, the par, and the row to share."""
    daily, run = attempt.daily, attempt.run
    title = ngettext(
        "Daily challenge {day}: {score} point, par {par}",
        "Daily challenge {day}: {score} points, par {par}",
        run.total,
    )
    legend = {
        Grade.GREAT: _("far above the card's average"),
        Grade.GOOD: _("above it"),
        Grade.FAIR: _("below it"),
        Grade.POOR: _("far below"),
        Grade.NOTHING: _("no points"),
    }
    row = _row(attempt) + "\n-# " + " · ".join(f"{GRADES[grade]} {words}" for grade, words in legend.items())
    fields = [(_("To share, without spoilers"), row)]
    if attempt.streak > 1:
        fields.append((_("Streak"), "🔥 " + _("{number} days in a row").format(number=attempt.streak)))
    played = map(_played, range(1, ROUNDS + 1), run.finished, daily.averages)
    return make_embed(
        title.format(day=day_words(daily.day), score=run.total, par=decimal(daily.par, 1)),
        *played,
        colour=GOLD,
        fields=fields,
        footer=_seal_line(daily.seal),
    )


def _played(number: int, played: tuple[Card, FinishedTurn], average: float) -> str:
    card, done = played
    dice = " ".join(map(str, done.dice))
    return f"{number}. {card_name(card)}: **{signed(done.result)}** `{dice}` · {_average(average)}"


def _average(average: float) -> str:
    return _("{points} on average").format(points=decimal(average, 1))


def _ranking(attempt: Attempt, ranking: Sequence[Ranked]) -> discord.Embed:
    """The day's ranking as it is now: the first ones, and the reader wherever they are."""
    lines = [
        f"{line.place}. {_score_line(line)}" + (" ◀️" if line.user_id == attempt.user_id else "")
        for index, line in enumerate(ranking)
        if index < LONGEST_RANKING or line.user_id == attempt.user_id
    ]
    if left_out := len(ranking) - len(lines):
        lines.append("-# " + _("and {number} more").format(number=left_out))
    posted = _("The podium is posted, and the seed opened, {when}.").format(when=relative(attempt.daily.ends_at))
    return make_embed(_("The day's ranking so far"), *lines, f"-# {posted}")


def _score_line(line: Ranked) -> str:
    return f"{plain(line.name)} **{line.score}**{_streak(line.streak)}"


def _streak(days: int) -> str:
    """A streak, which is shown from the second day on."""
    return f" · 🔥 {days}" if days > 1 else ""


def _row(attempt: Attempt) -> str:
    return "".join(GRADES[grade] for grade in attempt.share_row)


def _seal_line(seal: str) -> str:
    """The seal of the dice, complete, so that it can be compared later."""
    return _("Dice sealed: {seal}").format(seal=seal)
