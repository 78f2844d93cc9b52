// Creates the elements of the page. Text always becomes a text node and is never parsed as HTML.

import { tr } from "./words.js";

/** Create an element with properties and children. `null`, `undefined` and `false` are skipped. */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") node.className = value;
    else if (key === "data") Object.assign(node.dataset, value);
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked" || key === "disabled" || key === "hidden") node[key] = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const ICONS = {
  menu: "M3 6h18M3 12h18M3 18h18",
  gear: "M12 15.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4Z M19.4 13.5l1.9 1.5-2 3.4-2.3-.8a7.6 7.6 0 0 1-2.3 1.3L14.3 21h-4l-.4-2.3a7.6 7.6 0 0 1-2.3-1.3l-2.3.8-2-3.4 1.9-1.5a7.5 7.5 0 0 1 0-2.6L3.3 9.1l2-3.4 2.3.8a7.6 7.6 0 0 1 2.3-1.3L10.3 3h4l.4 2.2a7.6 7.6 0 0 1 2.3 1.3l2.3-.8 2 3.4-1.9 1.6a7.5 7.5 0 0 1 0 2.8Z",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z M12 7.2V12l3.2 2",
  eye: "M2.5 12S6 5.8 12 5.8 21.5 12 21.5 12 18 18.2 12 18.2 2.5 12 2.5 12Z M12 14.6a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2Z",
  trash: "M4.5 6.5h15M9.5 6.5V4.2h5v2.3M6.3 6.5l.9 13.3h9.6l.9-13.3M10.2 10.2v6M13.8 10.2v6",
  close: "M6 6l12 12M18 6L6 18",
  out: "M9.5 5.5H5.4v13.1h13.1v-4M13.4 4.4h6.2v6.2M19.2 4.8l-8.4 8.4",
  send: "M4 11.9 20.4 4.2l-4.6 15.6-4-6.3L4 11.9ZM11.8 13.5l8.3-9",
  file: "M7 3.2h7l4.2 4.3v13.3H7zM13.8 3.4v4.4h4.2",
  chevron: "M6.5 9.5l5.5 5.5 5.5-5.5",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  slash: "M8.2 20.5 15.8 3.5",
  crown: "M3.5 17.5h17l1-10-5.4 4L12 5.2l-4.1 6.3-5.4-4z",
  check: "M5 12.5l4.6 4.6L19.2 7.2",
};

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `svg svg-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** Create an avatar. It has no alt text, because the name is always next to it. */
export function face(url, size = "") {
  return el("img", { class: `face ${size}`, src: url, alt: "", draggable: "false" });
}

/** Return the text of an emoji for screen readers: a description of the bot's dice, and the name of any other. */
export function emojiName(name) {
  const [, face, look] = /^hs_die_(\w+?)(?:_(kept|locked|ice))?$/.exec(name) ?? [];
  if (!face) return name;
  const die = { blank: tr("Die, not rolled"), vortex: tr("Vortex") }[face] ?? tr("Die {face}", { face });
  return { kept: tr("{die}, kept", { die }), locked: tr("{die}, set aside", { die }), ice: tr("{die}, frozen", { die }) }[look] ?? die;
}

/** Create an emoji from a Discord emoji object, as text or as a picture. */
export function emoji(data, size = "") {
  if (!data || !(data.name || data.id)) return null;
  if (!data.id) return el("span", { class: `emoji ${size}` }, data.name);
  return el("img", { class: `emoji ${size}`, src: `/emoji/${data.id}`, alt: emojiName(data.name), title: `:${data.name}:` });
}

/** Return an address that is safe for a link, or null for any other, such as javascript: and data:. */
export function safeLink(url) {
  try {
    const parsed = new URL(url);
    return ["http:", "https:", "discord:", "mailto:"].includes(parsed.protocol) ? parsed.href : null;
  } catch {
    return null;
  }
}

export function link(url, ...children) {
  const href = safeLink(url);
  if (href === null) return el("span", {}, ...children);
  return el("a", { href, target: "_blank", rel: "noopener noreferrer", title: href }, ...children);
}

/** Show a message for a few seconds. */
export function toast(message) {
  const note = el("div", { class: "toast" }, message);
  document.getElementById("toasts").append(note);
  setTimeout(() => note.remove(), 6000);
}
