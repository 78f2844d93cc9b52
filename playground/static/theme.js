// Loaded before anything is drawn, so that a light page never flashes dark. Not a module for that reason.
(() => {
  let wanted = "system";
  try {
    wanted = localStorage.getItem("playground.theme") ?? wanted;
  } catch {
    // The browser blocks site data: see memory.js, which only a module can import.
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
