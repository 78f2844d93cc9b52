"""highscore-bot backup and restore: copy the database, even while the bot runs, and put a copy back."""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import click

from bot.cli.common import CANNOT_START, end, end_on_error, load_settings, reason_of, url_of
from bot.config import Settings
from bot.store.backup import Contents, back_up, backup_folder, backup_name, examine_backup, previous_name, prune_backups
from bot.store.backup import restore_backup as put_back
from bot.store.errors import DatabaseError
from bot.store.sqlite import InUse, make_folder

CANNOT_COPY = (*CANNOT_START, sqlite3.Error)
"""The errors that an operator can correct. ``sqlite3.Error`` can be a damaged file or a full disk."""


def find_database_file(settings: Settings) -> Path:
    """Return the path of the SQLite database. End the program if the database is on PostgreSQL."""
    try:
        url = url_of(settings)
    except DatabaseError as error:
        end(f"{error}.")
    if url.get_backend_name() != "sqlite" or url.database is None:
        end("The database is on PostgreSQL. Use pg_dump and pg_restore: docs/operating.md has the commands.")
    return Path(url.database)


def describe_contents(contents: Contents) -> str:
    return f"schema {contents.schema.current}, {contents.games:,} games"


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace FILE if it is there already.")
@click.option("--keep", type=click.IntRange(min=1), metavar="N", help="Then delete all but the N newest backups.")
def backup(file: Path | None, force: bool, keep: int | None) -> None:
    """Copy the database to FILE, also while the bot plays, and check the copy.

    Without FILE the copy is stored in the folder "backups" next to the database, with the time (UTC) in its name. FILE
    may be another folder.
    """
    database = find_database_file(load_settings())
    folder, named = _split_path(database, file)
    if named is not None and keep is not None:
        raise click.UsageError("--keep is for backups that are called after the time; give it a folder, or no FILE.")
    copy = named or folder / backup_name(database, datetime.now(UTC))
    with end_on_error("There is no new backup", CANNOT_COPY):
        if file is None and database.is_file():
            make_folder(folder)
        contents = back_up(database, copy, replace=force)
        size = copy.stat().st_size
    click.echo(f"{copy}: {size / 1e6:,.1f} MB, {describe_contents(contents)}.")
    if contents.wrong:
        end(f"The moves of these games do not lead to their states: {' '.join(contents.wrong)}.", code=1)
    if keep is not None:
        with end_on_error("Not all old backups could be deleted", (OSError,), code=1):
            deleted = prune_backups(folder, database, keep)
        click.echo(f"{len(deleted)} older ones were deleted.")


def _split_path(database: Path, file: Path | None) -> tuple[Path, Path | None]:
    """Return the folder for the backup, and the path of the backup. The path is None if FILE is missing or a folder."""
    if file is None:
        return backup_folder(database), None
    return (file, None) if file.is_dir() else (file.parent, file)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def restore(file: Path) -> None:
    """Replace the contents of the database by those of the backup FILE. Stop the bot first.

    The backup is checked first. The previous contents are stored in a file next to the database.
    """
    database = find_database_file(load_settings())
    previous = database.with_name(previous_name(database, datetime.now(UTC)))
    with end_on_error("Nothing was restored", CANNOT_COPY):
        contents = examine_backup(file, to_restore=True)
        if not contents.schema.known:
            end(
                f"Nothing was restored: {file} was made by a newer version of this bot (schema"
                f" {contents.schema.current}, this one knows up to {contents.schema.wanted})."
            )
        if contents.wrong:
            games = f"The moves of these games do not lead to their states: {' '.join(contents.wrong)}."
            end(f"Nothing was restored: {file} does not check out. Take another backup. {games}", code=1)
        try:
            kept = put_back(file, database, previous)
        except InUse as error:
            end(f"Nothing was restored: {reason_of(error)}. Stop the bot first, and whatever else has it open.")
    click.echo(f"{database} is now {file}: {describe_contents(contents)}.")
    if kept:
        click.echo(f"What it was before is in {previous}.")
    if not contents.schema.up_to_date:
        click.echo(f"The bot brings it to schema {contents.schema.wanted} when it starts.")
