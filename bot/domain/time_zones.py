"""Time zones to pick from, and the time zone that a typed name means."""

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from zoneinfo import available_timezones

LIKELY: Mapping[str, tuple[str, ...]] = {
    "bg": ("Europe/Sofia",),
    "cs": ("Europe/Prague",),
    "da": ("Europe/Copenhagen",),
    "de": ("Europe/Berlin", "Europe/Vienna", "Europe/Zurich", "Europe/Luxembourg"),
    "el": ("Europe/Athens", "Asia/Nicosia"),
    "en": ("Europe/London", "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"),
    "en-GB": ("Europe/London", "Europe/Dublin", "Australia/Sydney", "Australia/Perth", "Pacific/Auckland"),
    "en-US": (
        *("America/New_York", "America/Chicago", "America/Denver", "America/Phoenix", "America/Los_Angeles"),
        *("America/Anchorage", "Pacific/Honolulu", "America/Toronto", "America/Vancouver", "America/Halifax"),
    ),
    "es": ("Europe/Madrid", "Atlantic/Canary"),
    "es-419": (
        *("America/Mexico_City", "America/Bogota", "America/Lima", "America/Caracas", "America/Santiago"),
        "America/Argentina/Buenos_Aires",
    ),
    "fi": ("Europe/Helsinki",),
    "fr": ("Europe/Paris", "Europe/Brussels", "Europe/Zurich", "America/Toronto", "America/Martinique"),
    "hi": ("Asia/Kolkata",),
    "hr": ("Europe/Zagreb", "Europe/Sarajevo"),
    "hu": ("Europe/Budapest",),
    "id": ("Asia/Jakarta", "Asia/Makassar", "Asia/Jayapura"),
    "it": ("Europe/Rome", "Europe/Zurich"),
    "ja": ("Asia/Tokyo",),
    "ko": ("Asia/Seoul",),
    "lt": ("Europe/Vilnius",),
    "nl": ("Europe/Amsterdam", "Europe/Brussels"),
    "no": ("Europe/Oslo",),
    "pl": ("Europe/Warsaw",),
    "pt": ("America/Sao_Paulo", "America/Manaus", "America/Fortaleza", "America/Cuiaba", "Europe/Lisbon"),
    "ro": ("Europe/Bucharest", "Europe/Chisinau"),
    "ru": ("Europe/Moscow", "Europe/Samara", "Asia/Yekaterinburg", "Asia/Novosibirsk", "Asia/Vladivostok"),
    "sv": ("Europe/Stockholm", "Europe/Helsinki"),
    "th": ("Asia/Bangkok",),
    "tr": ("Europe/Istanbul",),
    "uk": ("Europe/Kyiv",),
    "vi": ("Asia/Ho_Chi_Minh",),
    "zh": ("Asia/Shanghai", "Asia/Taipei", "Asia/Hong_Kong", "Asia/Singapore"),
}
"""The time zones of Discord's locales: https://discord.com/developers/docs/reference#locales"""
EVERYWHERE = (
    *("UTC", "Europe/London", "Europe/Berlin", "Europe/Athens", "Europe/Moscow", "Asia/Dubai", "Asia/Kolkata"),
    *("Asia/Bangkok", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney", "Pacific/Auckland", "America/Sao_Paulo"),
    *("America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"),
)
NEAR = 3
"""The most names that are offered in place of one that does not exist."""


def likely_zones(locale: str) -> tuple[str, ...]:
    """Return time zones to pick from: first the zones where many people speak the language of a Discord locale."""
    spoken = LIKELY.get(locale) or LIKELY.get(locale.partition("-")[0], ())
    return tuple(dict.fromkeys((*spoken, *EVERYWHERE)))


def find_zone(typed: str) -> str | None:
    """Return the IANA name of a time zone, or None.

    >>> find_zone("new york"), find_zone("europe/berlin"), find_zone("Atlantis")
    ('America/New_York', 'Europe/Berlin', None)
    """
    written = _plain(typed)
    matching = _names().get(written, ())
    return matching[0] if len(matching) == 1 else next((name for name in matching if _plain(name) == written), None)


def near_zones(typed: str) -> list[str]:
    """Return the names that are most like a typed name, best first."""
    close = get_close_matches(_plain(typed), _names(), NEAR)
    return list(dict.fromkeys(name for written in close for name in _names()[written]))[:NEAR]


def _plain(name: str) -> str:
    return name.strip().replace(" ", "_").casefold()


@cache
def _names() -> Mapping[str, tuple[str, ...]]:
    """Return all time zones by their names and by the names of their cities, in lower case."""
    names: dict[str, tuple[str, ...]] = {}
    for name in sorted(available_timezones()):
        for written in {_plain(name), _plain(name.rpartition("/")[2])}:
            names[written] = (*names.get(written, ()), name)
    return names
