// Everything that opens above the page: the bot's forms, menus, select menus, and large pictures.

import { el, emoji, face, icon } from "./dom.js";
import { tr } from "./words.js";

// ---------------------------------------------------------------- popovers

let closeOpen = null;

/** Show `inside` next to `anchor` until the user clicks elsewhere or presses Escape. */
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

/** Show the options of a select menu. Send a single choice immediately, and several when the menu closes. */
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

/** Show a picture in the size of the window. */
export function lightbox(url) {
  const node = dialog("lightbox", tr("Picture"), el("img", { src: url, alt: "" }), el("button", { class: "icon", type: "button", "aria-label": tr("Close") }, icon("close")));
  node.lastElementChild.addEventListener("click", () => node.close());
}

/** Ask before an action that cannot be undone. */
export function confirm(title, text, verb, then) {
  const yes = el("button", { class: "button danger", type: "button" }, verb);
  const no = el("button", { class: "button plain", type: "button" }, tr("Cancel"));
  const node = dialog("sheet small", title, el("h2", {}, title), el("p", {}, text), el("footer", {}, no, yes));
  no.addEventListener("click", () => node.close());
  yes.addEventListener("click", () => (node.close(), then()));
  yes.focus();
}

/** Show a form of the bot. `submit` gets the values, and returns an error or "", which closes the form. */
export function openForm(modal, { bot, submit }) {
  const controls = new Map();
  const parts = modal.components.flatMap((part) => formPart(part, controls));
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
      values[id] = control.value();
    }
    const failure = await submit(values);
    send.disabled = false;
    if (failure) problem.textContent = failure;
    else node.close();
  });
  [...controls.values()][0]?.focus();
}

function formPart(part, controls) {
  if (part.type === 1) return part.components.flatMap((one) => formPart(one, controls));
  if (part.type === 18) return formPart({ ...part.component, label: part.label }, controls);
  if (part.type === 21) return [radioGroup(part, controls)];
  if (part.type !== 4) return [el("p", { class: "failed" }, tr("The playground cannot show this part (type {type}).", { type: part.type }))];
  const label = part.label ?? "";
  const id = `form-${part.id ?? controls.size}`;
  const control = textControl(part, { id, label });
  controls.set(part.custom_id, control);
  const name = [label, (part.required ?? true) && el("span", { class: "needed", "aria-hidden": "true" }, " *")];
  return [el("div", { class: "form-part" }, el("label", { for: id }, name), control.node)];
}

/** Create a radio group. The browser moves between its options by the arrow keys. */
function radioGroup(part, controls) {
  const required = part.required ?? true;
  const inputs = part.options.map((one) => el("input", { type: "radio", name: part.custom_id, value: one.value, checked: Boolean(one.default) }));
  const nodes = part.options.map((one, at) =>
    el("label", { class: "choice" }, inputs[at], el("span", { class: "option-text" }, el("span", {}, one.label), one.description && el("small", {}, one.description))),
  );
  const chosen = () => inputs.find((one) => one.checked);
  controls.set(part.custom_id, {
    focus: () => (chosen() ?? inputs[0]).focus(),
    value: () => chosen()?.value ?? null,
    problem: () => (required && !chosen() ? tr("“{name}” is required.", { name: part.label }) : ""),
  });
  return el("fieldset", { class: "form-part" }, el("legend", {}, part.label, required && el("span", { class: "needed", "aria-hidden": "true" }, " *")), nodes);
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
      if ((part.required ?? true) && !node.value.trim()) return tr("“{name}” is required.", { name: label });
      if (part.min_length && node.value && node.value.length < part.min_length) return tr("“{name}” must have at least {number} characters.", { name: label, number: part.min_length });
      return "";
    },
  };
}
