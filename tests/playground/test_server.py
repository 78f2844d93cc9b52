"""What the playground serves, to whom, and what it says to everybody else."""

from __future__ import annotations

import io
import re
from importlib import resources
from typing import Any

import pytest
from yarl import URL

from tests.playground.visitor import Visitor

STATIC = sorted(path.name for path in (resources.files("playground") / "static").iterdir() if path.name != "index.html")
ACTIONS = ["say", "delete", "dismiss", "react", "click", "select", "slash", "autocomplete", "apps"]
ACTIONS += ["modal", "read", "locale", "time"]


def is_sentence(answer: dict[str, Any]) -> bool:
    """Whether an answer explains itself and gives nothing of the inside away."""
    text = answer["error"]
    return bool(re.match(r"[A-Z“].*[.]$", text)) and "Traceback" not in text and "simcord" not in text


# ------------------------------------------------------------------ the page


async def test_the_page_is_served_with_a_policy_that_lets_nothing_foreign_in(ada: Visitor) -> None:
    async with ada.session.get("/") as response:
        text = await response.text()
        policy = response.headers["Content-Security-Policy"]
    assert "<title>" in text
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy
    assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|style=", text), "nothing inline"


@pytest.mark.parametrize("name", STATIC)
async def test_every_part_of_the_page_is_served_and_asks_for_nothing_outside(ada: Visitor, name: str) -> None:
    async with ada.session.get(f"/static/{name}") as response:
        text = await response.text()
        assert response.status == 200
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.content_type in ("text/javascript", "text/css", "text/html")
    assert "innerHTML" not in text
    assert "insertAdjacentHTML" not in text
    addresses = set(re.findall(r"\b(?:https?|wss?)://[\w.-]+", text))
    assert addresses <= {"http://www.w3.org"}, "the name of SVG, which nobody fetches"


async def test_faces_are_drawn_here(ada: Visitor) -> None:
    pictures = set()
    for one in [*ada.world["people"], ada.world["bot"]]:
        async with ada.session.get(one["avatar"]) as response:
            assert response.content_type == "image/svg+xml"
            pictures.add(await response.text())
    assert len(pictures) == 6


# ------------------------------------------------------------ who may enter


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Host": "127.0.0.1.evil.example:{port}"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403),
    ],
)
@pytest.mark.parametrize("what", ["commands", "say", "live"])
async def test_other_sites_and_other_names_are_turned_away(
    ada: Visitor, address: str, headers: dict[str, str], status: int, what: str
) -> None:
    port = URL(address).port
    headers = {key: value.format(port=port) for key, value in headers.items()}
    query = {"as": "Ada", "channel": ada.channel}
    if what == "say":
        body = {"as": "Ada", "channel": ada.channel, "content": "I broke in"}
        asking = ada.session.post("/api/say", json=body, headers=headers)
    elif what == "live":
        headers |= {
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        }
        asking = ada.session.get("/api/live", params=query, headers=headers)
    else:
        asking = ada.session.get("/api/commands", params=query, headers=headers)
    async with asking as response:
        assert response.status == status
        assert is_sentence(await response.json())
        assert "Access-Control-Allow-Origin" not in response.headers
    assert ada.said("I broke in") is None


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
async def test_our_own_page_may_come_by_either_name(ada: Visitor, address: str, name: str) -> None:
    port = URL(address).port
    headers = {"Host": f"{name}:{port}", "Origin": f"http://{name}:{port}", "Sec-Fetch-Site": "same-origin"}
    async with ada.session.get(
        "/api/commands", params={"as": "Ada", "channel": ada.channel}, headers=headers
    ) as response:
        assert response.status == 200


async def test_a_link_from_elsewhere_may_lead_to_the_page(ada: Visitor) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    async with ada.session.get("/", headers=headers) as response:
        assert response.status == 200


# ------------------------------------------------------------- bad requests


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/static/nothing.js", 404),
        ("GET", "/static/..%2Fserver.py", 404),
        ("GET", "/cdn/attachments/1/2/board.png", 404),
        ("GET", "/emoji/1", 404),
        ("GET", "/api/say", 405),
        ("POST", "/", 405),
        ("GET", "/?as=Nobody", 404),
        ("GET", "/api/live", 426),
        ("GET", "/api/live?as=Nobody", 404),
        ("GET", "/api/commands?as=Ada", 400),
        ("GET", "/api/commands?as=Ada&channel=1", 404),
        ("GET", "/api/commands?as=Ada&channel=x", 400),
        ("GET", "/api/history?as=Ada&channel=1&before=2", 404),
    ],
)
async def test_an_address_which_leads_nowhere_says_so(ada: Visitor, method: str, path: str, status: int) -> None:
    async with ada.session.request(method, URL(path, encoded=True)) as response:
        assert response.status == status
        assert is_sentence(await response.json())


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"{}", {"Content-Type": "text/plain"}, 415),
        (b"a=b", {"Content-Type": "application/x-www-form-urlencoded"}, 415),
        (b"{", {}, 400),
        (b"\xff\xfe", {}, 400),
        (b"[]", {}, 400),
        (b"null", {}, 400),
        (b'{"as": 5}', {}, 400),
        (b'{"as": "Nobody"}', {}, 404),
        (b"[" * 100_000, {}, 400),
        (b'{"as": "' + b"x" * (15 * 1024 * 1024) + b'"}', {}, 413),
    ],
    ids=["plain", "form", "cut", "bytes", "list", "null", "as", "nobody", "deep", "large"],
)
async def test_a_body_which_is_none_is_refused(ada: Visitor, body: bytes, headers: dict[str, str], status: int) -> None:
    headers = {"Content-Type": "application/json", **headers}
    async with ada.session.post("/api/say", data=io.BytesIO(body), headers=headers) as response:
        assert response.status == status
        assert is_sentence(await response.json())


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize(
    "what",
    [{}, {"channel": 5}, {"channel": "1", "message": "1"}, {"channel": "-1"}, {"channel": "9" * 30}],
    ids=["nothing", "number", "unknown", "negative", "huge"],
)
async def test_no_action_takes_just_anything(ada: Visitor, action: str, what: dict[str, Any]) -> None:
    status, answer = await ada.post(action, **what)
    assert 400 <= status < 500
    assert is_sentence(answer), answer


async def test_wrong_values_are_refused_with_a_sentence(ada: Visitor, bruno: Visitor) -> None:
    table = await ada.table()
    here: dict[str, Any] = {"channel": ada.channel}
    key: dict[str, Any] = {**here, "message": table["id"]}
    command: dict[str, Any] = {**here, "command": "stub table"}
    filled = {"rounds": 3, "speed": "f"}
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("say", {**here, "content": ""}),
        ("say", {**here, "content": "x" * 2001}),
        ("say", {**here, "content": ["x"]}),
        ("delete", {**here, "message": "12345"}),
        ("dismiss", key),
        ("react", {**key, "emoji": "x"}),
        ("react", {**key, "emoji": "x" * 101, "on": True}),
        ("click", {**key, "custom_id": ""}),
        ("click", {**key, "custom_id": "suit"}),
        ("click", {**key, "custom_id": "roll:0\u0000"}),
        ("select", {**key, "custom_id": "suit", "values": "5"}),
        ("select", {**key, "custom_id": "suit", "values": []}),
        ("select", {**key, "custom_id": "suit", "values": ["9"]}),
        ("select", {**key, "custom_id": "suit", "values": ["5", "5"]}),
        ("select", {**key, "custom_id": "suit", "values": [5]}),
        ("select", {**key, "custom_id": "roll:0", "values": ["5"]}),
        ("slash", {**here, "command": "nothing"}),
        ("slash", {**here, "command": "stub"}),
        ("slash", {**here, "command": "stub table nothing"}),
        ("slash", {**command, "options": []}),
        ("slash", {**command, "options": {}}),
        ("slash", {**command, "options": {**filled, "nothing": 1}}),
        ("slash", {**command, "options": {**filled, "rounds": 8}}),
        ("slash", {**command, "options": {**filled, "rounds": "three"}}),
        ("slash", {**command, "options": {**filled, "rounds": 1.5}}),
        ("slash", {**command, "options": {**filled, "rounds": True}}),
        ("slash", {**command, "options": {**filled, "rounds": 1e300}}),
        ("slash", {**command, "options": {**filled, "rounds": "nan"}}),
        ("slash", {**command, "options": {**filled, "speed": "x"}}),
        ("slash", {**command, "options": {**filled, "speed": None}}),
        ("slash", {**command, "options": {**filled, "name": ""}}),
        ("slash", {**command, "options": {**filled, "name": {}}}),
        ("slash", {**command, "options": {**filled, "open_seats": "True"}}),
        ("slash", {**command, "options": {**filled, "partner": "Bruno"}}),
        ("slash", {**command, "options": {**filled, "partner": "1"}}),
        ("slash", {**command, "options": {**filled, "partner": ada.channel}}),
        ("autocomplete", {**command, "option": "name", "value": "x"}),
        ("autocomplete", {**command, "option": "nothing", "value": "x"}),
        ("autocomplete", {**here, "command": "stub find", "option": "name", "value": 5}),
        ("apps", {**here, "command": "Count letters"}),
        ("apps", {**here, "command": "Count letters", "message": table["id"], "member": ada.id_of("Ada")}),
        ("apps", {**here, "command": "Count letters", "message": "1"}),
        ("apps", {**here, "command": "Count letters", "member": "1"}),
        ("modal", {"modal": "1", "values": {}}),
        ("modal", {"modal": "1", "values": []}),
        ("locale", {"locale": "fr", "server": False}),
        ("locale", {"locale": "de"}),
        ("time", {"seconds": 0}),
        ("time", {"seconds": -60}),
        ("time", {"seconds": 1e12}),
        ("time", {"seconds": True}),
        ("time", {"seconds": "60"}),
    ]
    before = len(bruno.messages)
    for action, what in wrong:
        status, answer = await ada.post(action, **what)
        assert 400 <= status < 500, (action, what, answer)
        assert is_sentence(answer), (action, what, answer)
    assert ada.world["clock"]["offset"] == 0
    await ada.do("say", **here, content="Still here")
    await bruno.until(lambda: bruno.said("Still here"))
    assert len(bruno.messages) == before + 1, "nothing of all that had any effect"


@pytest.mark.parametrize("values", [{"nothing": "x"}, {}, {"table": 5}, {"table": ""}])
async def test_a_form_with_wrong_values_can_be_sent_again(ada: Visitor, values: dict[str, Any]) -> None:
    message = await ada.table()
    modal = (await ada.click(message, "act:name"))["modal"]
    custom_id = modal["components"][0]["components"][0]["custom_id"]
    named = {custom_id if key == "table" else key: value for key, value in values.items()}
    status, answer = await ada.post("modal", modal=modal["id"], values=named)
    assert status == 409
    assert is_sentence(answer), answer
    await ada.do("modal", modal=modal["id"], values={custom_id: "Fine"})


async def test_an_upload_is_never_run_as_a_page_of_ours(ada: Visitor, bruno: Visitor) -> None:
    await ada.slash("stub file", name="evil.html", text="<script>alert(1)</script>")
    message = await bruno.until(lambda: bruno.said("Your file"))
    async with ada.session.get(message["attachments"][0]["url"]) as response:
        assert await response.text() == "<script>alert(1)</script>"
        assert response.content_type == "application/octet-stream"
        assert response.headers["Content-Disposition"] == "attachment"
        assert "script-src 'self'" in response.headers["Content-Security-Policy"]
