"""The rules that a catalogue keeps, as data: what a language never says here, how it is written, what it may share.

A rule is a pattern that no translation may have, looked for after what stands in backticks is taken away; ``wrong`` has
it, ``right`` says the same without it. A language that is to be added gets its rules here first.
"""

from dataclasses import dataclass

NB = "\u00a0"
"""The no-break space."""
PEOPLE = r"\{(?:player|players|people|names?|others?|winner|moderator)\}"
"""A field that somebody's name comes into, of which neither sound nor gender is known."""
WORDS = rf"(?:{PEOPLE}|\{{(?:list|last|challenge|choice|season|deck|role|channels|permissions|scoring|badges)\}})"
"""A field that a name or a word comes into, of which the first sound is not known."""


@dataclass(frozen=True)
class Rule:
    """Something that is not to be found in a translation, without regard to capitals unless the pattern asks for it."""

    reason: str
    pattern: str
    wrong: str
    right: str


EVERYWHERE = (
    Rule("two spaces", r"\S  +\S", "Roll  again.", "Roll again."),
    Rule("three full stops for an ellipsis", r"\.\.\.", "Wait...", "Wait …"),
    Rule("a straight quotation mark", '"', 'Play "High Score".', "Play “High Score”."),
    Rule("a hyphen for a dash", r"\w - ", "Done - well", "Done – well"),
    Rule("a space before a comma or a full stop", r"\w [,.](?!\S)", "Roll , then keep .", "Roll, then keep."),
    Rule(
        "endings for two genders",
        r"\w\(\w{1,3}\)|\w·\w|\w/(?:a|as|e|in|innen)\b|\w[*_](?:a|e|in)\b",
        "aluno(a)",
        "quem",
    ),
)
"""The rules of every language."""
_CLOSE = Rule("a space before : ; ! ?", rf"[ {NB}][;:!?](?=[\s*]|$)", "Nr. : 3", "Nr.: 3")
_CURLY = Rule("a straight apostrophe", r"\w'\w", "l'or", "l’or")


def _quotes(others: str, right: str) -> Rule:
    return Rule("another language's quotation marks", f"[{others}]", f"{others[0]}High Score", right)


RULES = {
    "de": (
        _CLOSE,
        _quotes("”«»‘", "„High Score“"),
        Rule(
            "Sie", r"(?-i:(?<=[a-zäöüß,;] )(?:Sie|Ihr|Ihre[nmrs]?|Ihnen)\b)", "Bitte drücken Sie hier.", "Drück hier."
        ),
    ),
    "fr": (
        _CURLY,
        _quotes("“”„", f"«{NB}High Score{NB}»"),
        Rule("no no-break space before ; ! ? »", rf"[^{NB}!?][;!?»]", "Encore ?", f"Encore{NB}?"),
        Rule("no no-break space before :", rf"[^{NB}]:(?=[\s*)|]|$)", "Manche : 3", f"Manche{NB}: 3"),
        Rule("no no-break space after «", rf"«(?!{NB})", f"«High Score{NB}»", f"«{NB}High Score{NB}»"),
        Rule(
            "vous", r"\b(?:vous|votre|vos|\w+(?<!\bch)(?<!\bass)(?<!\bn)(?<!\brend)ez)\b", "Lancez.", "Lance chez toi."
        ),
        Rule(
            "no elision",
            r"\b(?:[djlmnst]|qu)e (?!onz|oui)[aeiouâàéèêîôû]|\bla (?!onz)[aeouâàéèêîôû]",
            "tour de Ada",
            "tour d’Ada",
        ),
        Rule(
            "an elision that cannot be known",
            rf"(?:\b(?:[djlmnst]e|la|\w*que|du|au) |’){WORDS}",
            "de {player}",
            "{player}",
        ),
        Rule("roll is lancer", r"\bjet(?:er|te|tes|é|és)\b", "Jette les dés.", "Lance les dés."),
        Rule(
            "a past that agrees with a name",
            rf"{PEOPLE} (?:est|sont) \w+(?:é|i|u)e?s?\b",
            "{player} est parti",
            "{player} quitte",
        ),
    ),
    "es": (
        _CLOSE,
        _quotes("“”„", "«High Score»"),
        Rule("no ¿", r"^[^¿]*\?|¿[^?]*$", "Otra vez?", "¿Otra vez?"),
        Rule("no ¡", r"^[^¡]*!|¡[^!]*$", "Bien!", "¡Bien!"),
        Rule("coger", r"\b(?:cog|coj)\w+", "Coge los dados.", "Toma los dados, o escoge."),
        Rule("vosotros", r"\b(?:vosotr\w+|vuestr\w+|os|sois|\w+[áé]is)\b", "Tiráis otra vez.", "Tiras otra vez."),
        Rule(
            "vos or usted",
            r"\b(?:vos|usted|tenés|podés|querés|jugás|tirás|elegí|sos)\b",
            "Podés tirar.",
            "Puedes tirar.",
        ),
        Rule(
            "said in Spain only",
            r"\b(?:ordenador|móvil|pinch\w+)\b|(?-i:\bVale)[,.!]",
            "Pincha aquí.",
            "Pulsa. Vale 3.",
        ),
        Rule("roll is tirar", r"\blanz\w+", "Lanza los dados.", "Tira los dados."),
        Rule(
            "an article or y before a name", rf"\b(?:el|la|los|las|del|al|y|o) {PEOPLE}", "del {player}", "de {player}"
        ),
    ),
    "pt_BR": (
        _CLOSE,
        _quotes("«»„", "“High Score”"),
        Rule(
            "Portugal's words",
            r"\b(?:ecrãs?|ficheiros?|utilizador\w*|telemóve\w+|equipas?|regist(?:o|os|ar)|contact\w+|facto|partilh\w+|"
            r"definições|aceder|prémio\w*|bónus|connosco|carreg(?:a|ar|ue) em)\b",
            "Partilha o ficheiro.",
            "Compartilhe o arquivo.",
        ),
        Rule("está a jogar", r"\b(?:est(?:á|ão|ás|ou|ava)|fic(?:a|ou)) a \w+r\b", "está a jogar", "está jogando"),
        Rule(
            "tu",
            r"\b(?:tu|teus?|tuas?|contigo|vós|voss\w+|tens|podes|queres|jogas|rolas|estás|és)\b",
            "Podes rolar.",
            "Pode rolar.",
        ),
        Rule(
            "roll is rolar",
            r"\b(?!jogos? de )(?:jog|lan[çc])\w+ (?:\w+ )?dados?\b",
            "Jogue os dados.",
            "Role os dados. O jogo de dados",
        ),
        Rule(
            "an article before a name",
            rf"\b(?:os?|as|d[oa]s?|n[oa]s?|aos?|às?|pel[oa]) {PEOPLE}",
            "do {player}",
            "de {player}",
        ),
    ),
    "it": (
        _CLOSE,
        _CURLY,
        _quotes("«»„", "“High Score”"),
        Rule(
            "Lei",
            r"(?-i:\b(?:Lei|Suo|Suoi|Sua|Sue)\b)|\b(?:voi|vostr\w)\b",
            "Il Suo turno",
            "Il tuo turno. La sua scelta",
        ),
        Rule(
            "a wrong accent",
            r"(?-i:\bE[’'])|\b(?:perchè|poichè|finchè|pò|piu|puo|cosi|gia|nè)\b",
            "E’ perchè",
            "È perché",
        ),
        Rule("no elision", r"\b(?:una|dell[ao]|all[ao]|dalla|nella|sulla|lo) [aeou]", "una altra", "un’altra"),
        Rule("an elision that cannot be known", rf"\b\w+’{WORDS}", "l’{player}", "{player}"),
        Rule(
            "an article before a name",
            rf"\b(?:il|lo|la|i|gli|le|un|una|(?:de|a|da|su|ne)(?:l|i|gl[ie]|ll[aeo])) {PEOPLE}",
            "del {player}",
            "di {player}",
        ),
        Rule("roll is lanciare", r"\btir(?:a|o|i|are|ato|ati)\b", "Tira i dadi.", "Lancia i dadi, o ritirati."),
        Rule(
            "a past that agrees with a name",
            rf"{PEOPLE} (?:è|sono) \w+[tsu][oaie]\b",
            "{player} è uscito",
            "{player} esce",
        ),
    ),
    "nl": (
        _CLOSE,
        _CURLY,
        _quotes("“”„«»", "‘High Score’"),
        Rule("u, or several people", r"\b(?:u|uw|uzelf|gij|jullie)\b", "Is het uw beurt?", "Het is jouw beurt."),
        Rule("he or she", r"\b(?:hij/zij|zijn/haar|hem/haar)\b", "hij/zij wint", "{player} wint"),
        Rule("'s after a name", r"\}['’]s\b", "{player}’s beurt", "beurt van {player}"),
        Rule(
            "roll is gooien",
            r"\b(?:werp|werpt|werpen|dobbel|dobbelt|dobbelen)\b",
            "Werp de dobbelstenen.",
            "Gooi de dobbelstenen.",
        ),
    ),
    "pl": (
        _CLOSE,
        _quotes("“«»‘", "„High Score”"),
        Rule("Pan", r"(?-i:\b(?:Pan|Pana|Panu|Panem|Pani|Panią|Państw\w+)\b)", "Czy chce Pan?", "Chcesz?"),
        Rule(
            "a past with a gender",
            r"\b(?!(?:sto|tytu|has|ko|do|czo|dzia)łem\b)\w+ł[ea](?:ś|m)\b|\wł[ay]ście|\wliście",
            "Wygrałeś.",
            "Wygrana.",
        ),
        Rule(
            "a past after a name",
            rf"{PEOPLE}(?: \w+){{0,2}} \w+(?:ł|ła|li|ły)\b",
            "{player} już wygrał",
            "{player} wygrywa",
        ),
        Rule(
            "a preposition before a name, which would be declined",
            rf"\b(?:od|do|dla|z|ze|przez|na|o|u|w|we|za|nad|przed|przy|bez|po|między|dzięki) {PEOPLE}",
            "tura dla {player}",
            "tura: {player}",
        ),
        Rule("die is kość", r"\bkost(?:ek|k\w+)\b", "Rzuć kostkami.", "Rzuć kośćmi."),
    ),
}
"""The rules of each language beside those of every one."""

SAME_AS_ENGLISH = {
    "de": {
        *("thread", "podium", "Start", "Ø {average}", "Live", "Export", "Par {par}", "Seed: {seed}"),
        "{counting} ({sum}) minus {dice} ({remainder})",
    },
    "fr": {
        *("table", "action", "format", "invitations", "Options", "Total", "Badges"),
        *("{number} h", "{number} min", "{number} s", "{result} point", "{result} points"),
        *("{number} point", "{number} points"),
        *("#{number} · {day} · {score} point", "#{number} · {day} · {score} points"),
    },
    "es": {
        *("Total", "Final", "rating", "Rating", "Rating: **{rating}**", "Par {par}"),
        *("{number} h", "{number} min", "{number} s"),
    },
    "pt_BR": {
        *("rating", "Rating", "Rating: **{rating}**", "Par {par}", "Final", "{number} h", "{number} min", "{number} s"),
    },
    "it": {
        *("thread", "rating", "Rating", "Rating: **{rating}**", "Par {par}"),
        *("Per round: {time}", "{player}, round {number}", "{number} h", "{number} min", "{number} s"),
    },
    "nl": {
        *("thread", "autostart", "Live", "Host", "rating", "Rating", "Rating: **{rating}**", "Badges"),
        *("Badges: {badges}.", "Par {par}", "Seed: {seed}", "{challenge} is open"),
    },
    "pl": {"autostart", "podium", "{number} min", "{number} s", "{counting} ({sum}) minus {dice} ({remainder})"},
}
"""The messages that a language says as English does; names and what has no word but names are so everywhere."""

TIMES = {
    "de": r"Std\.|Min\.|Sek\.|Tage?n?",
    "es": r"días?",
    "fr": r"h|min|s|jours?",
    "nl": r"uur|min\.|sec\.|dag(?:en)?",
    "pl": r"godz\.|min|s|dni|dzień",
    "pt_BR": r"dias?",
}
"""The words behind a number in a stretch of time, which are free on a screen."""

MOST_LETTERS = 130
"""The letters of a screen in per cent of the English ones."""
SPARE_LETTERS = 20
"""The letters that are free on each screen, for those that have few."""
LONGER = {
    "de": {
        "story": 150,
        "standings": 140,
        "hint alone": 140,
        "lobby with a seat free": 140,
        "game that was given up": 135,
    },
}
"""The screens that need more in a language, with their own per cent."""
