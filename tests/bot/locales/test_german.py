"""The whole bot for people with different languages: what all see is in the server's, private answers in theirs."""

import re
from collections.abc import AsyncIterator, Iterator

import discord
import pytest
from simcord import InteractionResult, MemberActor

from bot.config import Settings
from bot.ui.buttons import SettingPress, SetupVerb, Verb
from tests.bot import dailies, played
from tests.bot.locales.leftovers import left_in
from tests.bot.server import PrivatePage, Server, private, private_message, serve
from tests.simulation import locales

GERMAN, ENGLISH = "de", "en-GB"


@pytest.fixture
async def people(settings: Settings) -> AsyncIterator[Server]:
    """Serve a server in which Ada and Cem have Discord in English, Ben and Dot in German."""
    async with serve(settings, members=4) as running:
        yield running


def languages_of(server: Server) -> dict[int, str]:
    return {member.id: (ENGLISH, GERMAN)[at % 2] for at, member in enumerate(server.members)}


@pytest.fixture
def in_german(people: Server) -> Iterator[Server]:
    with locales(languages_of(people), GERMAN):
        yield people


@pytest.fixture
def in_english(people: Server) -> Iterator[Server]:
    with locales(languages_of(people), ENGLISH):
        yield people


def public(server: Server) -> str:
    return "\n".join(map(everything, server.messages))


def everything(message: discord.Message) -> str:
    labels = [
        child.label or ""
        for row in message.components
        if isinstance(row, discord.ActionRow)
        for child in row.children
        if isinstance(child, discord.Button)
    ]
    return "\n".join((dailies.words(message), *labels, *(file.description or "" for file in message.attachments)))


def answer(result: InteractionResult) -> str:
    assert any(message is not None for message in (result.response, *result.followups))
    # The name of a picture's file is nothing to read; a link to a command carries its registered name.
    return re.sub(r"attachment://\w+\.png|</highscore [a-z]+:\d+>", "", private(result))


def is_german(text: str) -> bool:
    return not left_in(text, "de")


async def test_a_game_on_a_german_server_has_no_english(in_german: Server) -> None:
    ada, ben, cem = in_german.members[:3]
    await in_german.seat(3, order="open")
    # Refusals and dialogs are in the language of the one who pressed.
    assert "Only the host can" in answer(await in_german.press(cem, Verb.START))
    assert "nur, wer den Tisch leitet" in answer(await in_german.press(ben, Verb.START))
    assert "Your lucky word" in str((await in_german.press(ada, Verb.LUCKY_WORD)).modal)
    assert "Dein Glückswort" in str((await in_german.press(ben, Verb.LUCKY_WORD)).modal)
    await in_german.slash(cem, "show")
    assert "Ein Tisch ist offen" in everything(in_german.shown)
    await in_german.press(cem, Verb.LEAVE)
    await in_german.press(ada, Verb.START)

    table = await played.play_out(in_german.bot.core, await in_german.table())
    in_german.bot.delivery.request_redraw(table.id)
    await in_german.settle()
    assert left_in(public(in_german), "de") == set()
    assert "Das Spiel beginnt" in public(in_german)
    assert "Punktestand" in everything(in_german.shown)
    # The report and the boards: private ones in the reader's language, public ones in the server's.
    for verb in (Verb.REPORT, Verb.PROOF):
        assert not is_german(answer(await in_german.press(ada, verb)))
        assert is_german(answer(await in_german.press(ben, verb)))
    for command in ("stats", "history"):
        assert not is_german(answer(await in_german.slash(ada, command)))
        assert is_german(answer(await in_german.slash(ben, command)))
    for order in ("rating", "fame"):
        await in_german.slash(ada, "leaderboard", order=order)
        assert left_in(everything(in_german.shown), "de") == set()


async def administrator(server: Server) -> MemberActor:
    role = server.guild.create_role("admins", permissions=discord.Permissions(manage_guild=True))
    return server.guild.add_member(server.env.create_user("boss"), roles=[role])


async def test_a_server_can_switch_its_language_and_back(in_english: Server) -> None:
    admin = await administrator(in_english)
    ada = in_english.members[0]
    table = await in_english.begin(2)
    assert "your turn" in everything(in_english.shown)
    message = private_message(await in_english.slash(admin, "setup"))
    setup = PrivatePage(in_english, admin, in_english.channel, message.id)
    select = SettingPress(SetupVerb.PICK, "language").custom_id
    await admin.select(setup.page, ["de"], custom_id=select)
    assert "Deutsch" in setup.text
    # The game goes on as it began, and none of its buttons is stale; what comes after it is German.
    await in_english.press(in_english.on_turn(table), Verb.TAKE)
    assert (await in_english.table()).version == table.version + 1
    assert "Still to play" in everything(in_english.shown)
    await in_english.cancel(admin)
    await in_english.slash(ada, "new")
    assert "Ein Tisch ist offen" in everything(in_english.shown)
    await admin.select(setup.page, ["server"], custom_id=select)
    assert "English · as in Discord" in setup.text
    await in_english.slash(ada, "show")
    assert "a table is open" in everything(in_english.shown)
