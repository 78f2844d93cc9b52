"""Every setting of the bot, from the environment or a ``.env`` file. ``.env.example`` lists them all."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from highscore.deck import STANDARD_DECK, Deck, load_deck
from highscore.errors import DeckError

LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]


class Settings(BaseSettings):
    """Typed and checked once, at start. A wrong value raises pydantic's ValidationError, which names the setting."""

    model_config = SettingsConfigDict(env_file=".env", env_file_encoding="utf-8", extra="ignore")

    discord_token: SecretStr | None = Field(default=None, description="the bot's token; needed by run and doctor")
    database_url: SecretStr = Field(
        default=SecretStr("sqlite+aiosqlite:///data/highscore.sqlite3"),
        description="where games are kept; secret because it may hold a password",
    )
    tables_per_channel: int = Field(default=1, ge=1, le=20, description="open tables a channel may have")
    deck_file: Path | None = Field(default=None, description="a TOML deck; empty for the standard deck")
    log_level: LogLevel = Field(default="INFO", description="what is logged")

    @field_validator("discord_token", "deck_file", mode="before")
    @classmethod
    def _empty_means_unset(cls, value: object) -> object:
        """``DISCORD_TOKEN=`` in a copied .env.example means that there is none."""
        return None if value == "" else value

    def load_deck(self) -> Deck:
        """The deck that new tables are played with. Raises DeckError naming the file and what is wrong with it."""
        if self.deck_file is None:
            return STANDARD_DECK
        try:
            content = self.deck_file.read_bytes()
        except OSError as error:
            raise DeckError(f"{self.deck_file}: cannot be read: {error.strerror}; check DECK_FILE") from error
        return load_deck(content, str(self.deck_file))
