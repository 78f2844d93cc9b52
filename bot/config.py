"""All settings of the bot, from the environment or a ``.env`` file. ``.env.example`` lists them."""

from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, SecretStr, ValidationInfo, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from bot.domain.shards import MOST_SHARDS, Share, parse_shard_ids, share_of
from bot.domain.timing import Pace, PaceTimes
from bot.observing.logs import LogFormat, LogLevel
from highscore.deck import MAX_SIZE, STANDARD_DECK, Deck, load_deck
from highscore.errors import DeckError

MOST_MINUTES = 7 * 24 * 60
"""A week. After that nobody remembers whose turn it is."""
Minutes = Annotated[float, Field(gt=0, le=MOST_MINUTES)]
MOST_DAYS = 3650
MOST_IN_A_TIME = 1_000_000


class Settings(BaseSettings):
    """The settings, checked at the start. A wrong value raises pydantic's ValidationError, which names the setting."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_file_encoding="utf-8-sig",  # with or without the byte order mark that editors on Windows write
        extra="ignore",
        hide_input_in_errors=True,  # otherwise pydantic's errors quote the token and the database's password
    )

    discord_token: SecretStr | None = Field(default=None, description="the bot's token; needed by run and doctor")
    database_url: SecretStr = Field(
        default=SecretStr("sqlite+aiosqlite:///data/highscore.sqlite3"),
        description="where games are kept; secret because it may hold a password",
    )
    tables_per_channel: int = Field(default=1, ge=1, le=20, description="open tables a channel may have")
    deck_file: Path | None = Field(default=None, description="a TOML deck; empty for the standard deck")
    live_turn_minutes: Minutes = Field(default=3, description="pace live: minutes for a turn")
    live_round_minutes: Minutes = Field(default=10, description="pace live, open order: minutes for a round")
    day_turn_minutes: Minutes = Field(default=40, description="pace day, rulebook order: minutes for a turn")
    day_round_minutes: Minutes = Field(default=120, description="pace day: minutes for a round")
    relaxed_turn_minutes: Minutes = Field(default=1440, description="pace relaxed: minutes for a turn, or for a round")
    live_game_minutes: Minutes = Field(default=120, description="pace live, own pace: minutes for the whole game")
    day_game_minutes: Minutes = Field(default=1440, description="pace day, own pace: minutes for the whole game")
    relaxed_game_minutes: Minutes = Field(
        default=10080, description="pace relaxed, own pace: minutes for the whole game"
    )
    hold_minutes: Minutes = Field(default=15, description="open order: minutes the dice may be held (live: a turn's)")
    press_limit: int = Field(
        default=60, ge=0, le=MOST_IN_A_TIME, description="presses of one person in 10 seconds; 0 for no limit"
    )
    command_limit: int = Field(
        default=30, ge=0, le=MOST_IN_A_TIME, description="commands of one person in a minute; 0 for no limit"
    )
    emoji: bool = Field(default=True, description="show the dice as our own emoji, uploaded once if missing")
    shard_count: int | None = Field(
        default=None,
        ge=1,
        le=MOST_SHARDS,
        description="shards over all processes; empty: as many as Discord recommends",
    )
    shard_ids: str | None = Field(default=None, description="the shards of this process, like 0-3,6; empty for all")
    purge_days: float = Field(
        default=30, ge=0, le=MOST_DAYS, description="days until the data of a server that removed the bot is deleted"
    )
    privacy_url: str | None = Field(default=None, description="your privacy notice, linked from the help")
    terms_url: str | None = Field(default=None, description="your terms of use, linked from the help")
    log_level: LogLevel = Field(default="INFO", description="what is logged")
    log_format: LogFormat = Field(default="text", description="how it is logged: for people, or a JSON object a line")
    metrics_port: int | None = Field(
        default=None, ge=0, le=65_535, description="port of /metrics, /health and /ready; empty: none, 0: any free one"
    )
    metrics_host: str = Field(default="127.0.0.1", min_length=1, description="address that port is opened on")

    @field_validator("*", mode="before")
    @classmethod
    def _empty_means_default(cls, value: object, info: ValidationInfo) -> object:
        """Use the default for an empty value: ``DISCORD_TOKEN=`` in a copied .env.example means no token."""
        return cls.model_fields[str(info.field_name)].default if value == "" else value

    @model_validator(mode="after")
    def _shards_are_a_share(self) -> Self:
        if not self.share.whole and not self.database_url.get_secret_value().startswith("postgres"):
            raise ValueError(
                "SHARD_IDS splits the servers over several processes, which have to share a PostgreSQL database;"
                " DATABASE_URL names another one"
            )
        return self

    @property
    def secrets(self) -> frozenset[str]:
        """Texts that must not be logged: the token, and the database's password, both as in the URL and decoded."""
        secrets = set()
        if self.discord_token is not None:
            secrets.add(self.discord_token.get_secret_value().strip())
        address = self.database_url.get_secret_value()
        try:
            password = make_url(address.strip()).password
        except (ArgumentError, ValueError):
            secrets.add(address)
        else:
            if password:
                secrets |= {password, address.partition("://")[2].rpartition("@")[0].partition(":")[2]}
        return frozenset(filter(None, secrets))

    @property
    def share(self) -> Share:
        """The servers of this process. Raise ValueError if shard ids are not numbers, or not below SHARD_COUNT."""
        return share_of(self.shard_count, None if self.shard_ids is None else parse_shard_ids(self.shard_ids))

    @property
    def paces(self) -> dict[Pace, PaceTimes]:
        """The time limits of each pace, in seconds."""

        def times(turn: float, round_: float, hold: float, game: float) -> PaceTimes:
            return PaceTimes(round(turn * 60), round(round_ * 60), round(min(hold, round_) * 60), round(game * 60))

        live, day, relaxed = self.live_turn_minutes, self.day_turn_minutes, self.relaxed_turn_minutes
        return {
            Pace.LIVE: times(live, self.live_round_minutes, live, self.live_game_minutes),
            Pace.DAY: times(day, self.day_round_minutes, self.hold_minutes, self.day_game_minutes),
            Pace.RELAXED: times(relaxed, relaxed, self.hold_minutes, self.relaxed_game_minutes),
        }

    def load_deck(self) -> Deck:
        """Load the deck for new tables. Raise DeckError, which names the file and the problem."""
        if self.deck_file is None:
            return STANDARD_DECK
        try:
            with self.deck_file.open("rb") as opened:
                content = opened.read(MAX_SIZE + 1)
        except OSError as error:
            raise DeckError(f"{self.deck_file}: cannot be read: {error.strerror}; check DECK_FILE") from error
        except ValueError as error:  # a null character or half a surrogate pair in the name
            raise DeckError(f"{str(self.deck_file)!r} is no name of a file; check DECK_FILE") from error
        return load_deck(content, str(self.deck_file))
