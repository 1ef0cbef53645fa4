/**
 * The style of the editors, since that of the page stops at shadow roots. It
 * is loaded as a module of its own, while the larger ones are still coming.
 * @module
 */

const response = await fetch("editor.css");
if (!response.ok) throw new Error(`editor.css has status ${response.status}`);

export const editorStyle = new CSSStyleSheet();
editorStyle.replaceSync(await response.text());
