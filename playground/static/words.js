// The page's own words, in the language of whoever looks at it. English is what stands in the code, and what a
// language without a file of words sees; the bot's own texts come translated.

import de from "./words-de.js";
import es from "./words-es.js";
import fr from "./words-fr.js";
import it from "./words-it.js";
import nl from "./words-nl.js";
import pl from "./words-pl.js";
import pt from "./words-pt.js";

const WORDS = { de, es, fr, it, nl, pl, pt };

let language = "en";

/** Speak the language of a Discord locale from now on; tells whether that is another one than before. */
export function speak(locale) {
  const before = language;
  language = locale.split("-")[0];
  return language !== before;
}

/** A text of the page; `{name}` in it stands for one of the values. */
export function tr(text, values = {}) {
  return (WORDS[language]?.[text] ?? text).replace(/\{(\w+)\}/g, (field, name) => values[name] ?? field);
}

/** What is written in the page itself: `data-said` is the English text of a node, `data-label` of its label. */
export function label() {
  for (const node of document.querySelectorAll("[data-said]")) node.textContent = tr(node.dataset.said);
  for (const node of document.querySelectorAll("[data-label]")) node.setAttribute("aria-label", tr(node.dataset.label));
}
