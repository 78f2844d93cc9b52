import asyncio

import pytest

from tests.playground.pages import PHONE, Open, open_table, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_everything_fits_a_phone(tab: Open) -> None:
    page = await tab("Ada", viewport=PHONE, has_touch=True, is_mobile=True)
    await open_table(page)
    assert await page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    too_wide = await page.evaluate(
        "[...document.querySelectorAll('.log *, .composer *, .chat-head *')]"
        ".filter((one) => one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.className)"
    )
    assert too_wide == []
    small = await page.evaluate(
        "[...document.querySelectorAll('.row button, .row a')].filter((one) => one.offsetHeight < 40).length"
    )
    assert small == 0, "a finger needs room"
    assert not await page.is_visible("text=lounge")
    await page.tap("#menu")
    await page.tap("text=lounge")
    await page.wait_for_selector(".chat-head :text('lounge')")
    await until(page, "getComputedStyle(document.querySelector('.side')).visibility === 'hidden'")


MARKDOWN = (
    ("**bold** *it* _it_ __under__ ~~gone~~ `co*de*`", "strong,em,em,u,s,code"),
    ("***both***", "strong,em"),
    ("snake_case_name 2 * 3 * 4", ""),
    (r"\*plain\* \_text\_", ""),
    ("# One\n## Two\n### Three\n-# small", "h3,h4,h5,small"),
    ("> said\n> twice", "blockquote"),
    ("- a\n- b\n  - c\n1. d", "ul,li,li,ul,li,ol,li"),
    ("```py\n**x** = 1\n```", "pre,code"),
    ("[rules](https://example.org/a_(b)) <https://example.org>", "a,a"),
    ("[x](javascript:alert)", ""),
    ("<script>alert(1)</script><img src=x onerror=alert(1)>", ""),
    ("<t:0:D>", "time"),
)


SLOW = (
    "\N{GAME DIE}" * 26 + "ab",
    "[" + "\\a" * 900,
    "`" * 900 + "a" + "`" * 899,
    "\n" * 2000,
    "**" * 1000,
    ">" * 2000,
)
RENDERED = """async ([texts, slow]) => {
    const { isJumbo, markdown } = await import("/static/markdown.js");
    const context = { names: new Map(), channels: new Map(), roles: new Map() };
    const parts = (text) => {
        const box = document.createElement("div");
        box.append(markdown(text, context));
        return [...box.querySelectorAll("*")].map((one) => one.localName).filter((one) => one !== "span").join();
    };
    const begin = performance.now();
    for (const text of slow) isJumbo(text), markdown(text, context);
    const took = performance.now() - begin;
    return [texts.map(parts), ["🎲 👩🏽\u200d💻", "🎲a", "<:die:1>", ""].map(isJumbo), took];
}"""


async def test_markdown_becomes_what_discord_makes_of_it_and_no_text_keeps_the_page_busy(tab: Open) -> None:
    """Hold the Markdown of stored messages, at which a slow page would hang at every reload."""
    page = await tab("Ada")
    asked = [[source for source, _expected in MARKDOWN], SLOW]
    found, jumbo, took = await asyncio.wait_for(page.evaluate(RENDERED, asked), 10)
    assert found == [expected for _source, expected in MARKDOWN]
    assert jumbo == [True, False, True, False]
    assert took < 2000, "milliseconds; it takes some hundred"
