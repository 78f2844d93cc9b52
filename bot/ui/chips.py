"""The look and the words of each point chip: what another chip adds to the screens, but for its colours."""

from collections.abc import Mapping

from bot.locales import _, ngettext
from highscore.standings import Decider
from highscore.track import Chip

MEDALS = ("🥇", "🥈", "🥉")
"""The first three places of a ranking."""
CHIPS = dict(zip((Chip.GOLD, Chip.SILVER, Chip.BRONZE), MEDALS, strict=True))


def chip_counts(chips: Mapping[Chip, int]) -> str:
    text = " ".join(f"{CHIPS[chip]}×{count}" for chip, count in chips.items() if count)
    return f" · {text}" if text else ""


def chip_rules() -> tuple[str, ...]:
    return (
        "".join(CHIPS.values()) + " " + _("The three furthest ahead get gold (3 points), silver (2) and bronze (1)."),
        "👥 " + _("With two players there are only gold and bronze; a result of 0 or less gets nothing."),
        "🏆 " + _("Most points after seven rounds wins; ties go to more gold, then more silver chips."),
    )


def chips_won(chip: Chip, number: int) -> str:
    texts = {
        Chip.GOLD: ngettext("{number} gold chip", "{number} gold chips", number),
        Chip.SILVER: ngettext("{number} silver chip", "{number} silver chips", number),
        Chip.BRONZE: ngettext("{number} bronze chip", "{number} bronze chips", number),
    }
    return texts[chip].format(number=number)


def tie_reason(decider: Decider | Chip | None) -> str:
    match decider:
        case Chip.GOLD:
            return _("Tied on points: more gold chips decide.")
        case Chip.SILVER:
            return _("Tied on points and gold chips: more silver chips decide.")
        case _other:
            return _("Tied on points, gold and silver chips: the place is shared.")
