"""What servers and people have set, and the servers that are gone."""

from sqlalchemy import BigInteger, Column, String, Table, Text

from bot.store.models.columns import UtcDateTime, metadata

guild_settings = Table(
    "guild_settings",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    # JSON of a bot.domain.server_settings.ServerSettings.
    Column("settings", Text, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
)

player_settings = Table(
    "player_settings",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    # How the person wants to be reminded: channel, dm or none.
    Column("notify", String(8), nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
)

# Servers that have removed the bot. What is kept of them is deleted after some days, unless it is invited again.
guilds_left = Table(
    "guilds_left",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("left_at", UtcDateTime, nullable=False, index=True),
)
