/**
 * The style of the editors, which the style of the page does not reach: they are
 * in shadow roots. A module of its own, so that it is loaded at the same time
 * as the larger modules.
 * @module
 */

const response = await fetch("editor.css");
if (!response.ok) throw new Error(`editor.css has status ${response.status}`);

export const editorStyle = new CSSStyleSheet();
editorStyle.replaceSync(await response.text());
