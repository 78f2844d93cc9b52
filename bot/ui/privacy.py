"""The data stored about a user, and the buttons to export or delete it."""

import discord

from bot.domain.notify import Notify, Wishes
from bot.locales import _, ngettext
from bot.ui.buttons import DataPress, Wish, button
from bot.ui.message import ACCENT, QUIET, Rendered, make_embed
from bot.ui.reminders import invitations_line

_DANGER = discord.ButtonStyle.danger


def render_data(user_id: int, wishes: Wishes, rows: dict[str, int], privacy_url: str | None) -> Rendered:
    """Show a user's settings and how much is stored about them. ``rows`` are numbers of rows by their kind."""
    counts = [f"· {text}" for text in _count_lines(rows)]
    embed = make_embed(
        None,
        _reminders_line(wishes.notify),
        invitations_line(wishes),
        "\n🗂️ **" + _("What is stored about you") + "**",
        *(counts or [_("Nothing at all.")]),
        notice_line(privacy_url),
        colour=ACCENT if counts else QUIET,
        footer=_("On all servers where you play with this bot."),
    )
    if not counts:
        return Rendered([embed])
    have = button(DataPress(Wish.FILE, user_id), _("Export"), emoji="📄")
    delete = button(DataPress(Wish.DELETE, user_id), _("Delete all"), emoji="🗑️", style=_DANGER)
    return Rendered([embed], buttons=[have, delete])


def render_deletion_question(wish: Wish, user_id: int) -> Rendered:
    """Ask before anything is deleted: the first time after ``Wish.DELETE``, the second time after ``Wish.SURE``."""
    if wish is Wish.DELETE:
        embed = make_embed(
            _("Delete everything about you?"),
            _("Your results, ratings, records, daily challenges and settings are deleted on all servers."),
            _("You leave every table. In running games, the house plays on for you."),
            _("Finished games stay, with “Deleted account” in your place, so that the other players keep them."),
            _("Final standings and shared reports are shown without your name or are deleted. Other messages stay."),
            _(
                "Notes without your name stay for two days, or for a cup until a week after its start. They make sure"
                " that nothing counts twice."
            ),
            _(
                "For thirty days, your games on these servers are not rated. A note without your name is stored for"
                " this."
            ),
            _("Backups still contain your data until the people who run this bot replace them."),
        )
        delete = button(DataPress(Wish.SURE, user_id), _("Delete all"), style=_DANGER)
    else:
        text = _(
            "Nobody can bring your data back, not even the people who run this bot. If you want a copy, export it"
            " first."
        )
        embed = make_embed(_("Are you sure? This can't be undone."), text)
        delete = button(DataPress(Wish.FOREVER, user_id), _("Delete for good"), emoji="🗑️", style=_DANGER)
    return Rendered([embed], buttons=[delete, button(DataPress(Wish.KEEP, user_id), _("Keep my data"))])


def render_deletion_result(*, deleted: bool) -> Rendered:
    if deleted:
        text = _("Your data is deleted, except notes without your name. If you play again, you start as a new player.")
    else:
        text = _("Nothing was deleted.")
    return Rendered([make_embed(None, text, colour=QUIET)])


def notice_line(privacy_url: str | None) -> str:
    return _("What is stored, and why: {link}").format(link=privacy_url or "docs/privacy.md")


def _count_lines(rows: dict[str, int]) -> list[str]:
    figures = sum(rows[name] for name in ("results", "standings", "card_standings", "records", "badges", "cup_results"))
    rows = rows | {"results": figures, "attempts": rows["attempts"] + rows["dares"]}
    texts = {
        "seats": ngettext("Seat in {number} game", "Seats in {number} games", rows["seats"]),
        "results": ngettext("{number} result or statistic", "{number} results and statistics", rows["results"]),
        "attempts": ngettext("{number} challenge", "{number} challenges", rows["attempts"]),
        "cup_entrants": ngettext("Entry in {number} cup", "Entries in {number} cups", rows["cup_entrants"]),
        "reminders": ngettext("{number} ping for your turn", "{number} pings for your turn", rows["reminders"]),
        "player_settings": _("Your reminder settings"),
        "absences": ngettext("Absence on {number} server", "Absences on {number} servers", rows["absences"]),
        "marks": ngettext(
            "{number} note without your name, which is deleted automatically",
            "{number} notes without your name, which are deleted automatically",
            rows["marks"],
        ),
    }
    return [text.format(number=rows[name]) for name, text in texts.items() if rows[name]]


def _reminders_line(notify: Notify) -> str:
    return {
        Notify.CHANNEL: _("Reminders: a mention in the channel"),
        Notify.DIRECT: _("Reminders: a direct message"),
        Notify.NONE: _("Reminders: none"),
    }[notify]
