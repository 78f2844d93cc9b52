// Translates the page's own texts into the language of the viewer. The English texts are in the code, and are shown in
// languages that have no file here. The bot translates its own texts.

import de from "./words-de.js";
import es from "./words-es.js";
import fr from "./words-fr.js";
import it from "./words-it.js";
import nl from "./words-nl.js";
import pl from "./words-pl.js";
import pt from "./words-pt.js";

const WORDS = { de, es, fr, it, nl, pl, pt };

let language = "en";

/** Use the language of a Discord locale from now on. Return whether it is another one than before. */
export function setLanguage(locale) {
  const before = language;
  language = locale.split("-")[0];
  return language !== before;
}

/** Translate a text, and replace `{name}` in it by the value of that name. */
export function tr(text, values = {}) {
  return (WORDS[language]?.[text] ?? text).replace(/\{(\w+)\}/g, (field, name) => values[name] ?? field);
}

/** Translate the HTML page: `data-said` is the English text of a node, `data-label` that of its label. */
export function translatePage() {
  for (const node of document.querySelectorAll("[data-said]")) node.textContent = tr(node.dataset.said);
  for (const node of document.querySelectorAll("[data-label]")) node.setAttribute("aria-label", tr(node.dataset.label));
}
