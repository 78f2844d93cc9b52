"""highscore-bot verify: check an exported game."""

import re
from pathlib import Path

import click

from bot.cli.common import end, make_printable
from bot.domain.cup_proof import FORMAT as CUP
from bot.domain.cup_proof import CupProof, verify_cup
from bot.ui.proof import cup_proof_lines, proof_lines
from highscore.proof import MAX_SIZE, ExportError, ProofError, read_document, read_export, verify_export

NO_RESULTS = "The file is an earlier one: it has no results, chips and standings of its own to check."
NOT_SEALED = (
    "Names, remarks, the turn order and the decisions are not sealed: once the seed is known, anybody can write others"
    " that fit. Compare them, and the results, with what the channel shows."
)
NOT_SEALED_IN_CUP = (
    "Names, results, and who left when are not sealed: compare them with what the channel shows. Each leg has a proof"
    " of its own, whose game and seal are those of a group in this file."
)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--seal", help="The seal as copied from the message that opened the game, or from the morning's post.")
@click.option("--digest", help="The digest of the lucky words, or of a cup's entrants, as copied from the opening.")
@click.option("--opening", help="The link to the opening, or its ID.")
def verify(file: Path, seal: str | None, digest: str | None, opening: str | None) -> None:
    """Check a game, daily challenge, leg of a cup, or the draws of a cup, by its sealed seed.

    FILE is what the button Proof gives. What is copied from the channel may have its bars, backticks and spaces.
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
    own: tuple[object, ...]
    moment = "{:%Y-%m-%d %H:%M:%S} UTC".format
    if isinstance(proof, CupProof):
        lines, sealed = cup_proof_lines(proof, make_printable, moment), proof.contest
        own, notes = (sealed.source.seal, sealed.digest, sealed.opening), [NOT_SEALED_IN_CUP]
    else:
        lines, export = proof_lines(proof, make_printable, moment), proof.export
        own, notes = (export.seal, export.words_digest, export.opening), [NOT_SEALED]
        if export.results is None:
            notes.insert(0, NO_RESULTS)
    for line in lines:
        click.echo(f"ok  {line.replace('||', '')}")
    readers = {"seal": (seal, _read_hashes), "digest": (digest, _read_hashes), "opening": (opening, _read_message_ids)}
    copies = zip(readers.items(), own, strict=True)
    given = {what: str(right) in read(copied) for (what, (copied, read)), right in copies if copied is not None}
    for what, agrees in given.items():
        click.echo(f"ok  The {what} is the one you copied." if agrees else f"NO  The {what} is NOT the one you copied.")
    for note in notes:
        click.echo(f"--  {note}")
    if not all(given.values()):
        end(f"{file} is not the {'cup' if is_cup else 'game'} you copied from.", code=1)


def _read_hashes(text: str) -> list[str]:
    """Return the hashes in a copied text, which may also contain other words and Discord's markup.

    A hash may contain spaces or a line break. There may be several.
    """
    bare = _MARKS.sub("", text.casefold())
    return ["".join(each.split()) for each in re.findall(r"(?<![0-9a-z])(?:[0-9a-f]\s*){64}(?![0-9a-z])", bare)]


def _read_message_ids(text: str) -> list[str]:
    """Return the message ids in a copied text: the last number of each link to a message, and numbers that stand alone.

    All other numbers in links are ids of servers or channels, or forged.
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
