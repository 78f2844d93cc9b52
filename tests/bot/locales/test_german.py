"""The whole bot for people with different languages: what all see is in the server's, private answers in theirs."""

from __future__ import annotations

import random
import re
from collections.abc import AsyncIterator, Iterator

import discord
import pytest
from simcord import InteractionResult, MemberActor

from bot.config import Settings
from bot.ui.buttons import Verb
from tests.bot.dailies import Player, words
from tests.bot.locales.leftovers import left_in
from tests.bot.server import Server, private, serve
from tests.e2e.players import Players
from tests.simulation import locales

pytestmark = pytest.mark.only_sqlite("words are the same on every database")

GERMAN, ENGLISH = "de", "en-GB"


@pytest.fixture
async def people(settings: Settings) -> AsyncIterator[Server]:
    """A server in which Ada and Cem have Discord in English, Ben and Dot in German."""
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
    """Everything that everybody sees, pictures' descriptions and buttons included."""
    return "\n".join(map(everything, server.messages))


def everything(message: discord.Message) -> str:
    labels = [
        child.label or ""
        for row in message.components
        if isinstance(row, discord.ActionRow)
        for child in row.children
        if isinstance(child, discord.Button)
    ]
    return "\n".join((words(message), *labels, *(file.description or "" for file in message.attachments)))


def answer(result: InteractionResult) -> str:
    """What one person was told privately, with its buttons."""
    told = [message for message in (result.response, *result.followups) if message is not None]
    assert told
    # The name of a picture's file is nothing to read.
    return re.sub(r"attachment://\w+\.png", "", private(result))


def is_german(text: str) -> bool:
    return not left_in(text, "de")


async def test_a_whole_game_on_a_german_server_has_no_english(in_german: Server) -> None:
    await in_german.seat(3, order="open")
    await in_german.press(in_german.members[0], Verb.START)
    chance = random.Random(4)
    players = Players(in_german, chance)

    async def look(_table: object) -> None:
        assert left_in(everything(in_german.shown), "de") == set()

    table = await players.play(look)
    await in_german.bot.delivery.settled()
    assert table.game is not None
    assert table.game.complete
    assert left_in(public(in_german), "de") == set()
    assert "Das Spiel hat angefangen" in public(in_german)
    assert "Punktestand" in everything(in_german.shown)


async def test_a_game_on_an_english_server_has_no_german(in_english: Server) -> None:
    await in_english.begin_turn(2)
    text = public(in_english)
    assert len(left_in(text, "de")) > 10
    assert not any(word in text for word in ("Wirbel", "Runde", "Würfe", "Punkte"))
    assert "Round 1 of 7" in text


@pytest.mark.parametrize(("at", "sentence"), [(2, "Only the host can start"), (1, "Nur wer den Tisch leitet")])
async def test_a_refusal_is_in_the_language_of_who_is_refused(in_german: Server, at: int, sentence: str) -> None:
    await in_german.seat(3)
    assert sentence in answer(await in_german.press(in_german.members[at], Verb.START))


@pytest.mark.parametrize("server_language", [GERMAN, ENGLISH])
@pytest.mark.parametrize(("at", "sentence"), [(0, "It is not your turn yet."), (1, "Du bist noch nicht dran.")])
async def test_the_engines_sentences_are_translated(
    people: Server, at: int, sentence: str, server_language: str
) -> None:
    with locales(languages_of(people), server_language):
        for _attempt in range(20):
            table = await people.begin(2)
            member = people.members[at]
            if people.on_turn(table).id != member.id:
                break
            await people.slash(people.members[0], "cancel")
        assert sentence in answer(await people.press(member, Verb.TAKE))


async def test_a_late_press_shows_the_table_in_the_readers_language(in_german: Server) -> None:
    table = await in_german.begin(2)
    taken = next(button.custom_id for button in in_german.buttons(Verb.TAKE))
    assert taken is not None
    await in_german.press(in_german.on_turn(table), Verb.TAKE)
    for member, sentence, title in zip(
        in_german.members[:2], ("the table has moved on", "ging es schon weiter"), ("Round 1", "Runde 1"), strict=True
    ):
        told = answer(await in_german.send(member, taken))
        assert sentence in told
        assert title in told


@pytest.mark.parametrize(("at", "title"), [(0, "Your lucky word"), (1, "Dein Glückswort")])
async def test_the_dialog_is_in_the_readers_language(in_german: Server, at: int, title: str) -> None:
    await in_german.seat(2)
    shown = await in_german.press(in_german.members[at], Verb.LUCKY_WORD)
    assert title in str(shown.modal)


@pytest.mark.parametrize("server_language", [GERMAN, ENGLISH])
async def test_private_answers_are_in_the_language_of_who_asked(people: Server, server_language: str) -> None:
    with locales(languages_of(people), server_language):
        table = await people.begin_turn(2)
        english: list[str] = []
        german: list[str] = []
        for member, told in zip(people.members[:2], (english, german), strict=True):
            for command in ("help", "rules", "leave"):
                told.append(answer(await people.slash(member, command)))
            told.append(answer(await people.slash(member, "rules", card=table.deck.cards[0].id)))
            told.append(answer(await people.slash(member, "reminders", way="channel")))
            told.append(answer(await people.slash(member, "settings")))
        player = people.on_turn(table)
        hint = answer(await people.press(player, Verb.HINT))
        (english if player.id == people.members[0].id else german).append(hint)
        await people.slash(people.members[0], "cancel")
        for member, told in zip(people.members[:2], (english, german), strict=True):
            told.append(answer(await people.press(member, Verb.PROOF)))
    for text in english:
        assert not is_german(text)
        assert "Würfel" not in text
    for text in german:
        assert left_in(text, "de") == set()


async def test_a_table_is_shown_again_in_the_servers_language(in_german: Server) -> None:
    await in_german.seat(2)
    await in_german.slash(in_german.members[2], "show")
    assert "Ein Tisch ist offen" in everything(in_german.shown)


async def test_a_thread_is_named_in_the_servers_language(in_german: Server) -> None:
    result = await in_german.slash(in_german.members[0], "new", thread=True)
    assert "The table is open in" in answer(result)
    (thread,) = in_german.bot.get_guild(in_german.guild.id).threads  # type: ignore[union-attr]
    assert thread.name == "High Score mit Ada"


async def test_reminders_are_in_the_servers_language(in_german: Server) -> None:
    table = await in_german.begin(2, pace="relaxed")
    deadline = table.timing.deadline
    assert deadline is not None
    await in_german.env.advance_time((deadline - in_german.env.now()).total_seconds() + 5)
    texts = [message.content for message in in_german.messages if "⏰" in message.content]
    assert texts
    assert all("Kleine Erinnerung" in text for text in texts)
    assert "war die Zeit um; das Haus hat den Zug gespielt" in public(in_german)
    assert left_in(public(in_german), "de") == set()


async def test_a_daily_challenge_is_private_in_ones_own_and_told_in_the_servers_language(in_german: Server) -> None:
    english, german = [await Player.begin(in_german, member) for member in in_german.members[:2]]
    assert "Daily challenge" in english.text
    assert "Tages-Challenge" in german.text
    await english.play_cards()
    assert "points" in english.text
    await in_german.env.settle()
    assert "hat die Tages-Challenge vom" in public(in_german)
    assert left_in(public(in_german), "de") == set()


async def administrator(server: Server) -> MemberActor:
    role = server.guild.create_role("admins", permissions=discord.Permissions(manage_guild=True))
    return server.guild.add_member(server.env.create_user("boss"), roles=[role])


async def test_a_server_can_switch_its_language_and_back(in_english: Server) -> None:
    admin = await administrator(in_english)
    await in_english.seat(2)
    assert "a table is open" in everything(in_english.shown)
    told = answer(await in_english.slash(admin, "settings", language="de"))
    assert "Deutsch" in told
    # The table that is open goes on in German, and so does what comes after it.
    await in_english.press(in_english.members[0], Verb.START)
    assert left_in(everything(in_english.shown), "de") == set()
    await in_english.slash(in_english.members[0], "cancel")
    await in_english.slash(in_english.members[0], "new")
    assert "Ein Tisch ist offen" in everything(in_english.shown)
    told = answer(await in_english.slash(admin, "settings", language="server"))
    assert "the server's own in Discord" in told
    await in_english.slash(in_english.members[0], "show")
    assert "a table is open" in everything(in_english.shown)


async def test_the_servers_own_language_is_the_one_it_has_in_discord(in_german: Server) -> None:
    admin = await administrator(in_german)
    await in_german.slash(admin, "settings", language="en")
    await in_german.seat(2)
    assert "a table is open" in everything(in_german.shown)
    await in_german.slash(admin, "settings", language="server")
    await in_german.slash(in_german.members[0], "show")
    assert "Ein Tisch ist offen" in everything(in_german.shown)


async def test_a_switch_makes_no_button_stale(in_english: Server) -> None:
    admin = await administrator(in_english)
    table = await in_english.begin(2)
    await in_english.slash(admin, "settings", language="de")
    await in_english.press(in_english.on_turn(table), Verb.TAKE)
    assert (await in_english.table()).version == table.version + 1


async def test_the_report_and_the_boards_speak_the_readers_language(in_german: Server) -> None:
    await in_german.begin(2)

    async def nothing(_table: object) -> None:
        return None

    await Players(in_german, random.Random(1)).play(nothing)
    await in_german.bot.delivery.settled()
    ada, ben = in_german.members[:2]
    for verb in (Verb.REPORT, Verb.PROOF):
        assert not is_german(answer(await in_german.press(ada, verb)))
        assert left_in(answer(await in_german.press(ben, verb)), "de") == set()
    for command in ("stats", "history"):
        assert not is_german(answer(await in_german.slash(ada, command)))
        assert left_in(answer(await in_german.slash(ben, command)), "de") == set()
    for command in ("leaderboard", "records"):
        await in_german.slash(ada, command)
        assert left_in(everything(in_german.shown), "de") == set()
