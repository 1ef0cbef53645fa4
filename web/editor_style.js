/**
 * The style sheet of the editors, which are in shadow roots, where the styles
 * of the page do not apply. It is a module of its own, so that start.js can
 * load it at the same time as the larger modules. Loading the module fails if
 * editor.css cannot be loaded.
 * @module
 */

const response = await fetch("editor.css");
if (!response.ok) throw new Error(`editor.css has status ${response.status}`);

export const editorStyle = new CSSStyleSheet();
editorStyle.replaceSync(await response.text());
