"""Players' names and pieces, and links to tables."""

from collections.abc import Callable, Iterable

from bot.domain.table import Table
from bot.locales import _, labelled
from bot.ui.text import END_ISOLATE, HOUSE, ISOLATE, PIECES, clean_name, escape_name


def player_name(table: Table, seat: int, harmless: Callable[[str], str] = escape_name, *, marked: bool = True) -> str:
    """Return a player's piece and name, harmless in any embed; marked when the house plays a person's seat."""
    sitting = table.seats[seat]
    if sitting.user_id is None:
        return f"{PIECES[seat]} {HOUSE} {harmless(sitting.name)}"
    if sitting.former:
        return f"{PIECES[seat]} {former_player_name()}"
    return f"{PIECES[seat]} {harmless(sitting.name)}" + (f" {HOUSE}" if marked and table.house_plays(seat) else "")


def footer_names(table: Table) -> tuple[str, ...]:
    """Return the names in seat order for places where Discord formats nothing and a backslash would be seen."""
    return tuple(player_name(table, seat, clean_name) for seat in range(len(table.seats)))


def picture_name(table: Table, seat: int) -> str:
    """Return the name alone: in a picture the piece stands beside it."""
    sitting = table.seats[seat]
    return former_player_name() if sitting.former else clean_name(sitting.name).strip(ISOLATE + END_ISOLATE)


def mention_words(user_ids: Iterable[int]) -> str:
    return " ".join(f"<@{user_id}>" for user_id in user_ids)


def address_sentence(user_ids: Iterable[int], text: str) -> str:
    """Put mentions before a sentence; a direct message to its reader needs none."""
    names = mention_words(user_ids)
    return labelled(names, text) if names else text


def host_name(table: Table) -> str:
    return player_name(table, table.seat_of(table.host_id) or 0)


def former_player_name() -> str:
    return _("Deleted account")


def table_link(table: Table) -> str:
    channel = f"https://discord.com/channels/{table.guild_id}/{table.channel_id}"
    return channel if table.message_id is None else f"{channel}/{table.message_id}"
