"""highscore-bot verify: check an exported game."""

from pathlib import Path

import click
from discord.utils import snowflake_time

from bot.cli.common import end, printable
from highscore.proof import MAX_SIZE, ExportError, ProofError, read_export
from highscore.proof import verify as check


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def verify(file: Path) -> None:
    """Check that the dice of a finished game, or of a daily challenge, are those of its sealed seed.

    FILE is what the button Proof gives.
    """
    try:
        with file.open("rb") as opened:
            content = opened.read(MAX_SIZE + 1)
        export = read_export(content)
        lines = check(export).lines()
    except OSError as error:
        end(f"{file} cannot be read: {error.strerror}")
    except ExportError as error:
        end(f"{file}: {printable(error)}")
    except ProofError as error:
        end(f"{file} does NOT check out. {printable(error)}", code=1)
    for line in lines:
        click.echo(f"ok  {printable(line)}")
    if export.opening is not None:
        click.echo(f"ok  By its id that message was sent at {snowflake_time(export.opening):%Y-%m-%d %H:%M:%S} UTC.")
