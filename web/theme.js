/**
 * Sets the theme before the first paint, and again when another tab changes it.
 * This is a classic script: browsers may paint before they run a module.
 */

/**
 * @param {unknown} theme `light`, `dark`, or any other for the system's theme.
 */
function applyTheme(theme) {
  const isChosen = theme === "light" || theme === "dark";
  document.documentElement.style.colorScheme = isChosen ? theme : "";
}

/**
 * Applies the stored theme. The key is `STORAGE_KEY` of settings.js, which a
 * classic script can’t import.
 */
function applyStoredTheme() {
  try {
    const settings = localStorage.getItem("developer-utilities");
    applyTheme(Object(JSON.parse(settings ?? "{}")).theme);
  } catch {
    // The storage is not permitted or has no valid JSON: the theme stays. At
    // first, it is the system's theme.
  }
}

applyStoredTheme();
addEventListener("storage", applyStoredTheme);
