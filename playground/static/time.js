// Moments, in the viewer's language, by the playground's clock (which may be ahead of this machine's).

import { tr } from "./words.js";

let offset = 0;

export const setOffset = (seconds) => {
  offset = seconds * 1000;
};

/** What time it is in the playground. */
export const now = () => Date.now() + offset;

const cache = new Map();
function format(locale, options) {
  const key = locale + JSON.stringify(options);
  if (!cache.has(key)) cache.set(key, new Intl.DateTimeFormat(locale, options));
  return cache.get(key);
}

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" },
  S: { dateStyle: "short", timeStyle: "medium" },
};

const UNITS = [
  ["year", 31557600],
  ["month", 2629800],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

export function relative(unix, locale) {
  const seconds = unix - now() / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

/** `<t:unix:style>` as Discord writes it out. */
export function stamp(unix, style, locale) {
  if (style === "R") return relative(unix, locale);
  return format(locale, STYLES[style] ?? STYLES.f).format(unix * 1000);
}

const dayOf = (moment) => new Date(moment).toDateString();

/** When a message was written: today, yesterday, or the date. */
export function written(moment, locale) {
  const time = format(locale, { timeStyle: "short" }).format(moment);
  if (dayOf(moment) === dayOf(now())) return time;
  if (dayOf(moment) === dayOf(now() - 86400000)) return tr("Yesterday at {time}", { time });
  return format(locale, { dateStyle: "short", timeStyle: "short" }).format(moment);
}

export const shortTime = (moment, locale) => format(locale, { timeStyle: "short" }).format(moment);
export const weekTime = (moment, locale) => format(locale, { weekday: "short", hour: "numeric", minute: "2-digit" }).format(moment);
export const longTime = (moment, locale) => format(locale, { dateStyle: "full", timeStyle: "short" }).format(moment);
export const day = (moment, locale) => format(locale, { dateStyle: "long" }).format(moment);
export const sameDay = (one, other) => dayOf(one) === dayOf(other);

/** How far the clock was put ahead, in words: "+1 d 2 h". */
export function ahead(seconds) {
  let minutes = Math.round(seconds / 60);
  if (minutes < 1) return "";
  const parts = [];
  for (const [unit, size] of [[tr("d"), 1440], [tr("h"), 60], [tr("min"), 1]]) {
    if (minutes >= size) parts.push(`${Math.floor(minutes / size)} ${unit}`);
    minutes %= size;
  }
  return `+${parts.slice(0, 2).join(" ")}`;
}
