// Sets the theme before the page is drawn, so that it does not flash in the wrong colours. A module would run too late.
(() => {
  let wanted = "system";
  try {
    wanted = localStorage.getItem("playground.theme") ?? wanted;
  } catch {
    // The browser blocks site data. (Only a module could use memory.js.)
  }
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const choice = document.documentElement.dataset.choice ?? wanted;
    document.documentElement.dataset.theme = choice === "system" ? (dark.matches ? "dark" : "light") : choice;
  };
  document.documentElement.dataset.choice = wanted;
  document.documentElement.addEventListener("playground:theme", apply);
  dark.addEventListener("change", apply);
  apply();
})();
