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


def command_mention(name: str) -> str:
    """Return a command of the group, to be clicked, or as Discord shows it to somebody with this language.

    A link carries the name as it was registered: https://discord.com/developers/docs/reference#message-formatting
    """
    if GROUP in _ids:
        return f"</{GROUP} {name}:{_ids[GROUP]}>"
    return f"`/{GROUP} {pgettext(COMMAND, name)}`"
