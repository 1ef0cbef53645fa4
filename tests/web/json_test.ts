import { assertEquals } from "@std/assert";
import { findDuplicate, findInner } from "../../web/json.js";

Deno.test("findInner() offers the JSON inside a string", () => {
  const inner = '{"a":"\\n"}';
  const [whole] = findInner(JSON.stringify(inner));
  assertEquals([whole?.label, whole?.value], ["Unwrap", inner]);
  for (const text of ['"a"', '"{"', '"1"', "[1]", ""]) {
    assertEquals(findInner(text), [], text);
  }
  assertEquals(findInner(`"${" ".repeat(500_000)}"`), []);
});

Deno.test("findDuplicate() finds a name that one object has twice", () => {
  const rows: [string, [string, number] | undefined][] = [
    ['{"a":1,"b":{"a":1,"\\u0061":2}}', ["a", 18]],
    ['{"a":1,"a":2}', ["a", 7]],
    ['{"a":[{"b":1},{"b":2}],"c":"a","d":["a","a"]}', undefined],
    ['["a","a"]', undefined],
    ['{"a":"a","b":"a"}', undefined],
    ['{"a,":{},"b":{"a,":1}}', undefined],
    ['{"__proto__":1,"a":2}', undefined],
  ];
  for (const [text, expected] of rows) {
    const found = findDuplicate(text);
    assertEquals(found && [found.name, found.offset], expected, text);
  }
});
