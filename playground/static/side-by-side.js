// Shows the pages of several people side by side: `/side-by-side?with=Ada,Bruno`

import { setLanguage, tr } from "./words.js";

const names = (new URLSearchParams(location.search).get("with") ?? "").split(",").filter(Boolean).slice(0, 5);
const place = document.getElementById("beside");
for (const name of names) {
  const frame = document.createElement("iframe");
  frame.title = name;
  frame.src = `/?as=${encodeURIComponent(name)}`;
  place.append(frame);
}
setLanguage(navigator.language);
const back = document.getElementById("back");
back.href = `/?as=${encodeURIComponent(names[0] ?? "")}`;
back.textContent = `← ${tr("Back to one seat")}`;
document.title = `${names.join(" · ")} · Playground`;
