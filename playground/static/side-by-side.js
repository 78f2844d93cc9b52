// Several people at one screen: a page for each, beside each other. `/side-by-side?with=Ada,Bruno`

const names = (new URLSearchParams(location.search).get("with") ?? "").split(",").filter(Boolean).slice(0, 5);
const place = document.getElementById("beside");
for (const name of names) {
  const frame = document.createElement("iframe");
  frame.title = name;
  frame.src = `/?as=${encodeURIComponent(name)}`;
  place.append(frame);
}
document.title = `${names.join(" · ")} · Playground`;
