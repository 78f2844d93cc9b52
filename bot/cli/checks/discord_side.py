"""The checks of Discord's side: the token, the application, and the servers' permissions."""

from typing import Any

import discord

from bot.cli.checks.findings import Finding, bad, ok, remark
from bot.cli.common import reason_of
from bot.cli.run import WHERE_TOKENS_ARE
from bot.config import Settings
from bot.discord_api.errors import DISCORD_ERRORS, make_tracing
from bot.discord_api.permissions import invite_link, missing_permissions, permission_names
from bot.observing.metrics import Metrics
from bot.ui.text import GROUP
from bot.workers.commands import find_slash_commands, load_commands

GUILDS_LOOKED_AT = 200
"""The number of servers whose permissions are checked: as many as Discord lists at once."""


async def check_discord(settings: Settings) -> list[Finding]:
    """Check everything that takes the token, by requests alone, without a connection to the gateway."""
    if settings.discord_token is None:
        return [bad(f"there is no DISCORD_TOKEN. {WHERE_TOKENS_ARE}")]
    # A plain client: the bot itself would synchronise its commands and open the database.
    # The client never connects; the intent only spares a warning that it is missing.
    async with discord.Client(intents=discord.Intents(guilds=True), http_trace=make_tracing(Metrics())) as client:
        try:
            await client.login(settings.discord_token.get_secret_value())
            application = await client.application_info()
            answer = await client.http.get_guilds(limit=GUILDS_LOOKED_AT)
            guilds: list[dict[str, Any]] = [dict(guild) for guild in answer]
            commands = find_slash_commands(await load_commands(client))
        except discord.LoginFailure:
            return [bad(f"Discord does not accept the DISCORD_TOKEN. {WHERE_TOKENS_ARE}")]
        except DISCORD_ERRORS as error:
            return [bad(f"Discord cannot be asked: {reason_of(error)}")]
    findings = [ok(f"the token belongs to the application {application.name!r}")]
    if application.interactions_endpoint_url is not None:
        findings.append(
            bad(
                "the application has an Interactions Endpoint URL, so the bot never sees a click;"
                " remove it at https://discord.com/developers/applications"
            )
        )
    unregistered = remark(f"the command /{GROUP} is not registered; the bot registers it and logs what prevents that")
    findings.append(ok(f"the command /{GROUP} is registered") if GROUP in commands else unregistered)
    if application.user_integration_config is not None:
        findings.append(
            remark(
                "the application offers User Install, which adds nothing that can be used; leave only Guild Install"
                " ticked under Installation at https://discord.com/developers/applications"
            )
        )
    for guild in guilds:
        missing = permission_names(missing_permissions(discord.Permissions(int(guild["permissions"]))))
        name = repr(guild["name"])
        lacks = bad(f"the server {name} does not give the bot {missing}")
        findings.append(lacks if missing else ok(f"the server {name} gives the bot all it needs"))
    return [*findings, ok(f"invite it with {invite_link(application.id)}")]
