"""Looking at the port for operators as Prometheus and a service manager do."""

from dataclasses import dataclass

import aiohttp
from prometheus_client.parser import text_string_to_metric_families

from bot.app import HighScoreBot

PATIENCE = aiohttp.ClientTimeout(total=20)
"""Its own: tests.discord makes the default shorter, for discord.py."""
Labels = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Scrape:
    samples: dict[tuple[str, Labels], float]

    def __call__(self, name: str, **labels: str) -> float:
        """Return one sample, without the prefix of all names; 0 for what has never been counted."""
        return self.samples.get((f"highscore_{name}", frozenset(labels.items())), 0.0)

    def has(self, name: str) -> bool:
        return any(found == f"highscore_{name}" for found, _labels in self.samples)


async def get(bot: HighScoreBot, path: str) -> tuple[int, str, str]:
    assert bot.observing is not None
    url = f"http://127.0.0.1:{bot.observing.port}{path}"
    async with aiohttp.ClientSession(timeout=PATIENCE) as session, session.get(url) as response:
        return response.status, response.content_type, await response.text()


async def scrape(bot: HighScoreBot) -> Scrape:
    status, _kind, text = await get(bot, "/metrics")
    assert status == 200
    families = text_string_to_metric_families(text)
    return Scrape({(one.name, frozenset(one.labels.items())): one.value for each in families for one in each.samples})
