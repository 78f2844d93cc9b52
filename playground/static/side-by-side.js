// Several people at one screen: a page for each, beside each other. `/side-by-side?with=Ada,Bruno`

import { speak, tr } from "./words.js";

const names = (new URLSearchParams(location.search).get("with") ?? "").split(",").filter(Boolean).slice(0, 5);
const place = document.getElementById("beside");
for (const name of names) {
  const frame = document.createElement("iframe");
  frame.title = name;
  frame.src = `/?as=${encodeURIComponent(name)}`;
  place.append(frame);
}
speak(navigator.language);
const back = document.getElementById("back");
back.href = `/?as=${encodeURIComponent(names[0] ?? "")}`;
back.textContent = `← ${tr("One seat")}`;
document.title = `${names.join(" · ")} · Playground`;
