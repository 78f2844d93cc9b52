"""Whatever happens, and however much is logged: nobody's name and nothing that anybody wrote gets into the log."""

import logging
import random
import re
import traceback
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass

import pytest

from bot.config import Settings
from bot.ui.buttons import Verb
from bot.ui.lobby import WORD_FIELD
from tests.bot.databases import execute
from tests.bot.observing.logged import EVERY, Log, logged
from tests.bot.server import Server, private
from tests.discord import TOKEN, Discord, Interaction, Person, bots, faults, shown_in, tables
from tests.sampling import LARGE

NAMES = ("Quittenkern", "Rhabarberine", "Zwetschgerich")
WORDS = ("Mirabellenglut", "Hagebuttensturm")
TYPED = "Stachelbeerfrage"
PLACES = "Pflaumenhof"
PERSONAL = re.compile("|".join((*NAMES, *WORDS, TYPED, PLACES)), re.IGNORECASE)
SECRET = re.compile(f"{TOKEN}|token-of-")
MOVES = 400 if LARGE else 25


@contextmanager
def forbidden_words(settings: Settings) -> Iterator[None]:
    if settings.database_url.get_secret_value().startswith("sqlite"):
        forbid = (
            "create trigger no_words before insert on seats when new.lucky_word <> ''"
            " begin select raise(abort, 'no words'); end"
        )
        allow = "drop trigger no_words"
    else:
        forbid = "alter table seats add constraint no_words check (lucky_word = '')"
        allow = "alter table seats drop constraint no_words"
    execute(settings, forbid)
    try:
        yield
    finally:
        execute(settings, allow)


@dataclass
class Round(bots.Tavern):
    """People with telling names who play and try out everything."""

    rng: random.Random

    async def press_if_shown(self, person: Person, verb: Verb) -> None:
        """Press a button of the newest message that has it and that they see, if there is one."""
        theirs = [message for message in self.channel.messages.values() if message.reader in (None, person.user)]
        for look in reversed([look for message in theirs if not message.deleted and (look := tables.seen(message))]):
            if (button := look.press(verb)) is not None:
                answer = await person.press(look.message, button.custom_id)
                await self.fill_in(person, answer)
                return

    async def press_anything(self) -> None:
        """Press some button as somebody, of the newest message or of an old one."""
        look = self.rng.choice(shown_in(self.channel)[-2:])
        person = self.rng.choice(self.people)
        staying = [press for press in look.presses if press.verb not in (Verb.LEAVE, Verb.QUIT)]
        answer = await person.press(look.message, self.rng.choice(staying).custom_id)
        await self.fill_in(person, answer)

    async def fill_in(self, person: Person, answer: Interaction) -> None:
        if answer.modal is not None:
            await person.submit(answer, WORDS[self.people.index(person) % len(WORDS)])

    async def play(self, moves: int = MOVES) -> None:
        ada, ben, cem = self.people
        await ada.slash(self.channel, "highscore new", order="clockwise")
        await self.press_if_shown(ben, Verb.JOIN)
        for person in (ada, ben):
            await self.press_if_shown(person, Verb.OPTIONS)
            await self.press_if_shown(person, Verb.LUCKY_WORD)
        await self.press_if_shown(ada, Verb.START)
        for _ in range(moves):
            # With a Discord that is out of order it may take the bot a while to show what is next.
            with suppress(AssertionError):
                await self.discord.until(lambda: shown_in(self.channel), 1.0)
                await self.press_anything()
        for command in ("daily", "show", "history", "stats", "leaderboard", "setup", "me", "leave"):
            await cem.slash(self.channel, f"highscore {command}")
        await cem.slash(self.channel, "highscore rules", card=TYPED)
        await cem.slash(self.channel, "highscore history", game=TYPED)
        await ada.slash(self.channel, "highscore new", thread=True)
        await ada.slash(self.channel, "highscore table", action="remove", player=ben.id)
        me = await ada.slash(self.channel, "highscore me")
        if me.response is not None:
            for custom_id in me.response.custom_ids:
                await ada.press(me.response, custom_id)
        asked = await ada.slash(self.channel, "highscore table", action="cancel")
        if asked.response is not None:
            for custom_id in asked.response.custom_ids:
                await ada.press(asked.response, custom_id)


@asynccontextmanager
async def a_round(settings: Settings) -> AsyncIterator[Round]:
    fake = Discord()
    people = [Person(fake, fake.add_user(name)) for name in NAMES]
    guild = fake.add_guild(PLACES, [person.user for person in people], channels=1)
    async with fake.serving(), bots.connected(fake, settings) as bot:
        yield Round(fake, bot, guild, people, random.Random(1))


def check(log: Log) -> None:
    found = [line for line in log.lines if PERSONAL.search(line) or SECRET.search(line)]
    assert found == []


async def test_when_all_goes_well(settings: Settings) -> None:
    with logged(settings) as log:
        async with a_round(settings) as people:
            await people.play()
            assert len([call for call in people.discord.calls if call.path.endswith("/callback")]) > MOVES
    check(log)
    assert "has connected to Gateway" in log.text


async def test_when_discord_is_out_of_order(
    settings: Settings, error_log: list[logging.LogRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.workers.delivery.FIRST_RETRY", 0.05)
    with logged(settings, form="json") as log:
        async with a_round(settings) as people:
            people.discord.faults.kinds = tuple(one for one in faults.ALL if one.name not in ("429 global", "10003"))
            people.discord.faults.rate = 0.3
            people.discord.api.answering.answer_seconds = 0.3  # Or many a press would be waited for in vain for 3 s.
            await people.play()
            people.discord.faults.rate = 0.0
    check(log)
    assert "could not be" in log.text or "cannot be" in log.text
    assert '"interaction": "' in log.text
    error_log.clear()


@pytest.mark.both_databases
async def test_when_the_database_does_not_take_what_they_write(
    server: Server, error_log: list[logging.LogRecord]
) -> None:
    """PostgreSQL's words for it quote the whole row: name, lucky word and all."""
    ada = server.members[0]
    with logged(server.settings) as log:
        await server.seat(2)
        await server.settle()
        with forbidden_words(server.settings):
            popped_up = await server.press(ada, Verb.LUCKY_WORD)
            result = await ada.submit_modal(popped_up, {WORD_FIELD: WORDS[0]})
        assert "Something went wrong on our side" in private(result)
    (record,) = error_log
    error_log.clear()
    check(log)
    assert "IntegrityError" in log.text
    place = f"guild={server.guild.id} channel={server.channel.id}"
    assert re.search(rf"\[game=\w+ {place} interaction=\d+ user={ada.id} command=word\]", log.text)
    if server.settings.database_url.get_secret_value().startswith("postgresql"):
        assert record.exc_info is not None
        assert WORDS[0] in "".join(traceback.format_exception(record.exc_info[1])), "what Python would have logged"


async def test_at_debug_the_libraries_would_log_all_of_it(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    """Otherwise the tests above would show nothing."""
    for name in EVERY:
        caplog.set_level(logging.DEBUG, name)
    async with a_round(settings) as people:
        await people.play(moves=0)
    assert {word for word in (*NAMES[:2], *WORDS, TYPED, PLACES) if word not in caplog.text} == set()
    assert SECRET.search(caplog.text)
