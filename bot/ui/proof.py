"""What the check of a finished game looked at, in the reader's language."""

from discord.utils import format_dt, snowflake_time

from bot.locales import _, decimal, ngettext
from bot.ui.text import plain
from highscore.deck import ROUNDS, STANDARD_DECK, Deck
from highscore.fairness import cards_of
from highscore.odds.facts import par
from highscore.proof import Proof
from highscore.standings import standings


def proof_lines(proof: Proof) -> tuple[str, ...]:
    """The checks of a table's game or of a daily challenge, one a line."""
    return _of_table(proof) if proof.export.day is None else _of_day(proof, proof.export.day)


def _of_table(proof: Proof) -> tuple[str, ...]:
    names = [plain(name) for name in proof.export.names]
    result = ", ".join(f"{names[line.seat]} {line.points}" for line in standings(proof.state))
    played = (
        _("The game was played to the end: {result}.").format(result=result)
        if proof.state.complete
        else _("The game was given up in round {number}: {result}.").format(number=proof.state.round, result=result)
    )
    return (
        _seal(proof.export.seal),
        *_opening(proof),
        ngettext(
            "The start player and {number} challenge card from {deck} follow from the seed.",
            "The start player and {number} challenge cards from {deck} follow from the seed.",
            proof.cards,
        ).format(number=proof.cards, deck=_deck(proof.export.deck)),
        _rolls(proof.rolls, proof.dice),
        f"{_decisions(proof.decisions)} {played}",
    )


def _of_day(proof: Proof, day: str) -> tuple[str, ...]:
    export, run = proof.export, proof.state.run(0)
    expected = decimal(par(cards_of(day, export.deck)), 1)
    drawn = _("The {cards} cards follow from the date {day} and {deck}. Par is {par}.")
    drawn = drawn.format(cards=ROUNDS, day=day, deck=_deck(export.deck), par=expected)
    if not export.events:
        return _seal(export.seal), drawn
    played = _decisions(proof.decisions)
    if not run.complete:
        finished = _("{number} of {cards} cards were finished.")
        played += " " + finished.format(number=len(run.finished), cards=ROUNDS)
    score = ngettext("{player} has {number} point.", "{player} has {number} points.", run.total)
    score = score.format(player=plain(export.names[0]), number=run.total)
    return _seal(export.seal), drawn, _rolls(proof.rolls, proof.dice), f"{played} {score}"


def _opening(proof: Proof) -> list[str]:
    """Digest and id of the opening: what the dice follow from besides the seed."""
    text = (
        _("A player had their lucky word deleted; what was checked rests on the digest of all words, {digest}.")
        if proof.words_deleted
        else _("The lucky words have the digest {digest}.")
    )
    lines = [text.format(digest=proof.export.words_digest)]
    if proof.export.opening is not None:
        opened = _(
            "The message that opened the game has the ID {opening}, with which its link ends. It was sent {when}."
        )
        when = format_dt(snowflake_time(proof.export.opening), "f")
        lines.append(opened.format(opening=proof.export.opening, when=when))
    return lines


def _seal(seal: str) -> str:
    return _("The seed matches the seal {seal}. Compare it with the one that was shown at the start.").format(seal=seal)


def _rolls(rolls: int, dice: int) -> str:
    return ngettext(
        "{number} roll with {dice} dice follows from the seed.",
        "{number} rolls with {dice} dice follow from the seed.",
        rolls,
    ).format(number=rolls, dice=dice)


def _decisions(number: int) -> str:
    return ngettext("{number} decision was legal.", "{number} decisions were legal.", number).format(number=number)


def _deck(deck: Deck) -> str:
    if deck == STANDARD_DECK:
        return _("the standard deck")
    text = ngettext("a deck of {number} card called {name}", "a deck of {number} cards called {name}", len(deck))
    return text.format(number=len(deck), name=plain(deck.name, 60))
