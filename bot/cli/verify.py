"""highscore-bot verify: check an exported game."""

from pathlib import Path

import click

from bot.cli.common import end, make_printable
from bot.ui.proof import proof_lines
from highscore.proof import MAX_SIZE, ExportError, ProofError, read_export
from highscore.proof import verify_export as check

NO_RESULTS = "The file is an earlier one: it has no results, chips and standings of its own to check."
NOT_SEALED = (
    "Names, remarks, the turn order and the decisions are not sealed: once the seed is known, anybody can write others"
    " that fit. Compare them, and the results, with what the channel shows."
)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def verify(file: Path) -> None:
    """Check a finished game, or a daily challenge: its dice by its sealed seed, its results by its decisions.

    FILE is what the button Proof gives.
    """
    try:
        with file.open("rb") as opened:
            content = opened.read(MAX_SIZE + 1)
        proof = check(read_export(content))
    except OSError as error:
        end(f"{file} cannot be read: {error.strerror}")
    except ExportError as error:
        end(f"{file}: {make_printable(error)}")
    except ProofError as error:
        end(f"{file} does NOT check out. {make_printable(error)}", code=1)
    for line in proof_lines(proof, make_printable, "{:%Y-%m-%d %H:%M:%S} UTC".format):
        click.echo(f"ok  {line}")
    if proof.export.results is None:
        click.echo(f"--  {NO_RESULTS}")
    click.echo(f"--  {NOT_SEALED}")
