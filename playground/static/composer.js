// The message box: for messages, and for slash commands with their options.

import { el, face, icon, toast } from "./dom.js";
import { tr } from "./words.js";

const SHOWN = 25;
const PAUSE = 180;

export class Composer {
  /** `page` has the commands and people, and sends messages and commands. */
  constructor(root, page) {
    this.page = page;
    this.list = el("div", { class: "suggestions", id: "suggestions", role: "listbox", "aria-label": tr("Suggestions"), hidden: true });
    this.bar = el("div", { class: "bar" });
    this.hint = el("div", { class: "hint-line", role: "status" });
    root.replaceChildren(this.list, this.bar, this.hint);
    this.drafts = new Map();
    this.items = [];
    this.active = 0;
    this.write();
  }

  // ------------------------------------------------------------ a message

  /** Show the box for messages. */
  write(text = "") {
    this.command = null;
    this.current = null;
    this.input = el("textarea", {
      id: "entry",
      class: "entry",
      rows: "1",
      maxlength: "2000",
      value: text,
      autocomplete: "off",
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-controls": "suggestions",
      "aria-expanded": "false",
    });
    const slash = el("button", { class: "icon", type: "button", title: tr("Commands"), "aria-label": tr("Commands") }, icon("slash"));
    slash.addEventListener("click", () => {
      this.input.value = "/";
      this.input.focus();
      this.onInput();
    });
    const send = el("button", { class: "icon send", type: "button", title: tr("Send"), "aria-label": tr("Send") }, icon("send"));
    send.addEventListener("click", () => this.send());
    this.input.addEventListener("input", () => this.onInput());
    this.input.addEventListener("keydown", (event) => this.keys(event));
    this.bar.className = "bar";
    this.bar.replaceChildren(slash, this.input, send);
    this.hint.textContent = "";
    this.showPlace();
    this.onInput();
  }

  /** Use the page's current language. */
  translate() {
    this.list.setAttribute("aria-label", tr("Suggestions"));
    if (!this.command) this.write(this.input.value);
  }

  /** Show the name of the current channel. */
  showPlace() {
    if (!this.command) {
      const text = tr("Message {place}", { place: this.page.place() });
      this.input.placeholder = text;
      this.input.setAttribute("aria-label", text);
    }
  }

  /** Store the draft of one channel, and show that of another. */
  move(from, to) {
    if (from === to) return;
    this.drafts.set(from, this.command ? "" : this.input.value);
    this.write(this.drafts.get(to) ?? "");
  }

  onInput() {
    this.input.style.height = "auto";
    this.input.style.height = `${Math.min(this.input.scrollHeight, 240)}px`;
    const text = this.input.value;
    if (text.startsWith("/")) this.suggestCommands(text.slice(1));
    else this.suggestPeople(text.slice(0, this.input.selectionStart));
  }

  suggestCommands(typed) {
    const wanted = typed.trim().toLowerCase().split(/\s+/);
    const all = this.page.commands();
    const found = all.filter((one) => wanted.every((word) => `${one.shown} ${one.name}`.toLowerCase().includes(word)));
    found.sort((one, other) => this.rank(one, typed) - this.rank(other, typed));
    this.suggest(
      found.map((one) => ({
        avatar: this.page.bot().avatar,
        label: `/${one.shown}`,
        extra: one.options.filter((option) => option.required).map((option) => option.shown),
        description: one.description,
        pick: () => this.fill(one),
      })),
      all.length ? tr("There is no command “/{typed}”", { typed }) : tr("The bot has no commands here"),
      tr("Commands"),
    );
  }

  rank(command, typed) {
    return command.shown.startsWith(typed.trim()) || command.name.startsWith(typed.trim()) ? 0 : 1;
  }

  suggestPeople(before) {
    const found = /(?:^|\s)@([^\s@]*)$/.exec(before);
    if (!found) return this.suggest([]);
    const people = this.page.mentionable().filter((one) => one.name.toLowerCase().startsWith(found[1].toLowerCase()));
    return this.suggest(
      people.map((one) => ({
        avatar: one.avatar,
        label: one.name,
        pick: () => {
          const start = before.length - found[1].length;
          this.input.setRangeText(`${one.name} `, start, before.length, "end");
          this.onInput();
          this.input.focus();
        },
      })),
      "",
      tr("Members"),
    );
  }

  async send() {
    const text = this.input.value.trim();
    if (!text) return;
    if (text.startsWith("/")) {
      // The commands may still be loading.
      await this.page.commandsLoaded();
      if (this.command || this.input.value.trim() !== text) return;
      if (!this.items.length) this.suggestCommands(text.slice(1));
      if (this.items.length) this.items[this.active].pick();
      else toast(tr("There is no such command here. Type / to see the available commands."));
      return;
    }
    this.write();
    this.input.focus();
    if ((await this.page.say(this.insertMentions(text))) || this.command || this.input.value) return;
    this.write(text);
    this.input.focus();
  }

  /** Replace “@Ada” by the mention of that person. */
  insertMentions(text) {
    const people = [...this.page.mentionable()].sort((one, other) => other.name.length - one.name.length);
    return people.reduce((result, one) => {
      const name = one.name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      return result.replace(new RegExp(`(?<![\\w<])@${name}(?![\\p{L}\\p{N}])`, "giu"), `<@${one.id}>`);
    }, text);
  }

  // ------------------------------------------------------------ a command

  /** Show the box for the options of a command. */
  fill(command) {
    this.command = command;
    this.values = new Map();
    this.suggest([]);
    const head = el("span", { class: "command-name" }, face(this.page.bot().avatar, "small"), `/${command.shown}`);
    this.more = el("span", { class: "more" });
    this.chips = el("span", { class: "chips" });
    const cancel = el("button", { class: "icon", type: "button", title: tr("Cancel (Esc)"), "aria-label": tr("Cancel the command") }, icon("close"));
    cancel.addEventListener("click", () => this.cancel());
    const send = el("button", { class: "icon send", type: "button", title: tr("Send (Enter)"), "aria-label": tr("Send the command") }, icon("send"));
    send.addEventListener("click", () => this.call());
    this.bar.className = "bar filling";
    const inside = el("div", { class: "filled" }, head, this.chips, this.more);
    this.bar.replaceChildren(inside, cancel, send);
    for (const option of command.options.filter((one) => one.required)) this.addChip(option);
    this.offerMore();
    this.hint.textContent = command.description;
    const first = this.chips.querySelector("input");
    if (first) first.focus();
    else send.focus();
    // A command without options has no input, but Escape should still cancel it.
    const leave = (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      this.cancel();
    };
    inside.addEventListener("keydown", leave);
    send.addEventListener("keydown", leave);
  }

  cancel() {
    this.write();
    this.input.focus();
  }

  offerMore() {
    const left = this.command.options.filter((one) => !this.values.has(one.name));
    this.more.replaceChildren(
      ...left.map((one) =>
        el(
          "button",
          { class: "add", type: "button", title: one.description, onclick: () => (this.addChip(one).focus(), this.offerMore()) },
          `+ ${one.shown}`,
        ),
      ),
    );
  }

  addChip(option) {
    const input = el("input", {
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      inputmode: { integer: "numeric", number: "decimal" }[option.type],
      maxlength: option.longest ?? 1000,
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-controls": "suggestions",
      "aria-expanded": "false",
    });
    input.setAttribute("aria-label", `${option.shown}${option.required ? "" : " (optional)"}: ${option.description}`);
    input.setAttribute("aria-required", String(option.required));
    const state = { option, input, value: undefined, chip: null };
    state.chip = el("label", { class: "chip" }, el("span", { class: "chip-name" }, option.shown), input);
    this.values.set(option.name, state);
    this.chips.append(state.chip);
    input.addEventListener("focus", () => this.onFocus(state));
    input.addEventListener("input", () => {
      state.value = undefined;
      this.grow(state);
      this.onFocus(state);
    });
    input.addEventListener("blur", () => {
      this.selectTyped(state);
      setTimeout(() => this.bar.contains(document.activeElement) || this.suggest([]), 120);
    });
    input.addEventListener("keydown", (event) => this.chipKeys(event, state));
    this.grow(state);
    return input;
  }

  grow(state) {
    state.input.size = Math.min(Math.max(state.input.value.length, 3), 40);
    state.chip.classList.remove("wrong");
  }

  onFocus(state) {
    const { option, input } = state;
    this.current = state;
    this.hint.textContent = `${option.shown}: ${option.description}${limits(option)}`;
    const typed = input.value.trim().toLowerCase();
    if (option.autocomplete) return this.complete(state);
    if (state.value !== undefined) return this.suggest([]);
    const choices = this.choices(option).filter((one) => one.label.toLowerCase().includes(typed));
    return this.suggest(
      choices.map((one) => ({ ...one, pick: () => this.take(state, one) })),
      this.choices(option).length ? tr("No matches. Choose one from the list.") : "",
      option.shown,
    );
  }

  /** Return the possible values of an option, or nothing if it can be any text or number. */
  choices(option) {
    if (option.choices.length) return option.choices.map((one) => ({ label: one.name, value: one.value }));
    if (option.type === "boolean") return [{ label: tr("True"), value: true }, { label: tr("False"), value: false }];
    return this.page.entities(option.type);
  }

  complete(state) {
    clearTimeout(this.waiting);
    const { option, input } = state;
    const asked = input.value;
    this.waiting = setTimeout(async () => {
      if (this.current !== state) return;
      const found = await this.page.autocomplete(this.command.name, option.name, asked, await this.readValues(state));
      if (this.current !== state || input.value !== asked || document.activeElement !== input) return;
      this.suggest(
        found.map((one) => ({ label: one.name, value: one.value, pick: () => this.take(state, { label: one.name, value: one.value }) })),
        tr("No suggestions"),
        option.shown,
      );
    }, asked === "" ? 0 : PAUSE);
  }

  take(state, choice) {
    state.input.value = choice.label;
    state.value = choice.value;
    this.grow(state);
    this.suggest([]);
    this.focusNext(state);
  }

  /** Move the focus to the first required option that is empty. If there is none, stay. */
  focusNext(state) {
    const empty = [...this.values.values()].find((one) => one.option.required && !this.has(one));
    (empty ?? state).input.focus();
  }

  has(state) {
    return state.value !== undefined || state.input.value.trim() !== "";
  }

  /** If the typed text is the name of a choice, select that choice. */
  selectTyped(state) {
    if (state.value !== undefined) return;
    const typed = state.input.value.trim().toLowerCase();
    const match = typed && this.choices(state.option).find((one) => one.label.toLowerCase() === typed);
    if (match) state.value = match.value;
  }

  async readValues(except) {
    const values = {};
    for (const state of this.values.values()) {
      if (state === except || !this.has(state)) continue;
      const { option, input } = state;
      this.selectTyped(state);
      if (["integer", "number"].includes(option.type) && state.value === undefined) values[option.name] = input.value.trim();
      else values[option.name] = state.value ?? input.value;
    }
    return values;
  }

  findProblem(state) {
    const { option, input } = state;
    const text = input.value.trim();
    if (!this.has(state)) return option.required ? tr("{option} is required.", { option: option.shown }) : "";
    this.selectTyped(state);
    if (state.value === undefined && !option.autocomplete && this.choices(option).length) return tr("Choose {option} from the list.", { option: option.shown });
    if (state.value !== undefined) return "";
    if (option.type === "integer" && !/^[+-]?\d+$/.test(text)) return tr("{option} must be a whole number.", { option: option.shown });
    if (option.type === "number" && (text === "" || Number.isNaN(Number(text)))) return tr("{option} must be a number.", { option: option.shown });
    if (["integer", "number"].includes(option.type)) {
      if (option.min !== null && Number(text) < option.min) return tr("{option} must be {number} or more.", { option: option.shown, number: option.min });
      if (option.max !== null && Number(text) > option.max) return tr("{option} must be {number} or less.", { option: option.shown, number: option.max });
    }
    if (option.type === "string" && option.shortest && text.length < option.shortest) return tr("{option} must have at least {number} characters.", { option: option.shown, number: option.shortest });
    return "";
  }

  async call() {
    for (const state of this.values.values()) {
      const problem = this.findProblem(state);
      if (!problem) continue;
      state.input.focus();
      state.chip.classList.add("wrong");
      this.hint.textContent = problem;
      return;
    }
    const { command } = this;
    const values = await this.readValues();
    this.write();
    this.input.focus();
    this.page.slash(command, values);
  }

  chipKeys(event, state) {
    const open = this.items.length > 0;
    if (event.key === "Enter") {
      event.preventDefault();
      if (open && state.value === undefined) this.items[this.active].pick();
      else this.call();
    } else if (event.key === "Tab" && !event.shiftKey && open && state.value === undefined && state.input.value.trim()) {
      event.preventDefault();
      this.items[this.active].pick();
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      if (open) this.suggest([]);
      else this.cancel();
    } else if (event.key === "Backspace" && state.input.value === "") {
      event.preventDefault();
      if (state.option.required) {
        const all = [...this.values.values()];
        const before = all[all.indexOf(state) - 1];
        if (before) before.input.focus();
        else this.cancel();
        return;
      }
      this.values.delete(state.option.name);
      const before = state.chip.previousElementSibling;
      state.chip.remove();
      this.offerMore();
      (before?.querySelector("input") ?? this.more.querySelector("button"))?.focus();
    } else this.listKeys(event);
  }

  // ---------------------------------------------------------- suggestions

  suggest(items, otherwise = "", title = "") {
    this.items = items.slice(0, SHOWN);
    this.active = 0;
    const field = this.command ? this.current?.input : this.input;
    const open = this.items.length > 0 || otherwise !== "";
    this.list.hidden = !open;
    field?.setAttribute("aria-expanded", String(open));
    if (!open) {
      field?.removeAttribute("aria-activedescendant");
      this.list.replaceChildren();
      return;
    }
    this.list.replaceChildren(
      el("div", { class: "suggestions-title", role: "presentation" }, title),
      ...this.items.map((item, index) => this.itemNode(item, index)),
      ...(this.items.length ? [] : [el("div", { class: "suggestions-none", role: "presentation" }, otherwise)]),
    );
    this.mark();
  }

  itemNode(item, index) {
    const node = el(
      "div",
      { class: "suggestion", role: "option", id: `suggestion-${index}` },
      item.avatar && face(item.avatar, "small"),
      el("span", { class: "suggestion-label" }, item.label),
      (item.extra ?? []).map((name) => el("span", { class: "suggestion-extra" }, name)),
      item.description && el("span", { class: "suggestion-description" }, item.description),
    );
    // Without this the field would lose the focus, which closes the list before the click.
    node.addEventListener("pointerdown", (event) => event.preventDefault());
    node.addEventListener("click", () => item.pick());
    node.addEventListener("pointermove", () => this.active !== index && ((this.active = index), this.mark()));
    return node;
  }

  mark() {
    const nodes = [...this.list.querySelectorAll("[role=option]")];
    for (const [index, node] of nodes.entries()) node.setAttribute("aria-selected", String(index === this.active));
    nodes[this.active]?.scrollIntoView({ block: "nearest" });
    const field = this.command ? this.current?.input : this.input;
    if (nodes.length) field?.setAttribute("aria-activedescendant", `suggestion-${this.active}`);
  }

  listKeys(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || this.items.length === 0) return false;
    event.preventDefault();
    this.active = (this.active + step + this.items.length) % this.items.length;
    this.mark();
    return true;
  }

  keys(event) {
    if (this.listKeys(event)) return;
    if (event.key === "Escape" && !this.list.hidden) {
      event.stopPropagation();
      this.suggest([]);
    } else if ((event.key === "Enter" && !event.shiftKey && !event.isComposing) || (event.key === "Tab" && this.items.length)) {
      event.preventDefault();
      if (this.items.length) this.items[this.active].pick();
      else this.send();
    }
  }
}

function limits(option) {
  const { min, max } = option;
  if (min !== null && max !== null) return tr(" ({min} to {max})", { min, max });
  if (min !== null) return tr(" ({min} or more)", { min });
  return max !== null ? tr(" ({max} or less)", { max }) : "";
}
