"""The web server: the page, and the requests that it can send."""

import asyncio
import json
import mimetypes
from importlib import resources
from typing import Any
from xml.sax.saxutils import escape

from aiohttp import WSMsgType, web

from playground.actions import Actions, Fields, as_snowflake
from playground.errors import RefusedError
from playground.hub import Hub
from playground.security import LARGEST_BODY, guard
from playground.simulated import emoji_url
from playground.snapshot import commands_json, page_json
from playground.world import World

_CDN = "https://cdn.simcord.invalid/"
_ACTIONS = (
    "say", "delete", "dismiss", "react", "click", "select", "slash", "menu", "autocomplete", "modal",
    "read", "locale", "time",
)  # fmt: skip
#: Files of these types are shown. All others are only offered for download, so that none of them runs as a page.
_PICTURE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/avif")
_STATIC = {
    path.name: path.read_bytes()
    for path in (resources.files("playground") / "static").iterdir()
    if path.name.endswith((".html", ".js", ".css", ".svg"))
}
_BEAT = 20.0


# The avatars are drawn here, because the page fetches nothing from other servers.
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


class Server:
    def __init__(self, world: World, actions: Actions, hub: Hub, origins: frozenset[str]) -> None:
        self._world = world
        self._actions = actions
        self._hub = hub
        self._sockets: set[web.WebSocketResponse] = set()
        self._running: set[asyncio.Task[Any]] = set()
        self.app = web.Application(middlewares=[guard(origins)], client_max_size=LARGEST_BODY)
        self.app.router.add_get("/", self._index)
        self.app.router.add_get("/side-by-side", self._side_by_side)
        self.app.router.add_get("/static/{name}", self._static)
        self.app.router.add_get("/avatar/{user:[0-9]{1,20}}.svg", self._avatar)
        self.app.router.add_get("/introduction.png", self._introduction)
        self.app.router.add_get("/emoji/{emoji:[0-9]{1,20}}", self._emoji)
        self.app.router.add_get("/cdn/{path:.+}", self._content)
        self.app.router.add_get("/api/live", self._live)
        self.app.router.add_get("/api/history", self._history)
        self.app.router.add_get("/api/commands", self._commands)
        for name in _ACTIONS:
            self.app.router.add_post(f"/api/{name}", self._act)
        self.app.on_shutdown.append(self._hang_up)

    # ---------------------------------------------------------------- files

    async def _index(self, request: web.Request) -> web.StreamResponse:
        self._viewer(request)
        return _file("index.html")

    async def _side_by_side(self, request: web.Request) -> web.StreamResponse:
        for name in request.query.get("with", "").split(","):
            self._actions.person(name)
        return _file("side-by-side.html")

    async def _static(self, request: web.Request) -> web.StreamResponse:
        return _file(request.match_info["name"])

    async def _avatar(self, request: web.Request) -> web.StreamResponse:
        user_id = int(request.match_info["user"])
        engine = self._world.engine
        if user_id == engine.bot_id or not engine.is_known(user_id):
            svg = _bot_avatar()
        else:
            user = engine.user(user_id)
            place = self._world.people.index(user_id) if user_id in self._world.people else user_id
            svg = _person_avatar(user["global_name"] or user["username"], place)
        return web.Response(body=svg.encode(), content_type="image/svg+xml", headers=_CACHED)

    async def _introduction(self, request: web.Request) -> web.StreamResponse:
        if self._world.introduction is None:
            raise RefusedError("There is no such file.", status=404)
        return web.Response(body=self._world.introduction.picture, content_type="image/png")

    async def _emoji(self, request: web.Request) -> web.StreamResponse:
        return self._stored(emoji_url(int(request.match_info["emoji"])), "image/png")

    async def _content(self, request: web.Request) -> web.StreamResponse:
        path = request.match_info["path"]
        return self._stored(_CDN + path, mimetypes.guess_type(path)[0] or "application/octet-stream")

    def _stored(self, url: str, content_type: str) -> web.Response:
        body = self._world.engine.content(url)
        if body is None:
            raise RefusedError("That file no longer exists.", status=404)
        headers = dict(_CACHED)
        if content_type not in _PICTURE_TYPES:
            content_type = "application/octet-stream"
            headers["Content-Disposition"] = "attachment"
        return web.Response(body=body, content_type=content_type, headers=headers)

    # -------------------------------------------------------------- reading

    def _viewer(self, request: web.Request) -> int:
        return self._actions.person(request.query.get("as"))

    async def _live(self, request: web.Request) -> web.StreamResponse:
        """Send events to one page over a WebSocket.

        Server-sent events would block other requests, because a browser opens at most six connections to a host.
        """
        viewer = self._viewer(request)
        socket = web.WebSocketResponse(heartbeat=_BEAT, max_msg_size=1024)
        if not socket.can_prepare(request).ok:
            raise RefusedError("This address only accepts WebSocket connections.", status=426)
        await socket.prepare(request)
        self._sockets.add(socket)
        try:
            with self._hub.watching(viewer) as watcher:
                sending = asyncio.create_task(_send_events(socket, watcher.events))
                try:
                    async for message in socket:
                        if message.type == WSMsgType.ERROR:
                            break
                finally:
                    sending.cancel()
                    await asyncio.gather(sending, return_exceptions=True)
        finally:
            self._sockets.discard(socket)
        return socket

    async def _hang_up(self, _: web.Application) -> None:
        for socket in list(self._sockets):
            await socket.close(code=1001, message=b"The playground is closing")
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def _history(self, request: web.Request) -> web.StreamResponse:
        viewer = self._viewer(request)
        channel = self._actions.channel(viewer, as_snowflake("channel", request.query.get("channel")))
        before = as_snowflake("before", request.query.get("before"))
        messages, more = page_json(self._world, viewer, channel, before)
        return web.json_response({"messages": messages, "more": more})

    async def _commands(self, request: web.Request) -> web.StreamResponse:
        viewer = self._viewer(request)
        channel = self._actions.channel(viewer, as_snowflake("channel", request.query.get("channel")))
        return web.json_response(commands_json(self._world.engine, viewer, channel))

    # --------------------------------------------------------------- acting

    async def _act(self, request: web.Request) -> web.StreamResponse:
        # A form cannot send this type. Another site's script has to ask for permission first, and does not get it.
        if request.content_type != "application/json":
            raise RefusedError("A request must have the content type application/json.", status=415)
        try:
            body = json.loads(await request.read())
            json.dumps(body, ensure_ascii=False).encode()  # fails for half a surrogate pair, which cannot be stored
        except (ValueError, RecursionError) as error:
            raise RefusedError("That is not JSON.") from error
        fields = Fields(body)
        viewer = self._actions.person(fields.text("as", longest=100))
        action: Any = getattr(self._actions, request.path.removeprefix("/api/"))
        # Shielded, because an action should be completed even if the page is closed.
        task = asyncio.create_task(action(viewer, fields))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        answer = await asyncio.shield(task)
        self._hub.publish()
        return web.json_response(answer)


_CACHED = {"Cache-Control": "private, max-age=3600"}


def _file(name: str) -> web.Response:
    if name not in _STATIC:
        raise RefusedError("There is no such file.", status=404)
    content_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return web.Response(body=_STATIC[name], content_type=content_type, charset="utf-8")


async def _send_events(socket: web.WebSocketResponse, events: asyncio.Queue[str | None]) -> None:
    while (event := await events.get()) is not None:
        await socket.send_str(event)
    await socket.close(code=1013, message=b"Too far behind")


def _person_avatar(name: str, place: int) -> str:
    """Draw a coloured square with the initial of a name. The page shows it as a circle."""
    light, deep = _COLOURS[place % len(_COLOURS)]
    initial = escape(name[:1].upper())
    return _FRAME.format(
        defs=_GRADIENT.format(light=light, deep=deep),
        body='<rect width="80" height="80" fill="url(#g)"/>'
        '<text x="40" y="42" fill="#fff" font-family="system-ui, sans-serif" font-size="38" font-weight="600" '
        f'text-anchor="middle" dominant-baseline="central">{initial}</text>',
    )


def _bot_avatar() -> str:
    """Draw a die that shows a five."""
    pips = "".join(
        f'<circle cx="{x}" cy="{y}" r="4.4" fill="#4650c8"/>'
        for x, y in ((29.5, 29.5), (50.5, 29.5), (40, 40), (29.5, 50.5), (50.5, 50.5))
    )
    return _FRAME.format(
        defs=_GRADIENT.format(light="#7a85ff", deep="#3c45b5"),
        body='<rect width="80" height="80" fill="url(#g)"/><g transform="rotate(-12 40 40)">'
        f'<rect x="20" y="20" width="40" height="40" rx="9" fill="#fff"/>{pips}</g>',
    )
