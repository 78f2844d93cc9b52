"""What is stored about somebody, and the buttons to have it or to have it deleted."""

from __future__ import annotations

import discord

from bot.domain.notify import Notify
from bot.locales import _, ngettext
from bot.ui.buttons import ActionItem, DataPress, Wish, button
from bot.ui.style import ACCENT, QUIET


def about_embed(notify: str | None, rows: dict[str, int], privacy_url: str | None) -> discord.Embed:
    """What is stored about somebody, in numbers."""
    shown = discord.Embed(title="🗂️ " + _("What is stored about you"), colour=ACCENT if any(rows.values()) else QUIET)
    lines = [f"· {text}" for text in _counts(rows)]
    if not lines:
        lines = [_("Nothing at all.")]
    lines += ["", _("Reminders: {choice}").format(choice=_notify(notify)), notice_line(privacy_url)]
    shown.description = "\n".join(lines)
    shown.set_footer(text=_("On all servers on which you have played with this bot."))
    return shown


def about_buttons(user_id: int, *, nothing: bool) -> list[ActionItem]:
    """To have it, and to have it deleted."""
    if nothing:
        return []
    return [
        button(DataPress(Wish.FILE, user_id), _("Export"), emoji="📄"),
        button(DataPress(Wish.DELETE, user_id), _("Delete everything"), emoji="🗑️", style=_DANGER),
    ]


def question(wish: Wish, user_id: int) -> tuple[discord.Embed, list[ActionItem]]:
    """What is asked before anything is deleted: after ``DELETE`` the first time, after ``SURE`` the second."""
    keep = button(DataPress(Wish.KEEP, user_id), _("Keep everything"))
    if wish is Wish.DELETE:
        shown = discord.Embed(title=_("Delete everything about you?"), colour=ACCENT)
        shown.description = "\n".join(
            (
                _("Your results, ratings, records, daily challenges and settings go, on all servers."),
                _("You leave every table at which you sit; in running games a house player takes your seat."),
                _("Finished games stay with “a former player” in your place, so that the others keep theirs."),
                _("Messages that were posted in channels stay there; this bot no longer finds them."),
            )
        )
        return shown, [button(DataPress(Wish.SURE, user_id), _("Yes, delete"), style=_DANGER), keep]
    shown = discord.Embed(title=_("Really? It cannot be undone."), colour=ACCENT)
    shown.description = _(
        "Nobody can bring it back, neither you nor whoever runs this bot. Export it first if you like."
    )
    return shown, [button(DataPress(Wish.FOREVER, user_id), _("Delete for good"), emoji="🗑️", style=_DANGER), keep]


def done_embed(*, deleted: bool) -> discord.Embed:
    """How it ended."""
    if deleted:
        text = _("Everything about you is deleted. If you play again, you begin as somebody new.")
    else:
        text = _("Nothing was deleted.")
    return discord.Embed(description=text, colour=QUIET)


def notice_line(privacy_url: str | None) -> str:
    """Where it is written what is stored, and why."""
    if privacy_url is None:
        return _("What is stored, and why: docs/privacy.md in the bot's source code.")
    return _("What is stored, and why: {link}").format(link=privacy_url)


_DANGER = discord.ButtonStyle.danger


def _counts(rows: dict[str, int]) -> list[str]:
    texts = {
        "seats": ngettext("a seat in {number} game", "seats in {number} games", rows["seats"]),
        "results": ngettext("the result of {number} game", "the results of {number} games", rows["results"]),
        "standings": ngettext("{number} line of a leaderboard", "{number} lines of leaderboards", rows["standings"]),
        "card_standings": ngettext(
            "figures on {number} challenge card", "figures on {number} challenge cards", rows["card_standings"]
        ),
        "records": ngettext("{number} record", "{number} records", rows["records"]),
        "daily_plays": ngettext("{number} daily challenge", "{number} daily challenges", rows["daily_plays"]),
        "reminders": ngettext("{number} pending reminder", "{number} pending reminders", rows["reminders"]),
        "player_settings": _("how you want to be reminded"),
    }
    return [text.format(number=rows[name]) for name, text in texts.items() if rows[name]]


def _notify(notify: str | None) -> str:
    match Notify(notify or Notify.CHANNEL.value):
        case Notify.CHANNEL:
            return _("a mention in the channel")
        case Notify.DIRECT:
            return _("a direct message")
        case Notify.NONE:
            return _("none")
