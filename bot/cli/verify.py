"""highscore-bot verify: check the proof of a game, challenge or cup that a player has downloaded."""

import re
from collections.abc import Sequence
from pathlib import Path

import click

from bot.cli.common import end, make_printable
from bot.domain.cup_proof import FORMAT as CUP
from bot.domain.cup_proof import CupProof, verify_cup
from bot.ui.proof import cup_proof_lines, proof_lines
from highscore.fairness import EARLIER
from highscore.proof import MAX_SIZE, ExportError, ProofError, read_document, read_export, verify_export

NO_RESULTS = "The file is an earlier one: it has no results, chips and standings of its own to check."
NOT_SEALED = (
    "Names, remarks and the decisions are in no code: once the seed is known, anybody can write others that fit."
    " Compare them, and the results, with what the channel shows."
)
ALPHABET = (
    "A code has the letters A to Z and the digits 2 to 7. What looks like a 0, 1, 8 or 9 is an O, an I or L, a"
    " B, or a G."
)
EARLIER_FORMAT = "The file is of the earlier format, whose codes do not cover the turn order and the deck."
NOT_SEALED_IN_CUP = (
    "No code covers names, results, and who left when: compare them with what the channel shows. Each leg has a proof"
    " of its own, with the game and the seal of a group in this file."
)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--seal", help="The seal that you were shown when you joined.")
@click.option(
    "--lock",
    "--digest",
    help="The lock in the message that opened the game, in the morning's post, on your first page, or in the sign-up or"
    " the first post of a cup. In older games it is called a digest.",
)
@click.option("--opening", help="The link to the message that opened the game or started the cup, or its ID.")
def verify(file: Path, seal: str | None, lock: str | None, opening: str | None) -> None:
    """Check a game, daily challenge, leg of a cup, or the draws of a cup, by its sealed seed.

    FILE is the file that the button Proof gives you. You can type codes in small letters, and with or without spaces.
    """
    try:
        with file.open("rb") as opened:
            content = opened.read(MAX_SIZE + 1)
        is_cup = read_document(content).get("format") == CUP
        proof = verify_cup(content) if is_cup else verify_export(read_export(content))
    except OSError as error:
        end(f"{file} cannot be read: {error.strerror}")
    except ExportError as error:
        end(f"{file}: {make_printable(error)}")
    except ProofError as error:
        end(f"{file} does NOT check out. {make_printable(error)}", code=1)
    opening_of: int | None
    moment = "{:%Y-%m-%d %H:%M:%S} UTC".format
    if isinstance(proof, CupProof):
        lines, contest = cup_proof_lines(proof, make_printable, moment), proof.contest
        seal_of, locks, opening_of = contest.source.seal, [proof.lock, contest.entrants_lock], contest.opening
        notes = [NOT_SEALED_IN_CUP]
    else:
        lines, export = proof_lines(proof, make_printable, moment), proof.export
        seal_of, locks, opening_of = export.seal, [export.lock], export.opening
        notes = [NOT_SEALED]
        if export.version == EARLIER:
            notes.insert(0, EARLIER_FORMAT)
        if export.results is None:
            notes.insert(0, NO_RESULTS)
    given = {
        "seal": None if seal is None else _has_code("--seal", seal, [seal_of]),
        "lock": None if lock is None else _has_code("--lock", lock, locks),
        "opening": None if opening is None else str(opening_of) in _read_message_ids(opening),
    }
    for line in lines:
        click.echo(f"ok  {line}")
    for what, agrees in given.items():
        if agrees is not None:
            sentence = (
                f"ok  The {what} is the one you copied." if agrees else f"NO  The {what} is NOT the one you copied."
            )
            click.echo(sentence)
    if False in (given["seal"], given["lock"]):
        notes.insert(0, ALPHABET)
    for note in notes:
        click.echo(f"--  {note}")
    if False in given.values():
        end(f"{file} is not the {'cup' if is_cup else 'game'} you copied from.", code=1)


def _has_code(option: str, copied: str, codes: Sequence[str]) -> bool:
    """Return whether a copied text contains one of these codes. Case, spaces and punctuation do not matter, and there
    may be other words around the code. End the program if the text is too short for a code.
    """
    signs, length = re.sub("[^0-9A-Z]", "", copied.upper()), len(codes[-1])
    if len(signs) < length:
        end(f"{option} has {len(signs)} of the {length} letters and digits of a code. Copy all of them.")
    return any(code.upper() in signs for code in codes)


def _read_message_ids(text: str) -> list[str]:
    """Return the message ids in a copied text: the last number of each link to a message, and numbers that stand alone.

    The other numbers of a link are ids of a server and a channel, or the link is forged.
    """
    found: list[str] = []
    for word in _MARKS.sub(" ", text.casefold()).split():
        link = _MESSAGE_LINK.fullmatch(word)
        found += [link["id"]] if link else re.findall(r"^[0-9]+(?=[.,;:]?$)", word)
    return found


_MARKS = re.compile(r"[|`*~<>()\[\]]")
_MESSAGE_LINK = re.compile(
    r"(?:https?://)?(?:(?:www|ptb|canary)\.)?discord(?:app)?\.com/channels/[0-9]+/[0-9]+/(?P<id>[0-9]+)/?(?:[?#].*)?"
)
