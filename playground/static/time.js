// Formats times in the viewer's language. The playground's clock can be ahead of the computer's.

import { tr } from "./words.js";

let offset = 0;

export const setOffset = (seconds) => {
  offset = seconds * 1000;
};

/** The current time in the playground, in milliseconds. */
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

function relativeTime(unix, locale) {
  const seconds = unix - now() / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

/** Format `<t:unix:style>` as Discord does. */
export function stamp(unix, style, locale) {
  if (style === "R") return relativeTime(unix, locale);
  return format(locale, STYLES[style] ?? STYLES.f).format(unix * 1000);
}

const dayOf = (time) => new Date(time).toDateString();

/** Format the time of a message. The date is left out if it was written today. */
export function messageTime(when, locale) {
  const time = shortTime(when, locale);
  if (dayOf(when) === dayOf(now())) return time;
  if (dayOf(when) === dayOf(now() - 86400000)) return tr("Yesterday at {time}", { time });
  return format(locale, { dateStyle: "short", timeStyle: "short" }).format(when);
}

export const shortTime = (time, locale) => format(locale, { timeStyle: "short" }).format(time);
export const weekTime = (time, locale) => format(locale, { weekday: "short", hour: "numeric", minute: "2-digit" }).format(time);
export const longTime = (time, locale) => format(locale, { dateStyle: "full", timeStyle: "short" }).format(time);
export const day = (time, locale) => format(locale, { dateStyle: "long" }).format(time);
export const sameDay = (one, other) => dayOf(one) === dayOf(other);

/** Format how far the clock is ahead: "+1 d 2 h", or "" for less than a minute. */
export function formatAhead(seconds) {
  let minutes = Math.round(seconds / 60);
  if (minutes < 1) return "";
  const parts = [];
  for (const [unit, size] of [[tr("d"), 1440], [tr("h"), 60], [tr("min"), 1]]) {
    if (minutes >= size) parts.push(`${Math.floor(minutes / size)} ${unit}`);
    minutes %= size;
  }
  return `+${parts.slice(0, 2).join(" ")}`;
}
