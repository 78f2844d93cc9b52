"""The badges in words."""

from collections.abc import Collection, Iterable

from bot.domain.badges import Badge
from bot.locales import _, labelled
from bot.ui.text import BADGE

MOST_TOLD = 2
"""The most badges that are told at an end; ``/highscore stats`` has the others, too."""


def _name_and_rule(badge: Badge) -> tuple[str, str]:
    return {
        Badge.LAP_OF_HONOUR: (_("Lap of honour"), _("More than 30 on one card.")),
        Badge.HIGH_FLYER: (_("High flyer"), _("45 or more on one card.")),
        Badge.SEVEN_ALIKE: (_("Seven alike"), _("Seven equal dice at the end of a turn.")),
        Badge.FIRST_TRY: (_("First try"), _("Gold with the very first roll.")),
        Badge.EYE_OF_THE_STORM: (_("Eye of the storm"), _("Gold with four or more vortices.")),
        Badge.GOLD_RUSH: (_("Gold rush"), _("Gold four rounds in a row.")),
        Badge.FULL_SET: (_("Full set"), _("Gold, silver and bronze in three rounds in a row.")),
        Badge.STEADY_HAND: (_("Steady hand"), _("At least 15 on all seven cards.")),
        Badge.ON_THE_DOT: (_("On the dot"), _("Exactly 30 on one card.")),
        Badge.START_TO_FINISH: (_("Start to finish"), _("A win after leading alone from the first round on.")),
        Badge.COMEBACK: (_("Comeback"), _("A win from four or more points behind with three rounds to go.")),
        Badge.RUNAWAY: (_("Runaway win"), _("A win by eight points or more.")),
        Badge.PHOTO_FINISH: (_("Photo finish"), _("A tie on points won by the better chips.")),
        Badge.HAT_TRICK: (_("Hat-trick"), _("Three rated games won in a row.")),
        Badge.REGULAR: (_("Part of the furniture"), _("50 rated games on this server.")),
        Badge.WEEK: (_("Seven days running"), _("The daily challenge seven days in a row.")),
        Badge.MONTH: (_("Thirty days running"), _("The daily challenge thirty days in a row.")),
    }[badge]


def badge_name(badge: Badge) -> str:
    name, _rule = _name_and_rule(badge)
    return name


def told_badges(earned: Iterable[tuple[str, Badge]]) -> list[str]:
    """Return the lines at an end, of a game or a day, on the rarest badges that these names have earned."""
    rarest_first = sorted(earned, key=lambda each: list(Badge).index(each[1]))
    return [labelled(name, f"**{badge_name(badge)}**") for name, badge in rarest_first[:MOST_TOLD]]


def to_earn_sentence(badges: Collection[Badge]) -> str | None:
    """Return which badges somebody with these has not earned; None where it is none."""
    missing = ", ".join(badge_name(badge) for badge in Badge if badge not in badges)
    return _("Badges still to earn: {badges}.").format(badges=missing) if missing else None


def badge_lines(badges: Iterable[Badge]) -> list[str]:
    return [f"{BADGE} **{name}** · {rule}" for name, rule in map(_name_and_rule, badges)]
