"""The cards, the rules and the dice in words."""

from __future__ import annotations

from bot.locales import _, listed
from bot.ui.text import signed
from highscore.cards import Card, RollType, Scoring, VortexKind
from highscore.dice import Face
from highscore.scoring import Part, Score

VORTEX = "🌀"
KEYCAPS = {
    Face.ONE: "1️⃣",
    Face.TWO: "2️⃣",
    Face.THREE: "3️⃣",
    Face.FOUR: "4️⃣",
    Face.FIVE: "5️⃣",
    Face.VORTEX: VORTEX,
}


def scoring_name(scoring: Scoring) -> str:
    """The short name of what counts."""
    match scoring:
        case Scoring.TOTAL:
            return _("Total")
        case Scoring.SAME:
            return _("Same number")
        case Scoring.SAME_MINUS:
            return _("Same number minus remainder")
        case Scoring.TENS_MINUS:
            return _("Tens minus remainder")
        case Scoring.PAIRS:
            return _("Two of a kind")
        case Scoring.PAIRS_MINUS:
            return _("Two of a kind minus remainder")
        case Scoring.TRIPLES_MINUS:
            return _("Three of a kind minus remainder")
        case Scoring.ODD:
            return _("Odd numbers")
        case Scoring.ODD_MINUS:
            return _("Odd numbers minus remainder")
        case Scoring.VALUES_SHOWN_MINUS:
            return _("Values shown (1–4) minus remainder")
        case Scoring.ASCENDING:
            return _("Ascending values and vortices")


def scoring_rule(scoring: Scoring) -> str:
    """What counts, in a sentence."""
    remainder = _("All other dice are subtracted.")
    match scoring:
        case Scoring.TOTAL:
            return _("All seven dice count.")
        case Scoring.SAME:
            return _("Every number that shows on at least two dice counts, with all its dice.")
        case Scoring.SAME_MINUS:
            return _("Every number that shows on at least two dice counts, with all its dice.") + " " + remainder
        case Scoring.TENS_MINUS:
            return _("Dice that make groups of exactly 10 count.") + " " + remainder
        case Scoring.PAIRS:
            return _("Pairs count: three of a number are one pair, four are two.")
        case Scoring.PAIRS_MINUS:
            return _("Pairs count: three of a number are one pair, four are two.") + " " + remainder
        case Scoring.TRIPLES_MINUS:
            return _("Triples count: three of one number.") + " " + remainder
        case Scoring.ODD:
            return _("Only 5, 3 and 1 count.")
        case Scoring.ODD_MINUS:
            return _("Only 5, 3 and 1 count.") + " " + remainder
        case Scoring.VALUES_SHOWN_MINUS:
            return _("Only 4, 3, 2 and 1 count.") + " " + remainder
        case Scoring.ASCENDING:
            return _(
                "1, 2, 3, 4, 5, vortex: everything from 1 up to the first gap counts, with all its dice."
                " Nothing after the gap does."
            )


def roll_type_name(roll_type: RollType) -> str:
    """The name of a roll type."""
    match roll_type:
        case RollType.FOUR_FULL:
            return _("Four full rolls")
        case RollType.ANY_THREE:
            return _("Any three rolls")
        case RollType.SET_ASIDE:
            return _("Set aside after each roll")


def roll_type_rule(roll_type: RollType) -> str:
    """How the turn is rolled, in a sentence."""
    match roll_type:
        case RollType.FOUR_FULL:
            return _("Up to four rolls, always with all dice; the last roll counts.")
        case RollType.ANY_THREE:
            return _("Up to three rolls; before each, pick the dice to roll again.")
        case RollType.SET_ASIDE:
            return _("After each roll, set at least one die aside for good; the rest is rolled again.")


def vortex_name(card: Card) -> str:
    """The vortex value, short."""
    match card.vortex.kind:
        case VortexKind.FROZEN:
            return _("frozen 0")
        case VortexKind.CHOICE:
            return _("0 to 6, your choice")
        case VortexKind.FIXED:
            return signed(card.vortex.number)


def vortex_rule(card: Card) -> str:
    """What a vortex does on this card, in a sentence."""
    match card.vortex.kind:
        case VortexKind.FROZEN:
            return _("A vortex freezes at once: it is worth 0 and cannot be rolled again.")
        case VortexKind.CHOICE:
            return _("A vortex is worth any value from 0 to 6, whatever helps you most.")
        case VortexKind.FIXED:
            return _("A vortex is worth {number}.").format(number=signed(card.vortex.number))


def card_name(card: Card) -> str:
    """A card's name for people: what counts and the vortex, which together are unique in the standard deck."""
    return f"{scoring_name(card.scoring)} · {VORTEX} {vortex_name(card)}"


def card_lines(card: Card) -> str:
    """A card in three lines: what counts, the vortex, the roll type."""
    colour = "🟥" if card.vortex_hurts else "🟩"
    return "\n".join(
        (
            f"🎯 **{scoring_name(card.scoring)}** — {scoring_rule(card.scoring)}",
            f"{colour} **{_('Vortex')} {vortex_name(card)}** — {vortex_rule(card)}",
            f"🎲 **{roll_type_name(card.roll_type)}** — {roll_type_rule(card.roll_type)}",
        )
    )


def card_reminder(card: Card) -> str:
    """A card in two lines, for whoever has rolled already: its names, and what counts."""
    colour = "🟥" if card.vortex_hurts else "🟩"
    return "\n".join(
        (
            f"🎯 **{scoring_name(card.scoring)}** — {scoring_rule(card.scoring)}",
            f"{colour} {_('Vortex')} {vortex_name(card)} · 🎲 {roll_type_name(card.roll_type)}",
        )
    )


def explain(found: Score) -> str:
    """Why dice are worth what they are: what counts, in its groups, and what is subtracted."""
    counting = [at for at, die in enumerate(found.dice) if die.part is Part.COUNTS]
    groups = list(found.groups) or ([tuple(counting)] if counting else [])
    # Dice worth 0 count, as nothing: true, but no help to read.
    worth = [[at for at in group if found.dice[at].value] for group in groups]
    sums = ["+".join(_die(found, at) for at in group) for group in worth if group]
    text = listed(sums) if sums else _("nothing counts")
    lost = [_die(found, at) for at, die in enumerate(found.dice) if die.part is Part.SUBTRACTED]
    if not lost:
        return text
    return _("{counting} ({sum}) minus {dice} ({remainder})").format(
        counting=text, sum=signed(found.counted), dice="+".join(lost), remainder=signed(found.subtracted)
    )


def _die(found: Score, at: int) -> str:
    die = found.dice[at]
    if die.face is not Face.VORTEX:
        return str(die.value)
    value = signed(die.value)
    return f"{VORTEX}{value}" if die.value >= 0 else f"{VORTEX}({value})"
