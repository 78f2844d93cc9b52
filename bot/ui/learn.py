"""The lesson: a few turns with fixed dice, with the pictures and buttons of a real turn and a sentence or two each."""

from collections.abc import Collection
from dataclasses import replace

import discord

from bot.domain.learn import HOUSE as NAMES
from bot.domain.learn import LEARNER, SHARK, Lesson, Position
from bot.locales import _
from bot.ui.buttons import ActionItem, LessonPress, Verb, button
from bot.ui.daily import today_button
from bot.ui.message import GOLD, SEAT_COLOURS, Rendered, make_embed
from bot.ui.pictures.views import Measure, game_view, round_view
from bot.ui.text import CHIPS, HOUSE, PIECES
from bot.ui.turn import board_picture, choice_buttons, worth_line
from bot.ui.words import VORTEX, dice_code
from highscore.dice import Face
from highscore.odds.facts import compute_averages
from highscore.standings import rank_players
from highscore.track import Chip

CARDS = 3


def learn_label() -> str:
    return _("Learn by playing")


def first_game_label() -> str:
    return _("Play a first game now")


def learn_button(row: int = 0) -> ActionItem:
    return button(LessonPress(Verb.LEARN), learn_label(), emoji="🎓", row=row)


def render_lesson(at: Position, sentence: str | None = None) -> Rendered:
    game, turn = at.game, at.game.turn
    view = round_view(game, len(game.finished)) if at.expected is None else game_view(game)
    names = [f"{PIECES[LEARNER]} " + _("You"), *(_house_name(seat) for seat in NAMES)]
    embed = make_embed(
        _("Learn by playing: card {number} of {cards}").format(number=at.card_number, cards=CARDS),
        _lesson_text(at),
        None if turn is None else f"\n{worth_line(turn)}",
        _("That is the whole game: seven cards like these, and the most points win.") if at.is_last else None,
        colour=GOLD if at.expected is None else SEAT_COLOURS[LEARNER],
    )
    measure = None if at.expected is None else Measure(compute_averages([view.card])[0])
    picture = board_picture(replace(view, rounds=CARDS, measure=measure), names)
    return Rendered([embed], sentence, lesson_buttons(at), picture=picture)


def nudge_text() -> str:
    return "🎓 " + _("That's not the next step here. The text below says which button to press.")


def _lesson_text(at: Position) -> str:
    own = at.game.find_run(LEARNER)
    result = 0 if own.turn is None else own.turn.score.total
    if own.turn is None and own.finished:
        _card, done = own.finished[-1]
        result = done.result
    return {
        Lesson.VORTEX: _(
            "Seven dice show 1 to 5 or a vortex {vortex}. On this card all of them count, but a vortex costs 5."
            " **Roll the dice**!"
        ),
        Lesson.FULL_ROLLS: _("Two vortices cost you 10. You have four rolls, always with all dice. Press **Roll 7**."),
        Lesson.KEEP: _("{result}! Only the last roll counts, so **Keep** this one."),
        Lesson.TRACK: _(
            "Your piece goes to space {result} of the track, ahead of the others. You win the round and its gold"
            " chip {gold}, worth 3 points."
        ),
        Lesson.FROZEN: _(
            "Now every number you have at least twice counts. A vortex freezes: it is worth 0 and cannot be"
            " rolled again. **Roll the dice**!"
        ),
        Lesson.PICK: _(
            "Fives and fours count, so they are already kept: their buttons are blue. The green button rolls the"
            " others again, up to twice. Press it!"
        ),
        Lesson.KEEP_PICKED: _("Another five, another four! **Keep** ends your turn, even if there are rolls left."),
        Lesson.TAKEN: _(
            "{player} got {result} too, after you. That space is taken, so the piece goes one lower. You win"
            " silver {silver}, worth 2 points. Bronze {bronze} is worth 1."
        ),
        Lesson.CHOICE: _(
            "The last card subtracts the dice that do not count. A vortex is any number from 0 to 6, whichever"
            " helps you most. **Roll the dice**!"
        ),
        Lesson.SET_ASIDE: _(
            "On this card, the dice you keep are locked for good. The {vortex} is already kept. Tap both {five}"
            " to keep them too, then press the green button."
        ),
        Lesson.KEEP_ALL: _("Fives and fours, and nothing to subtract. Press **Keep all**."),
        Lesson.BEYOND: _(
            "{result}! After space 30, the track starts over, and your piece gets its 30+ marker. You win gold"
            " {gold} again. Points in all: {points}."
        ),
    }[at.lesson].format(
        vortex=VORTEX,
        result=result,
        points=next(line.points for line in rank_players(at.game) if line.seat == LEARNER),
        player=_house_name(SHARK),
        five=dice_code([Face.FIVE]),
        gold=CHIPS[Chip.GOLD],
        silver=CHIPS[Chip.SILVER],
        bronze=CHIPS[Chip.BRONZE],
    )


def _house_name(seat: int) -> str:
    return f"{PIECES[seat]} {HOUSE} {NAMES[seat]}"


def lesson_buttons(at: Position, kept: Collection[int] | None = None) -> list[ActionItem]:
    def press(verb: Verb, dice: tuple[int, ...] = ()) -> LessonPress:
        return LessonPress(verb, at.lesson.value, dice)

    blue = discord.ButtonStyle.primary
    if at.is_last:
        new = button(press(Verb.NEW), _("Play a game"), emoji="🎲", style=blue)
        return [new, today_button(press(Verb.PLAY), row=1)]
    if at.expected is None:
        return [button(press(Verb.NEXT), _("Next card"), emoji="🃏", style=blue)]
    return choice_buttons(at.game.turn, kept, press)
