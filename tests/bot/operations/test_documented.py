import re
from pathlib import Path

from tests.bot.operations.scraping import get, scrape
from tests.bot.server import Server

ROOT = Path(__file__).parents[3]
PARTS = ("_bucket", "_sum", "_count")
"""The suffixes of a histogram."""


async def served(server: Server) -> dict[str, str]:
    """Return every metric of ours by its name, also those of which nothing has been counted, with its kind."""
    _status, _type, text = await get(server.bot, "/metrics")
    kinds = dict(re.findall(r"^# TYPE (highscore_\w+) (\w+)$", text, re.MULTILINE))
    # When each began to be counted is the library's addition.
    return {name: kind for name, kind in kinds.items() if not name.endswith("_created")}


async def test_every_metric_is_in_the_operators_guide_and_no_other(watched: Server) -> None:
    guide = (ROOT / "docs" / "operating.md").read_text("utf-8")
    assert dict(re.findall(r"^\| `(highscore_\w+)` \| (\w+) \|", guide, re.MULTILINE)) == await served(watched)


async def test_every_alert_asks_for_what_is_counted(watched: Server) -> None:
    alerts = (ROOT / "deploy" / "prometheus" / "alerts.yml").read_text("utf-8")
    kinds = await served(watched)
    seen = await scrape(watched.bot)
    asked = re.findall(r"highscore_(\w+)(?:\{(.*?)\})?", alerts)
    assert len(asked) >= alerts.count("- alert:") >= 4
    for name, matchers in asked:
        whole = re.sub(f"({'|'.join(PARTS)})$", "", name)
        assert f"highscore_{whole}" in kinds
        labels = set(re.findall(r'(\w+)="(.*?)"', matchers))
        assert not labels or [each for found, each in seen.samples if found == f"highscore_{name}" and labels <= each]
