"""The setup of a server: all settings, step by step in one private message."""

from collections.abc import Sequence
from dataclasses import dataclass

import discord

from bot.domain.calendar import SeasonLength
from bot.domain.server_settings import (
    LATEST_REMINDER,
    MOST_CHANNELS,
    MOST_TABLES,
    OWN_LANGUAGE,
    POINTING,
    Existing,
    ServerSettings,
    Target,
)
from bot.domain.timing import Pace
from bot.locales import DEFAULT, READ_BY_NATIVES, _, format_percentage, labelled, language_name, languages
from bot.ui.buttons import ActionItem, SettingPress, SetupDialog, SetupPress, SetupStep, SetupVerb, button, select
from bot.ui.learn import learn_button
from bot.ui.lobby import OPEN_SECONDS, pace_name
from bot.ui.message import ACCENT, Rendered, make_embed
from bot.ui.text import command_mention

TYPED_FIELD = "typed"
MOST_OPTIONS = 25
"""Discord's limit of options in one select."""
LONGEST_TYPED = 60
_OFF = "off"
_QUIET = ("22:00-07:00", "22:00-08:00", "23:00-07:00", "23:00-08:00", "23:00-09:00", "00:00-08:00")
_MORNINGS = ("06:00", "07:00", "08:00", "09:00", "10:00", "12:00", "18:00")
_REMINDERS = (25, 50, 75, LATEST_REMINDER)
_POSTS = [discord.ChannelType.text, discord.ChannelType.news]
CHANNEL_TYPES = {Target.TABLES: [*_POSTS, discord.ChannelType.voice, discord.ChannelType.forum], Target.POSTS: _POSTS}


@dataclass(frozen=True, slots=True)
class Setting:
    name: str
    """The name of the setting in bot.services.setup."""
    label: str
    value: str
    """The current value, in words."""
    select: ActionItem
    typed: bool = False
    """True if a button opens a dialog for values that the select does not have."""
    clear: str | None = None
    """The label of the button that removes deleted channels and roles; None if there are none."""


@dataclass(frozen=True, slots=True)
class Step:
    """Up to four settings that belong together."""

    settings: tuple[Setting, ...]
    text: str | None = None


def setup_steps(
    settings: ServerSettings,
    tables: int,
    zones: Sequence[str],
    existing: Existing | None = None,
    own_language: str = DEFAULT,
) -> tuple[Step, ...]:
    """Return all steps in their order.

    ``tables`` is the number of open tables that a channel may have, ``zones`` are the time zones to choose from, and
    ``own_language`` is the language of the server in Discord.
    """

    def pointing(name: str, label: str, none: str) -> Setting:
        return _pointing_setting(name, label, none, settings.list_ids(name), settings.list_existing_ids(name, existing))

    off, mornings = _("Off"), [(hour, hour) for hour in _MORNINGS]
    on_off = [("1", _("On")), ("0", off)]
    own = _("{language} · as in Discord").format(language=language_name(own_language))
    spoken = [(OWN_LANGUAGE, own), *((code, _language_label(code)) for code in languages())]
    quiet = _OFF
    if settings.quiet_from is not None and settings.quiet_to is not None:
        quiet = f"{settings.quiet_from:%H:%M}-{settings.quiet_to:%H:%M}"
    nights = [(_OFF, off), *((hours, hours.replace("-", "–")) for hours in (*_QUIET, quiet) if hours != _OFF)]
    after, shares = _("After {percent} of the time"), sorted({*_REMINDERS, settings.remind_percent} - {0})
    reminders = [(str(share), after.format(percent=format_percentage(share / 100))) for share in shares]
    paces = [(pace.value, pace_name(pace)) for pace in Pace]
    numbers = [(str(number), str(number)) for number in range(1, MOST_TABLES + 1)]
    seasons = [(length.value, season_length_name(length)) for length in SeasonLength]
    return (
        _step(
            _setting("language", _("Language"), settings.language or OWN_LANGUAGE, spoken),
            _setting("pictures", _("Pictures"), str(int(settings.pictures)), on_off),
            _setting("rare", _("Pictures of rare turns"), str(int(settings.rare)), on_off),
            text=_(
                "Private answers are in each person's own language. If you turn pictures off, the text contains"
                " everything."
            ),
        ),
        _step(
            _setting("zone", _("Time zone"), settings.zone, [(zone, zone) for zone in zones], typed=True),
            _setting("quiet", _("Quiet hours"), quiet, nights, typed=True),
            text=_("Days and seasons end at midnight in this time zone. Nobody's time runs out during quiet hours."),
        ),
        _step(
            _setting("pace", _("Pace"), settings.pace.value, paces),
            _setting("remind_percent", _("Reminders"), str(settings.remind_percent), [("0", off), *reminders]),
        ),
        _step(
            pointing("channels", _("Channels"), _("Everywhere")),
            pointing("opener_role", _("Who can open tables and cups"), _("Everybody")),
            _setting("tables_per_channel", _("Open tables per channel"), str(tables), numbers),
        ),
        _step(
            pointing("player_role", _("Role that can be pinged"), _("No role")),
            text=_(
                "Any player at a table with free seats can ping this role there, once per table and once an hour."
                " Allow everybody to mention the role, or give the bot the permission to mention all roles."
            ),
        ),
        _step(
            _setting("season", _("Seasons"), settings.season.value, seasons),
            pointing("season_channel", _("Podium of a season"), _("Nowhere")),
        ),
        _step(
            pointing("daily_channel", _("Morning post"), _("Nowhere")),
            _setting("daily_at", _("Time of the morning post"), f"{settings.daily_at:%H:%M}", mornings, typed=True),
            text=_("A post every morning with yesterday's podium, the streaks and a button for today's challenge."),
        ),
    )


def _step(*settings: Setting, text: str | None = None) -> Step:
    return Step(settings, text)


def find_step(steps: Sequence[Step], name: str) -> int:
    """Return the index of the step that has a setting; 0 if no step has it."""
    return next((at for at, step in enumerate(steps) if any(each.name == name for each in step.settings)), 0)


def render_setup(steps: Sequence[Step], number: int | None = None) -> Rendered:
    """Show one step below the values of all settings. A number beyond the end gives the last step.

    Without a number, show the first step with a deleted channel or role, or else the first step.
    """
    broken = (at for at, step in enumerate(steps) if any(each.clear for each in step.settings))
    at = next(broken, 0) if number is None else min(number, len(steps) - 1)
    step = steps[at]
    counted = _("Step {number} of {steps}").format(number=at + 1, steps=len(steps))
    embed = make_embed(counted, *_setting_lines(steps, step), f"\n{step.text}" if step.text else None)
    items = [each.select for each in step.settings]
    row = len(items)
    # The buttons have the same order on every step, so that Next stays where the user pressed it before.
    back, following = (SetupStep(number) for number in (max(at - 1, 0), at + 1))
    last = at == len(steps) - 1
    grey = discord.ButtonStyle.secondary
    style, done = (grey, discord.ButtonStyle.success) if last else (discord.ButtonStyle.primary, grey)
    items += [
        button(back, _("Back"), emoji="◀️", disabled=at == 0, row=row),
        button(following, _("Next"), emoji="▶️", style=style, disabled=last, row=row),
        button(SetupPress(SetupVerb.DONE), _("Done"), style=done, row=row),
    ]
    more: list[tuple[SettingPress, str, str]] = []
    for each in step.settings:
        if each.typed:
            more.append((SettingPress(SetupVerb.TYPE, each.name), each.label, "✏️"))
        if each.clear is not None:
            more.append((SettingPress(SetupVerb.CLEAR, each.name), each.clear, "🧹"))
    # Their labels are long, so each button gets its own row. A message has five rows. If one button finds no row, it
    # appears once another has been used.
    for below, (press, text, emoji) in enumerate(more[: 4 - row], row + 1):
        items.append(button(press, text, emoji=emoji, row=below))
    return Rendered([embed], buttons=items)


def render_setup_done(steps: Sequence[Step]) -> Rendered:
    text = _("These are this server's settings. `/highscore setup` changes them, and `/highscore new` opens a table.")
    return Rendered([make_embed(None, "✅ " + text, "", *_setting_lines(steps))])


def render_setup_offer() -> Rendered:
    embed = make_embed(
        "🎲 " + _("High Score, the dice game with the changing challenges"),
        _("{command} opens a table. It works without any setup, and everybody can use it.").format(
            command=command_mention("new", linked=True)
        ),
        _(
            "Anybody with the Manage Server permission can press **Set up** to pick the language, the time zone"
            " and where to play."
        ),
        colour=ACCENT,
    )
    opening = SetupPress(SetupVerb.OPEN)
    set_up = button(opening, _("Set up"), emoji="⚙️", style=discord.ButtonStyle.primary)
    return Rendered([embed], buttons=[set_up, learn_button(row=1)])


def _language_label(code: str) -> str:
    text = "{language}" if code in READ_BY_NATIVES else _("{language} · not checked by a native speaker yet")
    return text.format(language=language_name(code))


def season_length_name(length: SeasonLength) -> str:
    return {
        SeasonLength.MONTH: _("A month"),
        SeasonLength.QUARTER: _("A quarter of the year"),
        SeasonLength.HALF: _("Half a year"),
        SeasonLength.YEAR: _("A year"),
    }[length]


class SetupModal(discord.ui.Modal):
    """The dialog for values that no select has. bot.cogs.dispatch handles the answer."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(title=setting.label, custom_id=SetupDialog(setting.name).custom_id, timeout=OPEN_SECONDS)
        examples = {"zone": _("A city, or a name like Europe/Berlin"), "quiet": "23:00-08:00", "daily_at": "08:30"}
        self.add_item(
            discord.ui.Label(
                text=setting.label,
                component=discord.ui.TextInput(
                    placeholder=examples.get(setting.name), custom_id=TYPED_FIELD, max_length=LONGEST_TYPED
                ),
            )
        )


def _setting_lines(steps: Sequence[Step], here: Step | None = None) -> list[str]:
    """Return a line for each setting. The settings of the step ``here`` are marked."""
    return [
        ("▸ " if step is here else "") + labelled(setting.label, f"**{setting.value}**")
        for step in steps
        for setting in step.settings
    ]


def _setting(
    name: str, label: str, current: str, options: Sequence[tuple[str, str]], *, typed: bool = False
) -> Setting:
    """Return a setting with a list of values. The current value is added to the list if it was typed."""
    known = dict(options)
    chosen = {current: known.get(current, current), **known} if current not in known else known
    items = [
        discord.SelectOption(label=labelled(label, text)[:100], value=value, default=value == current)
        for value, text in list(chosen.items())[:MOST_OPTIONS]
    ]
    press = SettingPress(SetupVerb.PICK, name)
    return Setting(name, label, chosen[current], select(press, items, placeholder=label), typed)


def _pointing_setting(name: str, label: str, none: str, ids: Sequence[int], existing_ids: Sequence[int]) -> Setting:
    """Return a setting that is a role or some channels, given by ``ids``. ``none`` says in words that there are none.

    Deleted channels and roles are in the text but not in the select, because Discord would refuse the select.
    """
    press, target = SettingPress(SetupVerb.PICK, name).custom_id, POINTING[name]
    role = target is Target.ROLE
    kind = discord.SelectDefaultValueType.role if role else discord.SelectDefaultValueType.channel
    picked = [discord.SelectDefaultValue(id=each, type=kind) for each in existing_ids]
    deleted = "⚠️ " + _("Deleted")
    empty = labelled(label, deleted if ids else none)
    look: discord.ui.RoleSelect[discord.ui.View] | discord.ui.ChannelSelect[discord.ui.View]
    if role:
        look = discord.ui.RoleSelect(custom_id=press, placeholder=empty, min_values=0, default_values=picked)
    else:
        look = discord.ui.ChannelSelect(
            custom_id=press,
            channel_types=CHANNEL_TYPES[target],
            placeholder=empty,
            min_values=0,
            max_values=MOST_CHANNELS if target is Target.TABLES else 1,
            default_values=picked,
        )
    values = [f"<@&{each}>" if role else f"<#{each}>" for each in existing_ids]
    values += [deleted] * (len(ids) - len(existing_ids))
    clear = None
    if len(ids) > len(existing_ids):
        clear = labelled(label, _("Without the deleted ones") if existing_ids else none)
    return Setting(name, label, " ".join(values) or none, ActionItem(look), clear=clear)
