"""The standard deck (rules R7) and deck files."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highscore import STANDARD_DECK, Card, Deck, RollType, Scoring, VortexKind, VortexValue, errors, load_deck
from highscore.deck import MAX_CARDS, MAX_NAME, MAX_SIZE
from tests.highscore import rules_page, strategies


def test_r7_the_standard_deck_has_the_21_cards_of_the_table_in_its_order() -> None:
    rows = rules_page.table_of("R7")
    assert len(rows) == 21
    vortices = {"frozen": VortexValue(VortexKind.FROZEN), "choice": VortexValue(VortexKind.CHOICE)}
    for card, (identity, scoring, vortex, roll_type) in zip(STANDARD_DECK, rows, strict=True):
        value = vortices[vortex] if vortex in vortices else VortexValue(VortexKind.FIXED, int(vortex))
        assert card == Card(identity, Scoring[scoring], value, RollType[roll_type])


def test_a_card_is_found_by_its_id() -> None:
    assert str(STANDARD_DECK.find_card("odd-five")) == "odd-five: ODD 5 FOUR_FULL"
    with pytest.raises(errors.DeckError, match="deck 'standard' has no card 'odd-six'"):
        STANDARD_DECK.find_card("odd-six")


def card_table(
    identity: str = '"extra"', scoring: str = '"SAME"', vortex: str = '"frozen"', roll_type: str = '"ANY_THREE"'
) -> str:
    return f"[[card]]\nid = {identity}\nscoring = {scoring}\nvortex = {vortex}\nroll_type = {roll_type}\n"


NAME = 'name = "Box"\n'
SEVEN = "".join(card_table(f'"card-{number}"') for number in range(1, 8))


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte order mark"])
def test_a_deck_file_is_read(mark: bytes) -> None:
    deck = load_deck(mark + (NAME + SEVEN + card_table(vortex="-5")).encode(), "box.toml")
    assert (deck.name, len(deck)) == ("Box", 8)
    assert [str(card) for card in deck][6:] == ["card-7: SAME frozen ANY_THREE", "extra: SAME -5 ANY_THREE"]


@given(st.lists(strategies.cards(), min_size=7, max_size=12, unique_by=lambda card: card.id))
def test_a_deck_written_as_a_file_reads_back(made: list[Card]) -> None:
    tables = "".join(
        card_table(
            f'"{card.id}"',
            f'"{card.scoring.value}"',
            str(card.vortex) if card.vortex.kind is VortexKind.FIXED else f'"{card.vortex}"',
            f'"{card.roll_type.value}"',
        )
        for card in made
    )
    assert load_deck((NAME + tables).encode(), "box.toml") == Deck("Box", tuple(made))


BAD_CARDS = {
    "unknown scoring": (card_table(scoring='"SOME"'), "unknown scoring 'SOME'; there are TOTAL, SAME"),
    "bool": (card_table(vortex="true"), 'vortex is true; write a whole number, "frozen" or "choice"'),
    "list": (card_table(vortex="[5]"), 'vortex is a list, a table or a date; write a whole number, "frozen" or'),
    "far too high": (card_table(vortex="0x" + "f" * 9_000), "the value of the vortex is out of range; use -30 to 30"),
    "negative minus": (card_table(scoring='"ODD_MINUS"', vortex="-5"), "ODD_MINUS subtracts what does not count"),
    "missing vortex": (card_table().replace('vortex = "frozen"\n', ""), "vortex is missing"),
    "unknown part": (card_table() + "colour = 1\n", "unknown part 'colour'; a card has id, scoring, vortex, roll_type"),
    "scoring is a number": (card_table(scoring="5"), "scoring is a number; write it in quotes"),
    "roll type is a list": (card_table(roll_type="[]"), "roll_type is a list, a table or a date; write it in quotes"),
}


@pytest.mark.parametrize(("table", "reason"), BAD_CARDS.values(), ids=BAD_CARDS)
def test_the_message_names_the_file_the_card_and_the_reason(table: str, reason: str) -> None:
    with pytest.raises(errors.DeckError, match=re.escape(f"box.toml: card 8 ('extra'): {reason}")):
        load_deck((NAME + SEVEN + table).encode(), "box.toml")


def test_a_card_without_a_proper_id_is_named_by_its_number() -> None:
    for table, reason in (
        (card_table().replace('id = "extra"\n', ""), "card 8: id is missing"),
        (card_table("8"), "card 8: id is a number; write it in quotes"),
        (card_table('"Extra Card"'), "card 8 ('Extra Card'): 'Extra Card' is no card id"),
    ):
        with pytest.raises(errors.DeckError, match=re.escape(f"box.toml: {reason}")):
            load_deck((NAME + SEVEN + table).encode(), "box.toml")


SIX = "".join(card_table(f'"card-{number}"') for number in range(1, 7))
MANY = "".join(card_table(f'"card-{number}"') for number in range(MAX_CARDS + 1))
BAD_FILES = {
    "fewer than seven": ((NAME + SIX).encode(), "deck 'Box' has 6 cards; a game needs 7 to 200 different ones"),
    "too many": ((NAME + MANY).encode(), "deck 'Box' has 201 cards; a game needs 7 to 200 different ones"),
    "twice": ((NAME + SEVEN + card_table('"card-3"')).encode(), "card 'card-3' comes twice in deck 'Box'"),
    "no name": (SEVEN.encode(), 'the deck has no name; begin the file with name = "..."'),
    "empty name": (f'name = " "\n{SEVEN}'.encode(), "the deck has no name; give it one"),
    "long name": (f'name = "{"x" * (MAX_NAME + 1)}"\n{SEVEN}'.encode(), "the deck's name has to be one line of at"),
    "no cards": (NAME.encode(), "no cards; write one [[card]] with id, scoring, vortex, roll_type for each card"),
    "cards that are none": (f"{NAME}card = [1]\n".encode(), "card 1: write it as a [[card]] table"),
    "unknown entry": (f"{NAME}author = 1\n{SEVEN}".encode(), "unknown entry 'author'; a deck file has name and "),
    "not TOML": (b"name: Box", "not TOML: "),
    "not UTF-8": (b'name = "B\xffx"', "not UTF-8 text (byte 9); save the file as UTF-8"),
    "long number": (b"name = " + b"1" * 9_000, "not TOML that can be read: a number too long, or nested too deep"),
    "deep": (b"name = " + b"[" * 90_000, "not TOML that can be read: a number too long, or nested too deep"),
    "deep keys": (b"a." * 40_000 + b"a = 1", "not TOML that can be read: a number too long, or nested too deep"),
    "deep keys, on what is one line in TOML": ('"\u2028".'.encode() * 10_000 + b"a = 1", "not TOML that can be read"),
    "large": (NAME.encode() + b"#" * MAX_SIZE, "larger than 100,000 bytes; a deck has at most 200 cards"),
    "empty": (b"", "the deck has no name"),
}


@pytest.mark.parametrize(("content", "reason"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_file_that_is_no_deck_is_refused_with_its_name_and_the_reason(content: bytes, reason: str) -> None:
    with pytest.raises(errors.DeckError, match=re.escape(f"box.toml: {reason}")):
        load_deck(content, "box.toml")


toml_parts = st.one_of(
    st.sampled_from(['"SAME"', '"ODD_MINUS"', '"ASCENDING"', '"choice"', '"frozen"', '"FOUR_FULL"', '"x"', '""']),
    st.sampled_from(["5", "-5", "6.0", "nan", "true", "[]", "{}", "1979-05-27", "07:32:00"]),
    st.sampled_from(["0x" + "f" * 5_000, '"' + "x" * 500 + '"']),
)


def check_named(content: bytes) -> None:
    """Check that a wrong deck file raises a DeckError that names the file."""
    try:
        load_deck(content, "box.toml")
    except errors.DeckError as error:
        assert str(error).startswith("box.toml: ")  # noqa: PT017


@given(st.text(max_size=20), st.lists(st.tuples(*[toml_parts] * 4), max_size=4))
def test_a_damaged_deck_file_is_a_deck_error(before: str, parts: list[tuple[str, str, str, str]]) -> None:
    text = before + "\n" + NAME + SEVEN + "".join(card_table(*part) for part in parts)
    check_named(text.encode("utf-8", "surrogatepass"))
