import { assert, assertEquals } from "@std/assert";
import { createRoute } from "../../lib/http/endpoint.ts";
import json from "../../routes/json.ts";

const values = Array.from({ length: 20_000 }, (_, id) => ({
  id,
  tags: [["é", {}], [], [[[null]]]],
  nested: { "a b": [1.5, { c: '"' }] },
}));
const input = JSON.stringify(values);

const RESULTS = {
  format: JSON.stringify(values, null, 2),
  minify: input,
  validate: "valid JSON",
};

for (const [action, expected] of Object.entries(RESULTS)) {
  Deno.test(`${action} lets other requests run at least every 256 KiB`, async () => {
    let yields = 0;
    const response = await createRoute(json).handler({
      request: new Request("http://localhost/api/json"),
      query: "",
      body: new TextEncoder().encode(JSON.stringify({ action, input })),
      async yieldControl() {
        yields += 1;
        await new Promise((resolve) => setTimeout(resolve));
      },
    });
    const text = response instanceof Uint8Array
      ? new TextDecoder().decode(response)
      : String(response);
    assertEquals(JSON.parse(text), { result: expected, valid: true });
    assert(yields >= Math.floor(input.length / (256 * 1_024)));
  });
}
