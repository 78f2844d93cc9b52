// Creates the element of a message: header, text, files, embeds, buttons, reactions.

import { tr } from "./words.js";
import { openSelect, lightbox } from "./dialogs.js";
import { el, emoji, emojiName, face, icon, link, safeLink } from "./dom.js";
import { inlineMarkdown, isJumbo, markdown, placeOf } from "./markdown.js";
import { longTime, shortTime, messageTime } from "./time.js";

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link" };
const THINKING_FOR = 15 * 60 * 1000;
const GROUP_WITHIN = 7 * 60 * 1000;

/** Whether a message is shown without its author, because the message before it has the same one. */
export function continues(message, before) {
  return (
    before !== undefined &&
    before.author.id === message.author.id &&
    before.ephemeral === message.ephemeral &&
    !message.command &&
    [0, 20].includes(message.type) &&
    Date.parse(message.time) - Date.parse(before.time) < GROUP_WITHIN
  );
}

/** Create a message. `page` has the functions that its buttons call, and the context of its text. */
export function messageNode(message, { grouped, note, page }) {
  const { context } = page;
  const when = Date.parse(message.time);
  const classes = ["message"];
  if (grouped) classes.push("grouped");
  if (message.mention) classes.push("mentioned");
  if (message.ephemeral) classes.push("ephemeral");
  const node = el("article", { class: classes.join(" "), data: { id: message.id }, "aria-label": `${message.author.name}, ${messageTime(when, context.locale)}` });
  const above = aboveLine(message);
  if (above) node.append(above);
  const body = el("div", { class: "body" });
  if (grouped) {
    node.append(el("time", { class: "gutter", datetime: message.time }, shortTime(when, context.locale)));
  } else {
    node.append(face(message.author.avatar));
    body.append(
      el(
        "header",
        { class: "by" },
        el("span", { class: `name${message.author.bot ? " bot" : ""}`, data: { user: message.author.id } }, message.author.name),
        message.author.bot && el("span", { class: "tag", title: tr("A bot") }, "APP"),
        el("time", { class: "when", datetime: message.time, title: longTime(when, context.locale) }, messageTime(when, context.locale)),
      ),
    );
  }
  body.append(...content(message, page));
  const files = message.attachments.map(fileNode);
  if (files.length) body.append(el("div", { class: "files" }, files));
  body.append(...message.embeds.map((one) => embedNode(one, context)));
  for (const row of message.components) body.append(componentNode(row, message, page));
  if (message.reactions.length) body.append(reactions(message, page));
  if (note) body.append(el("p", { class: "failed", role: "status" }, note));
  if (message.ephemeral) body.append(ephemeralFoot(message, page));
  node.append(body);
  const tools = toolbar(message, page);
  if (tools) node.append(tools);
  return node;
}

function aboveLine(message) {
  if (message.command) {
    const { command } = message;
    return el(
      "div",
      { class: "above" },
      face(command.avatar, "tiny"),
      el("span", { class: "who" }, command.user),
      tr(" used "),
      el("span", { class: "used" }, command.slash ? `/${command.name}` : command.name),
    );
  }
  return null;
}

function content(message, page) {
  if (message.loading) {
    if (Date.now() - Date.parse(message.time) > THINKING_FOR) return [el("p", { class: "failed" }, tr("The application did not respond"))];
    return [el("div", { class: "thinking" }, dots(), tr("{name} is thinking…", { name: message.author.name }))];
  }
  const parts = [];
  if (message.content) {
    const text = el("div", { class: `content${isJumbo(message.content) ? " jumbo" : ""}` }, markdown(message.content, page.context));
    if (message.edited) text.append(edited(message, page.context));
    parts.push(text);
  }
  return parts;
}

const edited = (message, context) =>
  el("span", { class: "edited", title: longTime(Date.parse(message.edited), context.locale) }, tr(" (edited)"));

/** Create the three dots of a running action. */
export const dots = () => el("span", { class: "dots", "aria-hidden": "true" }, el("i"), el("i"), el("i"));

// ------------------------------------------------------------------ embeds

function picture(media, className) {
  if (!media) return null;
  // Pictures on the internet are not loaded. A link is shown instead.
  if (!media.url) return el("div", { class: `${className} missing` }, link(media.source, tr("A picture on the internet")));
  return el(
    "button",
    { class: `${className} zoom`, type: "button", "aria-label": tr("Enlarge the picture"), onclick: () => lightbox(media.url) },
    el("img", { src: media.url, alt: media.description ?? "" }),
  );
}

function embedNode(embed, context) {
  const inside = el("div", { class: "embed-inside" });
  if (embed.title) inside.append(el("div", { class: "embed-title" }, inlineMarkdown(embed.title, context)));
  if (embed.description) inside.append(el("div", { class: "embed-text" }, markdown(embed.description, context)));
  if (embed.fields.length) inside.append(fields(embed.fields, context));
  inside.append(picture(embed.image, "embed-image") ?? "");
  if (embed.footer) inside.append(el("footer", { class: "embed-foot" }, embed.footer));
  const node = el("div", { class: "embed" }, inside);
  if (embed.color !== null && embed.color !== undefined) node.style.borderLeftColor = colour(embed.color);
  return node;
}

const colour = (value) => `#${value.toString(16).padStart(6, "0")}`;

/** Show up to three inline fields in a row. The grid has twelve columns, which one, two and three divide. */
function fields(all, context) {
  const grid = el("div", { class: "embed-fields" });
  let run = [];
  const flush = () => {
    for (const field of run) field.style.setProperty("--span", String(12 / Math.min(3, run.length)));
    run = [];
  };
  for (const field of all) {
    const node = el(
      "div",
      { class: "embed-field" },
      el("div", { class: "embed-name" }, inlineMarkdown(field.name, context)),
      el("div", { class: "embed-value" }, markdown(field.value, context)),
    );
    grid.append(node);
    if (field.inline) run.push(node);
    else {
      flush();
      node.style.setProperty("--span", "12");
    }
  }
  flush();
  return grid;
}

// ------------------------------------------------------------------- files

const size = (bytes) => (bytes < 1024 ? `${bytes} B` : bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1048576).toFixed(1)} MB`);

function fileNode(file) {
  if (/^image\/(png|jpe?g|gif|webp|avif)$/.test(file.type)) return picture(file, "picture");
  return el(
    "div",
    { class: "file" },
    icon("file"),
    el("div", {}, el("a", { href: file.url, download: file.name }, file.name), el("div", { class: "size" }, size(file.size))),
  );
}

// -------------------------------------------------------------- components

function componentNode(part, message, page) {
  const children = (list) => (list ?? []).map((one) => componentNode(one, message, page));
  switch (part.type) {
    case 1:
      return el("div", { class: "row" }, children(part.components));
    case 2:
      return buttonNode(part, message, page);
    case 3:
    case 5:
    case 6:
    case 7:
    case 8:
      return selectNode(part, message, page);
    default:
      return el("p", { class: "failed" }, tr("The playground cannot show this part (type {type}).", { type: part.type }));
  }
}

function buttonNode(part, message, page) {
  const style = STYLES[part.style] ?? "secondary";
  const inside = [emoji(part.emoji), part.label ? el("span", {}, part.label) : null];
  const place = part.style === 5 && placeOf(part.url, page.context);
  if (place) {
    const go = () => page.context.open(place.channel, place.message);
    return el("button", { class: "button link", type: "button", disabled: Boolean(part.disabled), onclick: go }, ...inside);
  }
  if (part.style === 5) {
    const href = safeLink(part.url);
    return el("a", { class: "button link", href, target: "_blank", rel: "noopener noreferrer", "aria-disabled": part.disabled ? "true" : null }, ...inside, icon("out"));
  }
  const node = el("button", {
    class: `button ${style}`,
    type: "button",
    disabled: Boolean(part.disabled),
    data: { control: part.custom_id ?? "" },
    "aria-label": part.label || !part.emoji ? null : emojiName(part.emoji.name),
  });
  node.append(el("span", { class: "button-inside" }, ...inside), dots());
  node.addEventListener("click", () => page.act("click", message, node, { custom_id: part.custom_id }));
  return node;
}

function selectNode(part, message, page) {
  const options = page.optionsOf(part);
  const chosen = options.filter((one) => one.default);
  const shown = chosen.length ? chosen.map((one) => one.label).join(", ") : (part.placeholder ?? tr("Make a selection"));
  const node = el(
    "button",
    { class: "select", type: "button", disabled: Boolean(part.disabled), data: { control: part.custom_id }, "aria-haspopup": "listbox" },
    el("span", { class: chosen.length ? "" : "placeholder" }, chosen.length === 1 && emoji(chosen[0].emoji), shown),
    icon("chevron"),
  );
  node.addEventListener("click", () =>
    openSelect(node, options, { least: part.min_values ?? 1, most: part.max_values ?? 1 }, (values) =>
      page.act("select", message, node, { custom_id: part.custom_id, values }),
    ),
  );
  return node;
}

// ------------------------------------------------------------ around it all

function reactions(message, page) {
  return el(
    "div",
    { class: "reactions" },
    message.reactions.map((one) =>
      el(
        "button",
        { class: `reaction${one.me ? " mine" : ""}`, type: "button", "aria-pressed": String(one.me), onclick: () => page.react(message, one) },
        emoji(one.emoji),
        String(one.count),
      ),
    ),
  );
}

function ephemeralFoot(message, page) {
  return el(
    "footer",
    { class: "only-you" },
    icon("eye"),
    tr("Only you can see this • "),
    el("button", { class: "as-link", type: "button", onclick: () => page.dismiss(message) }, tr("Dismiss message")),
  );
}

function toolbar(message, page) {
  if (message.pseudo) return null;
  const more = el("button", { class: "icon", type: "button", "aria-label": tr("Apps"), title: tr("Apps"), "aria-haspopup": "menu" }, icon("more"));
  more.addEventListener("click", () => page.menu(message, more));
  const tools = [more];
  if (message.mine) {
    tools.push(
      el("button", { class: "icon danger", type: "button", "aria-label": tr("Delete message"), title: tr("Delete message"), onclick: () => page.remove(message) }, icon("trash")),
    );
  }
  return el("div", { class: "toolbar" }, tools);
}
