/**
 * Sets the theme before the first paint, and again when another tab changes it.
 * This is a classic script: browsers can paint before they run a module.
 */

/** @param {unknown} theme `light`, `dark`, or any other for the system's theme. */
function applyTheme(theme) {
  const isChosen = theme === "light" || theme === "dark";
  document.documentElement.style.colorScheme = isChosen ? theme : "";
}

/** Applies the stored theme. The key is `STORAGE_KEY` of settings.js. */
function applyStoredTheme() {
  try {
    const settings = localStorage.getItem("developer-utilities");
    applyTheme(Object(JSON.parse(settings ?? "{}")).theme);
  } catch {
    // The storage isn't permitted or contains invalid JSON.
  }
}

applyStoredTheme();
addEventListener("storage", applyStoredTheme);
