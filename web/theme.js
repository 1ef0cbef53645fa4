/**
 * The theme: set before the first paint, and again when another tab changes
 * it. This is a classic script, because browsers may paint before a module.
 */

/**
 * @param {unknown} theme `light`, `dark`, or any other for the system's.
 */
function applyTheme(theme) {
  const isChosen = theme === "light" || theme === "dark";
  document.documentElement.style.colorScheme = isChosen ? theme : "";
}

/** Applies the theme in the settings, which settings.js stores. */
function applyStoredTheme() {
  try {
    const settings = localStorage.getItem("developer-utilities");
    applyTheme(Object(JSON.parse(settings ?? "{}")).theme);
  } catch {
    // Without storage, the theme is the system's.
  }
}

applyStoredTheme();
addEventListener("storage", applyStoredTheme);
