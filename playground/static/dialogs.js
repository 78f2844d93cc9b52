// What opens above the page: forms of the bot, menus, lists to choose from, a picture in full.

import { el, emoji, face, icon } from "./dom.js";
import { tr } from "./words.js";

// ---------------------------------------------------------------- popovers

let closeOpen = null;

/** Show `inside` beside `anchor` until something else is clicked or Escape is pressed. */
export function popover(anchor, inside, { role = "dialog", label = "", wide = false, onclose = () => {} } = {}) {
  closeOpen?.();
  const box = el("div", { class: `popover${wide ? " wide" : ""}`, role, "aria-label": label, tabindex: "-1" }, inside);
  document.body.append(box);
  const place = () => {
    const at = anchor.getBoundingClientRect();
    if (wide) box.style.width = `${Math.max(at.width, 200)}px`;
    const { offsetWidth: width, offsetHeight: height } = box;
    const below = at.bottom + 6 + height < innerHeight || at.top - 6 - height < 0;
    const left = Math.min(Math.max(8, wide ? at.left : at.right - width), innerWidth - width - 8);
    box.style.left = `${Math.max(8, left)}px`;
    box.style.top = `${below ? Math.min(at.bottom + 6, innerHeight - height - 8) : at.top - 6 - height}px`;
  };
  place();
  anchor.setAttribute("aria-expanded", "true");
  const outside = (event) => !box.contains(event.target) && !anchor.contains(event.target) && close();
  const keys = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
    anchor.focus();
  };
  const close = () => {
    if (closeOpen !== close) return;
    closeOpen = null;
    anchor.removeAttribute("aria-expanded");
    document.removeEventListener("pointerdown", outside, true);
    document.removeEventListener("keydown", keys, true);
    removeEventListener("resize", close);
    box.remove();
    onclose();
  };
  closeOpen = close;
  document.addEventListener("pointerdown", outside, true);
  document.addEventListener("keydown", keys, true);
  addEventListener("resize", close);
  return { box, close, place };
}

/** Close whatever is open. */
export const closePopover = () => closeOpen?.();

function arrows(box, event) {
  const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const items = [...box.querySelectorAll("[role=option], [role=menuitem]")];
  const at = items.indexOf(document.activeElement);
  const next = Number.isFinite(step) ? (at + step + items.length) % items.length : step < 0 ? 0 : items.length - 1;
  items[next]?.focus();
}

/** A menu of names. */
export function openMenu(anchor, names, pick) {
  const items = names.map((name) =>
    el("button", { class: "option", role: "menuitem", type: "button", onclick: () => (open.close(), pick(name)) }, name),
  );
  const open = popover(anchor, items, { role: "menu", label: anchor.getAttribute("aria-label") });
  open.box.addEventListener("keydown", (event) => arrows(open.box, event));
  items[0]?.focus();
}

/** The options of a select menu. One choice is sent at once, several when the list closes. */
export function openSelect(anchor, options, { least, most }, send) {
  const chosen = new Set(options.filter((one) => one.default).map((one) => one.value));
  const before = [...chosen].join("\n");
  const single = most === 1;
  const finish = () => {
    const values = options.map((one) => one.value).filter((value) => chosen.has(value));
    if (values.length >= least && values.join("\n") !== before) send(values);
  };
  const nodes = options.map((one) => {
    const node = el(
      "button",
      { class: "option", role: "option", type: "button", "aria-selected": String(chosen.has(one.value)) },
      one.avatar ? face(one.avatar, "small") : emoji(one.emoji, "big"),
      el("span", { class: "option-text" }, el("span", {}, one.label), one.description && el("small", {}, one.description)),
      el("span", { class: single ? "radio" : "box" }, icon("check")),
    );
    node.addEventListener("click", () => {
      if (single) {
        chosen.clear();
        chosen.add(one.value);
        open.close();
        anchor.focus();
        return;
      }
      if (chosen.has(one.value)) chosen.delete(one.value);
      else if (chosen.size < most) chosen.add(one.value);
      node.setAttribute("aria-selected", String(chosen.has(one.value)));
      done.disabled = chosen.size < least;
    });
    return node;
  });
  const done = el("button", { class: "button primary done", type: "button", disabled: chosen.size < least, onclick: () => (open.close(), anchor.focus()) }, tr("Done"));
  const listed = el("div", { class: "options", role: "listbox", "aria-multiselectable": String(!single) }, nodes);
  const open = popover(anchor, single ? [listed] : [listed, done], { label: tr("Choose"), wide: true, onclose: finish });
  open.box.addEventListener("keydown", (event) => arrows(open.box, event));
  (nodes.find((node) => node.getAttribute("aria-selected") === "true") ?? nodes[0])?.focus();
}

// ----------------------------------------------------------------- dialogs

function dialog(className, label, ...inside) {
  const before = document.activeElement;
  const node = el("dialog", { class: className, "aria-label": label }, ...inside);
  node.addEventListener("close", () => {
    node.remove();
    if (before?.isConnected) before.focus();
  });
  node.addEventListener("click", (event) => event.target === node && node.close());
  document.body.append(node);
  node.showModal();
  return node;
}

/** A picture as large as the window. */
export function lightbox(url) {
  const node = dialog("lightbox", tr("Picture"), el("img", { src: url, alt: "" }), el("button", { class: "icon", type: "button", "aria-label": tr("Close") }, icon("close")));
  node.lastElementChild.addEventListener("click", () => node.close());
}

/** Ask before something that cannot be undone. */
export function confirm(title, text, verb, then) {
  const yes = el("button", { class: "button danger", type: "button" }, verb);
  const no = el("button", { class: "button plain", type: "button" }, tr("Cancel"));
  const node = dialog("sheet small", title, el("h2", {}, title), el("p", {}, text), el("footer", {}, no, yes));
  no.addEventListener("click", () => node.close());
  yes.addEventListener("click", () => (node.close(), then()));
  yes.focus();
}

/** A form of the bot. `submit` gets the values and answers whether the form may close. */
export function openForm(modal, { bot, optionsOf, submit }) {
  const controls = new Map();
  const parts = modal.components.flatMap((part) => formPart(part, controls, optionsOf));
  const problem = el("p", { class: "failed", role: "alert" });
  const send = el("button", { class: "button primary", type: "submit" }, tr("Submit"));
  const cancel = el("button", { class: "button plain", type: "button" }, tr("Cancel"));
  const form = el(
    "form",
    { method: "dialog", novalidate: true },
    el("header", {}, face(bot.avatar, "small"), el("h2", {}, modal.title), closer()),
    el("p", { class: "warning" }, tr("This form will be submitted to {name}. Do not share passwords or other sensitive information.", { name: bot.name })),
    ...parts,
    problem,
    el("footer", {}, cancel, send),
  );
  const node = dialog("sheet", modal.title, form);
  function closer() {
    return el("button", { class: "icon", type: "button", "aria-label": tr("Close"), onclick: () => node.close() }, icon("close"));
  }
  cancel.addEventListener("click", () => node.close());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const wrong = [...controls.values()].find((control) => control.problem());
    if (wrong) {
      problem.textContent = wrong.problem();
      wrong.focus();
      return;
    }
    send.disabled = true;
    const values = {};
    for (const [id, control] of controls) {
      const value = await control.value();
      if (value !== undefined) values[id] = value;
    }
    const failure = await submit(values);
    send.disabled = false;
    if (failure) problem.textContent = failure;
    else node.close();
  });
  [...controls.values()][0]?.focus();
}

function formPart(part, controls, optionsOf) {
  if (part.type === 1) return part.components.flatMap((one) => formPart(one, controls, optionsOf));
  if (part.type === 10) return [el("p", {}, part.content)];
  const inner = part.type === 18 ? part.component : part;
  const make = { 4: textControl, 3: choiceControl, 5: choiceControl, 6: choiceControl, 7: choiceControl, 8: choiceControl, 19: fileControl, 21: choiceControl, 22: choiceControl, 23: checkControl }[inner.type];
  if (!make) return [el("p", { class: "failed" }, tr("The playground cannot show this part (type {type}).", { type: inner.type }))];
  const label = part.label ?? inner.label ?? "";
  const id = `form-${inner.id ?? controls.size}`;
  const control = make(inner, { id, label, options: optionsOf(inner) });
  controls.set(inner.custom_id, control);
  const required = inner.required ?? [3, 4, 5, 6, 7, 8].includes(inner.type);
  const name = [label, required && el("span", { class: "needed", "aria-hidden": "true" }, " *")];
  const head = control.group ? el("legend", {}, name) : el("label", { for: id }, name);
  return [el(control.group ? "fieldset" : "div", { class: "form-part" }, head, part.description && el("p", { class: "hint" }, part.description), control.node)];
}

function textControl(part, { id, label }) {
  const long = part.style === 2;
  const node = el(long ? "textarea" : "input", {
    id,
    class: "field",
    maxlength: part.max_length ?? 4000,
    placeholder: part.placeholder,
    value: part.value ?? "",
    autocomplete: "off",
    rows: long ? "4" : null,
    "aria-required": String(part.required ?? true),
  });
  return {
    node,
    focus: () => node.focus(),
    value: () => node.value,
    problem: () => {
      if ((part.required ?? true) && !node.value.trim()) return tr("“{name}” is needed.", { name: label });
      if (part.min_length && node.value && node.value.length < part.min_length) return tr("“{name}” needs at least {number} characters.", { name: label, number: part.min_length });
      return "";
    },
  };
}

function choiceControl(part, { id, label, options }) {
  const several = part.type === 22 || (part.max_values ?? 1) > 1;
  const boxes = options.map((one) => el("input", { type: several ? "checkbox" : "radio", name: id, value: one.value, checked: Boolean(one.default) }));
  const node = el(
    "div",
    { class: "choices" },
    options.map((one, index) => el("label", {}, boxes[index], el("span", {}, one.label, one.description && el("small", {}, one.description)))),
  );
  const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value);
  return {
    node,
    group: true,
    focus: () => boxes[0]?.focus(),
    value: () => (part.type === 21 ? chosen()[0] : chosen().length ? chosen() : undefined),
    problem: () => {
      const needed = part.required ?? true;
      if (needed && chosen().length < (part.min_values ?? 1)) return `“${label}” needs a choice.`;
      return part.max_values && chosen().length > part.max_values ? `“${label}” takes ${part.max_values} at most.` : "";
    },
  };
}

function checkControl(part, { id }) {
  const node = el("input", { id, type: "checkbox", checked: Boolean(part.default) });
  return { node, focus: () => node.focus(), value: () => node.checked, problem: () => "" };
}

function fileControl(part, { id, label }) {
  const node = el("input", { id, type: "file", multiple: (part.max_values ?? 1) > 1 });
  return {
    node,
    focus: () => node.focus(),
    value: async () => (node.files.length ? Promise.all([...node.files].map(readFile)) : undefined),
    problem: () => ((part.required ?? true) && !node.files.length ? `“${label}” needs a file.` : ""),
  };
}

/** A chosen file the way the playground takes it. */
export async function readFile(file) {
  const url = await new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result));
    reader.readAsDataURL(file);
  });
  return { name: file.name, data: url.slice(url.indexOf(",") + 1) };
}
