"""Names and texts that people may use to make trouble: one corpus for all tests.

Everything here is invented. ``NAMES`` are for display names and lucky words, ``TEXTS`` for wherever text is taken.
"""

from hypothesis import strategies as st

MARKDOWN = (
    "*italic*",
    "**bold**",
    "***both***",
    "_under_ __line__",
    "~~gone~~",
    "||spoiler||",
    "`code`",
    "```py\nprint(1)\n```",
    "# heading",
    "## smaller",
    "-# small",
    "> quote",
    ">>> all of it",
    "- item",
    "* item",
    "+ item",
    "1. first",
    "1) first",
    "[click](https://example.invalid)",
    "[click](<https://example.invalid> 'title')",
    "https://example.invalid/path",
    "<https://example.invalid>",
    "discord.gg/invite",
    "\\",
    "\\\\",
    "back\\",
    "`",
    "**",
    "||",
    "[",
    "](",
    "*" * 100,
    "`~_|" * 25,
    "__**~~||`x`||~~**__",
)
"""Everything that Discord formats."""

MENTIONS = (
    "@everyone",
    "@here",
    "@everyone @here",
    "<@123456789012345678>",
    "<@!123456789012345678>",
    "<@&123456789012345678>",
    "<#123456789012345678>",
    "</cmd:123456789012345678>",
    "</highscore leave:123456789012345678>",
    "<:dice:123456789012345678>",
    "<a:dice:123456789012345678>",
    "<t:0>",
    "<t:0:R>",
    "<id:customize>",
    "<id:guide>",
    "@123456789012345678",
    "@\u200beveryone",
    "@every\u200bone",
    "@Ada",
    "#general",
    ":skull:",
)
"""Everything that calls somebody, or looks like something of Discord's own."""

RIGHT_TO_LEFT = (
    "\u202eevil",
    "\u202eevil\u202c fine",
    "\u202d\u202e\u202a\u202b",
    "\u2066\u2067\u2068",
    "evil\u2067",
    "\u2069\u2069\u202c\u202c",
    "\u200f\u200fAda\u200f",
    "\u061cAda",
    "مرحبا",
    "مرحبا 12",
    "שלום",
    "Ada שלום 7",
    "١٢٣",
    "\u202e" + "مرحبا" * 19,
)
"""Texts that turn the direction of writing."""

INVISIBLE = (
    "",
    " ",
    "\n\t",
    "\u00a0",
    "\u200b",
    "\u200b\u200c\u200d\u2060",
    "\u202e\u202c",
    "\u2000\u2003\u3000",
    "\u3164",
    "\u115f\u1160",
    "\uffa0",
    "\u2800\u2800",
    "\u00ad",
    "\u034f",
    "\ufeff",
    "\ufe0f",
    "\ufe0f\u200d\ufe0f",
    "\u0301\u0301",
    "\u180e",
    "\u17b4\u17b5",
    "\u2065",
    "\ufff3",
    "\ufffe",
    "\ufdd0",
    "\U000e0001\U000e0041",
    "\U000e0100",
    "\U0001d159",
    "\x00",
    "\x00\x01\x1b\x7f\x85",
    "\u2028\u2029",
    "\ud800",
    "\udfff\ud800",
    "\ue000",
    "\U0010ffff",
)
"""Names in which nothing can be seen."""

MARKS = (
    "Z" + "\u0335\u0322\u031b\u0300\u0301\u0302\u0303" * 10,
    "".join(letter + "\u0300\u0316\u0334" * 12 for letter in "zal"),
    "\u0489\u20dd\u20e3",
    "a\u20dd\u20de\u20df\u20e0",
    "\u0e48" * 50 + "\u0e01" + "\u0e48" * 50,
)
"""Towers of accents."""

EMOJI = (
    "🎲",
    "🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲🎲",
    "👩\u200d👩\u200d👧\u200d👦" * 14,
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "🇩🇪🇦🇹🇨🇭",
    "1\ufe0f\u20e3",
    "👍🏿",
    "🤖",
    "🔴🔷🟩⭐💜",
)
"""Emoji only: sequences, flags, and those by which the bot tells things."""

IMPOSTORS = (
    "🤖 Abacus",
    "Ada 🤖",
    "🤖\ufe0f\u200d Abacus",
    "Ada · Host",
    "Ada\u00a0• host",
    "Ada ・ host · 🍀 luck",
    "·",
    "· · Host",
    "a·\u0301b",
    "🔴 Ada 12 · 🔷 Ben",
    "Ada, 🔷 Ben",
    "🥇 Ada",
    "⭐\ufe0f",
    "x" * 30 + "·y",
)
"""Names with the bot's own marks in them."""

LONG = ("x" * 100, "W" * 1000, "ﷺ" * 100, "𒐫" * 100, "word " * 400, "ẞ" * 100)
"""Longer or wider than Discord lets a name be."""

CODE = (
    "'; DROP TABLE games; --",
    '" OR 1=1 --',
    "%s %d %(name)s %",
    "{0} {player} {} {{",
    "{link.__class__}",
    "${jndi:ldap://example.invalid}",
    "<script>alert(1)</script>",
    '{"a": [1, null]}',
    "NULL",
    "../../etc/passwd",
    "\\u0000\\ud800",
    "line\nbreak\r\nand\ttab",
    "null\x00byte",
    "half \ud800 a \udc00 character",
    "\x1b[31mred\x1b]0;title\x07",
    "undefined",
    "?",
    "Deleted account",
)
"""Texts that mean something to a program somewhere on the way."""

NAMES = (*MARKDOWN, *MENTIONS, *RIGHT_TO_LEFT, *INVISIBLE, *MARKS, *EMOJI, *IMPOSTORS, *LONG, *CODE)
TEXTS = st.one_of(
    st.sampled_from(NAMES),
    st.lists(st.sampled_from(NAMES), max_size=4).map("".join),
    st.text(st.characters(exclude_categories=()), max_size=200),
)
"""Any text that might arrive, half characters included."""

DIGITS = ("٣", "³", "Ⅷ", "１２", "१", "0x10", "1e3", "1_000", "+1", "-1", "-0", " 1", "1 ", "1.0", "")
"""Texts that some languages read as a number, and some of their functions do not."""

HUGE = (2**31, 2**32, 2**53, 2**63 - 1, 2**63, 2**64, 10**20 - 1, 10**99)
"""Numbers at which something overflows."""
