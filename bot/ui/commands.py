"""The names of slash commands for people: a link that opens the command once its id on Discord is known, else text."""

from collections.abc import Mapping

from bot.locales import pgettext
from bot.locales.commands import COMMAND

GROUP = "highscore"

# A process has one bot, whose commands are the same for everybody: they are known once they are registered.
_ids: dict[str, int] = {}


def link_commands(ids: Mapping[str, int]) -> None:
    """Link the commands with these ids, by their names, from now on; an empty mapping goes back to text."""
    _ids.clear()
    _ids.update(ids)


def command_mention(name: str, *, public: bool = False) -> str:
    """Return a command of the group as Discord shows it to somebody with this language; in public, to be clicked.

    A link carries the English name, and works in every language:
    https://discord.com/developers/docs/reference#message-formatting
    """
    shown = pgettext(COMMAND, name)
    if GROUP in _ids and (public or shown == name):
        return f"</{GROUP} {name}:{_ids[GROUP]}>"
    return f"`/{GROUP} {shown}`"
