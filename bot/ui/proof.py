"""The seal and the seed of a game as hidden lines, and what a check of a finished game or cup found."""

from collections.abc import Callable
from datetime import datetime

from discord.utils import format_dt, snowflake_time

from bot.domain.cup_proof import CupProof
from bot.locales import _, format_number, ngettext
from bot.ui.text import escape_name, former_player_name, hidden_line, hide
from bot.ui.words import winners_sentence
from highscore.deck import ROUNDS, STANDARD_DECK
from highscore.fairness import draw_daily_cards
from highscore.odds.facts import compute_par
from highscore.proof import Proof
from highscore.standings import rank_players


def seal_line(seal: str) -> str:
    return hidden_line(_("Seal of the dice: {seal}").format(seal=seal))


def seed_line(seed: bytes) -> str:
    return hidden_line(_("Seed: {seed}").format(seed=seed.hex()))


def proof_lines(
    proof: Proof, escape: Callable[[str], str] = escape_name, format_time: Callable[[datetime], str] = format_dt
) -> tuple[str, ...]:
    """Return what the check of a table's game or of a challenge found, one line per check.

    ``escape`` makes names safe for where the lines are shown; ``format_time`` writes times.
    """
    deck = _("The deck is the standard one.")
    if proof.export.deck != STANDARD_DECK:
        number = len(proof.export.deck)
        text = ngettext("Deck of {number} card: {name}.", "Deck of {number} cards: {name}.", number)
        deck = text.format(number=number, name=escape(proof.export.deck.name))
    seal = _seal_sentence(proof.export.seal)
    if proof.export.day is not None:
        return seal, *_day_lines(proof, proof.export.day, deck, escape)
    names = [escape(name) for name in proof.export.names]
    result = ", ".join(f"{names[line.seat]} {line.points}" for line in rank_players(proof.state))
    played = (
        _("The game was played to the end: {result}.").format(result=result)
        if proof.state.complete
        else _("The game was given up in round {number}: {result}.").format(number=proof.state.round, result=result)
    )
    drawn = ngettext(
        "The start player and {number} challenge card follow from the seed.",
        "The start player and {number} challenge cards follow from the seed.",
        proof.cards,
    ).format(number=proof.cards)
    decisions = f"{_decisions_sentence(proof)} {played}"
    return seal, *_opening_lines(proof, format_time), f"{drawn} {deck}", _rolls_sentence(proof), decisions


def cup_proof_lines(
    proof: CupProof, escape: Callable[[str], str] = escape_name, format_time: Callable[[datetime], str] = format_dt
) -> tuple[str, ...]:
    """Return what the check of a cup's draws found, one line per check. ``proof_lines`` explains the arguments."""
    contest, groups = proof.contest, [group for leg in proof.legs for group in leg.groups]
    entrants = _("Entrants: {number}. Their user IDs, in the order of entering, have the digest {digest}.")
    if len(proof.ids) < len(contest.entrants):
        entrants = _(
            "Entrants: {number}. Some have had their data deleted, so their user IDs cannot be checked: the draws rest"
            " on this number and on the digest {digest}."
        )
    opened = _("The message that started the cup has the ID {opening}, with which its link ends. Sent: {when}")
    drawn = _("Every draw follows from these. Legs: {legs}. Groups: {groups}. Byes: {byes}. Drawn by lot: {lots}.")
    names = [escape(each.name) if each.name else former_player_name() for each in proof.entrants if each.won]
    return (
        _seal_sentence(contest.source.seal),
        entrants.format(number=len(contest.entrants), digest=hide(contest.digest)),
        opened.format(opening=hide(str(contest.opening)), when=format_time(snowflake_time(contest.opening))),
        drawn.format(
            legs=len(proof.legs),
            groups=len(groups),
            byes=sum(len(leg.byes) for leg in proof.legs),
            lots=proof.lots,
        ),
        _("The seeds of the groups' dice follow from the cup's seed, too."),
        winners_sentence(names),
    )


def _seal_sentence(seal: str) -> str:
    text = _("The seed matches the seal {seal}. Compare it with the one that was shown at the start.")
    return text.format(seal=hide(seal))


def _day_lines(proof: Proof, day: str, deck: str, escape: Callable[[str], str]) -> tuple[str, ...]:
    export, run = proof.export, proof.state.find_run(0)
    expected = format_number(compute_par(draw_daily_cards(day, export.deck)), 1)
    drawn = _("The seven cards follow from the deck and “{name}”. Par is {par}.")
    drawn = f"{drawn.format(name=day, par=expected)} {deck}"
    if not export.events:
        return (drawn,)
    played = _decisions_sentence(proof)
    if not run.complete:
        finished = _("Cards finished: {number} of {cards}.")
        played += " " + finished.format(number=len(run.finished), cards=ROUNDS)
    score = ngettext("{player} has {number} point.", "{player} has {number} points.", run.total)
    return drawn, _rolls_sentence(proof), f"{played} {score.format(player=escape(export.names[0]), number=run.total)}"


def _opening_lines(proof: Proof, format_time: Callable[[datetime], str]) -> tuple[str, ...]:
    words = (
        _("A lucky word has been deleted; what was checked rests on the digest of all words, {digest}.")
        if proof.words_deleted
        else _("The lucky words have the digest {digest}.")
    ).format(digest=hide(proof.export.words_digest))
    if proof.export.opening is None:
        return words, _("The game was given up before it was opened.")
    opened = _("The message that opened the game has the ID {opening}, with which its link ends. Sent: {when}")
    when = format_time(snowflake_time(proof.export.opening))
    return words, opened.format(opening=hide(str(proof.export.opening)), when=when)


def _rolls_sentence(proof: Proof) -> str:
    return ngettext(
        "{number} roll follows from the seed. Dice that were rolled: {dice}.",
        "{number} rolls follow from the seed. Dice that were rolled: {dice}.",
        proof.rolls,
    ).format(number=proof.rolls, dice=proof.dice)


def _decisions_sentence(proof: Proof) -> str:
    text = ngettext("{number} decision was legal.", "{number} decisions were legal.", proof.decisions)
    text = text.format(number=proof.decisions)
    if proof.export.results is None:
        return text
    return f"{text} {_('The results are right, too.')}"
