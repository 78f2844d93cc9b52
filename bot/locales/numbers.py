"""Numbers and days as the current language writes them."""

from datetime import date

from babel.dates import format_date
from babel.numbers import format_decimal, format_percent, get_decimal_symbol

from bot.locales import current


def decimal(value: float, digits: int = 2) -> str:
    """A number with this many digits behind the point, or the comma, and a real minus sign; never a negative zero."""
    text = format_decimal(abs(value), f"0.{'0' * digits}", locale=current())
    return f"−{text}" if round(value, digits) < 0 else text


def gain(value: float) -> str:
    """A number with its sign."""
    text = decimal(value)
    return text if text.startswith("−") else "+" + text


def decimal_mark() -> str:
    """What stands before the decimals: a point, or a comma."""
    return get_decimal_symbol(current())


def percentage(share: float) -> str:
    """A share, 0 to 1, in whole per cent."""
    return format_percent(share, locale=current())


def day_words(day: date) -> str:
    """A day, short, with its year."""
    return format_date(day, "medium", locale=current())
