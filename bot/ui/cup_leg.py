"""The private page on which a user plays a leg of a cup (R9.8). It names the opponents, but not their results."""

from discord.utils import format_dt

from bot.domain.challenge import Attempt
from bot.domain.cup import CupView, LegChallenge
from bot.locales import _
from bot.ui.challenge import PrivatePage, attempt_page, played_lines, score_title
from bot.ui.cup import alone_sentence, opponents_line
from bot.ui.message import GOLD, Rendered, make_embed
from bot.ui.text import escape_name


def leg_title(challenge: LegChallenge) -> str:
    return f"{escape_name(challenge.cup_name, len(challenge.cup_name))} #{challenge.leg}"


def leg_page(
    attempt: Attempt[LegChallenge], view: CupView | None = None, *, pictures: bool = True, rare: bool = False
) -> PrivatePage:
    """Return the private page of a leg. If ``view`` is given, the page names the opponents until the first dice."""
    challenge = attempt.challenge
    ends = "⏳ " + _("End of the leg: {when}").format(when=format_dt(challenge.ends_at, "R"))
    end = _render_end(attempt) if attempt.run.complete else None
    pitch = _pitch_lines(attempt, view)
    return attempt_page(attempt, leg_title(challenge), ends, pitch, end, pictures=pictures, rare=rare)


def _pitch_lines(attempt: Attempt[LegChallenge], view: CupView | None) -> list[str]:
    if attempt.challenge.alone:
        return [alone_sentence()]
    meets = []
    if view is not None:
        meets = [opponents_line(view.cup, attempt.challenge.entrants, view.cup.number_of(attempt.user_id))]
    return [*meets, _("Your opponents get the same dice. You have one attempt, and you can pause whenever you like.")]


def _render_end(attempt: Attempt[LegChallenge]) -> Rendered:
    """Show the user's own cards and score. The opponents may still be playing, so nothing of theirs is shown."""
    challenge = attempt.challenge
    later = _("The results appear in the channel when the leg is over: {when}")
    if challenge.alone:
        later = _("You can see your decisions, with the results, when the leg is over: {when}")
    embed = make_embed(
        score_title(leg_title(challenge), attempt),
        *played_lines(attempt),
        "",
        later.format(when=format_dt(challenge.ends_at, "R")),
        colour=GOLD,
    )
    return Rendered([embed])
