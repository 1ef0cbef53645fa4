/**
 * The style of the editors, for their shadow roots. It is loaded as a style that
 * no medium of the page has: the page's policy permits styles, but no `fetch()`.
 * @module
 */

import { create } from "./elements.js";

const link = create("link", {
  rel: "stylesheet",
  href: new URL("editor.css", import.meta.url).href,
  media: "not all",
});
const loaded = Promise.withResolvers();
link.onload = loaded.resolve;
link.onerror = () => loaded.reject(new Error("editor.css cannot be loaded"));
document.head.append(link);
await loaded.promise;

export const editorStyle = new CSSStyleSheet();
const rules = Array.from(link.sheet?.cssRules ?? [], ({ cssText }) => cssText);
editorStyle.replaceSync(rules.join("\n"));
