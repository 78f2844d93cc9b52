"""Lines about fairness: the seal and lock codes that are shown before a game, challenge or cup, and what its check
found afterwards.
"""

from collections.abc import Callable
from datetime import datetime

from discord.utils import format_dt, snowflake_time

from bot.domain.cup_proof import CupProof
from bot.locales import _, format_number, ngettext
from bot.ui.text import escape_name, stored_name
from bot.ui.words import winners_sentence
from highscore.deck import ROUNDS, STANDARD_DECK
from highscore.fairness import EARLIER, format_code, version_of
from highscore.odds.facts import compute_par
from highscore.proof import Proof
from highscore.standings import rank_players


def seal_line(seal: str) -> str:
    return _small_print(_("Seal: {code}").format(code=format_code(seal)))


def lock_line(lock: str) -> str:
    return _small_print(_("Lock: {code}").format(code=format_code(lock)))


def code_line(code: str) -> str:
    """Return the line with the code that is shown before the first roll of a challenge, or in the sign-up of a cup."""
    return seal_line(code) if version_of(code) == EARLIER else lock_line(code)


def entrants_line(lock: str) -> str:
    return _small_print(_("Lock with the entrants: {code}").format(code=format_code(lock)))


def opening_line(guild_id: int, channel_id: int, message_id: int) -> str:
    link = f"https://discord.com/channels/{guild_id}/{channel_id}/{message_id}"
    return _small_print(_("Opening: {link}").format(link=link))


def _small_print(text: str) -> str:
    return f"-# 🔏 {text}"


def proof_lines(
    proof: Proof, escape: Callable[[str], str] = escape_name, format_time: Callable[[datetime], str] = format_dt
) -> tuple[str, ...]:
    """Return what the check of a table's game or of a challenge found, one line per check.

    ``escape`` makes names safe for the place where the lines are shown.
    """
    deck = _("The deck is the standard one.")
    if proof.export.deck != STANDARD_DECK:
        number = len(proof.export.deck)
        text = ngettext("Deck of {number} card: {name}.", "Deck of {number} cards: {name}.", number)
        deck = text.format(number=number, name=escape(proof.export.deck.name))
    seal = _seal_sentence(proof.export.seal)
    if proof.export.seat is not None:
        text = _("The cards are the same as in the game, and the dice are those of its player {number}. Par is {par}.")
        drawn = text.format(number=proof.export.seat + 1, par=_par_of(proof))
        return seal, *_opening_lines(proof, format_time), *_challenge_lines(proof, f"{drawn} {deck}", escape)
    if proof.export.day is not None:
        code = seal if proof.export.version == EARLIER else _lock_sentence(proof.export.lock)
        text = _("The seven cards depend only on the deck and on the date or leg “{name}”. Par is {par}.")
        drawn = text.format(name=proof.export.day, par=_par_of(proof))
        return code, *_challenge_lines(proof, f"{drawn} {deck}", escape)
    names = [escape(name) for name in proof.export.names]
    result = ", ".join(f"{names[line.seat]} {line.points}" for line in rank_players(proof.state))
    played = (
        _("The game was played to the end: {result}.").format(result=result)
        if proof.state.complete
        else _("The game ended early, in round {number}: {result}.").format(number=proof.state.round, result=result)
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
    entrants = _("Entrants: {number}. Their user IDs, in the order in which they entered, match the lock {lock}.")
    if len(proof.ids) < len(contest.entrants):
        entrants = _(
            "Entrants: {number}. Some of them deleted their data, so the user IDs can't be checked. The draws"
            " follow from this number and the lock {lock}."
        )
    opened = _("The message that started the cup has the ID {opening}. Its link ends with this ID. Sent: {when}")
    drawn = _("Every draw follows from these. Legs: {legs}. Groups: {groups}. Byes: {byes}. Drawn by lot: {lots}.")
    names = [stored_name(each.name, escape) for each in proof.entrants if each.won]
    return (
        _seal_sentence(proof.lock) if version_of(proof.lock) == EARLIER else _lock_sentence(proof.lock),
        entrants.format(number=len(contest.entrants), lock=format_code(contest.entrants_lock)),
        opened.format(opening=contest.opening, when=format_time(snowflake_time(contest.opening))),
        drawn.format(
            legs=len(proof.legs), groups=len(groups), byes=sum(len(leg.byes) for leg in proof.legs), lots=proof.lots
        ),
        _("The seeds of the groups' dice follow from the cup's seed, too."),
        winners_sentence(names),
    )


def _seal_sentence(seal: str) -> str:
    text = _("The seed matches the seal {seal}. Compare this seal with the one that was shown at the start.")
    return text.format(seal=format_code(seal))


def _lock_sentence(lock: str) -> str:
    text = _(
        "Everything that was fixed before the first roll matches the lock {lock}. Compare this lock with the"
        " one that was shown."
    )
    return text.format(lock=format_code(lock))


def _par_of(proof: Proof) -> str:
    return format_number(compute_par(proof.export.source.draw_cards(proof.export.deck)), 1)


def _challenge_lines(proof: Proof, drawn: str, escape: Callable[[str], str]) -> tuple[str, ...]:
    export, run = proof.export, proof.state.find_run(0)
    if not export.events:
        return (drawn,)
    played = _decisions_sentence(proof)
    if not run.complete:
        finished = _("Cards finished: {number} of {cards}.")
        played += " " + finished.format(number=len(run.finished), cards=ROUNDS)
    score = ngettext("{player} has {number} point.", "{player} has {number} points.", run.total)
    return drawn, _rolls_sentence(proof), f"{played} {score.format(player=escape(export.names[0]), number=run.total)}"


def _opening_lines(proof: Proof, format_time: Callable[[datetime], str]) -> tuple[str, ...]:
    code = _lock_sentence(proof.export.lock)
    if proof.export.words_deleted:
        text = _("A player's data was deleted, so user IDs and lucky words can't be checked, only the lock {lock}.")
        code = text.format(lock=format_code(proof.export.lock))
    if proof.export.opening is None:
        return code, _("The game ended before its opening message was sent.")
    opened = _("The message that opened the game has the ID {opening}. Its link ends with this ID. Sent: {when}")
    when = format_time(snowflake_time(proof.export.opening))
    return code, opened.format(opening=proof.export.opening, when=when)


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
