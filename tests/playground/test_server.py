import re
from importlib import resources
from pathlib import Path
from typing import Any

from yarl import URL

from tests.playground.visitor import Visitor, is_sentence, run, visit

STATIC = sorted(path.name for path in (resources.files("playground") / "static").iterdir() if path.name != "index.html")
ACTIONS = ["say", "delete", "dismiss", "react", "click", "select", "slash", "autocomplete"]
ACTIONS += ["modal", "read", "locale", "time"]


async def test_the_page_and_its_parts_are_served_and_ask_for_nothing_outside(ada: Visitor) -> None:
    async with ada.session.get("/") as response:
        page = await response.text()
        policy = response.headers["Content-Security-Policy"]
    assert "<title>" in page
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy
    assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|style=", page), "nothing inline"
    for name in STATIC:
        async with ada.session.get(f"/static/{name}") as response:
            text = await response.text()
            assert response.status == 200
            assert response.headers["X-Content-Type-Options"] == "nosniff"
            assert response.content_type in ("text/javascript", "text/css", "text/html")
        assert not re.search("innerHTML|insertAdjacentHTML", text)
        addresses = set(re.findall(r"\b(?:https?|wss?)://[\w.-]+", text))
        assert addresses <= {"http://www.w3.org"}, "the name of SVG, which nobody fetches"
    pictures = set()
    for one in [*ada.world["people"], ada.world["bot"]]:
        async with ada.session.get(one["avatar"]) as response:
            assert response.content_type == "image/svg+xml"
            pictures.add(await response.text())
    assert len(pictures) == 6


FOREIGN = [
    ({"Host": "evil.example"}, 421),
    ({"Host": "127.0.0.1"}, 421),
    ({"Host": "127.0.0.1.evil.example:{port}"}, 421),
    ({"Origin": "https://evil.example"}, 403),
    ({"Origin": "http://127.0.0.1:1"}, 403),
    ({"Origin": "null"}, 403),
    ({"Sec-Fetch-Site": "cross-site"}, 403),
    ({"Sec-Fetch-Site": "same-site"}, 403),
    ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403),
]
UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}


async def test_other_sites_and_other_names_are_turned_away(ada: Visitor, address: str) -> None:
    query = {"as": "Ada", "channel": ada.channel}
    for given, status in FOREIGN:
        headers = {key: value.format(port=URL(address).port) for key, value in given.items()}
        for asking in (
            ada.session.get("/api/commands", params=query, headers=headers),
            ada.session.get("/api/live", params=query, headers=headers | UPGRADE),
            ada.session.post("/api/say", json={**query, "content": "I broke in"}, headers=headers),
        ):
            async with asking as response:
                assert response.status == status, (given, response.url)
                assert is_sentence(await response.json())
                assert "Access-Control-Allow-Origin" not in response.headers
    assert ada.said("I broke in") is None


FORWARDED = "https://name-8765.app.github.dev"


async def test_a_forwarded_port_has_to_be_named(state: Path) -> None:
    """A proxy passes on the name that the browser asked for, or puts its own in its place; the origin stays."""
    async with run(state, forwarded=[f"{FORWARDED.upper()}:443/"]) as address, visit(address, "Ada") as ada:
        own, forwarded = URL(address).authority, FORWARDED.removeprefix("https://")
        query = {"as": "Ada", "channel": ada.channel}
        for host, origin, status in (
            (forwarded, FORWARDED, 200),
            (own, FORWARDED, 200),
            (own, f"http://{own}", 200),
            (forwarded, FORWARDED.replace("https", "http"), 403),
            (own, f"https://evil.{forwarded}", 403),
            (own, FORWARDED.replace("8765", "8766"), 403),
            (own, f"{FORWARDED}:8765", 403),
            (own, "null", 403),
            (f"evil.{forwarded}", FORWARDED, 421),
            (f"{forwarded}:8765", FORWARDED, 421),
        ):
            headers = {"Host": host, "Origin": origin, "Sec-Fetch-Site": "same-origin"}
            async with ada.session.get("/api/commands", params=query, headers=headers) as response:
                assert response.status == status, (host, origin)
            said = {**query, "content": f"by {host}"}
            async with ada.session.post("/api/say", json=said, headers=headers) as response:
                assert response.status == status, (host, origin)
        headers = {"Host": "evil.example", "X-Forwarded-Host": forwarded, "Origin": FORWARDED}
        async with ada.session.get("/", headers=headers) as response:
            assert response.status == 421, "what a proxy claims is not believed"
        headers = {"Host": forwarded, "Origin": FORWARDED}
        async with ada.session.ws_connect("/api/live", params={"as": "Ada"}, headers=headers) as socket:
            assert "hello" in (await socket.receive_str())
        async with ada.session.get("/", headers=headers) as response:
            policy = response.headers["Content-Security-Policy"]
        assert f" wss://{forwarded};" in policy


async def test_wrong_values_are_refused_with_a_sentence(ada: Visitor, bruno: Visitor) -> None:
    table = await ada.table()
    here: dict[str, Any] = {"channel": ada.channel}
    key: dict[str, Any] = {**here, "message": table["id"]}
    command: dict[str, Any] = {**here, "command": "stub table"}
    filled = {"rounds": 3, "speed": "f"}
    wrong_options: dict[str, list[Any]] = {
        "nothing": [1],
        "rounds": [8, "three", 1.5, True, 1e300, 10**400, "nan"],
        "speed": ["x", None],
        "name": ["", {}, "half \ud800"],
        "open_seats": ["True"],
        "partner": ["Bruno", "1", ada.channel],
    }
    wrong: list[tuple[str, dict[str, Any]]] = [
        *(("say", {**here, "content": content}) for content in ("", "x" * 2001, ["x"])),
        ("delete", {**here, "message": "12345"}),
        ("dismiss", key),
        ("react", {**key, "emoji": "x"}),
        *(("react", {**key, "emoji": emoji, "on": True}) for emoji in ("x" * 101, "<:die:1>")),
        *(
            ("click", {**key, "custom_id": custom_id})
            for custom_id in ("", "suit", "act:disabled", "act:unheard_of", "roll:0\u0000")
        ),
        *(("select", {**key, "custom_id": "suit", "values": values}) for values in ("5", [], ["9"], ["5", "5"], [5])),
        ("select", {**key, "custom_id": "roll:0", "values": ["5"]}),
        *(("slash", {**here, "command": name}) for name in ("nothing", "stub", "stub table nothing")),
        ("slash", {**command, "options": []}),
        ("slash", {**command, "options": {}}),
        *(
            ("slash", {**command, "options": {**filled, option: value}})
            for option, values in wrong_options.items()
            for value in values
        ),
        ("autocomplete", {**command, "option": "name", "value": "x"}),
        ("autocomplete", {**command, "option": "nothing", "value": "x"}),
        ("autocomplete", {**here, "command": "stub find", "option": "name", "value": 5}),
        ("modal", {"modal": "1", "values": {}}),
        ("modal", {"modal": "1", "values": []}),
        ("locale", {"locale": "fr", "server": False}),
        ("locale", {"locale": "de"}),
        *(("time", {"seconds": seconds}) for seconds in (0, -60, 1e12, True, "60")),
    ]
    anything: list[dict[str, Any]] = [
        {},
        {"channel": 5},
        {"channel": "1", "message": "1"},
        {"channel": "-1"},
        {"channel": "9" * 30},
    ]
    wrong += [(action, what) for action in ACTIONS for what in anything]
    before = len(bruno.messages)
    for action, what in wrong:
        status, answer = await ada.post(action, **what)
        assert 400 <= status < 500, (action, what, answer)
        assert is_sentence(answer), (action, what, answer)
    assert ada.world["clock"]["offset"] == 0
    await ada.do("say", **here, content="Still here")
    await bruno.until(lambda: bruno.said("Still here"))
    assert len(bruno.messages) == before + 1, "nothing of all that had any effect"


async def test_an_upload_is_never_run_as_a_page_of_ours(ada: Visitor, bruno: Visitor) -> None:
    await ada.slash("stub file", name="evil.html", text="<script>alert(1)</script>")
    message = await bruno.until(lambda: bruno.said("Your file"))
    async with ada.session.get(message["attachments"][0]["url"]) as response:
        assert await response.text() == "<script>alert(1)</script>"
        assert response.content_type == "application/octet-stream"
        assert response.headers["Content-Disposition"] == "attachment"
        assert "script-src 'self'" in response.headers["Content-Security-Policy"]
