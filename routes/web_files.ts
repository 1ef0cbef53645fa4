/**
 * The files that the page loads. Each export is a file's content, named by the file's path.
 * Because the imports are static, compiled binaries contain the files. A test compares this
 * list with the `web` folder.
 *
 * @module
 */

// deno-fmt-ignore-file: one file per line

export { default as "characters.js" } from "../web/characters.js" with { type: "text" };
export { default as "code.js" } from "../web/code.js" with { type: "text" };
export { default as "compute.js" } from "../web/compute.js" with { type: "text" };
export { default as "computer.js" } from "../web/computer.js" with { type: "text" };
export { default as "copying.js" } from "../web/copying.js" with { type: "text" };
export { default as "digests.js" } from "../web/digests.js" with { type: "text" };
export { default as "editor.js" } from "../web/editor.js" with { type: "text" };
export { default as "elements.js" } from "../web/elements.js" with { type: "text" };
export { default as "files.js" } from "../web/files.js" with { type: "text" };
export { default as "form.js" } from "../web/form.js" with { type: "text" };
export { default as "hashers.js" } from "../web/hashers.js" with { type: "text" };
export { default as "icon.png" } from "../web/icon.png.txt" with { type: "text" };
export { default as "icon.svg" } from "../web/icon.svg" with { type: "text" };
export { default as "kinds.js" } from "../web/kinds.js" with { type: "text" };
export { default as "links.js" } from "../web/links.js" with { type: "text" };
export { default as "manifest.webmanifest" } from "../web/manifest.webmanifest" with { type: "text" };
export { default as "outcome.js" } from "../web/outcome.js" with { type: "text" };
export { default as "page.js" } from "../web/page.js" with { type: "text" };
export { default as "repair.js" } from "../web/repair.js" with { type: "text" };
export { default as "result.js" } from "../web/result.js" with { type: "text" };
export { default as "section.js" } from "../web/section.js" with { type: "text" };
export { default as "settings.js" } from "../web/settings.js" with { type: "text" };
export { default as "shortcuts.js" } from "../web/shortcuts.js" with { type: "text" };
export { default as "start.js" } from "../web/start.js" with { type: "text" };
export { default as "state.js" } from "../web/state.js" with { type: "text" };
export { default as "style.css" } from "../web/style.css" with { type: "text" };
export { default as "suggestions.js" } from "../web/suggestions.js" with { type: "text" };
export { default as "text.js" } from "../web/text.js" with { type: "text" };
export { default as "theme.js" } from "../web/theme.js" with { type: "text" };
export { default as "tools.js" } from "../web/tools.js" with { type: "text" };
export { default as "transfers.js" } from "../web/transfers.js" with { type: "text" };
export { default as "view.js" } from "../web/view.js" with { type: "text" };
export { default as "worker.js" } from "../web/worker.js" with { type: "text" };
export { default as "vendor/definitions.js" } from "../web/vendor/definitions.js" with { type: "text" };
export { default as "vendor/hash_wasm.js" } from "../web/vendor/hash_wasm.js" with { type: "text" };
export { default as "vendor/jsonrepair.js" } from "../web/vendor/jsonrepair.js" with { type: "text" };
export { default as "vendor/operations.js" } from "../web/vendor/operations.js" with { type: "text" };
export { default as "vendor/packages.js" } from "../web/vendor/packages.js" with { type: "text" };
