/**
 * Sets the theme before the first paint, and again when another tab changes it.
 * This is a classic script: browsers may paint before they run a module.
 */

/**
 * @param {unknown} theme `light`, `dark`, or any other for the system's.
 */
function applyTheme(theme) {
  const isChosen = theme === "light" || theme === "dark";
  document.documentElement.style.colorScheme = isChosen ? theme : "";
}

/** Applies the theme in the settings, which settings.js has stored under the same name. */
function applyStoredTheme() {
  try {
    const settings = localStorage.getItem("developer-utilities");
    applyTheme(Object(JSON.parse(settings ?? "{}")).theme);
  } catch {
    // If the browser does not permit storage, the theme is the system's.
  }
}

applyStoredTheme();
addEventListener("storage", applyStoredTheme);
