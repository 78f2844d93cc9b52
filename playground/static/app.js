// The page: shows the events from the playground, and sends the actions of its viewer.

import { Composer } from "./composer.js";
import { closePopover, confirm, openForm, popover } from "./dialogs.js";
import { el, face, icon, toast } from "./dom.js";
import { recall, remember } from "./memory.js";
import { updateTimes } from "./markdown.js";
import { continues, messageNode } from "./message.js";
import { day, formatAhead, now, sameDay, setOffset, shortTime, weekTime } from "./time.js";
import { setLanguage, tr, translatePage } from "./words.js";

const $ = (id) => document.getElementById(id);
const listJumps = () => [[tr("+1 minute"), 60], [tr("+10 minutes"), 600], [tr("+1 hour"), 3600], [tr("+1 day"), 86400]];
const BUSY_AFTER = 120;
const MOST_TIMES = 4;
const MOST_AHEAD = 7 * 86400000; // the limit of the playground

const state = {
  as: new URLSearchParams(location.search).get("as") ?? "",
  world: null,
  pages: new Map(), // channel -> { messages: Map(id -> message), more }
  channel: "",
  notes: new Map(), // message -> the error of the last click on it
  commands: { slash: [], message: [], user: [] },
  loading: null, // a promise, settled when the commands of the channel are loaded
};

let composer = null;
let socket = null;
let isAtBottom = true;
let scrolled = { top: 0, height: 0 };

// ----------------------------------------------------------------- requests

/** Send an action. Return the answer, or null after an error was shown. With `quiet`, return the error instead. */
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
    if (quiet) return { error: tr("The playground is not responding. Is it still running?") };
    toast(tr("The playground is not responding. Is it still running?"));
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
  mine.addEventListener("message", (event) => mine === socket && receive(JSON.parse(event.data)));
  mine.addEventListener("open", () => (wait = 250));
  mine.addEventListener("close", () => {
    if (mine !== socket) return;
    $("offline").hidden = false;
    setTimeout(() => mine === socket && connect(Math.min(wait * 2, 4000)), wait);
  });
}

function receive(event) {
  switch (event.t) {
    case "hello":
      $("offline").hidden = true;
      state.pages = new Map(
        Object.entries(event.pages).map(([id, page]) => [id, { messages: new Map(page.messages.map((one) => [one.id, one])), more: page.more }]),
      );
      updateWorld(event.world);
      show(state.channel, { redraw: true });
      chooseLanguage();
      break;
    case "world":
      updateWorld(event.world);
      break;
    case "message":
      upsert(event.message);
      break;
    case "deleted":
      state.pages.get(event.channel)?.messages.delete(event.id);
      if (event.channel === state.channel) drop(event.id);
      break;
  }
}

/** Give everybody on a new server the language of the owner's browser, unless a language was chosen already. */
async function chooseLanguage() {
  const { world } = state;
  if (world.chosen || !viewer().moderator) return;
  const wanted = Object.keys(world.locales).find((one) => one.split("-")[0] === navigator.language.split("-")[0]);
  if (!wanted || wanted === viewer().locale) return;
  await post("locale", { locale: wanted, server: true });
  for (const one of world.people) await post("locale", { as: one.name, locale: wanted, server: false });
}

// ------------------------------------------- everything but the messages

function updateWorld(world) {
  const before = state.world;
  state.world = world;
  setOffset(world.clock.offset);
  if (!world.channels.some((one) => one.id === state.channel)) {
    const last = recall("sessionStorage", "playground.channel");
    state.channel = (world.channels.find((one) => one.id === last) ?? world.channels[0]).id;
  }
  for (const one of world.channels) if (!state.pages.has(one.id)) state.pages.set(one.id, { messages: new Map(), more: false });
  const hasNewLanguage = setLanguage(viewer().locale);
  if (hasNewLanguage) {
    translatePage();
    composer.translate();
  }
  $("server-name").textContent = world.guild.name;
  $("server-icon").textContent = world.guild.name.split(/\s+/).map((word) => word[0]).join("").slice(0, 3);
  drawChannels();
  drawSeats();
  drawPanel();
  drawClock();
  const me = viewer();
  document.documentElement.lang = me.locale;
  const mentions = world.channels.reduce((sum, one) => sum + one.mentions, 0);
  const here = channel();
  document.title = `${mentions ? `(${mentions}) ` : ""}${here.kind === "text" ? "#" : ""}${here.name} · ${me.name} · ${world.guild.name}`;
  if (hasNewLanguage || (before && before.me === world.me && localeOf(before) !== me.locale)) show(state.channel, { redraw: true });
  markRead();
}

const viewer = () => state.world.people.find((one) => one.id === state.world.me);
const localeOf = (world) => world.people.find((one) => one.id === world.me).locale;
const channel = () => state.world.channels.find((one) => one.id === state.channel);
const badge = (count, what) => (count ? el("span", { class: "badge", "aria-label": `${count} ${what}` }, count > 99 ? "99+" : String(count)) : null);

function drawChannels() {
  const part = (title, kinds) => {
    const found = state.world.channels.filter((one) => kinds.includes(one.kind));
    if (!found.length) return [];
    return [el("h3", { class: "side-title" }, title), ...found.map(channelNode)];
  };
  const focused = document.activeElement?.dataset?.channel;
  $("channels").replaceChildren(...part(tr("Text channels"), ["text", "thread"]), ...part(tr("Direct messages"), ["dm"]));
  if (focused) $("channels").querySelector(`[data-channel="${focused}"]`)?.focus();
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
  const focused = document.activeElement?.dataset?.seat;
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
          data: { seat: one.id, user: one.id },
          onclick: () => become(one),
        },
        face(one.avatar),
        el("span", { class: "seat-name" }, one.name),
        me ? null : badge(one.mentions, tr("mentions")),
      );
    }),
  );
  if (focused) $("seats").querySelector(`[data-seat="${focused}"]`)?.focus();
}

function drawPanel() {
  const me = viewer();
  $("panel").replaceChildren(
    el("span", { class: "panel-face" }, face(me.avatar), el("span", { class: "online" })),
    el(
      "span",
      { class: "panel-text" },
      el("strong", {}, me.name),
      el("small", {}, me.moderator ? [icon("crown"), tr("Owner and moderator")] : tr("Member")),
    ),
  );
}

function drawClock() {
  const { offset, behind } = state.world.clock;
  const put = formatAhead(offset);
  const text = shortTime(now() - behind * 1000, viewer().locale);
  const node = $("clock");
  node.classList.toggle("running", behind > 0);
  node.setAttribute("aria-label", behind ? tr("Fast-forwarding") : tr("Clock: {time}. Fast-forward", { time: `${text} ${put}` }));
  node.title = put ? tr("The playground's clock is {put} ahead", { put }) : tr("Fast-forward");
  node.replaceChildren(icon("clock"), el("span", { class: "clock-time" }, text), put ? el("span", { class: "clock-ahead" }, put) : "");
}

/** Return the text on a time's line in front of it, which says what happens then. */
function describeTime(stamp) {
  let text = "";
  for (let node = stamp.previousSibling; node && node.nodeName !== "BR" && !/\n$/.test(node.textContent); node = node.previousSibling) text = node.textContent + text;
  return text.split("\n").at(-1).trim();
}

/** List the next times in the messages of this channel, each with the seconds until just after it. */
function listTimes() {
  const ahead = (one) => Number(one.dataset.unix) * 1000 - now();
  const shown = [...$("log").querySelectorAll("time.stamp")].filter((one) => ahead(one) > 0 && ahead(one) < MOST_AHEAD);
  const found = new Map(shown.map((one) => [one.dataset.unix, one]).sort());
  return [...found.values()].slice(0, MOST_TIMES).map((one) => {
    const time = weekTime(Number(one.dataset.unix) * 1000, viewer().locale);
    return [`${describeTime(one) || tr("Until")} ${time}`, () => Math.ceil(ahead(one) / 1000) + 1];
  });
}

function openClock() {
  const jumps = el("div", { class: "jumps" });
  const text = el("p", { class: "hint" }, tr("Reminders and deadlines arrive as usual. You cannot turn the clock back."));
  function draw() {
    const steps = [...listTimes(), ...listJumps().map(([label, seconds]) => [label, () => seconds])];
    jumps.replaceChildren(...steps.map(([label, seconds]) => el("button", { class: "button secondary", type: "button", onclick: () => jump(seconds()) }, label)));
  }
  async function jump(seconds) {
    const focused = jumps.contains(document.activeElement);
    for (const button of jumps.children) button.disabled = true;
    const answer = await post("time", { seconds });
    if (answer && !answer.caught_up) toast(tr("A lot happens in that time. The clock is still catching up."));
    draw();
    if (focused) jumps.querySelector("button").focus();
  }
  draw();
  const open = popover($("clock"), [el("h3", {}, tr("Fast-forward")), jumps, text], { label: tr("Fast-forward") });
  open.box.querySelector("button").focus();
}

function openSettings() {
  const me = viewer();
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

/** The address of the page with all seats side by side, this person first. */
function sideBySideUrl() {
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
      locale: viewer().locale,
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
  remove: (message) => confirm(tr("Delete message"), tr("It will be deleted for everybody."), tr("Delete"), () => post("delete", { channel: message.channel, message: message.id })),
  menu: (message, anchor) => openMenu(anchor, { of: "message", message: message.id }),
  react: (message, one) => post("react", { channel: message.channel, message: message.id, emoji: one.emoji.id ? `${one.emoji.name}:${one.emoji.id}` : one.emoji.name, on: !one.me }),
  dismiss(message) {
    if (!message.pseudo) post("dismiss", { channel: message.channel, message: message.id });
    page().messages.delete(message.id);
    drop(message.id);
  },
};

/** Return the choices of a select menu: its own options, or people, roles and channels. */
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

/** Show a channel. If it is already on the page, do nothing unless `redraw` is set. */
function show(id, { redraw: isForced = false } = {}) {
  if (id !== state.channel) {
    composer?.move(`${state.as} ${state.channel}`, `${state.as} ${id}`);
    state.channel = id;
    updateWorld(state.world);
  } else if (!isForced) return;
  remember("sessionStorage", "playground.channel", id);
  const here = channel();
  $("channel-sign").textContent = here.kind === "dm" ? "@" : "#";
  $("channel-name").textContent = here.name;
  $("topic").textContent = here.topic ? tr(here.topic) : "";
  composer?.showPlace();
  isAtBottom = true;
  redraw();
  state.loading = loadCommands();
  markRead();
}

async function loadCommands() {
  const here = state.channel;
  const found = await get("commands", { channel: here });
  if (!found || here !== state.channel) return;
  state.commands = found;
  if (composer && !composer.command && document.activeElement === composer.input) composer.onInput();
}

function redraw() {
  const { messages, more } = page();
  const all = [...messages.values()];
  const nodes = [more ? olderButton() : welcome()];
  for (const [index, message] of all.entries()) nodes.push(...withDay(message, all[index - 1]));
  $("log").replaceChildren(...nodes);
  scrollDown();
}

function withDay(message, before) {
  const nodes = [];
  const fresh = !before || !sameDay(Date.parse(message.time), Date.parse(before.time));
  if (fresh) nodes.push(el("div", { class: "day", role: "separator", data: { before: message.id } }, el("span", {}, day(Date.parse(message.time), viewer().locale))));
  nodes.push(messageNode(message, { grouped: !fresh && continues(message, before), note: state.notes.get(message.id), page: view }));
  return nodes;
}

/** Replace `{key}` in a text by keys. Parts with spaces around them, like " + ", are plain text between two keys. */
function insertKeys(text, parts) {
  const [before, after] = text.split("{key}");
  return [before, ...parts.map((one) => (one.trim() === one ? el("kbd", {}, one) : one)), after];
}

/** Buttons for newcomers. */
function shortcuts() {
  const open = (one) => slash({ name: one.command }, one.options);
  const node = (one, at) => el("button", { class: `button ${at ? "secondary" : "primary"} shortcut`, type: "button", onclick: () => open(one) }, one.label);
  const several = el("a", { class: "button secondary shortcut", href: sideBySideUrl() }, tr("Several seats side by side"));
  return el("div", { class: "shortcuts" }, state.world.shortcuts.map(node), several);
}

/** A sentence and a picture that explain what the bot is. */
function introduction() {
  const { introduction: sentence } = state.world;
  return sentence ? [el("p", { class: "introduction" }, sentence), el("img", { class: "introduction", src: "/introduction.png", alt: "" })] : [];
}

function welcome() {
  const here = channel();
  const { bot } = state.world;
  if (here.kind === "dm") {
    return el("div", { class: "welcome" }, face(bot.avatar, "huge"), el("h2", {}, bot.name), el("p", {}, tr("This is your private conversation with {name}.", { name: bot.name })));
  }
  return el(
    "div",
    { class: "welcome" },
    face(bot.avatar, "huge"),
    el("h2", {}, tr("Welcome to {name}!", { name: bot.name })),
    ...introduction(),
    shortcuts(),
    el("p", {}, tr("This is a simulated Discord server on your own computer. Nobody else is here, and nothing is sent anywhere.")),
    el("ul", {}, el("li", {}, ...insertKeys(tr("Type {key} to see what the bot can do."), ["/"])), el("li", {}, ...insertKeys(tr("You play every seat yourself: click an avatar at the top or press {key}."), ["Alt", " + ", "1", " … ", String(state.world.people.length)])), el("li", {}, tr("Can't wait? Use the clock at the top to fast-forward."))),
  );
}

function olderButton() {
  const node = el("button", { class: "button secondary older", type: "button" }, tr("Show older messages"));
  node.addEventListener("click", () => {
    node.disabled = true;
    loadOlder();
  });
  return node;
}

async function loadOlder() {
  const here = state.channel;
  const first = page().messages.keys().next().value;
  const found = await get("history", { channel: here, before: first });
  if (!found || here !== state.channel) return false;
  const height = $("scroller").scrollHeight - $("scroller").scrollTop;
  state.pages.set(here, { messages: new Map([...found.messages.map((one) => [one.id, one]), ...page().messages]), more: found.more });
  isAtBottom = false;
  redraw();
  $("scroller").scrollTop = $("scroller").scrollHeight - height;
  return true;
}

/** Scroll to a message of this channel, and load older messages until it is there. */
async function jumpTo(id) {
  while (!page().messages.has(id) && page().more && (await loadOlder()));
  const node = $("log").querySelector(`[data-id="${id}"]`);
  if (!node) return toast(tr("That message no longer exists."));
  isAtBottom = false;
  node.scrollIntoView({ block: "center" });
  node.classList.add("found");
  setTimeout(() => node.classList.remove("found"), 2000);
}

function upsert(message) {
  if (!state.pages.has(message.channel)) state.pages.set(message.channel, { messages: new Map(), more: false });
  const { messages, more } = state.pages.get(message.channel);
  const known = messages.has(message.id);
  const oldest = messages.keys().next().value;
  // An edited message that is older than the loaded ones is loaded when somebody scrolls to it.
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
  scrollDown();
  markRead();
}

/** A promise that is settled while no mouse button and no finger is down. */
let released = Promise.resolve();
document.addEventListener("pointerdown", (event) => {
  if (event.button) return;
  released = new Promise((resolve) => {
    const done = () => setTimeout(resolve);
    for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, done, { once: true, capture: true });
  });
}, true);

/**
 * Replace a changed message as soon as its pictures are loaded, so that nothing jumps. Wait for the end of a click first:
 * a button that is replaced between press and release does not receive the click.
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
  const focused = controls.indexOf(document.activeElement);
  old.replaceWith(node);
  if (focused >= 0) {
    // Keyboard users keep the focus on the same button. If it no longer exists, the focus moves to one near it.
    const same = node.querySelector(`[data-control="${CSS.escape(controls[focused].dataset.control)}"]:not(:disabled)`);
    const next = node.querySelectorAll("[data-control]:not(:disabled)");
    (same ?? next[Math.min(focused, next.length - 1)])?.focus({ preventScroll: true });
  }
  scrollDown();
}

/** Redraw a message to show a note below it. */
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
  scrollDown();
}

/** Scroll to the newest message, unless the viewer has scrolled up. Nothing moves while the mouse is pressed. */
async function scrollDown() {
  await released;
  if (isAtBottom) $("scroller").scrollTop = $("scroller").scrollHeight;
  $("jump").hidden = isAtBottom;
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
  await handleAnswer(post(kind, { channel: message.channel, message: message.id, ...what }), message);
  clearTimeout(slow);
  if (node.isConnected) refresh(message.id);
}

/** Wait for the answer to a click on a message. Show the bot's form, or an error below the message. */
async function handleAnswer(request, message) {
  const answer = await request;
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

/** Add a message that exists only on this page, in place of an answer from the bot. */
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

/** Send a command: `slash` with its options, or `menu` of a person or message. */
async function sendCommand(kind, what) {
  const here = state.channel;
  let waiting = null;
  const slow = setTimeout(() => {
    if (here === state.channel) waiting = pseudo(tr("-# Sending command…"), { loading: true });
  }, 400);
  const answer = await post(kind, { channel: here, ...what });
  clearTimeout(slow);
  if (waiting) {
    state.pages.get(here).messages.delete(waiting.id);
    drop(waiting.id);
  }
  if (!answer) return;
  if (answer.modal) showForm(answer.modal);
  else if (!answer.answered && here === state.channel) pseudo(tr("The application did not respond"));
}

const slash = (command, options) => sendCommand("slash", { command: command.name, options });

/** Open the menu of a person or a message, with the bot's commands for it. */
async function openMenu(anchor, what) {
  await state.loading;
  const commands = state.commands[what.of];
  if (!commands.length) return;
  const use = (one) => {
    open.close();
    sendCommand("menu", { command: one.name, ...what });
  };
  const nodes = commands.map((one) => el("button", { class: "option", role: "menuitem", type: "button", onclick: () => use(one) }, one.shown));
  const open = popover(anchor, [el("h3", {}, tr("Apps")), el("div", { class: "options", role: "menu" }, nodes)], { label: tr("Apps") });
  open.box.querySelector("button").focus();
}

/** A right click, a long press on a phone, or the keyboard's menu key. A click on a link or picture stays the browser's. */
document.addEventListener("contextmenu", (event) => {
  const user = event.target.closest("[data-user]");
  const message = event.target.closest(".message[data-id]");
  if (user) openMenu(user, { of: "user", user: user.dataset.user });
  else if (message && !event.target.closest("a, img")) openMenu(event.target, { of: "message", message: message.dataset.id });
  else return;
  event.preventDefault();
});

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
$("jump").addEventListener("click", () => ((isAtBottom = true), scrollDown()));
$("scroller").addEventListener("scroll", () => {
  const { scrollTop, scrollHeight, clientHeight } = $("scroller");
  // Messages that grow or shrink also cause scrolling. The viewer has scrolled up only if the height is the same.
  if (scrollHeight - scrollTop - clientHeight < 60) isAtBottom = true;
  else if (scrollTop < scrolled.top - 2 && scrollHeight === scrolled.height) isAtBottom = false;
  scrolled = { top: scrollTop, height: scrollHeight };
  released.then(() => ($("jump").hidden = isAtBottom));
});
// Pictures and a growing message box change the height without an event.
const heights = new ResizeObserver(() => isAtBottom && scrollDown());
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
    // The viewer types without having clicked on the message box.
    (composer.command ? composer.chips.querySelector("input") : composer.input)?.focus();
  }
});
setInterval(() => {
  if (!state.world) return;
  updateTimes(viewer().locale);
  drawClock();
}, 1000);
connect();
