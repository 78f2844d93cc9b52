"""The cards, the rules, the dice and the chips in words."""

from collections.abc import Collection, Iterable, Mapping

from bot.locales import _, format_list, ngettext
from bot.ui.text import CHIPS, format_signed
from highscore.cards import Card, RollType, Scoring, VortexKind, VortexValue
from highscore.dice import Face
from highscore.scoring import Part, Score
from highscore.standings import Decider
from highscore.track import Chip

VORTEX = "🌀"


def winners_sentence(names: Collection[str]) -> str:
    text = ngettext("{players} wins.", "{players} win.", len(names))
    return text.format(players=format_list(names)) if names else _("Nobody wins.")


def scoring_name(scoring: Scoring) -> str:
    return {
        Scoring.TOTAL: _("Total"),
        Scoring.SAME: _("Same number"),
        Scoring.SAME_MINUS: _("Same number minus remainder"),
        Scoring.TENS_MINUS: _("Tens minus remainder"),
        Scoring.PAIRS: _("Two of a kind"),
        Scoring.PAIRS_MINUS: _("Two of a kind minus remainder"),
        Scoring.TRIPLES_MINUS: _("Three of a kind minus remainder"),
        Scoring.ODD: _("Odd numbers"),
        Scoring.ODD_MINUS: _("Odd numbers minus remainder"),
        Scoring.VALUES_SHOWN_MINUS: _("Values shown (1–4) minus remainder"),
        Scoring.ASCENDING: _("Ascending values and vortices"),
    }[scoring]


def scoring_rule(scoring: Scoring) -> str:
    same = _("All dice whose number shows at least twice count.")
    pairs = _("Pairs count: three alike are one pair, four are two.")
    odd = _("Only 5, 3 and 1 count.")
    ascending = _("1, 2, 3, 4, 5, vortex: all dice count up to the first gap.")
    rules = {
        Scoring.TOTAL: _("All seven dice count."),
        Scoring.SAME: same,
        Scoring.SAME_MINUS: same,
        Scoring.TENS_MINUS: _("Dice in groups of exactly 10 count."),
        Scoring.PAIRS: pairs,
        Scoring.PAIRS_MINUS: pairs,
        Scoring.TRIPLES_MINUS: _("Triples count: three of one number."),
        Scoring.ODD: odd,
        Scoring.ODD_MINUS: odd,
        Scoring.VALUES_SHOWN_MINUS: _("Only 4, 3, 2 and 1 count."),
        Scoring.ASCENDING: ascending,
    }
    return rules[scoring] + (" " + _("The others are subtracted.") if scoring.subtracts_rest else "")


def roll_type_name(roll_type: RollType) -> str:
    return {
        RollType.FOUR_FULL: _("Four full rolls"),
        RollType.ANY_THREE: _("Any three rolls"),
        RollType.SET_ASIDE: _("Set aside after each roll"),
    }[roll_type]


def roll_type_rule(roll_type: RollType) -> str:
    return {
        RollType.FOUR_FULL: _("You always roll all dice, and only the last roll counts."),
        RollType.ANY_THREE: _("After a roll, pick the dice to roll again."),
        RollType.SET_ASIDE: _("At least one die stays for good; the others are rolled again."),
    }[roll_type]


def _vortex_name(card: Card) -> str:
    match card.vortex.kind:
        case VortexKind.FROZEN:
            return _("Frozen 0")
        case VortexKind.CHOICE:
            return _("0 to 6, your choice")
        case VortexKind.FIXED:
            return format_signed(card.vortex.number)


def vortex_rule(vortex: VortexValue) -> str:
    match vortex.kind:
        case VortexKind.FROZEN:
            return _("A vortex freezes: it is worth 0 and never rolled again.")
        case VortexKind.CHOICE:
            return _("A vortex is worth 0 to 6, whatever helps you most.")
        case VortexKind.FIXED:
            return _("A vortex is worth {number}.").format(number=format_signed(vortex.number))


def card_name(card: Card) -> str:
    """Return a card's name: its scoring and its vortex. No two cards of the standard deck have the same name."""
    return f"{scoring_name(card.scoring)} · {VORTEX} {_vortex_name(card)}"


def card_lines(card: Card) -> str:
    return (
        f"{scoring_line(card)}\n"
        f"{VORTEX} {vortex_rule(card.vortex)}\n"
        f"🎲 **{roll_type_name(card.roll_type)}** — {roll_type_rule(card.roll_type)}"
    )


def card_names_line(card: Card) -> str:
    """Return scoring, vortex and roll type of a card by name only, for players who know what the names mean."""
    rolls = f"🎲 {roll_type_name(card.roll_type)}"
    return f"🎯 **{scoring_name(card.scoring)}** · {VORTEX} {_vortex_name(card)} · {rolls}"


def scoring_line(card: Card) -> str:
    return f"🎯 **{scoring_name(card.scoring)}** — {scoring_rule(card.scoring)}"


def explain(score: Score) -> str:
    counting = [at for at, die in enumerate(score.dice) if die.part is Part.COUNTS]
    groups = list(score.groups) or ([tuple(counting)] if counting else [])
    # Dice worth 0 count as well, but naming them would not help the reader.
    worth = [[at for at in group if score.dice[at].value] for group in groups]
    sums = ["+".join(_die_words(score, at) for at in group) for group in worth if group]
    lost = [_die_words(score, at) for at, die in enumerate(score.dice) if die.part is Part.SUBTRACTED]
    text = _("{counting} ({sum}) minus {dice} ({remainder})") if lost else "{counting}"
    if not sums:
        text = _("Nothing counts, minus {dice} ({remainder})") if lost else _("Nothing counts")
    taken, counted = format_signed(score.subtracted), format_signed(score.counted)
    return text.format(counting=format_list(sums), sum=counted, dice="+".join(lost), remainder=taken)


def _die_words(score: Score, at: int) -> str:
    die = score.dice[at]
    if die.face is not Face.VORTEX:
        return str(die.value)
    value = format_signed(die.value)
    return f"{VORTEX}{value}" if die.value >= 0 else f"{VORTEX}({value})"


UNROLLED = "⬜"
FROZEN = "❄️"


def dice_code(faces: Iterable[Face | None]) -> str:
    """Return dice as inline code, which Discord shows small and, with these spaces, in one line."""
    return "`" + "\u00a0".join(map(die_mark, faces)) + "`"


def die_mark(face: Face | None) -> str:
    if face is None:
        return UNROLLED
    return VORTEX if face is Face.VORTEX else str(face)


def chip_counts(chips: Mapping[Chip, int]) -> str:
    text = " ".join(f"{CHIPS[chip]}×{count}" for chip, count in chips.items() if count)
    return f" · {text}" if text else ""


def games_words(number: int) -> str:
    return ngettext("{number} game", "{number} games", number).format(number=number)


def wins_words(number: int) -> str:
    return ngettext("{number} win", "{number} wins", number).format(number=number)


def points_words(number: int) -> str:
    return ngettext("{number} point", "{number} points", number).format(number=format_signed(number))


def chip_rules() -> tuple[str, ...]:
    return (
        "".join(CHIPS.values()) + " " + _("The three furthest ahead get gold (3 points), silver (2) and bronze (1)."),
        "👥 " + _("With two players there are only gold and bronze; a result of 0 or less gets nothing."),
        "🏆 "
        + _(
            "The most points after seven rounds win. Ties go to the player with more gold chips, then more silver"
            " chips."
        ),
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
