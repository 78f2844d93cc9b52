"""Draws avatars, because the page fetches nothing from other servers."""

from xml.sax.saxutils import escape

_COLOURS = (
    ("#f2784b", "#d9481c"),
    ("#3ba55d", "#1f7a43"),
    ("#5b8def", "#2f5fc4"),
    ("#b76ee8", "#8140b8"),
    ("#e8b23a", "#b9811a"),
    ("#e35d8f", "#b42f62"),
    ("#38b6b0", "#1b807b"),
)

_FRAME = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80"><defs>{defs}</defs>{body}</svg>'
_GRADIENT = (
    '<linearGradient id="g" x1="0" y1="0" x2="0.6" y2="1">'
    '<stop offset="0" stop-color="{light}"/><stop offset="1" stop-color="{deep}"/></linearGradient>'
)


def person_avatar(name: str, place: int) -> str:
    """Draw a coloured square with the initial of a name. The page shows it as a circle."""
    light, deep = _COLOURS[place % len(_COLOURS)]
    initial = escape(name[:1].upper())
    return _FRAME.format(
        defs=_GRADIENT.format(light=light, deep=deep),
        body='<rect width="80" height="80" fill="url(#g)"/>'
        '<text x="40" y="42" fill="#fff" font-family="system-ui, sans-serif" font-size="38" font-weight="600" '
        f'text-anchor="middle" dominant-baseline="central">{initial}</text>',
    )


def bot_avatar() -> str:
    """Draw a die that shows a five."""
    pips = "".join(f'<circle cx="{x}" cy="{y}" r="4.4" fill="#4650c8"/>' for x, y in _FIVE_PIPS)
    return _FRAME.format(
        defs=_GRADIENT.format(light="#7a85ff", deep="#3c45b5"),
        body='<rect width="80" height="80" fill="url(#g)"/><g transform="rotate(-12 40 40)">'
        f'<rect x="20" y="20" width="40" height="40" rx="9" fill="#fff"/>{pips}</g>',
    )


_FIVE_PIPS = ((29.5, 29.5), (50.5, 29.5), (40, 40), (29.5, 50.5), (50.5, 50.5))
