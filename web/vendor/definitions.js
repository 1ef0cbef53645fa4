// Generated from routes/ by deno task vendor.

/** @type {Readonly<Record<string, Definition>>} */
export const DEFINITIONS = {
  "base64": {"method":"POST","summary":"Encode or decode Base64","parameters":{"action":{"type":"string","enum":["encode","decode"],"isRequired":true},"input":{"type":"string","isRequired":true},"variant":{"type":"string","enum":["standard","url"],"default":"standard","isRequired":false}},"inputs":{"decode":"aMOpbGxv","encode":"héllo"}},
  "hash": {"method":"POST","summary":"Hash a string","parameters":{"algorithm":{"type":"string","enum":["sha1","sha256","sha512"],"isRequired":true},"input":{"type":"string","isRequired":true}},"inputs":{"":"abc"}},
  "uuid": {"method":"GET","summary":"Generate version 4 UUIDs","parameters":{"count":{"type":"integer","minimum":1,"maximum":100,"isRequired":false}},"inputs":{}},
  "password": {"method":"GET","summary":"Generate passwords","parameters":{"length":{"type":"integer","minimum":1,"maximum":128,"default":16,"isRequired":false},"uppercase":{"type":"boolean","default":true,"isRequired":false},"lowercase":{"type":"boolean","default":true,"isRequired":false},"numbers":{"type":"boolean","default":true,"isRequired":false},"symbols":{"type":"boolean","default":true,"isRequired":false},"ambiguous":{"type":"boolean","default":true,"isRequired":false},"count":{"type":"integer","minimum":1,"maximum":100,"isRequired":false}},"inputs":{}},
  "json": {"method":"POST","summary":"Format, minify, or validate JSON","parameters":{"action":{"type":"string","enum":["format","minify","validate"],"isRequired":true},"input":{"type":"string","isRequired":true},"indent":{"type":"integer","enum":[2,4],"default":2,"isRequired":false}},"inputs":{"validate":"[1,]","minify":"[ 1e400 ]","format":"{\"b\":1.0,\"a\":[]}"}},
};
