// The page: what the playground tells it, what its viewer does.

import { Composer } from "./composer.js";
import { closePopover, confirm, openForm, popover } from "./dialogs.js";
import { el, face, icon, toast } from "./dom.js";
import { recall, remember } from "./memory.js";
import { tick } from "./markdown.js";
import { continues, messageNode } from "./message.js";
import { ahead, day, now, sameDay, setOffset, shortTime, weekTime } from "./time.js";
import { label, speak, tr } from "./words.js";

const $ = (id) => document.getElementById(id);
const JUMPS = () => [[tr("+1 minute"), 60], [tr("+10 minutes"), 600], [tr("+1 hour"), 3600], [tr("+1 day"), 86400]];
const BUSY_AFTER = 120;
const MOST_NAMED = 4;
const MOST_AHEAD = 7 * 86400000; // as the playground takes at once

const state = {
  as: new URLSearchParams(location.search).get("as") ?? "",
  world: null,
  pages: new Map(), // channel -> { messages: Map(id -> message), more }
  channel: "",
  notes: new Map(), // message -> what went wrong with a click on it
  commands: { slash: [], message: [], user: [] },
  loading: null, // the commands of the channel, when they are on their way
};

let composer = null;
let socket = null;
let stuck = true;
let scrolled = { top: 0, height: 0 };

// ------------------------------------------------------------------ talking

/** Ask the playground for something; the answer, or null after telling what went wrong. */
async function post(name, what, { quiet = false } = {}) {
  try {
    const response = await fetch(`/api/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ as: state.world.me, ...what }),
    });
    const answer = await response.json();
    if (response.ok) return answer;
    const error = tr(answer.said, answer.values);
    if (quiet) return { error };
    toast(error);
  } catch {
    if (quiet) return { error: tr("The playground does not answer. Is it still running?") };
    toast(tr("The playground does not answer. Is it still running?"));
  }
  return null;
}

async function get(name, query) {
  try {
    const response = await fetch(`/api/${name}?${new URLSearchParams({ as: state.world.me, ...query })}`);
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

function connect(wait = 250) {
  const mine = new WebSocket(`${location.origin.replace("http", "ws")}/api/live?${new URLSearchParams({ as: state.as })}`);
  socket = mine;
  mine.addEventListener("message", (event) => mine === socket && hear(JSON.parse(event.data)));
  mine.addEventListener("open", () => (wait = 250));
  mine.addEventListener("close", () => {
    if (mine !== socket) return;
    $("offline").hidden = false;
    setTimeout(() => mine === socket && connect(Math.min(wait * 2, 4000)), wait);
  });
}

function hear(news) {
  switch (news.t) {
    case "hello":
      $("offline").hidden = true;
      state.pages = new Map(
        Object.entries(news.pages).map(([id, page]) => [id, { messages: new Map(page.messages.map((one) => [one.id, one])), more: page.more }]),
      );
      around(news.world);
      show(state.channel, { anew: true });
      greet();
      break;
    case "world":
      around(news.world);
      break;
    case "message":
      upsert(news.message);
      break;
    case "gone":
      state.pages.get(news.channel)?.messages.delete(news.id);
      if (news.channel === state.channel) drop(news.id);
      break;
  }
}

/** On a new server the owner's browser decides which language everybody speaks, until somebody chooses another. */
async function greet() {
  const { world } = state;
  if (world.chosen || !mine().moderator) return;
  const wanted = Object.keys(world.locales).find((one) => one.split("-")[0] === navigator.language.split("-")[0]);
  if (!wanted || wanted === mine().locale) return;
  await post("locale", { locale: wanted, server: true });
  for (const one of world.people) await post("locale", { as: one.name, locale: wanted, server: false });
}

// ------------------------------------------------------- around the messages

function around(world) {
  const before = state.world;
  state.world = world;
  setOffset(world.clock.offset);
  if (!world.channels.some((one) => one.id === state.channel)) {
    const kept = recall("sessionStorage", "playground.channel");
    state.channel = (world.channels.find((one) => one.id === kept) ?? world.channels[0]).id;
  }
  for (const one of world.channels) if (!state.pages.has(one.id)) state.pages.set(one.id, { messages: new Map(), more: false });
  const spoken = speak(mine().locale);
  if (spoken) {
    label();
    composer.again();
  }
  $("server-name").textContent = world.guild.name;
  $("server-icon").textContent = world.guild.name.split(/\s+/).map((word) => word[0]).join("").slice(0, 3);
  drawChannels();
  drawSeats();
  drawPanel();
  drawClock();
  const me = mine();
  document.documentElement.lang = me.locale;
  const mentions = world.channels.reduce((sum, one) => sum + one.mentions, 0);
  const here = channel();
  document.title = `${mentions ? `(${mentions}) ` : ""}${here.kind === "text" ? "#" : ""}${here.name} · ${me.name} · ${world.guild.name}`;
  if (spoken || (before && before.me === world.me && localeOf(before) !== me.locale)) show(state.channel, { anew: true });
  markRead();
}

const mine = () => state.world.people.find((one) => one.id === state.world.me);
const localeOf = (world) => world.people.find((one) => one.id === world.me).locale;
const channel = () => state.world.channels.find((one) => one.id === state.channel);
const badge = (count, what) => (count ? el("span", { class: "badge", "aria-label": `${count} ${what}` }, count > 99 ? "99+" : String(count)) : null);

function drawChannels() {
  const part = (title, kinds) => {
    const found = state.world.channels.filter((one) => kinds.includes(one.kind));
    if (!found.length) return [];
    return [el("h3", { class: "side-title" }, title), ...found.map(channelNode)];
  };
  const held = document.activeElement?.dataset?.channel;
  $("channels").replaceChildren(...part(tr("Text channels"), ["text", "thread"]), ...part(tr("Direct messages"), ["dm"]));
  if (held) $("channels").querySelector(`[data-channel="${held}"]`)?.focus();
}

function channelNode(one) {
  const here = one.id === state.channel;
  return el(
    "button",
    {
      class: `channel-item ${one.kind}${one.unread && !here ? " unread" : ""}`,
      type: "button",
      data: { channel: one.id },
      "aria-current": here ? "page" : null,
      onclick: () => (show(one.id), drawer(false)),
    },
    one.kind === "dm" ? face(state.world.bot.avatar, "dm-face") : el("span", { class: "hash", "aria-hidden": "true" }, one.kind === "thread" ? "╰" : "#"),
    el("span", { class: "channel-label" }, one.name),
    badge(one.mentions, tr("mentions")),
  );
}

function drawSeats() {
  const held = document.activeElement?.dataset?.seat;
  $("seats").replaceChildren(
    ...state.world.people.map((one, index) => {
      const me = one.id === state.world.me;
      const title = `${one.name}${one.moderator ? tr(", the moderator") : ""} (Alt+${index + 1})`;
      return el(
        "button",
        {
          class: `seat${me ? " me" : ""}`,
          type: "button",
          role: "radio",
          "aria-checked": String(me),
          "aria-label": tr("Play as {name}", { name: one.name }),
          title,
          tabindex: me ? "0" : "-1",
          data: { seat: one.id },
          onclick: () => become(one),
        },
        face(one.avatar),
        el("span", { class: "seat-name" }, one.name),
        me ? null : badge(one.mentions, tr("mentions")),
      );
    }),
  );
  if (held) $("seats").querySelector(`[data-seat="${held}"]`)?.focus();
}

function drawPanel() {
  const me = mine();
  $("panel").replaceChildren(
    el("span", { class: "panel-face" }, face(me.avatar), el("span", { class: "online" })),
    el(
      "span",
      { class: "panel-text" },
      el("strong", {}, me.name),
      el("small", {}, me.moderator ? [icon("crown"), tr("Owner, moderator")] : tr("Member")),
    ),
  );
}

function drawClock() {
  const { offset, behind } = state.world.clock;
  const put = ahead(offset);
  const text = shortTime(now() - behind * 1000, mine().locale);
  const node = $("clock");
  node.classList.toggle("running", behind > 0);
  node.setAttribute("aria-label", behind ? tr("Time is passing") : tr("Clock: {time}. Let time pass", { time: `${text} ${put}` }));
  node.title = put ? tr("The playground's clock is {put} ahead", { put }) : tr("Let time pass");
  node.replaceChildren(icon("clock"), el("span", { class: "clock-time" }, text), put ? el("span", { class: "clock-ahead" }, put) : "");
}

/** What a message says of a moment: its line up to there. */
function reason(stamp) {
  let said = "";
  for (let node = stamp.previousSibling; node && node.nodeName !== "BR" && !/\n$/.test(node.textContent); node = node.previousSibling) said = node.textContent + said;
  return said.split("\n").at(-1).trim();
}

/** Moments to come that the messages here name, the next one first, as jumps to just after them. */
function named() {
  const ahead = (one) => Number(one.dataset.unix) * 1000 - now();
  const shown = [...$("log").querySelectorAll("time.stamp")].filter((one) => ahead(one) > 0 && ahead(one) < MOST_AHEAD);
  const found = new Map(shown.map((one) => [one.dataset.unix, one]).sort());
  const seconds = (moment) => Math.ceil((moment - now()) / 1000) + 1;
  return [...found.values()].slice(0, MOST_NAMED).map((one) => {
    const moment = Number(one.dataset.unix) * 1000;
    const time = weekTime(moment, mine().locale);
    return [`${reason(one) || tr("Until")} ${time}`, () => seconds(moment)];
  });
}

function openClock() {
  const jumps = el("div", { class: "jumps" });
  const text = el("p", { class: "hint" }, tr("Reminders and deadlines come as they would. The clock never goes back."));
  function draw() {
    const steps = [...named(), ...JUMPS().map(([label, seconds]) => [label, () => seconds])];
    jumps.replaceChildren(...steps.map(([label, seconds]) => el("button", { class: "button secondary", type: "button", onclick: () => jump(seconds()) }, label)));
  }
  async function jump(seconds) {
    const held = jumps.contains(document.activeElement);
    for (const button of jumps.children) button.disabled = true;
    const answer = await post("time", { seconds });
    if (answer && !answer.arrived) toast(tr("A lot happens on the way; the clock is still running ahead."));
    draw();
    if (held) jumps.querySelector("button").focus();
  }
  draw();
  const open = popover($("clock"), [el("h3", {}, tr("Let time pass")), jumps, text], { label: tr("Let time pass") });
  open.box.querySelector("button").focus();
}

function openSettings() {
  const me = mine();
  const languages = (value, change, disabled) => {
    const node = el(
      "select",
      { class: "field", disabled },
      Object.entries(state.world.locales).map(([code, name]) => el("option", { value: code }, name)),
    );
    node.value = value;
    node.addEventListener("change", () => change(node.value));
    return node;
  };
  const chosen = document.documentElement.dataset.choice;
  const themes = ["system", "dark", "light"].map((name) => {
    const input = el("input", { type: "radio", name: "theme", value: name, checked: name === chosen });
    input.addEventListener("change", () => {
      remember("localStorage", "playground.theme", name);
      document.documentElement.dataset.choice = name;
      document.documentElement.dispatchEvent(new Event("playground:theme"));
    });
    return el("label", {}, input, el("span", {}, { system: tr("System"), dark: tr("Dark"), light: tr("Light") }[name]));
  });
  const open = popover(
    $("settings"),
    [
      el("fieldset", { class: "segments" }, el("legend", {}, tr("Theme")), themes),
      el("label", { class: "setting" }, tr("Language of {name}", { name: me.name }), languages(me.locale, (locale) => post("locale", { locale, server: false }))),
      el(
        "label",
        { class: "setting" },
        tr("The server's language"),
        languages(state.world.guild.locale, (locale) => post("locale", { locale, server: true }), !me.moderator),
        !me.moderator && el("small", { class: "hint" }, tr("Only the owner can change it.")),
      ),
      el("p", { class: "hint" }, tr("Everything here happens on this computer. Nothing is sent to Discord.")),
    ],
    { label: tr("Settings") },
  );
  open.box.querySelector("input:checked").focus();
}

/** A page with everybody beside each other, this person first; a narrow screen shows some of them at a time. */
function beside() {
  const people = state.world.people;
  const at = people.findIndex((one) => one.id === state.world.me);
  const names = people.map((_, step) => people[(at + step) % people.length].name);
  return `/side-by-side?with=${names.map(encodeURIComponent).join(",")}`;
}

function become(person) {
  if (person.id === state.world.me) return;
  closePopover();
  state.as = person.name;
  const url = new URL(location.href);
  url.searchParams.set("as", person.name);
  history.replaceState(null, "", url);
  state.notes.clear();
  const old = socket;
  connect();
  old.close();
}

const drawer = (open) => {
  $("side").classList.toggle("open", open);
  $("scrim").hidden = !open;
  $("menu").setAttribute("aria-expanded", String(open));
};

// ------------------------------------------------------------- the messages

const page = () => state.pages.get(state.channel);

const view = {
  get context() {
    const { world } = state;
    return {
      me: world.me,
      locale: mine().locale,
      names: new Map([...world.people, world.bot].map((one) => [one.id, one.name])),
      roles: new Map(world.guild.roles.map((one) => [one.id, one.name])),
      channels: new Map(world.channels.map((one) => [one.id, one.name])),
      open: (id, message) => (show(id), message && jumpTo(message)),
      command: (name) => {
        const found = state.commands.slash.find((one) => one.name === name);
        if (found) composer.fill(found);
      },
    };
  },
  optionsOf,
  act: interact,
  remove: (message) => confirm(tr("Delete message"), tr("It will be gone for everybody."), tr("Delete"), () => post("delete", { channel: message.channel, message: message.id })),
  react: (message, one) => post("react", { channel: message.channel, message: message.id, emoji: one.emoji.id ? `${one.emoji.name}:${one.emoji.id}` : one.emoji.name, on: !one.me }),
  dismiss(message) {
    if (!message.pseudo) post("dismiss", { channel: message.channel, message: message.id });
    page().messages.delete(message.id);
    drop(message.id);
  },
};

/** What can be chosen in a select menu: its own options, or people, roles and channels. */
function optionsOf(part) {
  if (part.options) return part.options;
  const kinds = { 5: ["user"], 6: ["role"], 7: ["user", "role"], 8: ["channel"] }[part.type] ?? [];
  const preset = new Set((part.default_values ?? []).map((one) => String(one.id)));
  return kinds.flatMap(entities).map((one) => ({ ...one, default: preset.has(one.value) }));
}

function entities(type) {
  const { world } = state;
  const people = [...world.people, world.bot].map((one) => ({ label: one.name, value: one.id, avatar: one.avatar }));
  const roles = world.guild.roles.map((one) => ({ label: `@${one.name.replace(/^@/, "")}`, value: one.id }));
  const channels = world.channels.filter((one) => one.kind !== "dm").map((one) => ({ label: `#${one.name}`, value: one.id }));
  return { user: people, role: roles, mentionable: [...people, ...roles], channel: channels }[type] ?? [];
}

/** Show a channel from its messages. */
function show(id, { anew = false } = {}) {
  if (id !== state.channel) {
    composer?.move(`${state.as} ${state.channel}`, `${state.as} ${id}`);
    state.channel = id;
    around(state.world);
  } else if (!anew) return;
  remember("sessionStorage", "playground.channel", id);
  const here = channel();
  $("channel-sign").textContent = here.kind === "dm" ? "@" : "#";
  $("channel-name").textContent = here.name;
  $("topic").textContent = here.topic ? tr(here.topic) : "";
  composer?.label();
  stuck = true;
  redraw();
  state.loading = loadCommands();
  markRead();
}

async function loadCommands() {
  const here = state.channel;
  const found = await get("commands", { channel: here });
  if (!found || here !== state.channel) return;
  state.commands = found;
  if (composer && !composer.command && document.activeElement === composer.input) composer.typed();
}

function redraw() {
  const { messages, more } = page();
  const all = [...messages.values()];
  const nodes = [more ? olderButton() : welcome()];
  for (const [index, message] of all.entries()) nodes.push(...withDay(message, all[index - 1]));
  $("log").replaceChildren(...nodes);
  stick();
}

function withDay(message, before) {
  const nodes = [];
  const fresh = !before || !sameDay(Date.parse(message.time), Date.parse(before.time));
  if (fresh) nodes.push(el("div", { class: "day", role: "separator", data: { before: message.id } }, el("span", {}, day(Date.parse(message.time), mine().locale))));
  nodes.push(messageNode(message, { grouped: !fresh && continues(message, before), note: state.notes.get(message.id), page: view }));
  return nodes;
}

/** A text in which `{key}` stands for keys to press; what has blanks around it is written between them. */
function aroundKeys(text, keys) {
  const [before, after] = text.split("{key}");
  return [before, ...keys.map((one) => (one.trim() === one ? el("kbd", {}, one) : one)), after];
}

/** What somebody who is new here can do with one click. */
function doors() {
  const open = (one) => slash({ name: one.command }, one.options);
  const node = (one, at) => el("button", { class: `button ${at ? "secondary" : "primary"} door`, type: "button", onclick: () => open(one) }, one.label);
  const several = el("a", { class: "button secondary door", href: beside() }, tr("Several seats side by side"));
  return el("div", { class: "doors" }, state.world.doors.map(node), several);
}

/** What the bot is for: a sentence and a picture. */
function pitch() {
  const { pitch: sentence } = state.world;
  return sentence ? [el("p", { class: "pitch" }, sentence), el("img", { class: "pitch", src: "/pitch.png", alt: "" })] : [];
}

function welcome() {
  const here = channel();
  const { bot } = state.world;
  if (here.kind === "dm") {
    return el("div", { class: "welcome" }, face(bot.avatar, "huge"), el("h2", {}, bot.name), el("p", {}, tr("This is where {name} writes to you alone.", { name: bot.name })));
  }
  return el(
    "div",
    { class: "welcome" },
    face(bot.avatar, "huge"),
    el("h2", {}, tr("Welcome to {name}!", { name: bot.name })),
    ...pitch(),
    doors(),
    el("p", {}, tr("This is a Discord server on your own computer: nobody else is here, and nothing leaves it.")),
    el("ul", {}, el("li", {}, ...aroundKeys(tr("Type {key} to see what the bot can do."), ["/"])), el("li", {}, ...aroundKeys(tr("Play every seat yourself: click a face at the top, or press {key}."), ["Alt", " + ", "1", " … ", String(state.world.people.length)])), el("li", {}, tr("No patience? The clock at the top lets time pass."))),
  );
}

function olderButton() {
  const node = el("button", { class: "button secondary older", type: "button" }, tr("Show older messages"));
  node.addEventListener("click", () => {
    node.disabled = true;
    older();
  });
  return node;
}

async function older() {
  const here = state.channel;
  const first = page().messages.keys().next().value;
  const found = await get("history", { channel: here, before: first });
  if (!found || here !== state.channel) return false;
  const height = $("scroller").scrollHeight - $("scroller").scrollTop;
  state.pages.set(here, { messages: new Map([...found.messages.map((one) => [one.id, one]), ...page().messages]), more: found.more });
  stuck = false;
  redraw();
  $("scroller").scrollTop = $("scroller").scrollHeight - height;
  return true;
}

/** Scroll to a message of this channel, however far up it is. */
async function jumpTo(id) {
  while (!page().messages.has(id) && page().more && (await older()));
  const node = $("log").querySelector(`[data-id="${id}"]`);
  if (!node) return toast(tr("That message is gone."));
  stuck = false;
  node.scrollIntoView({ block: "center" });
  node.classList.add("found");
  setTimeout(() => node.classList.remove("found"), 2000);
}

function upsert(message) {
  if (!state.pages.has(message.channel)) state.pages.set(message.channel, { messages: new Map(), more: false });
  const { messages, more } = state.pages.get(message.channel);
  const known = messages.has(message.id);
  const oldest = messages.keys().next().value;
  // An edit far above what was loaded: it is read when somebody scrolls there.
  if (!known && more && oldest !== undefined && BigInt(message.id) < BigInt(oldest)) return;
  messages.set(message.id, message);
  if (message.channel !== state.channel) return;
  state.notes.delete(message.id);
  if (!known) append(message);
  else replace(message);
}

function append(message) {
  const all = [...page().messages.values()];
  const before = all[all.indexOf(message) - 1];
  $("log").append(...withDay(message, before));
  stick();
  markRead();
}

/** Settled while no button of the mouse and no finger is down. */
let released = Promise.resolve();
document.addEventListener("pointerdown", (event) => {
  if (event.button) return;
  released = new Promise((resolve) => {
    const done = () => setTimeout(resolve);
    for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, done, { once: true, capture: true });
  });
}, true);

/**
 * Replace a changed message once its pictures can be drawn, so that nothing jumps. A click is finished first: a button
 * that is replaced between press and release would not get it.
 */
async function replace(message) {
  const old = $("log").querySelector(`[data-id="${message.id}"]`);
  if (!old) return;
  const node = messageNode(message, { grouped: old.classList.contains("grouped"), note: state.notes.get(message.id), page: view });
  const pictures = [...node.querySelectorAll("img")].map((one) => one.decode().catch(() => {}));
  await Promise.race([Promise.all(pictures), new Promise((resolve) => setTimeout(resolve, 200))]);
  await released;
  if (page().messages.get(message.id) !== message || !old.isConnected) return;
  const controls = [...old.querySelectorAll("[data-control]")];
  const held = controls.indexOf(document.activeElement);
  old.replaceWith(node);
  if (held >= 0) {
    // Whoever plays by keyboard stays where they were, or nearby when that button is gone.
    const same = node.querySelector(`[data-control="${CSS.escape(controls[held].dataset.control)}"]:not(:disabled)`);
    const next = node.querySelectorAll("[data-control]:not(:disabled)");
    (same ?? next[Math.min(held, next.length - 1)])?.focus({ preventScroll: true });
  }
  stick();
}

/** Draw a message anew though it has not changed, for a note below it. */
function refresh(id) {
  const message = page().messages.get(id);
  if (message) replace(message);
}

function drop(id) {
  const node = $("log").querySelector(`[data-id="${id}"]`);
  if (!node) return;
  $("log").querySelector(`.day[data-before="${id}"]`)?.remove();
  const next = node.nextElementSibling;
  node.remove();
  if (next?.classList.contains("grouped")) redraw();
  stick();
}

/** Scroll to the newest message, unless somebody reads older ones. Nothing moves between the press and the release of a click. */
async function stick() {
  await released;
  if (stuck) $("scroller").scrollTop = $("scroller").scrollHeight;
  $("jump").hidden = stuck;
}

function markRead() {
  const here = channel();
  if (here && (here.unread || here.mentions) && document.visibilityState === "visible") {
    here.unread = false;
    here.mentions = 0;
    post("read", { channel: here.id });
  }
}

// ---------------------------------------------------------------- interacting

async function interact(kind, message, node, what) {
  state.notes.delete(message.id);
  const slow = setTimeout(() => {
    node.classList.add("busy");
    for (const other of node.closest(".body").querySelectorAll("button[data-control]")) if (other !== node) other.disabled = true;
  }, BUSY_AFTER);
  await answered(post(kind, { channel: message.channel, message: message.id, ...what }), message);
  clearTimeout(slow);
  if (node.isConnected) refresh(message.id);
}

/** Wait for the bot's answer to something done to a message. */
async function answered(asked, message) {
  const answer = await asked;
  if (!answer) return;
  if (answer.modal) showForm(answer.modal);
  else if (!answer.answered) {
    state.notes.set(message.id, tr("This interaction failed"));
    refresh(message.id);
  }
}

function showForm(modal) {
  openForm(modal, {
    bot: state.world.bot,
    submit: async (values) => {
      const answer = await post("modal", { modal: modal.id, values }, { quiet: true });
      if (answer.error) return answer.error;
      return answer.answered ? "" : tr("Something went wrong. Try again.");
    },
  });
}

/** A line only this page knows of, where a message of the bot would be. */
function pseudo(content, { loading = false } = {}) {
  const { bot } = state.world;
  const message = {
    id: `here-${performance.now()}`, channel: state.channel, author: bot, content, time: new Date(now()).toISOString(), edited: null,
    type: 0, ephemeral: !loading, loading: false, mention: false, mine: false, pseudo: true, embeds: [], components: [], attachments: [],
    reactions: [], command: null,
  };
  page().messages.set(message.id, message);
  append(message);
  return message;
}

async function slash(command, options) {
  const here = state.channel;
  let waiting = null;
  const slow = setTimeout(() => {
    if (here === state.channel) waiting = pseudo(tr("-# Sending command…"), { loading: true });
  }, 400);
  const answer = await post("slash", { channel: here, command: command.name, options });
  clearTimeout(slow);
  if (waiting) {
    state.pages.get(here).messages.delete(waiting.id);
    drop(waiting.id);
  }
  if (!answer) return;
  if (answer.modal) showForm(answer.modal);
  else if (!answer.answered && here === state.channel) pseudo(tr("The application did not respond"));
}

// -------------------------------------------------------------------- start

composer = new Composer($("composer"), {
  place: () => (state.world ? `${channel().kind === "dm" ? "@" : "#"}${channel().name}` : ""),
  commands: () => state.commands.slash,
  commandsLoaded: () => state.loading,
  bot: () => state.world?.bot ?? { avatar: "/avatar/0.svg", name: "" },
  mentionable: () => (state.world ? [...state.world.people, state.world.bot] : []),
  entities,
  say: async (content) => Boolean(await post("say", { channel: state.channel, content })),
  slash,
  autocomplete: async (command, option, value, options) =>
    (await post("autocomplete", { channel: state.channel, command, option, value, options }, { quiet: true })).choices ?? [],
});

$("menu").append(icon("menu"));
$("settings").append(icon("gear"));
$("menu").addEventListener("click", () => drawer(!$("side").classList.contains("open")));
$("scrim").addEventListener("click", () => drawer(false));
$("clock").addEventListener("click", openClock);
$("settings").addEventListener("click", openSettings);
$("jump").addEventListener("click", () => ((stuck = true), stick()));
$("scroller").addEventListener("scroll", () => {
  const { scrollTop, scrollHeight, clientHeight } = $("scroller");
  // Messages that grow or shrink also scroll. Only going up with nothing else changed is the user's wish to stay there.
  if (scrollHeight - scrollTop - clientHeight < 60) stuck = true;
  else if (scrollTop < scrolled.top - 2 && scrollHeight === scrolled.height) stuck = false;
  scrolled = { top: scrollTop, height: scrollHeight };
  released.then(() => ($("jump").hidden = stuck));
});
// Pictures and a growing message box change heights without any news.
const heights = new ResizeObserver(() => stuck && stick());
heights.observe($("log"));
heights.observe($("scroller"));
document.addEventListener("visibilitychange", () => state.world && markRead());
$("seats").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const seats = [...$("seats").children];
  seats[(seats.indexOf(document.activeElement) + step + seats.length) % seats.length].focus();
});
document.addEventListener("keydown", (event) => {
  if (event.altKey && /^Digit[1-9]$/.test(event.code)) {
    const person = state.world?.people[Number(event.code.at(-1)) - 1];
    if (person) {
      event.preventDefault();
      become(person);
    }
  } else if (event.key === "Escape") drawer(false);
  else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey && document.activeElement === document.body) {
    // Somebody starts to type without having clicked into the box first.
    (composer.command ? composer.chips.querySelector("input") : composer.input)?.focus();
  }
});
setInterval(() => {
  if (!state.world) return;
  tick(mine().locale);
  drawClock();
}, 1000);
connect();
