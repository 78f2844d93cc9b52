// Converts Discord's Markdown to elements.

import { el, emoji, link } from "./dom.js";
import { longTime, stamp } from "./time.js";

const FENCE = /```(?:([\w+.#-]+)\n)?\n*([\s\S]*?[^\n`])\n*```/g;
const TINTS = "[\\u{1F3FB}-\\u{1F3FF}\\uFE0F]*";
// In these two expressions and in RULES, no text may match in two ways. Otherwise matching could take exponential time.
const ONE_EMOJI = `\\p{Extended_Pictographic}${TINTS}(?:\\u200D\\p{Extended_Pictographic}${TINTS})*`;
const JUMBO = new RegExp(`^(?:\\s*(?:${ONE_EMOJI}|<a?:\\w+:\\d+>)){1,30}\\s*$`, "u");

/** Convert a text with headings, lists, quotes and code. `context` has the people, channels and language. */
export function markdown(text, context) {
  const out = document.createDocumentFragment();
  let from = 0;
  for (const found of text.matchAll(FENCE)) {
    blocks(text.slice(from, found.index).replace(/\n$/, ""), context, out);
    out.append(el("pre", {}, el("code", found[1] ? { class: `language-${found[1]}` } : {}, found[2])));
    from = found.index + found[0].length;
  }
  blocks(text.slice(from).replace(from ? /^\n/ : "", ""), context, out);
  return out;
}

/** Whether a text has only emoji, which are shown larger. */
export const isJumbo = (text) => text !== "" && JUMBO.test(text);

/** Convert a text without blocks, such as a title. */
export function inlineMarkdown(text, context) {
  const out = document.createDocumentFragment();
  out.append(...inline(text, context));
  return out;
}

function blocks(text, context, out) {
  if (text === "") return;
  const lines = text.split("\n");
  let plain = [];
  const flush = () => {
    if (plain.length) out.append(el("span", { class: "text" }, ...inline(plain.join("\n"), context)));
    plain = [];
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    let found;
    if ((found = /^(#{1,3})\s+(.+)$/.exec(line))) {
      flush();
      out.append(el(`h${found[1].length + 2}`, { class: `md-h${found[1].length}` }, ...inline(found[2], context)));
    } else if ((found = /^-#\s+(.+)$/.exec(line))) {
      flush();
      out.append(el("small", { class: "subtext" }, ...inline(found[1], context)));
    } else if (line.startsWith(">>>")) {
      flush();
      out.append(quote(lines.slice(i).join("\n").replace(/^>>>\s?/, ""), context));
      break;
    } else if (/^>(\s|$)/.test(line)) {
      flush();
      const quoted = [];
      for (; i < lines.length && /^>(\s|$)/.test(lines[i]); i++) quoted.push(lines[i].replace(/^>\s?/, ""));
      i--;
      out.append(quote(quoted.join("\n"), context));
    } else if (LIST.test(line)) {
      flush();
      const listed = [];
      for (; i < lines.length && LIST.test(lines[i]); i++) listed.push(LIST.exec(lines[i]));
      i--;
      out.append(list(listed, context));
    } else plain.push(line);
  }
  flush();
}

const LIST = /^(\s*)([-*]|\d{1,9}\.)\s+(\S.*)$/;

function quote(text, context) {
  const inside = document.createDocumentFragment();
  blocks(text, context, inside);
  return el("blockquote", {}, inside);
}

function list(lines, context) {
  const root = document.createDocumentFragment();
  const open = []; // [indent, list element]
  for (const [, indent, mark, text] of lines) {
    const ordered = /\d/.test(mark);
    while (open.length && indent.length < open.at(-1)[0]) open.pop();
    if (open.length && indent.length === open.at(-1)[0] && (open.at(-1)[1].tagName === "OL") !== ordered) open.pop();
    if (!open.length || indent.length > open.at(-1)[0]) {
      const made = el(ordered ? "ol" : "ul", ordered ? { start: parseInt(mark, 10) } : {});
      (open.length ? open.at(-1)[1].lastElementChild : root).append(made);
      open.push([indent.length, made]);
    }
    open.at(-1)[1].append(el("li", {}, ...inline(text, context)));
  }
  return root;
}

// Each rule has a pattern, which is tried at the current position, and a function that creates the element.
const RULES = [
  [/\\([^0-9A-Za-z\s])/y, (m) => m[1]],
  [/(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/y, (m) => el("code", { class: "inline" }, m[2].replace(/^ (.*) $/s, "$1"))],
  [/<(https?:\/\/[^\s>]+)>/y, (m, c) => anchor(m[1], c)],
  [/<t:(-?\d{1,13})(?::([tTdDfFRsS]))?>/y, (m, c) => timestamp(Number(m[1]), m[2] ?? "f", c)],
  [/<@!?(\d+)>/y, (m, c) => person(m[1], c)],
  [/<@&(\d+)>/y, (m, c) => role(m[1], c)],
  [/<#(\d+)>/y, (m, c) => channel(m[1], c)],
  [/<\/([^:>]{1,100}):\d+>/y, (m, c) => command(m[1], c)],
  [/<(a?):(\w{2,32}):(\d+)>/y, (m) => emoji({ id: m[3], name: m[2] })],
  [/@(?:everyone|here)\b/y, (m) => el("span", { class: "mention" }, m[0])],
  [
    /\[((?:\\.|\[[^\]]*\]|[^[\]\\])+)\]\(<?(https?:\/\/[^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?:\s+"[^"]*")?\)/sy,
    (m, c) => anchor(m[2], c, ...inline(m[1], { ...c, linked: true })),
  ],
  [/https?:\/\/[^\s<]*[^\s<.,:;"')\]!?*_~|]/y, (m, c) => (c.linked ? m[0] : anchor(m[0], c))],
  [/\*\*((?:\\.|[^\\])+?)\*\*(?!\*)/sy, (m, c) => el("strong", {}, ...inline(m[1], c))],
  [/__((?:\\.|[^\\])+?)__(?!_)/sy, (m, c) => el("u", {}, ...inline(m[1], c))],
  [/\*(?=\S)((?:\*\*|\\.|[^*\\])+?)(?<!\s)\*(?!\*)/sy, (m, c) => el("em", {}, ...inline(m[1], c))],
  [/(?<![\p{L}\p{N}])_((?:__|\\.|[^_\\])+?)_(?![\p{L}\p{N}])/suy, (m, c) => el("em", {}, ...inline(m[1], c))],
  [/~~((?:\\.|[^\\])+?)~~/sy, (m, c) => el("s", {}, ...inline(m[1], c))],
  [/\|\|((?:\\.|[^\\])+?)\|\|/sy, (m, c) => spoiler(inline(m[1], c))],
];
const STARTS = /[\\`<@[h*_~|]/;

function inline(text, context) {
  const out = [];
  let plain = "";
  let at = 0;
  scan: while (at < text.length) {
    if (STARTS.test(text[at])) {
      for (const [pattern, become] of RULES) {
        pattern.lastIndex = at;
        const found = pattern.exec(text);
        if (!found) continue;
        const node = become(found, context);
        if (typeof node === "string") plain += node;
        else {
          if (plain) out.push(plain);
          plain = "";
          out.push(node);
        }
        at += found[0].length;
        continue scan;
      }
    }
    plain += text[at++];
  }
  if (plain) out.push(plain);
  return out;
}

function timestamp(unix, style, context) {
  return el(
    "time",
    { class: "stamp", data: { unix, style }, title: longTime(unix * 1000, context.locale) },
    stamp(unix, style, context.locale),
  );
}

function person(id, context) {
  const name = context.names.get(id);
  const mine = id === context.me ? " me" : "";
  return el("span", { class: `mention${mine}`, data: name ? { user: id } : {} }, `@${name ?? "unknown-user"}`);
}

const PLACE = /^https:\/\/(?:\w+\.)?discord(?:app)?\.com\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?$/;

/** Return the channel and message of this page to which an address leads, or null if it leads elsewhere. */
export function placeOf(url, context) {
  const found = PLACE.exec(url ?? "");
  return found && context.channels.has(found[1]) ? { channel: found[1], message: found[2] } : null;
}

function anchor(url, context, ...children) {
  const place = placeOf(url, context);
  if (!place) return link(url, ...(children.length ? children : [url]));
  const shown = children.length ? children : [`# ${context.channels.get(place.channel)}${place.message ? " › 💬" : ""}`];
  return el("button", { class: "mention channel", type: "button", onclick: () => context.open(place.channel, place.message) }, ...shown);
}

function role(id, context) {
  return el("span", { class: "mention" }, `@${(context.roles.get(id) ?? "deleted-role").replace(/^@/, "")}`);
}

function channel(id, context) {
  const name = context.channels.get(id);
  if (!name) return el("span", { class: "mention" }, "# unknown");
  return el("button", { class: "mention channel", type: "button", onclick: () => context.open(id) }, `# ${name}`);
}

function command(name, context) {
  return el("button", { class: "mention channel", type: "button", onclick: () => context.command(name) }, `/${name}`);
}

function spoiler(children) {
  const node = el("span", { class: "spoiler", role: "button", tabindex: "0", "aria-label": "Spoiler, hidden" });
  const inside = el("span", { class: "spoiler-inside", inert: true }, ...children);
  const show = () => {
    node.classList.add("shown");
    inside.removeAttribute("inert");
    for (const name of ["role", "tabindex", "aria-label"]) node.removeAttribute(name);
  };
  node.append(inside);
  node.addEventListener("click", show);
  node.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && show());
  return node;
}

/** Update every time that is shown, as in "5 minutes ago". */
export function updateTimes(locale) {
  for (const node of document.querySelectorAll("time.stamp")) {
    const text = stamp(Number(node.dataset.unix), node.dataset.style, locale);
    if (node.textContent !== text) node.textContent = text;
  }
}
