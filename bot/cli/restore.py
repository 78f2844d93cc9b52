"""highscore-bot restore: a backup becomes the database."""

from datetime import UTC, datetime
from pathlib import Path

import click

from bot.cli.backup import CANNOT_COPY, describe_contents, find_database_file
from bot.cli.common import end, end_on_error, load_settings, reason_of
from bot.store.backup import Contents, examine_backup, previous_name
from bot.store.backup import restore_backup as put_back
from bot.store.sqlite_file import InUse


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def restore(file: Path) -> None:
    """Make the database what the backup FILE holds. Stop the bot before.

    The backup is checked first. What the database held before is kept beside it.
    """
    database = find_database_file(load_settings())
    previous = database.with_name(previous_name(database, datetime.now(UTC)))
    with end_on_error("Nothing was restored", CANNOT_COPY):
        contents = _examine(file)
        try:
            kept = put_back(file, database, previous)
        except InUse as error:
            end(f"Nothing was restored: {reason_of(error)}. Stop the bot first, and whatever else has it open.")
    click.echo(f"{database} is now {file}: {describe_contents(contents)}.")
    if kept:
        click.echo(f"What it was before is in {previous}.")
    if not contents.schema.up_to_date:
        click.echo(f"The bot brings it to schema {contents.schema.wanted} when it starts.")


def _examine(file: Path) -> Contents:
    contents = examine_backup(file, to_restore=True)
    if not contents.schema.known:
        end(
            f"Nothing was restored: {file} was made by a newer version of this bot (schema {contents.schema.current},"
            f" this one knows up to {contents.schema.wanted})."
        )
    if contents.wrong:
        games = f"The moves of these games do not lead to their states: {' '.join(contents.wrong)}."
        end(f"Nothing was restored: {file} does not check out. Take another backup. {games}", code=1)
    return contents
