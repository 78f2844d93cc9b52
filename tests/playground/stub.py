"""A small bot with one of everything the playground has to show."""

import asyncio
import contextlib
import io
import re
import signal
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, Self

import discord
from discord import app_commands
from discord.ext import commands
from PIL import Image

from playground import playground

DICE = "\N{GAME DIE}"
LOCALES = {"en-US": "English", "de": "Deutsch"}


def board(colour: tuple[int, int, int] = (88, 101, 242)) -> discord.File:
    picture = io.BytesIO()
    Image.new("RGB", (240, 80), colour).save(picture, "PNG")
    picture.seek(0)
    return discord.File(picture, "board.png")


class Persistent:
    """A control that is made from its ``custom_id`` alone."""

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(**match.groupdict())


class Roll(Persistent, discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"roll:(?P<count>\d+)"):
    def __init__(self, count: int | str) -> None:
        super().__init__(
            discord.ui.Button(
                label=f"Roll ({count})",
                emoji=DICE,
                style=discord.ButtonStyle.success,
                custom_id=f"roll:{count}",
            )
        )
        self.count = int(count)

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(
            embed=table(interaction.user, self.count + 1),
            view=buttons(self.count + 1),
            attachments=[board((self.count * 40 % 256, 120, 90))],
        )


class Act(Persistent, discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"act:(?P<what>\w+)"):
    """The other buttons, each for one way of answering."""

    def __init__(self, what: str, style: discord.ButtonStyle = discord.ButtonStyle.secondary) -> None:
        super().__init__(discord.ui.Button(label=what.capitalize(), style=style, custom_id=f"act:{what}"))
        self.what = what

    async def callback(self, interaction: discord.Interaction) -> None:
        match self.what:
            case "whisper":
                hand = f"Only for {interaction.user.mention}: **V 6 5** ({interaction.locale.value})"
                await interaction.response.send_message(hand, ephemeral=True)
            case "name":
                await interaction.response.send_modal(NameForm())
            case "slow":
                await interaction.response.defer(ephemeral=True, thinking=True)
                await asyncio.sleep(0.7)
                await interaction.followup.send("That took a while.")
            case "fail":
                raise RuntimeError("the stub bot fails here, as it was asked to")
            case _:
                return


class Suit(Persistent, discord.ui.DynamicItem[discord.ui.Select[Any]], template=r"suit"):
    def __init__(self) -> None:
        super().__init__(
            discord.ui.Select(
                custom_id="suit",
                placeholder="Which dice do you keep?",
                min_values=1,
                max_values=2,
                options=[
                    discord.SelectOption(label="Sixes", value="6", description="All of them", emoji=DICE),
                    discord.SelectOption(label="Fives", value="5"),
                    discord.SelectOption(label="Vortex", value="V"),
                ],
            )
        )

    async def callback(self, interaction: discord.Interaction) -> None:
        kept = ", ".join(self.item.values)
        await interaction.response.send_message(f"{interaction.user.mention} keeps {kept}.", ephemeral=True)


class NameForm(discord.ui.Modal, title="Name your table"):
    table: discord.ui.TextInput[Self] = discord.ui.TextInput(label="Table", max_length=20)
    motto: discord.ui.Label[Self] = discord.ui.Label(
        text="Motto", component=discord.ui.TextInput(style=discord.TextStyle.paragraph, required=False)
    )

    colour: discord.ui.Label[Self] = discord.ui.Label(
        text="Colour",
        component=discord.ui.RadioGroup(
            custom_id="colour",
            required=False,
            options=[
                discord.RadioGroupOption(label="Red", description="Like a brick"),
                discord.RadioGroupOption(label="Blue"),
            ],
        ),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.colour.component, discord.ui.RadioGroup)
        colour = self.colour.component.value
        said = "" if colour is None else f" It is {colour}."
        await interaction.response.send_message(f"The table is called **{self.table.value}**.{said}")


def table(user: discord.abc.User, count: int) -> discord.Embed:
    deadline = discord.utils.utcnow() + timedelta(minutes=5)
    embed = discord.Embed(
        title="Challenge card 3 of 7",
        description=f"It is {user.mention}'s turn. Next reminder {discord.utils.format_dt(deadline, 'R')}.",
        colour=discord.Colour.gold(),
    )
    embed.add_field(name="Rolls", value=f"`{count}` so far")
    embed.add_field(name="Best", value="**41** by Bruno")
    embed.add_field(name="Chips", value="1 gold, 2 red", inline=False)
    embed.set_image(url="attachment://board.png")
    embed.set_footer(text=f"Table 12 · version {count}")
    return embed


def buttons(count: int) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    view.add_item(Roll(count))
    view.add_item(Act("whisper", discord.ButtonStyle.primary))
    view.add_item(Act("name"))
    off = Act("disabled")
    off.item.disabled = True
    view.add_item(off)
    for what in ("slow", "fail", "silent"):
        view.add_item(Act(what))
    view.add_item(discord.ui.Button(label="Rules", url="https://example.org/rules"))
    view.add_item(Suit())
    return view


group = app_commands.Group(name="stub", description="Commands of the stub bot")


@group.command(name="table", description="Open a table")
@app_commands.describe(
    rounds="How many rounds", name="What to call it", open_seats="Seats left open", partner="With whom"
)
@app_commands.choices(speed=[app_commands.Choice(name="Slow", value="s"), app_commands.Choice(name="Fast", value="f")])
async def open_table(
    interaction: discord.Interaction,
    rounds: app_commands.Range[int, 1, 7],
    speed: app_commands.Choice[str],
    name: str = "Table",
    open_seats: bool = True,
    partner: discord.Member | None = None,
) -> None:
    said = f"**{name}** · {rounds} rounds, {speed.name}, open: {open_seats}"
    if partner is not None:
        said += f", with {partner.mention}"
    await interaction.response.send_message(said, embed=table(interaction.user, 0), view=buttons(0), file=board())


@group.command(name="find", description="Find a table by its name")
@app_commands.describe(name="Start typing")
async def find(interaction: discord.Interaction, name: str) -> None:
    await interaction.response.send_message(f"You found {name}.", ephemeral=True)


@find.autocomplete("name")
async def names(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
    known = ["Blue table", "Green table", "Red table"]
    return [app_commands.Choice(name=one, value=one.lower()) for one in known if current.lower() in one.lower()]


@group.command(name="later", description="Call everybody named in a while")
async def later(interaction: discord.Interaction, seconds: int, who: discord.Member) -> None:
    await interaction.response.send_message("I will.", ephemeral=True)
    channel = interaction.channel
    assert isinstance(channel, discord.TextChannel)

    async def remind() -> None:
        await asyncio.sleep(seconds)
        await channel.send(f"{who.mention}, your turn!")
        await who.send("It is your turn in the channel.", view=buttons(1))

    bot = interaction.client
    assert isinstance(bot, StubBot)
    task = asyncio.create_task(remind())
    bot.reminders.add(task)
    task.add_done_callback(bot.reminders.discard)


@group.command(name="silent", description="Never answer")
async def silent(interaction: discord.Interaction) -> None:
    """Give no answer, like a hung bot."""


@group.command(name="compute", description="Compute in a thread, and say so when it takes long")
async def compute(interaction: discord.Interaction) -> None:
    bot = interaction.client
    assert isinstance(bot, StubBot)

    async def acknowledge() -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        bot.computed.set()

    loop = asyncio.get_running_loop()
    timer = loop.call_later(0.5, lambda: bot.reminders.add(asyncio.create_task(acknowledge())))
    await asyncio.to_thread(bot.computed.wait, 10)
    timer.cancel()
    await interaction.followup.send("Computed.")


@group.command(name="echo", description="Take one of every other kind of option")
async def echo(
    interaction: discord.Interaction,
    channel: discord.TextChannel,
    role: discord.Role,
    anybody: discord.Member | discord.Role,
    share: float = 0.5,
) -> None:
    await interaction.response.send_message(f"{channel.mention} {role.name} {anybody.mention} {share}", ephemeral=True)


@group.command(name="file", description="Make a file")
async def make_file(interaction: discord.Interaction, name: str, text: str) -> None:
    file = discord.File(io.BytesIO(text.encode()), name)
    await interaction.response.send_message("Your file", file=file)


@group.command(name="people", description="Choose people")
async def people(interaction: discord.Interaction) -> None:
    view = discord.ui.View(timeout=None)
    view.add_item(Friends())
    await interaction.response.send_message("Who plays?", view=view)


@group.command(name="stuck", description="Leave a task behind which nobody will ever wake")
async def stuck(interaction: discord.Interaction) -> None:
    bot = interaction.client
    assert isinstance(bot, StubBot)

    async def forever() -> None:
        await asyncio.Event().wait()

    bot.reminders.add(asyncio.create_task(forever()))
    await interaction.response.send_message("Stuck.", ephemeral=True)


class Friends(Persistent, discord.ui.DynamicItem[discord.ui.UserSelect[Any]], template=r"friends"):
    def __init__(self) -> None:
        super().__init__(discord.ui.UserSelect(custom_id="friends", max_values=2))

    async def callback(self, interaction: discord.Interaction) -> None:
        chosen = " and ".join(user.mention for user in self.item.values)
        await interaction.response.send_message(f"{chosen} play.")


@app_commands.context_menu(name="Greet")
async def greet(interaction: discord.Interaction, user: discord.Member) -> None:
    await interaction.response.send_message(f"Hello, {user.mention}!")


@app_commands.context_menu(name="Repeat this")
async def repeat(interaction: discord.Interaction, message: discord.Message) -> None:
    await interaction.response.send_message(f"It says {message.content}", ephemeral=True)


class German(app_commands.Translator):
    """Enough German for one command."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        words = {"Greet": "Begrüßen", "table": "tisch", "Open a table": "Einen Tisch eröffnen", "rounds": "runden"}
        return words.get(string.message) if locale is discord.Locale.german else None


class StubBot(commands.Bot):
    def __init__(self) -> None:
        super().__init__(command_prefix=commands.when_mentioned, intents=discord.Intents.default())
        self.reminders: set[asyncio.Task[None]] = set()
        self.computed = threading.Event()
        """Ends what ``compute`` waits for in its thread."""

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Roll, Act, Suit, Friends)
        await self.tree.set_translator(German())
        for each in (group, greet, repeat):
            self.tree.add_command(each)
        await self.tree.sync()


async def serve(make_bot: Callable[[], discord.Client], state: Path, ready: Callable[[str], object]) -> None:
    async with playground(make_bot, state=state) as address:
        ready(address)
        await asyncio.get_running_loop().create_future()


def main(state: str) -> None:
    """Run a playground of its own, which prints its address, until SIGINT."""
    # Python leaves the signal alone where whoever starts this ignores it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(StubBot, Path(state), lambda address: print(address, flush=True)))
